"""Kernels that demand registers and, as far as the source tells, keep little in them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from sycllint.cpp.expression import Brace, Call, Expr, Lambda, Member, Name, New, Opaque, Type
from sycllint.cpp.node import Node, walk
from sycllint.cpp.statement import Declaration, Loop, Pragma, Variable
from sycllint.record import record
from sycllint.values.types import qualifier_is_sycl
from sycllint.values.value import known

if TYPE_CHECKING:
    from sycllint.device_code.code import KernelCode

MAX_STATEMENTS = 40
"""Of a kernel of more it cannot be said at a glance how much is alive at one time."""
_DEFAULT_REGISTERS = 128
"""Per thread unless a kernel asks for more (intel-graphics-compiler 98fff716, GRFMode)."""
_SCALAR = 8
"""Bytes that a scalar takes at most."""
_VECTOR = re.compile(r"(?:u?(?:char|short|int|long)|half|float|double)(2|3|4|8|16)")
"""The alias of a SYCL vector, and its elements (SYCL 2020, "Vector types")."""
_SCALARS = frozenset(
    {"auto", "bool", "char", "short", "int", "long", "unsigned", "signed", "float", "double", "half", "size_t", "id"}
    | {"ptrdiff_t", "int8_t", "uint8_t", "int16_t", "uint16_t", "int32_t", "uint32_t", "int64_t", "uint64_t"}
)
_PLAIN_CALLS = frozenset(
    {"get_global_id", "get_local_id", "get_group", "get_group_id", "get_id", "get_linear_id", "get_global_linear_id"}
    | {"get_local_linear_id", "get_group_linear_id", "get_global_range", "get_local_range", "get_group_range", "size"}
    | {"group_barrier", "barrier", "get_sub_group", "leader", "get_group_linear_range"}
)
_OVER_GROUP = frozenset(
    {"reduce_over_group", "inclusive_scan_over_group", "exclusive_scan_over_group", "group_broadcast"}
    | {"any_of_group", "all_of_group", "none_of_group", "select_from_group"}
    | {"shift_group_left", "shift_group_right", "permute_group_by_xor"}
    | {"plus", "multiplies", "minimum", "maximum", "bit_and", "bit_or", "bit_xor", "logical_and", "logical_or"}
)
"""Functions that hand one value around, and what they combine values with (SYCL 2020, "Group functions")."""
_MATHS = frozenset(
    {"sqrt", "rsqrt", "exp", "exp2", "log", "log2", "pow", "sin", "cos", "fabs", "abs", "fmin", "fmax", "min", "max"}
    | {"clamp", "fma", "mad", "floor", "ceil"}
)
"""Functions from numbers to a number (SYCL 2020, "Math functions", "Common functions")."""


@record
class SmallState:
    """The kernel holds only scalars, arrays of known sizes, and calls nothing but arithmetic."""

    bytes: int
    """Of all that one work-item declares, whether alive at one time or not."""


def small_states(code: KernelCode) -> Iterator[SmallState]:
    """At most one record, and only for a kernel that demands more registers than usual."""
    registers = known(code.geometry.registers) if code.geometry.registers is not None else None
    scan = code.scan
    if registers is None or registers <= _DEFAULT_REGISTERS or scan.calls_unknown:
        return
    if code.function.body is None or scan.statements > MAX_STATEMENTS:
        return
    arrays = [known(each.bytes) for each in scan.arrays]
    exact = [each for each in arrays if each is not None]
    scalars = 0
    body = code.function.body
    lists = {each for node in walk(body) if isinstance(node, Variable) and node.type.extents for each in node.arguments}
    for node in walk(body):
        if node not in lists and not _is_plain(node, code):
            return
        if isinstance(node, Declaration):
            scalars += sum(_elements(each, code) for each in node.variables if not each.type.extents)
    if len(exact) == len(arrays):
        yield SmallState(sum(exact) + _SCALAR * scalars)


def _elements(variable: Variable, code: KernelCode) -> int:
    """The numbers in a variable that is no array."""
    return _width(variable.type.name, code) or 1


def _width(name: Name, code: KernelCode) -> int:
    """The elements of a vector by its alias; 0 for other types."""
    found = _VECTOR.fullmatch(name.last)
    is_sycl = not name.qualifier or qualifier_is_sycl(name.qualifier, code.evaluator.facts.namespaces)
    return int(found[1]) if found and is_sycl else 0


def _is_plain(node: Node, code: KernelCode) -> bool:
    match node:
        case Call(function=function):
            return _is_plain_call(function, code)
        case Variable(type=kind, arguments=arguments):
            if kind.name.last != "auto":
                return kind.name.last in _SCALARS or bool(_width(kind.name, code))
            # Of what memory holds the type is not in sight; ids are numbers.
            return len(arguments) == 1 and isinstance(arguments[0], Call)
        case Type(name=name):
            return name.last in _SCALARS or bool(_width(name, code))
        case Loop(pragma=pragma):
            return not pragma
        case Brace() | Lambda() | New() | Opaque() | Pragma():
            return False
        case _:
            return True


def _is_plain_call(function: Expr, code: KernelCode) -> bool:
    match function:
        case Member(name=name):
            return name in _PLAIN_CALLS
        case Name():
            if qualifier_is_sycl(function.qualifier, code.evaluator.facts.namespaces):
                return function.last in _MATHS | _PLAIN_CALLS | _OVER_GROUP or bool(_width(function, code))
            return not function.qualifier and function.last in _SCALARS
        case _:
            return False
