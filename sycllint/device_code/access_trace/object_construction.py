"""Objects of the project's classes as device code makes them: by members, or by a constructor that keeps arguments."""

from __future__ import annotations

from sycllint.cpp.expression import Brace, Expr
from sycllint.cpp.statement import Function, Struct, Variable
from sycllint.device_code.access_trace.abstract_values import (
    AbstractValue,
    Environment,
    MemoryElement,
    Object,
    Slot,
    lose,
)
from sycllint.device_code.access_trace.initial_values import InitialValues
from sycllint.device_code.access_trace.interpreter import Interpreter
from sycllint.domains.meaning import fields
from sycllint.facts.file import Declared
from sycllint.symbols.arity import accepts

MAX_MEMBERS = 32


class ObjectConstruction:
    """Objects made in one walk."""

    def __init__(self, interpreter: Interpreter, bindings: InitialValues) -> None:
        self._interpreter = interpreter
        self._bindings = bindings
        self._evaluator = interpreter.evaluator

    def made(self, struct: Declared[Struct], arguments: tuple[Expr, ...], names: Environment) -> AbstractValue:
        """An object made from ``arguments``; ``None`` when its class does something else than to keep them."""
        declared = tuple(fields(struct.node))
        if not declared or len(declared) > MAX_MEMBERS or struct.node.bases or struct.node.keyword == "union":
            return None
        if len(arguments) == 1 and isinstance(arguments[0], Brace) and arguments[0].type is None:
            arguments = arguments[0].elements
        members: dict[str, Slot | MemoryElement] = {}
        for each in declared:
            self._interpreter.objects.declare(members, each.name, None)
        constructors = self._constructors(struct)
        if not constructors:
            for variable, argument in zip(declared, arguments, strict=False):
                self._keep(members, variable, argument, names)
            return Object(struct, members)
        fitting = [each for each in constructors if accepts(each.node, len(arguments))]
        if len(fitting) != 1 or not arguments:
            return None
        return self._constructed(struct, fitting[0], arguments, members, names)

    def _keep(
        self, members: dict[str, Slot | MemoryElement], variable: Variable, written: Expr, names: Environment
    ) -> None:
        """Initialise one member; a reference is what it is bound to."""
        thing = self._interpreter.thing(written, names)
        slot = self._interpreter.slot(written, names)
        if variable.type.reference and (isinstance(thing, MemoryElement) or slot is not None):
            members[variable.name] = thing if isinstance(thing, MemoryElement) else slot or Slot()
            return
        kind = self._evaluator.types.kind(variable.type.name)
        if isinstance(thing, MemoryElement) and not (variable.type.pointers or kind.is_number):
            # An alias may be one of a reference.
            lose(thing)
            thing = None
        self._interpreter.objects.declare(members, variable.name, self._bindings.initial(variable, thing, written))

    def _constructors(self, struct: Declared[Struct]) -> list[Declared[Function]]:
        symbols = self._evaluator.symbols
        scope = symbols.scope_of(struct)
        return [each for each in symbols.methods(scope.name, scope) if symbols.is_constructor(each)]

    def _constructed(
        self,
        struct: Declared[Struct],
        constructor: Declared[Function],
        arguments: tuple[Expr, ...],
        members: dict[str, Slot | MemoryElement],
        names: Environment,
    ) -> AbstractValue:
        """The members as the constructor's initialisers leave them; one with a body of its own is not followed."""
        function = constructor.node
        if function.body is None or function.body.statements or function.damaged:
            return None
        inner: Environment = {}
        for parameter, argument in zip(function.parameters, arguments, strict=False):
            thing = self._interpreter.thing(argument, names)
            self._bindings.bind(inner, parameter, thing, argument, names)
        kinds = {each.name: each for each in fields(struct.node)}
        for name, written in function.initializers:
            if name not in kinds or len(written) != 1:
                continue
            self._keep(members, kinds[name], written[0], inner)
        return Object(struct, members)
