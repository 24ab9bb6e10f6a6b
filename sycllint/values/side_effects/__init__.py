"""Side effects, by the text alone: which names a piece of code may change, and where control does not go on."""
