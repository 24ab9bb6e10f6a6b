"""Uses of names that SYCL 2020 gave up or gave another, with the text that says the same today where there is one."""

import re
from collections.abc import Callable, Iterator, Mapping
from typing import ClassVar

from sycllint.cpp.expression import Call, Member, Name
from sycllint.cpp.place import locate
from sycllint.cpp.statement import Variable
from sycllint.source.edit import Edit
from sycllint.source.span import Span
from sycllint.spelling.called import OutdatedCalls
from sycllint.spelling.owners import is_foreign
from sycllint.spelling.receivers import sycl_type
from sycllint.spelling.record import Old, Outdated
from sycllint.spelling.surroundings import Surroundings
from sycllint.spelling.words import OldName, Shims, has_comment, words
from sycllint.spelling.written import SpellingUnit

_SELECTED = re.compile(
    rb"(?:(?:^|[^\w\s]|\b(?:return|new))\s*(?:(?:::)?(?:cl::)?sycl::)?(?:queue|device|platform)"
    rb"|\b(?:queue|device|platform)\s+\w+)\s*[({]\s*(?:(?:::)?(?:cl::)?sycl::)?$"
)
"""What stands before a selector that makes a queue, device or platform: a temporary, or a variable of that type."""
_EMPTY = re.compile(rb"\s*(?:\(\s*\)|\{\s*\})(?!\s*[.\[])")
_QUALIFIED = re.compile(rb"(?:^|[^\w:])(?:::)?(?:cl::)?sycl::(?:access::)?$")
_NAMESPACE = re.compile(rb"(?:(?P<before>\w+)\s+)?namespace\s+(?:(?P<alias>\w+)\s*=\s*)?(?:::)?\s*$")
"""What stands before a namespace's name where it is opened, renamed or taken from."""
_LOOK_BACK = 160

_ENUMERATORS = frozenset({"discard", "local_target", "atomic"})
_COMPARED_BEFORE = re.compile(rb"(?:[=!]=|\bcase)\s*(?:(?:\w+\s*)?::\s*)*$")
_COMPARED_BEHIND = re.compile(rb"\s*[=!]=")


def outdated(written: SpellingUnit) -> Iterator[Outdated]:
    """All uses in one file; none in the text of SYCL implementations and generators."""
    content = written.content
    if is_foreign(written.facts.path, content):
        return
    surroundings, shims = Surroundings(written), Shims(content)
    yield from (
        each for each in OutdatedCalls(written, surroundings).uses() if not shims.around(each.location.span.start)
    )
    yield from _Spelt(written, surroundings, words(content, shims)).uses()


class _Spelt:
    """The uses that a word alone gives away, and their new spelling in one file."""

    def __init__(self, written: SpellingUnit, surroundings: Surroundings, words: tuple[OldName, ...]) -> None:
        self._written = written
        self._content = written.content
        self._words = words
        facts = written.facts
        self._unqualified = bool({"sycl", "cl::sycl", "::sycl", "::cl::sycl"} & facts.using)
        self._surroundings = surroundings

    def uses(self) -> Iterator[Outdated]:
        """In the order in which they are written."""
        for word in self._words:
            use = None if self._is_compared(word) else self._READERS[word.kind](self, word)
            if use is not None:
                yield use

    def _is_compared(self, word: OldName) -> bool:
        """Whether a mode or a target is only compared: the code handles values from older code."""
        if word.kind not in _ENUMERATORS:
            return False
        start, end = word.span
        before = _COMPARED_BEFORE.search(self._content[max(0, start - _LOOK_BACK) : start])
        return before is not None or _COMPARED_BEHIND.match(self._content, end) is not None

    def _use(self, word: OldName, kind: Old, text: str, instead: str, *edits: tuple[int, int, str]) -> Outdated:
        changes = tuple(Edit(self._written.at(start, end), new) for start, end, new in edits)
        return Outdated(self._written.at(*word.span), kind, text, instead, changes)

    def _header(self, word: OldName) -> Outdated:
        start = self._content.index(b"CL/sycl.hpp", word.span.start)
        edits = [] if self._needs_cl() else [(start, start + len("CL/sycl.hpp"), "sycl/sycl.hpp")]
        return self._use(word, Old.HEADER, "CL/sycl.hpp", "`sycl/sycl.hpp`", *edits)

    def _needs_cl(self) -> bool:
        """Whether something that keeps ``cl::sycl`` is read after the header: text here, or a header of the project."""
        kept = any(
            word.kind == "outer_namespace" or (word.kind == "namespace" and not self._is_replaced(word))
            for word in self._words
        )
        return kept or self._surroundings.need_cl

    def _namespace(self, word: OldName) -> Outdated:
        start = self._content.index(b"cl", word.span.start)
        edits = [(start, word.span.end, "sycl")] if self._is_replaced(word) else []
        return self._use(word, Old.NAMESPACE, "cl::sycl", "`sycl`", *edits)

    def _is_replaced(self, word: OldName) -> bool:
        """Whether ``sycl`` says the same: not where it is hidden, nor where the namespace is opened or renamed."""
        start = self._content.index(b"cl", word.span.start)
        found = _NAMESPACE.search(self._content[max(0, start - _LOOK_BACK) : start])
        opened = found is not None and found["before"] != b"using" and found["alias"] in (None, b"sycl")
        return not self._surroundings.shadowed and not opened

    def _outer_namespace(self, word: OldName) -> Outdated | None:
        if not re.search(rb"\bsycl\b", self._content[word.span.end : word.span.end + _LOOK_BACK]):
            return None
        return self._use(word, Old.NAMESPACE, "namespace cl", "`namespace sycl`")

    def _selector(self, word: OldName) -> Outdated | None:
        if self._written.evaluator.facts.structs.get(word.text) or not self._is_sycls(word):
            return None
        if word.text == "host_selector":
            return self._use(word, Old.SELECTOR, word.text, "`cpu_selector_v`; there is no host device any more")
        start, end = word.span
        empty = _EMPTY.match(self._content, end)
        made = _SELECTED.search(self._content[max(0, start - _LOOK_BACK) : start])
        edits = [(start, empty.end(), f"{word.text}_v")] if empty and made else []
        return self._use(word, Old.SELECTOR, word.text, f"`{word.text}_v`", *edits)

    def _local_target(self, word: OldName) -> Outdated:
        edits = _as_local_accessor(self._content, word.span, qualified=not self._unqualified)
        return self._use(word, Old.LOCAL_TARGET, "target::local", "`local_accessor`", *edits)

    def _atomic(self, word: OldName) -> Outdated:
        return self._use(word, Old.ATOMIC, "mode::atomic" if "mode" in word.text else "sycl::atomic", "`atomic_ref`")

    def _discard(self, word: OldName) -> Outdated:
        name = word.text.rpartition("::")[2].strip()
        tag = "read_write" if "read" in name else "write_only"
        return self._use(word, Old.DISCARD, name, f"`{tag}` with `no_init`", *self._with_no_init(word, tag))

    def _with_no_init(self, word: OldName, tag: str) -> Iterator[tuple[int, int, str]]:
        """``auto a = b.get_access<…>(h)`` as ``auto a = sycl::accessor(b, h, …)``; other forms name the type."""
        written = self._written
        for place in locate(written.facts.unit, written.facts.calls.get("get_access", ()), Call).values():
            call = place.node
            if not isinstance(call, Call) or not call.start <= word.span.start < call.end:
                continue
            member = call.function
            variable = place.outer.node if place.outer is not None else None
            if not isinstance(member, Member) or len(call.arguments) != 1 or len(member.arguments or ()) != 1:
                return
            if not isinstance(variable, Variable) or not written.evaluator.types.kind(variable.type.name).automatic:
                return
            if sycl_type(member.object, place, call.start, written.evaluator) != "buffer":
                return
            text = self._content[call.start : call.end]
            receiver = self._content[call.start : member.start].decode(errors="replace").rstrip()
            if has_comment(text) or not receiver.endswith("."):
                return
            handler = call.arguments[0]
            if not isinstance(handler, Name):
                return
            name = self._surroundings.sycl
            new = f"{name}::accessor({receiver[:-1].rstrip()}, {handler.text}, {name}::{tag}, {name}::no_init)"
            yield call.start, call.end, new
            return

    def _hierarchical(self, word: OldName) -> Outdated:
        return self._use(word, Old.HIERARCHICAL, word.text, "`parallel_for` over an `nd_range` with `group_barrier`")

    def _extension(self, word: OldName) -> Outdated:
        vendor = "intel" if word.text.lower() == "intel" else "oneapi"
        return self._use(word, Old.EXTENSION, f"sycl::{word.text}", f"the standard name, or `sycl::ext::{vendor}`")

    def _attribute(self, word: OldName) -> Outdated:
        start = word.span.start
        prefix = "intel" if word.text.startswith("intel") else "cl"
        edit = (start, start + len(prefix), "sycl")
        return self._use(word, Old.ATTRIBUTE, word.text.replace(" ", ""), "`sycl::reqd_sub_group_size`", edit)

    def _is_sycls(self, word: OldName) -> bool:
        start = word.span.start
        if self._content[max(0, start - 2) : start] == b"::":
            return _QUALIFIED.search(self._content[max(0, start - _LOOK_BACK) : start]) is not None
        return self._unqualified

    _READERS: ClassVar[Mapping[str, Callable[["_Spelt", OldName], Outdated | None]]] = {
        "header": _header,
        "namespace": _namespace,
        "outer_namespace": _outer_namespace,
        "selector": _selector,
        "local_target": _local_target,
        "atomic": _atomic,
        "discard": _discard,
        "hierarchical": _hierarchical,
        "extension": _extension,
        "attribute": _attribute,
    }


def _as_local_accessor(content: bytes, target: Span, *, qualified: bool) -> list[tuple[int, int, str]]:
    """Edits that make ``accessor<T, D, …, target::local>`` around ``target`` a ``local_accessor<T, D>``."""
    opening = _enclosing_angle(content, target.start)
    closing = content.find(b">", target.end)
    if opening is None or closing < 0:
        return []
    head = re.search(rb"(?P<before>[\w:]*?)(?P<name>accessor)\s*$", content[max(0, opening - _LOOK_BACK) : opening])
    if head is None or (qualified and not head["before"].endswith(b"sycl::")):
        return []
    arguments = _split(content, opening + 1, closing)
    if len(arguments) not in (4, 5) or has_comment(content[opening:closing]):
        return []
    mode, last = (content[arguments[index][0] : arguments[index][1]] for index in (2, -1))
    if not mode.strip().endswith(b"read_write") or (len(arguments) == 5 and b"false" not in last):
        return []
    name = max(0, opening - _LOOK_BACK) + head.start("name")
    return [(name, name + len("accessor"), "local_accessor"), (arguments[1][1], closing, "")]


def _enclosing_angle(content: bytes, offset: int) -> int | None:
    """The ``<`` of the argument list that ``offset`` is in."""
    depth = 0
    for position in range(offset - 1, max(-1, offset - 400), -1):
        match content[position : position + 1]:
            case b">" | b")" | b"]":
                depth += 1
            case b"(" | b"[":
                depth -= 1
            case b"<" if depth == 0:
                return position
            case b"<":
                depth -= 1
            case b";" | b"{" | b"}":
                return None
    return None


def _split(content: bytes, start: int, end: int) -> list[tuple[int, int]]:
    """The stretches between the commas of an argument list."""
    parts: list[tuple[int, int]] = []
    depth, begin = 0, start
    for position in range(start, end):
        character = content[position : position + 1]
        depth += (character in b"<([") - (character in b">)]")
        if character == b"," and depth == 0:
            parts.append((begin, position))
            begin = position + 1
    return [*parts, (begin, end)]
