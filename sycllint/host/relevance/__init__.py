"""Whether walking a function of the host can show anything, told from its words before the walk."""
