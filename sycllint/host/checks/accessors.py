"""Accessors of buffers that ask for more than their kernel does: only read, or only overwritten."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from enum import Enum
from itertools import takewhile

from sycllint.cpp.expression import Binary, Brace, Call, Expr, Lambda, Member, Name, Number, Type
from sycllint.cpp.node import walk
from sycllint.cpp.statement import Declaration, Function, Loop, Return, Variable
from sycllint.facts.submissions import Submission
from sycllint.host.checks.accessor_uses import AccessKind, roles
from sycllint.host.code import HostCode
from sycllint.host.parts import sets_own
from sycllint.host.written import WrittenNames
from sycllint.record import NamedTuple, record
from sycllint.source.edit import Edit
from sycllint.source.span import Location, Span
from sycllint.values.objects import Point

_TAGS = {"read_write": "read_write", "write_only": "write"}
_MODES = {"read_write": "read_write", "write": "write"}
_MODE = 2
"""Template arguments of an accessor before its mode: element and dimensions."""


class AccessorUse(Enum):
    """What a kernel does with the elements of an accessor that may read and write them."""

    READ = "only reads"
    OVERWRITTEN = "overwrites as a whole"


@record
class WideAccessor:
    """An accessor that may do more with its buffer than the kernel does."""

    name: str
    buffer: str
    use: AccessorUse
    location: Location
    """Of the name."""
    kernel: Location
    edits: tuple[Edit, ...]
    """What asks for less; empty where the accessor's type is spelled out, too."""


class _Asked(NamedTuple):
    """What the declaration of an accessor asks for."""

    buffer: Name
    mode: str
    """``read_write``, or ``write`` for one that keeps what it does not write."""
    handler: Name
    written: Name | None
    """Where the mode is spelled, as a tag or a template argument."""
    is_tag: bool


def accessors(code: HostCode) -> Iterable[WideAccessor]:
    """The accessors of one file that are declared beside a kernel which is a lambda."""
    launched = {launch.location.span.start for launch in code.launches}
    for submission in code.facts.submissions:
        kernel = submission.call.arguments[-1] if submission.call.arguments else None
        if submission.use is None and submission.start in launched and isinstance(kernel, Lambda):
            yield from _beside(code, submission, kernel)


def _beside(code: HostCode, submission: Submission, kernel: Lambda) -> Iterator[WideAccessor]:
    group = next((each for each in submission.place.chain() if isinstance(each, Lambda)), None)
    if group is None or kernel.damaged or group.damaged or len(group.parameters) != 1:
        return
    for statement in group.body.statements:
        for variable in statement.variables if isinstance(statement, Declaration) else ():
            asked = _asked(code, variable, submission, group.parameters[0].name)
            use = _use(code, variable, asked, submission, group, kernel) if asked is not None else None
            if asked is not None and use is not None:
                yield _wide(code, variable, asked, use, submission)


def _wide(code: HostCode, variable: Variable, asked: _Asked, use: AccessorUse, submission: Submission) -> WideAccessor:
    path = code.facts.path
    return WideAccessor(
        variable.name,
        asked.buffer.text,
        use,
        Location(path, Span(variable.start, variable.end)),
        Location(path, Span(submission.start, submission.end)),
        tuple(_edits(path, variable, asked, use)),
    )


# ----------------------------------------------------------------- declarations


def _asked(code: HostCode, variable: Variable, submission: Submission, handler: str) -> _Asked | None:
    """What a declaration asks for; ``None`` of what is no accessor, or of one that may not write."""
    types, name = code.evaluator.types, variable.type.name
    if name.last == "accessor" and types.kind(name, submission.place).sycl == "accessor":
        return _of_class(name, variable.arguments, handler)
    match variable.arguments:
        case (Call(function=Member(object=Name() as buffer, name="get_access", arguments=given), arguments=(last,)),):
            return _by_template(buffer, given or (), last, handler)
        case (Call(function=Name() as kind, arguments=inner) | Brace(type=Name() as kind, elements=inner),):
            if kind.last == "accessor" and types.kind(kind, submission.place).sycl == "accessor":
                return _of_class(kind, inner, handler)
    return None


def _of_class(kind: Name, arguments: tuple[Expr, ...], handler: str) -> _Asked | None:
    """``sycl::accessor a(buffer, h, tag)``."""
    given = kind.arguments or ()
    if given and isinstance(given[0], Type) and given[0].constant:
        # It only reads, whatever is not said.
        return None
    match arguments:
        case (Name() as buffer, Name() as last) if len(given) > _MODE:
            return _by_template(buffer, given[_MODE : _MODE + 1], last, handler)
        case (Name() as buffer, Name() as last) if last.text == handler:
            return _Asked(buffer, "read_write", last, None, is_tag=not given)
        case (Name() as buffer, Name() as last, Name() as tag) if last.text == handler and len(given) <= _MODE:
            mode = _TAGS.get(tag.last)
            return _Asked(buffer, mode, last, tag, is_tag=not given) if mode is not None else None
        case _:
            return None


def _by_template(buffer: Name, given: tuple[Expr, ...], last: Expr, handler: str) -> _Asked | None:
    """``buffer.get_access<sycl::access::mode::read_write>(h)``."""
    if not (isinstance(last, Name) and last.text == handler and len(given) == 1 and isinstance(given[0], Name)):
        return None
    mode = _MODES.get(given[0].last)
    return _Asked(buffer, mode, last, given[0], is_tag=False) if mode is not None else None


def _edits(path: str, variable: Variable, asked: _Asked, use: AccessorUse) -> Iterator[Edit]:
    end, written = asked.handler.end, asked.written
    tag = "sycl::read_only" if use is AccessorUse.READ else "sycl::write_only, sycl::no_init"
    if written is None:
        if asked.is_tag:
            yield Edit(Location(path, Span(end, end)), f", {tag}")
    elif asked.is_tag:
        yield Edit(Location(path, Span(written.start, written.end)), tag)
    elif use is AccessorUse.READ and variable.type.name.text == "auto":
        yield Edit(Location(path, Span(written.end - len(written.last), written.end)), "read")


# -------------------------------------------------------------------------- uses


def _use(
    code: HostCode, variable: Variable, asked: _Asked, submission: Submission, group: Lambda, kernel: Lambda
) -> AccessorUse | None:
    """What the kernel does with an accessor, where that is less than it asks for."""
    name = variable.name
    inside = sum(isinstance(each, Name) and each.text == name for each in walk(kernel))
    if sum(isinstance(each, Name) and each.text == name for each in walk(group)) != inside:
        return None
    if any(isinstance(each, Variable) and each.name == name for each in walk(kernel.body)):
        return None
    macros = {each.text for each in walk(kernel.body) if isinstance(each, Name) and each.text in code.facts.macros}
    if any(name in each.node.text for macro in macros for each in code.facts.macros.get(macro, ())):
        return None
    may_be_whole = sets_own(kernel, name)
    if asked.mode != "read_write" and not may_be_whole:
        return None
    found = roles(name, code, kernel, submission.place)
    if found == {AccessKind.READ} and asked.mode == "read_write":
        return AccessorUse.READ
    if may_be_whole and found == {AccessKind.WRITTEN} and _is_whole(code, asked.buffer, submission, kernel):
        return AccessorUse.OVERWRITTEN
    return None


def _is_whole(code: HostCode, buffer: Name, submission: Submission, kernel: Lambda) -> bool:
    """Whether a launch has a work-item for each element of a buffer, which comes to the end of the kernel."""
    arguments = submission.call.arguments
    if len(arguments) != _MODE or any(isinstance(each, Return) for each in walk(kernel.body)):
        return False
    found = code.evaluator.declarations.variable(buffer.text, Point(submission.place, buffer.start))
    if found is not None and _is_fresh(*found, submission, buffer):
        return False
    match arguments[0]:
        case Call(function=Member(object=Name(text=text), name="get_range"), arguments=()) if text == buffer.text:
            return True
    made = found[0].arguments if found is not None else ()
    size = _size(arguments[0])
    return bool(made) and size is not None and _is_same(size, _size(made[-1])) and _keeps_value(size, submission)


def _is_fresh(made: Variable, where: Point, submission: Submission, buffer: Name) -> bool:
    """Whether nothing was ever written to a buffer: it is made of its size alone, and used here for the first time."""
    if len(made.arguments) != 1 or not (_is_range(made.arguments[0]) or _counts(made.arguments[0], submission)):
        return False
    block = where.place.node
    around = list(takewhile(lambda each: each is not block, submission.place.chain()))
    if sum(isinstance(each, Lambda) for each in around) != 1 or any(isinstance(each, Loop) for each in around):
        return False
    return not any(
        isinstance(each, Name) and each.text == buffer.text and made.end <= each.start < buffer.start
        for each in walk(block)
    )


def _is_range(given: Expr) -> bool:
    """Whether a buffer's only argument is the number of its elements, and no container of them."""
    match given:
        case Call(function=Name(last="range")) | Brace(type=Name(last="range")):
            return True
        case Brace(type=None, elements=(only,)) | Call(function=Name(last="range"), arguments=(only,)):
            return _is_range(only)
        case _:
            return isinstance(given, Number | Binary)


def _counts(given: Expr, submission: Submission) -> bool:
    """Whether it is the number that the launch is made of, too."""
    size, own = _size(submission.call.arguments[0]), _size(given)
    return size is not None and own is not None and size.text == own.text


def _is_same(one: Name | Number, other: Name | Number | None) -> bool:
    return other is not None and one.text == other.text


def _keeps_value(size: Name | Number, submission: Submission) -> bool:
    """Whether a number is the same where a buffer and where a launch is given it."""
    around = next((each for each in submission.place.chain() if isinstance(each, Function)), None)
    return isinstance(size, Number) or (around is not None and size.text not in WrittenNames().changed(around))


def _size(range_: Expr) -> Name | Number | None:
    """The number of elements of a range in one dimension, where that is one name or number."""
    match range_:
        case Name() | Number():
            return range_
        case Call(function=Name(last="range"), arguments=(only,)) | Brace(type=Name(last="range"), elements=(only,)):
            return _size(only)
        case Brace(type=None, elements=(only,)):
            return _size(only)
        case _:
            return None
