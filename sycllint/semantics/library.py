"""The library libclang, loaded when it is wanted, and the few of its functions that its Python bindings leave out."""

import ctypes
from functools import cache
from typing import TYPE_CHECKING

from sycllint.errors import SycllintError
from sycllint.record import NamedTuple

if TYPE_CHECKING:
    from clang.cindex import Cursor, File, TranslationUnit

_INTEGER = 1
"""CXEval_Int (clang-c/Index.h, CXEvalResultKind)."""


class Library(NamedTuple):
    """The libclang that was loaded."""

    version: str
    bindings: str
    """The file of its Python bindings, which changes with it."""


@cache
def load(path: str | None = None) -> Library:
    """Load the libclang at ``path``, or where its Python package has it.

    Raises ``SycllintError`` when there is none. The first path decides for the process.
    """
    try:
        from clang import cindex
    except ImportError:
        raise SycllintError("--deep needs libclang (pip install 'sycllint[deep]')") from None
    if path is not None and not cindex.Config.loaded:
        cindex.Config.set_library_file(path)
    try:
        library = cindex.conf.lib
        _declare(library)
        return Library(_version(library), str(cindex.__file__))
    except (cindex.LibclangError, AttributeError, OSError) as error:
        raise SycllintError(f"libclang cannot be loaded: {str(error).splitlines()[0]}") from None


def constant(cursor: "Cursor") -> int | None:
    """The integer that clang folds an expression to; ``None`` when it is not a constant."""
    from clang import cindex

    library = cindex.conf.lib
    result = library.clang_Cursor_Evaluate(cursor)
    if not result:
        return None
    try:
        if library.clang_EvalResult_getKind(result) != _INTEGER:
            return None
        if library.clang_EvalResult_isUnsignedInt(result):
            return int(library.clang_EvalResult_getAsUnsigned(result))
        return int(library.clang_EvalResult_getAsLongLong(result))
    finally:
        library.clang_EvalResult_dispose(result)


def file_in(unit: "TranslationUnit", path: str) -> "File | None":
    """A file that was read for a unit; ``None`` when it was not."""
    from clang import cindex

    found = cindex.conf.lib.clang_getFile(unit, path)
    return cindex.File(found) if found else None


def specialized(cursor: "Cursor") -> "Cursor | None":
    """The template that a declaration was made from; ``None`` when it was not."""
    from clang import cindex

    found = cindex.conf.lib.clang_getSpecializedCursorTemplate(cursor)
    return found if isinstance(found, cindex.Cursor) else None


def _declare(library: ctypes.CDLL) -> None:
    from clang import cindex

    pointer = ctypes.c_void_p
    for name, arguments, result in (
        ("clang_Cursor_Evaluate", [cindex.Cursor], pointer),
        ("clang_EvalResult_getKind", [pointer], ctypes.c_int),
        ("clang_EvalResult_isUnsignedInt", [pointer], ctypes.c_uint),
        ("clang_EvalResult_getAsUnsigned", [pointer], ctypes.c_ulonglong),
        ("clang_EvalResult_getAsLongLong", [pointer], ctypes.c_longlong),
        ("clang_EvalResult_dispose", [pointer], None),
    ):
        function = getattr(library, name)
        function.argtypes = arguments
        function.restype = result


def _version(library: ctypes.CDLL) -> str:
    from clang import cindex

    library.clang_getClangVersion.restype = cindex._CXString
    library.clang_getClangVersion.errcheck = cindex._CXString.from_result
    return str(library.clang_getClangVersion())
