"""The checks on a file's host code."""
