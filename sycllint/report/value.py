"""What is known of a number, as a cell of a table and as JSON."""

from collections.abc import Sequence
from typing import assert_never

from sycllint.occupancy.calculator import KIBIBYTE
from sycllint.report.json import Json
from sycllint.report.place import Sources, line_text
from sycllint.values.value import Known, OneOf, Symbolic, Unknown, Value


def number_text(value: Value) -> str:
    """``256``, ``128|256``, ``128|…`` (others are possible), ``128*R``, ``?``."""
    match value:
        case Known(value=number):
            return str(number)
        case OneOf(values=values, open=others):
            return "|".join([*(str(each.value) for each in values), *(["…"] if others else [])])
        case Symbolic(text=text):
            return text
        case Unknown():
            return "?"
        case _:
            assert_never(value)


def shape_text(extents: Sequence[Value]) -> str:
    """``64x60x128``, slowest dimension first; sums in parentheses: ``(n + 1)x16``."""
    texts = list(map(number_text, extents))
    if len(texts) == 1:
        return texts[0]
    return "x".join(f"({text})" if " " in text else text for text in texts)


def bytes_text(value: Value | int) -> str:
    """``512 B``, ``4 KiB``, ``0``; what is not one known number as in ``number_text``, with ``B``."""
    if isinstance(value, Unknown):
        return "?"
    if isinstance(value, OneOf | Symbolic):
        return f"{number_text(value)} B"
    number = value.value if isinstance(value, Known) else value
    if number == 0:
        return "0"
    return f"{number // KIBIBYTE} KiB" if number % KIBIBYTE == 0 else f"{number} B"


def value_json(value: Value, sources: Sources) -> Json:
    """The object that ``kernels --format json`` has for a number."""
    match value:
        case Known(value=number):
            return {"kind": "known", "value": number}
        case OneOf(values=values, open=others):
            alternatives: list[Json] = [
                {
                    "value": each.value,
                    "because": ", ".join(
                        f"{step.name} at {line_text(step.location, sources)}" for step in each.because
                    ),
                }
                for each in values
            ]
            return {"kind": "one_of", "open": others, "values": alternatives}
        case Symbolic():
            return {
                "kind": "symbolic",
                "text": value.text,
                "parameters": value.parameters,
                "multiple_of": value.multiple_of,
                "min": value.minimum,
                "max": value.maximum,
            }
        case Unknown():
            return {"kind": "unknown", "reason": _reason(value, sources)}
        case _:
            assert_never(value)


def _reason(unknown: Unknown, sources: Sources) -> str:
    if unknown.location is None:
        return unknown.reason
    where = line_text(unknown.location, sources)
    return unknown.reason if where in unknown.reason else f"{unknown.reason} at {where}"
