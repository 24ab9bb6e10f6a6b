"""Calls that pass a kernel to a function that was not followed and may launch it, and the setting that names it."""

import re
from collections.abc import Container, Iterator

from sycllint.cpp.expression import Brace, Call, Expr, Lambda, Member, Name
from sycllint.cpp.names import LAUNCHING
from sycllint.cpp.node import Node
from sycllint.cpp.place import Place, around
from sycllint.cpp.statement import Macro
from sycllint.facts.file import FileFacts
from sycllint.record import NamedTuple
from sycllint.source.span import Location
from sycllint.values.types import as_type

_KERNEL = re.compile(rb"\]\s*\(\s*(?:const\s+)?(?:\w+::)*(?:nd_item|h_item|item|id|group)\s*<")
"""The head of a lambda that takes what a kernel is given (SYCL 2020, "Invoking kernels")."""
_ITEMS = frozenset({"nd_item", "h_item", "item", "id", "group"})
_RANGES = frozenset({"range", "nd_range"})


class NotFollowed(NamedTuple):
    """One call of a function that is handed a kernel and is not seen to launch it."""

    function: str
    """As it is called."""
    location: Location
    setting: str
    """The line of ``[launch-helpers]`` that would make the call a launch."""


def may_hide_launch(content: bytes) -> bool:
    """Whether a file may hold a kernel that some other function than SYCL's is handed."""
    return _KERNEL.search(content) is not None


def not_followed(facts: FileFacts, launched: Container[Lambda]) -> Iterator[NotFollowed]:
    """The calls in one file that hand a kernel lambda to another function than SYCL's.

    ``launched`` are the lambdas that were seen to run.
    """
    offsets = [found.start() for found in _KERNEL.finditer(facts.content)]
    seen: set[Call] = set()
    for place in around(facts.unit, offsets) if offsets else ():
        call = _handed_to(place)
        if call is None or call in seen or place.node in launched:
            continue
        seen.add(call)
        function = call.function
        if isinstance(function, Name | Member):
            name = function.text if isinstance(function, Name) else function.name
            if name.rpartition("::")[2] not in LAUNCHING | {"parallel_for_work_item"}:
                yield NotFollowed(name, facts.location(function.start, function.end), _setting(name, call.arguments))


def _handed_to(place: Place) -> Call | None:
    """The call of which the lambda at a place is an argument."""
    outer = place.outer.node if place.outer is not None else None
    node: Node = place.node
    if not isinstance(node, Lambda) or not node.parameters or node.parameters[0].type.name.last not in _ITEMS:
        return None
    if not isinstance(outer, Call) or any(isinstance(each, Macro) for each in place.chain()):
        return None
    return outer if any(each is node for each in outer.arguments) else None


def _setting(name: str, arguments: tuple[Expr, ...]) -> str:
    """``ns::run = { global = 0, local = 1, kernel = 2 }``, as far as the arguments determine it."""
    kernel = next(number for number, each in enumerate(arguments) if isinstance(each, Lambda))
    sizes = [number for number, each in enumerate(arguments) if _is_range(each)]
    sizes = sizes or [number for number in range(kernel) if not isinstance(arguments[number], Lambda)][-2:]
    parts = [f"{label} = {number}" for label, number in zip(("global", "local"), sizes, strict=False)]
    key = name if re.fullmatch(r"\w+", name) else f'"{name}"'
    return f"{key} = {{ {', '.join([*parts, f'kernel = {kernel}'])} }}"


def _is_range(expression: Expr) -> bool:
    made = expression.function if isinstance(expression, Call) else None
    if isinstance(expression, Brace) and expression.type is not None:
        kind = as_type(expression.type)
        return kind is not None and kind.name.last in _RANGES
    return isinstance(made, Name) and made.last in _RANGES
