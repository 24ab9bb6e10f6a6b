"""Rules about how the work is distributed over work-items and groups."""
