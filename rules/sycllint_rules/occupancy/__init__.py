"""Rules about how much of the device a launch keeps busy."""
