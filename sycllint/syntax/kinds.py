"""The C++ grammar's types of node, by number.

A node gives its type as a number in half the time that it takes to give it as a string.
"""

from collections.abc import Mapping
from functools import cache
from typing import TypeVar

from sycllint.syntax.parser import cpp

Function = TypeVar("Function")

_ERROR = 0xFFFF
"""What tree-sitter numbers nodes of text that does not parse; it is in no table of the grammar."""


@cache
def _numbers() -> Mapping[str, frozenset[int]]:
    grammar = cpp()
    numbers = {"ERROR": {_ERROR}}
    for number in range(grammar.node_kind_count):
        name = grammar.node_kind_for_id(number)
        if name is not None:
            numbers.setdefault(name, set()).add(number)
    return {name: frozenset(each) for name, each in numbers.items()}


def kinds(*names: str) -> frozenset[int]:
    """Types of node as the numbers that ``Node.kind_id`` gives; some names stand for several.

    Raises ``LookupError`` for a name that the grammar does not have.
    """
    numbers = _numbers()
    return frozenset(number for name in names for number in numbers[name])


def by_kind(functions: Mapping[str, Function]) -> Mapping[int, Function]:
    """What is given by the name of a type of node, by its numbers."""
    return {number: function for name, function in functions.items() for number in kinds(name)}
