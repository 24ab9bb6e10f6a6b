"""The walk over every function of a file that submits work, and what it saw."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import TYPE_CHECKING

from sycllint.cpp.node import walk
from sycllint.cpp.statement import Function, FunctionParameter, Variable
from sycllint.facts.called import called_in
from sycllint.facts.extents import FunctionExtents, run_as
from sycllint.facts.file import Declared, FileFacts
from sycllint.host.checks.reaching_commands import commands_in, reaching_commands
from sycllint.host.code import HostCode
from sycllint.host.records import DyingMemory, EarlyUse, HostMemoryInKernel, UsedAfterFree
from sycllint.host.vocabulary import ALLOCATORS, LAUNCHES, OPERATIONS
from sycllint.memoized import memoized
from sycllint.symbols.unit import Unit
from sycllint.values.evaluate import Evaluator

if TYPE_CHECKING:
    from sycllint.host.scopes.allocated import Allocated

MAX_CALLERS = 2
"""How far from a command its callers are walked."""
_WAITING = frozenset(
    {"wait", "wait_and_throw", "queues_wait_and_throw", "get_profiling_info", "host_accessor", "get_host_access"}
)
_IMPLEMENTED = ("queue", "handler", "buffer")
_NUMBERS = frozenset({"void", "int", "bool", "float", "double", "size_t", "std::size_t"})
_GATE = OPERATIONS | frozenset(ALLOCATORS)
_STARTS = _GATE | _WAITING | {"free"}
"""What a function calls that is worth walking, or worth following from its callers."""


def hazards(code: HostCode) -> Iterable[object]:
    """What goes wrong between host and queues in one file."""
    facts, evaluator = code.facts, code.evaluator
    if not may_act(facts) or (not code.launches and evaluator.facts.once(_implements_sycl)):
        return ()
    allocated = _allocated(evaluator.facts)
    reaching = None
    if allocated is None:
        written = facts.once(commands_in)
        reaching = written.functions if written is not None else None
        if reaching is not None and not reaching.issuperset(run_as(each.place) for each in definitions(facts)):
            reaching = evaluator.facts.once(reaching_commands)

    def is_root_anyway(declared: Declared[Function]) -> bool:
        return declared.node in facts.once(_accessor_makers) or _names_members(allocated, declared, facts)

    possible = [
        each
        for each in definitions(facts)
        if reaching is None or run_as(each.place) in reaching or is_root_anyway(each)
    ]
    if not possible:
        return ()
    functions = evaluator.facts.once(concerned)
    acting = frozenset(map(id, functions))
    roots = [
        each
        for each in possible
        if (id(each.node) in acting or is_root_anyway(each)) and evaluator.macros.compiled(each.place) is not False
    ]
    found = _once_per_use(walked(roots, evaluator, functions, allocated)) if roots else []
    if any(isinstance(each, HostMemoryInKernel) for each in found) and _asks_for_system_memory(facts):
        found = [each for each in found if not isinstance(each, HostMemoryInKernel)]
    return found


def _implements_sycl(unit: Unit) -> bool:
    """Whether a unit defines the classes of SYCL itself: in files that launch nothing their names are the project's."""
    return all(any(each.scope[-1:] == ("sycl",) for each in unit.structs.get(name)) for name in _IMPLEMENTED)


def may_act(facts: FileFacts) -> bool:
    """Whether a file may command a queue, allocate memory or use a buffer; of another, no function is walked."""
    return any(name in facts.calls for name in _GATE) or bool(facts.once(_accessor_makers))


def may_be_written(content: bytes) -> bool:
    """Whether ``may_act`` may hold of a file with these bytes, launches apart: a condition that needs no parse."""
    return b"buffer" in content or not (_GATE - LAUNCHES).isdisjoint(called_in(content, 0, len(content)))


def _once_per_use(records: Iterable[object]) -> list[object]:
    """Of uses at one place while one command runs, the first: a caller of their function knows both by other names.

    So it is for memory of the host that one command uses, and for a variable that ends before it.
    """
    found: dict[object, object] = {}
    for each in records:
        key = each
        if isinstance(each, EarlyUse):
            key = (each.location, each.use, each.command.location)
        elif isinstance(each, UsedAfterFree):
            key = (UsedAfterFree, each.location, each.freed)
        elif isinstance(each, HostMemoryInKernel):
            key = (HostMemoryInKernel, each.allocated, each.command)
        elif isinstance(each, DyingMemory):
            sure = (each.assumption, each.in_branch, each.doubt)
            key = (each.location, each.declared, each.command.location, *sure)
        found.setdefault(key, each)
    return list(found.values())


def _accessor_makers(facts: FileFacts) -> frozenset[Function]:
    """The functions of a file that are given or give a buffer, and may call nothing: they declare variables.

    What a single statement declares nothing uses.
    """
    given = (each.node for each in definitions(facts) if _is_given_buffer(each.node) or _may_return_buffer(each, facts))
    several = (each for each in given if facts.content.count(b";", each.start, each.extent_end) > 1)
    return frozenset(each for each in several if any(type(inner) is Variable for inner in walk(each)))


def _is_given_buffer(function: Function) -> bool:
    return any(map(_is_buffer, function.parameters))


def _may_return_buffer(declared: Declared[Function], facts: FileFacts) -> bool:
    """Whether a function makes a buffer that its caller may get, alone or in an object."""
    function, returns = declared.node, declared.node.returns
    makes = returns is not None and not returns.pointers and not returns.reference and returns.name.text not in _NUMBERS
    return makes and facts.content.find(b"buffer", function.end, function.extent_end) >= 0


def _is_buffer(parameter: FunctionParameter) -> bool:
    return parameter.type.name.last == "buffer"


def _names_members(allocated: Allocated | None, declared: Declared[Function], facts: FileFacts) -> bool:
    """Whether a function names a data member that is memory of the device."""
    if allocated is None:
        return False
    return allocated.may_be_named(facts.content, declared.node.start, declared.node.extent_end)


def _allocated(unit: Unit) -> Allocated | None:
    if not unit.spells(b"alloc_device"):
        return None
    from sycllint.host.scopes import allocated

    return allocated.Allocated(unit) or None


def walked(
    roots: Iterable[Declared[Function]],
    evaluator: Evaluator,
    functions: Sequence[Function],
    allocated: Allocated | None = None,
) -> Iterator[object]:
    """What is seen on the ways through ``roots``, each by itself; ``functions`` are those worth following."""
    from sycllint.host.checks.device_functions import KernelCallees
    from sycllint.host.in_flight.course import Course
    from sycllint.host.in_flight.watch import Watch
    from sycllint.host.scopes.code_index import CodeIndex
    from sycllint.host.scopes.scope import FunctionScope

    acting = frozenset(map(id, functions))
    index = CodeIndex(evaluator)
    on_device = KernelCallees(evaluator.facts)
    for declared in roots:
        known = allocated if allocated is not None and declared not in on_device else None
        # Where nothing is found if no queue is reassigned, nothing is if some are.
        for follows_queues in (False, True):
            scope = FunctionScope(index, declared.place, known, follows_queues=follows_queues)
            watch = Watch(scope)
            course = Course(scope, watch, acting)
            course.root(declared.node, declared.place)
            holds = not scope.queues.exist or not (watch.records or scope.queues.matter)
            course.release()
            if holds:
                break
        yield from watch.records


def _asks_for_system_memory(facts: FileFacts) -> bool:
    """Whether a file asks for ``aspect::usm_system_allocations``: then kernels may read all of the host's memory."""
    asked = "usm_system_allocations"
    if asked.encode() not in facts.content:
        return False
    from sycllint.host.written import names_in

    return any(asked in names_in(each.node) for each in definitions(facts))


def definitions(facts: FileFacts) -> Iterator[Declared[Function]]:
    """The functions of a file that can be walked."""
    for found in facts.functions.values():
        for declared in found:
            if declared.node.body is not None and not declared.node.damaged:
                yield declared


class _Callers:
    """The functions of one file by what they call, found once, however many units hold the file."""

    def __init__(self, facts: FileFacts) -> None:
        self._facts = facts

    @memoized
    def of(self, name: str) -> tuple[Function, ...]:
        """Those that call something of this name; only bodies in which it is written are read."""
        around, spans = self._facts.once(FunctionExtents).around, self._facts.calls.get(name, ())
        return tuple(dict.fromkeys(each for span in spans for each in islice(around(span.start), 1)))


def _callers(unit: Unit, names: Iterable[str]) -> Iterator[Function]:
    """The functions of a unit that call something of these names."""
    return (each for name in names for facts in unit.named.may_call(name) for each in facts.once(_Callers).of(name))


def concerned(unit: Unit) -> tuple[Function, ...]:
    """The functions that submit, wait or allocate, and those that call them, directly or through one other."""
    functions: list[Function] = []
    seen: set[int] = set()
    # A program calls nothing of that name.
    asked = {*_STARTS, "main"}
    called = sorted(_STARTS)
    for _ in range(MAX_CALLERS + 1):
        found = {id(each): each for each in _callers(unit, called)}
        new = [each for key, each in found.items() if key not in seen]
        seen |= found.keys()
        functions += new
        called = list(dict.fromkeys(each.name.rpartition("::")[2] for each in new))
        called = [each for each in called if each not in asked]
        asked.update(called)
    return tuple(functions)
