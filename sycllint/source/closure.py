"""The files that one file includes, directly or not, in the preprocessor's order."""

import os
from collections import OrderedDict
from typing import TypeAlias

from sycllint.record import NamedTuple
from sycllint.source.disk import Asked, Disk
from sycllint.source.includes import IncludeDirective, is_foreign, resolve
from sycllint.source.index import nearby, own_folders
from sycllint.source.projects import program_folder, project_folder

DEEPEST = 40
"""Include directives that lead to one file. More are a circle that guards end."""
KEPT = 4
"""Closures that are kept: the files of a folder have the same few roots."""


class ClosureFile(NamedTuple):
    """One file of a closure."""

    path: str
    position: tuple[int, ...]
    """The offsets of the include directives that lead to it."""
    includes: tuple[tuple[IncludeDirective, str], ...]
    """The include directives that are resolved, with their files."""


_Under: TypeAlias = tuple[tuple[str, ...], dict[str, tuple[tuple[tuple[IncludeDirective, str], ...], Asked]]]
"""An include path, and by file the include directives that are resolved under it."""


class Closures:
    """Include closures under one configuration."""

    def __init__(self, disk: Disk) -> None:
        self._disk = disk
        self._now: _Under = ((), {})
        """Those under the include path that was asked for last."""
        self._before: _Under = ((), {})
        """Those under the one before it: a file and its users are often looked at under two in turns."""
        self._kept: OrderedDict[tuple[str, tuple[str, ...]], tuple[tuple[ClosureFile, ...], Asked]] = OrderedDict()

    def of(self, root: str, folders: tuple[str, ...]) -> tuple[ClosureFile, ...]:
        """``root`` and what it includes, each file once; ``folders`` are the include path with which it is compiled."""
        key = (root, folders)
        known = self._kept.pop(key, None)
        if known is None:
            with self._disk.asking() as asked:
                known = (self._walked(root, folders), asked)
        self._kept[key] = known
        if len(self._kept) > KEPT:
            self._kept.popitem(last=False)
        self._disk.rest_on(known[1])
        return known[0]

    def _walked(self, root: str, folders: tuple[str, ...]) -> tuple[ClosureFile, ...]:
        members: dict[str, ClosureFile] = {}
        waiting: list[tuple[str, tuple[int, ...]]] = [(root, ())]
        while waiting:
            path, position = waiting.pop()
            if path in members or len(position) > DEEPEST:
                continue
            includes = self.includes(path, folders)
            members[path] = ClosureFile(path, position, includes)
            waiting += (
                (target, (*position, directive.offset))
                for directive, target in reversed(includes)
                if target not in members
            )
        return tuple(members.values())

    def reached(self, root: str, folders: tuple[str, ...]) -> frozenset[str]:
        """``root`` and what it includes, without an order, and however many directives lead there."""
        found, waiting = {root}, [root]
        while waiting:
            new = {target for _, target in self.includes(waiting.pop(), folders)} - found
            found |= new
            waiting += new
        return frozenset(found)

    def includes(self, path: str, folders: tuple[str, ...]) -> tuple[tuple[IncludeDirective, str], ...]:
        """The include directives of a file whose file is known, with that file."""
        if folders != self._now[0]:
            self._now, self._before = self._before if folders == self._before[0] else (folders, {}), self._now
        answers = self._now[1]
        known = answers.get(path)
        if known is None:
            known = answers[path] = self._disk.answered(
                ("includes", path, folders), lambda: self._resolved(path, folders)
            )
        self._disk.rest_on(known[1])
        return known[0]

    def _resolved(self, path: str, folders: tuple[str, ...]) -> tuple[tuple[IncludeDirective, str], ...]:
        folder = os.path.dirname(path)
        searched = (*folders, *own_folders(program_folder(folder, self._disk)))
        found: list[tuple[IncludeDirective, str]] = []
        for directive in self._disk.outline(path).includes:
            target = resolve(directive, folder, searched, self._disk.is_file_in)
            if target is None and not is_foreign(directive.path):
                target = nearby(project_folder(folder, self._disk), path, directive.path, self._disk)
            if target is not None:
                found.append((directive, target))
        return tuple(found)
