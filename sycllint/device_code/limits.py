"""Numbers that hold of most devices, whichever the launch is for."""

LARGEST = 1024
"""Work-items of a group on most devices (the limits in the hardware tables)."""
FULL = 32
"""Bits of the numbers that device code computes with."""
