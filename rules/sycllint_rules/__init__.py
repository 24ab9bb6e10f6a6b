"""The rules sycllint ships: one module, one function, one rule, one page each."""
