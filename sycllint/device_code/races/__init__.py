"""Races: accesses of one barrier interval, and two work-items of a sampled group that meet at one element."""
