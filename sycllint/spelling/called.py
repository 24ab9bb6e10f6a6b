"""Calls that are outdated by what is called, on what, and with which arguments: barriers, offsets of index spaces."""

import re
from collections.abc import Iterator

from sycllint.cpp.expression import Brace, Call, Expr, Member, Name
from sycllint.cpp.node import Node, walk
from sycllint.cpp.place import Place, locate, span_of
from sycllint.source.edit import Edit
from sycllint.source.span import Span
from sycllint.spelling.receivers import sycl_type
from sycllint.spelling.record import Old, Outdated
from sycllint.spelling.surroundings import Surroundings
from sycllint.spelling.words import has_comment
from sycllint.spelling.written import SpellingUnit

_ORDERED = {"local_space": "global", "global_space": "local"}
"""What each fence space leaves out."""
_BARRIER_IN_MACRO = re.compile(rb"#[ \t]*define\b(?:[^\n\\]|\\\r?\n|\\.)*\bbarrier[ \t]*\(")
_BRACKET = re.compile(rb"[(\[{]|[)\]}]|,(?P<lambda>\s*\[)?")


class OutdatedCalls:
    """The uses that are old by what is called, on what, and with which arguments."""

    def __init__(self, written: SpellingUnit, surroundings: Surroundings) -> None:
        self._written = written
        self._surroundings = surroundings

    def uses(self) -> Iterator[Outdated]:
        """In the order of the file."""
        written = self._written
        named = dict(self._named())
        for span, place in locate(written.facts.unit, named, Call).items():
            use = self._use(named[span], place) if isinstance(place.node, Call) else None
            if use is not None:
                yield use
        if b"barrier" in written.content and _BARRIER_IN_MACRO.search(written.content):
            yield from self._in_macros()

    def _named(self) -> Iterator[tuple[Span, str]]:
        """The calls that may be old, by their text: an offset is an argument between two others."""
        content, calls = self._written.content, self._written.facts.calls
        for name in ("barrier", "get_offset"):
            if name.encode() in content:
                yield from ((span, name) for span in calls.get(name, ()))
        for name in ("nd_range", "parallel_for"):
            if name.encode() in content:
                yield from ((span, name) for span in calls.get(name, ()) if _has_three_arguments(content, span))

    def _in_macros(self) -> Iterator[Outdated]:
        """Barriers in the bodies of macros: what they are called on is what its name means at every use."""
        facts = self._written.facts
        for name, declared in facts.macros.items():
            calls = [(each, inner) for each in declared for inner in walk(each.node) if _calls_barrier(inner)]
            places = locate(facts.unit, facts.calls.get(name, ()), Call).values() if calls else ()
            for macro, call in calls:
                assert isinstance(call, Call)
                assert isinstance(call.function, Member)
                uses = [place for place in places if span_of(place.node).start > macro.node.start]
                owners = {self._type(call.function.object, place, span_of(place.node).start) for place in uses}
                if len(owners) == 1:
                    use = self._barrier(call, call.function, owners.pop())
                    if use is not None:
                        yield use

    def _use(self, name: str, place: Place) -> Outdated | None:
        call = place.node
        assert isinstance(call, Call)
        match name, call.function:
            case "barrier", Member() as member:
                return self._barrier(call, member, self._type(member.object, place, call.start))
            case "get_offset", Member(object=item) as member:
                if self._type(item, place, call.start) in ("nd_item", "item"):
                    return self._offset(member.start, member.end, "get_offset()")
            case "nd_range", Name(start=start, end=end) as function:
                if len(call.arguments) == 3 and self._is_sycls(function, "nd_range"):
                    return self._offset(start, end, "nd_range with an offset")
            case "parallel_for", _ if len(call.arguments) >= 3:
                match call.arguments[1]:
                    case Call(function=Name() as made) | Brace(type=Name() as made) if self._is_sycls(made, "id"):
                        return self._offset(made.start, made.end, "parallel_for with an offset")
        return None

    def _barrier(self, call: Call, member: Member, owner: str) -> Outdated | None:
        """``it.barrier()`` of an ``nd_item`` or a ``sub_group``."""
        if owner not in ("nd_item", "sub_group"):
            return None
        written = self._written
        receiver = written.content[call.start : member.start].decode(errors="replace").rstrip()
        arrow = receiver.endswith("->")
        bare = receiver.removesuffix("->").removesuffix(".").rstrip()
        if owner == "nd_item":
            group = f"{bare}{'->' if arrow else '.'}get_group()"
        else:
            group = f"*{bare}" if arrow else bare
        location = written.at(call.start, call.end)
        kept = not has_comment(written.content[call.start : call.end])
        edit = Edit(location, f"{self._surroundings.sycl}::group_barrier({group})")
        text, differs = f"{owner}::barrier", _also_ordered(call)
        edits = (edit,) if kept and not differs else ()
        return Outdated(location, Old.BARRIER, text, f"`group_barrier({group})`", edits, differs)

    def _offset(self, start: int, end: int, text: str) -> Outdated:
        return Outdated(self._written.at(start, end), Old.OFFSET, text, "an offset that the kernel adds to its index")

    def _type(self, expression: Expr, place: Place, offset: int) -> str:
        return sycl_type(expression, place, offset, self._written.evaluator)

    def _is_sycls(self, name: Name, last: str) -> bool:
        return self._written.evaluator.types.kind(name).sycl == last


def _also_ordered(call: Call) -> str:
    """The effect of ``group_barrier`` that this barrier does not have: ``orders global memory too``, or ``""``."""
    spaces = [_ORDERED.get(each.last) for each in call.arguments if isinstance(each, Name)]
    return next((f"orders {each} memory too" for each in spaces if each is not None), "")


def _calls_barrier(node: Node) -> bool:
    return isinstance(node, Call) and isinstance(node.function, Member) and node.function.name == "barrier"


def _has_three_arguments(content: bytes, call: Span) -> bool:
    """Whether there may be two arguments before one that is a lambda, and three where none is."""
    depth = commas = 0
    for match in _BRACKET.finditer(content, content.find(b"(", call.start, call.end), call.end):
        mark = match.group()[:1]
        if mark in b"([{":
            depth += 1
        elif mark in b")]}":
            depth -= 1
        elif depth == 1:
            commas += 1
        if match["lambda"] is not None:
            if depth == 1:
                return commas > 1
            depth += 1
    return commas > 1
