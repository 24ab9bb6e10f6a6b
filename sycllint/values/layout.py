"""Whether a class is laid out naturally, as far as the distances in its source text show.

Attributes, alignments, bit-fields and ``virtual`` are no part of our statements. They take room in the text, so a class
in which every distance is too small for them has none; of any other nothing is said.
"""

from collections.abc import Iterator

from sycllint.cpp.place import Place
from sycllint.cpp.statement import STATIC, Block, Declaration, Function, Pragma, Statement, Struct, Variable

_QUALIFIERS = frozenset({0, len("const "), len("mutable "), len("volatile ")})
_ATTRIBUTE = len("alignas(8) ")
_VIRTUAL = len("virtual ")


def is_natural(struct: Struct, place: Place) -> bool:
    """Whether nothing but its members decides the layout of ``struct``, which stands at ``place``."""
    head = struct.members.start - struct.start - len(struct.keyword) - len(struct.name)
    if head >= _ATTRIBUTE or struct.end != struct.members.end or _is_packed(struct, place):
        return False
    before = struct.members.start + 1
    for member in struct.members.statements:
        # After a class or an enumeration, the variables of that type are declared by the same declaration.
        if member.start >= before and not _is_plain(member, before):
            return False
        before = member.extent_end if isinstance(member, Function) else member.end
    return True


def _is_packed(struct: Struct, place: Place) -> bool:
    """Whether a ``#pragma pack`` is in force."""
    pragmas = [
        each
        for around in place.chain()
        if isinstance(around, Block)
        for each in around.statements
        if isinstance(each, Pragma) and each.text.startswith("pack") and each.start < struct.start
    ]
    if not pragmas:
        return False
    last = max(pragmas, key=lambda each: each.start).text.replace(" ", "")
    return last not in ("pack()", "pack(pop)")


def _is_plain(member: Statement, before: int) -> bool:
    match member:
        case Declaration(variables=variables) if variables and not variables[0].flags & STATIC:
            kind = variables[0].type
            if kind.name.text and kind.start - member.start not in _QUALIFIERS:
                return False
            return all(_is_plain_variable(each, end) for each, end in _with_ends(variables, member.end))
        case Function():
            return _is_plain_function(member, before)
        case _:
            return True


def _with_ends(variables: tuple[Variable, ...], end: int) -> Iterator[tuple[Variable, int]]:
    """Each variable with the place where its declarator must have ended."""
    for position, each in enumerate(variables):
        if position + 1 < len(variables):
            following = variables[position + 1]
            # Between two names stand a comma, at most one blank, and the second's stars.
            yield each, following.start - following.type.pointers - 1
        else:
            yield each, end


def _is_plain_variable(variable: Variable, end: int) -> bool:
    """No attribute, no bit-field, no pointer to an array."""
    if variable.attributes:
        return False
    extents = variable.type.extents
    if extents:
        first = extents[0]
        return not variable.type.pointers or (first is not None and first.start == variable.end + 1)
    return bool(variable.arguments) or variable.style != "" or end - variable.end <= 1


def _is_plain_function(function: Function, before: int) -> bool:
    """Neither virtual nor a pointer to a function."""
    returns = function.returns
    if returns is None:
        return False
    if not returns.name.text and function.start - returns.start >= _VIRTUAL:
        return False
    if returns.start - before >= _VIRTUAL and not function.flags & STATIC:
        return False
    if function.body is None and returns.pointers:
        opened = function.parameters[0].type.start if function.parameters else function.extent_end - 1
        return opened == function.end + 1
    return True
