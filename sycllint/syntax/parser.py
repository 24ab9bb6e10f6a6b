"""tree-sitter with the C++ grammar: one parser for the process."""

from functools import cache

from tree_sitter import Language, Parser, Tree
from tree_sitter_cpp import language


@cache
def cpp() -> Language:
    """The C++ grammar."""
    return Language(language())


@cache
def _parser() -> Parser:
    return Parser(cpp())


def parse(source: bytes) -> Tree:
    """The syntax tree of ``source``. Never fails: text that is not C++ becomes error nodes."""
    return _parser().parse(source)
