"""Records as JSON and back. What is read may have been written by anyone: its shape is checked, and it is only data."""

from collections.abc import Mapping
from typing import TypeAlias

from sycllint.diagnostic import Diagnostic, Evidence, Related, Severity
from sycllint.pipeline.linted import Linted
from sycllint.pipeline.parts import Meaning
from sycllint.source.disk import Answered, Asked, DiskQuestion, Kept
from sycllint.source.edit import Applicability, Edit, Fix
from sycllint.source.glance import Stamp
from sycllint.source.index import PREMISES, QUESTIONS
from sycllint.source.span import Location, Span

Json: TypeAlias = "str | int | bool | list[Json] | dict[str, Json] | None"


KEPT_OUTLINES = 100_000
"""Files whose outlines are kept for one working directory."""


class Stale(Exception):  # noqa: N818 - nothing is wrong: it is only of no use
    """What was kept is not there, not ours, or damaged."""


def as_text(value: Json) -> str:
    """``value``, which is a string."""
    if not isinstance(value, str):
        raise Stale
    return value


def as_number(value: Json) -> int:
    """``value``, which is a whole number."""
    if not isinstance(value, int):
        raise Stale
    return value


def as_list(value: Json, length: int | None = None) -> list[Json]:
    """``value``, which is a list, of ``length`` values where that is given."""
    if not isinstance(value, list) or (length is not None and len(value) != length):
        raise Stale
    return value


def _texts(value: Json) -> tuple[str, ...]:
    return tuple(map(as_text, as_list(value)))


def nodes_json(asked: Asked, made: int, nodes: list[Json], numbers: dict[int, int]) -> int:
    """Add ``asked`` and what is below it to ``nodes``; its number there. ``numbers`` are those added before, by id.

    A node is when it was made, contents, outlines, listings, states, links, questions, and the numbers of the nodes
    below it. Each entry begins with a path and its stamp; links and questions have none.
    """
    if id(asked) not in numbers:
        below: list[Json] = [nodes_json(each, made, nodes, numbers) for each in asked.below.values()]
        numbers[id(asked)] = len(nodes)
        states: list[Json] = []
        links: list[Json] = []
        for folder, (stamp, found) in asked.states.items():
            plain: dict[str, Json] = {name: state for name, state in found.items() if not state.startswith("link")}
            states.append([folder, *stamp, plain])
            links += ([folder, name, state] for name, state in found.items() if state.startswith("link"))
        nodes.append(
            [
                made,
                [[path, *stamp, digest] for path, (stamp, digest) in asked.contents.items()],
                [[path, *stamp, digest, outline] for path, (stamp, digest, outline) in asked.outlines.items()],
                [[path, *stamp, listing] for path, (stamp, listing) in asked.listings.items()],
                states,
                links,
                [_answer_json(*each) for each in asked.answers.items()],
                below,
            ]
        )
    return numbers[id(asked)]


def _answer_json(question: DiskQuestion, answered: Answered) -> Json:
    premise = "" if question.premise is None else question.premise.__name__
    arguments: list[Json] = [*question.arguments]
    return [question.work.__name__, question.folder, arguments, premise, answered.digest, answered.premise]


def read_answer(value: Json) -> tuple[DiskQuestion, Answered]:
    """A question and what came of it. Raises ``Stale`` for what is none."""
    work, folder, arguments, premise, digest, premised = as_list(value, 6)
    asked = QUESTIONS.get(as_text(work))
    if asked is None:
        raise Stale
    question = DiskQuestion(asked, as_text(folder), _texts(arguments), PREMISES.get(as_text(premise)))
    return question, Answered(as_text(digest), as_text(premised))


def outlines_json(outlines: Mapping[str, Kept]) -> Json:
    """Stamps and outlines of files, those looked at last."""
    newest = list(outlines.items())[-KEPT_OUTLINES:]
    return {path: [*each.stamp, each.since, each.digest, str(each.made)] for path, each in newest}


def read_outlines(value: Json) -> dict[str, Kept]:
    """The same again. Raises ``Stale`` for what is none."""
    if not isinstance(value, dict):
        raise Stale
    found: dict[str, Kept] = {}
    for path, each in value.items():
        size, changed, number, since, digest, outline = as_list(each, 6)
        stamp = Stamp(as_number(size), as_number(changed), as_number(number))
        found[path] = Kept(stamp, as_number(since), as_text(digest), as_text(outline))
    return found


def linted_json(linted: Linted) -> Json:
    """A record, but for its path."""
    return [
        [_diagnostic_json(each) for each in linted.diagnostics],
        list(linted.devices),
        linted.assumed,
        linted.whole,
        linted.suppresses,
        list(linted.includers),
        linted.checked,
        linted.skipped,
        linted.with_parse_errors,
        list(linted.notices),
    ]


def read_linted(path: str, value: Json) -> Linted:
    """The record of the file ``path``. Raises ``Stale`` for what is none."""
    diagnostics, devices, assumed, whole, suppresses, includers, checked, skipped, errors, notices = as_list(value, 10)
    return Linted(
        path,
        diagnostics=tuple(map(_diagnostic, as_list(diagnostics))),
        devices=_texts(devices),
        assumed=bool(assumed),
        whole=bool(whole),
        suppresses=bool(suppresses),
        includers=_texts(includers),
        checked=as_number(checked),
        skipped=as_number(skipped),
        with_parse_errors=as_number(errors),
        notices=_texts(notices),
    )


def meaning_json(meaning: Meaning) -> Json:
    """What settings come to."""
    return [[*meaning.codes], [*sorted(meaning.muted)], [*meaning.devices]]


def read_meaning(value: Json) -> Meaning:
    """The same again. Raises ``Stale`` for what is none."""
    codes, muted, devices = as_list(value, 3)
    return Meaning(_texts(codes), frozenset(_texts(muted)), _texts(devices))


def _diagnostic_json(each: Diagnostic) -> Json:
    return [
        each.code,
        each.name,
        each.severity.value,
        each.evidence.value,
        each.message,
        _location_json(each.location),
        list(each.targets),
        [[related.message, _location_json(related.location)] for related in each.related],
        each.help,
        None if each.fix is None else _fix_json(each.fix),
        each.tally,
    ]


def _diagnostic(value: Json) -> Diagnostic:
    code, name, severity, evidence, message, location, targets, related, advice, fix, tally = as_list(value, 11)
    return Diagnostic(
        code=as_text(code),
        name=as_text(name),
        severity=_SEVERITIES[as_number(severity)],
        evidence=_EVIDENCE[as_text(evidence)],
        message=as_text(message),
        location=_location(location),
        targets=_texts(targets),
        related=tuple(map(_related, as_list(related))),
        help=as_text(advice),
        fix=None if fix is None else _fix(fix),
        tally=as_text(tally),
    )


def _related(value: Json) -> Related:
    message, location = as_list(value, 2)
    return Related(as_text(message), _location(location))


def _fix_json(fix: Fix) -> Json:
    edits: list[Json] = [[_location_json(edit.location), edit.text] for edit in fix.edits]
    return [fix.description, edits, fix.applicability.value]


def _fix(value: Json) -> Fix:
    description, edits, applicability = as_list(value, 3)
    return Fix(as_text(description), tuple(map(_edit, as_list(edits))), _APPLICABILITY[as_text(applicability)])


def _edit(value: Json) -> Edit:
    location, text = as_list(value, 2)
    return Edit(_location(location), as_text(text))


def _location_json(location: Location) -> Json:
    return [location.path, *location.span]


def _location(value: Json) -> Location:
    path, start, end = as_list(value, 3)
    return Location(as_text(path), Span(as_number(start), as_number(end)))


_SEVERITIES: Mapping[int, Severity] = {each.value: each for each in Severity}
_EVIDENCE: Mapping[str, Evidence] = {each.value: each for each in Evidence}
_APPLICABILITY: Mapping[str, Applicability] = {each.value: each for each in Applicability}
