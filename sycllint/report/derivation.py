"""The derivation of a number: one sentence for each step, with its place."""

from collections.abc import Iterator
from typing import assert_never

from sycllint.report.place import Sources, line_text
from sycllint.source.span import Location
from sycllint.values.value import DEVICE_PROPERTY, Known, OneOf, Parameter, Step, Symbolic, Unknown, Value


def derivation(value: Value, sources: Sources) -> Iterator[str]:
    """``R is 5: a.cpp:3``; of what is not known, what it depends on and why that is unknown. A sentence may repeat."""
    match value:
        case Known(because=because):
            yield from (_stop(each, sources) for each in because)
        case OneOf(values=values, open=others):
            for each in values:
                if each.because:
                    yield f"{each.value}: {', '.join(_stop(step, sources) for step in each.because)}"
            if others:
                yield "other values are possible"
        case Symbolic():
            yield from (_stop(each, sources) for each in value.because)
            facts = _facts(value)
            if facts:
                yield f"{value.text}: {facts}"
            atoms = {atom.key: atom for term in value.terms for atom in term.atoms}
            yield from (_parameter(each, sources) for each in atoms.values())
        case Unknown(reason=reason, location=location):
            yield f"unknown: {reason_text(reason, location, sources)}"
        case _:
            assert_never(value)


def reason_text(reason: str, location: Location | None, sources: Sources) -> str:
    """``read from argv: a.cpp:3``; the place once, where the reason has it already."""
    if location is None:
        return reason
    place = line_text(location, sources)
    return reason if place in reason else f"{reason}: {place}"


def step_text(step: Step) -> str:
    """``R is 5``; the name alone where the number is not known."""
    return step.name if step.value is None else f"{step.name} is {step.value}"


def _stop(step: Step, sources: Sources) -> str:
    return f"{step_text(step)}: {line_text(step.location, sources)}"


def _parameter(parameter: Parameter, sources: Sources) -> str:
    if DEVICE_PROPERTY in (parameter.text, *parameter.roots):
        return f"{parameter.text}: queried from the device"
    return f"{parameter.text}: {reason_text(parameter.reason, parameter.location, sources)}"


def _facts(value: Symbolic) -> str:
    """``a multiple of 256, at least 0, at most 512``."""
    facts = [
        f"a multiple of {value.multiple_of}" if value.multiple_of > 1 else "",
        f"at least {value.minimum}" if value.minimum is not None else "",
        f"at most {value.maximum}" if value.maximum is not None else "",
    ]
    return ", ".join(filter(None, facts))
