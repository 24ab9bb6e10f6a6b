"""The class of a method, by its name: what the host's own notions of objects go by."""

from sycllint.cpp.statement import Function, Struct
from sycllint.facts.file import Declared


def class_of(declared: Declared[Function]) -> str:
    """The class of a method; empty for any other function."""
    before = declared.node.name.rpartition("::")[0]
    if before:
        return before.rpartition("::")[2].partition("<")[0]
    return next((each.name for each in declared.place.chain() if isinstance(each, Struct)), "")
