"""Random programs with an oracle: see ``__main__``."""
