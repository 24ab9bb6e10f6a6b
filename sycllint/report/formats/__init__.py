"""What ``check`` writes: one module for each format, a function from a result and its sources to a string."""
