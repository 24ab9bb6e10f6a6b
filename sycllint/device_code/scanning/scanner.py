"""The walk over a kernel that fills its scan: statements, declarations, branches, calls that are entered."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from sycllint.cpp.expression import Brace, Call, Expr, Lambda, Member, Name, Opaque, Type, Unary
from sycllint.cpp.node import Node
from sycllint.cpp.place import Place
from sycllint.cpp.statement import (
    CONST,
    STATIC,
    Block,
    Declaration,
    Evaluate,
    Function,
    If,
    Include,
    Loop,
    RangeLoop,
    Variable,
    Variants,
)
from sycllint.device_code.scanning.allocations import Allocations
from sycllint.device_code.scanning.calls import ScanCalls
from sycllint.device_code.scanning.entering import MAX_CALLS, Entering
from sycllint.device_code.scanning.reached_barriers import ReachedBarriers
from sycllint.device_code.scanning.scan import Scan
from sycllint.device_code.scanning.traversal import LEAVES, Calling, Traversal, Visitor
from sycllint.domains.meaning import ClassObject, KnownLambda, Meaning, Renamed, Role, Scope, is_array
from sycllint.domains.results import is_plain_function
from sycllint.domains.vocabulary import GROUP_HANDLES, STATIC_LOCAL
from sycllint.facts.file import Declared
from sycllint.source.span import Location
from sycllint.values.certainty import truth
from sycllint.values.evaluate import Evaluator
from sycllint.values.objects import Point


class Scanner:
    """One walk over one kernel."""

    def __init__(self, evaluator: Evaluator, calling: Calling) -> None:
        self._evaluator = evaluator
        self._facts = evaluator.facts
        self._meanings = meanings = calling.meanings
        self.scan = scan = Scan()
        self._traversal = traversal = Traversal(evaluator, calling, scan)
        self._reached = reached = ReachedBarriers(evaluator, scan)
        self._allocations = Allocations(evaluator, scan, reached)
        self._entering = Entering(evaluator, meanings, scan, reached, traversal)
        self._calls = ScanCalls(
            evaluator, meanings, scan, reached, self._allocations, self._entering, lambda: calling.synchronisation
        )
        traversal.by(self._visits(), self._entering.kept)

    def closure(self, function: Lambda, place: Place) -> Scan:
        """The kernel is a lambda at ``place``."""
        self.scan.body_found = not function.damaged
        self._traversal.body(function.body, place, self._meanings.parameters(function.parameters, kernel=True), 0)
        return self.scan

    def function(self, declared: Declared[Function]) -> Scan:
        """The kernel is a function, or the call operator of a function object."""
        node = declared.node
        self.scan.body_found = node.body is not None and not node.damaged
        if node.body is not None:
            scope = self._entering.own_members(declared) | self._meanings.parameters(node.parameters, kernel=True)
            self._traversal.body(node.body, declared.place, scope, 0)
        return self.scan

    def release(self) -> None:
        """Forget everything: its parts know it, and would keep the whole unit until the garbage collector comes."""
        self._traversal.release()
        vars(self).clear()

    def _visits(self) -> dict[type[Node], Visitor]:
        return {
            Block: self._block,
            Call: self._call,
            Declaration: self._declaration,
            Evaluate: self._evaluate,
            If: self._if,
            Include: self._include,
            Lambda: self._lambda,
            Loop: self._loop,
            Opaque: self._opaque,
            RangeLoop: self._loop,
            Variants: self._variants,
        }

    def _block(self, node: Block, place: Place, scope: Scope, depth: int) -> None:
        self._traversal.statements(node, place, dict(scope), depth)

    def _evaluate(self, node: Evaluate, place: Place, scope: Scope, depth: int) -> None:
        expression = node.expression
        if isinstance(expression, Name):
            self._statement_name(expression, place, scope, depth)
        elif not self._traversal.is_silent(node):
            self._traversal.inside(node, place, scope, depth)

    def _statement_name(self, name: Name, place: Place, scope: Scope, depth: int) -> None:
        """``SYNC;``: a macro without arguments."""
        macro = self._evaluator.macros.macro(name, Point(place, name.start))
        if macro is not None:
            self._entering.macro(macro, name, Place(name, place), scope, depth)
        elif name.last not in scope and not self._is_declared(name, place):
            self.scan.calls_unknown = True

    def _is_declared(self, name: Name, place: Place) -> bool:
        """Whether a name is that of a variable or a type; otherwise it may be a macro that is not in sight."""
        facts, last = self._facts, name.last
        if last in facts.macros:
            return False
        kind = self._evaluator.types.kind(name, place)
        if kind.is_number or kind.struct is not None:
            # All the text of ``#define REAL double``.
            return True
        known = last in facts.variables or last in facts.enumerators or last == "this"
        return known or self._evaluator.declarations.nearest(last, Point(place, name.start)) is not None

    def _loop(self, node: Loop | RangeLoop, place: Place, scope: Scope, depth: int) -> None:
        location = self._reached.location(node, place)
        if location not in self.scan.loops:
            self.scan.loops.append(location)
        self._traversal.inside(node, place, dict(scope), depth)

    def _if(self, node: If, place: Place, scope: Scope, depth: int) -> None:
        """Both branches, but no barrier of one that is surely not taken."""
        before = self.scan.barriers
        inner = dict(scope)
        self.scan.barriers = seen = []
        for part in (node.initializer, node.condition):
            if part is not None and type(part) not in LEAVES:
                self._traversal.walk(part, Place(part, place), inner, depth)
        for branch, taken in ((node.then, True), (node.otherwise, False)):
            if branch is None:
                continue
            found: list[Location] = []
            self.scan.barriers = found
            self._traversal.walk(branch, Place(branch, place), inner, depth)
            if found and node.condition is not None:
                known = self._truth(node.condition, Point(place, node.start + 1))
                found = found if known is None or known is taken else []
            seen += found
        self.scan.barriers = before
        self._reached.reach(seen)

    def _truth(self, condition: Expr, point: Point) -> bool | None:
        evaluator = self._evaluator
        before, evaluator.free = evaluator.free, {}
        known = truth(evaluator, condition, point)
        if evaluator.free:
            self.scan.questions.append((condition, point, evaluator.frame))
        before.update(evaluator.free)
        evaluator.free = before
        return known

    def _variants(self, node: Variants, place: Place, scope: Scope, depth: int) -> None:
        """Branches of the preprocessor: a barrier in some of those that may be compiled is not certain."""
        walks: list[Callable[[], None]] = []
        complete = False
        for arm in node.arms:
            compiled = self._evaluator.macros.arm(arm, place)
            if compiled is False:
                continue
            around = Place(arm.body, Place(arm, place))
            if compiled:
                self._traversal.statements(arm.body, around, scope, depth)
                return
            walks.append(partial(self._traversal.statements, arm.body, around, scope, depth))
            complete = complete or arm.keyword == "else"
        self._reached.alternatives(walks, complete=complete)

    def _include(self, node: Include, place: Place, scope: Scope, depth: int) -> None:
        """The text of a kernel in another file: read in its place, or it may hold anything."""
        found = self._facts.included(node)
        if found is None or depth >= MAX_CALLS:
            self.scan.calls_unknown = True
            return
        if found.damaged:
            self.scan.calls_unknown = True
        self.scan.statements += len(found.unit.statements)
        around = Place(found.unit, place)
        outer, self._traversal.content = self._traversal.content, None
        for statement in found.unit.statements:
            self._traversal.walk(statement, Place(statement, around), scope, depth + 1)
        self._traversal.content = outer

    def _lambda(self, node: Lambda, place: Place, scope: Scope, depth: int) -> None:
        """A lambda handed to something, which may run it."""
        self._entering.kept(KnownLambda(node, place, dict(scope)), (), depth)

    def _opaque(self, node: Opaque, place: Place, scope: Scope, depth: int) -> None:
        if "asm" in node.kind:
            self.scan.calls_unknown = True
        self._traversal.inside(node, place, scope, depth)

    def _declaration(self, node: Declaration, place: Place, scope: Scope, depth: int) -> None:
        for variable in node.variables:
            self._variable(variable, place, scope, depth)

    def _variable(self, variable: Variable, place: Place, scope: Scope, depth: int) -> None:
        kind = variable.type
        here = Place(variable, place)
        arguments = variable.arguments
        meaning: Meaning | None = self._meanings.of_type(kind.name)
        lambdas = len(arguments) == 1 and isinstance(arguments[0], Lambda)
        if not lambdas:
            self._traversal.inside(variable, here, scope, depth)
        if meaning is None:
            meaning = self._initial(variable, here, scope, depth)
        scope[variable.name] = meaning if meaning is not None else Role.OTHER
        if not variable.flags & (STATIC | CONST) and is_array(variable, self._evaluator, here):
            self._allocations.array(variable, Point(place, variable.start), self._reached.location(variable, here))
        if kind.name.last in STATIC_LOCAL and kind.name.arguments:
            self._allocations.local(variable.name, kind.name.arguments[0], variable, here)

    def _initial(self, variable: Variable, place: Place, scope: Scope, depth: int) -> Meaning | None:
        """What a variable stands for by its initialiser and class."""
        arguments = variable.arguments
        only = arguments[0] if len(arguments) == 1 else None
        if variable.type.name.last in GROUP_HANDLES and arguments:
            return self._meanings.of(arguments[0], scope)
        struct = self._evaluator.types.kind(variable.type.name, place).struct
        if isinstance(only, Lambda):
            self._traversal.keeps = True
            return KnownLambda(only, Place(only, place), scope)
        if struct is not None:
            holds = self._meanings.any_held(arguments, scope)
            if holds:
                self._entering.construct(struct, variable, arguments, place, scope, depth)
            return ClassObject(struct, holds)
        if only is not None and (self._is_plain(variable.type) or variable.type.pointers or variable.type.reference):
            meaning = self._meanings.of(only, scope)
            if meaning is not None:
                return meaning
            name = only.operand if isinstance(only, Unary) and only.operator == "&" else only
            if isinstance(name, Name) and name.last in self._facts.functions:
                return Renamed(name)
            if isinstance(only, Call) and self._meanings.any_held(only.arguments, scope):
                return self._result(only, place)
        if self._meanings.any_held(arguments, scope) and not self._is_plain(variable.type):
            # A class out of sight is made from the item: what it does with it is not known.
            self.scan.calls_unknown = True
            return ClassObject(None, True)
        return None

    def _is_plain(self, kind: Type) -> bool:
        resolved = self._evaluator.types.kind(kind.name)
        qualifier = kind.name.qualifier
        library = bool(qualifier) and is_plain_function(kind.name, self._facts.namespaces)
        return library or resolved.is_number or resolved.automatic

    def _result(self, call: Call, place: Place) -> Meaning | None:
        """What a function that is handed the item gives back: it may hold it."""
        if not isinstance(call.function, Name):
            return None
        function = call.function
        if function.qualifier and is_plain_function(function, self._facts.namespaces):
            return None
        for each in self._evaluator.symbols.functions(function, place).declared:
            returns = each.node.returns
            kind = self._evaluator.types.kind(returns.name, each.place) if returns is not None else None
            if kind is not None and kind.struct is None and not kind.automatic:
                return None
            return ClassObject(kind.struct if kind is not None else None, True)
        return ClassObject(None, True)

    def _call(self, node: Call, place: Place, scope: Scope, depth: int) -> None:
        function = node.function
        passed = self._passed(node.arguments, place, scope)
        match function:
            case Member():
                self._calls.member(node, function, passed, place, scope, depth)
            case Name():
                self._calls.free(node, function, passed, place, scope, depth)
            case Lambda():
                self._entering.kept(KnownLambda(function, Place(function, place), dict(scope)), passed, depth)
            case Call() | Brace():
                self._entering.called_object(
                    node, self._calls.made(function, place, scope), passed, place, scope, depth
                )
            case _:
                self._reached.unseen(passed)
        if isinstance(function, Member):
            self._traversal.each((function.object,), place, scope, depth)
        elif not isinstance(function, Name | Lambda):
            self._traversal.each((function,), place, scope, depth)
        self._traversal.each(node.arguments, place, scope, depth)

    def _passed(self, arguments: tuple[Expr, ...], place: Place, scope: Scope) -> tuple[Meaning | None, ...]:
        """What a call hands over: each argument's meaning, those of a pack one by one."""
        passed: list[Meaning | None] = []
        for each in arguments:
            kind = type(each)
            if kind is Name:
                passed.append(scope.get(each.text))  # type: ignore[union-attr]
            elif kind is Lambda:
                self._traversal.keeps = True
                passed.append(KnownLambda(each, Place(each, place), dict(scope)))  # type: ignore[arg-type]
            elif kind is Opaque and each.is_pack:  # type: ignore[union-attr]
                passed.extend(self._meanings.expanded(each, scope))
            else:
                passed.append(self._meanings.of(each, scope))
        return tuple(passed)
