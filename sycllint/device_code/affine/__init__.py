"""Indices of global memory as affine sums of ids, loop counters and a rest."""
