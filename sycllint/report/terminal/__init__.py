"""What people read in a terminal: text that lies in cells, source frames, tables, and the lines that end a run."""
