"""Output for a terminal: text measured in cells, source frames, tables, and the summary of a run."""
