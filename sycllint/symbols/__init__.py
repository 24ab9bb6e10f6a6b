"""Names resolved to declarations as C++ does it: scopes, qualified and unqualified lookup, and the targets of calls."""
