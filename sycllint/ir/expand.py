"""Names in a body: locals, macros with their arguments, what is captured, and what comes from outside.

A macro's text is lowered at each use, and each argument again wherever the text names its parameter, as the
preprocessor would have it; the arguments keep the place where they are written.
"""

from __future__ import annotations

from functools import reduce
from operator import or_

from sycllint.cpp.expression import (
    Assign,
    Binary,
    Call,
    Cast,
    Conditional,
    Expr,
    Increment,
    Lambda,
    Name,
    Opaque,
    Unary,
)
from sycllint.cpp.node import Node, walk
from sycllint.cpp.place import Place
from sycllint.cpp.statement import REST, Block, Declaration, Function, If, Loop, Macro, RangeLoop
from sycllint.ir import ops
from sycllint.ir.builder import VALUE, Builder, MacroExpansion, forget, statements
from sycllint.ir.ops import NONE
from sycllint.values.preprocessor.expansion import parenthesized

MAX_DEPTH = 24
"""The depth to which macros are expanded."""
MAX_INSTRUCTIONS = 20_000
"""Instructions of a body from which on no further macro is expanded."""
_CONSTANTS = frozenset({"true", "false", "nullptr"})
_OPERATIONS = (Binary, Unary, Cast, Conditional)


# ------------------------------------------------------------------------ names


def name(builder: Builder, node: Name, mode: int) -> None:
    """The step for a name in an expression."""
    text = node.text
    use = builder.use
    if use is not None and text in use.given:
        _argument(builder, use, use.given[text], mode)
        return
    if use is not None and text == REST and use.rest:
        # Where one value is wanted, several are a comma expression.
        _argument(builder, use, reduce(_comma, use.rest), mode)
        return
    if builder.macros.is_named(text) and _expanded(builder, node, node, mode):
        return
    slot = builder.scope.get(text)
    if slot is not None:
        builder.push(ops.LOAD, slot, NONE, NONE, node)
        if mode == VALUE and builder.body.locals[slot].is_reference:
            builder.push(ops.READ, builder.values.pop(), NONE, NONE, node)
    elif text == "this":
        builder.push(ops.THIS, NONE, NONE, NONE, node)
    elif text in _CONSTANTS:
        builder.push(ops.CONST, NONE, NONE, NONE, node)
    else:
        code = ops.CAPTURE if is_captured(builder, text) else ops.GLOBAL
        builder.push(code, NONE, NONE, builder.number(text), node)


def _comma(left: Expr, right: Expr) -> Expr:
    return Binary(",", left, right, left.start, right.end)


def local(builder: Builder, node: Expr) -> int:
    """The slot of the variable that an expression names; ``NONE`` for a reference, and for all else."""
    use = builder.use
    while isinstance(node, Name):
        if use is not None and node.text in use.given:
            node, use = use.given[node.text], use.outer
        elif builder.macros.is_named(node.text) and builder.macros.meant(node, builder.place):
            return NONE
        else:
            slot = builder.scope.get(node.text, NONE)
            return slot if slot != NONE and not builder.body.locals[slot].is_reference else NONE
    return NONE


def is_captured(builder: Builder, text: str) -> bool:
    """Whether a name that the function does not declare is that of a variable of a function around it."""
    if type(builder.body.function) is not Lambda:
        return False
    if builder.outer is None:
        builder.outer = frozenset(_declared_around(builder.body.place))
    return text in builder.outer or text in builder.body.around


def _declared_around(place: Place) -> list[str]:
    """The names that the functions around a lambda declare before it."""
    found: list[str] = []
    inside: Node = place.node
    outer = place.outer
    for node in outer.chain() if outer is not None else ():
        if isinstance(node, Function | Lambda):
            found += [each.name for each in node.parameters]
        if isinstance(node, Lambda):
            found += [each.name for each in node.captures if each.value is not None]
        if isinstance(node, Block):
            start = getattr(inside, "start", 0)
            declared = [each for each in node.statements if isinstance(each, Declaration) and each.start <= start]
            found += [variable.name for each in declared for variable in each.variables]
        if isinstance(node, If | Loop) and isinstance(node.initializer, Declaration):
            found += [each.name for each in node.initializer.variables]
        if isinstance(node, RangeLoop):
            found.append(node.variable.name)
        if isinstance(node, Function):
            break
        inside = node
    return found


# ----------------------------------------------------------------------- macros


def called(builder: Builder, node: Call) -> Expr | None:
    """The callee of a call, for a macro's parameter its argument; ``None`` where a macro's text replaces the call."""
    function: Expr = node.function
    use = builder.use
    while use is not None and isinstance(function, Name) and function.text in use.given:
        function, use = use.given[function.text], use.outer
    if not isinstance(function, Name) or not builder.macros.is_named(function.text):
        return function
    if _expanded(builder, node, function, VALUE):
        return None
    found = builder.macros.meant(function, builder.place)
    alias = found[0].value if len(found) == 1 and found[0].parameters is None else None
    return alias if isinstance(alias, Name) else function


def is_statement(builder: Builder, node: Expr) -> bool:
    """Lower the use of a macro that stands for statements, or for nothing; ``False`` where it is anything else."""
    use = node.function if isinstance(node, Call) else node
    if not isinstance(use, Name) or not builder.macros.is_named(use.text):
        return False
    found = builder.macros.meant(use, builder.place)
    if len(found) != 1 or found[0].value is not None or (found[0].parameters is None) is isinstance(node, Call):
        return False
    macro = found[0]
    if macro.body is None and not macro.text.strip():
        return True
    if macro.body is None or not _may_expand(builder) or _is_open_already(builder, macro.name):
        return False
    _enter(builder, macro, node, use)
    builder.then(statements, macro.body)
    return True


def _expanded(builder: Builder, node: Expr, use: Name, mode: int) -> bool:
    """Lower a use of a macro as a value; ``False`` where the name is none, or is called as one and is not."""
    found = [
        each
        for each in builder.macros.meant(use, builder.place)
        if (each.parameters is None) is not isinstance(node, Call)
    ]
    if not found or _is_open_already(builder, use.text):
        return False
    macro = found[0]
    if len(found) > 1 or not _may_expand(builder) or (macro.value is None and macro.body is None):
        arguments = node.arguments if isinstance(node, Call) else ()
        builder.then(_unseen_macro, node, reduce(or_, map(_may_do, found)))
        for _ in arguments:
            builder.then(forget, node)
        builder.each(arguments)
        return True
    if macro.value is None:
        builder.then(_no_value, node)
    _enter(builder, macro, node, use)
    if macro.value is not None:
        builder.lower(macro.value, mode)
    elif macro.body is not None:
        builder.then(statements, macro.body)
    return True


def _may_expand(builder: Builder) -> bool:
    use = builder.use
    deep = use is not None and use.depth >= MAX_DEPTH
    return not deep and len(builder.body.op) < MAX_INSTRUCTIONS


def _is_open_already(builder: Builder, name: str) -> bool:
    """Whether this text is that macro's own: there its name is no macro (C++ standard, [cpp.rescan])."""
    place: Place | None = builder.place
    while place is not None:
        if type(place.node) is Macro and place.node.name == name:
            return True
        place = place.outer
    return False


def _enter(builder: Builder, macro: Macro, node: Expr, use: Name) -> None:
    """Begin the region of a macro's text."""
    outer = builder.use
    arguments = node.arguments if isinstance(node, Call) else ()
    given: dict[str, Expr] = {}
    rest: list[Expr] = []
    for parameter, argument in macro.handed(arguments) if macro.parameters else ():
        if parameter == REST:
            rest.append(argument)
        else:
            given[parameter] = argument
    depth = outer.depth + 1 if outer is not None else 1
    _open_use(builder, MacroExpansion(macro, given, tuple(rest), outer, builder.region, depth), node)
    place = Place(macro, Place(node, builder.place))
    builder.enter_at(place, is_guessed=isinstance(macro.value, _OPERATIONS) and not parenthesized(macro.text))


def _argument(builder: Builder, use: MacroExpansion, argument: Expr, mode: int) -> None:
    """Lower an argument where the text of its macro names the parameter."""
    _open_use(builder, use.outer, argument)
    builder.then(_leave_argument, argument, builder.region)
    builder.region = use.region
    builder.lower(argument, mode)


def _open_use(builder: Builder, use: MacroExpansion | None, node: Node) -> None:
    """Read names as ``use`` says until the steps that are added from here on are taken."""
    builder.uses.append(builder.use)
    builder.then(_leave_use, node)
    builder.use = use


def _leave_use(builder: Builder, _: Node, __: int) -> None:
    builder.use = builder.uses.pop()


def rest(builder: Builder, node: Expr) -> tuple[Expr, ...] | None:
    """The arguments that ``__VA_ARGS__`` stands for; ``None`` where ``node`` is anything else."""
    use = builder.use
    return use.rest if use is not None and isinstance(node, Name) and node.text == REST else None


def spread(builder: Builder, node: Expr, _: int) -> None:
    """The step that lowers each of the arguments that ``__VA_ARGS__`` stands for."""
    use = builder.use
    assert use is not None
    _open_use(builder, use.outer, node)
    builder.then(_leave_argument, node, builder.region)
    builder.region = use.region
    builder.each(use.rest)


def _leave_argument(builder: Builder, _: Node, region: int) -> None:
    builder.region = region


def _may_do(macro: Macro) -> int:
    """The possible effects of a macro with several texts, or without code."""
    if macro.value is None:
        return ops.ANYTHING if macro.text.strip() else 0
    inside = {type(each) for each in walk(macro.value)}
    if inside & {Call, Lambda, Opaque}:
        return ops.ANYTHING
    return ops.MAY_WRITE if inside & {Assign, Increment} else 0


def _unseen_macro(builder: Builder, node: Node, may: int) -> None:
    builder.push(ops.UNSEEN, may, NONE, ops.MACRO_TEXT, node)


def _no_value(builder: Builder, node: Node, _: int) -> None:
    """Statements in the place of a value."""
    builder.push(ops.UNSEEN, 0, NONE, ops.MACRO_TEXT, node)
