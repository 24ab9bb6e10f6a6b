"""How much of a core and of a device a launch keeps busy, and what stops it."""
