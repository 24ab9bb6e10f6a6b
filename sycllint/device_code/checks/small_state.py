"""Kernels that ask for many registers per work-item and, by the source, keep little in them."""

import re
from collections.abc import Iterator
from math import prod

from sycllint.cpp.expression import Brace, Call, Lambda, Name, New, Opaque, Type
from sycllint.cpp.place import Place
from sycllint.cpp.statement import CONSTEXPR, Evaluate, Variable
from sycllint.device_code.bodies.reading import DeviceFunction
from sycllint.device_code.bodies.trip_counts import loops_around, trips_of
from sycllint.device_code.code import KernelCode
from sycllint.domains.library import is_function_of_values, is_part
from sycllint.domains.results import is_atomic
from sycllint.domains.vocabulary import EXCHANGING, GROUP_FUNCTIONS, SUB_GROUP_MEMBERS
from sycllint.record import record
from sycllint.values.objects import Point
from sycllint.values.types import plain_type, qualifier_is_sycl
from sycllint.values.value import known

MAX_STATEMENTS = 40
"""Of a kernel of more, each as often as unrolled loops repeat it, it cannot be said at a glance how much is alive."""
_DEFAULT_REGISTERS = 128
"""Per thread unless a kernel asks for more (intel-graphics-compiler 98fff716, GRFMode)."""
_SCALAR = 8
"""Bytes of a number, an address or a handle at most."""
_OPERATORS = frozenset({"plus", "multiplies", "minimum", "maximum"})
_PLAIN_OPERATOR = re.compile(r"bit_(and|or|xor)|logical_(and|or)")
_ONE_VALUE = re.compile(r"(shift|permute|select)_\w+|group_barrier|atomic_fence")
"""Group functions that hand one value around, beyond ``EXCHANGING`` (SYCL 2020, "Group functions")."""
_HANDLES = frozenset({"atomic_ref", "multi_ptr"})
_MEMBERS = SUB_GROUP_MEMBERS | {"leader", "template"}


@record
class SmallState:
    """The kernel and all that it calls declare objects of known sizes, and few of them."""

    bytes: int
    """Of all that one work-item declares, whether alive at one time or not."""


def small_states(code: KernelCode) -> Iterator[SmallState]:
    """At most one record, and only for a kernel that demands more registers than usual."""
    registers = known(code.geometry.registers)
    if registers is None or registers <= _DEFAULT_REGISTERS or code.scan.calls_unknown:
        return
    if code.function.body is None or code.scan.statements > MAX_STATEMENTS:
        return
    evaluator, size = code.evaluator, 0
    for body in code.bodies:
        frame = body.frame(evaluator.frame)
        declared = None if body.function.damaged else evaluator.under(frame, _declared, body, code)
        if declared is None:
            return
        size += declared
    yield SmallState(size)


def _declared(body: DeviceFunction, code: KernelCode) -> int | None:
    """The bytes of all variables of one function; ``None`` where more than these may need registers."""
    if any(body.of(each) for each in (Lambda, New, Opaque)):
        return None
    if not all(_is_plain(call, place, code) for call, place in body.of(Call)):
        return None
    lists = {id(each) for node, _ in body.of(Variable) for each in node.arguments}
    if any(id(each) not in lists and _size_of_made(each, place, code) is None for each, place in body.of(Brace)):
        return None
    statements, size = code.scan.statements, 0
    for _, place in (*body.of(Evaluate), *body.of(Variable)):
        repeated = _repeated(body, place, code)
        statements += (repeated or 0) - 1
        if repeated is None or statements > MAX_STATEMENTS:
            return None
    for variable, place in body.of(Variable):
        bytes_ = 0 if variable.flags & CONSTEXPR else _size(variable, place, code)
        if bytes_ is None:
            return None
        size += bytes_
    return size


def _repeated(body: DeviceFunction, place: Place, code: KernelCode) -> int | None:
    """How often unrolled loops repeat what stands at ``place``; ``None`` where that is not known."""
    times: list[int | None] = []
    for loop, outside in loops_around(place, body.function):
        if "unroll" in loop.pragma and "nounroll" not in loop.pragma:
            written = re.search(r"\d+", loop.pragma)
            times.append(int(written[0]) if written else trips_of(loop, code.evaluator, outside))
    exact = [each for each in times if each is not None]
    return prod(exact) if len(exact) == len(times) else None


def _size(variable: Variable, place: Place, code: KernelCode) -> int | None:
    """The bytes of a variable; ``None`` for an object that may be any."""
    kind, given = variable.type, variable.arguments
    if kind.pointers or kind.reference or kind.name.last in _HANDLES:
        return _SCALAR
    if kind.name.last != "auto":
        if code.reading.meanings.of_type(kind.name) is not None:
            return 0
        return known(code.evaluator.sizes.of_type(kind, Point(place, variable.start)))
    if len(given) != 1:
        return None
    typed = code.evaluator.static_types.of(given[0], Point(place, variable.start))
    if typed is not None and typed.type.name.last != "auto":
        found = known(code.evaluator.sizes.of_type(typed.type, typed.point))
        if found is not None:
            return found
    # The type of what memory holds is not visible; ids are numbers.
    return _SCALAR if isinstance(given[0], Call) else None


def _size_of_made(node: Brace, place: Place, code: KernelCode) -> int | None:
    """The bytes of an object that is made of a list."""
    if node.type is None:
        return 0
    kind = plain_type(node.type) if isinstance(node.type, Name) else node.type
    if not isinstance(kind, Type):
        return None
    return known(code.evaluator.sizes.of_type(kind, Point(place, node.start)))


def _is_plain(call: Call, place: Place, code: KernelCode) -> bool:
    """Whether a call runs a function that is looked at, or one that holds little but what it is handed."""
    function = call.function
    if code.graph.target(call, place) is not None:
        return True
    name = getattr(function, "name", "")
    if not isinstance(function, Name):
        return isinstance(name, str) and (is_part(name) or is_atomic(name) or name in _MEMBERS)
    last = function.last
    if function.qualifier and not qualifier_is_sycl(function.qualifier, code.evaluator.facts.namespaces):
        return False
    if last in GROUP_FUNCTIONS:
        return last in EXCHANGING or _ONE_VALUE.fullmatch(last) is not None
    if last in _HANDLES or last in _OPERATORS or _PLAIN_OPERATOR.fullmatch(last) or _ONE_VALUE.fullmatch(last):
        return True
    if is_function_of_values(last):
        return True
    return known(code.evaluator.sizes.of_type(plain_type(function), Point(place, call.start))) is not None
