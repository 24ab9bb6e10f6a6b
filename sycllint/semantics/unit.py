"""One translation unit as clang sees it, and what it answers about expressions, types and kernels in it.

Questions name a file and byte offsets, as the rest of sycllint does, and the call path to the code: it
selects the instantiation of a template. Where the path does not lead into the template, there is an answer only when
all its instantiations in the unit agree and no other unit can instantiate it.
"""

import os
import re
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from sycllint.memoized import memoized
from sycllint.semantics.answers import Constant, Definition, EvalResult, Held, Way
from sycllint.semantics.commands import ClangInvocation
from sycllint.semantics.held import held_by_lambda, held_by_object
from sycllint.semantics.instances import FunctionInstantiation, FunctionInstantiations, called, innermost
from sycllint.semantics.library import constant, file_in, load, specialized
from sycllint.semantics.precompiled import Precompiled

if TYPE_CHECKING:
    from clang.cindex import Cursor, Diagnostic, File, TranslationUnit, Type

_MOST_ERRORS = 20
"""A unit with more errors is one that was not understood."""
_FATAL = 4
_ERROR = 3
_NOT_FOUND = re.compile(r"'(.+)' file not found.*")
_KEEP_GOING = 0x200
"""CXTranslationUnit_KeepGoing (clang-c/Index.h): all missing headers are reported, not only the first."""
_UNKNOWN = EvalResult(None, hangs=False)


class ParsedUnit:
    """A unit that clang has parsed."""

    def __init__(
        self, unit: "TranslationUnit", main: str, command: ClangInvocation, precompiled: Precompiled | None = None
    ) -> None:
        self._unit = unit
        self._precompiled = precompiled
        self.main = main
        """Absolute path of the main file."""
        self.command = command
        self._instances = FunctionInstantiations(unit)

    @property
    def errors(self) -> list[str]:
        """The errors of clang, as ``path:line: sentence``."""
        return [f"{each.location.file or self.main}:{each.location.line}: {each.spelling}" for each in self._failures]

    @property
    def _failures(self) -> list["Diagnostic"]:
        return [each for each in self._unit.diagnostics if each.severity >= _ERROR]

    @property
    def is_understood(self) -> bool:
        """Whether its answers are worth asking for."""
        severities = [each.severity for each in self._failures]
        return not self.missing and _FATAL not in severities and len(severities) <= _MOST_ERRORS

    @property
    def missing(self) -> tuple[str, ...]:
        """The headers that were not found, as they are named, each once."""
        found = (_NOT_FOUND.fullmatch(each.spelling) for each in self._failures)
        return tuple(dict.fromkeys(each[1] for each in found if each is not None))

    @property
    def lacks_standard_library(self) -> bool:
        """Whether no header of C++ itself was found: their names alone have no dot."""
        found = any("." not in os.path.basename(each) for each in self.includes)
        return not found and any("." not in each for each in self.missing)

    @property
    def includes(self) -> frozenset[str]:
        """The files that were read, without the main one."""
        read = frozenset(str(each.include.name) for each in self._unit.get_includes())
        return read if self._precompiled is None else read | self._precompiled.includes

    # ------------------------------------------------------------ questions

    @memoized
    def number(self, path: str, start: int, end: int, way: Way = (), in_template: bool = False) -> EvalResult:
        """The constant that clang folds the expression at ``start`` to ``end`` to.

        ``in_template``: it is known to stand in one. clang answers with the last instantiation there.
        """
        cursor = self._expression(path, start, end)
        if cursor is None:
            return _UNKNOWN
        if not _is_in_template(cursor):
            return _UNKNOWN if in_template else EvalResult(_constant(cursor), hangs=False)
        made, all_known = self._meant(path, start, end, way)
        constants = {_constant(each) if each is not None else None for each in self._expressions(made, start, end)}
        if all_known and len(constants) == 1:
            return EvalResult(constants.pop(), hangs=False)
        return EvalResult(None, hangs=any(each is not None for each in constants))

    @memoized
    def layout_of(self, path: str, offset: int, way: Way = (), in_template: bool = False) -> tuple[int, int] | None:
        """Size and alignment of the type that is named at ``offset``; clang does not say whether in a template."""
        from clang.cindex import CursorKind

        cursor = self._at(path, offset)
        if cursor is None or cursor.kind is not CursorKind.TYPE_REF:
            return None
        if not in_template:
            return _size_and_alignment(cursor.type)
        end = cursor.extent.end.offset
        made, all_known = self._meant(path, offset, end, way)
        named = [self._instances.contents(each.function).types.get(end) for each in made]
        found = {_size_and_alignment(each.type) if each is not None else None for each in named}
        return found.pop() if all_known and len(found) == 1 else None

    def size_of_variable(self, path: str, offset: int) -> int | None:
        """Bytes of the variable whose name begins at ``offset``; ``None`` in a template."""
        from clang.cindex import CursorKind

        cursor = self._at(path, offset)
        if cursor is None or cursor.kind is not CursorKind.VAR_DECL or _is_in_template(cursor):
            return None
        size = int(cursor.type.get_size())
        return size if size > 0 else None

    @memoized
    def held_by_lambda(self, path: str, offset: int, way: Way = ()) -> Held | None:
        """A lower bound, over instantiations, of what the lambda at ``offset`` holds; ``None`` without a lambda."""
        from clang.cindex import CursorKind

        cursor = self._at(path, offset)
        if cursor is None or cursor.kind is not CursorKind.LAMBDA_EXPR:
            return None
        if not _is_in_template(cursor):
            return held_by_lambda(cursor)
        made, _ = self._meant(path, offset, offset, way)
        lambdas = [self._instances.contents(each.function).lambdas.get(offset) for each in made]
        return _least(held_by_lambda(each) for each in lambdas if each is not None)

    @memoized
    def held_by_object(self, path: str, start: int, end: int, way: Way = ()) -> Held | None:
        """A lower bound, over instantiations, of what the function object that an expression gives holds."""
        return _least(held_by_object(each.type) for each in self._meant_expressions(path, start, end, way))

    @memoized
    def callee(self, path: str, start: int, end: int, way: Way = ()) -> Definition | None:
        """The function that a call means: of a template, where it is written."""
        found = set()
        for call in self._calls(path, start, end, self._reached(way)):
            function = called(call)
            location = function.function.location if function is not None else None
            found.add(Definition(str(location.file), location.offset) if location is not None else None)
        return found.pop() if len(found) == 1 else None

    @memoized
    def class_of(self, path: str, start: int, end: int, way: Way = ()) -> str | None:
        """The class of an expression, with its namespaces but without arguments; through references and pointers."""
        names = {_class_name(each.type) for each in self._meant_expressions(path, start, end, way)}
        return names.pop() if len(names) == 1 else None

    # ------------------------------------------------------------ templates

    def _meant_expressions(self, path: str, start: int, end: int, way: Way) -> list["Cursor"]:
        """An expression, in each of the instantiations that may be meant."""
        cursor = self._object(path, start, end)
        if cursor is None or not _is_in_template(cursor):
            return [] if cursor is None else [cursor]
        made, _ = self._meant(path, start, end, way)
        return [each for each in self._expressions(made, start, end) if each is not None]

    def _expressions(self, made: Iterable[FunctionInstantiation], start: int, end: int) -> list["Cursor | None"]:
        return [self._instances.contents(each.function).expressions.get((start, end)) for each in made]

    def _meant(self, path: str, start: int, end: int, way: Way) -> tuple[list[FunctionInstantiation], bool]:
        """The instantiations around a span on the call path, else all of this unit; whether there are no others."""
        path = os.path.abspath(path)
        led = innermost(self._reached(way), path, start, end)
        if led:
            return led, True
        return self._instances.around(path, start, end), path == self.main

    @memoized
    def _reached(self, way: Way) -> list[FunctionInstantiation]:
        """The functions to which a way leads: one, or several where it begins in a template."""
        calls = self._calls(*way[-1], self._reached(way[:-1])) if way else []
        return [each for each in map(called, calls) if each is not None]

    def _calls(self, path: str, start: int, end: int, reached: list[FunctionInstantiation]) -> list["Cursor"]:
        """A call in each of the instantiations that contain it; none when not all of these are visible."""
        from clang.cindex import CursorKind

        cursor = self._at(path, end - 1)
        if cursor is None or cursor.kind is not CursorKind.CALL_EXPR or not _spans(cursor, start, end):
            return []
        if not _is_in_template(cursor):
            return [cursor]
        path = os.path.abspath(path)
        made = innermost(reached, path, start, end)
        if not made and path == self.main:
            made = self._instances.around(path, start, end)
        calls = [self._instances.contents(each.function).calls.get((start, end)) for each in made]
        found = [each for each in calls if each is not None]
        return found if len(found) == len(calls) else []

    # --------------------------------------------------------------- search

    def _expression(self, path: str, start: int, end: int) -> "Cursor | None":
        """The innermost expression with exactly this span; in a template, that of the template or an instantiation."""
        for offset in (end - 1, start):
            cursor = self._at(path, offset)
            if cursor is not None and cursor.kind.is_expression() and _spans(cursor, start, end):
                return cursor
        return None

    def _object(self, path: str, start: int, end: int) -> "Cursor | None":
        """The expression with this span, which at both its ends may be overlaid by others: ``Kernel<int>{…}``."""
        found = self._expression(path, start, end)
        last = self._at(path, end - 1) if found is None else None
        if last is None or not last.kind.is_expression() or last.semantic_parent is None:
            return found
        return self._instances.contents(last.semantic_parent).expressions.get((start, end))

    def _at(self, path: str, offset: int) -> "Cursor | None":
        """The innermost piece of syntax at an offset of a file of the unit."""
        from clang.cindex import Cursor, SourceLocation

        file = self._file(path)
        if file is None:
            return None
        cursor = Cursor.from_location(self._unit, SourceLocation.from_offset(self._unit, file, offset))
        return cursor if cursor is not None and not cursor.kind.is_invalid() else None

    @memoized
    def _file(self, path: str) -> "File | None":
        return file_in(self._unit, os.path.abspath(path))


def parse(
    path: str,
    command: ClangInvocation,
    texts: Mapping[str, bytes],
    library: str | None = None,
    precompiled: Precompiled | None = None,
) -> ParsedUnit | None:
    """The unit whose main file is ``path``; ``None`` when clang gives up. ``texts`` stand in for files on the disk.

    ``precompiled`` stands before the unit's text.
    """
    from clang.cindex import Index, TranslationUnit, TranslationUnitLoadError

    load(library)
    main = os.path.abspath(path)
    unsaved = [(os.path.abspath(each), text.decode("utf-8", "surrogateescape")) for each, text in texts.items()]
    arguments = list(command.arguments)
    if precompiled is not None:
        arguments += ["-include-pch", precompiled.path]
    try:
        index = Index.create(excludeDecls=True)
        unit = TranslationUnit.from_source(
            main, args=arguments, unsaved_files=unsaved or None, options=_KEEP_GOING, index=index
        )
    except TranslationUnitLoadError:
        return None
    return ParsedUnit(unit, main, command, precompiled)


def _is_in_template(cursor: "Cursor") -> bool:
    """Whether code is in a template, so that its cursor may belong to one of several instantiations."""
    from clang.cindex import CursorKind

    templates = {
        CursorKind.FUNCTION_TEMPLATE,
        CursorKind.CLASS_TEMPLATE,
        CursorKind.CLASS_TEMPLATE_PARTIAL_SPECIALIZATION,
    }
    around = cursor.semantic_parent
    while around is not None and around.kind is not CursorKind.TRANSLATION_UNIT:
        if around.kind in templates or specialized(around) is not None:
            return True
        if around.semantic_parent == around:
            break
        around = around.semantic_parent
    return False


def _spans(cursor: "Cursor", start: int, end: int) -> bool:
    """Whether a piece of syntax has this span; a member may be named by its own."""
    from clang.cindex import CursorKind

    extent = cursor.extent
    if extent.end.offset != end:
        return False
    named = cursor.kind is CursorKind.MEMBER_REF_EXPR and cursor.location.offset == start
    return named or bool(extent.start.offset == start)


def _least(held: Iterable[Held | None]) -> Held | None:
    """The lower bound of what is held."""
    found = [each for each in held if each is not None]
    return min(found, key=lambda each: each.bytes, default=None)


def _size_and_alignment(kind: "Type") -> tuple[int, int] | None:
    size, alignment = kind.get_size(), kind.get_align()
    return (size, alignment) if size > 0 and alignment > 0 else None


def _class_name(kind: "Type") -> str | None:
    from clang.cindex import CursorKind, TypeKind

    kind = kind.get_canonical()
    while kind.kind in {TypeKind.LVALUEREFERENCE, TypeKind.RVALUEREFERENCE, TypeKind.POINTER}:
        kind = kind.get_pointee().get_canonical()
    if kind.kind is not TypeKind.RECORD:
        return None
    names: list[str] = []
    around = kind.get_declaration()
    while around is not None and around.kind is not CursorKind.TRANSLATION_UNIT:
        names.append(str(around.spelling))
        around = around.semantic_parent
    return "::".join(reversed(names))


def _constant(cursor: "Cursor") -> Constant | None:
    value = constant(cursor)
    if value is None:
        return None
    bits, signed = _integer(cursor.type)
    return Constant(value, bits, signed) if bits else None


def _integer(kind: "Type") -> tuple[int, bool]:
    """Bits and signedness of an integer type; no bits for other types."""
    from clang.cindex import TypeKind

    bare = kind.get_canonical()
    if bare.kind is TypeKind.ENUM:
        bare = bare.get_declaration().enum_type.get_canonical()
    if bare.kind is TypeKind.BOOL:
        return 1, False
    unsigned = {
        TypeKind.UCHAR, TypeKind.CHAR_U, TypeKind.USHORT, TypeKind.UINT, TypeKind.ULONG, TypeKind.ULONGLONG,
        TypeKind.CHAR16, TypeKind.CHAR32,
    }  # fmt: skip
    signed = {TypeKind.CHAR_S, TypeKind.SCHAR, TypeKind.SHORT, TypeKind.INT, TypeKind.LONG, TypeKind.LONGLONG}
    if bare.kind not in unsigned | signed:
        return 0, False
    return 8 * bare.get_size(), bare.kind in signed
