"""Directives that end a macro's definition: ``#undef``, and ``#pragma push_macro``."""

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping

from sycllint.cpp.place import Place
from sycllint.cpp.statement import Block, Damaged, Function, Namespace, Pragma, Statement, Struct, Undefine, Variants
from sycllint.facts.file import Declared, FileFacts
from sycllint.record import NamedTuple

_PUSHED = re.compile(r'\bp(?:ush|op)_macro\s*\(\s*"(\w+)"')


class Ends(NamedTuple):
    """Where macros cease to be defined."""

    undefined: Mapping[str, tuple[Declared[Undefine], ...]]
    pushed: frozenset[str]
    """Macros whose definition is put aside and brought back, which is not followed."""


def macro_ends(files: Iterable[FileFacts]) -> Ends:
    """The directives of some files; those inside control flow are left out."""
    ends = [each.once(_ends) for each in files]
    undefined: dict[str, list[Declared[Undefine]]] = defaultdict(list)
    for each in ends:
        for name, found in each.undefined.items():
            undefined[name] += found
    pushed = frozenset().union(*(each.pushed for each in ends))
    return Ends({name: tuple(found) for name, found in undefined.items()}, pushed)


def _ends(facts: FileFacts) -> Ends:
    undefined: dict[str, list[Declared[Undefine]]] = defaultdict(list)
    pushed: set[str] = set()
    stack = [Place(facts.unit, None)]
    while stack:
        place = stack.pop()
        if not isinstance(place.node, Block):
            continue
        for statement in place.node.statements:
            match statement:
                case Undefine(name=name):
                    undefined[name].append(Declared(statement, Place(statement, place)))
                case Pragma(text=text):
                    pushed.update(_PUSHED.findall(text))
                case _:
                    stack.extend(_blocks(statement, place))
    return Ends({name: tuple(found) for name, found in undefined.items()}, frozenset(pushed))


def _blocks(statement: Statement, place: Place) -> Iterable[Place]:
    match statement:
        case Namespace(body=body) | Damaged(body=body) | Struct(members=body):
            return (Place(body, Place(statement, place)),)
        case Function(body=body) if body is not None and body.is_read:
            # A body that was put off holds no directive.
            return (Place(body, Place(statement, place)),)
        case Block():
            return (Place(statement, place),)
        case Variants(arms=arms):
            around = Place(statement, place)
            return [Place(arm.body, Place(arm, around)) for arm in arms]
        case _:
            return ()
