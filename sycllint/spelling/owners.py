"""Whose text a file is: of a SYCL implementation's own, another language's or a generator's no old name is reported."""

import re

_IMPLEMENTATION = re.compile(
    r"(^|/)(sycl-cts|trisycl|hipsycl|adaptivecpp|computecpp|include/(cl/)?sycl|include/(hipsycl|acpp|trisycl)"
    r"|oneapi/dpl)(/|$)",
    re.IGNORECASE,
)
"""Folders of the implementations and of their conformance tests, which use the old names on purpose."""
_DEFINES_SYCL = re.compile(
    rb"\bnamespace\s+(?:cl\s*(?:::|\{\s*(?:inline\s+)?namespace)\s*)?sycl\s*\{(?:[^{}]|\{[^{}]*\}){0,4000}?"
    rb"\b(?:class|struct)\s+(?:queue|handler|nd_item|accessor|buffer|device_selector)\b\s*(?:final\s*)?[:{]"
)
_OTHER_LANGUAGE = re.compile(r"(^|/)(cuda|hip|rocm)(/(?!.*(sycl|dpc))|$)", re.IGNORECASE)
"""Folders of backends in other languages, beside which a project has one for SYCL."""
_SYCL = re.compile(rb"^[ \t]*#[ \t]*include[ \t]*[<\"](?:CL|sycl)/sycl\.hpp[>\"]", re.MULTILINE)
_GENERATED = re.compile(rb"@generated|auto(?:matically)?[- ]generated|DO NOT EDIT", re.IGNORECASE)
_HEAD = 2_000
"""Bytes at the start of a file in which a generator signs."""
_MIGRATED = re.compile(r"(^|/)[^/]*dpct_output[^/]*(/|$)")


def is_foreign(path: str, content: bytes) -> bool:
    """Whether the text is a SYCL implementation's own, another language's, or a generator's."""
    return (
        _IMPLEMENTATION.search(path) is not None
        or (_OTHER_LANGUAGE.search(path.rpartition("/")[0]) is not None and _SYCL.search(content) is None)
        or _GENERATED.search(content[:_HEAD]) is not None
        or _DEFINES_SYCL.search(content) is not None
    )


def is_raw_migration(path: str) -> bool:
    """Whether the file is in a folder with unchanged output of the migration tool (``01_dpct_output``)."""
    return _MIGRATED.search(path) is not None
