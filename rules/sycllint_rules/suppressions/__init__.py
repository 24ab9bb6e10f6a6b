"""Comments that silence findings, and those of them that should not be there."""
