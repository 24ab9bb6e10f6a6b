"""Names to values: backwards from the question, through scopes, branches and macros.

A local name is looked for in the statements before the point, nearest first. The first that may change it decides: an
assignment gives its right side, a branch gives the values at the ends of its arms, and what cannot be followed gives
``Unknown`` with the reason. So a variable assigned before each of several launches has the right value at each.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sycllint.cpp.expression import (
    Assign,
    Binary,
    Call,
    Capture,
    Conditional,
    Expr,
    Increment,
    Lambda,
    Member,
    Name,
    Number,
)
from sycllint.cpp.node import Node, walk
from sycllint.cpp.place import Place
from sycllint.cpp.statement import (
    CONST,
    STATIC,
    Block,
    Case,
    Damaged,
    Declaration,
    Enum,
    Evaluate,
    Function,
    If,
    Include,
    Loop,
    Macro,
    Namespace,
    RangeLoop,
    Statement,
    Struct,
    Switch,
    Try,
    UsingName,
    Variable,
    Variants,
)
from sycllint.memoized import memoized
from sycllint.values.answers import FrameAnswers
from sycllint.values.arithmetic import BOOL, LONG, Scalar
from sycllint.values.declarations import end_of, outside
from sycllint.values.frame import WHOLE
from sycllint.values.local_names.aliases import Aliases
from sycllint.values.local_names.assignments import Assignments
from sycllint.values.local_names.branches import Branches
from sycllint.values.local_names.divisibility import Divisibility
from sycllint.values.local_names.holders import MAKING, Holders
from sycllint.values.local_names.loops import Loops
from sycllint.values.local_names.macro_declarations import MacroDeclarations
from sycllint.values.local_names.output_arguments import OutputArguments
from sycllint.values.object_model.arrays import Arrays
from sycllint.values.object_model.construction import Construction
from sycllint.values.object_model.conversions import ObjectConversions
from sycllint.values.object_model.members import Members
from sycllint.values.object_model.methods import THIS
from sycllint.values.objects import Instance, Point, Result
from sycllint.values.preprocessor.macro_statements import MacroStatements
from sycllint.values.preprocessor.macros import Macros
from sycllint.values.side_effects.callees import SCALARS
from sycllint.values.side_effects.leaving import leaps
from sycllint.values.side_effects.lvalues import chained
from sycllint.values.side_effects.order import first_of
from sycllint.values.symbolic import parameter
from sycllint.values.value import Known, Unknown

if TYPE_CHECKING:
    from sycllint.values.interface import Evaluation


_TRUTH = {"true": Scalar(Known(1), BOOL), "false": Scalar(Known(0), BOOL)}
_NONE: frozenset[str] = frozenset()

ASIDE: frozenset[type[Statement]] = frozenset({Variants, Damaged, Enum, UsingName, Function, Struct, Macro})
"""Statements that do not run, or hold others that are looked at one by one."""


_BEARING = frozenset(
    {Binary, Block, Call, Case, Conditional, Function, If, Include, Lambda, Loop, Macro, RangeLoop, Switch, Try}
)
"""What around a name may say something of it."""


class Lookup:
    """Name resolution for one evaluator."""

    def __init__(
        self,
        evaluator: Evaluation,
        macros: Macros,
        arrays: Arrays,
        conversions: ObjectConversions,
        construction: Construction,
        members: Members,
    ) -> None:
        self._evaluator = evaluator
        self._facts = evaluator.facts
        self._macros = macros
        self._construction = construction
        self._members = members
        self._declarations = evaluator.declarations
        self._outputs = OutputArguments(evaluator, self)
        self._branches = Branches(evaluator, self, macros, self._outputs)
        self._loops = Loops(evaluator, self, arrays)
        self._assignments = Assignments(evaluator, self, arrays, conversions, members)
        self._macro_declarations = MacroDeclarations(evaluator, macros)
        self._aliases = Aliases(evaluator, members.object_arguments)
        self._answers: FrameAnswers[Result | None] = FrameAnswers(evaluator)
        self._values: FrameAnswers[Result | str | None] = FrameAnswers(evaluator)
        self._holders = Holders(evaluator)
        self._divisibility = Divisibility(evaluator)
        self.macro_statements = MacroStatements(evaluator.facts, self._declarations)

    # ----------------------------------------------------------------- names

    def name(self, name: Name, point: Point) -> Result:
        """What ``name`` stands for at ``point``."""
        text = name.text
        if text in _TRUTH:
            return _TRUTH[text]
        if text in ("nullptr", "NULL", "this"):
            return self._evaluator.unknown("a pointer", name)
        if name.scope is not None:
            return self._evaluator.names.member(name.scope, name, point)
        if "::" not in text:
            bound = self._macros.argument(text, point.place)
            if bound is not None:
                argument, there = bound
                return self._evaluator.evaluate(argument, there)
            value = self._macros.value(name, point)
            if value is not None:
                return value
            if self._declarations.is_unsettled(text, point.place):
                return self._evaluator.unknown(
                    f"{text} depends on a preprocessor conditional that splits a statement", name
                )
            found = self._values.of((text, point.place.occurrence, point.offset), self._local_value, name, point)
            if isinstance(found, str):
                return self._parameter(name, Unknown(found, self._evaluator.line(name.start)), point)
            if found is not None:
                return found
        return self._parameter(name, self._evaluator.names.value(name, point), point)

    def _local_value(self, name: Name, point: Point) -> Result | str | None:
        """What a local name stands for, as ``_local`` has it; a number that is not known as a named parameter."""
        found = self._local(name, point)
        return found if found is None or isinstance(found, str) else self._parameter(name, found, point)

    def local(self, name: Name, point: Point) -> Result | None:
        """What a local name stands for; ``None`` when the functions around ``point`` declare none."""
        found = self._local(name, point)
        return Unknown(found, self._evaluator.line(name.start)) if isinstance(found, str) else found

    def _local(self, name: Name, point: Point) -> Result | str | None:
        """The same; a text says why nothing is known of the name where it is written."""
        # Nothing assigns to a template's parameter, and nothing inside may be called like it.
        is_inside = point.place.enclosing.templates
        bound = self._evaluator.bindings.template(name.text, point.place) if is_inside else None
        if bound is not None:
            return bound
        fixed = self._is_constant(name, point)
        if not fixed and not self._out_of_order(point.place).isdisjoint((name.text, f".{name.text}")):
            return f"{name.text} is changed in a function with goto"
        found = self._declared_around(name.text, point.place, point.offset, fixed=fixed)
        objects = self._members.object_arguments
        is_member = found is not None or self._evaluator.frame is not None
        if is_member and not fixed and not objects.is_settled(name.text, point):
            left = objects.left_before(name.text, point)
            return f"{name.text} is a member that another method may set" if left is None else left
        if found is not None and not fixed:
            macro = self.macro_statements.changing(name.text, point)
            if macro is not None:
                return self.changes(name.text, macro)
        if type(found) is Instance and not fixed:
            return found.known_by(name.text, point)
        return found

    def _parameter(self, name: Name, result: Result, point: Point) -> Result:
        """A number of which nothing is known stays a named parameter, so that what is computed from it can be."""
        if not isinstance(result, Unknown):
            return result
        declared = self._declarations.type_of(name, point)
        if declared is None:
            kind = LONG
        else:
            known = self._evaluator.kind(declared.name, point)
            if (
                declared.pointers
                or declared.extents
                or known.extents is not None
                or (known.integer is None and not known.automatic)
            ):
                return result
            kind = known.integer or LONG
        minimum = None if kind.signed else 0
        where = result.location
        if declared is None or where is None:
            key = self._evaluator.scope_key(name.text, point.place)
        else:
            key = f"{name.text}@{where.path}:{where.span.start}"
        divisor = self._divisibility.divisor(name.text, point, where)
        return Scalar(parameter(name.text, key, result.reason, where, multiple_of=divisor, minimum=minimum), kind)

    def _is_constant(self, name: Name, point: Point) -> bool:
        """Whether the visible declaration makes the name a constant, which nothing after it can change."""
        declared = self._declarations.type_of(name, point)
        if declared is None or not declared.reference:
            return declared is not None and declared.constant and not declared.pointers
        _, around = self._declarations.nearest(name.text, point) or (None, None)
        if around is None or around.outer is None or not isinstance(around.node, RangeLoop):
            return False
        return self._loops.refers_to_constant(around.node, Point(around.outer, around.node.start))

    def _out_of_order(self, place: Place) -> frozenset[str]:
        """Names changed in a function whose statements do not run in the order in which they are written."""
        if not self._facts.has_goto:
            return _NONE
        function = place.innermost(Function)
        return _NONE if function is None or function.body is None else self._changed_around_jumps(function.body)

    @memoized
    def _changed_around_jumps(self, body: Block) -> frozenset[str]:
        """Names changed in a body with goto."""
        mutations, statements = self._evaluator.mutations, (each for each in walk(body) if isinstance(each, Statement))
        return _NONE.union(*map(mutations.of, statements)) if any(leaps(body)) else _NONE

    # ---------------------------------------------------------------- locals

    def search(self, text: str, place: Place | None, offset: int, *, fixed: bool = False) -> Result | None:
        """The value of a name inside functions and lambdas; ``None`` when it is not declared there.

        ``fixed`` for a constant: then only its declaration is looked for.
        """
        if place is None:
            return None
        bound = self._evaluator.bindings.template(text, place)
        if bound is not None:
            return bound
        question = (text, place.occurrence, offset, fixed)
        known = self._answers.known(question)
        if known is not None:
            return known.result
        if self._evaluator.is_exhausted:
            return self._too_much(offset)
        return self._answers.asked(question, self._declared_around, text, place, offset, fixed=fixed)

    def _too_much(self, offset: int) -> Unknown:
        self._evaluator.frames.sought.unbound.add(WHOLE)
        return Unknown("too much would have to be followed", self._evaluator.line(offset))

    def _declared_around(self, text: str, place: Place, offset: int, *, fixed: bool) -> Result | None:
        """The same for a name that is no parameter of a template."""
        evaluator = self._evaluator
        if evaluator.is_exhausted:
            return self._too_much(offset)
        here = evaluator.here
        evaluator.depth += 2
        result = self._searched(text, place, offset, fixed=fixed)
        evaluator.depth -= 2
        evaluator.here = here
        return result

    def _searched(self, text: str, place: Place | None, offset: int, *, fixed: bool) -> Result | None:
        inner: Node | None = None
        while place is not None:
            node = place.node
            if type(node) not in _BEARING:
                inner, place = node, place.outer
                continue
            found: Result | None = None
            match node:
                case Block(statements=statements):
                    found = self._evaluator.bindings.member(text, place.outer)
                    if found is None and not fixed and (place.outer is None or type(place.outer.node) is Namespace):
                        # A variable outside all functions: any of them may have changed it.
                        return None
                    if found is None and not fixed and place.outer is not None and type(place.outer.node) is Function:
                        found = self._members.object_arguments.left_by_calls(text, place, place.outer, offset)
                    if found is None:
                        found = self.before(statements, text, place, offset, fixed=fixed)
                case Macro() | Include():
                    # The text of a macro or of an included file: go on where it is used.
                    used = outside(place)
                    if used is None:
                        return None
                    offset = used
                    self._evaluator.here = place.outer
                case Loop():
                    found = self._loops.inside(node, text, place, fixed=fixed)
                case RangeLoop():
                    found = self._loops.over(node, text, place, fixed=fixed)
                case If():
                    found = self._branches.in_if(
                        node, text, place, offset, changed=not fixed and inner is not node.condition
                    )
                case Case():
                    found = self._branches.in_case(node, text, place)
                case Switch() if not fixed:
                    if text in self._evaluator.mutations.of(node):
                        found = self.changes(text, node)
                case Try() if not fixed and inner is not node.body:
                    if text in self._evaluator.mutations.of(node.body):
                        found = self.changes(text, node)
                case Lambda():
                    found = self._lambda(node, text, place, fixed=fixed)
                    offset = node.start
                case Binary() | Conditional() if not fixed:
                    first = first_of(node)
                    if first is not None and first is not inner and text in self._evaluator.mutations.of(first):
                        found = self.changes(text, first)
                case Call() if inner is not node.function:
                    found = self._macro_declarations.declared(text, place)
                case Function():
                    return self._function(node, text, place, offset)
                case _:
                    pass
            if found is not None:
                return found
            inner = node
            place = place.outer
        return None

    def changes(self, text: str, node: Statement | Expr) -> Unknown:
        """``text`` is not known after ``node``."""
        return Unknown(f"{text} is changed in a way that is not followed", self._evaluator.line(node.start))

    def before(
        self, statements: tuple[Statement, ...], text: str, place: Place, offset: int, *, fixed: bool = False
    ) -> Result | None:
        """The value after the last of ``statements`` before ``offset`` that declares or changes ``text``."""
        elements, called = f"*{text}", f".{text}"
        mutations = self._evaluator.mutations
        is_array: bool | None = None
        is_object: bool | None = None
        for statement in self._evaluator.effects.before(statements, text, place, offset):
            kind = type(statement)
            is_number = False
            if isinstance(statement, Declaration):
                is_number = statement.variables[0].type.name.text in SCALARS
                found = self.declared_in(statement, text, place, offset)
                if found is not None:
                    return found
                if statement.end > offset and statement.variables[0].start >= offset:
                    # The question is asked by the declaration's own first initialiser.
                    continue
            elif end_of(statement) > offset:
                continue
            if kind in ASIDE:
                found = self._aside(statement, text, place, fixed=fixed)
            elif fixed:
                continue
            else:
                changed = mutations.of(statement)
                found = None
                if called in changed and text not in changed:
                    is_object = self._is_object(text, statement.start, place) if is_object is None else is_object
                    found = self._after(statement, text, place, called=True) if is_object else None
                if found is not None:
                    pass
                elif text in changed:
                    found = self._after(statement, text, place)
                elif elements in changed:
                    is_array = self._is_array(text, statement.start, place) if is_array is None else is_array
                    if not is_array:
                        continue
                    found = self.changes(text, statement)
                elif not is_number and kind in MAKING and self._holders.may_set(statement, text, place, offset):
                    found = self.changes(text, statement)
                else:
                    continue
            if found is not None:
                if not isinstance(found, Unknown) and (
                    self._aliases.may_change_anytime(text, statement, place)
                    or self._aliases.may_have_changed(text, place, offset)
                ):
                    return self.changes(text, statement)
                return found
        return None

    def _introduced(self, statement: Enum | UsingName, text: str, place: Place) -> Result | None:
        """The value of a name that an enumeration or a using declaration of this block brings in."""
        if isinstance(statement, UsingName):
            full = statement.name
            if not full.endswith(f"::{text}") or not any(isinstance(each, Function) for each in place.chain()):
                return None
            name = Name(full, None, None, statement.start, statement.end)
            return self._evaluator.names.value(name, Point(place, statement.start))
        if statement.scoped or not any(isinstance(each, Function | Lambda) for each in place.chain()):
            return None
        for each in statement.enumerators:
            if each.name == text:
                return self._evaluator.names.enumerator(each, Place(each, Place(statement, place)))
        return None

    def at_end(self, block: Block, text: str, place: Place) -> Result | None:
        """The value at the end of a block of a name declared outside it."""
        end = block.end + 1
        statements = block.statements
        declared = self._declarations.of_block(block, text)
        if declared:
            # From its own declaration on, the name is another variable.
            own = min(each.start for each in declared)
            statements = tuple([each for each in statements if end_of(each) <= own])
        return self.before(statements, text, place, end)

    def declared_in(self, declaration: Declaration, text: str, place: Place, offset: int) -> Result | None:
        """The value of ``text`` once ``declaration`` has run, when it declares it before ``offset``."""
        for variable in reversed(declaration.variables):
            if variable.name == text and variable.start < offset:
                if len(declaration.variables) > 1 and self._declarations.changed_within(variable, declaration, offset):
                    return self.changes(text, declaration)
                return self._declared(variable, declaration, place, offset)
        return None

    def _declared(self, variable: Variable, declaration: Declaration, place: Place, offset: int) -> Result:
        evaluator, text = self._evaluator, variable.name
        end = max([variable.end, *(each.end for each in variable.arguments)])
        if self._declarations.is_cut(variable.start, declaration.end, place):
            return evaluator.unknown(f"{text} depends on a preprocessor conditional inside its declaration", variable)
        if variable.flags & STATIC and not variable.flags & CONST:
            node, names = place.node, (text, f".{text}")
            if isinstance(node, Block) and evaluator.mutations.may_change(names, node.statements):
                return evaluator.unknown(f"{text} keeps its value from one call to the next", variable)
            # The first call initialises it, whatever this one is given.
            result = evaluator.under(None, evaluator.initial, variable, Point(place, variable.start))
            return evaluator.named(text, result, variable.start, end)
        if variable.type.reference and self._aliases.referred_changes(variable, place, offset):
            return self.changes(text, declaration)
        point = Point(place, variable.start)
        if variable.style == "[":
            result = self._construction.part(variable, declaration, point)
        else:
            result = evaluator.initial(variable, point)
        return evaluator.named(text, result, variable.start, end)

    def _aside(self, statement: Statement, text: str, place: Place, *, fixed: bool) -> Result | None:
        """The value of ``text`` after what is no statement that runs, but may declare it."""
        match statement:
            case Variants():
                return self._branches.after_variants(statement, text, place, fixed=fixed)
            case Damaged(body=body):
                inner = Place(statement, place)
                return self.before(body.statements, text, Place(body, inner), body.end + 1, fixed=fixed)
            case Enum() | UsingName():
                return self._introduced(statement, text, place)
            case _:
                return None

    def _after(self, statement: Statement, text: str, place: Place, *, called: bool = False) -> Result | None:
        """The value of ``text`` once ``statement``, which may change it, has run.

        ``called`` where it does nothing with an object but call methods of it.
        """
        match statement:
            case Evaluate(expression=Call(function=Member()) as call) if called:
                return self._called(chained(call), text, place, statement)
            case Evaluate(expression=Assign(left=Name(text=target)) as assign) if target != text and not called:
                return self._outputs.evaluated(assign, text, place, statement) or self.changes(text, statement)
            case Declaration(variables=(Variable(arguments=(given,)),)) if not called:
                return self._outputs.evaluated(given, text, place, statement) or self.changes(text, statement)
            case Evaluate(expression=Assign() as assign):
                return self._assignments.value(assign, text, place, statement)
            case Evaluate(expression=Call(function=Name() | Member()) as call) if not called:
                return self._outputs.after(call, text, place, statement) or self.changes(text, statement)
            case Evaluate(expression=Increment(operator=operator, operand=Name(text=target))) if target == text:
                return self._assignments.updated(operator[0], Number("1", 0, 0), text, place, statement)
            case Block():
                return self.at_end(statement, text, Place(statement, place))
            case If():
                return self._branches.after_if(statement, text, place)
            case Switch() if not called:
                return self._branches.after_switch(statement, text, place)
            case Loop() if not called:
                return self._loops.after(statement, text, place) or self.changes(text, statement)
            case _:
                # What else calls methods of an object leaves it alone, or exposes it (``object_model.exposures``).
                return None if called else self.changes(text, statement)

    def _called(self, calls: tuple[Call, ...], text: str, place: Place, statement: Statement) -> Result | None:
        """The object called ``text`` after a chain of calls; ``None`` when that leaves it as it was."""
        match calls[0].function:
            case Member(object=Name(text=target)) if target == text:
                whole = self.search(text, place, statement.start)
                point = Point(place, statement.start)
                if not isinstance(whole, Instance):
                    return None
                made = self._members.after(whole.known_by(text, point), calls, point)
                return made._replace(names=whole.names) if made is not None else None
            case _:
                return None

    def _is_object(self, text: str, offset: int, place: Place) -> bool:
        """Whether a variable holds an object of a visible class, whose methods may set its members."""
        found = self._declarations.nearest(text, Point(place, offset))
        if found is None:
            return self._members.object_arguments.is_object(text, place)
        declared, there = found
        if isinstance(declared, Capture):
            return True
        if declared.type.pointers or declared.type.extents:
            return False
        point = Point(there, declared.start)
        if isinstance(declared, Variable) and declared.style != "[" and declared.type.name.text == "auto":
            return isinstance(self._evaluator.initial(declared, point), Instance)
        kind = self._evaluator.kind(declared.type.name, point)
        return not (kind.is_number or kind.sycl or kind.name.qualifier in ("std", "sycl"))

    def _is_array(self, text: str, offset: int, place: Place) -> bool:
        point = Point(place, offset)
        declared = self._declarations.type_of(Name(text, None, None, offset, offset), point)
        if declared is None:
            return False
        return bool(declared.extents) or self._evaluator.kind(declared.name, point).is_array

    # -------------------------------------------------- functions and lambdas

    def _lambda(self, node: Lambda, text: str, place: Place, *, fixed: bool) -> Result | None:
        for index, each in enumerate(node.parameters):
            if each.name == text:
                return self._evaluator.bindings.argument(node, index, place)
        captured_by_reference = node.default == "&"
        for capture in node.captures:
            if capture.name != text:
                continue
            if not capture.by_reference and self._keeps_own(node, text, place):
                return Unknown(f"{text} keeps its value from one call to the next", self._evaluator.line(node.start))
            if capture.value is not None:
                outer = place.outer if place.outer is not None else place
                return self._evaluator.evaluate(capture.value, Point(outer, node.start))
            captured_by_reference = capture.by_reference
        if node.default == "=" and not captured_by_reference and not fixed and self._keeps_own(node, text, place):
            return Unknown(f"{text} keeps its value from one call to the next", self._evaluator.line(node.start))
        if captured_by_reference and not fixed and self._aliases.changes_after(node, text, place):
            return Unknown(f"{text} may change before the lambda runs", self._evaluator.line(node.start))
        return None

    def _keeps_own(self, node: Lambda, text: str, place: Place) -> bool:
        """Whether a lambda changes a copy that it holds, which lasts from one call to the next."""
        content = self._facts.content_at(place)
        if content is not None and content.find(b"mutable", node.start, node.body.start) < 0:
            return False
        return text in self._evaluator.mutations.of(node.body)

    def _function(self, node: Function, text: str, place: Place, offset: int) -> Result | None:
        for index, each in enumerate(node.parameters):
            if each.name == text:
                argument = self._evaluator.bindings.argument(node, index, place)
                return self._divisibility.of_argument(argument, each, place, offset)
        return self._members.object_arguments.member(text.removeprefix(THIS), node, place)
