"""One translation unit as clang sees it, and what it answers about expressions, types and lambdas in it.

Questions name a file and byte offsets, as the rest of sycllint does. An answer holds wherever the code is reached from:
an expression in a template is answered only where all its instantiations in the unit agree and no other unit can make
more of them.
"""

import os
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from sycllint.record import NamedTuple
from sycllint.semantics.commands import Command
from sycllint.semantics.library import constant, file_in, load, specialized

if TYPE_CHECKING:
    from clang.cindex import Cursor, File, TranslationUnit, Type

_MOST_ERRORS = 20
"""A unit with more errors is one that was not understood."""
_FATAL = 4
_ERROR = 3


class Constant(NamedTuple):
    """An integer, and the type it has in C++."""

    value: int
    bits: int
    signed: bool


class Part(NamedTuple):
    """One variable that a kernel captures."""

    name: str
    type: str
    bytes: int


class Reached(NamedTuple):
    """A data member that a lambda reaches through the ``this`` of the function around it."""

    name: str
    owner: str
    """The class that declares it."""
    start: int
    end: int


class Captured(NamedTuple):
    """What a lambda holds."""

    bytes: int
    """Of its parts: at least what the kernel is given as arguments."""
    parts: tuple[Part, ...]
    """The largest first."""
    members: tuple[Reached, ...]
    """What it reaches through ``this``, each once, where it does so first."""


class ParsedUnit:
    """A unit that clang has parsed."""

    def __init__(self, unit: "TranslationUnit", main: str, command: Command) -> None:
        self._unit = unit
        self.main = main
        """Absolute path of the main file."""
        self.command = command
        self._files: dict[str, File | None] = {}
        self._numbers: dict[tuple[str, int, int], Constant | None] = {}
        self._layouts: dict[tuple[str, int], tuple[int, int] | None] = {}
        self._instances: dict[tuple[str, int], list[Cursor]] | None = None

    @property
    def errors(self) -> list[str]:
        """What clang could not make sense of, as ``path:line: sentence``."""
        return [
            f"{each.location.file or self.main}:{each.location.line}: {each.spelling}"
            for each in self._unit.diagnostics
            if each.severity >= _ERROR
        ]

    @property
    def is_understood(self) -> bool:
        """Whether its answers are worth asking for."""
        severities = [each.severity for each in self._unit.diagnostics]
        return _FATAL not in severities and sum(each >= _ERROR for each in severities) <= _MOST_ERRORS

    @property
    def includes(self) -> frozenset[str]:
        """The files that were read besides the main one."""
        return frozenset(str(each.include.name) for each in self._unit.get_includes())

    # ------------------------------------------------------------ questions

    def number(self, path: str, start: int, end: int, *, in_template: bool) -> Constant | None:
        """What the expression at ``start`` to ``end`` is folded to; ``None`` when it is no integer constant.

        ``in_template``: it is known to stand in one. clang answers with the last instantiation there.
        """
        key = (path, start, end)
        if key not in self._numbers:
            self._numbers[key] = self._number(path, start, end, in_template=in_template)
        return self._numbers[key]

    def layout_of(self, path: str, offset: int) -> tuple[int, int] | None:
        """Size and alignment of the type that is named at ``offset``, which must not stand in a template."""
        key = (path, offset)
        if key not in self._layouts:
            self._layouts[key] = self._layout(path, offset)
        return self._layouts[key]

    def captured(self, path: str, offset: int) -> Captured | None:
        """What the lambda that begins at ``offset`` holds; ``None`` in a template, and where it is none."""
        from clang.cindex import CursorKind

        cursor = self._at(path, offset)
        if cursor is None or cursor.kind is not CursorKind.LAMBDA_EXPR or _template_around(cursor) is not None:
            return None
        whole = cursor.type.get_size()
        parts = {each.name: each for each in _captures(cursor)}
        plain = sorted(parts.values(), key=lambda each: -each.bytes)
        total = sum(each.bytes for each in plain)
        if total > whole > 0:
            return None  # not all that is named is captured
        members: dict[str, Reached] = {}
        for each in _reached(cursor):
            members.setdefault(each.name, each)
        return Captured(total, tuple(plain), tuple(members.values()))

    # --------------------------------------------------------------- search

    def _number(self, path: str, start: int, end: int, *, in_template: bool) -> Constant | None:
        for offset in (end - 1, start):
            cursor = self._at(path, offset)
            if cursor is None or not cursor.kind.is_expression() or not _spans(cursor, start, end):
                continue
            template = _template_around(cursor)
            if template is not None:
                return self._agreed(template, start, end)
            return None if in_template else _constant(cursor)
        return None

    def _agreed(self, template: "Cursor", start: int, end: int) -> Constant | None:
        """The one number that an expression of a template has in all its instantiations."""
        if template.location.file is None or not os.path.samefile(str(template.location.file), self.main):
            return None
        found = set()
        for instance in self._instantiations().get(_key(template), ()):
            # The innermost: what is around it converts it to the type that is wanted there.
            *_, cursor = None, *(each for each in _below(instance) if _spans(each, start, end))
            found.add(_constant(cursor) if cursor is not None else None)
        return found.pop() if len(found) == 1 else None

    def _instantiations(self) -> Mapping[tuple[str, int], list["Cursor"]]:
        """The functions that were made from each template of the main file."""
        if self._instances is None:
            self._instances = {}
            waiting = [each for each in self._unit.cursor.get_children() if self._is_ours(each)]
            seen: set[int] = set()
            while waiting:
                for cursor in _below(waiting.pop()):
                    made = cursor.referenced if cursor.kind.is_expression() else None
                    template = specialized(made) if made is not None else None
                    if made is None or template is None or not self._is_ours(template) or made.hash in seen:
                        continue
                    seen.add(made.hash)
                    self._instances.setdefault(_key(template), []).append(made)
                    waiting.append(made)
        return self._instances

    def _is_ours(self, cursor: "Cursor") -> bool:
        file = cursor.location.file
        return file is not None and str(file) == self.main

    def _layout(self, path: str, offset: int) -> tuple[int, int] | None:
        from clang.cindex import CursorKind

        cursor = self._at(path, offset)
        if cursor is None or cursor.kind is not CursorKind.TYPE_REF:
            return None
        size, alignment = cursor.type.get_size(), cursor.type.get_align()
        return (size, alignment) if size > 0 and alignment > 0 else None

    def _at(self, path: str, offset: int) -> "Cursor | None":
        """The innermost piece of syntax at an offset of a file of the unit."""
        from clang.cindex import Cursor, SourceLocation

        file = self._file(path)
        if file is None:
            return None
        cursor = Cursor.from_location(self._unit, SourceLocation.from_offset(self._unit, file, offset))
        return cursor if cursor is not None and not cursor.kind.is_invalid() else None

    def _file(self, path: str) -> "File | None":
        if path not in self._files:
            self._files[path] = file_in(self._unit, os.path.abspath(path))
        return self._files[path]


def parse(path: str, command: Command, texts: Mapping[str, bytes], library: str | None = None) -> ParsedUnit | None:
    """The unit whose main file is ``path``; ``None`` when clang gives up. ``texts`` stand in for files on the disk."""
    from clang.cindex import TranslationUnit, TranslationUnitLoadError

    main = os.path.abspath(path)
    unsaved = [(os.path.abspath(each), text.decode("utf-8", "surrogateescape")) for each, text in texts.items()]
    load(library)
    try:
        unit = TranslationUnit.from_source(main, args=list(command.arguments), unsaved_files=unsaved or None)
    except TranslationUnitLoadError:
        return None
    return ParsedUnit(unit, main, command)


def _below(cursor: "Cursor") -> Iterator["Cursor"]:
    """Everything inside, outer before inner."""
    stack = [cursor]
    while stack:
        each = stack.pop()
        yield each
        stack.extend(reversed(list(each.get_children())))


def _body(cursor: "Cursor") -> Iterator["Cursor"]:
    """Everything in the body of a lambda, which is not what its captures are made from."""
    from clang.cindex import CursorKind

    for each in cursor.get_children():
        if each.kind is CursorKind.COMPOUND_STMT:
            yield from _below(each)


def _spans(cursor: "Cursor", start: int, end: int) -> bool:
    extent = cursor.extent
    return bool(extent.start.offset == start and extent.end.offset == end and cursor.kind.is_expression())


def _key(cursor: "Cursor") -> tuple[str, int]:
    return str(cursor.location.file), int(cursor.location.offset)


def _template_around(cursor: "Cursor") -> "Cursor | None":
    """The outermost function or class template that an expression stands in; its cursor may be an instantiation's."""
    from clang.cindex import CursorKind

    templates = {
        CursorKind.FUNCTION_TEMPLATE,
        CursorKind.CLASS_TEMPLATE,
        CursorKind.CLASS_TEMPLATE_PARTIAL_SPECIALIZATION,
    }
    found = None
    around = cursor.semantic_parent
    while around is not None and around.kind is not CursorKind.TRANSLATION_UNIT:
        template = around if around.kind in templates else specialized(around)
        found = template if template is not None else found
        if around.semantic_parent == around:
            break
        around = around.semantic_parent
    return found


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


def _captures(cursor: "Cursor") -> Iterator[Part]:
    """The variables of the function around a lambda that it uses, but for references and objects of SYCL's classes.

    Of those the host has another layout than the device, and a compiler hands them over in a way of its own.
    """
    from clang.cindex import CursorKind, TypeKind

    start, end = cursor.extent.start.offset, cursor.extent.end.offset
    for each in _body(cursor):
        if each.kind is not CursorKind.DECL_REF_EXPR:
            continue
        variable = each.referenced
        if variable is None or variable.kind not in {CursorKind.VAR_DECL, CursorKind.PARM_DECL}:
            continue
        if start <= variable.location.offset < end or not _is_automatic(variable):
            continue
        kind = variable.type.get_canonical()
        if kind.kind in {TypeKind.LVALUEREFERENCE, TypeKind.RVALUEREFERENCE} or "sycl::" in kind.spelling:
            continue
        if kind.is_const_qualified() and kind.kind not in {TypeKind.CONSTANTARRAY, TypeKind.RECORD}:
            continue  # a constant may be used without being captured
        size = kind.get_size()
        if size > 0:
            yield Part(str(variable.spelling), str(variable.type.spelling), size)


def _reached(cursor: "Cursor") -> Iterator[Reached]:
    """The data members that are named without an object."""
    from clang.cindex import CursorKind

    for each in _body(cursor):
        if each.kind is not CursorKind.MEMBER_REF_EXPR or next(each.get_children(), None) is not None:
            continue
        field = each.referenced
        if field is not None and field.kind is CursorKind.FIELD_DECL and field.semantic_parent.spelling:
            extent = each.extent
            yield Reached(
                str(field.spelling), str(field.semantic_parent.spelling), extent.start.offset, extent.end.offset
            )


def _is_automatic(variable: "Cursor") -> bool:
    """Whether it is a variable of a function, without static storage."""
    from clang.cindex import CursorKind, StorageClass

    functions = {
        CursorKind.FUNCTION_DECL,
        CursorKind.CXX_METHOD,
        CursorKind.CONSTRUCTOR,
        CursorKind.DESTRUCTOR,
        CursorKind.CONVERSION_FUNCTION,
    }
    parent = variable.semantic_parent
    return parent is not None and parent.kind in functions and variable.storage_class is not StorageClass.STATIC
