"""Which versions of sycllint a project takes: ``>=0.3,<0.4``."""

import re
from collections.abc import Callable

from sycllint.errors import SycllintError

Release = tuple[int, ...]

_CLAUSE = re.compile(r"\s*+(==|!=|>=|<=|~=|>|<|)\s*+(\d++(?:\.\d++)*+)\s*+")

_COMPARISONS: dict[str, Callable[[Release, Release], bool]] = {
    "": lambda version, wanted: version == wanted,
    "==": lambda version, wanted: version == wanted,
    "!=": lambda version, wanted: version != wanted,
    ">=": lambda version, wanted: version >= wanted,
    "<=": lambda version, wanted: version <= wanted,
    ">": lambda version, wanted: version > wanted,
    "<": lambda version, wanted: version < wanted,
}


def satisfies(version: str, requirement: str) -> bool:
    """Whether ``version`` meets every clause; a number alone means exactly it.

    Raises ``SycllintError`` for what is no requirement. The operators are those of PyPA's version specifiers; of a
    version only the numbers at its start count.
    """
    return all(_meets(_release(version), clause, requirement) for clause in requirement.split(","))


def _meets(version: Release, clause: str, requirement: str) -> bool:
    match = _CLAUSE.fullmatch(clause)
    if match is None:
        raise SycllintError(f"{requirement!r} is no requirement of a version; write one as >=0.3,<0.4")
    wanted = _release(match[2])
    if match[1] == "~=":  # at least this, and all but the last number stay
        kept = match[2].count(".")
        return version >= wanted and version[:kept] == wanted[:kept]
    return _COMPARISONS[match[1]](version, wanted)


def _release(version: str) -> Release:
    """The numbers of a version without zeros at the end: 0.3.0 is 0.3."""
    numbers = re.match(r"\d+(?:\.\d+)*", version)
    parts = [int(each) for each in numbers[0].split(".")[:8]] if numbers else []
    while parts and parts[-1] == 0:
        parts.pop()
    return tuple(parts)
