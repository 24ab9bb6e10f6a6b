"""Type traits of the C++ library: what ``std::is_same_v<T, float>`` says where both types are known."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from sycllint.cpp.expression import Expr, Name, Type
from sycllint.record import NamedTuple
from sycllint.values.arithmetic import BOOL, Scalar
from sycllint.values.deduction.instances import same_kind
from sycllint.values.objects import BoundClass, Point, TypeKind
from sycllint.values.types import as_type
from sycllint.values.value import Known

if TYPE_CHECKING:
    from sycllint.values.interface import Evaluation

_OF_ONE: dict[str, Callable[[TypeKind], bool]] = {
    "is_arithmetic": lambda kind: kind.is_number,
    "is_floating_point": lambda kind: kind.floating,
    "is_integral": lambda kind: kind.integer is not None,
}
"""Source: ISO/IEC 14882:2020, 20.15.4; of the numbers that are builtin types."""
_STANDARD = "std::"
MAX_BASES = 8


class _Argument(NamedTuple):
    """A type behind aliases and the parameters of templates, and its declarators."""

    kind: TypeKind
    declared: tuple[int, bool, bool, int]


def trait(evaluator: Evaluation, name: Name, point: Point) -> Scalar | None:
    """What the trait ``name`` says, whose arguments stand at ``point``; ``None`` where it is none, or not known."""
    last = name.last.removesuffix("_v")
    if not name.text.removeprefix("::").startswith(_STANDARD):
        return None
    if last == "is_base_of" and name.arguments and len(name.arguments) == 2:
        base, derived = (_class_given(evaluator, each, point) for each in name.arguments)
        derives = _derives(evaluator, derived, base) if base is not None and derived is not None else None
        return None if derives is None else Scalar(Known(int(derives)), BOOL)
    if last != "is_same" and last not in _OF_ONE:
        return None
    given = [_argument(evaluator, each, point) for each in name.arguments or ()]
    known = [each for each in given if each is not None]
    if len(known) != (2 if last == "is_same" else 1) or len(known) != len(given):
        return None
    answer: bool | None
    if last == "is_same":
        first, second = known
        answer = same_kind(first.kind, second.kind) if first.declared == second.declared else False
    else:
        (only,) = known
        is_certain = only.kind.is_number or only.kind.struct is not None
        answer = _OF_ONE[last](only.kind) and not any(only.declared[:2]) if is_certain else None
    return None if answer is None else Scalar(Known(int(answer)), BOOL)


def _argument(evaluator: Evaluation, expression: Expr, point: Point) -> _Argument | None:
    """A type that is given to a trait; ``None`` where it depends on what is not known."""
    written = as_type(expression)
    if written is None:
        return None
    behind = evaluator.names.type_named(written.name, point)
    if behind.unbound or behind.others:
        return None
    kind = evaluator.under(behind.frame, evaluator.kind, behind.name, behind.point)
    if not (kind.is_number or kind.struct is not None or _is_class(kind)):
        return None
    declared = [_declared(each) for each in (written, behind.whole) if each is not None]
    pointers, reference, constant, extents = (sum(each) for each in zip(*declared, strict=True))
    return _Argument(kind, (pointers, bool(reference), bool(constant), extents))


def _class_given(evaluator: Evaluation, expression: Expr, point: Point) -> BoundClass | None:
    written = as_type(expression)
    return evaluator.instances.of(written.name, point) if written is not None and not written.pointers else None


def _derives(evaluator: Evaluation, bound: BoundClass, base: BoundClass, depth: int = 0) -> bool | None:
    """Whether a class is ``base`` or inherits it; ``None`` where not all of its bases are visible."""
    if bound.struct.node is base.struct.node:
        return None if bound.struct.node.template_parameters else True
    bases = list(evaluator.instances.bases(bound)) if depth < MAX_BASES else []
    visible = len(bases) + sum(each.text.removeprefix("::").startswith(_STANDARD) for each in bound.struct.node.bases)
    answers = [_derives(evaluator, each, base, depth + 1) for each in bases]
    if True in answers:
        return True
    return None if None in answers or visible < len(bound.struct.node.bases) else False


def _is_class(kind: TypeKind) -> bool:
    """Whether it is a class of SYCL's or of the library's, and no alias or trait that gives another type."""
    name = kind.name
    is_known = bool(kind.sycl) or name.qualifier.removeprefix("::") == "std"
    return is_known and name.scope is None and not name.last.endswith("_t") and name.last != "type"


def _declared(written: Type) -> tuple[int, bool, bool, int]:
    return written.pointers, written.reference, written.constant, len(written.extents)
