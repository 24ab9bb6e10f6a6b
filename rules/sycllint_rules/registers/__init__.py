"""Rules about registers and private memory, and what keeps values out of registers."""
