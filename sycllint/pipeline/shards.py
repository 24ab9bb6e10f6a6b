"""One part of a project's files, for one of several machines: each file is in one part, whoever works it out.

Files that are seen together, those of one program, stay together. Programs are taken in the order of their paths and
cut where the bytes before them reach the next part, so that parts weigh about the same, neighbours stay neighbours,
and a file that is added moves few others.
"""

import os
from collections.abc import Callable, Sequence

from sycllint.config import Config
from sycllint.grouping import grouped
from sycllint.record import record
from sycllint.source.files import Candidate, shown

MOST = 10_000
"""Parts of one run; a report that names more of them is damaged."""
MOST_TOGETHER = 300
"""A program of more files than this is cut by folders: kept together, it would be one part."""


@record
class Shard:
    """Part ``number``, from 1, of ``count``."""

    number: int
    count: int

    def __str__(self) -> str:
        """As on the command line: ``3/8``."""
        return f"{self.number}/{self.count}"

    @classmethod
    def of(cls, text: str) -> "Shard | None":
        """What ``text``, as on the command line, means; ``None`` when that is no part of at most ``MOST``."""
        number, _, count = text.partition("/")
        if not (number.isdecimal() and count.isdecimal() and len(text) <= len(f"{MOST}/{MOST}")):
            return None
        return cls(int(number), int(count)) if 1 <= int(number) <= int(count) <= MOST else None


def share(
    listed: Sequence[tuple[Candidate, Config]], shard: Shard, program_of: Callable[[str, Config], str], root: str
) -> list[tuple[Candidate, Config]]:
    """Those of ``listed`` that are in the part, in their order.

    ``program_of``: the folder of the program that a file belongs to. It depends on the files and their sizes alone,
    named from ``root``: neither on the order of ``listed`` nor on the working directory.
    """
    of_program = grouped(
        (program_of(candidate.path, config), number) for number, (candidate, config) in enumerate(listed)
    )
    programs: dict[str, list[int]] = {}
    for program, inside in of_program.items():
        for number in inside:
            folder = program if len(inside) <= MOST_TOGETHER else os.path.dirname(listed[number][0].path)
            programs.setdefault(shown(folder or ".", root), []).append(number)
    sizes = {name: sum(_size(listed[number][0].path) for number in inside) for name, inside in programs.items()}
    total = sum(sizes.values())
    before = 0
    chosen: set[int] = set()
    for name in sorted(programs):
        # Where the middle of the program lies, in parts of the whole.
        if (2 * before + sizes[name]) * shard.count // (2 * total) == shard.number - 1:
            chosen.update(programs[name])
        before += sizes[name]
    return [each for number, each in enumerate(listed) if number in chosen]


def _size(path: str) -> int:
    """Bytes, of which an empty or unreadable file has one."""
    try:
        return max(1, os.stat(path).st_size)
    except OSError:
        return 1
