"""Rules about sub-groups: their size and what a work-group makes of it."""
