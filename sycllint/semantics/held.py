"""The captures of a kernel's lambda or the members of its function object, without SYCL's own objects.

Of those the host has another layout than the device, and a compiler hands them over in a way of its own.
"""

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from sycllint.semantics.answers import Held, HeldVariable, ThisMember
from sycllint.semantics.instances import below
from sycllint.semantics.library import specialized

if TYPE_CHECKING:
    from clang.cindex import Cursor, Type

_NESTED = 8
"""The depth to which members of members are followed."""


def held_by_lambda(cursor: "Cursor") -> Held | None:
    """The captures of a lambda; ``None`` where it uses a name that is not captured."""
    reached = list(_reached(cursor))
    members: dict[str, ThisMember] = {}
    for named_this in (True, False):
        for each, explicit in reached:
            if explicit is named_this:
                members.setdefault(each.name, each)
    parts = {each.name: each for each in _captures(cursor)}
    held = _sum(parts.values(), cursor.type.get_size())
    return None if held is None else held._replace(members=tuple(members.values()))


def held_by_object(kind: "Type") -> Held | None:
    """The members of a function object that its call operator uses; ``None`` when its definition is not visible."""
    record = kind.get_canonical().get_declaration()
    template = specialized(record)
    used = _used(template if template is not None else record)
    if used is None:
        return None
    parts = (
        HeldVariable(str(each.spelling), str(each.type.spelling), _plain_bytes(each.type))
        for each in _fields(kind.get_canonical(), _NESTED)
        if _named(each) in used
    )
    return _sum((each for each in parts if each.bytes), kind.get_size())


def _sum(parts: Iterable[HeldVariable], whole: int) -> Held | None:
    """All parts together, unless that is more than the object that should hold them."""
    listed = sorted(parts, key=lambda each: -each.bytes)
    total = sum(each.bytes for each in listed)
    return None if total > whole > 0 else Held(total, tuple(listed))


# ------------------------------------------------------------------ lambdas


def _captures(cursor: "Cursor") -> Iterator[HeldVariable]:
    """The variables of the function around a lambda that it uses, but for references."""
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
        if kind.is_const_qualified() and kind.kind not in {TypeKind.CONSTANTARRAY, TypeKind.RECORD}:
            continue  # a constant may be used without being captured
        size = _plain_bytes(kind)
        if size:
            yield HeldVariable(str(variable.spelling), str(variable.type.spelling), size)


def _reached(cursor: "Cursor") -> Iterator[tuple[ThisMember, bool]]:
    """The data members of the object around a lambda that it names; whether by ``this``, which is then their place."""
    from clang.cindex import CursorKind

    for each in _body(cursor):
        if each.kind is not CursorKind.MEMBER_REF_EXPR:
            continue
        field, inner = each.referenced, next(each.get_children(), None)
        while inner is not None and inner.kind is CursorKind.UNEXPOSED_EXPR:
            inner = next(inner.get_children(), None)
        if inner is not None and inner.kind is not CursorKind.CXX_THIS_EXPR:
            continue
        if field is not None and field.kind is CursorKind.FIELD_DECL and field.semantic_parent.spelling:
            extent = each.extent if inner is None else inner.extent
            name, owner = str(field.spelling), str(field.semantic_parent.spelling)
            yield ThisMember(name, owner, extent.start.offset, extent.end.offset), inner is not None


def _body(cursor: "Cursor") -> Iterator["Cursor"]:
    """Everything in the body of a lambda, which is not what its captures are made from."""
    from clang.cindex import CursorKind

    for each in cursor.get_children():
        if each.kind is CursorKind.COMPOUND_STMT:
            yield from below(each)


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


# --------------------------------------------------------- function objects


def _used(record: "Cursor") -> set[tuple[str, str]] | None:
    """The data members that each call operator of a class, with the member functions it calls, names.

    A compiler leaves out the others.
    """
    operators = [each.get_definition() for each in record.get_children() if each.spelling == "operator()"]
    found = [_named_by(each) for each in operators if each is not None]
    return set.intersection(*found) if found and len(found) == len(operators) else None


def _named_by(operator: "Cursor") -> set[tuple[str, str]]:
    """The data members that a member function, or one that it calls, names."""
    from clang.cindex import CursorKind

    found: set[tuple[str, str]] = set()
    seen: set[int] = set()
    waiting = [operator]
    while waiting:
        function = waiting.pop()
        if function is None or function.hash in seen:
            continue
        seen.add(function.hash)
        for each in below(function):
            member = each.referenced if each.kind is CursorKind.MEMBER_REF_EXPR else None
            if member is not None and member.kind is CursorKind.FIELD_DECL:
                found.add(_named(member))
            elif member is not None and member.kind is CursorKind.CXX_METHOD:
                waiting.append(member.get_definition())
    return found


def _named(field: "Cursor") -> tuple[str, str]:
    return str(field.semantic_parent.spelling), str(field.spelling)


def _fields(kind: "Type", depth: int) -> Iterator["Cursor"]:
    """The data members of a class, including those of its visible bases."""
    from clang.cindex import CursorKind

    yield from kind.get_fields()
    for each in kind.get_declaration().get_children():
        if depth and each.kind is CursorKind.CXX_BASE_SPECIFIER:
            yield from _fields(each.type.get_canonical(), depth - 1)


# -------------------------------------------------------------------- sizes


def _plain_bytes(kind: "Type", depth: int = _NESTED) -> int:
    """The bytes of an object without references and objects of SYCL's classes in it."""
    from clang.cindex import TypeKind

    kind = kind.get_canonical()
    if kind.kind in {TypeKind.LVALUEREFERENCE, TypeKind.RVALUEREFERENCE} or not depth:
        return 0
    if kind.kind is TypeKind.CONSTANTARRAY:
        return _plain_bytes(kind.element_type, depth - 1) * max(int(kind.element_count), 0)
    if kind.kind is TypeKind.RECORD:
        if "sycl::" in kind.spelling:
            return 0
        fields = list(_fields(kind, depth))
        parts = [_plain_bytes(each.type, depth - 1) for each in fields]
        if any(_has_sycl(each.type, depth - 1) for each in fields):
            return sum(parts)
    return max(int(kind.get_size()), 0)


def _has_sycl(kind: "Type", depth: int) -> bool:
    """Whether an object of one of SYCL's classes is in it."""
    from clang.cindex import TypeKind

    kind = kind.get_canonical()
    if kind.kind is TypeKind.CONSTANTARRAY:
        return _has_sycl(kind.element_type, depth)
    if kind.kind is not TypeKind.RECORD or not depth:
        return bool(kind.kind is TypeKind.RECORD)
    return "sycl::" in kind.spelling or any(_has_sycl(each.type, depth - 1) for each in _fields(kind, depth))
