"""Accessors of buffers that ask for more than their kernel does: only read, or only overwritten."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from enum import Enum
from itertools import takewhile

from sycllint.cpp.expression import Brace, Call, Expr, Lambda, Member, Name, Type
from sycllint.cpp.node import Node, walk
from sycllint.cpp.place import Place
from sycllint.cpp.statement import Declaration, Evaluate, Function, Loop, Return, Struct, Variable
from sycllint.facts.submissions import Submission
from sycllint.host.checks.accessor_uses import AccessKind, roles
from sycllint.host.code import HostCode
from sycllint.host.in_flight.parts import sets_own
from sycllint.host.scopes.extents import Extents
from sycllint.host.scopes.things import BoundKernel, Kind, MemoryUse, Ref, Thing, WrittenNumber
from sycllint.host.written import names_in
from sycllint.record import NamedTuple, record
from sycllint.source.edit import Edit
from sycllint.source.span import Location, Span
from sycllint.symbols.initialization import initialization
from sycllint.values.objects import Point
from sycllint.values.value import Term

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
    last: Name
    """The handler; of a placeholder, which is required by a call, the buffer."""
    written: Name | None
    """Where the mode is spelled, as a tag or a template argument."""
    is_tag: bool

    @property
    def is_placeholder(self) -> bool:
        """Whether the command group names it once more, to require it."""
        return self.last is self.buffer


def accessors(code: HostCode) -> Iterable[WideAccessor]:
    """The accessors of one file that are declared next to a kernel whose body is visible."""
    launched = {launch.location.span.start for launch in code.launches}
    for submission in code.facts.submissions:
        kernel = submission.call.arguments[-1] if submission.call.arguments else None
        if submission.use is None and submission.start in launched and kernel is not None:
            yield from _beside(code, submission, kernel)


def _beside(code: HostCode, submission: Submission, launched: Expr) -> Iterator[WideAccessor]:
    group = submission.place.innermost(Lambda)
    if group is None or group.damaged or len(group.parameters) != 1:
        return
    kernel = _kernel(code, submission, launched)
    if kernel is None or kernel.runs.damaged:
        return
    handler = group.parameters[0].name
    own = [each for one in group.body.statements if isinstance(one, Declaration) for each in one.variables]
    for variable in (*own, *_required(code, submission, group, handler)):
        asked = _asked(code, variable, submission, handler if variable in own else None)
        if asked is None:
            continue
        use = _use(code, variable, asked, submission, group, kernel)
        if use is not None:
            yield _wide(code, variable, asked, use, submission)


def _required(code: HostCode, submission: Submission, group: Lambda, handler: str) -> Iterator[Variable]:
    """The placeholders that a command group requires, and nothing beside it in the function names."""
    around = next((each for each in submission.place.chain() if isinstance(each, Function)), group)
    calls = [each.expression for each in group.body.statements if isinstance(each, Evaluate)]
    for call in calls:
        match call:
            case Call(function=Member(object=Name(text=owner), name="require"), arguments=(Name() as given,)):
                found = code.evaluator.declarations.variable(given.text, Point(submission.place, given.start))
                if owner == handler and found is not None and _count(around, given.text) == _count(group, given.text):
                    yield found[0]
            case _:
                pass


def _count(code: Node, name: str) -> int:
    return sum(isinstance(each, Name) and each.text == name for each in walk(code))


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


def _asked(code: HostCode, variable: Variable, submission: Submission, handler: str | None) -> _Asked | None:
    """What a declaration asks for; ``None`` of what is no accessor, or of one that may not write.

    A placeholder is declared without a ``handler``.
    """
    types, name = code.evaluator.types, variable.type.name
    known = types.kind(name, submission.place)
    if handler is None:
        return _of_placeholder(known.name, variable.arguments) if known.sycl == "accessor" else None
    if known.sycl == "accessor":
        return _of_class(known.name, variable.arguments, handler)
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


def _of_placeholder(kind: Name, arguments: tuple[Expr, ...]) -> _Asked | None:
    """``sycl::accessor a(buffer, tag)``."""
    match arguments:
        case (Name() as buffer,) if not kind.arguments:
            return _Asked(buffer, "read_write", buffer, None, is_tag=True)
        case (Name() as buffer, Name() as tag) if not kind.arguments and tag.last in _TAGS:
            return _Asked(buffer, _TAGS[tag.last], buffer, tag, is_tag=True)
        case _:
            return None


def _by_template(buffer: Name, given: tuple[Expr, ...], last: Expr, handler: str) -> _Asked | None:
    """``buffer.get_access<sycl::access::mode::read_write>(h)``."""
    if not (isinstance(last, Name) and last.text == handler and len(given) == 1 and isinstance(given[0], Name)):
        return None
    mode = _MODES.get(given[0].last)
    return _Asked(buffer, mode, last, given[0], is_tag=False) if mode is not None else None


def _edits(path: str, variable: Variable, asked: _Asked, use: AccessorUse) -> Iterator[Edit]:
    end, written = asked.last.end, asked.written
    tag = "sycl::read_only" if use is AccessorUse.READ else "sycl::write_only, sycl::no_init"
    if written is None:
        if asked.is_tag:
            yield Edit(Location(path, Span(end, end)), f", {tag}")
    elif asked.is_tag:
        yield Edit(Location(path, Span(written.start, written.end)), tag)
    elif use is AccessorUse.READ and variable.type.name.text == "auto":
        yield Edit(Location(path, Span(written.end - len(written.last), written.end)), "read")


# -------------------------------------------------------------------------- uses


class _Kernel(NamedTuple):
    """A lambda, or a function object and its call operator."""

    made: Expr
    runs: Lambda | Function
    members: Mapping[str, str] | None
    """The members of an object that are made from variables, by these; ``None`` for a lambda."""


def _kernel(code: HostCode, submission: Submission, made: Expr) -> _Kernel | None:
    if isinstance(made, Lambda):
        return _Kernel(made, made, None)
    match made:
        case Call(function=Name() as kind, arguments=given) | Brace(type=Name() as kind, elements=given):
            struct = code.evaluator.types.kind(kind, submission.place).struct
        case _:
            return None
    symbols = code.evaluator.symbols
    how = initialization(symbols, struct, given) if struct is not None else None
    if struct is None or struct.node.bases or how is None:
        return None
    found = symbols.methods("operator()", symbols.scope_of(struct))
    if len(found) != 1 or found[0].node.body is None:
        return None
    members = {
        value.text: member
        for member, value in how.kept.items()
        if isinstance(value, Name) and not _is_named_elsewhere(struct.node, member, found[0].node)
    }
    return _Kernel(made, found[0].node, members)


def _is_named_elsewhere(struct: Struct, member: str, operator: Function) -> bool:
    """Whether a method other than the call operator and the constructors names a member."""
    others = [each for each in struct.functions if each.start != operator.start and each.name != struct.name]
    return any(each.body is None or member in names_in(each.body) for each in others)


def _use(
    code: HostCode, variable: Variable, asked: _Asked, submission: Submission, group: Lambda, whole: _Kernel
) -> AccessorUse | None:
    """What the kernel does with an accessor, where that is less than it asks for."""
    name, kernel = variable.name, whole.runs
    assert kernel.body is not None
    inside = _count(whole.made, name)
    if _count(group, name) != inside + asked.is_placeholder:
        return None
    if whole.members is not None:
        if name not in whole.members or inside != 1:
            return None
        name = whole.members[name]
    if any(isinstance(each, Variable) and each.name == name for each in walk(kernel.body)):
        return None
    macros = {each.text for each in walk(kernel.body) if isinstance(each, Name) and each.text in code.facts.macros}
    if any(name in each.node.text for macro in macros for each in code.facts.macros.get(macro, ())):
        return None
    may_be_whole = _sets_own(code, kernel, variable, name, submission.place)
    if asked.mode != "read_write" and not may_be_whole:
        return None
    found = roles(name, code, kernel, submission.place)
    if found == {AccessKind.READ} and asked.mode == "read_write":
        return AccessorUse.READ
    if may_be_whole and found == {AccessKind.WRITTEN} and _is_whole(code, asked.buffer, submission, kernel):
        return AccessorUse.OVERWRITTEN
    return None


def _sets_own(code: HostCode, kernel: Lambda | Function, variable: Variable, name: str, place: Place) -> bool:
    """Whether every work-item of a kernel sets the element of its own id of an accessor, which is called ``name``."""
    accessor = Thing(name, Kind.ACCESSOR, Location("", Span(variable.start, variable.end)))
    at = WrittenNumber(variable.type.name, Point(place, kernel.start), None, again=False)
    made = BoundKernel(kernel, place, MemoryUse.known(), {(name,): Ref(accessor)}, {}, None, {}, at)
    return sets_own(made, accessor, Extents(code.evaluator))


def _is_whole(code: HostCode, buffer: Name, submission: Submission, kernel: Lambda | Function) -> bool:
    """Whether a launch has a work-item for each element of a buffer, which comes to the end of the kernel."""
    arguments = submission.call.arguments
    if len(arguments) != _MODE or any(isinstance(each, Return) for each in walk(kernel)):
        return False
    found = code.evaluator.declarations.variable(buffer.text, Point(submission.place, buffer.start))
    if found is not None and _is_fresh(code, *found, submission, buffer):
        return False
    match arguments[0]:
        case Call(function=Member(object=Name(text=text), name="get_range"), arguments=()) if text == buffer.text:
            return True
    if found is None or not found[0].arguments:
        return False
    launched = _extents(code, arguments[0], Point(submission.place, submission.start))
    made = _extents(code, found[0].arguments[-1], Point(found[1].place, found[0].start))
    return bool(made) and None not in made and made == launched


def _is_fresh(code: HostCode, made: Variable, where: Point, submission: Submission, buffer: Name) -> bool:
    """Whether nothing was ever written to a buffer: it is made of its size alone, and used here for the first time."""
    if len(made.arguments) != 1 or None in (
        _extents(code, made.arguments[0], Point(where.place, made.start)) or [None]
    ):
        return False
    block = where.place.node
    around = list(takewhile(lambda each: each is not block, submission.place.chain()))
    if sum(isinstance(each, Lambda) for each in around) != 1 or any(isinstance(each, Loop) for each in around):
        return False
    return not any(
        isinstance(each, Name) and each.text == buffer.text and made.end <= each.start < buffer.start
        for each in walk(block)
    )


def _extents(code: HostCode, written: Expr, point: Point) -> list[tuple[Term, ...] | None]:
    """The extents of a range, as far as they are known by names that keep their values."""
    found = Extents(code.evaluator).values(WrittenNumber(written, point, None, again=False))
    return [each.terms if each is not None else None for each in found]
