"""What ``check`` writes: for each format a function from a result and its sources to a string."""
