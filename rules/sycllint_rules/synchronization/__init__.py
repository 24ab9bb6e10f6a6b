"""Barriers, fences, and what work-items exchange."""
