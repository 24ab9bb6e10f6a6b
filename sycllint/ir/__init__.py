"""Bodies of functions as flat lists of instructions: lowered once, on first use, for everything that looks inside.

``ops`` says what the instructions are, ``body`` what a lowered function is, ``bodies`` keeps those of a unit.
"""
