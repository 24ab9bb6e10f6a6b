"""What functions do, as far as their callers care: summaries of bodies, worked out bottom-up and kept for a unit.

``summaries`` is the solver, ``mod_ref`` what a function reads and writes through what it is given, ``overwrites``
what it may assign, ``returns`` what it gives back of that.
"""
