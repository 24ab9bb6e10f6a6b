"""What the names look like that SYCL has given up, for a search through the text of a file.

Each kind of name is looked for by a plain piece of it first, and its pattern begins with a letter: both are searches at
the speed of memory.
"""

import re
from functools import cache


def _word(text: str) -> bytes:
    r"""A pattern for the beginning of a word: ``\b`` in front of it would hide its first letter from the search."""
    return rb"%s(?<!\w%s)" % (text.encode(), text.encode())


_DOUBLE_COLON = rb"[ \t]*::[ \t]*"
_SELECTORS = rb"|".join(_word(each) for each in ("default", "gpu", "cpu", "accelerator", "host"))

NAMES: dict[str, tuple[tuple[bytes, ...], bytes]] = {
    "header": ((b"CL/sycl.hpp",), rb"^[ \t]*#[ \t]*include[ \t]*[<\"]CL/sycl\.hpp[>\"]"),
    "namespace": (
        (b"::sycl", b":: sycl"),
        rb"cl(?<![\w:>]cl)" + _DOUBLE_COLON + rb"sycl\b|::(?<![\w:>]::)[ \t]*cl" + _DOUBLE_COLON + rb"sycl\b",
    ),
    "outer_namespace": (
        (b"namespace cl", b"namespace\tcl", b"namespace  cl"),
        _word("using") + rb"[ \t]+namespace[ \t]+cl[ \t]*;|" + _word("namespace") + rb"[ \t]+cl[ \t\r\n]*\{",
    ),
    "selector": ((b"_selector",), rb"(?:" + _SELECTORS + rb")_selector\b"),
    "local_target": ((b"::local", b":: local"), _word("target") + _DOUBLE_COLON + rb"local\b"),
    "atomic": (
        (b"::atomic", b":: atomic"),
        rb"atomic(?<=sycl::atomic)(?=[ \t]*<)|" + _word("mode") + _DOUBLE_COLON + rb"atomic\b",
    ),
    "discard": ((b"discard_",), _word("mode") + _DOUBLE_COLON + rb"discard_(?:read_)?write\b"),
    "hierarchical": (
        (b"parallel_for_work_",),
        _word("parallel_for_work_") + rb"(?:group|item)\b(?=[ \t]*[<(])",
    ),
    "extension": (
        (b"sycl::ONEAPI", b"sycl::INTEL", b"sycl::intel"),
        rb"ONEAPI(?<=sycl::ONEAPI)(?=[ \t]*::)|(?:INTEL|intel)(?<=sycl::.....)(?=[ \t]*::)",
    ),
    "attribute": (
        (b"reqd_sub_group_size",),
        rb"(?:" + _word("intel") + rb"|" + _word("cl") + rb")" + _DOUBLE_COLON + rb"reqd_sub_group_size\b",
    ),
}
"""For each kind of old name a piece that is in it, and what it looks like: SYCL 2020, "What has changed from previous
versions"."""
_BARRIER = _word("barrier") + rb"[ \t]*\("
"""A member function that only the objects it is called on make an old one."""
_OFFSET = _word("id") + rb"[ \t]*<[^<>]*>\s*(?:\w+\s*)?[({]"
"""An id made on the host, which is an offset."""


def may_be_old(content: bytes) -> bool:
    """Whether a file may hold something outdated, in code or not."""
    return (
        any(_pattern(NAMES[kind][1]).search(content) for kind in _kinds(content))
        or (b"barrier" in content and _pattern(_BARRIER).search(content) is not None)
        or b"get_offset" in content
        or _pattern(_OFFSET).search(content) is not None
    )


def matches(content: bytes) -> list[tuple[re.Match[bytes], str]]:
    """The occurrences of each kind of name, in the order of the text."""
    found = [(match, kind) for kind in _kinds(content) for match in _pattern(NAMES[kind][1]).finditer(content)]
    return sorted(found, key=lambda each: each[0].start())


def _kinds(content: bytes) -> list[str]:
    return [kind for kind, (pieces, _) in NAMES.items() if any(each in content for each in pieces)]


@cache
def _pattern(text: bytes) -> re.Pattern[bytes]:
    """Compiled when it is first needed: most runs need few of them."""
    return re.compile(text, re.MULTILINE)
