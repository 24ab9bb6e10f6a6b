"""A C++ front end for the units of a run: each is parsed when something is asked of it, and the last ones are kept."""

import os
import re
import sysconfig
from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from functools import partial

from sycllint.builds.database import database_of
from sycllint.config import Deep
from sycllint.errors import SycllintError
from sycllint.pipeline.absent_headers import absent_headers
from sycllint.semantics.commands import ClangInvocation, command_of
from sycllint.semantics.library import load
from sycllint.semantics.missing import bringing
from sycllint.semantics.precompiled import PrecompiledHeaders
from sycllint.semantics.unit import ParsedUnit, parse
from sycllint.source.disk import Asked, Disk
from sycllint.source.files import shown
from sycllint.symbols.unit import Unit
from sycllint.values.deep import DeepOracle

_REMEMBERED = 2
"""Units that are kept parsed: a file and the headers it includes are looked at one after the other."""
_CONDITION = re.compile(rb"^[ \t]*#[ \t]*if", re.MULTILINE)
_GUARD = re.compile(
    rb"\A(?:\s|//[^\n]*+\n|/\*.*?(?:\*/|\Z))*+#[ \t]*ifndef[ \t]+(\w+)\s+#[ \t]*define[ \t]+\1\s", re.DOTALL
)
_PRECOMPILED = PrecompiledHeaders()
_NOT_ASKED = "{}; not linted with --deep, but as without it"
_SOURCES = (".cpp", ".cc", ".cxx", ".c++", ".cp", ".sycl", ".c", ".cppm", ".ixx")


class FrontEnd:
    """What the configuration asks of libclang, and the units that it has parsed."""

    def __init__(self, deep: Deep, disk: Disk | None = None, texts: Mapping[str, bytes] | None = None) -> None:
        """``texts`` stand in for the contents of files, by path. libclang is loaded when it is first asked."""
        self._deep = deep
        self._disk = disk or Disk()
        self._texts = texts or {}
        self._units: OrderedDict[str, tuple[ParsedUnit | None, Asked]] = OrderedDict()
        self._notices: dict[str, str] = {}

    def asked(
        self, unit: Unit, root: str, defines: Mapping[str, str], folders: Sequence[str], is_settled: Callable[[], bool]
    ) -> DeepOracle | None:
        """What answers for ``unit``, that of ``root``; ``None`` where the front end is not wanted.

        ``is_settled``: whether it is known how the unit is compiled, should no compilation database have it.
        """
        if not root.endswith(_SOURCES):
            return None
        command = command_of(
            root,
            database=database_of(os.path.dirname(root), self._disk, self._deep.database),
            defines=defines,
            folders=folders,
            headers=self._deep.headers,
            disk=self._disk,
        )
        if self._deep.use == "auto" and not command.listed:
            return None
        return DeepOracle(partial(self.parsed, unit, root, command), command.listed or is_settled())

    def notices(self, root: str) -> tuple[str, ...]:
        """Why the front end does not answer for a unit, if it does not."""
        return (self._notices[root],) if root in self._notices else ()

    def parsed(self, unit: Unit, root: str, command: ClangInvocation) -> ParsedUnit | None:
        """The unit of ``root``; ``None`` when it is not understood. What is asked of it rests on all files it read."""
        if root not in self._units:
            with self._disk.asking() as questions:
                self._units[root] = (self._parsed(unit, root, command), questions)
            while len(self._units) > _REMEMBERED:
                self._units.popitem(last=False)
        self._units.move_to_end(root)
        parsed, questions = self._units[root]
        self._disk.rest_on(questions)
        return parsed

    def _parsed(self, unit: Unit, root: str, command: ClangInvocation) -> ParsedUnit | None:
        absent = absent_headers(unit, command.arguments, self._disk)
        if absent:
            self._notices[root] = _NOT_ASKED.format(_missing(root, absent))
            return None
        try:
            library = load(self._deep.library)
        except SycllintError as error:
            # What is said of the file rests on there being no libclang.
            self._disk.content(os.path.join(sysconfig.get_path("purelib"), "clang", "cindex.py"))
            self._notices[root] = f"{error}; linted without"
            return None
        parsed = self._understood(root, command)
        for path in (library.bindings, *(parsed.includes if parsed is not None else ())):
            self._disk.content(path)
        if parsed is not None and parsed.is_understood:
            return parsed
        self._notices[root] = _NOT_ASKED.format(_reason(root, parsed))
        return None

    def _understood(self, root: str, command: ClangInvocation) -> ParsedUnit | None:
        """The unit, with SYCL's headers from memory where they are there and suit it."""
        precompiled = _PRECOMPILED.of(command, self._deep.library)
        if precompiled is not None:
            parsed = parse(root, command, self._texts, self._deep.library, precompiled)
            if parsed is not None and (parsed.is_understood or parsed.missing):
                return parsed
        alone = parse(root, command, self._texts, self._deep.library)
        if precompiled is not None and alone is not None and alone.is_understood:
            _PRECOMPILED.forget(command)
        return alone


def has_conditions(content: bytes) -> bool:
    """Whether a file is compiled one way or another, beyond its include guard."""
    return len(_CONDITION.findall(content)) > (1 if _GUARD.match(content) else 0)


def _reason(root: str, parsed: ParsedUnit | None) -> str:
    """Why a unit is not understood, and what would help."""
    if parsed is None:
        return f"{root}: clang gives up"
    if not parsed.missing:
        return _relative(parsed.errors[0])
    if parsed.lacks_standard_library:
        return f"{root}: there is no C++ standard library; install the headers of a compiler, as Debian's g++"
    return _missing(root, parsed.missing)


def _missing(root: str, headers: Sequence[str]) -> str:
    found = [f"{each} ({bringing(each)})" for each in headers]
    return f"{root}: headers that are not found: {', '.join(found)}"


def _relative(error: str) -> str:
    path, colon, rest = error.partition(":")
    return shown(path) + colon + rest
