"""Kernels judged: what a kernel's body, and the functions of the project that it calls, are seen to do."""
