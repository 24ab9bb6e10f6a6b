"""Defects made on purpose: of the waits, guards and sizes that a program has, how many does sycllint miss when they go?

``python benchmarks/mutations.py [--kind KIND] [--per-file N] [--list silent|noticed] PATH...`` makes one defect at a
time in the C++ files under the paths, checks the file again and asks whether a rule reports a line that it did not
report before. Not every such change makes a wrong program: a later wait may cover it, two barriers may stand in a row,
an array may have room for one more. The share that is noticed is therefore a measure between versions of sycllint and
no measure of the defects it finds. Files of the same contents count once.
"""

import argparse
import re
import sys
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from tree_sitter import Node

from sycllint.config import Config
from sycllint.diagnostic import Severity
from sycllint.pipeline import check
from sycllint.syntax.parser import parse

TARGETS = ("tgl", "pvc")
SUFFIXES = frozenset({".cpp", ".cc", ".cxx", ".hpp", ".h", ".hxx"})

Finding = tuple[str, int, str]
"""Path, line and code. The message is not compared: it may quote what was changed."""
Change = tuple[int, int, bytes]
"""Start and end of the bytes that are replaced, and what stands there instead."""
IDS = rb"\b(?:get_(?:global|local)_(?:linear_)?id|get_(?:group|sub_group)(?:_id|_linear_id)?)\b"

_LOCAL = re.compile(
    rb"(?:sycl::)?local_accessor\s*<[^<>;]*?(?:,\s*1)?>\s*\w+\s*[({]\s*(?:(?:sycl::)?range<1>\s*[({]\s*)?"
    rb"([^;,(){}]+?)\s*[)}]?\s*,\s*\w+\s*[)}]"
)
"""The declaration of a local accessor of one dimension, and its extent. As ``T t(range<1>(n), h);`` it is parsed as a
function's."""


@dataclass(frozen=True, slots=True)
class Mutation:
    """One defect."""

    kind: str
    line: int
    start: int
    end: int
    """The bytes that are replaced."""
    instead: bytes

    def applied(self, text: bytes) -> bytes:
        """The text with the defect; everything else stays on its line."""
        gone = text[self.start : self.end]
        lines = b"\n" * (gone.count(b"\n") - self.instead.count(b"\n"))
        return text[: self.start] + (self.instead + lines).ljust(len(gone)) + text[self.end :]


def _text(node: Node | None) -> bytes:
    return b"" if node is None else node.text or b""


def _called(node: Node) -> bytes:
    """What a call names: ``memcpy`` of ``q.memcpy(...)``, ``sycl::free`` of ``sycl::free(...)``; of others nothing."""
    function = node.child_by_field_name("function") if node.type == "call_expression" else None
    return b"" if function is None else _text(function.child_by_field_name("field") or function)


def _arguments(call: Node) -> list[Node]:
    arguments = call.child_by_field_name("arguments")
    return [] if arguments is None else arguments.named_children


def _is_statement(node: Node) -> bool:
    return node.parent is not None and node.parent.type == "expression_statement"


def _instead(node: Node, text: bytes) -> Change:
    return node.start_byte, node.end_byte, text


def _wait(node: Node) -> Change | None:
    """``q.wait()`` leaves ``q``; ``sycl::event::wait({e})`` leaves nothing."""
    if _called(node) not in {b"wait", b"wait_and_throw", b"sycl::event::wait", b"event::wait"}:
        return None
    function = node.child_by_field_name("function")
    owner = function.child_by_field_name("argument") if function is not None else None
    return _instead(node, _text(owner) or b"(void)0")


def _barrier(node: Node) -> Change | None:
    """A barrier that is a statement by itself leaves nothing."""
    is_barrier = _called(node).rpartition(b"::")[2] in {b"group_barrier", b"barrier"}
    return _instead(node, b"(void)0") if is_barrier and _is_statement(node) else None


def _dependency(node: Node) -> Change | None:
    """``handler.depends_on(event)`` leaves nothing."""
    return _instead(node, b"(void)0") if _called(node) == b"depends_on" and _is_statement(node) else None


def _guarded(node: Node) -> tuple[Node, Node] | None:
    """Condition and consequence of ``if (i < n)`` or ``if (i >= n) return;``, where ``i`` is an id of a work-item."""
    condition = node.child_by_field_name("condition") if node.type == "if_statement" else None
    value = condition.child_by_field_name("value") if condition is not None else None
    consequence = node.child_by_field_name("consequence")
    if value is None or consequence is None or value.type != "binary_expression" or "alternative" in _fields(node):
        return None
    left, right = value.child_by_field_name("left"), value.child_by_field_name("right")
    returns = consequence.type == "return_statement" or re.fullmatch(rb"\{\s*return\s*;\s*\}", _text(consequence))
    compared = b">=" if returns else b"<"
    if _text(value.child_by_field_name("operator")) != compared or _text(right).isdigit():
        return None
    root = node
    while root.parent is not None:
        root = root.parent
    is_id = left is not None and left.type == "identifier"
    made = rb"\b" + _text(left) + rb"\s*[=({][^;]*?" + IDS
    return (value, consequence) if is_id and re.search(made, _text(root)) else None


def _fields(node: Node) -> set[str | None]:
    return {node.field_name_for_child(number) for number in range(node.child_count)}


def _guard(node: Node) -> Change | None:
    """``if (i < n) a[i] = 0;`` leaves ``a[i] = 0;``, and ``if (i >= n) return;`` leaves nothing."""
    found = _guarded(node)
    if found is None:
        return None
    value, consequence = found
    returns = _text(value.child_by_field_name("operator")) == b">="
    return _instead(node, b";") if returns else (node.start_byte, consequence.start_byte, b"")


def _off_by_one(node: Node) -> Change | None:
    """``if (i < n)`` is ``if (i <= n)``, and ``if (i >= n) return;`` is ``if (i > n) return;``."""
    found = _guarded(node)
    operator = found[0].child_by_field_name("operator") if found is not None else None
    return _instead(operator, b"<=" if _text(operator) == b"<" else b">") if operator is not None else None


def _local_memory(node: Node) -> Change | None:
    """A local accessor of one dimension has half its elements."""
    made = _LOCAL.match(_text(node)) if node.type == "declaration" else None
    if made is None:
        return None
    start, end = (node.start_byte + each for each in made.span(1))
    return start, end, b"(%b) / 2" % made[1]


def _by_reference(node: Node) -> Change | None:
    """A kernel captures by reference."""
    call = node.parent.parent if node.parent is not None and node.type == "lambda_expression" else None
    captures = node.child_by_field_name("captures")
    is_kernel = call is not None and _called(call).partition(b"<")[0] in {b"parallel_for", b"single_task"}
    return _instead(captures, b"[&]") if is_kernel and captures is not None and _text(captures) == b"[=]" else None


def _allocation(node: Node) -> Change | None:
    """``sycl::malloc_device<T>(n, q)`` is ``(T *)malloc((n) * sizeof(T))``."""
    made = re.fullmatch(rb"(?:sycl::)?malloc_(?:device|shared|host)<(.*)>", _called(node), re.DOTALL)
    arguments = _arguments(node)
    if made is None or not arguments:
        return None
    return _instead(node, b"(%b *)malloc((%b) * sizeof(%b))" % (made[1], _text(arguments[0]), made[1]))


def _wrong_free(node: Node) -> Change | None:
    """``sycl::free(p, q)`` is ``free(p)``."""
    is_free = _called(node) == b"sycl::free" and _arguments(node)
    return _instead(node, b"free(%b)" % _text(_arguments(node)[0])) if is_free else None


def _double_free(node: Node) -> Change | None:
    """``sycl::free(p, q);`` stands twice."""
    is_free = _called(node) == b"sycl::free" and _is_statement(node)
    return _instead(node, _text(node) + b"; " + _text(node)) if is_free else None


def _copy(node: Node) -> list[Node]:
    """The arguments of a copy of so many bytes."""
    arguments = _arguments(node)
    return arguments if _called(node) == b"memcpy" and len(arguments) >= 3 and b"." in _text(node) else []


def _direction(node: Node) -> Change | None:
    """``q.memcpy(a, b, bytes)`` is ``q.memcpy(b, a, bytes)``."""
    arguments = _copy(node)
    if not arguments:
        return None
    to, source = arguments[:2]
    return to.start_byte, source.end_byte, _text(source) + b", " + _text(to)


def _bytes(node: Node) -> Change | None:
    """``q.memcpy(a, b, n * sizeof(T))`` is ``q.memcpy(a, b, n)``."""
    size = _copy(node)[2] if _copy(node) else None
    right = size.child_by_field_name("right") if size is not None else None
    is_scaled = right is not None and right.type == "sizeof_expression" and size is not None
    return _instead(size, _text(size.child_by_field_name("left"))) if is_scaled and size is not None else None


def _dimension(node: Node) -> Change | None:
    """``get_global_id(0)`` is ``get_global_id(1)``."""
    is_id = _called(node) in {b"get_global_id", b"get_local_id"} and _text(node).endswith(b"(0)")
    return _instead(_arguments(node)[0], b"1") if is_id else None


def _group_size(node: Node) -> Change | None:
    """``#define BLOCK_SIZE 256`` is ``#define BLOCK_SIZE 2048``."""
    value = node.child_by_field_name("value") if node.type == "preproc_def" else None
    is_size = re.search(rb"BLOCK|WG|WORK|THREAD", _text(node.child_by_field_name("name")))
    return (
        _instead(value, b"2048") if value is not None and is_size and re.fullmatch(rb"\d{2,4}", _text(value)) else None
    )


KINDS: dict[str, Callable[[Node], Change | None]] = {
    each.__name__.strip("_").replace("_", "-"): each
    for each in (
        _wait,
        _barrier,
        _dependency,
        _guard,
        _off_by_one,
        _local_memory,
        _by_reference,
        _allocation,
        _wrong_free,
        _double_free,
        _direction,
        _bytes,
        _dimension,
        _group_size,
    )
}


def mutations(text: bytes) -> Iterator[Mutation]:
    """The defects that can be made in a file, in order."""
    nodes = [parse(text).root_node]
    while nodes:
        node = nodes.pop()
        nodes.extend(reversed(node.named_children))
        for kind, change in KINDS.items():
            made = change(node)
            if made is not None:
                yield Mutation(kind, text.count(b"\n", 0, made[0]) + 1, *made)


def numbered(made: Iterable[Mutation]) -> Iterator[tuple[Mutation, int]]:
    """Each defect with the number of those of its kind before it."""
    before: Counter[str] = Counter()
    for each in made:
        yield each, before[each.kind]
        before[each.kind] += 1


def said(file: Path, text: bytes | None = None) -> Counter[Finding]:
    """The errors and warnings about a file and those beside it, with ``text`` for its contents."""
    changed = {} if text is None else {file.as_posix(): text}
    found = check([file.parent.as_posix()], Config(targets=TARGETS), texts=changed).diagnostics
    return Counter(
        (path, _contents(path, changed).count(b"\n", 0, each.location.span.start), each.code)
        for each in found
        if each.severity is not Severity.NOTE
        for path in (each.location.path,)
    )


def _contents(path: str, changed: Mapping[str, bytes]) -> bytes:
    return changed[path] if path in changed else Path(path).read_bytes()


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
    parser.add_argument("--per-file", type=int, default=sys.maxsize, help="at most so many of a kind in one file")
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
        found = [each for each, before in numbered(mutations(text)) if each.kind in kinds and before < given.per_file]
        usual = said(file) if found else Counter()
        for each in found:
            tried[each.kind] += 1
            new = said(file, each.applied(text)) - usual
            noticed[each.kind] += bool(new)
            by_rule[each.kind].update({code for *_, code in new})
            if ("noticed" if new else "silent") in given.list:
                line = text.splitlines()[each.line - 1].strip().decode(errors="replace")
                codes = ",".join(sorted({code for *_, code in new})) or "silent"
                print(f"{codes:10} {each.kind} {file}:{each.line}: {line}", flush=True)
    for kind, count in sorted(tried.items()):
        rules = ", ".join(f"{code} {times}" for code, times in sorted(by_rule[kind].items()))
        print(f"{kind}: {noticed[kind]} of {count} noticed ({rules})")
    return 0


if __name__ == "__main__":
    sys.exit(main())
