"""Defects made on purpose: of the waits and barriers that a program has, how many does sycllint miss when they go?

``python benchmarks/mutations.py [--kind KIND] [--list silent|noticed] PATH...`` takes one wait, barrier or dependency
at a time out of the C++ files under the paths, checks the file again and asks whether anything new is said. Not every
such change makes a wrong program: a later wait may cover it, two barriers may stand in a row. The share that is noticed
is therefore a measure between versions of sycllint and no measure of the defects it finds. Files of the same contents
count once.
"""

import argparse
import sys
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from tree_sitter import Node

from sycllint.config import Config
from sycllint.diagnostic import Severity
from sycllint.pipeline import check
from sycllint.source.span import Location
from sycllint.syntax.parser import parse

TARGETS = ("tgl", "pvc")
SUFFIXES = frozenset({".cpp", ".cc", ".cxx", ".hpp", ".h", ".hxx"})

Finding = tuple[Location, str, str]
"""Place, code and message."""


@dataclass(frozen=True, slots=True)
class Mutation:
    """One call that goes."""

    kind: str
    line: int
    start: int
    end: int
    """The bytes that are replaced."""
    instead: bytes

    def applied(self, text: bytes) -> bytes:
        """The text without the call; everything else stays where it is."""
        gone = text[self.start : self.end]
        lines = b"\n" * (gone.count(b"\n") - self.instead.count(b"\n"))
        return text[: self.start] + (self.instead + lines).ljust(len(gone)) + text[self.end :]


def _wait(call: Node, name: bytes, whole: Node | None) -> bytes | None:
    """``q.wait()`` leaves ``q``; ``sycl::event::wait({e})`` leaves nothing."""
    if name not in {b"wait", b"wait_and_throw", b"sycl::event::wait", b"event::wait"}:
        return None
    function = call.child_by_field_name("function")
    assert function is not None
    owner = function.child_by_field_name("argument")
    return b"(void)0" if owner is None or owner.text is None else owner.text


def _barrier(call: Node, name: bytes, whole: Node | None) -> bytes | None:
    """A barrier that is a statement by itself leaves nothing."""
    last = name.rpartition(b"::")[2]
    return b"(void)0" if whole is not None and last in {b"group_barrier", b"barrier"} else None


def _dependency(call: Node, name: bytes, whole: Node | None) -> bytes | None:
    """``handler.depends_on(event)`` leaves nothing."""
    return b"(void)0" if whole is not None and name == b"depends_on" else None


KINDS: dict[str, Callable[[Node, bytes, Node | None], bytes | None]] = {
    "wait": _wait,
    "barrier": _barrier,
    "dependency": _dependency,
}


def mutations(text: bytes) -> Iterator[Mutation]:
    """What can be taken out of a file, in order."""
    nodes = [parse(text).root_node]
    while nodes:
        node = nodes.pop()
        nodes.extend(reversed(node.named_children))
        function = node.child_by_field_name("function") if node.type == "call_expression" else None
        if function is None:
            continue
        callee = function.child_by_field_name("field") or function
        parent = node.parent
        whole = parent if parent is not None and parent.type == "expression_statement" else None
        for kind, left in KINDS.items():
            instead = left(node, callee.text or b"", whole)
            if instead is not None:
                yield Mutation(kind, node.start_point.row + 1, node.start_byte, node.end_byte, instead)


def said(file: Path, text: bytes | None = None) -> Counter[Finding]:
    """The errors and warnings about a file and those beside it, with ``text`` for its contents."""
    changed = {} if text is None else {file.as_posix(): text}
    found = check([file.parent.as_posix()], Config(targets=TARGETS), texts=changed).diagnostics
    loud = (each for each in found if each.severity is not Severity.NOTE)
    return Counter((each.location, each.code, each.message) for each in loud)


def files(paths: Sequence[Path]) -> Iterator[Path]:
    """The C++ files among the paths and below them."""
    for path in paths:
        if path.is_file():
            yield path
        else:
            yield from (each for each in sorted(path.rglob("*")) if each.suffix in SUFFIXES)


def main(arguments: Sequence[str] | None = None) -> int:
    """Print a line for each mutation asked for, and the totals of each kind."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("paths", nargs="+", type=Path)
    parser.add_argument("--kind", choices=tuple(KINDS), action="append")
    parser.add_argument("--list", choices=("silent", "noticed"), action="append", default=[])
    given = parser.parse_args(arguments)
    kinds = frozenset(given.kind or KINDS)
    tried: Counter[str] = Counter()
    noticed: Counter[str] = Counter()
    by_rule: dict[str, Counter[str]] = defaultdict(Counter)
    seen: set[bytes] = set()
    for file in files(given.paths):
        text = file.read_bytes()
        if text in seen:
            continue
        seen.add(text)
        found = [each for each in mutations(text) if each.kind in kinds]
        usual = said(file) if found else Counter()
        for each in found:
            tried[each.kind] += 1
            new = said(file, each.applied(text)) - usual
            noticed[each.kind] += bool(new)
            by_rule[each.kind].update({code for _, code, _ in new})
            if ("noticed" if new else "silent") in given.list:
                line = text.splitlines()[each.line - 1].strip().decode(errors="replace")
                codes = ",".join(sorted({code for _, code, _ in new})) or "silent"
                print(f"{codes:10} {each.kind} {file}:{each.line}: {line}", flush=True)
    for kind, count in sorted(tried.items()):
        rules = ", ".join(f"{code} {times}" for code, times in sorted(by_rule[kind].items()))
        print(f"{kind}: {noticed[kind]} of {count} noticed ({rules})")
    return 0


if __name__ == "__main__":
    sys.exit(main())
