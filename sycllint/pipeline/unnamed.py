"""Devices that a file is judged for where neither the configuration nor the build names one."""

CURRENT = ("dg2", "pvc", "mtl", "lnl", "bmg", "ptl")
"""Intel's GPUs of today; ``ats-m`` is a ``dg2``."""
UNNAMED = (*CURRENT, "tgl", "dg1", "gen9", "gen11")
"""What a file is checked against when neither the configuration nor the build names a device."""
EXAMPLE_TARGET = "tgl"
"""What tables have a column for then."""
