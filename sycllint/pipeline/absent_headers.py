"""The headers of a unit that are surely not there, so that no front end need be started to learn it."""

import os
from collections.abc import Iterator, Sequence

from sycllint.cpp.statement import Include
from sycllint.facts.file import FileFacts
from sycllint.semantics.missing import package_of
from sycllint.source.disk import Disk
from sycllint.symbols.unit import Unit

_SEARCHED = ("-I", "-iquote", "-isystem", "-idirafter")
_SYSTEM = ("/usr/include", "/usr/local/include")


def absent_headers(unit: Unit, arguments: Sequence[str], disk: Disk) -> tuple[str, ...]:
    """The headers that ``unit`` includes under no condition and that are in none of the folders of a command.

    Empty unless one of them is in quotes: where a compiler has headers of its own is not known here.
    """
    folders = [each.removeprefix(option) for each in arguments for option in _SEARCHED if each.startswith(option)]
    found: dict[str, bool] = {}
    for facts, include in _unconditional(unit, unit.main, set()):
        own = [os.path.dirname(facts.path)] if include.quoted else []
        if include.quoted or package_of(include.path) is not None:
            places = (os.path.join(folder, include.path) for folder in (*own, *folders, *_system_folders(disk)))
            if not any(map(disk.is_file, places)):
                found[include.path] = found.get(include.path, False) or include.quoted
    return tuple(found) if any(found.values()) else ()


def _unconditional(unit: Unit, facts: FileFacts, seen: set[str]) -> Iterator[tuple[FileFacts, Include]]:
    """The include directives outside conditionals, with the files in which they stand, as the preprocessor meets them.

    Of those that lead to files of the project, what these include.
    """
    seen.add(facts.path)
    for statement in facts.unit.statements:
        if isinstance(statement, Include):
            inner = unit.included(statement)
            if inner is None:
                yield facts, statement
            elif inner.path not in seen:
                yield from _unconditional(unit, inner, seen)


def _system_folders(disk: Disk) -> Iterator[str]:
    """Where the headers of packages are, those for one machine in a folder of its own."""
    for each in _SYSTEM:
        yield each
        yield from (os.path.join(each, name) for name in disk.listing(each).folders if "-linux-" in name)
