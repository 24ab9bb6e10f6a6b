"""What functions do: summaries of bodies, worked out bottom-up and kept for a unit, and one forward pass over a body.

``engine`` is the solver of the pass, ``summaries`` that of the call graph, ``mod_ref`` what a function reads and writes
through what it is given.
"""
