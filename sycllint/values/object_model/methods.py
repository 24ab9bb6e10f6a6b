"""Member functions of classes: where their bodies stand, and what they do to the object they are called on."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, TypeAlias

from sycllint.cpp.expression import Binary, Call, Expr, Lambda, Member, Name, Unary
from sycllint.cpp.node import Node, walk
from sycllint.cpp.place import Place
from sycllint.cpp.statement import STATIC, VIRTUAL, Block, Evaluate, Function, Return, Struct, Variable
from sycllint.facts.file import Declared
from sycllint.memoized import memoized
from sycllint.record import NamedTuple
from sycllint.symbols.arity import accepts
from sycllint.values.objects import Point, TypeKind
from sycllint.values.side_effects.lvalues import root

if TYPE_CHECKING:
    from sycllint.values.interface import Evaluation

THIS = "this."
"""Before the name of a member that is written through ``this``: what such an assignment is said to change."""
READING = frozenset({"at", "back", "begin", "c_str", "data", "empty", "end", "front", "get", "size"})
"""Methods of the standard library's members that leave them alone."""
_CONST = re.compile(rb"\)\s*(noexcept\s*)?const\b")
_OVERRIDE = re.compile(rb"\boverride\b")
_FINAL = re.compile(rb"\bfinal\b")
_FINAL_CLASS = re.compile(rb"\bfinal\s*[:{]")
_EXPLICIT = re.compile(rb"\bexplicit\s*(\(\s*true\s*\)\s*)?(?:inline\s+|constexpr\s+|[A-Z_]+\s+)*$")
_PARTS = frozenset({Binary, Call, Lambda, Name})
_HEAD = 64
"""Bytes before a function's name among which ``explicit`` may stand."""

_Asked: TypeAlias = "Callable[[Function, Declared[Struct]], bool]"
"""Whether a method of a class leaves its object as it is."""


class BoundMethod(NamedTuple):
    """A method with its body, and its class: that of the object or a base."""

    function: Declared[Function]
    struct: Declared[Struct]


class Methods:
    """Answers for one evaluator."""

    def __init__(self, evaluator: Evaluation) -> None:
        self._evaluator = evaluator
        self._reading: dict[int, bool] = {}
        self._own: dict[int, tuple[Function, ...]] = {}
        self._keeping: dict[tuple[int, str], bool] = {}
        self._following: dict[tuple[int, str], bool] = {}
        self._entered: list[Function] = []
        """Methods whose bodies are being looked through, each called by the one before."""

    def all(self, struct: Declared[Struct]) -> tuple[Function, ...]:
        """The functions that a class declares itself."""
        key = id(struct.node)
        if key not in self._own:
            self._own[key] = tuple(struct.node.functions)
        return self._own[key]

    def named(self, struct: Declared[Struct], name: str) -> list[Function]:
        """Those that are called so."""
        return [each for each in self.all(struct) if each.name == name]

    def defined(self, method: Function, struct: Declared[Struct]) -> Declared[Function] | None:
        """The method with its body, inside the class or outside it; ``None`` when that is not visible."""
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
        """Whether a body sets members by assignments, and by calls of such methods that are statements of it.

        No pointer to the object is used.
        """
        assert function.body is not None
        if function in self._entered:
            return False
        self._entered.append(function)
        try:
            own = {id(each) for each in self.own_calls(function.body)}
            for each in self._parts(self._unchained(function.body)):
                match each:
                    case Name(text="this"):
                        return False
                    case Call(function=Name(text=name)) | Call(function=Member(object=Name(text="this"), name=name)):
                        called = self._called(name.rpartition("::")[2], struct)
                        is_entered = id(each) in own and self.entered(each, struct) is not None
                        if not is_entered and not all(
                            home is not None and self.only_reads(other, home) for other, home in called
                        ):
                            return False
                    case Lambda(body=body) if self._evaluator.mutations.of(body):
                        return False
                    case _:
                        pass
            return True
        finally:
            self._entered.pop()

    @memoized
    def own_calls(self, body: Block) -> tuple[Call, ...]:
        """The statements of a body that call something without an object: perhaps a method of the same one."""
        calls = (each.expression for each in body.statements if isinstance(each, Evaluate))
        return tuple(each for each in calls if isinstance(each, Call) and _called_on_itself(each) is not None)

    def setters(self, body: Block, struct: Declared[Struct], member: str) -> list[Call]:
        """Of these, in a body that ``stays_within``, those that may set a data member."""
        return [each for each in self.own_calls(body) if not all(self._kept(each, struct, member))]

    def _kept(self, call: Call, struct: Declared[Struct], member: str) -> Iterator[bool]:
        called = self._called(_called_on_itself(call) or "", struct)
        return (home is not None and self.keeps(each, home, member) for each, home in called)

    def entered(self, call: Call, struct: Declared[Struct]) -> BoundMethod | None:
        """The method that a call of the object's own means, whose effect on members is followed."""
        called = self._called(_called_on_itself(call) or "", struct)
        declared = [(each, home) for each, home in called if home is None or each in self.all(home)]
        method, home = declared[0] if len(declared) == 1 else (None, None)
        found = self.defined(method, home) if method is not None and home is not None else None
        if method is None or home is None or found is None or found.node.damaged:
            return None
        if method.template_parameters or method.flags & (VIRTUAL | STATIC):
            return None
        is_suitable = accepts(method, len(call.arguments)) and not self.is_overridable(found.node, found.place)
        return BoundMethod(found, home) if is_suitable and self.stays_within(found.node, home) else None

    def keeps(self, method: Function, struct: Declared[Struct], member: str) -> bool:
        """Whether a method surely leaves one data member of its object as it is, whatever it does to the others."""
        key = (id(method), member)
        if key not in self._keeping:
            self._keeping[key] = self._all_keep(method, struct, member)
        return self._keeping[key]

    def _all_keep(self, method: Function, struct: Declared[Struct], member: str) -> bool:
        """Whether neither a method nor one that it calls on its object, nor those that they call, set a data member."""
        waiting = [(method, struct)]

        def follow(called: Function, home: Declared[Struct]) -> bool:
            if all(each is not called for each, _ in waiting):
                waiting.append((called, home))
            return True

        for each, home in waiting:  # it grows meanwhile
            known = self._keeping.get((id(each), member))
            known = self.only_reads(each, home) if known is None else known
            if not known and not self._keeps_alone(each, home, member, follow):
                return False
        return True

    def _keeps_alone(self, method: Function, struct: Declared[Struct], member: str, follow: _Asked) -> bool:
        """The same of a method alone; of those that it calls on its object ``follow`` is asked."""
        found = self.defined(method, struct)
        return (
            found is not None
            and found.node.body is not None
            and not found.node.damaged
            and self._sets_at_most(found.node.body, struct, member, follow)
            and not self._sets(self._changed(found.node.body, *self._lambdas(found.node)), found.node, struct, member)
            and not self._may_give(found.node, member)
        )

    def keep(self, name: str, struct: Declared[Struct], member: str) -> bool:
        """Whether a class or its bases have methods called ``name``, and all of them leave the data member as it is."""
        found = list(self._called(name, struct))
        return bool(found) and all(home is not None and self.keeps(each, home, member) for each, home in found)

    def _called(self, name: str, struct: Declared[Struct]) -> Iterator[tuple[Function, Declared[Struct] | None]]:
        """The methods of a class and its bases that a name may mean, each with its class, where that is visible."""
        symbols = self._evaluator.symbols
        for each in symbols.methods(name, symbols.scope_of(struct)):
            yield each.node, symbols.class_defining(each)

    def follows(self, method: Function, struct: Declared[Struct], member: str) -> bool:
        """Whether the body of a method changes a data member at most by statements that name it, where they stand."""
        key = (id(method), member)
        if key not in self._following:
            self._following[key] = (
                method.body is not None
                and not method.damaged
                and (self.only_reads(method, struct) or self._sets_in_statements(method, method.body, struct, member))
            )
        return self._following[key]

    def _sets_in_statements(self, method: Function, body: Block, struct: Declared[Struct], member: str) -> bool:
        return (
            self._sets_at_most(self._unchained(body), struct, member, lambda each, home: self.keeps(each, home, member))
            and f"{THIS}{member}" not in self._evaluator.mutations.of(body)
            and not self._sets(self._changed(*self._lambdas(method)), method, struct, member)
        )

    def _sets_at_most(self, body: Block, struct: Declared[Struct], member: str, keeps: _Asked) -> bool:
        """Whether nothing but the statements of a body themselves may set a member: no method, no pointer to it."""
        members = frozenset({member})
        return not any(self._may_set(each, struct, members, keeps) for each in self._parts(body))

    def _may_set(
        self,
        node: Node,
        struct: Declared[Struct],
        members: frozenset[str],
        leaves: _Asked,
    ) -> bool:
        """Whether a part of a body may set one of ``members`` by a method: of the class, a base or the member itself.

        ``leaves`` says that a method of a class does not change it.
        """
        match node:
            case Name(text="this"):
                return True
            case Call(function=Name(text=name)) | Call(function=Member(object=Name(text="this"), name=name)):
                called = self._called(name.rpartition("::")[2], struct)
                return not all(home is not None and leaves(each, home) for each, home in called)
            case Call(function=Member(object=inner, name=name)):
                return root(inner) in members and not self._reads(inner, name, struct)
            case Binary(left=left, right=right):
                named = any(isinstance(each, Name) and each.text in members for each in (left, right))
                return named and any(self._is_object(each, struct) for each in (left, right))
            case _:
                return False

    @memoized
    def _parts(self, body: Block) -> tuple[Node, ...]:
        """Calls, operators and lambdas in a body, and each ``this`` through which no member is named."""
        through = {id(each.object) for each in walk(body) if isinstance(each, Member) and isinstance(each.object, Name)}
        parts = (each for each in walk(body) if type(each) in _PARTS and id(each) not in through)
        return tuple(each for each in parts if not isinstance(each, Name) or each.text == "this")

    @memoized
    def _lambdas(self, method: Function) -> tuple[Block, ...]:
        """The bodies of the lambdas in a method."""
        return tuple(each.body for each in walk(method) if isinstance(each, Lambda))

    @memoized
    def _unchained(self, body: Block) -> Block:
        """A body without the ``return *this`` at its end."""
        last = body.statements[-1:]
        chained = isinstance(last[0], Return) and _is_itself(last[0].value) if last else False
        return Block(body.statements[:-1], body.start, body.end) if chained else body

    def _changed(self, *bodies: Block) -> frozenset[str]:
        """What ``bodies`` may change, by the names and marks of ``Mutations``."""
        return frozenset[str]().union(*map(self._evaluator.mutations.of, bodies))

    def _sets(self, changed: frozenset[str], method: Function, struct: Declared[Struct], member: str) -> bool:
        """Whether a member is among what code in a method has ``changed``."""
        if f"{THIS}{member}" in changed:
            return True
        if any(each.name == member for each in method.parameters):
            return False
        return not changed.isdisjoint((member, f"&{member}")) or (
            f"*{member}" in changed and self._is_array(struct, member)
        )

    def _is_array(self, struct: Declared[Struct], member: str) -> bool:
        """Whether a data member is, or may be, an array, whose name stands for a pointer to its elements."""
        # One of a base is among all of its name.
        found = self._variables(struct, member) or [each.node for each in self._evaluator.facts.variables.get(member)]
        point = Point(Place(struct.node.members, struct.place), struct.node.start)
        return not found or any(
            each.type.extents or self._evaluator.kind(each.type.name, point).is_array for each in found
        )

    def _may_give(self, method: Function, member: str) -> bool:
        """Whether what a method returns may be used to set a member."""
        returns = method.returns
        if method.body is None or returns is None:
            return False
        if not (returns.reference and not returns.constant) and not returns.pointers:
            return False
        return any(_names(each, member) for each in walk(method.body))

    def returns_itself(self, method: Function, struct: Declared[Struct]) -> bool:
        """Whether what a method returns is its object, ``return *this``, on which further methods may be called."""
        returns, found = method.returns, self.defined(method, struct)
        if returns is None or not returns.reference or found is None or found.node.body is None:
            return False
        last = found.node.body.statements[-1:]
        given = [each for each in walk(found.node.body) if isinstance(each, Return)]
        return bool(last) and given == [last[0]] and _is_itself(given[0].value)

    def receiver(self, expression: Expr, struct: Declared[Struct]) -> Expr:
        """The object that ``expression`` is, where that calls methods which return their object: ``l.block(32)``."""
        while isinstance(expression, Call) and isinstance(expression.function, Member):
            called = self.named(struct, expression.function.name)
            if not called or not all(self.returns_itself(each, struct) for each in called):
                break
            expression = expression.function.object
        return expression

    def is_overridable(self, method: Function, place: Place) -> bool:
        """Whether a call of a method without an object may run that of a derived class instead."""
        content = self._evaluator.facts.content_at(place)
        if content is None or method.body is None:
            return bool(method.flags & VIRTUAL)
        struct = place.innermost(Struct)
        if struct is not None and _FINAL_CLASS.search(content, struct.start, struct.members.start + 1) is not None:
            return False
        head = method.start, method.body.start
        is_virtual = method.flags & VIRTUAL or _OVERRIDE.search(content, *head) is not None
        return bool(is_virtual) and _FINAL.search(content, *head) is None

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
        members = frozenset(each.name for each in struct.node.variables)
        changed = self._changed(body, *self._lambdas(method))
        named = {each.lstrip("&*.") for each in changed} - {each.name for each in method.parameters}
        if any(each.startswith("this") for each in named) or (struct.node.bases and named):
            return False
        if any(self._sets(changed, method, struct, each) for each in members):
            return False
        return not any(self._may_set(each, struct, members, self.only_reads) for each in self._parts(body))

    def _reads(self, inner: Expr, name: str, struct: Declared[Struct]) -> bool:
        """Whether a method called on a member, or on a member's member, surely leaves it as it is."""
        if name in READING or self._is_constant(name):
            return True
        if isinstance(inner, Member):
            # What a pointer that is a member leads to is another object.
            holders = self._kinds(inner.object, struct)
            parts = [part for each in holders if each.struct for part in self._variables(each.struct, inner.name)]
            return bool(parts) and all(each.type.pointers for each in parts)
        kinds = self._kinds(inner, struct)
        return bool(kinds) and all(
            each.struct is not None
            and bool(self.named(each.struct, name))
            and all(self.only_reads(method, each.struct) for method in self.named(each.struct, name))
            for each in kinds
        )

    def _kinds(self, inner: Expr, struct: Declared[Struct]) -> list[TypeKind]:
        """What a data member is that is no pointer."""
        variables = self._variables(struct, inner.text) if isinstance(inner, Name) else []
        point = Point(Place(struct.node.members, struct.place), struct.node.start)
        return [self._evaluator.kind(each.type.name, point) for each in variables if not each.type.pointers]

    def _variables(self, struct: Declared[Struct], name: str) -> list[Variable]:
        """The data member of a class that is called so."""
        return [each for each in struct.node.variables if each.name == name]

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
        """Whether an operand is a member of a visible class, whose operators are functions."""
        found = self._variables(struct, operand.text) if isinstance(operand, Name) else ()
        return any(each.type.name.last in self._evaluator.facts.structs for each in found)


def _called_on_itself(call: Call) -> str | None:
    """The function that ``set(8)`` or ``this->set(8)`` calls."""
    match call.function:
        case Name(text=name, scope=None) | Member(object=Name(text="this"), name=name):
            return name
        case _:
            return None


def _names(node: Node, member: str) -> bool:
    return (isinstance(node, Name) and node.text == member) or (isinstance(node, Member) and node.name == member)


def _is_itself(value: Expr | None) -> bool:
    """``*this``"""
    match value:
        case Unary(operator="*", operand=Name(text="this")):
            return True
        case _:
            return False


def _same_parameters(first: Function, second: Function) -> bool:
    return [each.type.name.last for each in first.parameters] == [each.type.name.last for each in second.parameters]
