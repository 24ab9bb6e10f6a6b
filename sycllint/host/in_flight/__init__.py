"""Commands in flight: the walk over host code, what it submits and waits for, and what the host does meanwhile."""
