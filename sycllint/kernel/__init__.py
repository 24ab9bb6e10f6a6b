"""Analyses of one kernel's body."""
