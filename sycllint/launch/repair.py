"""Fixes of a launch as a whole: its global range, the guard in its kernel, and the barriers behind that guard.

The fix of each of the three breaks the next: a range that is not divisible is rounded up (SYC102), which needs a
guard (SYC802), and a guard that returns keeps work-items from a barrier (SYC502). So one fix is made for all that is
wrong with a launch, or none.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from sycllint.cpp.expression import (
    Assign,
    Binary,
    Brace,
    Call,
    Cast,
    Expr,
    Increment,
    Index,
    Lambda,
    Member,
    Name,
    Number,
    Unary,
)
from sycllint.cpp.node import Node, walk
from sycllint.cpp.place import Place
from sycllint.cpp.statement import Block, Declaration, Evaluate, If, Return, Statement, Variable
from sycllint.device_code.checks.bounds import UnguardedAccess, is_guarded
from sycllint.device_code.checks.host_arrays import text_inside
from sycllint.device_code.checks.missed_barriers import Cause, MissedBarrier
from sycllint.device_code.code import KernelCode
from sycllint.domains.vocabulary import BARRIERS
from sycllint.facts.submissions import Submission
from sycllint.launch.fault import Fault, Repair
from sycllint.launch.kernel import KernelLaunch, LaunchKind
from sycllint.record import record
from sycllint.source.edit import Applicability, Edit, Fix
from sycllint.source.enclose import enclosed, margin
from sycllint.source.span import Location, Span
from sycllint.values.arithmetic import Scalar
from sycllint.values.objects import Point
from sycllint.values.value import known

_LOCAL_RANGES = frozenset({"get_local_range", "get_max_local_range", "get_local_linear_range"})
_LINEAR = frozenset({"get_global_linear_id", "get_global_id"})
_OPPOSITE = {">=": "<", ">": "<=", "<": ">=", "<=": ">", "==": "!=", "!=": "=="}
_FLAGS = ("inside", "in_range", "takes_part")
"""Names for the condition under which a work-item has something to do."""


def repairs(launch: KernelLaunch, code: KernelCode, submission: Submission) -> Iterator[Repair]:
    """The fix of a launch in one dimension whose kernel is a lambda in the call; nothing where none is sure."""
    found = tuple(_repairs(launch, code, submission))
    if found and not (launch.selected or launch.may_be_discarded):
        yield from found


def _repairs(launch: KernelLaunch, code: KernelCode, submission: Submission) -> Iterator[Repair]:
    function = code.function
    if submission.use is not None or launch.reached or not isinstance(function, Lambda) or function.damaged:
        return
    content = code.evaluator.facts.content_at(code.place)
    if content is not None and _exceeds(launch):
        yield from _multiplied(submission, content, code.evaluator.facts.file_at(submission.place).path)
        return
    faults = frozenset(_faults(launch))
    if not faults:
        return
    if content is None or not any(each is function for each in submission.call.arguments):
        return
    fix = _Repairer(launch, code, submission, function, content).fix(faults)
    if fix is not None:
        yield Repair(faults, fix)


def _faults(launch: KernelLaunch) -> Iterator[Fault]:
    sizes = _sizes(launch)
    if sizes is None:
        return
    whole, local = sizes
    if 0 < local <= whole and whole % local:
        yield Fault.UNEVEN
    if any(_is_known(each) for each in launch.kernel.seen.of(UnguardedAccess)):
        yield Fault.UNGUARDED
    if any(_is_parted(each) for each in launch.kernel.seen.of(MissedBarrier)):
        yield Fault.PARTED


def _sizes(launch: KernelLaunch) -> tuple[int, int] | None:
    """Global and local extent of a launch in one dimension."""
    if launch.kind is not LaunchKind.ND_RANGE or launch.global_range is None or launch.local_range is None:
        return None
    extents = (*launch.global_range.extents, *launch.local_range.extents)
    if len(extents) != 2:
        return None
    whole, local = known(extents[0]), known(extents[1])
    return (whole, local) if whole is not None and local is not None else None


def _exceeds(launch: KernelLaunch) -> bool:
    """Whether some local extent is larger than the global one, and all are known."""
    whole, local = launch.global_range, launch.local_range
    if launch.kind is not LaunchKind.ND_RANGE or whole is None or local is None:
        return False
    pairs = [(known(a), known(b)) for a, b in zip(whole.extents, local.extents, strict=False)]
    numbers = [(a, b) for a, b in pairs if a is not None and b is not None]
    return len(numbers) == len(pairs) and any(0 < a < b for a, b in numbers)


def _multiplied(submission: Submission, content: bytes, path: str) -> Iterator[Repair]:
    """The global range times the local one, for one that counts work-groups as CUDA's grid does."""
    ranges = _written(submission)
    if ranges is not None:
        whole, local = (content[each.start : each.end].decode(errors="replace") for each in ranges)
        edit = Edit(Location(path, Span(ranges[0].start, ranges[0].end)), f"{whole} * {local}")
        fix = Fix("take the global range for a number of work-groups", (edit,), Applicability.UNSAFE)
        yield Repair(frozenset({Fault.EXCEEDS}), fix)


def _is_known(access: UnguardedAccess) -> bool:
    return bool(access.limit) and known(access.launched) is not None and known(access.elements) is not None


def _is_parted(missed: MissedBarrier) -> bool:
    return missed.proved and missed.cause is Cause.RETURN and missed.jump is not None and not missed.in_sub_group


@record
class _Guard:
    """``if (i >= n) return;`` at the top of a kernel, or ``if (i < n)`` around all it does."""

    node: If
    returns: bool


class _Repairer:
    """The fix of one launch."""

    def __init__(
        self, launch: KernelLaunch, code: KernelCode, submission: Submission, function: Lambda, content: bytes
    ) -> None:
        self._launch = launch
        self._code = code
        self._submission = submission
        self._function = function
        self._content = content
        self._path = code.evaluator.facts.file_at(code.place).path
        self._place = Place(function.body, code.place)
        sizes = _sizes(launch)
        assert sizes is not None
        self._whole, self._local = sizes

    def fix(self, faults: frozenset[Fault]) -> Fix | None:
        """The fix of all of ``faults``."""
        if Fault.UNEVEN in faults:
            return self._rounded(faults)
        if Fault.UNGUARDED in faults:
            return self._checked() if faults == {Fault.UNGUARDED} else None
        edits = self._together(self._jump())
        return Fix("keep every work-item until the last barrier", edits, Applicability.UNSAFE) if edits else None

    # ------------------------------------------------------------------ range

    def _rounded(self, faults: frozenset[Fault]) -> Fix | None:
        """The global range rounded up, and what that asks of the kernel."""
        ranges = self._ranges()
        if ranges is None or self._asks_for_the_range():
            return None
        whole, local = ranges
        size = self._slice(whole)
        above = f"({size} + {self._slice(local)} - 1) / {self._slice(local)} * {self._slice(local)}"
        rounding = Edit(self._location(whole.start, whole.end), above)
        guard = self._guard()
        barriers = bool(self._launch.kernel.barriers or self._launch.kernel.sub_group_operations)
        if guard is not None and not (faults - {Fault.UNEVEN, Fault.PARTED}):
            if not barriers:
                return Fix("round the global range up", (rounding,))
            edits = self._together(guard.node) if guard.returns else ()
            what = "round the global range up, and keep every work-item until the last barrier"
            return Fix(what, (rounding, *edits), Applicability.UNSAFE) if edits else None
        limit = text_inside(self._code, whole, self._submission.place)
        if guard is not None or barriers or not limit or faults != {Fault.UNEVEN}:
            return None
        checking = self._checking(limit)
        return Fix("round the global range up, and guard the kernel", (rounding, checking)) if checking else None

    def _ranges(self) -> tuple[Expr, Expr] | None:
        """What the extents are written as, when their numbers are those of the launch."""
        ranges = _written(self._submission)
        if ranges is None:
            return None
        point = Point(self._submission.place, ranges[0].start)
        values = [self._code.evaluator.evaluate(each, point) for each in ranges]
        numbers = [known(each.value) if isinstance(each, Scalar) else None for each in values]
        return ranges if numbers == [self._whole, self._local] else None

    def _asks_for_the_range(self) -> bool:
        """Whether the kernel, or what it calls, depends on the number of work-items or groups, or may do so unseen."""
        if self._launch.kernel.calls_unknown:
            return True
        calls = (spot.node.function for body in self._code.bodies for spot in body.of(Call))
        members = (each.name for each in calls if isinstance(each, Member))
        return any("range" in name and name not in _LOCAL_RANGES for name in members)

    # ------------------------------------------------------------------ guard

    def _checked(self) -> Fix | None:
        """A guard in a kernel whose range was rounded up from the elements of all arrays it goes past."""
        found = self._launch.kernel.seen.of(UnguardedAccess)
        limits = {(known(each.elements), each.limit) for each in found if _is_known(each)}
        if len(limits) != 1 or len(found) != sum(map(_is_known, found)) or self._launch.kernel.calls_unknown:
            return None
        ((elements, limit),) = limits
        rounded = elements is not None and -(-elements // self._local) * self._local == self._whole
        if not rounded or self._launch.kernel.barriers or self._launch.kernel.sub_group_operations:
            return None
        checking = self._checking(limit)
        return Fix("guard the kernel", (checking,)) if checking is not None else None

    def _checking(self, limit: str) -> Edit | None:
        """A guard at the top of a kernel that has none: after the id, where that is declared first."""
        statements = self._function.body.statements
        if not statements or is_guarded(self._code) or not self._function.parameters:
            return None
        first, indent = statements[0], margin(self._content, statements[0].start)
        after = f"\n{indent}" if indent is not None else " "
        name = self._declared_id(first)
        if name is not None and isinstance(first, Declaration):
            end = self._line_end(first.end) if indent is not None else first.end
            return Edit(self._location(end, end), f"{after}if ({name} >= {limit}) return;")
        item = self._function.parameters[0].name
        if not item:
            return None
        return Edit(self._location(first.start, first.start), f"if ({item}.get_global_id(0) >= {limit}) return;{after}")

    def _declared_id(self, statement: Statement) -> str | None:
        match statement:
            case Declaration(variables=(Variable(name=name, arguments=(value,), type=kind),)):
                plain = not (kind.pointers or kind.reference or kind.extents)
                return name if plain and self._is_id(value) else None
            case _:
                return None

    def _is_id(self, value: Expr) -> bool:
        """Whether ``value`` is the global id of the work-item."""
        while isinstance(value, Cast):
            value = value.operand
        item = self._function.parameters[0].name if self._function.parameters else ""
        match value:
            case Call(function=Member(object=Name(text=text), name=name), arguments=arguments) if text == item:
                return name in _LINEAR and all(isinstance(each, Number) and each.text == "0" for each in arguments)
            case _:
                return False

    def _guard(self) -> _Guard | None:
        """The guard that keeps work-items past the present range from all memory."""
        ids: set[str] = set()
        statements = self._function.body.statements
        for number, statement in enumerate(statements):
            if isinstance(statement, Declaration):
                if not _is_plain(statement):
                    return None
                name = self._declared_id(statement)
                ids.update((name,) if name is not None else ())
                continue
            last = number == len(statements) - 1
            return self._guarding(statement, ids, last=last) if isinstance(statement, If) else None
        return None

    def _guarding(self, node: If, ids: set[str], *, last: bool) -> _Guard | None:
        match node.condition:
            case Binary(operator=">=" | "<" as operator, left=left, right=right):
                pass
            case _:
                return None
        named = isinstance(left, Name) and left.text in ids
        bound = known(self._code.evaluator.value(right, Point(self._place, node.start)))
        if not (named or self._is_id(left)) or bound is None or bound > self._whole:
            return None
        if node.otherwise is not None or node.initializer is not None:
            return None
        if operator == ">=":
            return _Guard(node, returns=True) if _returns(node) else None
        return _Guard(node, returns=False) if last else None

    # --------------------------------------------------------------- barriers

    def _jump(self) -> If | None:
        """The one ``if (…) return;`` in the kernel's own body that takes work-items from barriers."""
        missed = [each for each in self._launch.kernel.seen.of(MissedBarrier) if not each.in_sub_group]
        jumps = {each.jump for each in missed}
        jump = jumps.pop() if len(jumps) == 1 else None
        if jump is None or jump.path != self._path:
            return None
        for each in self._function.body.statements:
            if isinstance(each, If) and each.start <= jump.span.start < each.end:
                return each if _returns(each) else None
        return None

    def _together(self, node: If | None) -> tuple[Edit, ...]:
        """A flag in place of the return, and what comes after it between barriers under the flag."""
        flag = self._flag()
        if node is None or node.condition is None or node.otherwise is not None or node.initializer is not None:
            return ()
        if not flag or b"/*" in self._bytes(node.start, node.end) or b"//" in self._bytes(node.start, node.end):
            return ()
        statements = self._function.body.statements
        behind = statements[next(number for number, each in enumerate(statements) if each is node) + 1 :]
        if not self._meets_all_barriers(node, behind) or any(map(_leaves, behind)):
            return ()
        stretches = [*_stretches(behind)]
        if any(_names_declared(each) & _names_used(behind, each) for each in stretches):
            return ()
        replaced = Edit(self._location(node.start, node.end), f"const bool {flag} = {self._negated(node.condition)};")
        spans = (Span(each[0].start, each[-1].end) for each in stretches)
        wrapped = (edit for span in spans for edit in enclosed(self._path, self._content, span, f"if ({flag})"))
        return (replaced, *wrapped)

    def _flag(self) -> str:
        names = {each.text for each in walk(self._function) if isinstance(each, Name)}
        return next((each for each in _FLAGS if each not in names), "")

    def _meets_all_barriers(self, node: If, behind: Sequence[Statement]) -> bool:
        """Whether each barrier and collective of the kernel is a statement of its own in ``behind``."""
        if self._launch.kernel.sub_group_operations or self._launch.kernel.calls_unknown:
            return False
        spans = [(each.start, each.end) for each in behind if _is_barrier(each)]
        return all(
            each.path == self._path and any(start <= each.span.start < end for start, end in spans)
            for each in self._launch.kernel.barriers
        )

    def _negated(self, condition: Expr) -> str:
        match condition:
            case Binary(operator=operator, left=left, right=right) if operator in _OPPOSITE:
                return f"{self._slice(left)} {_OPPOSITE[operator]} {self._slice(right)}"
            case _:
                return f"!({self._slice(condition)})"

    # ------------------------------------------------------------------- text

    def _bytes(self, start: int, end: int) -> bytes:
        return self._content[start:end]

    def _slice(self, expression: Expr) -> str:
        return self._bytes(expression.start, expression.end).decode(errors="replace")

    def _location(self, start: int, end: int) -> Location:
        return Location(self._path, Span(start, end))

    def _line_end(self, end: int) -> int:
        """The end of the line when nothing but a comment follows there."""
        newline = self._content.find(b"\n", end)
        stop = newline if newline >= 0 else len(self._content)
        rest = self._content[end:stop].strip()
        return end + len(self._content[end:stop].rstrip()) if not rest or rest.startswith(b"//") else end


def _written(submission: Submission) -> tuple[Name | Number, Name | Number] | None:
    """The two ranges in ``nd_range<1>(whole, local)``, when each is a name or a number."""
    match submission.call.arguments:
        case (Call(function=Name() as kind, arguments=(whole, local)), *_):
            pass
        case (Brace(type=Name() as kind, elements=(whole, local)), *_):
            pass
        case _:
            return None
    whole, local = _bare(whole), _bare(local)
    if kind.last == "nd_range" and isinstance(whole, Name | Number) and isinstance(local, Name | Number):
        return whole, local
    return None


def _bare(size: Expr) -> Expr:
    """``n`` of ``sycl::range<1>(n)`` and ``{n}``."""
    match size:
        case Call(function=Name() as kind, arguments=(only,)) | Brace(type=Name() as kind, elements=(only,)):
            return only if kind.last == "range" else size
        case Brace(type=None, elements=(only,)):
            return only
        case _:
            return size


def _is_plain(declaration: Declaration) -> bool:
    """Whether a declaration touches no memory but its own."""
    return not any(
        _touches(each)
        for variable in declaration.variables
        for argument in variable.arguments
        for each in walk(argument)
    )


def _touches(node: Node) -> bool:
    match node:
        case Index() | Assign() | Increment() | Lambda() | Unary(operator="*"):
            return True
        case Call(function=Member(name=name)):
            return not name.startswith("get_")
        case Call():
            return True
        case _:
            return False


def _returns(node: If) -> bool:
    statements: Sequence[Statement] = node.then.statements
    if len(statements) == 1 and isinstance(statements[0], Block):
        statements = statements[0].statements
    return len(statements) == 1 and isinstance(statements[0], Return) and statements[0].value is None


def _leaves(statement: Statement) -> bool:
    return any(isinstance(each, Return) for each in walk(statement))


def _is_barrier(statement: Statement) -> bool:
    """``sycl::group_barrier(…);`` or ``it.barrier(…);``"""
    match statement:
        case Evaluate(expression=Call(function=Member(name=name))):
            return name in BARRIERS
        case Evaluate(expression=Call(function=Name() as function)):
            return function.last in BARRIERS
        case _:
            return False


def _stretches(statements: Sequence[Statement]) -> Iterator[list[Statement]]:
    """Runs of statements that are neither barriers nor plain declarations."""
    run: list[Statement] = []
    for each in statements:
        if _is_barrier(each) or (isinstance(each, Declaration) and _is_plain(each)):
            if run:
                yield run
            run = []
        else:
            run.append(each)
    if run:
        yield run


def _names_declared(statements: Iterable[Statement]) -> set[str]:
    return {v.name for each in statements if isinstance(each, Declaration) for v in each.variables}


def _names_used(all_of_them: Sequence[Statement], but: Sequence[Node]) -> set[str]:
    others = [each for each in all_of_them if not any(each is one for one in but)]
    return {each.text for statement in others for each in walk(statement) if isinstance(each, Name)}
