"""Member functions of classes: where their bodies stand, and what they do to the object they are called on."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from sycllint.cpp.expression import Binary, Call, Expr, Lambda, Member, Name, Unary
from sycllint.cpp.node import Node, walk
from sycllint.cpp.place import Place
from sycllint.cpp.statement import STATIC, Declaration, Function, Return, Struct
from sycllint.facts.file import Declared
from sycllint.values.side_effects.lvalues import root

if TYPE_CHECKING:
    from sycllint.values.interface import Evaluation

THIS = "this."
"""Before the name of a member that is written through ``this``: what such an assignment is said to change."""
READING = frozenset({"at", "back", "begin", "c_str", "data", "empty", "end", "front", "get", "size"})
"""Methods of the standard library's members that leave them alone."""
_CONST = re.compile(rb"\)\s*(noexcept\s*)?const\b")
_EXPLICIT = re.compile(rb"\bexplicit\s*(\(\s*true\s*\)\s*)?(?:inline\s+|constexpr\s+|[A-Z_]+\s+)*$")
_HEAD = 64
"""Bytes before a function's name among which ``explicit`` may stand."""


class Methods:
    """Answers for one evaluator."""

    def __init__(self, evaluator: Evaluation) -> None:
        self._evaluator = evaluator
        self._reading: dict[int, bool] = {}
        self._own: dict[int, tuple[Function, ...]] = {}

    def all(self, struct: Declared[Struct]) -> tuple[Function, ...]:
        """The functions that a class declares itself."""
        key = id(struct.node)
        if key not in self._own:
            self._own[key] = tuple(each for each in struct.node.members.statements if isinstance(each, Function))
        return self._own[key]

    def named(self, struct: Declared[Struct], name: str) -> list[Function]:
        """Those that are called so."""
        return [each for each in self.all(struct) if each.name == name]

    def defined(self, method: Function, struct: Declared[Struct]) -> Declared[Function] | None:
        """The method with its body, inside the class or outside it; ``None`` when that is not in sight."""
        if method.body is not None:
            return Declared(method, Place(method, Place(struct.node.members, struct.place)))
        if struct.node.template_parameters:
            return None
        around = "::".join((*struct.scope, struct.node.name))
        found = [
            each
            for each in self._evaluator.facts.functions.get(method.name)
            if each.node.body is not None
            and "::" in each.node.name
            and "::".join((*each.scope, each.node.name.rpartition("::")[0])) == around
            and _same_parameters(each.node, method)
        ]
        return found[0] if len(found) == 1 else None

    def only_reads(self, method: Function, struct: Declared[Struct]) -> bool:
        """Whether a method surely leaves its object as it is: it is constant, or its body changes no member."""
        if method.flags & STATIC:
            return True
        key = id(method)
        if key not in self._reading:
            # Who calls itself is not looked into.
            self._reading[key] = False
            self._reading[key] = self._leaves(method, struct)
        return self._reading[key]

    def is_followed(self, method: Function, struct: Declared[Struct]) -> bool:
        """Whether it is known of each member what a method that sets members makes of it."""
        if struct.node.bases or method.template_parameters or self.only_reads(method, struct):
            return False
        found = self.defined(method, struct)
        return found is not None and not found.node.damaged and self.stays_within(found.node, struct)

    def stays_within(self, function: Function, struct: Declared[Struct]) -> bool:
        """Whether a body sets members by assignments only, not by other methods or through a pointer to the object."""
        assert function.body is not None
        last = function.body.statements[-1:]
        chained = isinstance(last[0], Return) and _is_itself(last[0].value) if last else False
        statements = function.body.statements[:-1] if chained else function.body.statements
        for each in (inner for statement in statements for inner in _inside(statement)):
            match each:
                case Name(text="this"):
                    return False
                case Call(function=Name(text=name)) | Call(function=Member(object=Name(text="this"), name=name)):
                    called = self.named(struct, name.rpartition("::")[2])
                    if not all(self.only_reads(other, struct) for other in called):
                        return False
                case Lambda(body=body) if self._evaluator.mutations.of(body):
                    return False
                case _:
                    pass
        return True

    def is_explicit(self, function: Function, struct: Declared[Struct]) -> bool:
        """Whether a constructor or a conversion is made only where it is asked for by name."""
        content = self._evaluator.facts.content_at(struct.place)
        return content is None or _EXPLICIT.search(content, max(function.start - _HEAD, 0), function.start) is not None

    def _leaves(self, method: Function, struct: Declared[Struct]) -> bool:
        content = self._evaluator.facts.content_at(struct.place)
        if content is None:
            return False
        end = method.body.start if method.body is not None else method.extent_end
        if _CONST.search(content, method.start, end + 1) is not None:
            return content.find(b"const_cast", method.start, method.extent_end) < 0
        found = self.defined(method, struct)
        return found is not None and self._changes_nothing(found.node, struct)

    def _changes_nothing(self, method: Function, struct: Declared[Struct]) -> bool:
        """Whether a body, of a method that is not constant, changes no member and gives none away."""
        body, returns = method.body, method.returns
        if body is None or method.damaged:
            return False
        if returns is not None and ((returns.reference and not returns.constant) or returns.pointers):
            return False
        mutations, members = self._evaluator.mutations, self._members(struct)
        changed = set(mutations.of(body))
        for each in walk(body):
            if isinstance(each, Lambda):
                changed |= mutations.of(each.body)
        changed = {each.lstrip("&*.") for each in changed} - {each.name for each in method.parameters}
        if changed if struct.node.bases else any(each in members or each.startswith("this") for each in changed):
            return False
        return not any(self._may_change(each, struct, members) for each in _inside(body))

    def _may_change(self, node: Node, struct: Declared[Struct], members: frozenset[str]) -> bool:
        """Whether a part of a body may change a member, by a method of the class or of the member."""
        match node:
            case Name(text="this"):
                return True
            case Call(function=Name(text=text)):
                return not all(self.only_reads(each, struct) for each in self.named(struct, text))
            case Call(function=Member(object=Name(text="this"), name=name)):
                return not all(self.only_reads(each, struct) for each in self.named(struct, name))
            case Call(function=Member(object=inner, name=name)):
                return root(inner) in members and name not in READING and not self._is_constant(name)
            case Binary(left=left, right=right):
                return any(self._is_object(each, struct) for each in (left, right))
            case _:
                return False

    def _is_constant(self, name: str) -> bool:
        """Whether all methods of the unit that are called so are constant."""
        found = self._evaluator.facts.functions.get(name)
        for each in found:
            content = self._evaluator.facts.content_at(each.place)
            end = each.node.body.start if each.node.body is not None else each.node.extent_end
            if content is None or _CONST.search(content, each.node.start, end + 1) is None:
                return False
        return bool(found)

    def _is_object(self, operand: Expr, struct: Declared[Struct]) -> bool:
        """Whether an operand is a member of a class in sight, whose operators are functions."""
        if not isinstance(operand, Name):
            return False
        return any(
            variable.name == operand.text and variable.type.name.last in self._evaluator.facts.structs
            for statement in struct.node.members.statements
            if isinstance(statement, Declaration)
            for variable in statement.variables
        )

    def _members(self, struct: Declared[Struct]) -> frozenset[str]:
        return frozenset(
            variable.name
            for statement in struct.node.members.statements
            if isinstance(statement, Declaration)
            for variable in statement.variables
        )


def _inside(body: Node) -> Iterator[Node]:
    """The nodes of a body, without a ``this`` through which a member is named."""
    through = {id(each.object) for each in walk(body) if isinstance(each, Member) and isinstance(each.object, Name)}
    return (each for each in walk(body) if id(each) not in through)


def _is_itself(value: Expr | None) -> bool:
    """``*this``"""
    match value:
        case Unary(operator="*", operand=Name(text="this")):
            return True
        case _:
            return False


def _same_parameters(first: Function, second: Function) -> bool:
    return [_spelling(each.type.name) for each in first.parameters] == [
        _spelling(each.type.name) for each in second.parameters
    ]


def _spelling(name: Name) -> str:
    return name.last
