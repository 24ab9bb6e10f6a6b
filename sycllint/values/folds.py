"""What is computed from all elements of a pack of values: fold expressions and ``sizeof...``."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from sycllint.cpp.expression import Expr, Name, Opaque
from sycllint.cpp.node import walk
from sycllint.symbols.templates import template_parameter
from sycllint.values.arithmetic import ULONG, Scalar
from sycllint.values.objects import Frame, Point, Result
from sycllint.values.value import Known

if TYPE_CHECKING:
    from sycllint.values.whole import Whole

_OPERATOR = re.compile(rb"([-+*/%&|^<>]+|==|!=|<=|>=)\s*\.\.\.|\.\.\.\s*([-+*/%&|^<>]+|==|!=|<=|>=)")


def folded(evaluator: Whole, node: Opaque, point: Point) -> Result | None:
    """``(Sizes * ...)`` of a template's pack of values; ``None`` where it is another one, or is not known."""
    content = evaluator.facts.content_at(point.place)
    written = _OPERATOR.search(content, node.start, node.end) if content is not None else None
    elements = _elements(evaluator, node.parts, point) if written is not None else None
    if written is None or not elements:
        return None
    operator = (written[1] or written[2]).decode()
    is_left = content is not None and content[node.start : node.end].lstrip(b"( ").startswith(b"...")
    is_left = is_left or (len(node.parts) > 1 and not _is_pack(evaluator, node.parts[0], point))
    first, *others = elements if is_left else reversed(elements)
    for each in others:
        pair = (first, each) if is_left else (each, first)
        first = evaluator.combine(operator, *pair, node)
    return first


def length(evaluator: Whole, pack: Expr, point: Point) -> Scalar | None:
    """``sizeof...(pack)`` of a template's pack."""
    elements = evaluator.template_arguments.pack(pack.text, point, evaluator.frame) if isinstance(pack, Name) else None
    return None if elements is None else Scalar(Known(len(elements)), ULONG)


def _is_pack(evaluator: Whole, part: Expr, point: Point) -> bool:
    return any(length(evaluator, each, point) is not None for each in walk(part) if isinstance(each, Name))


def _elements(evaluator: Whole, parts: tuple[Expr, ...], point: Point) -> list[Result] | None:
    """What the operator of a fold is between: its pattern for each element of the pack, and the value beside it."""
    found: list[Result] = []
    for part in parts:
        ways = _ways(evaluator, part, point)
        if ways is not None:
            found += (evaluator.under(each, evaluator.evaluate, part, point) for each in ways)
        elif len(parts) > 1:
            found.append(evaluator.evaluate(part, point))
        else:
            return None
    return found


def _ways(evaluator: Whole, pattern: Expr, point: Point) -> list[Frame] | None:
    """The frames in which a pattern stands for one element of the pack in it; ``None`` where there is no one pack."""
    frame = evaluator.frame
    names = dict.fromkeys(each.text for each in walk(pattern) if isinstance(each, Name))
    packs = [each for each in names if evaluator.template_arguments.pack(each, point, frame) is not None]
    owner = template_parameter(packs[0], point.place) if len(packs) == 1 else None
    binding = evaluator.frames.binding(owner[0], frame) if owner is not None else None
    elements = evaluator.template_arguments.pack(packs[0], point, frame) if binding is not None else None
    if frame is None or binding is None or elements is None or binding.element is not None:
        return None
    return [evaluator.frames.about(frame, binding, index) for index in range(len(elements))]
