"""The functions that run in kernels: their nodes by kind, whom they call, types, trip counts, definitions."""
