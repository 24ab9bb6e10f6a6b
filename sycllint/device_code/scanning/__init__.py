"""The scan of a kernel, from which launches are made: barriers, operations of sub-groups, loops, arrays."""
