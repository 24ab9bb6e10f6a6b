"""Which code may set a queue anew that it has by reference, so that it is another queue from then on.

What is out of sight and takes a queue may make it anything: another queue, one that runs its commands in order.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from sycllint.cpp.expression import (
    Assign,
    Binary,
    Brace,
    Call,
    Cast,
    Conditional,
    Expr,
    Lambda,
    Member,
    Name,
    New,
    Type,
    Unary,
)
from sycllint.cpp.node import Node, children
from sycllint.cpp.statement import Block, Declaration, Function, Parameter, Struct, Variable
from sycllint.host.receivers import field_of
from sycllint.host.vocabulary import ALLOCATORS, CLASSES, HARMLESS, OPERATIONS, ORDERING, QUIET_QUEUE_METHODS, RECORDING
from sycllint.symbols.arity import accepts
from sycllint.values.library import BY_VALUE, KEEPERS, METHODS_BY_VALUE, SETTERS

if TYPE_CHECKING:
    from sycllint.host.written import Names
    from sycllint.symbols.unit import Unit
    from sycllint.values.types import Types

MAX_DEPTH = 4
"""How deep calls are followed; deeper ones may set what they are given."""
_LIBRARIES = HARMLESS | {"oneapi", "dpct", "syclcompat"}
"""Namespaces whose functions and classes leave a queue what it is, but for those that hand references on."""
_HANDING_ON = KEEPERS | SETTERS | {"make_unique", "make_shared", "make_from_tuple", "construct_at"}
_READING = frozenset(ALLOCATORS) | BY_VALUE
_METHODS_READING = METHODS_BY_VALUE | OPERATIONS | ORDERING | QUIET_QUEUE_METHODS | RECORDING.keys()
_CLASSES = CLASSES | {"stream", "usm_allocator", "command_graph", "sampled_image", "unsampled_image"}
"""Classes of SYCL, which have a copy of the queue they are made from."""
_HANDING = frozenset({Assign, Binary, Brace, Call, New, Variable})
"""What may set a queue, or hand it on."""
TAKING = frozenset({">>", "<<", "&", "|"})
"""With which objects take what stands beside them: ``archive & q``."""


class Resets:
    """Answers for one unit."""

    def __init__(self, facts: Unit, types: Types, names: Names) -> None:
        self._facts = facts
        self._types = types
        self._names = names
        self._known: dict[tuple[int, str], bool] = {}

    def in_code(self, code: Node, name: str, depth: int = 0) -> bool:
        """Whether ``code`` may set the queue that it calls ``name``."""
        key = (id(code), name)
        if key not in self._known:
            self._known[key] = False
            self._known[key] = any(self._sets(each, name, depth) for each in _handing(code))
        return self._known[key]

    def by_node(self, node: Node, name: str) -> bool:
        """Whether a call, an object that is made or an operator may set the queue ``name``."""
        return self._sets(node, name, 0)

    def _sets(self, node: Node, name: str, depth: int) -> bool:
        match node:
            case Assign(left=target):
                return name in self._names.of(target) and not isinstance(target, Member)
            case Call(function=function, arguments=arguments):
                return any(
                    self._call_sets(function, position, len(arguments), depth)
                    for position, each in enumerate(arguments)
                    if _leads_to(each, name)
                )
            case New(type=kind, arguments=arguments) | Variable(type=kind, arguments=arguments):
                return any(_leads_to(each, name) for each in arguments) and self._made_sets(kind, node, name, depth)
            case Brace(type=Name() as made, elements=elements):
                return any(_leads_to(each, name) for each in elements) and self._class_sets(made, elements, name, depth)
            case Binary(operator=operator, left=left, right=right) if operator in TAKING:
                return _leads_to(left, name) or _leads_to(right, name)
            case _:
                return False

    # ----------------------------------------------------------------- calls

    def _call_sets(self, function: Expr, position: int, count: int, depth: int) -> bool:
        """Whether what is called may set the queue that stands at ``position`` of ``count`` arguments."""
        match function:
            case Name(last=last):
                if function.qualifier.removeprefix("::").partition("::")[0] in _LIBRARIES:
                    return last in _HANDING_ON
                if last in self._facts.functions:
                    return self._functions_set(last, position, count, depth)
                return last not in _READING
            case Member(name=last):
                if last in _METHODS_READING:
                    return False
                return last not in self._facts.functions or self._functions_set(last, position, count, depth)
            case Lambda(parameters=parameters):
                return position < len(parameters) and self._parameter_sets(parameters[position], function.body, depth)
            case _:
                return True

    def _functions_set(self, name: str, position: int, count: int, depth: int) -> bool:
        candidates = [each.node for each in self._facts.functions.get(name) if accepts(each.node, count)]
        return any(self._function_sets(each, position, candidates, depth) for each in candidates)

    def _function_sets(self, function: Function, position: int, others: list[Function], depth: int) -> bool:
        if not function.parameters:
            return False
        parameter = function.parameters[min(position, len(function.parameters) - 1)]
        if not _is_writable(parameter.type):
            return False
        if function.body is None:
            # The declaration of one whose body stands elsewhere in sight.
            return not any(each.body is not None for each in others)
        if depth >= MAX_DEPTH or function.damaged:
            return True
        return self._parameter_sets(parameter, function.body, depth) or any(
            self._initialized_sets(function, field, values, parameter.name, depth)
            for field, values in function.initializers
        )

    def _initialized_sets(self, maker: Function, member: str, values: tuple[Expr, ...], name: str, depth: int) -> bool:
        """Whether a member, or a base, that a constructor makes from the queue ``name`` may set it."""
        if not any(_leads_to(each, name) for each in values):
            return False
        kind = maker.name.rpartition("::")[2]
        if any(field_of(each.node, member) is not None for each in self._facts.structs.get(kind)):
            return self._members_set(kind, member, depth)
        base = Name(member, None, None, 0, 0)
        return self._class_sets(base, values, name, depth + 1)

    def _parameter_sets(self, parameter: Parameter, body: Node, depth: int) -> bool:
        return _is_writable(parameter.type) and self.in_code(body, parameter.name, depth + 1)

    # --------------------------------------------------------------- classes

    def _made_sets(self, kind: Type, node: New | Variable, name: str, depth: int) -> bool:
        """Whether an object of a type, made from the queue ``name``, or a reference to the queue, may set it."""
        if isinstance(node, Variable) and (kind.reference or kind.pointers):
            return not kind.constant and depth > 0
        known = self._types.kind(kind.name)
        is_a_copy = known.automatic or known.sycl in _CLASSES or bool(kind.extents)
        return not is_a_copy and self._class_sets(kind.name, node.arguments, name, depth)

    def _class_sets(self, made: Name, arguments: tuple[Expr, ...], name: str, depth: int) -> bool:
        known = self._types.kind(made)
        if known.struct is None:
            first = known.name.qualifier.removeprefix("::").partition("::")[0]
            return known.name.last in _HANDING_ON if first in _LIBRARIES else not known.is_number
        last = known.struct.node.name
        if last not in self._facts.functions:
            return self._members_set(last, None, depth)
        places = (position for position, each in enumerate(arguments) if _leads_to(each, name))
        return any(self._functions_set(last, position, len(arguments), depth) for position in places)

    def _members_set(self, kind: str, member: str | None, depth: int) -> bool:
        """Whether a class sets what ``member`` refers to, or what any of its members does."""
        for declared in self._facts.structs.get(kind):
            struct = declared.node
            referring = [each for each in _references(struct) if member in (None, each)]
            if not referring:
                continue
            methods = (each for each in struct.members.statements if isinstance(each, Function))
            bodies = [body for each in methods for body in self._bodies(each)]
            if any(body is None for body in bodies):
                return True
            if any(self.in_code(body, each, depth + 1) for body in bodies if body is not None for each in referring):
                return True
        return False

    def _bodies(self, method: Function) -> list[Block | None]:
        """The bodies that a method has in sight; ``None`` for one that has none, unless that may be the compiler's."""
        if method.body is not None:
            return [method.body]
        found = [each.node.body for each in self._facts.functions.get(method.name) if each.node.body is not None]
        is_special = method.returns is None or method.name.startswith("operator=")
        return [*found] or ([] if is_special else [None])


def _handing(code: Node) -> Iterator[Node]:
    """What in ``code`` may set a queue or hand it on: no lambda that copies what is around, as kernels do."""
    stack = [code]
    while stack:
        current = stack.pop()
        if type(current) in _HANDING:
            yield current
        elif (
            type(current) is Lambda
            and current.default != "&"
            and not any(each.by_reference for each in current.captures)
        ):
            continue
        stack += children(current)


def _leads_to(argument: Expr, name: str) -> bool:
    """Whether who is given ``argument`` has the queue itself: by its name, its address or a choice."""
    match argument:
        case Name(text=text):
            return text == name
        case Unary(operator="&" | "*", operand=inner) | Cast(operand=inner):
            return _leads_to(inner, name)
        case Conditional(then=then, otherwise=otherwise):
            return _leads_to(then, name) or _leads_to(otherwise, name)
        case Brace(type=None, elements=elements):
            return any(_leads_to(each, name) for each in elements if isinstance(each, Unary))
        case _:
            return False


def _is_writable(kind: Type) -> bool:
    return (kind.reference or kind.pointers > 0 or kind.name.last == "auto") and not kind.constant


def _references(struct: Struct) -> list[str]:
    """Members of a class that refer to something outside it."""
    return [
        variable.name
        for statement in struct.members.statements
        if isinstance(statement, Declaration)
        for variable in statement.variables
        if _is_writable(variable.type)
    ]
