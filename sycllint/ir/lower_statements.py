"""Statements to instructions: one step for each class of ``cpp.statement``."""

from __future__ import annotations

from collections.abc import Mapping

from sycllint.cpp.expression import Expr, Name
from sycllint.cpp.node import Node
from sycllint.cpp.place import Place
from sycllint.cpp.statement import (
    Arm,
    Block,
    Case,
    Damaged,
    Declaration,
    Evaluate,
    If,
    Include,
    Jump,
    Loop,
    RangeLoop,
    Return,
    Switch,
    Try,
    Variable,
    Variants,
)
from sycllint.ir import ops
from sycllint.ir.body import Storage
from sycllint.ir.builder import PLACE, VALUE, Builder, Step, end, statements
from sycllint.ir.expand import is_captured, is_statement
from sycllint.ir.lower_expressions import construct, otherwise
from sycllint.ir.ops import NONE
from sycllint.values.objects import Point

MAX_INCLUDES = 4
"""The depth to which files are included within a body."""
_JUMPS = {"break": ops.BREAK, "continue": ops.CONTINUE, "goto": ops.GOTO}


def _evaluate(builder: Builder, node: Evaluate, _: int) -> None:
    expression = node.expression
    if is_statement(builder, expression):
        return
    if isinstance(expression, Name) and not _is_known(builder, expression):
        builder.emit(ops.UNSEEN, ops.ANYTHING, NONE, ops.UNKNOWN_NAME, node)
        return
    builder.then(_dropped, node)
    builder.lower(expression)


def _dropped(builder: Builder, node: Node, _: int) -> None:
    builder.emit(ops.DROP, builder.values.pop(), NONE, NONE, node)


def _is_known(builder: Builder, name: Name) -> bool:
    """Whether a name by itself has a visible declaration; otherwise it may be a macro with any text."""
    text, facts = name.text, builder.evaluator.facts
    if text in builder.scope or text == "this" or builder.macros.is_named(text) or is_captured(builder, text):
        return True
    if builder.use is not None and text in builder.use.given:
        return True
    known = (facts.variables, facts.functions, facts.structs, facts.aliases, facts.enumerators)
    if any(name.last in each for each in known):
        return True
    return builder.evaluator.declarations.nearest(name.last, Point(builder.place, name.start)) is not None


# ----------------------------------------------------------------- declarations


def _declaration(builder: Builder, node: Declaration, _: int) -> None:
    variables = node.variables
    if variables and variables[0].style == "[":
        builder.then(_bindings, node)
        arguments = variables[0].arguments
        if arguments:
            builder.lower(arguments[0])
        return
    for variable in reversed(variables):
        builder.then(_variable, variable)


def _bindings(builder: Builder, node: Declaration, _: int) -> None:
    """``auto [a, b] = value;``"""
    value = builder.values.pop() if node.variables[0].arguments else NONE
    for variable in node.variables:
        builder.emit(ops.DECL, builder.declare(variable, Storage.BINDING), value, NONE, variable)


def _variable(builder: Builder, variable: Variable, _: int) -> None:
    arguments = variable.arguments
    builder.then(_declared, variable)
    if len(arguments) == 1 and (variable.style == "=" or variable.type.reference):
        builder.lower(arguments[0], PLACE if variable.type.reference else VALUE)
    elif variable.style:
        construct(builder, variable, arguments)


def _declared(builder: Builder, variable: Variable, _: int) -> None:
    value = builder.values.pop() if variable.style else NONE
    builder.emit(ops.DECL, builder.declare(variable, Storage.VARIABLE), value, NONE, variable)


# --------------------------------------------------------------------- branches


def _if(builder: Builder, node: If, _: int) -> None:
    builder.enter(node)
    builder.open(node)
    builder.then(_then, node)
    _head(builder, node)


def _head(builder: Builder, node: If | Loop) -> None:
    """Lower what stands before the branches of an ``if``, or before the test of a loop."""
    if isinstance(node, If):
        _perhaps(builder, node.condition)
    if node.initializer is not None:
        builder.lower(node.initializer)


def _perhaps(builder: Builder, expression: Expr | None) -> None:
    """Lower an expression, or leave ``NONE`` in its place."""
    if expression is None:
        builder.values.append(NONE)
    else:
        builder.lower(expression)


def _then(builder: Builder, node: If, _: int) -> None:
    begin = builder.emit(ops.IF, builder.values.pop(), NONE, NONE, node)
    builder.then(end, node, begin)
    if node.otherwise is not None:
        builder.inner(node.otherwise)
        builder.then(otherwise, node, begin)
    builder.inner(node.then)


def _switch(builder: Builder, node: Switch, _: int) -> None:
    builder.enter(node)
    builder.then(_cases, node)
    _perhaps(builder, node.condition)


def _cases(builder: Builder, node: Switch, _: int) -> None:
    builder.then(end, node, builder.emit(ops.SWITCH, builder.values.pop(), NONE, NONE, node))
    builder.inner(node.body)


def _case(builder: Builder, node: Case, _: int) -> None:
    builder.enter(node)
    builder.then(_chosen, node)
    _perhaps(builder, node.value)


def _chosen(builder: Builder, node: Case, _: int) -> None:
    """Declarations after a label are in scope up to the end of the ``switch``."""
    builder.emit(ops.CASE, builder.values.pop(), NONE, NONE, node)
    builder.then(_text, node.body)


def _text(builder: Builder, node: Block, _: int) -> None:
    """Statements with a place of their own and no scope."""
    builder.enter(node)
    builder.each(node.statements)


def _try(builder: Builder, node: Try, _: int) -> None:
    builder.enter(node)
    builder.then(end, node, builder.emit(ops.TRY, NONE, NONE, NONE, node))
    for handler in reversed(node.handlers):
        builder.inner(handler)
        builder.then(_catch, handler)
    builder.inner(node.body)


def _catch(builder: Builder, handler: Block, _: int) -> None:
    builder.emit(ops.CATCH, NONE, NONE, NONE, handler)


# ------------------------------------------------------------------------ loops


def _loop(builder: Builder, node: Loop, _: int) -> None:
    builder.enter(node)
    builder.open(node)
    builder.then(_turns, node)
    _head(builder, node)


def _turns(builder: Builder, node: Loop, _: int) -> None:
    begin = builder.emit(ops.LOOP, NONE, NONE, NONE, node)
    builder.then(end, node, begin)
    if node.keyword == "do":
        builder.then(_test, node, begin)
        _perhaps(builder, node.condition)
        builder.then(_next, node)
        builder.inner(node.body)
        return
    if node.update is not None:
        builder.then(_dropped, node.update)
        builder.lower(node.update)
    builder.then(_next, node)
    builder.inner(node.body)
    builder.then(_test, node, begin)
    _perhaps(builder, node.condition)


def _test(builder: Builder, node: Loop, begin: int) -> None:
    builder.body.b[begin] = builder.emit(ops.TEST, builder.values.pop(), NONE, NONE, node)


def _next(builder: Builder, node: Node, _: int) -> None:
    builder.emit(ops.NEXT, NONE, NONE, NONE, node)


def _range_loop(builder: Builder, node: RangeLoop, _: int) -> None:
    builder.enter(node)
    builder.open(node)
    builder.then(_elements, node)
    builder.lower(node.range)


def _elements(builder: Builder, node: RangeLoop, _: int) -> None:
    begin = builder.emit(ops.LOOP, builder.values.pop(), NONE, NONE, node)
    builder.body.b[begin] = builder.emit(ops.TEST, NONE, NONE, NONE, node)
    slot = builder.declare(node.variable, Storage.ELEMENT)
    builder.emit(ops.DECL, slot, NONE, NONE, node.variable)
    builder.then(end, node, begin)
    builder.then(_next, node)
    builder.inner(node.body)


# ------------------------------------------------------------------------ jumps


def _return(builder: Builder, node: Return, _: int) -> None:
    builder.then(_returned, node)
    _perhaps(builder, node.value)


def _returned(builder: Builder, node: Return, _: int) -> None:
    builder.emit(ops.RETURN, builder.values.pop(), NONE, NONE, node)


def _jump(builder: Builder, node: Jump, _: int) -> None:
    code = _JUMPS.get(node.keyword)
    if code is not None:
        builder.emit(code, NONE, NONE, NONE, node)
        return
    builder.then(_thrown, node)
    _perhaps(builder, node.value)


def _thrown(builder: Builder, node: Jump, _: int) -> None:
    builder.emit(ops.THROW, builder.values.pop(), NONE, NONE, node)


# ------------------------------------------------------------------------- text


def _block(builder: Builder, node: Block, _: int) -> None:
    builder.then(end, node, builder.emit(ops.SCOPE, NONE, NONE, NONE, node))
    builder.inner(node)


def _variants(builder: Builder, node: Variants, _: int) -> None:
    builder.enter(node)
    builder.arms.append((builder.opened, {}))
    builder.positions.append(NONE)
    builder.then(_end_of_variants, node)
    for arm in reversed(node.arms):
        builder.then(_arm, arm)


def _arm(builder: Builder, node: Arm, _: int) -> None:
    compiled = builder.evaluator.macros.arm(node, builder.place)
    answer = ops.PERHAPS if compiled is None else int(compiled)
    before = builder.positions[-1]
    builder.positions[-1] = builder.emit(ops.VARIANT, answer, before, NONE, node)
    if answer != ops.NO:
        builder.enter(node)
        builder.then(_text, node.body)


def _end_of_variants(builder: Builder, node: Variants, _: int) -> None:
    builder.arms.pop()
    arm = builder.positions.pop()
    position = builder.emit(ops.END, arm, NONE, NONE, node)
    while arm != NONE:
        builder.body.extra[arm] = position
        arm = builder.body.b[arm]


def _include(builder: Builder, node: Include, _: int) -> None:
    found = builder.evaluator.facts.included(node)
    around = [*builder.place.chain()]
    # A lambda of an included file is lowered by itself, too, so that the depth is that of the place.
    depth = sum(isinstance(each, Include) for each in around)
    if found is None or depth >= MAX_INCLUDES or any(each is found.unit for each in around):
        builder.emit(ops.UNSEEN, ops.ANYTHING, NONE, ops.INCLUDED, node)
        return
    builder.enter_at(Place(found.unit, Place(node, builder.place)), is_guessed=bool(found.damaged))
    builder.each(found.unit.statements)


def _damaged(builder: Builder, node: Damaged, _: int) -> None:
    """Text that does not parse may hold anything; what could be read of it follows, as a guess."""
    builder.emit(ops.UNSEEN, ops.ANYTHING, NONE, ops.DAMAGED, node)
    builder.enter_at(Place(node.body, builder.place), is_guessed=True)
    builder.then(statements, node.body)


def ignore(_: Builder, __: Node, ___: int) -> None:
    """The step for what does nothing when it is reached: declarations of types and functions, directives."""


STATEMENTS: Mapping[type[Node], Step] = {
    Block: _block,
    Case: _case,
    Damaged: _damaged,
    Declaration: _declaration,
    Evaluate: _evaluate,
    If: _if,
    Include: _include,
    Jump: _jump,
    Loop: _loop,
    RangeLoop: _range_loop,
    Return: _return,
    Switch: _switch,
    Try: _try,
    Variants: _variants,
}
"""The step for each class that does something."""
