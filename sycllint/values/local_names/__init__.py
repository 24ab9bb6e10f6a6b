"""The values of local variables: the definitions that reach a use, searched backwards from it."""
