"""The preprocessor, as far as values need it: definitions in force, branches that are compiled, macros as text."""
