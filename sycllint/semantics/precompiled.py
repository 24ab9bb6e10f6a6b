"""SYCL's headers as clang has parsed them once, for all units of a process that are parsed under the same settings.

They are nine tenths of the cost of a unit. The parsed form is held in a file in memory, where the system has such
files (Linux): it goes with the process. A unit that is not understood with it is parsed again without.
"""

import os
import tempfile
from typing import TYPE_CHECKING

from sycllint.record import NamedTuple
from sycllint.semantics.commands import ClangInvocation
from sycllint.semantics.library import load

if TYPE_CHECKING:
    from clang.cindex import TranslationUnit

_FOR_SERIALIZATION = 0x10
"""CXTranslationUnit_ForSerialization (clang-c/Index.h), which the Python bindings leave out."""


class Precompiled(NamedTuple):
    """Headers that were parsed, and where the outcome is."""

    path: str
    includes: frozenset[str]
    """The files that were read."""


class PrecompiledHeaders:
    """The precompiled headers of one process, made when a second unit needs the same: for one unit they do not pay."""

    def __init__(self) -> None:
        self._made: dict[tuple[str, ...], Precompiled | None] = {}
        self._asked: set[tuple[str, ...]] = set()

    def of(self, command: ClangInvocation, library: str | None = None) -> Precompiled | None:
        """The precompiled SYCL headers of a command; ``None`` where they do not pay, or cannot be made."""
        if not hasattr(os, "memfd_create") or any(
            each.startswith(("-include", "-imacros")) for each in command.arguments
        ):
            return None
        key = _settings(command)
        if key not in self._asked:
            self._asked.add(key)
            return None
        if key not in self._made:
            self._made[key] = _precompiled(command.headers, key, library)
        return self._made[key]

    def forget(self, command: ClangInvocation) -> None:
        """Not to be used again: it does not suit the units, or its headers have changed."""
        self._made[_settings(command)] = None


def _settings(command: ClangInvocation) -> tuple[str, ...]:
    """The arguments that bear on SYCL's headers: neither the project's folders nor its own macros."""
    return tuple(each for each in command.arguments if not each.startswith("-I") and not _is_own_macro(each))


def _is_own_macro(argument: str) -> bool:
    """Whether it defines or undefines a macro whose name is not one of the implementation's or of SYCL's."""
    return argument.startswith(("-D", "-U")) and not argument[2:].startswith(("_", "SYCL", "NDEBUG"))


def _precompiled(headers: str, settings: tuple[str, ...], library: str | None) -> Precompiled | None:
    from clang.cindex import TranslationUnit, TranslationUnitLoadError, TranslationUnitSaveError

    load(library)
    candidates = [os.path.join(headers, name, "sycl.hpp") for name in ("sycl", "CL")]
    header = next(filter(os.path.isfile, candidates), None)
    if header is None:
        return None
    arguments = ["-xc++-header" if each == "-xc++" else each for each in settings]
    options = TranslationUnit.PARSE_INCOMPLETE | _FOR_SERIALIZATION
    try:
        unit = TranslationUnit.from_source(header, args=arguments, options=options)
        if any(each.severity >= each.Error for each in unit.diagnostics):
            return None
        return Precompiled(
            _in_memory(unit), frozenset([header, *(str(each.include.name) for each in unit.get_includes())])
        )
    except (TranslationUnitLoadError, TranslationUnitSaveError, OSError):
        return None


def _in_memory(unit: "TranslationUnit") -> str:
    """The path of a file that is on no disk, with what clang writes of a unit."""
    with tempfile.TemporaryDirectory(prefix="sycllint") as folder:
        written = os.path.join(folder, "sycl.pch")
        unit.save(written)
        with open(written, "rb") as file:
            content = file.read()
    descriptor = os.memfd_create("sycllint-sycl.pch")
    with open(descriptor, "wb", closefd=False) as held:
        held.write(content)
    return f"/proc/self/fd/{descriptor}"
