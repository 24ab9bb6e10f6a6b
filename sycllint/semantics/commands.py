"""The compiler arguments under which a file is parsed: those of its compile command, as far as libclang knows them.

What only a SYCL compiler understands is left out; folders of headers that libclang lacks are put in.
"""

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache

from sycllint.builds.database import by_source
from sycllint.builds.predefined import LANGUAGE_VERSION, predefined
from sycllint.record import record
from sycllint.source.disk import Disk

INCLUDE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "include")
STANDARD = "-std=c++20"
"""The default language standard; SYCL 2020 needs C++17, and current code uses more."""

_FORCED = "-include"
_FORCING = (_FORCED, "-imacros")
_COMPILED = "-include-pch"
_WITH_VALUE = frozenset(["-I", "-D", "-U", "-isystem", "-iquote", *_FORCING, _COMPILED, "-idirafter"])
"""Options that are kept, with the word after them when they stand alone."""
_KEPT = ("-I", "-D", "-U", "-std=", "--std=", "-isystem", "-iquote", "-idirafter", "-pthread")
_LANGUAGE = frozenset(
    f"-f{negated}{each}"
    for negated in ("", "no-")
    for each in (
        "exceptions", "cxx-exceptions", "rtti", "short-enums", "signed-char", "unsigned-char", "short-wchar",
        "char8_t", "ms-extensions", "permissive", "ms-compatibility", "declspec", "gnu-keywords", "coroutines",
        "concepts-ts", "blocks", "delayed-template-parsing", "sized-deallocation", "aligned-allocation",
        "fast-math", "strict-enums", "operator-names", "strict-aliasing", "builtin", "hosted", "freestanding",
        "relaxed-template-template-args", "visibility-ms-compat",
    )
)  # fmt: skip
"""Other options that change the meaning of the source. The rest concerns code generation, loads plugins,
reads compiled headers, writes files, or raises limits (Clang command line argument reference)."""
_SYCL_HEADERS = ("sycl", "CL")


@record
class ClangInvocation:
    """The file, arguments and headers with which clang parses one file."""

    arguments: tuple[str, ...]
    listed: bool
    """A compilation database has the file."""
    headers: str
    """The folder of the SYCL headers."""
    own_headers: bool
    """Whether the headers are sycllint's own declarations."""


def command_of(
    path: str,
    *,
    database: str | None,
    defines: Mapping[str, str],
    folders: Sequence[str],
    headers: str | None,
    disk: Disk,
) -> ClangInvocation:
    """The command for ``path``: its entry in ``database``, else defaults with ``defines`` and ``folders``.

    ``headers``: the folder with ``sycl/sycl.hpp``; ``None`` to look for one.
    """
    words = _entry(database, os.path.abspath(path), disk) if database is not None else None
    listed = words is not None
    if words is None:
        words = [f"-D{name}={text}" for name, text in defines.items()]
        words += [f"-I{os.path.abspath(each)}" for each in folders]
    kept = list(_understood(words))
    if not any(each.startswith(("-std=", "--std=")) for each in kept):
        kept.append(STANDARD)
    found = headers or _given(kept) or installed_headers() or os.path.join(INCLUDE, "declarations")
    own = found == os.path.join(INCLUDE, "declarations")
    systems = [found, os.path.join(found, "sycl")] if not own else [found]
    arguments = ["-xc++", *kept, "-D__SYCLLINT__=1", "-ferror-limit=0", "-Wno-everything"]
    arguments += [f"-isystem{each}" for each in (os.path.join(INCLUDE, "builtin"), *systems)]
    return ClangInvocation(tuple(arguments), listed, found, own)


def _entry(database: str, path: str, disk: Disk) -> list[str] | None:
    """The arguments of the first entry of a source, without the compiler's name, with what it defines by itself."""
    found = by_source(database, disk).get(os.path.normpath(path))
    if found is None:
        return None
    given = (each for each in found[0].words[1:] if each != "-Xclang")
    words = [_absolute(each, found[0].folder) for each in _joined(given)]
    version = predefined(found[0].words).choices.get(LANGUAGE_VERSION)
    return words if version is None else [f"-D{LANGUAGE_VERSION}={version.texts[0]}", *words]


def _joined(words: Iterable[str]) -> Iterator[str]:
    """``-I dir`` as one word; the file and the output left out by those who follow."""
    pending = ""
    for each in words:
        if pending:
            yield pending + each
            pending = ""
        elif each in _WITH_VALUE:
            pending = each
        else:
            yield each


def _absolute(word: str, folder: str) -> str:
    for option in ("-I", "-isystem", "-iquote", "-idirafter"):
        if word.startswith(option) and len(word) > len(option):
            return option + os.path.normpath(os.path.join(folder, word.removeprefix(option)))
    if word.startswith(_COMPILED):
        return _FORCED + _header_of(os.path.join(folder, word.removeprefix(_COMPILED)))
    for option in _FORCING:
        file = os.path.join(folder, word.removeprefix(option))
        if word.startswith(option) and os.path.isfile(file):
            return option + os.path.normpath(file)
    return word


def _header_of(compiled: str) -> str:
    """The header of which a precompiled one was made, beside it; itself where there is none."""
    header = compiled.removesuffix(".pch").removesuffix(".gch")
    return next((each for each in (header, f"{header}.h", f"{header}.hpp") if os.path.isfile(each)), compiled)


def _understood(words: Sequence[str]) -> Iterator[str]:
    for each in words:
        option = next((option for option in _FORCING if each.startswith(option)), None)
        if option is not None and not each.startswith(f"{option}-"):
            # Given to the driver, ``-include`` would take a precompiled header beside it, which another compiler made.
            file = each.removeprefix(option)
            yield from ("-Xclang", option, "-Xclang", file) if file and not file.endswith((".pch", ".gch")) else ()
        elif each in _LANGUAGE or each.startswith(_KEPT):
            yield each


def _given(words: Sequence[str]) -> str | None:
    """The folder of SYCL headers among the include folders of a command."""
    for each in words:
        for option in ("-isystem", "-I", "-idirafter"):
            folder = each.removeprefix(option)
            if each.startswith(option) and _has_sycl(folder):
                return folder
    return None


@cache
def installed_headers() -> str | None:
    """SYCL headers of this machine: oneAPI, AdaptiveCpp, or the Python package intel-sycl-rt."""
    import sys

    roots = [os.environ.get("CMPLR_ROOT"), os.environ.get("ACPP_ROOT")]
    oneapi = os.environ.get("ONEAPI_ROOT", "/opt/intel/oneapi")
    roots += [os.path.join(oneapi, "compiler", "latest"), os.path.join(oneapi, "compiler", "latest", "linux")]
    roots += ["/opt/adaptivecpp", "/usr/local", "/usr", sys.prefix]
    for root in roots:
        for folder in ("include", os.path.join("include", "AdaptiveCpp")):
            if root and _has_sycl(os.path.join(root, folder)):
                return os.path.join(root, folder)
    return None


def _has_sycl(folder: str) -> bool:
    return any(os.path.isfile(os.path.join(folder, each, "sycl.hpp")) for each in _SYCL_HEADERS)
