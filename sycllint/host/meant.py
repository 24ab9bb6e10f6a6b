"""Which functions of a unit the name in a call may mean.

Classes of a project have methods with the names of functions of C and SYCL: ``free``, ``malloc``, ``memcpy``. A name
without an object before it means none of them, unless the call stands in such a class or in one that inherits from it.
"""

from collections.abc import Iterable

from sycllint.cpp.expression import Name
from sycllint.cpp.place import Place
from sycllint.cpp.statement import Function, Struct
from sycllint.facts.file import Declared
from sycllint.symbols.unit import Unit

MAX_BASES = 6
"""How many steps of inheritance are looked through."""


def class_of(declared: Declared[Function]) -> str:
    """The class of a method; empty for any other function."""
    before = declared.node.name.rpartition("::")[0]
    if before:
        return before.rpartition("::")[2].partition("<")[0]
    return next((each.name for each in declared.place.chain() if isinstance(each, Struct)), "")


def meant(function: Name, place: Place, unit: Unit) -> tuple[Declared[Function], ...]:
    """The functions that a name may mean which is called at ``place``."""
    declared = unit.functions.get(function.last)
    return callable_at(declared, place, unit) if declared and not function.qualifier else declared


def callable_at(declared: Iterable[Declared[Function]], place: Place, unit: Unit) -> tuple[Declared[Function], ...]:
    """Those of several functions that may be called at ``place`` by their name alone."""
    found: list[Declared[Function]] = []
    around: frozenset[str] | None = None
    for each in declared:
        owner = class_of(each)
        # What stands before a name is the name of a namespace, too.
        if owner and unit.structs.get(owner):
            around = around if around is not None else _classes_around(place, unit)
            if owner not in around:
                continue
        found.append(each)
    return tuple(found)


def _classes_around(place: Place, unit: Unit) -> frozenset[str]:
    """The classes that a place stands in, and all that these may inherit from, by their names."""
    names: set[str] = set()
    for node in place.chain():
        if isinstance(node, Struct):
            names.add(node.name)
        elif isinstance(node, Function) and "::" in node.name:
            names.update(each.partition("<")[0] for each in node.name.split("::")[:-1])
    found = frozenset(names)
    for _ in range(MAX_BASES):
        structs = (each.node for name in names for each in unit.structs.get(name))
        names = {base.last for each in structs for base in each.bases} - found
        if not names:
            break
        found |= names
    return found
