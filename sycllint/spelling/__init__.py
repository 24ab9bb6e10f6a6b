"""Spelling: deprecated names of SYCL, and markers of the migration tool."""
