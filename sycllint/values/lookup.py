"""Names to values: backwards from the question, through scopes, branches and macros.

A local name is looked for in the statements before the point, nearest first. The first that may change it decides: an
assignment gives its right side, a branch gives the values at the ends of its arms, and what cannot be followed gives
``Unknown`` with the reason. So a variable assigned anew before each of several launches has the right value at each.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, NamedTuple

from sycllint.cpp.expression import Assign, Binary, Call, Expr, Increment, Index, Lambda, Member, Name, Number, Type
from sycllint.cpp.names import LAUNCHING
from sycllint.cpp.node import Node
from sycllint.cpp.place import Place
from sycllint.cpp.statement import (
    Block,
    Case,
    Damaged,
    Declaration,
    Evaluate,
    Function,
    If,
    Include,
    Jump,
    Loop,
    Macro,
    RangeLoop,
    Return,
    Statement,
    Struct,
    Switch,
    Variable,
    Variants,
)
from sycllint.values.arithmetic import BOOL, INT, LONG, MAX_ALTERNATIVES, Scalar, binary, join
from sycllint.values.frame import Frame
from sycllint.values.macros import outside
from sycllint.values.objects import ListObject, Point, RangeObject, Result
from sycllint.values.symbolic import parameter
from sycllint.values.value import Known, Step, Unknown, Value

if TYPE_CHECKING:
    from sycllint.values.evaluate import Evaluator

_TRUTH = {"true": Scalar(Known(1), BOOL), "false": Scalar(Known(0), BOOL)}


class _Digest(NamedTuple):
    """A block's variables: where each is first declared and as what, and from where on something else may change it."""

    declared: dict[str, tuple[int, Type]]
    escapes: dict[str, int]


AT_ONCE = LAUNCHING | {"submit", "host_task", "single_task", "for_each", "for_each_n", "transform"}
"""What runs a lambda it is given, or copies what the lambda captures, before it returns."""

Owner = Function | Struct | Lambda
_Question = tuple[str, Node, int, bool, "Frame | None"]


class Lookup:
    """Name resolution for one evaluator."""

    def __init__(self, evaluator: Evaluator) -> None:
        self._evaluator = evaluator
        self._facts = evaluator.facts
        self._digests: dict[Block, _Digest] = {}
        self._memo: dict[_Question, tuple[Result | None, dict[int, Owner], Place | None]] = {}

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
            bound = self._evaluator.macros.argument(text, point.place)
            if bound is not None:
                argument, there = bound
                return self._evaluator.evaluate(argument, there)
            value = self._evaluator.macros.value(name, point)
            if value is not None:
                return value
            if self.is_unsettled(text, point.place):
                return self._evaluator.unknown(
                    f"{text} hangs on a preprocessor conditional that cuts a statement in two", name
                )
            local = self.local(name, point)
            if local is not None:
                return self._parameter(name, local, point)
        return self._parameter(name, self._evaluator.names.value(name, point), point)

    def local(self, name: Name, point: Point) -> Result | None:
        """What a local name stands for; ``None`` when the functions around ``point`` declare none."""
        fixed = self._is_constant(name, point)
        if not fixed and self._escaped(name.text, point):
            reason = f"{name.text} may be changed through a pointer, a reference or a lambda that is kept"
            return self._evaluator.unknown(reason, name)
        return self._search(name.text, point.place, point.offset, fixed=fixed)

    def _escaped(self, text: str, point: Point) -> bool:
        """Whether a statement before ``point`` lets something else keep hold of the variable."""
        for node in point.place.chain():
            if isinstance(node, Block):
                digest = self._digest(node)
                first = digest.escapes.get(text)
                if first is not None and first < point.offset:
                    return True
                if text in digest.declared:
                    return False
        return False

    def _digest(self, block: Block) -> _Digest:
        """What a block declares, and from where on its variables are known elsewhere; worked out once."""
        found = self._digests.get(block)
        if found is None:
            declared: dict[str, tuple[int, Type]] = {}
            escapes: dict[str, int] = {}
            for statement in block.statements:
                if isinstance(statement, Declaration):
                    for variable in statement.variables:
                        declared.setdefault(variable.name, (statement.start, variable.type))
                for name in self._evaluator.mutations.of(statement):
                    if name[0] == "&":
                        escapes.setdefault(name[1:], statement.start)
            found = self._digests[block] = _Digest(declared, escapes)
        return found

    def _parameter(self, name: Name, result: Result, point: Point) -> Result:
        """A number of which nothing is known stays a named parameter, so that what is computed from it can be."""
        if not isinstance(result, Unknown):
            return result
        declared = self.declaration(name, point)
        if declared is None:
            kind = LONG
        else:
            known = self._evaluator.types.kind(declared.name)
            if declared.pointers or declared.extents or (known.integer is None and not known.automatic):
                return result
            kind = known.integer or LONG
        minimum = None if kind.signed else 0
        where = result.location
        key = f"{name.text}@{where.path}:{where.span.start}" if where is not None else f"{name.text}@{name.start}"
        return Scalar(parameter(name.text, key, result.reason, where, minimum=minimum), kind)

    def _is_constant(self, name: Name, point: Point) -> bool:
        """Whether the declaration in sight makes the name a constant, which nothing after it can change."""
        declared = self.declaration(name, point)
        return declared is not None and declared.constant and not declared.pointers and not declared.reference

    def is_unsettled(self, text: str, place: Place) -> bool:
        """Whether ``text`` is written in a conditional whose branch was guessed, in this function or outside all."""
        facts = self._facts.file_at(place)
        if not facts.unsettled:
            return False
        around = next((node for node in place.chain() if isinstance(node, Function)), None)
        for span, names in facts.unsettled:
            if text not in names:
                continue
            if around is not None and around.start <= span.start < around.extent_end:
                return True
            bodies = (each.node for found in facts.functions.values() for each in found)
            if not any(each.start <= span.start < each.extent_end for each in bodies):
                return True
        return False

    def declaration(self, name: Name, point: Point) -> Type | None:
        """The type with which a variable or parameter called ``name`` is declared, if one is in sight."""
        if name.scope is not None or "::" in name.text:
            return None
        for node in point.place.chain():
            match node:
                case Block():
                    declared = self._digest(node).declared.get(name.text)
                    if declared is not None and declared[0] < point.offset:
                        return declared[1]
                case Function(parameters=parameters) | Lambda(parameters=parameters):
                    for parameter in parameters:
                        if parameter.name == name.text:
                            return parameter.type
                case Loop(initializer=Declaration(variables=variables)):
                    for variable in variables:
                        if variable.name == name.text:
                            return variable.type
                case RangeLoop(variable=variable) if variable.name == name.text:
                    return variable.type
                case _:
                    pass
        found = self._facts.variables.get(name.text)
        return found[0].node.type if found else None

    # ---------------------------------------------------------------- locals

    def _search(self, text: str, place: Place | None, offset: int, *, fixed: bool = False) -> Result | None:
        """The value of a name inside functions and lambdas; ``None`` when it is not declared there.

        ``fixed`` for a constant: then only its declaration is looked for.
        """
        if place is None:
            return None
        evaluator = self._evaluator
        key = (text, place.node, offset, fixed, evaluator.frame)
        remembered = self._memo.get(key)
        if remembered is not None:
            result, free, outer = remembered
            if outer is place.outer or not _expanded(place):
                evaluator.free.update(free)
                return result
        before, evaluator.free = evaluator.free, {}
        here = evaluator.here
        result = self._searched(text, place, offset, fixed=fixed)
        evaluator.here = here
        self._memo[key] = (result, evaluator.free, place.outer)
        before.update(evaluator.free)
        evaluator.free = before
        return result

    def _searched(self, text: str, place: Place | None, offset: int, *, fixed: bool) -> Result | None:
        while place is not None:
            node = place.node
            match node:
                case Block(statements=statements):
                    found = self._before(statements, text, place, offset, fixed=fixed)
                    if found is not None:
                        return found
                case Macro() | Include():
                    # The text of a macro or of an included file: go on where it is used.
                    used = outside(place)
                    if used is None:
                        return None
                    offset = used
                    self._evaluator.here = place.outer
                case Loop():
                    found = self._loop(node, text, place, fixed=fixed)
                    if found is not None:
                        return found
                case RangeLoop():
                    found = self._range_loop(node, text, place, fixed=fixed)
                    if found is not None:
                        return found
                case If(initializer=Declaration() as declaration):
                    found = self._declared_in(declaration, text, place, offset)
                    if found is not None:
                        return found
                case Switch() if not fixed:
                    if text in self._evaluator.mutations.of(node.body):
                        return self._changes(text, node)
                case Lambda():
                    found = self._lambda(node, text, place, fixed=fixed)
                    if found is not None:
                        return found
                    offset = node.start
                case Struct():
                    bound = self._evaluator.bindings.template(text, place)
                    if bound is not None:
                        return bound
                case Function():
                    return self._function(node, text, place)
                case _:
                    pass
            place = place.outer
        return None

    def _changes(self, text: str, node: Statement | Expr) -> Unknown:
        return Unknown(f"{text} is changed in a way that is not followed", self._evaluator.line(node.start))

    def _before(
        self, statements: Iterable[Statement], text: str, place: Place, offset: int, *, fixed: bool = False
    ) -> Result | None:
        """The value after the last of ``statements`` before ``offset`` that declares or changes ``text``."""
        for statement in reversed(tuple(statements)):
            start = statement.start
            if start >= offset:
                continue
            if isinstance(statement, Declaration):
                found = self._declared_in(statement, text, place, offset)
                if found is not None:
                    return found
            if _end(statement) > offset and not isinstance(statement, Declaration):
                continue
            if fixed and not isinstance(statement, Variants | Damaged):
                continue
            found = self._after(statement, text, place)
            if found is not None:
                return found
        return None

    def _declared_in(self, declaration: Declaration, text: str, place: Place, offset: int) -> Result | None:
        for variable in reversed(declaration.variables):
            if variable.name == text and variable.start < offset:
                point = Point(place, variable.start)
                result = self._evaluator.initial(variable, point)
                end = variable.arguments[-1].end if variable.arguments else variable.end
                return self._evaluator.named(text, result, variable.start, max(end, variable.end))
        return None

    def _after(self, statement: Statement, text: str, place: Place) -> Result | None:
        """The value of ``text`` once ``statement`` has run; ``None`` when the statement leaves it alone."""
        match statement:
            case Variants():
                return self._variants(statement, text, place)
            case Damaged(body=body):
                inner = Place(statement, place)
                return self._before(body.statements, text, Place(body, inner), body.end + 1)
            case Function() | Struct() | Macro():
                return None
        if text not in self._evaluator.mutations.of(statement):
            return None
        match statement:
            case Evaluate(expression=Assign() as assign):
                return self._assigned(assign, text, place, statement)
            case Evaluate(expression=Increment(operator=operator, operand=Name(text=target))) if target == text:
                return self._updated(operator[0], Number("1", 0, 0), text, place, statement)
            case Block():
                return self._at_end(statement, text, Place(statement, place))
            case If():
                return self._if(statement, text, place)
            case Switch():
                return self._switch(statement, text, place)
            case _:
                return self._changes(text, statement)

    def _at_end(self, block: Block, text: str, place: Place) -> Result | None:
        return self._before(block.statements, text, place, block.end + 1)

    def _assigned(self, assign: Assign, text: str, place: Place, statement: Statement) -> Result:
        here = Point(place, statement.start)
        match assign.left:
            case Name(text=target) if target == text:
                if assign.operator != "=":
                    return self._updated(assign.operator[:-1], assign.right, text, place, statement)
                result = self._evaluator.evaluate(assign.right, here)
                declared = self.declaration(assign.left, here)
                if declared is not None and not isinstance(result, ListObject):
                    result = self._evaluator.cast(declared, result, assign)
                elif isinstance(result, ListObject) and declared is not None:
                    kind = self._evaluator.types.kind(declared.name)
                    result = self._evaluator.construct(kind, result.elements, result.point, assign, braced=True)
                return self._evaluator.named(text, result, assign.start, assign.end)
            case Index(object=Name(text=target), indices=(index,)) if target == text and assign.operator == "=":
                return self._component(text, index, assign, place, statement)
            case _:
                return self._changes(text, statement)

    def _component(self, text: str, index: Expr, assign: Assign, place: Place, statement: Statement) -> Result:
        """``r[1] = n``: a range with one extent replaced."""
        here = Point(place, statement.start)
        whole = self._search(text, place, statement.start)
        which = self._evaluator.value(index, here)
        if isinstance(whole, RangeObject) and isinstance(which, Known) and 0 <= which.value < len(whole.extents):
            extents = list(whole.extents)
            extents[which.value] = self._evaluator.size(self._evaluator.evaluate(assign.right, here))
            return RangeObject(tuple(extents))
        if isinstance(whole, RangeObject):
            return RangeObject((self._changes(text, statement),) * len(whole.extents))
        return self._changes(text, statement)

    def _updated(self, operator: str, right: Expr, text: str, place: Place, statement: Statement) -> Result:
        """``x op= right`` from the value before."""
        before = self._search(text, place, statement.start)
        if before is None:
            return self._changes(text, statement)
        operand = self._evaluator.evaluate(right, Point(place, statement.start))
        return self._evaluator.combine(operator, before, operand, right)

    def _if(self, statement: If, text: str, place: Place) -> Result | None:
        here = Place(statement, place)
        mutations = self._evaluator.mutations
        if statement.condition is not None and text in mutations.of(statement.condition):
            return self._changes(text, statement)
        taken: bool | None = None
        if statement.condition is not None:
            condition = self._evaluator.scalar(
                self._evaluator.evaluate(statement.condition, Point(here, statement.start + 1))
            )
            if isinstance(condition, Scalar) and isinstance(condition.value, Known):
                taken = bool(condition.value.value)
        results: list[Result] = []
        arms: list[Block | None] = []
        if taken is not False:
            arms.append(statement.then)
        if taken is not True:
            arms.append(statement.otherwise)
        for arm in arms:
            if arm is not None and leaves(arm):
                continue
            found = self._at_end(arm, text, Place(arm, here)) if arm is not None else None
            if found is None:
                found = self._search(text, place, statement.start)
            if found is None:
                return None
            results.append(found)
        if not results:
            return self._search(text, place, statement.start)
        return self._evaluator.joined(results)

    def _switch(self, statement: Switch, text: str, place: Place) -> Result | None:
        here = Place(statement.body, Place(statement, place))
        results: list[Result] = []
        exhaustive = False
        cases = [each for each in statement.body.statements if isinstance(each, Case)]
        for position, case in enumerate(cases):
            exhaustive = exhaustive or case.value is None
            body = case.body
            if _returns(body):
                continue
            if not body.statements and position + 1 < len(cases):
                continue
            if position + 1 < len(cases) and not leaves(body):
                return self._changes(text, case)
            found = self._at_end(body, text, Place(body, Place(case, here)))
            results.append(found if found is not None else self._changes(text, case))
        if not exhaustive:
            before = self._search(text, place, statement.start)
            if before is None:
                return None
            results.append(before)
        return self._evaluator.joined(results) if results else None

    def _variants(self, statement: Variants, text: str, place: Place) -> Result | None:
        """Alternatives of a preprocessor conditional: those that may be compiled and have something to say."""
        results: list[Result] = []
        silent = not any(arm.keyword == "else" for arm in statement.arms)
        decided = False
        here = Place(statement, place)
        for arm in statement.arms:
            compiled = self._evaluator.macros.arm(arm, here)
            if compiled is False:
                continue
            found = self._at_end(arm.body, text, Place(arm.body, Place(arm, here)))
            if compiled is True:
                decided = True
                results = [found] if found is not None else []
                silent = found is None
                break
            if found is None:
                silent = True
            else:
                results.append(found)
        if not results:
            return None
        if silent and not decided:
            before = self._search(text, place, statement.start)
            if before is not None:
                results.append(before)
        return self._evaluator.joined(results)

    def _loop(self, node: Loop, text: str, place: Place, *, fixed: bool) -> Result | None:
        mutations = self._evaluator.mutations
        declared = isinstance(node.initializer, Declaration) and any(
            variable.name == text for variable in node.initializer.variables
        )
        if declared and isinstance(node.initializer, Declaration):
            if text in mutations.of(node.body) or (node.update is not None and text in mutations.of(node.update)):
                return self._counted(node, text, place)
            return self._declared_in(node.initializer, text, place, node.body.start)
        if not fixed and text in mutations.of(node):
            return self._counted(node, text, place)
        return None

    def _counted(self, node: Loop, text: str, place: Place) -> Result:
        """The values a counter takes: ``for (wg = 32; wg <= 1024; wg *= 2)``, when they can be listed."""
        unknown = Unknown(f"{text} changes in a loop", self._evaluator.line(node.start))
        if text in self._evaluator.mutations.of(node.body) or node.update is None or node.condition is None:
            return unknown
        start = self._first_count(node, text, place)
        if start is None or not isinstance(node.initializer, Statement):
            return unknown
        numbers: list[Known] = []
        current = start
        point = Point(place, node.body.start)
        while isinstance(current, Scalar) and isinstance(current.value, Known):
            holds = self._substituted(node.condition, text, current, point)
            if not isinstance(holds, Scalar) or not isinstance(holds.value, Known):
                return unknown
            if not holds.value.value:
                break
            numbers.append(current.value)
            if len(numbers) > MAX_ALTERNATIVES:
                return unknown
            following = self._stepped(node.update, text, current, point)
            if following is None:
                return unknown
            current = following
        else:
            return unknown
        if not numbers or not isinstance(start, Scalar):
            return unknown
        where = self._evaluator.location(node.start, node.body.start)
        listed: list[Value] = [Known(each.value, (Step(text, each.value, where),)) for each in numbers]
        return Scalar(join(listed), start.type)

    def _first_count(self, node: Loop, text: str, place: Place) -> Result | None:
        match node.initializer:
            case Declaration() as declaration:
                return self._declared_in(declaration, text, place, node.body.start)
            case Evaluate(expression=Assign(operator="=", left=Name(text=target), right=right)) if target == text:
                return self._evaluator.evaluate(right, Point(place, node.start))
            case _:
                return None

    def _substituted(self, condition: Expr, text: str, value: Scalar, point: Point) -> Result:
        """``condition`` with ``value`` for the counter, which must be one side of a comparison."""
        if not isinstance(condition, Binary):
            return Unknown("the end of a loop")
        sides: list[Result] = []
        for side in (condition.left, condition.right):
            is_counter = isinstance(side, Name) and side.text == text
            sides.append(value if is_counter else self._evaluator.evaluate(side, point))
        return self._evaluator.combine(condition.operator, sides[0], sides[1], condition)

    def _stepped(self, update: Expr, text: str, value: Scalar, point: Point) -> Result | None:
        match update:
            case Increment(operator=operator, operand=Name(text=target)) if target == text:
                return binary(operator[0], value, Scalar(Known(1), INT))
            case Assign(operator=operator, left=Name(text=target), right=right) if target == text and operator != "=":
                step = self._evaluator.evaluate(right, point)
                return self._evaluator.combine(operator[:-1], value, step, update)
            case Assign(operator="=", left=Name(text=target), right=Binary() as right) if target == text:
                sides: list[Result] = []
                for side in (right.left, right.right):
                    is_counter = isinstance(side, Name) and side.text == text
                    sides.append(value if is_counter else self._evaluator.evaluate(side, point))
                return self._evaluator.combine(right.operator, sides[0], sides[1], update)
            case _:
                return None

    def _range_loop(self, node: RangeLoop, text: str, place: Place, *, fixed: bool) -> Result | None:
        if node.variable.name == text:
            if text in self._evaluator.mutations.of(node.body):
                return self._changes(text, node)
            outer = place.outer if place.outer is not None else place
            over = self._evaluator.evaluate(node.range, Point(outer, node.start))
            if isinstance(over, ListObject) and over.elements:
                results = [self._evaluator.evaluate(each, over.point) for each in over.elements]
                return self._evaluator.joined(results)
            return Unknown(f"{text} runs over a sequence", self._evaluator.line(node.start))
        if not fixed and text in self._evaluator.mutations.of(node):
            return Unknown(f"{text} changes in a loop", self._evaluator.line(node.start))
        return None

    def _lambda(self, node: Lambda, text: str, place: Place, *, fixed: bool) -> Result | None:
        for index, each in enumerate(node.parameters):
            if each.name == text:
                return self._evaluator.bindings.argument(node, index, place)
        captured_by_reference = node.default == "&"
        for capture in node.captures:
            if capture.name != text:
                continue
            if capture.value is not None:
                outer = place.outer if place.outer is not None else place
                return self._evaluator.evaluate(capture.value, Point(outer, node.start))
            captured_by_reference = capture.by_reference
        if captured_by_reference and not fixed and self._changes_after(node, text, place):
            return Unknown(f"{text} may change before the lambda runs", self._evaluator.line(node.start))
        return None

    def _changes_after(self, node: Lambda, text: str, place: Place) -> bool:
        """Whether a lambda that is kept, in a variable or by a function elsewhere, sees a later value of ``text``."""
        outer = place.outer
        if outer is None or _runs_at_once(outer.node):
            return False
        for around in outer.chain():
            if isinstance(around, Block):
                return any(
                    text in self._evaluator.mutations.of(each) for each in around.statements if each.start > node.end
                )
        return False

    def _function(self, node: Function, text: str, place: Place) -> Result | None:
        for index, each in enumerate(node.parameters):
            if each.name == text:
                return self._evaluator.bindings.argument(node, index, place)
        return self._evaluator.bindings.template(text, place)


def _runs_at_once(node: Node) -> bool:
    """Whether what a lambda is handed to calls it before it returns, as submit and the standard algorithms do."""
    match node:
        case Call(function=Member(name=name)):
            return name in AT_ONCE
        case Call(function=Name() as function):
            return function.last in AT_ONCE or function.qualifier.startswith("std")
        case Call(function=Lambda()):
            return True
        case _:
            return not isinstance(node, Variable | Call)


def _expanded(place: Place) -> bool:
    """Whether the code around is the text of a macro or of an included file, which stands in several places."""
    return any(isinstance(node, Macro | Include) for node in place.chain())


def _end(statement: Statement) -> int:
    return statement.extent_end if isinstance(statement, Function) else statement.end


def leaves(block: Block) -> bool:
    """Whether control never reaches the statement after this block."""
    return bool(block.statements) and _jumps(block.statements[-1])


def _jumps(statement: Statement) -> bool:
    match statement:
        case Return() | Jump():
            return True
        case Evaluate(expression=Call(function=Name() as function)):
            return function.last in ("exit", "abort", "_Exit", "quick_exit", "terminate")
        case Block():
            return leaves(statement)
        case If(then=then, otherwise=otherwise):
            return otherwise is not None and leaves(then) and leaves(otherwise)
        case _:
            return False


def _returns(block: Block) -> bool:
    """Whether a switch case leaves the function, or ends the program."""
    if not block.statements:
        return False
    last = block.statements[-1]
    return _jumps(last) and not (isinstance(last, Jump) and last.keyword == "break")
