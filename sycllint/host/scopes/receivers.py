"""Types of what host code calls methods on: members of objects, what functions give, what a smart pointer holds.

Only declarations count: a class whose definition is not visible has no members, and a function that is declared in
several ways gives nothing. Where a queue's type is hidden, its name may still say what it is (``suggests_queue``).
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from sycllint.cpp.expression import Brace, Call, Cast, Conditional, Expr, Index, Lambda, Member, Name, Type, Unary
from sycllint.cpp.node import walk
from sycllint.cpp.place import Place
from sycllint.cpp.statement import VIRTUAL, Function, Struct
from sycllint.facts.file import Declared
from sycllint.host.scopes.classes import HostClasses
from sycllint.host.scopes.kinds import element_of
from sycllint.host.scopes.things import Kind, Thing
from sycllint.host.scopes.walk_context import WalkContext
from sycllint.host.vocabulary import ALLOCATORS, COPIES, FREE_COMMANDS, HARMLESS, LAUNCHES
from sycllint.symbols.arity import accepts
from sycllint.symbols.scope import ScopeKind
from sycllint.values.types import as_type, pointed, qualifier_is_sycl

MAX_DEPTH = 6
"""How many members, calls and base classes are looked through for one type."""
_TELLING = frozenset({"get_device", "get_context", "get_platform"})
"""Methods of SYCL's classes that give what is only asked."""
_QUEUE_WORDS = re.compile(r"(?:queue|stream)s?\d*(?:_t|_ptr|_type)?_*$|^(?:[mgs]?_+)?q\d*_*$", re.IGNORECASE)
"""Names that a queue is given."""

_SYCL = re.compile(rb"sycl|dpct", re.IGNORECASE)
"""In a file that has queues of SYCL."""
_EXTENSIONS = frozenset({"experimental", "khr"})
"""Namespaces of SYCL that have such functions."""


class Receivers:
    """Answers at the place where ``scope`` is."""

    def __init__(self, scope: WalkContext, classes: HostClasses) -> None:
        self._scope = scope
        self._symbols = scope.evaluator.symbols
        self._classes = classes

    def type_of(self, expression: Expr, depth: int = 0) -> Type | None:
        """The type of an expression; ``None`` when it is not evident."""
        if depth > MAX_DEPTH:
            return None
        match expression:
            case Name(text=text):
                argument = self._scope.argument(text)
                if argument is not None:
                    with self._scope.as_written_outside():
                        return self.type_of(argument, depth + 1)
                found = self._scope.thing(expression)
                return found.written if found is not None else None
            case Member(object=inner, name=name):
                found = self._scope.thing(expression)
                if found is not None:
                    return found.written
                field = self._classes.field(self.type_of(inner, depth + 1), name)
                return field.type if field is not None else None
            case Brace(type=Name() as kind) | Call(function=Name() as kind) if self.constructed(kind) is not None:
                return Type(kind, 0, False, False, (), kind.start, kind.end)
            case Call(function=Name(last="make_unique" | "make_shared" as made, arguments=(held,)) as maker):
                holder = Name(f"std::{made.replace('make', '')[1:]}_ptr", (held,), None, maker.start, maker.end)
                return Type(holder, 0, False, False, (), maker.start, maker.end)
            case Call(function=Name(last=last, arguments=(Type() | Name() as held, *_))) if last in ALLOCATORS:
                element = as_type(held)
                return pointed(element, element.pointers + 1) if element is not None else None
            case Call():
                return self.given(expression, depth + 1)
            case Unary(operator="*", operand=inner) | Index(object=inner, indices=(_,)):
                return element_of(self.type_of(inner, depth + 1))
            case Unary(operator="&", operand=inner):
                whole = self.type_of(inner, depth + 1)
                return pointed(whole, whole.pointers + 1) if whole is not None and not whole.extents else None
            case Cast(type=kind) if kind.name.text != "auto":
                return kind
            case Conditional(then=then):
                return self.type_of(then, depth + 1)
            case _:
                return None

    def constructed(self, kind: Name) -> Declared[Struct] | None:
        """The class of the project that a name in an expression is, which so makes an object."""
        return self._scope.evaluator.types.kind(kind, self._scope.place).struct

    def is_queue(self, call: Call) -> bool:
        """Whether a visible function gives a queue, or a pointer to one."""
        given = self.given(call, 1)
        return given is not None and self._scope.kind(given) is Kind.QUEUE

    def given(self, call: Call, depth: int) -> Type | None:
        """What a call gives, by the declarations of what it calls."""
        match call.function:
            case Member(object=Name(text="this"), name=name):
                return self._one_of(self._classes.methods_around(self._scope.place, name))
            case Member(object=inner, name="get" | "value", arguments=None) if not call.arguments:
                return element_of(self.type_of(inner, depth))
            case Member(object=inner, name="at" | "front" | "back"):
                return element_of(self.type_of(inner, depth))
            case Member(object=inner, name=name):
                return self._one_of(each.node for each in self._classes.methods(self.type_of(inner, depth), name))
            case Name() as name if not name.qualifier and (
                around := self._classes.methods_around(self._scope.place, name.last)
            ):
                return self._one_of(around)
            case Name() as name:
                return self._one_of(each.node for each in self._symbols.functions(name, self._scope.place).declared)
            case _:
                return None

    @staticmethod
    def _one_of(functions: Iterable[Function]) -> Type | None:
        """What all of several declarations give."""
        given = [each.returns for each in functions]
        first = given[0] if given else None
        if first is None or first.name.text == "auto":
            return None
        same = all(each is not None and (each.name, each.pointers) == (first.name, first.pointers) for each in given)
        return first if same or _alike(given) else None

    def method(self, inner: Expr, call: Call, name: str) -> Declared[Function] | None:
        """The body of the one method that ``inner.name(…)`` calls, unless another class may have its own."""
        if not self._scope.evaluator.overloads.is_defined(name):
            return None
        found = self._classes.methods(self.type_of(inner), name)
        if any(each.node.flags & VIRTUAL for each in found):
            return None
        bodies = [each for each in found if each.node.body is not None and not each.node.damaged]
        fitting = [each for each in bodies if accepts(each.node, len(call.arguments))]
        return fitting[0] if len(fitting) == 1 else None

    def is_opaque(self, expression: Expr) -> bool:
        """Whether no visible declaration is of an object, or of the function that gives it."""
        match expression:
            case Name(text=text) if text != "this":
                known = self._scope.thing(expression) or self._symbols.variables(expression, self._scope.place).declared
                return not known and expression.qualifier.partition("::")[0] not in HARMLESS
            case Call(function=Name() as function):
                given = self._symbols.functions(function, self._scope.place).declared or self._scope.thing(function)
                return not given and function.qualifier.partition("::")[0] not in HARMLESS
            case _:
                return False

    def is_of_library(self, expression: Expr) -> bool:
        """Whether an object is of a class of the C++ library, or describes a device."""
        match expression:
            case Name():
                found = self._scope.thing(expression)
                if found is None or found.written is None:
                    return expression.qualifier.partition("::")[0] in HARMLESS
                qualifier = self._scope.evaluator.types.kind(found.written.name).name.qualifier
                return qualifier.partition("::")[0] in HARMLESS
            case Call(function=Name() as function):
                return function.qualifier.startswith("std::chrono")
            case Call(function=Member(object=inner, name=name)):
                return name in _TELLING or (isinstance(inner, Call) and self.is_of_library(inner))
            case _:
                return False

    def may_inherit(self) -> bool:
        """Whether a class around has a base that is not visible, and so methods that are not."""
        scopes = self._symbols.scopes
        around = scopes.at(self._scope.place).outwards()
        return any(scopes.has_unseen_base(each) for each in around if each.kind is ScopeKind.CLASS)


def gives_copy(place: Place) -> bool:
    """Whether the function around a place gives its caller a copy of what it returns."""
    around = next((each for each in place.chain() if isinstance(each, Function | Lambda)), None)
    returns = around.returns if isinstance(around, Function) else None
    return returns is not None and not returns.reference and not returns.pointers


def as_method(call: Call, scope: WalkContext) -> Call | None:
    """The call of a queue's or a handler's method that does what a free function does which is given one."""
    function, arguments = call.function, call.arguments
    if not isinstance(function, Name) or function.last not in FREE_COMMANDS or not arguments:
        return None
    qualifier, facts = function.qualifier, scope.facts
    is_sycl = (
        qualifier_is_sycl(qualifier, facts.namespaces)
        if qualifier
        else any(not _EXTENSIONS.isdisjoint(each.split("::")) for each in facts.using)
    )
    found = scope.thing(arguments[0]) if is_sycl else None
    if found is None or found.kind not in (Kind.QUEUE, Kind.HANDLER):
        return None
    name, position = FREE_COMMANDS[function.last]
    given = arguments[1:]
    if name in LAUNCHES and len(given) > position:
        # A size of groups says nothing of memory.
        given = (*given[: min(position, 1)], *given[position + 1 :], given[position])
    return Call(Member(arguments[0], name, None, function.start, function.end), given, call.start, call.end)


def _alike(given: Iterable[Type | None]) -> bool:
    """Whether types are the same but for where they are written."""
    return len({(each.name.text, each.pointers, each.name.arguments is None) if each else None for each in given}) == 1


# ------------------------------------------------------------- hidden queues


def spelled(expression: Expr) -> str:
    """A path as a message shows it: ``ctx.stream()``; empty when it is none."""
    match expression:
        case Name(text="this"):
            return ""
        case Name(text=text):
            return text
        case Member(object=Name(text="this"), name=name):
            return name
        case Member(object=inner, name=name):
            before = spelled(inner)
            return f"{before}.{name}" if before else ""
        case Call(function=function):
            before = spelled(function)
            return f"{before}()" if before else ""
        case Index(object=inner):
            before = spelled(inner)
            return f"{before}[]" if before else ""
        case Unary(operator="*" | "&", operand=operand):
            return spelled(operand)
        case _:
            return ""


def suggests_queue(*names: str) -> bool:
    """Whether one of the names of something whose type is hidden says that it is a queue."""
    return any(_QUEUE_WORDS.search(each) for each in names)


def last_name(expression: Expr) -> str:
    """The name of a variable, a member or a called function."""
    match expression:
        case Name(text=text):
            return text.rpartition("::")[2]
        case Member(name=name):
            return name
        case Call(function=function) | Unary(operator="*" | "&", operand=function) | Index(object=function):
            return last_name(function)
        case _:
            return ""


def is_command(call: Call, method: str) -> bool:
    """Whether a method and its arguments are those of a queue's commands, whoever it is called on."""
    arguments = call.arguments
    if method in COPIES:
        count = COPIES[method][2]
        return count <= len(arguments) <= count + 1
    last = arguments[-1] if arguments else None
    if not isinstance(last, Lambda):
        return False
    if method in LAUNCHES:
        return True
    if method != "submit" or len(last.parameters) != 1:
        return False
    kind = last.parameters[0].type
    calls = (each.function for each in walk(last.body) if isinstance(each, Call))
    launches = any(isinstance(each, Member) and each.name in (*LAUNCHES, *COPIES) for each in calls)
    return kind.reference and kind.name.last in ("handler", "auto") and launches


def hidden_queue(expression: Expr, known: Thing | None, scope: WalkContext) -> Thing | None:
    """A queue known only by its name; ``known`` is the variable it is, if its type says nothing else."""
    if known is not None and known.kind is not Kind.OTHER:
        return None
    hints = (last_name(expression), known.type_name if known is not None else "")
    shown = spelled(expression)
    if not shown or not suggests_queue(*hints) or not _SYCL.search(scope.facts.file_at(scope.place).content):
        return None
    return Thing(shown, Kind.QUEUE, scope.location(expression), hidden=True)
