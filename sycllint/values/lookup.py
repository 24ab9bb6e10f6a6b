"""Names to values: backwards from the question, through scopes, branches and macros.

A local name is looked for in the statements before the point, nearest first. The first that may change it decides: an
assignment gives its right side, a branch gives the values at the ends of its arms, and what cannot be followed gives
``Unknown`` with the reason. So a variable assigned anew before each of several launches has the right value at each.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import TYPE_CHECKING

from sycllint.cpp.expression import Assign, Call, Expr, Increment, Index, Lambda, Name, Number, Type
from sycllint.cpp.place import Place
from sycllint.cpp.statement import (
    CONST,
    STATIC,
    Arm,
    Block,
    Case,
    Damaged,
    Declaration,
    Enum,
    Enumerator,
    Evaluate,
    Function,
    If,
    Jump,
    Loop,
    Macro,
    Namespace,
    RangeLoop,
    Return,
    Statement,
    Struct,
    Switch,
    Variable,
    Variants,
)
from sycllint.facts.defines import configured_macro
from sycllint.facts.file import Declared
from sycllint.values.arithmetic import BOOL, INT, LONG, Scalar, binary
from sycllint.values.objects import ListObject, Point, RangeObject, Result
from sycllint.values.symbolic import parameter
from sycllint.values.value import Known, Unknown

if TYPE_CHECKING:
    from sycllint.values.evaluate import Evaluator

_TRUTH = {"true": Scalar(Known(1), BOOL), "false": Scalar(Known(0), BOOL)}
_DEFINED = re.compile(r"^(!?)\s*defined\s*\(?\s*(\w+)\s*\)?$")


class Lookup:
    """Name resolution for one evaluator."""

    def __init__(self, evaluator: Evaluator) -> None:
        self._evaluator = evaluator
        self._facts = evaluator.facts
        self._globals: dict[int, Result] = {}
        self._changed: frozenset[str] | None = None

    # ----------------------------------------------------------------- names

    def name(self, name: Name, point: Point) -> Result:
        """What ``name`` stands for at ``point``."""
        text = name.text
        if text in _TRUTH:
            return _TRUTH[text]
        if text in ("nullptr", "NULL", "this"):
            return self._evaluator.unknown("a pointer", name)
        if name.scope is not None:
            return self._evaluator.unknown(f"a member of {name.scope.text}<…>, which depends on template arguments", name)
        if "::" not in text:
            parameter = self._macro_argument(text, point.place)
            if parameter is not None:
                argument, there = parameter
                return self._evaluator.evaluate(argument, there)
            value = self._macro_value(name, point)
            if value is not None:
                return value
            if self._facts.unsettled and self._is_unsettled(text, point.place):
                return self._evaluator.unknown(f"{text} hangs on a preprocessor conditional that cuts a statement in two", name)
            local = self._search(text, point.place, point.offset, fixed=self._is_constant(name, point))
            if local is not None:
                return self._parameter(name, local, point)
        return self._parameter(name, self._global(name, point), point)

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

    def _is_unsettled(self, text: str, place: Place) -> bool:
        """Whether ``text`` is written in a conditional, in this function or outside all, whose branch was only guessed."""
        around = next((node for node in place.chain() if isinstance(node, Function)), None)
        for span, names in self._facts.unsettled:
            if text not in names:
                continue
            if around is not None and around.start <= span.start < around.extent_end:
                return True
            if not any(
                each.node.start <= span.start < each.node.extent_end
                for found in self._facts.functions.values()
                for each in found
            ):
                return True
        return False

    def declaration(self, name: Name, point: Point) -> Type | None:
        """The type with which a variable or parameter called ``name`` is declared, if one is in sight."""
        if name.scope is not None or "::" in name.text:
            return None
        for node in point.place.chain():
            match node:
                case Block(statements=statements):
                    for statement in statements:
                        if isinstance(statement, Declaration) and statement.start < point.offset:
                            for variable in statement.variables:
                                if variable.name == name.text:
                                    return variable.type
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
        found = self._facts.variables.get(name.text, ())
        return found[0].node.type if found else None

    def result(self, function: Name, node: Call, point: Point) -> Result:
        """The result of calling a function by name."""
        return self._evaluator.symbol(f"{function.text}()", f"the result of {function.text}()", node.start)

    # ---------------------------------------------------------------- macros

    def macro(self, name: Name, point: Point) -> Macro | None:
        """The one macro that ``name`` is at ``point``; ``None`` when it is none, or several."""
        if name.scope is not None or "::" in name.text:
            return None
        found = self._definitions(name.text, point)
        return found[0] if len(found) == 1 else None

    def _definitions(self, name: str, point: Point) -> list[Macro]:
        """The definitions of a macro that may be in force at ``point``."""
        configured = self._evaluator.defines.get(name)
        if configured is not None:
            return [configured_macro(name, configured)]
        declared = self._facts.macros.get(name)
        if not declared:
            return []
        found: list[Macro] = []
        offset = self._file_offset(point)
        for each in sorted((each for each in declared if each.node.start < offset), key=lambda each: -each.node.start):
            compiled = self.compiled(each.place, name)
            if compiled is False:
                continue
            found.append(each.node)
            if compiled:
                break
        return found

    def _file_offset(self, point: Point) -> int:
        """Where in the file's order ``point`` stands: inside a macro, that is where the outermost one is used."""
        offset = point.offset
        place: Place | None = point.place
        while place is not None:
            if isinstance(place.node, Macro) and place.outer is not None and isinstance(place.outer.node, Call | Name):
                offset = place.outer.node.start
            place = place.outer
        return offset

    def _macro_argument(self, text: str, place: Place) -> tuple[Expr, Point] | None:
        """The argument that ``text`` stands for inside a macro's body, and where it was written."""
        current: Place | None = place
        while current is not None:
            node, outer = current.node, current.outer
            if isinstance(node, Macro) and outer is not None and isinstance(outer.node, Call) and outer.outer is not None:
                parameters = node.parameters or ()
                if text in parameters:
                    index = parameters.index(text)
                    if index < len(outer.node.arguments):
                        return outer.node.arguments[index], Point(outer.outer, outer.node.start)
                return None
            current = outer
        return None

    def _macro_value(self, name: Name, point: Point) -> Result | None:
        found = [each for each in self._definitions(name.text, point) if each.parameters is None]
        if not found:
            return None
        results: list[Result] = []
        for macro in found:
            if macro.value is None:
                return self._evaluator.unknown(f"the macro {macro.name} is not an expression", name)
            if isinstance(macro.value, Name) and macro.value.text == macro.name:
                return None
            inner = Point(Place(macro, Place(name, point.place)), point.offset)
            result = self._evaluator.evaluate(macro.value, inner)
            if macro.end > macro.start:
                result = self._evaluator.named(name.text, result, macro.start, macro.end)
            results.append(result)
        return self._evaluator.joined(results, name)

    def compiled(self, place: Place, defining: str | None = None) -> bool | None:
        """Whether the code at ``place`` is compiled; ``None`` when a conditional around it cannot be decided."""
        answer: bool | None = True
        current: Place | None = place
        while current is not None:
            outer = current.outer
            if isinstance(current.node, Arm) and outer is not None and isinstance(outer.node, Variants):
                decided = self._arm(current.node, outer.node, defining)
                if decided is False:
                    return False
                if decided is None:
                    answer = None
            current = outer
        return answer

    def _arm(self, arm: Arm, variants: Variants, defining: str | None) -> bool | None:
        """Whether this branch of a conditional is the one compiled."""
        answer: bool | None = True
        for each in variants.arms:
            condition = self._condition(each, defining)
            if each is arm:
                if answer is None or condition is None:
                    return False if condition is False else None
                return condition
            if condition is True:
                return False
            if condition is None:
                answer = None
        return None

    def _condition(self, arm: Arm, defining: str | None) -> bool | None:
        text = arm.condition.strip()
        match arm.keyword:
            case "else":
                return True
            case "ifdef" | "elifdef":
                return self._defined(text, arm, defining)
            case "ifndef" | "elifndef":
                return _negated(self._defined(text, arm, defining))
        if text in ("0", "false"):
            return False
        if text in ("1", "true"):
            return True
        match = _DEFINED.match(text)
        if match is not None:
            answer = self._defined(match[2], arm, defining)
            return _negated(answer) if match[1] else answer
        return None

    def _defined(self, name: str, arm: Arm, defining: str | None) -> bool | None:
        """Whether a macro is defined before ``arm``; ``None`` for one never mentioned in the file or in the settings."""
        if name in self._evaluator.defines:
            return True
        for each in self._facts.macros.get(name, ()):
            if each.node.start < arm.body.start and not _within(each.place, arm):
                return True if self._unconditional(each) else None
        return False if name == defining else None

    def _unconditional(self, declared: Declared[Macro]) -> bool:
        return not any(isinstance(node, Arm) for node in declared.place.chain())

    # ---------------------------------------------------------------- locals

    def _search(self, text: str, place: Place | None, offset: int, *, fixed: bool = False) -> Result | None:
        """The value of a name inside functions and lambdas; ``None`` when it is not declared there.

        ``fixed`` for a constant: then only its declaration is looked for.
        """
        while place is not None:
            node = place.node
            match node:
                case Block(statements=statements):
                    found = self._before(statements, text, place, offset, fixed=fixed)
                    if found is not None:
                        return found
                case Macro():
                    if place.outer is not None and isinstance(place.outer.node, Call | Name):
                        offset = place.outer.node.start
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
            condition = self._evaluator.scalar(self._evaluator.evaluate(statement.condition, Point(here, statement.start + 1)))
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
            compiled = self._arm(arm, statement, None)
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
        if isinstance(node.initializer, Declaration):
            for variable in node.initializer.variables:
                if variable.name == text:
                    if text in self._evaluator.mutations.of(node.body) or (
                        node.update is not None and text in self._evaluator.mutations.of(node.update)
                    ):
                        return Unknown(f"{text} counts a loop", self._evaluator.line(variable.start))
                    return self._declared_in(node.initializer, text, place, variable.start + 1)
        if not fixed and text in self._evaluator.mutations.of(node):
            return Unknown(f"{text} changes in a loop", self._evaluator.line(node.start))
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
        for parameter in node.parameters:
            if parameter.name == text:
                return Unknown(f"{text} is a parameter of a lambda", self._evaluator.line(parameter.start))
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
        """Whether a lambda that is kept in a variable sees a later value of ``text``."""
        outer = place.outer
        if outer is None or not isinstance(outer.node, Variable):
            return False
        for around in outer.chain():
            if isinstance(around, Block):
                return any(
                    text in self._evaluator.mutations.of(each) for each in around.statements if each.start > node.end
                )
        return False

    def _function(self, node: Function, text: str, place: Place) -> Result | None:
        for parameter in node.parameters:
            if parameter.name == text:
                return Unknown(f"{text} is a parameter of {node.name}", self._evaluator.line(parameter.start))
        for around in place.chain():
            if isinstance(around, Function | Struct):
                for template in around.template_parameters:
                    if template.name == text:
                        where = self._evaluator.line(template.start)
                        return Unknown(f"{text} is a template parameter of {around.name}", where)
        return None

    # --------------------------------------------------------------- globals

    def _global(self, name: Name, point: Point) -> Result:
        """A constant of a namespace, class or enumeration."""
        last = name.last
        here = self._scope(point.place)
        candidates: list[Declared[Variable] | Declared[Enumerator]] = [
            *self._facts.variables.get(last, ()),
            *self._facts.enumerators.get(last, ()),
        ]
        visible = [each for each in candidates if self._visible(each, name.qualifier, here)]
        visible = [each for each in visible if self.compiled(each.place) is not False]
        if len(visible) > 1:
            deepest = max(len(_enclosing(each)) for each in visible)
            visible = [each for each in visible if len(_enclosing(each)) == deepest]
            defined = [each for each in visible if not isinstance(each.node, Variable) or each.node.arguments]
            visible = defined or visible
        if not visible:
            return self._evaluator.unknown(f"{name.text} is not declared in this file", name)
        return self._evaluator.joined([self._global_value(each) for each in visible], name)

    def _scope(self, place: Place) -> tuple[str, ...]:
        names: list[str] = []
        for node in place.chain():
            if isinstance(node, Namespace | Struct) and node.name:
                names.append(node.name)
            elif isinstance(node, Function) and "::" in node.name:
                names.extend(reversed(node.name.split("::")[:-1]))
        names.reverse()
        return tuple(name for name in names if name != "extern")

    def _visible(self, declared: Declared[Variable] | Declared[Enumerator], qualifier: str, here: tuple[str, ...]) -> bool:
        scope = _enclosing(declared)
        if not qualifier:
            if scope == here[: len(scope)]:
                return True
            return bool(scope) and "::".join(scope) in self._facts.using
        first, _, rest = qualifier.removeprefix("::").partition("::")
        target = self._facts.namespaces.get(first)
        if target is not None:
            qualifier = f"{target}::{rest}" if rest else target
        wanted = tuple(qualifier.removeprefix("::").split("::"))
        full = declared.scope if isinstance(declared.node, Enumerator) else scope
        return full[-len(wanted) :] == wanted or scope[-len(wanted) :] == wanted

    def _global_value(self, declared: Declared[Variable] | Declared[Enumerator]) -> Result:
        key = id(declared.node)
        found = self._globals.get(key)
        if found is None:
            self._globals[key] = self._evaluator.unknown(f"{declared.node.name} is defined by itself", None)
            if isinstance(declared.node, Enumerator):
                found = self._enumerator(declared.node, declared.place)
            else:
                found = self._global_variable(declared.node, declared.place)
            self._globals[key] = found
        return found

    def _enumerator(self, node: Enumerator, place: Place) -> Result:
        outer = place.outer
        if outer is None or not isinstance(outer.node, Enum):
            return self._evaluator.unknown("an enumerator", None)
        enum = outer.node
        inner = Point(outer, node.start)
        if node.value is not None:
            result = self._evaluator.evaluate(node.value, inner)
            return self._evaluator.named(node.name, result, node.start, node.end)
        position = enum.enumerators.index(node)
        if position == 0:
            return self._evaluator.named(node.name, Scalar(Known(0), INT), node.start, node.end)
        before = enum.enumerators[position - 1]
        previous = self._evaluator.scalar(self._global_value(Declared(before, Place(before, outer))))
        if isinstance(previous, Scalar):
            bare = Scalar(Known(previous.value.value), previous.type) if isinstance(previous.value, Known) else previous
            result = binary("+", bare, Scalar(Known(1), INT))
            return self._evaluator.named(node.name, result, node.start, node.end)
        return previous

    def _global_variable(self, node: Variable, place: Place) -> Result:
        evaluator = self._evaluator
        outer = place.outer if place.outer is not None else place
        surroundings = list(outer.chain())
        member = next((each for each in surroundings if isinstance(each, Struct)), None)
        constant = bool(node.flags & CONST) and not node.type.pointers
        if not constant:
            if member is not None and not node.flags & STATIC:
                return evaluator.unknown(f"{node.name} is a member of {member.name}", node)
            private = node.flags & STATIC or any(isinstance(each, Namespace) and not each.name for each in surroundings)
            if not private:
                return evaluator.unknown(f"{node.name} is a global variable, which other files may change", node)
            if node.name in self._changed_anywhere():
                return evaluator.unknown(f"{node.name} is a global variable that is assigned again", node)
        if not node.arguments and node.style != "{":
            return evaluator.unknown(f"{node.name} is defined in another file", node)
        result = evaluator.initial(node, Point(outer, node.start))
        return evaluator.named(node.name, result, node.start, node.arguments[-1].end if node.arguments else node.end)

    def _changed_anywhere(self) -> frozenset[str]:
        """Names that some function of the file may change from outside its own declarations."""
        if self._changed is None:
            names: set[str] = set()
            for declared in self._facts.functions.values():
                for each in declared:
                    if each.node.body is not None:
                        names |= self._evaluator.mutations.of(each.node.body)
            self._changed = frozenset(names)
        return self._changed


def _enclosing(declared: Declared[Variable] | Declared[Enumerator]) -> tuple[str, ...]:
    """The scope in which a name is seen without qualification: an unscoped enumeration adds nothing."""
    outer = declared.place.outer
    if isinstance(declared.node, Enumerator) and outer is not None and isinstance(outer.node, Enum):
        scope = declared.scope
        if outer.node.name and not outer.node.scoped:
            return scope[:-1]
        return scope
    return declared.scope


def _negated(answer: bool | None) -> bool | None:
    return None if answer is None else not answer


def _within(place: Place, arm: Arm) -> bool:
    return any(node is arm for node in place.chain())


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

