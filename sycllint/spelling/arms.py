"""Arms of ``#if`` that no SYCL compiler compiles: those of ``#if 0``, and those for compilers of CUDA and HIP."""

import re
from collections.abc import Iterable, Iterator

from sycllint.record import NamedTuple, mutable
from sycllint.source.span import Span

_OTHER_COMPILERS = re.compile(r"__(CUDACC\w*|NVCC|CUDA|HIPCC\w*|HIP|HCC|HIP_PLATFORM_\w+)__")
"""What nvcc, hipcc and clang define when they compile CUDA or HIP (CUDA C++ Programming Guide, "Compilation with NVCC";
HIP Porting Guide, "Compiler Defines")."""
_DEFINED = re.compile(r"defined\s*(?:\(\s*(\w+)\s*\)|(\w+))")


class ConditionalDirective(NamedTuple):
    """One line of conditional compilation."""

    word: str
    """``if``, ``ifdef``, ``ifndef``, ``elif``, ``else`` or ``endif``."""
    condition: str
    start: int


@mutable
class _OpenConditional:
    """A conditional whose end has not come yet."""

    taken: bool
    """An arm before this one is surely compiled."""
    never_since: int | None
    """The begin of the arm, when it is surely not compiled."""


def never_compiled(directives: Iterable[ConditionalDirective], end: int) -> Iterator[Span]:
    """The arms that are surely not compiled; one that is not closed reaches to ``end``."""
    opened: list[_OpenConditional] = []
    for word, condition, start in directives:
        if word in ("if", "ifdef", "ifndef"):
            held = _held(word, condition)
            opened.append(_OpenConditional(held is True, start if held is False else None))
            continue
        if not opened:
            continue
        last = opened[-1]
        if last.never_since is not None:
            yield Span(last.never_since, start)
        if word == "endif":
            opened.pop()
            continue
        held = True if word == "else" else _held("if", condition)
        last.never_since = start if last.taken or held is False else None
        last.taken = last.taken or held is True
    yield from (Span(each.never_since, end) for each in opened if each.never_since is not None)


def _held(word: str, condition: str) -> bool | None:
    """Whether a condition holds where SYCL is compiled; ``None`` where that is not known."""
    text = re.sub(r"/\*.*?\*/|//.*", " ", condition.replace("\\\n", " ")).strip()
    if word == "if":
        return _any_of(text)
    is_other = _OTHER_COMPILERS.fullmatch(text) is not None
    return (word == "ifndef") if is_other else None


def _any_of(text: str) -> bool | None:
    """``a || b && c``, without parentheses around more than one of them."""
    found = [_all_of(each) for each in text.split("||")]
    return True if True in found else None if None in found else False


def _all_of(text: str) -> bool | None:
    found = [_one(each.strip()) for each in text.split("&&")]
    return False if False in found else None if None in found else True


def _one(text: str) -> bool | None:
    if text.startswith("!"):
        inner = _one(text[1:].strip())
        return None if inner is None else not inner
    if text.startswith("(") and text.endswith(")") and text.count("(") == 1:
        return _one(text[1:-1].strip())
    if text.isdigit():
        return int(text) != 0
    asked = _DEFINED.fullmatch(text)
    name = (asked[1] or asked[2]) if asked is not None else text
    return False if _OTHER_COMPILERS.fullmatch(name) else None
