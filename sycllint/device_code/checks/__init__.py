"""The checks on kernels: each makes records of one kind, or of a few that are seen together."""
