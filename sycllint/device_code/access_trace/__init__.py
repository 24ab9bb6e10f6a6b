"""Access traces: an interpreter of device code notes accesses and barriers in order, each under its conditions."""
