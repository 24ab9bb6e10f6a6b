"""What a target region does with the threads of a team, in its own text and in the functions that it calls.

A team is a work-group, so that a barrier of its threads is a barrier of the work-group. OpenMP 5.2 has them where the
program writes one ("barrier Construct"), at the end of a parallel region ("parallel Construct") and at the end of a
loop that is shared out to the threads of one, unless it says ``nowait`` ("Worksharing Constructs"). The barrier that
ends the directive of the region itself ends the kernel, and no thread waits at it.
"""

import re
from collections.abc import Iterator

from sycllint.cpp.expression import Call, Name
from sycllint.cpp.node import Node, children, walk
from sycllint.cpp.statement import Block, Declaration, Pragma, Statement
from sycllint.facts.regions import TargetRegion
from sycllint.launch.kernel import Kernel
from sycllint.record import record
from sycllint.source.span import Location, Span
from sycllint.symbols.unit import Unit
from sycllint.values.value import Known, Unknown, Value

_DIRECTIVE = re.compile(r"\s*+#?\s*+(?:pragma\s++)?omp\s++(.*)", re.DOTALL)
_ENDS_IN_BARRIER = frozenset({"for", "sections", "single"})
"""Constructs that share work out to the threads of a parallel region."""


@record
class ReachedCode:
    """The code that a piece of code is and calls, as far as it is visible."""

    code: tuple[tuple[Node, str], ...]
    """The piece itself and the bodies of the functions, each with its file."""
    hidden: bool
    """It calls a function of the project whose body is elsewhere."""

    def nodes(self) -> Iterator[tuple[Node, str]]:
        """All of it, node by node, each with its file."""
        return ((node, path) for piece, path in self.code for node in walk(piece))

    @property
    def plain(self) -> bool:
        """It neither holds a directive nor calls the OpenMP library."""
        return not any(
            isinstance(each, Pragma) or (isinstance(each, Name) and each.text.startswith("omp_"))
            for each, _ in self.nodes()
        )


def reached(unit: Unit, node: Node, path: str) -> ReachedCode:
    """``node`` of the file ``path`` and the functions that it calls, each once."""
    code: list[tuple[Node, str]] = [(node, path)]
    inside: set[int] = set()
    hidden = False
    for piece, _ in code:
        called = {
            each.function.last for each in walk(piece) if isinstance(each, Call) and isinstance(each.function, Name)
        }
        for name in sorted(called):
            declared = unit.functions.get(name)
            hidden |= bool(declared) and all(each.node.body is None for each in declared)
            for each in declared:
                if each.node.body is not None and id(each.node) not in inside:
                    inside.add(id(each.node))
                    code.append((each.node.body, unit.file_at(each.place).path))
    return ReachedCode(tuple(code), hidden)


def kernel_of(region: TargetRegion, unit: Unit, path: str) -> Kernel:
    """The kernel that a region becomes: its barriers, and whether all of it is visible."""
    whole = region.whole
    if whole is None or _is_damaged(unit, whole, path):
        return Kernel(name=None, body_found=False)
    found = reached(unit, whole, path)
    last = set() if _goes_on(region) else {each.pragma.start for each in region.directives}
    barriers = tuple(
        Location(file, Span(each.start, each.end))
        for each, file in found.nodes()
        if isinstance(each, Pragma) and _waits(each) and not (file == path and each.start in last)
    )
    return Kernel(
        name=None, body_found=True, barriers=barriers, calls_unknown=found.hidden, reduces=_combines_threads(region)
    )


def local_bytes(region: TargetRegion) -> Value:
    """Bytes of the arrays that the threads of a team share: none, or unknown, since compilers choose where they are."""
    unseen = Unknown("arrays that a team shares are where the compiler puts them")
    if region.whole is None:
        return unseen
    if "parallel" in region.directives[0].words:
        return Known(0)
    return unseen if any(_declares_array(each) for each in _of_team(region.whole)) else Known(0)


def _is_damaged(unit: Unit, whole: Statement, path: str) -> bool:
    facts = next((each for each in unit.files if each.path == path), unit.main)
    return any(whole.start <= each.start < whole.end for each in facts.damaged)


def _goes_on(region: TargetRegion) -> bool:
    """Whether something follows what the last directive of the region governs."""
    whole, inner = region.whole, region.statement
    if whole is None or inner is None:
        return False
    blocks = (each for each in walk(whole) if isinstance(each, Block))
    return any(each.start >= inner.end for block in blocks for each in block.statements)


def _waits(pragma: Pragma) -> bool:
    """Whether the threads of a team wait for each other at a directive below that of the region, or at its end."""
    directive = _DIRECTIVE.match(pragma.text)
    if directive is None:
        return False
    words = re.findall(r"[a-z_]+", directive[1].partition("(")[0])
    if words[:1] in (["cancel"], ["cancellation"]):
        return False
    if words[:1] == ["barrier"] or "parallel" in words:
        return True
    return not _ENDS_IN_BARRIER.isdisjoint(words[:1]) and "nowait" not in directive[1]


def _combines_threads(region: TargetRegion) -> bool:
    """Whether the threads of a team combine what each of them has."""
    return any("reduction" in each.clauses and "parallel" in each.words for each in region.directives)


def _of_team(node: Node) -> Iterator[Node]:
    """What runs once a team: all but the statement that a ``parallel`` shares out."""
    yield node
    parts = list(children(node))
    for position, part in enumerate(parts):
        before = parts[position - 1] if position and isinstance(node, Block) else None
        if not (isinstance(before, Pragma) and "parallel" in before.text):
            yield from _of_team(part)


def _declares_array(node: Node) -> bool:
    return isinstance(node, Declaration) and any(each.type.extents for each in node.variables)
