"""What a text of host code does with names, as far as its words show: read through, free, set, hand over."""

import re
from collections.abc import Collection, Container, Iterator
from functools import cache
from string import ascii_letters, digits

from sycllint.host.vocabulary import (
    ALGORITHMS,
    ALLOCATORS,
    C_ALLOCATORS,
    C_READERS,
    C_WRITERS,
    CONTAINER_QUIET,
    ELEMENTS,
    FILLERS,
)
from sycllint.record import NamedTuple

Names = frozenset[str]

ACTING = frozenset({"free", "delete", "fread", *C_WRITERS} | FILLERS)
"""Functions that may change the memory that a pointer handed to them points to."""
_CHANGING = ACTING | {"swap"}

_WORD = re.compile(r"[A-Za-z_]\w*")
_BLANKED = bytes(each if each in f"{ascii_letters}{digits}_".encode() else ord(" ") for each in range(256))
"""For each byte itself where it is of a word, or a blank."""
_SIZE = re.compile(r"sizeof\s*\([^()]*\)")
_PLAIN = frozenset({"new", *C_ALLOCATORS})
_ALLOCATING = _PLAIN | ALLOCATORS.keys()
_BEFORE = 40
"""Characters before an operator in which its operand stands."""
_LOOK_BACK = 200
"""Characters before an allocation in which stands what it is assigned to."""
_SET = re.compile(r"(?<![=!<>])=(?!=)")
_TARGET = re.compile(r"(?<![.>\w])([A-Za-z_]\w*)$")
_BASE = re.compile(
    r"[\s(]*(?:\(\s*[\w\s:<>]*[\s*&]*\)[\s(]*|\w+_cast\s*<[^()]*>\s*\(\s*)*(?P<address>&?)\s*(?P<name>[A-Za-z_]\w*)"
    r"\s*(?P<next>\[|\(|(?:\.|->)\s*(?P<method>\w+))?"
)
_BEHIND = 400
"""Characters behind a ``=`` that are looked at."""
_NO_CODE = re.compile(
    r"//(?:[^\n\\]|\\.)*|/\*.*?(?:\*/|\Z)|(?<!\\)\"(?:\\.|[^\"\\\n])*+\"|'(?<![0-9A-Za-z_\\]')(?:\\.|[^'\\\n])++'",
    re.DOTALL,
)
"""Comments, strings and characters."""
_PART = re.compile(r"(?:\]|(?:\.|->)\s*\w+)\s*$")
_MEMBER_SET = re.compile(r"(?:\.|->)\s*(\w+)\s*=[^=;{}]*$")
_MEMBER_USED = re.compile(r"(?:\.|->)\s*(\w+)\s*\[|\*\s*\w+(?:(?:\.|->)\w+)*(?:\.|->)(\w+)")
_MEMBER_LISTED = re.compile(r"[{,]\s*(?:\w+\s*::\s*)*\w*alloc_device\b")
"""Memory of the device is one of the values that an object is made of."""
_ELEMENT_SET = re.compile(r"(\w+)\s*\[[^][;]*\]\s*=[^=;{}]*alloc_device\b")
_ELEMENT_USED = re.compile(r"(\w+)\s*\[[^][;]*\]\s*\[|\*\s*(\w+)\s*\[")
_CALL = re.compile(r"(?<![.>\w])(\w+)\s*(?:<[^;()]*>)?\s*\(([^();]*)\)")
_OWN = re.compile(r"(?<![.\w])(?<!->)[A-Za-z_]\w*")
_ELEMENT = re.compile(r"(?<![&\w])\w+\s*(?=\[)")
_OF_MKL = re.compile(r"mkl::(?:(?!mkl::)[\w:])*+(?=\()")
_SWAPPED = re.compile(r"swap(?<!\wswap)\s*\(\s*(\w+)\s*,\s*(\w+)\s*\)")
_STATEMENT = re.compile(r"[;}]")
_INDEX = re.compile(r"\[|->")
_INDEXED = re.compile(r"(?<![^&]&)(?<![.>\w])(\w+)$")
_STAR = re.compile(r"(?<!\*)\*++\s*+\(?\s*+([A-Za-z_]\w*)")
_BEFORE_STAR = re.compile(r"(?:^|[^\w\s)\]>*]|\b(?:return|else|do))\s*$")
_C_LIBRARY = frozenset({*C_READERS, *C_WRITERS})
_GIVEN = re.compile(r"\s*\(([^;]*)")
_STANDARD = re.compile(r"\bstd\s*::\s*$")
_DELETE = re.compile(r"delete(?<!\wdelete)\b\s*(?:\[\s*\])?\s*(\w+)\b(?!\s*(?:\[|\.|->))")
_FREE = re.compile(r"free(?<!\wfree)\s*\((?:\s*\([^()]*\))?(?P<given>[^;]*)")
_WHOLE = re.compile(r"\W*([A-Za-z_]\w*)\b(?!\s*(?:\[|\.|->))")
"""A pointer by itself: of elements and members it is not known who allocated them."""
_LEFT = re.compile(r"[;{}=,]")
_STEPPED = re.compile(r"\b(\w++)\s*(?:\+\+|--)|(?:\+\+|--)[\s*(]*(\w+)")
_METHOD = re.compile(r"\b(\w++)\s*(?:\.|->)\s*(\w+)\s*\(")
_QUIET = CONTAINER_QUIET | ELEMENTS
_TEMPLATE = re.compile(r"(?<=\w)<[\w\s:,*]*>")
_BRACKET = re.compile(r"[()\[\]{},]")


class PointerBase(NamedTuple):
    """The name that a pointer's value comes from, and how it goes on."""

    name: str
    is_address: bool
    following: str
    method: str | None


def words_in(text: str) -> Names:
    """Everything in ``text`` that may be a name, in one pass: twice as quick as a pattern.

    Passages of a file have one character for each byte; the text of a macro may have any, which count as blanks.
    """
    return frozenset(text.encode("latin-1", "replace").translate(_BLANKED).decode("ascii").split())


def variables_in(text: str) -> Names:
    """Everything in ``text`` that may be the name of a variable, and not of a member."""
    return frozenset(_OWN.findall(text.replace("this->", "")))


def without_elements(text: str) -> str:
    """``text`` without names of which it reads an element."""
    return _ELEMENT.sub("", text)


def code_of(text: str) -> str:
    """``text`` with blanks in place of comments and strings."""
    return _NO_CODE.sub(lambda match: " " * len(match.group()), text)


def without_sizes(text: str) -> str:
    """``text`` without operands of ``sizeof``: those are not evaluated."""
    return _SIZE.sub("", text) if "sizeof" in text else text


@cache
def _whole(word: str) -> re.Pattern[str]:
    return re.compile(rf"{word}(?<!\w{word})\b")


def places(word: str, text: str) -> Iterator[re.Match[str]]:
    """Where ``word`` stands by itself; only for words of a vocabulary, as each is kept as a pattern."""
    return _whole(word).finditer(text)


# ---------------------------------------------------------------- allocations


def allocated(text: str, words: Names) -> Iterator[tuple[str, list[str]]]:
    """Functions that allocate, and the names that may be set to what they give."""
    for allocator in words & _ALLOCATING:
        for match in places(allocator, text):
            yield allocator, _set_by(text[max(match.start() - _LOOK_BACK, 0) : match.start()])


def members_misused(text: str, words: Names) -> bool:
    """Whether a member is set to memory of the device, and one of its name is read or written through."""
    set_here = {
        name
        for allocator in words & ALLOCATORS.keys()
        if ALLOCATORS[allocator] == "device"
        for match in places(allocator, text)
        for name in _MEMBER_SET.findall(text[max(match.start() - _LOOK_BACK, 0) : match.start()])
    }
    if set_here and any(name in set_here for pair in _MEMBER_USED.findall(text) for name in pair):
        return True
    if "alloc_device" not in text:
        return False
    if _MEMBER_LISTED.search(text) and _MEMBER_USED.search(text):
        return True
    elements = set(_ELEMENT_SET.findall(text))
    return bool(elements) and any(each in elements for pair in _ELEMENT_USED.findall(text) for each in pair)


def uses_members(text: str, members: Names, read: Collection[str]) -> bool:
    """Whether a text reads or writes through one of ``members``, of whatever object; ``read`` are variables."""
    return not members.isdisjoint(read) or any(each in members for pair in _MEMBER_USED.findall(text) for each in pair)


def made_by(text: str, functions: Names) -> Iterator[list[str]]:
    """The names that may be set to what one of ``functions`` gives."""
    for function in functions:
        for match in re.finditer(rf"\b{function}\b", text):
            yield _set_by(text[max(match.start() - _LOOK_BACK, 0) : match.start()])


def handed(text: str, functions: Container[str]) -> Names:
    """Names that are handed as they are to one of ``functions``."""
    found = (match[2] for match in _CALL.finditer(text) if match[1] in functions)
    return frozenset(word for arguments in found for word in _WORD.findall(arguments))


def is_plain(allocator: str) -> bool:
    """Whether an allocator is one of the C or C++ library."""
    return allocator in _PLAIN


def _set_by(before: str) -> list[str]:
    """What gets the value that stands after ``before``: the name before ``=``, else any that may be made from it.

    An element or a member is none: of these it is not followed what they point to.
    """
    statement = _STATEMENT.split(before)[-1]
    target, is_set, _ = statement.rpartition("{")[2].rpartition("=")
    if not is_set:
        return _WORD.findall(statement)
    return [] if _PART.search(target) else _WORD.findall(target)[-1:]


def freed(text: str, words: Names) -> tuple[Names, Names]:
    """What is freed by the C or C++ library, and what by SYCL."""
    by_library: set[str] = {*_DELETE.findall(text)} if "delete" in words else set()
    by_sycl: set[str] = set()
    for match in _FREE.finditer(text) if "free" in words else ():
        given = match["given"]
        qualifier = text[max(match.start() - 8, 0) : match.start()].rstrip()
        is_sycl = qualifier.endswith("sycl::") or "," in given
        pointer = _WHOLE.match(given)
        if pointer is not None:
            (by_sycl if is_sycl else by_library).add(pointer[1])
    return frozenset(by_library), frozenset(by_sycl)


# ---------------------------------------------------------------- assignments


def assigned(text: str, names: Container[str]) -> Iterator[tuple[str, PointerBase]]:
    """Which of ``names`` are set, and what to."""
    position = text.find("=")
    while position >= 0:
        target = _TARGET.search(_last_of(text, position))
        if target is not None and target[1] in names and text[position + 1 : position + 2] != "=":
            value = _BASE.match(text, position + 1, position + 1 + _BEHIND)
            if value is not None:
                yield (
                    target[1],
                    PointerBase(value["name"], bool(value["address"]), value["next"] or "", value["method"]),
                )
        position = text.find("=", position + 1)


def _last_of(text: str, end: int) -> str:
    """What stands before ``end`` without a blank in it, as far as that matters."""
    return (text[max(end - _BEFORE, 0) : end].split() or [""])[-1]


def swapped(text: str) -> list[tuple[str, str]]:
    """Pairs of variables that exchange their values."""
    return _SWAPPED.findall(text) if "swap" in text else []


def changed(text: str, words: Names) -> Names:
    """What a text may write or free."""
    if words & _CHANGING:
        return words
    found = {name for left in _SET.split(text)[:-1] for name in _WORD.findall(_LEFT.split(left)[-1])}
    found.update(name for pair in _STEPPED.findall(text) for name in pair)
    found.update(name for name, method in _METHOD.findall(text) if method not in _QUIET)
    return frozenset(found)


# ----------------------------------------------------------------------- uses


def read_through(text: str, words: Names, beside: Collection[str]) -> set[str]:
    """Names through which memory is read or written; a star before one of ``beside`` may belong to its declaration."""
    found = {*indexed(text), *starred(text, beside)}
    for name in words & _C_LIBRARY:
        found.update(_given_to(name, text, plain=True))
    for name in words & ALGORITHMS if "std" in words else ():
        found.update(_given_to(name, text, plain=False))
    return found


def _given_to(name: str, text: str, *, plain: bool) -> Iterator[str]:
    """The words in the arguments of a library's function, which ``plain`` may be called without ``std::``."""
    for match in places(name, text):
        given = _GIVEN.match(text, match.end())
        before = text[max(match.start() - 12, 0) : match.start()]
        if given is not None and ((plain and before[-1:] not in (":", ".", ">")) or _STANDARD.search(before)):
            yield from _WORD.findall(given[1])


def used_after_mkl(text: str) -> bool:
    """Whether something that a function of oneMKL is given may be read or freed before the next wait."""
    for match in _OF_MKL.finditer(text):
        before, _, _ = text[match.end() :].partition("wait")
        used = {*indexed(before), *starred(before, ())}.union(*freed(before, words_in(before)))
        if not used.isdisjoint(words_in(" ".join(arguments(before)))):
            return True
    return False


def indexed(text: str) -> Iterator[str]:
    """Names before ``[`` and ``->``."""
    for match in _INDEX.finditer(text):
        name = _INDEXED.search(_last_of(text, match.start()))
        if name is not None:
            yield name[1]


def starred(text: str, beside: Collection[str]) -> Iterator[str]:
    """Names behind a ``*`` that is no product."""
    for match in _STAR.finditer(text):
        before = _BEFORE_STAR.search(text, max(match.start() - 8, 0), match.start())
        if before is not None and not (before.group()[:1] == "," and match[1] in beside):
            yield match[1]


def arguments(text: str) -> list[str]:
    """The arguments in ``(a, b)``, which may follow template arguments."""
    opening = text.find("(")
    if opening < 0:
        return []
    depth, start, found = 0, opening + 1, []
    for match in _BRACKET.finditer(_without_templates(text), opening):
        mark, position = match.group(), match.start()
        if mark in "([{":
            depth += 1
        elif mark in ")]}":
            depth -= 1
            if not depth:
                if text[start:position].strip():
                    found.append(text[start:position])
                break
        elif depth == 1:
            found.append(text[start:position])
            start = position + 1
    return found


def _without_templates(text: str) -> str:
    """``text`` with blanks for template arguments, whose commas separate no others."""
    found = 1 if "<" in text else 0
    while found:
        text, found = _TEMPLATE.subn(lambda match: " " * len(match.group()), text)
    return text
