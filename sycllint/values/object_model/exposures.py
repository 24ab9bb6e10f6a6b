"""Whether an object's members may be changed where that is not followed: by its methods, by what it is handed to."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from sycllint.cpp.expression import (
    Assign,
    Binary,
    Brace,
    Call,
    Cast,
    Expr,
    Index,
    Lambda,
    Member,
    Name,
    New,
    Type,
    Unary,
)
from sycllint.cpp.node import Node, walk
from sycllint.cpp.place import Place
from sycllint.cpp.statement import Block, Evaluate, Function, If, Macro, Statement, Struct, Variable
from sycllint.facts.file import Declared
from sycllint.record import NamedTuple
from sycllint.symbols.arity import accepts
from sycllint.values.object_model.methods import READING, Methods
from sycllint.values.objects import Instance, Point
from sycllint.values.side_effects.callees import SCALARS
from sycllint.values.side_effects.library import AT_ONCE, COLLECTORS
from sycllint.values.side_effects.lvalues import chained, root
from sycllint.values.types import as_type

if TYPE_CHECKING:
    from sycllint.values.interface import Evaluation

_HANDING = frozenset({Binary, Brace, Call, Cast, New, Unary, Variable})
"""What may hand an object on."""
_ARITHMETIC = frozenset({"+", "-", "*", "/", "%", "==", "!=", "<", ">", "<=", ">="})
_CONVERSIONS = frozenset({"operator range", "operator id", *(f"operator {each}" for each in SCALARS)})
_TAKING = AT_ONCE | COLLECTORS | {"copy", "fill", "memcpy", "memset", "set_arg", "set_args"}
"""Methods that take what they are given by value, or only read it."""


class _StructMember(NamedTuple):
    """A data member of the objects of a class."""

    struct: Declared[Struct]
    member: str


class Exposures:
    """Answers for one evaluator."""

    def __init__(self, evaluator: Evaluation, methods: Methods) -> None:
        self._evaluator = evaluator
        self._methods = methods
        self._known: dict[tuple[int, str, str, int], bool] = {}
        self._decaying: dict[tuple[int, str, str], bool] = {}
        self._expanding: set[str] = set()

    def is_exposed(self, of: Instance, member: str) -> bool:
        """Whether something may change a data member of an object through one of the names the object has."""
        part = _StructMember(of.struct, member)
        return any(
            self._in_block(block, text, place, part)
            for text, point in of.names
            for block, place in self._scopes(text, point)
        )

    def decays(self, of: Instance, member: str) -> bool:
        """Whether an array that is a member is named without an index: a pointer to its elements may be kept."""
        return any(
            self._decays_in(block, text, place, member)
            for text, point in of.names
            for block, place in self._scopes(text, point)
        )

    def _scopes(self, text: str, point: Point) -> Iterator[tuple[Block, Place]]:
        """The blocks around ``point`` in which ``text`` means the same, the inner ones first, and where they stand.

        Not the class of a data member: what its methods do counts where they are called.
        """
        for place in point.place.within():
            node = place.node
            if isinstance(node, Block):
                yield node, place
                if self._evaluator.declarations.of_block(node, text):
                    return
            elif isinstance(node, Function | Lambda) and self._is_own(text, node, place):
                return

    def _is_own(self, text: str, function: Function | Lambda, place: Place) -> bool:
        """Whether a function knows by ``text`` a parameter, or a data member of the class whose method it is."""
        if any(each.name == text for each in function.parameters):
            return True
        if isinstance(function, Lambda):
            return False
        struct = self._evaluator.symbols.class_defining(Declared(function, place))
        return struct is not None and any(each.name == text for each in struct.node.variables)

    def _decays_in(self, block: Block, text: str, place: Place, member: str) -> bool:
        key = (id(block), text, member)
        if key not in self._decaying:
            self._decaying[key] = any(
                _names_whole(each, text, member)
                for each in self._evaluator.effects.before(block.statements, text, place)
            )
        return self._decaying[key]

    def is_handed(self, body: Block, member: str, place: Place, struct: Declared[Struct] | None) -> bool:
        """Whether the body of a constructor, at ``place``, calls methods of a member or hands it on.

        Calls whose effects are followed aside, where the member is an object of the class ``struct``.
        """
        statements = tuple(self._evaluator.effects.before(body.statements, member, Place(body, place)))
        followed = self._followed(statements, member, _StructMember(struct, "")) if struct is not None else ()
        return any(
            self._exposes(each, member, None)
            for one in statements
            for each in walk(one)
            if type(each) in _HANDING and id(each) not in followed
        )

    def _in_block(self, block: Block, text: str, place: Place, part: _StructMember) -> bool:
        key = (id(block), text, part.member, id(part.struct.node))
        if key not in self._known:
            statements = tuple(self._evaluator.effects.before(block.statements, text, place))
            kinds = _HANDING | {Name} if text in self._evaluator.facts.macro_words else _HANDING
            followed = self._followed(statements, text, part)
            self._known[key] = any(
                self._exposes(each, text, part)
                for one in statements
                for each in walk(one)
                if type(each) in kinds and id(each) not in followed
            )
        return self._known[key]

    def _followed(self, statements: Iterable[Statement], text: str, part: _StructMember) -> set[int]:
        """By identity, the calls that are statements, of methods of the object whose effects are followed."""
        alone = (each for one in statements for call in called_alone(one) for each in chained(call))
        return {id(each) for each in alone if self._is_set(each, text, part)}

    def _is_set(self, call: Call, text: str, part: _StructMember) -> bool:
        """Whether a call is one of a method of the object whose effects are followed."""
        if not isinstance(call.function, Member):
            return False
        if not _is(self._methods.receiver(call.function.object, part.struct), text):
            return False
        if any(_holds(each, text) for each in call.arguments):
            return False
        methods = self._methods.named(part.struct, call.function.name)
        methods = [each for each in methods if accepts(each, len(call.arguments))]
        return len(methods) == 1 and self._methods.is_followed(methods[0], part.struct)

    def _in_macro(self, name: str, arguments: tuple[Expr, ...] | None, text: str, part: _StructMember) -> bool:
        """Whether the text of a macro hands on the object, under its own name or as an argument."""
        if name in self._expanding:
            return False
        self._expanding.add(name)
        try:
            return any(
                self._in_text(each.node, arguments, text, part)
                for each in self._evaluator.facts.macros.get(name)
                if (each.node.parameters is None) is (arguments is None)
            )
        finally:
            self._expanding.discard(name)

    def _in_text(self, macro: Macro, arguments: tuple[Expr, ...] | None, text: str, part: _StructMember) -> bool:
        names = [text, *(parameter for parameter, each in macro.handed(arguments or ()) if _holds(each, text))]
        inside = macro.value if macro.value is not None else macro.body
        if inside is None:
            return len(names) > 1
        return any(self._exposes(each, one, part) for each in walk(inside) for one in names)

    def _exposes(self, node: Node, text: str, part: _StructMember | None) -> bool:
        if isinstance(node, Cast):
            # As another class, or without its const.
            return _holds(node.operand, text) and (node.type.reference or node.type.pointers > 0)
        if isinstance(node, Name):
            return (
                part is not None
                and node.text in self._evaluator.facts.macros
                and self._in_macro(node.text, None, text, part)
            )
        if isinstance(node, Unary):
            return node.operator == "*" and _holds(node.operand, text)
        if isinstance(node, Variable) and node.type.pointers and any(_holds(each, text) for each in node.arguments):
            # The elements of an array that is a member.
            return True
        if isinstance(node, Variable | New):
            return any(_is(each, text) for each in node.arguments) and self._is_opaque(node.type)
        if isinstance(node, Brace):
            made = as_type(node.type) if node.type is not None else None
            return made is not None and any(_is(each, text) for each in node.elements) and self._is_opaque(made)
        if isinstance(node, Binary):
            return part is not None and any(
                _is(each, text) and not self._is_read(node.operator, index, part.struct)
                for index, each in enumerate((node.left, node.right))
            )
        if not isinstance(node, Call):
            return False
        function = node.function
        if _is(function, text):
            return not self._leaves(function, "operator()", text, part)
        if isinstance(function, Name) and part is not None and function.text in self._evaluator.facts.macros:
            return self._in_macro(function.text, node.arguments, text, part)
        if isinstance(function, Name):
            # What mutations take for a type by its capital may as well be a function.
            return self._may_be_function(function) and any(_holds(each, text) for each in node.arguments)
        if not isinstance(function, Member):
            # What a call gives, ``Setter{}(config)``, may be called with the object.
            return not isinstance(function, Lambda) and any(_holds(each, text) for each in node.arguments)
        called_on = function.object if part is None else self._methods.receiver(function.object, part.struct)
        if root(called_on) == text and not self._leaves(called_on, function.name, text, part):
            return True
        return function.name not in _TAKING and any(
            self._takes(function.name, index, len(node.arguments))
            for index, each in enumerate(node.arguments)
            if _holds(each, text)
        )

    def _leaves(self, called_on: Expr, method: str, text: str, part: _StructMember | None) -> bool:
        """Whether a method, of the object or of one of its members, leaves the object as it is."""
        if part is None or not _is(called_on, text):
            # A method of one member does not see the others.
            return method in READING or (part is not None and _member_of(called_on, text) not in (None, part.member))
        return self._methods.keep(method, part.struct, part.member)

    def _is_read(self, operator: str, index: int, struct: Declared[Struct]) -> bool:
        """Whether an operator only reads its operand ``index``, an object.

        Operators of a class, ``archive & config`` or ``in >> config``, are functions. Where none is visible,
        arithmetic is that of the number or range that the object becomes.
        """
        name = f"operator{operator}"
        own = self._methods.named(struct, name)
        free = [each.node for each in self._evaluator.facts.functions.get(name) if len(each.node.parameters) == 2]
        if not own and not free:
            return operator in _ARITHMETIC and any(each.name in _CONVERSIONS for each in self._methods.all(struct))
        kinds = [each.parameters[index].type for each in free]
        only_read = all(each.constant or not (each.reference or each.pointers) for each in kinds)
        return only_read and all(self._methods.only_reads(each, struct) for each in own)

    def _takes(self, method: str, index: int, count: int) -> bool:
        """Whether a method may change what it is given at this position."""
        candidates = [each.node for each in self._evaluator.facts.functions.get(method) if accepts(each.node, count)]
        if not candidates:
            return True
        kinds = [each.parameters[min(index, len(each.parameters) - 1)].type for each in candidates]
        return any((each.reference or each.pointers) and not each.constant for each in kinds)

    def _may_be_function(self, name: Name) -> bool:
        facts = self._evaluator.facts
        is_declared = name.last in facts.functions or name.last in facts.structs or name.last in facts.macros
        return name.last[:1].isupper() and not is_declared

    def _is_opaque(self, made: Type) -> bool:
        kind = self._evaluator.types.kind(made.name)
        return kind.struct is None and not (kind.is_number or kind.automatic or kind.name.qualifier in ("std", "sycl"))


def called_alone(statement: Statement) -> Iterator[Call]:
    """The calls that are statements by themselves, here or in the branches of an ``if``."""
    match statement:
        case Evaluate(expression=Call() as call):
            yield call
        case Block(statements=statements):
            for each in statements:
                yield from called_alone(each)
        case If(then=then, otherwise=otherwise):
            yield from called_alone(then)
            if otherwise is not None:
                yield from called_alone(otherwise)
        case _:
            return


def _holds(argument: Expr, text: str) -> bool:
    """Whether an argument is the object, or a member of it."""
    return isinstance(argument, Name | Member) and root(argument) == text


def _names_whole(statement: Statement, text: str, member: str) -> bool:
    """Whether a statement names the array that is a member of ``text`` without an index, but to assign it a list."""
    inside = tuple(walk(statement))
    parts = {id(each.object) for each in inside if isinstance(each, Index)}
    parts |= {id(each.left) for each in inside if isinstance(each, Assign) and each.operator == "="}
    return any(_is_member(each, text, member) and id(each) not in parts for each in inside)


def _is_member(node: Node, text: str, member: str) -> bool:
    return isinstance(node, Member) and node.name == member and root(node) == text


def _member_of(expression: Expr, text: str) -> str | None:
    """The member of ``text`` that an expression is, or is a part of; ``None`` where it is not spelled as one."""
    name: str | None = None
    while isinstance(expression, Member | Index):
        name = expression.name if isinstance(expression, Member) else name
        expression = expression.object
    return name if _is(expression, text) else None


def _is(expression: Expr, text: str) -> bool:
    return isinstance(expression, Name) and expression.text == text
