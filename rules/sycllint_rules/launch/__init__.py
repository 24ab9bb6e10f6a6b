"""Rules about the index space of a launch."""
