"""Abstract domains that the solver of ``dataflow`` runs: what is known of values of device code, and of who runs it.

``uniformity`` is the one that says how far values are the same in a work-group, and what decides over barriers.
"""
