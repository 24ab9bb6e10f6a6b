"""Records as JSON and back. What is read may have been written by anyone: its shape is checked, and it is only data."""

from collections.abc import Callable, Mapping
from enum import Enum
from functools import cache
from types import UnionType
from typing import Any, NoReturn, TypeAlias, TypeVar, cast, get_args, get_origin

from sycllint.record import field_names
from sycllint.source.disk import Answered, Asked, DiskQuestion, Kept
from sycllint.source.glance import Stamp
from sycllint.source.index import PREMISES, QUESTIONS

Json: TypeAlias = "str | int | bool | list[Json] | dict[str, Json] | None"
Made = TypeVar("Made")


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


def record_json(value: object) -> Json:
    """A record of texts, numbers, enumerators and other records: the values of its fields, in their order."""
    match value:
        case Enum():
            return record_json(value.value)
        case str() | int() | None:
            return value
        case frozenset():
            return [*map(record_json, sorted(value))]
        case tuple():
            return [*map(record_json, value)]
        case _:
            return [record_json(getattr(value, name)) for name in field_names(type(value))]


def read_record(kind: type[Made], value: Json) -> Made:
    """The record of ``kind`` again. Raises ``Stale`` for what is none."""
    made: Made = _reader(cast(Any, kind))(value)
    return made


@cache
def _reader(kind: Any) -> Callable[[Json], Any]:
    """Makes what a field of a type holds; raises ``Stale`` for what it cannot hold."""
    inner, form = get_args(kind), get_origin(kind)
    if isinstance(kind, UnionType):
        read = _reader(inner[0])
        return lambda value: None if value is None else read(value)
    if form is not None:
        read = _reader(inner[0])
        return lambda value: form(map(read, as_list(value)))
    if kind in (str, int, bool):
        return lambda value: value if isinstance(value, kind) else _refused()
    if issubclass(kind, Enum):
        members = {each.value: each for each in kind}
        return lambda value: members[value] if isinstance(value, str | int) and value in members else _refused()
    readers = tuple(map(_reader, kind.__annotations__.values()))

    def record(value: Json) -> object:
        parts = zip(readers, as_list(value, len(readers)), strict=True)
        return kind(*(read(part) for read, part in parts))

    return record


def _refused() -> NoReturn:
    raise Stale
