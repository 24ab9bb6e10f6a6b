"""Conditions around a launch: what is reached at all, what guards ask of a device, and what comparisons fix."""
