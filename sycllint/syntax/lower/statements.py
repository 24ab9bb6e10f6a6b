"""Control flow."""

from collections.abc import Mapping

from tree_sitter import Node

from sycllint.cpp.expression import Assign, Binary, Call, Cast, Expr, Name, Number, Unary
from sycllint.cpp.statement import (
    Block,
    Case,
    Damaged,
    Declaration,
    Evaluate,
    If,
    Jump,
    Loop,
    RangeLoop,
    Return,
    Statement,
    Switch,
    Try,
    Variable,
)
from sycllint.record import replace
from sycllint.syntax import fields
from sycllint.syntax.kinds import kinds
from sycllint.syntax.lower.declarations import declare
from sycllint.syntax.lower.offsets import OFFSETS
from sycllint.syntax.lower.types import plain_type, type_of, unwrap
from sycllint.syntax.lower.walk import LowerStatement, Walk, first_inside
from sycllint.syntax.normalize import UNROLLED

_NOT_LABELLED = kinds("statement_identifier", "attribute_declaration", "comment")
_CONDITION_CLAUSE = kinds("condition_clause")
_DECLARATION = kinds("declaration")
_DIRECTIVE = kinds("preproc_call")
_ATTRIBUTE = kinds("attribute_declaration")
_IDENTIFIER = kinds("identifier")
_CATCH = kinds("catch_clause")


_CALLED_OR_SET = (Assign, Call, Cast)
_OPPOSITES = {"<": ">=", "<=": ">", ">": "<=", ">=": "<", "==": "!=", "!=": "=="}


def _skip(walk: Walk, node: Node, into: list[Statement]) -> None:
    pass


def _expression_statement(walk: Walk, node: Node, into: list[Statement]) -> None:
    inside = first_inside(node)
    if inside is not None:
        start, end = OFFSETS[node.start_byte + walk.shift], OFFSETS[node.end_byte + walk.shift]
        lowered = walk.expression(inside)
        called = lowered.function if isinstance(lowered, Call) else lowered
        variable = _function_pointer(lowered, walk.local) if type(called) in _CALLED_OR_SET else None
        into.append(Evaluate(lowered, start, end) if variable is None else Declaration((variable,), start, end))


def _function_pointer(lowered: Expr, local: bool) -> Variable | None:
    """``int (*f)()`` and ``int (*f)() = g``, which the grammar takes for calls of what ``int(*f)`` gives.

    Of a class in place of ``int`` it may be one, but only in a function (``local``).
    """
    called, value = (lowered.left, (lowered.right,)) if isinstance(lowered, Assign) else (lowered, ())
    match called:
        case Call(function=Cast(type=kind, operand=Unary(operator="*", operand=Name() as name))):
            pass
        case Call(function=Call(function=Name() as given, arguments=(Unary(operator="*", operand=Name() as name),))):
            if local:
                return None
            kind = plain_type(given)
        case _:
            return None
    pointer = replace(kind, pointers=kind.pointers + 1)
    return Variable(name.text, pointer, "=" if value else "", value, 0, (), name.start, name.end)


def _compound(walk: Walk, node: Node, into: list[Statement]) -> None:
    into.append(walk.block(node))


def _labelled(walk: Walk, node: Node, into: list[Statement]) -> None:
    for child in node.named_children:
        if child.kind_id not in _NOT_LABELLED:
            walk.statement(child, into)
        walk.before = child


def _clause(walk: Walk, node: Node) -> tuple[Statement | None, Expr | None]:
    """A condition: the statement in it, if any, and its value."""
    clause = node.child_by_field_id(fields.CONDITION)
    if clause is None:
        return None, None
    before: list[Statement] = []
    if clause.kind_id not in _CONDITION_CLAUSE:
        return None, walk.expression(clause)
    initializer = clause.child_by_field_id(fields.INITIALIZER)
    if initializer is not None:
        for child in initializer.named_children:
            walk.statement(child, before)
    value = clause.child_by_field_id(fields.VALUE)
    if value is None:
        return (before[0] if before else None), None
    if value.kind_id in _DECLARATION:
        declare(walk, value, before)
        declared = before[-1] if before else None
        if isinstance(declared, Declaration) and declared.variables:
            variable = declared.variables[0]
            return declared, Name(variable.name, None, None, variable.start, variable.end)
        return (before[0] if before else None), None
    return (before[0] if before else None), walk.expression(value)


def _if(walk: Walk, node: Node, into: list[Statement]) -> None:
    initializer, condition = _clause(walk, node)
    then = node.child_by_field_id(fields.CONSEQUENCE)
    otherwise = node.child_by_field_id(fields.ALTERNATIVE)
    into.append(
        If(
            initializer,
            condition,
            walk.block(then) if then is not None else walk.empty(node),
            walk.block(otherwise) if otherwise is not None else None,
            OFFSETS[node.start_byte + walk.shift],
            OFFSETS[node.end_byte + walk.shift],
        )
    )


def _pragma_before(walk: Walk) -> str:
    before = walk.before
    if before is not None and before.kind_id in _DIRECTIVE:
        text = walk.squeezed(before)
        if "unroll" in text or "ivdep" in text:
            return text
    elif before is not None and before.kind_id in _ATTRIBUTE:
        text = walk.string(before)
        if "unroll" in text or text == UNROLLED.decode():
            return "unroll as an attribute or a macro says"
    return ""


def _for(walk: Walk, node: Node, into: list[Statement]) -> None:
    pragma = _pragma_before(walk)
    first: list[Statement] = []
    initializer = node.child_by_field_id(fields.INITIALIZER)
    if initializer is not None:
        walk.statement(initializer, first)
    written = node.child_by_field_id(fields.CONDITION)
    update = node.child_by_field_id(fields.UPDATE)
    condition, body = _headed(walk.expression(written) if written is not None else None, walk.body(node))
    into.append(
        Loop(
            "for",
            first[0] if first else None,
            condition,
            walk.expression(update) if update is not None else None,
            body,
            pragma,
            OFFSETS[node.start_byte + walk.shift],
            OFFSETS[node.end_byte + walk.shift],
        )
    )


def _while(walk: Walk, node: Node, into: list[Statement]) -> None:
    pragma = _pragma_before(walk)
    initializer, written = _clause(walk, node)
    condition, body = _headed(written, walk.body(node))
    start, end = OFFSETS[node.start_byte + walk.shift], OFFSETS[node.end_byte + walk.shift]
    into.append(Loop("while", initializer, condition, None, body, pragma, start, end))


def _headed(condition: Expr | None, body: Block) -> tuple[Expr | None, Block]:
    """``for (;;) { if (c) break; … }`` is ``for (; !c;) { … }``: the condition and the body as the latter has them."""
    if condition is not None and not (isinstance(condition, Name | Number) and condition.text in ("true", "1")):
        return condition, body
    match body.statements:
        case (
            If(
                initializer=None,
                condition=ends,
                then=Block(statements=(Jump(keyword="break"),)),
                otherwise=None,
            ),
            *others,
        ) if ends is not None:
            return _negated(ends), Block(tuple(others), body.start, body.end)
        case _:
            return condition, body


def _negated(condition: Expr) -> Expr:
    match condition:
        case Binary(operator=operator, left=left, right=right, start=start, end=end) if operator in _OPPOSITES:
            return Binary(_OPPOSITES[operator], left, right, start, end)
        case Unary(operator="!", operand=operand):
            return operand
        case _:
            return Unary("!", condition, condition.start, condition.end)


def _do(walk: Walk, node: Node, into: list[Statement]) -> None:
    pragma = _pragma_before(walk)
    _, condition = _clause(walk, node)
    start, end = OFFSETS[node.start_byte + walk.shift], OFFSETS[node.end_byte + walk.shift]
    into.append(Loop("do", None, condition, None, walk.body(node), pragma, start, end))


def _range_loop(walk: Walk, node: Node, into: list[Statement]) -> None:
    kind, flags = type_of(walk, node)
    declarator = node.child_by_field_id(fields.DECLARATOR)
    over = node.child_by_field_id(fields.RIGHT)
    name: Node | None = None
    if declarator is not None:
        kind, name, _function = unwrap(walk, kind, declarator)
    place = name if name is not None else node
    text = walk.string(name) if name is not None and name.kind_id in _IDENTIFIER else ""
    variable = Variable(
        text, kind, "", (), flags, (), OFFSETS[place.start_byte + walk.shift], OFFSETS[place.end_byte + walk.shift]
    )
    into.append(
        RangeLoop(
            variable,
            walk.expression(over) if over is not None else walk.nothing(node),
            walk.body(node),
            OFFSETS[node.start_byte + walk.shift],
            OFFSETS[node.end_byte + walk.shift],
        )
    )


def _switch(walk: Walk, node: Node, into: list[Statement]) -> None:
    _, condition = _clause(walk, node)
    start, end = OFFSETS[node.start_byte + walk.shift], OFFSETS[node.end_byte + walk.shift]
    into.append(Switch(condition, walk.body(node), start, end))


def _case(walk: Walk, node: Node, into: list[Statement]) -> None:
    value = node.child_by_field_id(fields.VALUE)
    rest = [child for child in node.named_children if value is None or child.start_byte != value.start_byte]
    into.append(
        Case(
            walk.expression(value) if value is not None else None,
            walk.block_of(rest, node),
            OFFSETS[node.start_byte + walk.shift],
            OFFSETS[node.end_byte + walk.shift],
        )
    )


def _return(walk: Walk, node: Node, into: list[Statement]) -> None:
    value = first_inside(node)
    start, end = OFFSETS[node.start_byte + walk.shift], OFFSETS[node.end_byte + walk.shift]
    into.append(Return(walk.expression(value) if value is not None else None, start, end))


def _jump(walk: Walk, node: Node, into: list[Statement]) -> None:
    keyword = node.type.removesuffix("_statement")
    value: Expr | None = None
    if keyword == "throw":
        thrown = first_inside(node)
        value = walk.expression(thrown) if thrown is not None else None
    into.append(Jump(keyword, value, OFFSETS[node.start_byte + walk.shift], OFFSETS[node.end_byte + walk.shift]))


def _try(walk: Walk, node: Node, into: list[Statement]) -> None:
    handlers = []
    for child in node.named_children:
        if child.kind_id in _CATCH:
            handler = child.child_by_field_id(fields.BODY)
            if handler is not None:
                handlers.append(walk.block(handler))
    start, end = OFFSETS[node.start_byte + walk.shift], OFFSETS[node.end_byte + walk.shift]
    into.append(Try(walk.body(node), tuple(handlers), start, end))


def _damaged(walk: Walk, node: Node, into: list[Statement]) -> None:
    outer, walk.local = walk.local, True
    body = walk.block_of(node.named_children, node)
    walk.local = outer
    into.append(Damaged(body, OFFSETS[node.start_byte + walk.shift], OFFSETS[node.end_byte + walk.shift]))


STATEMENTS: Mapping[str, LowerStatement] = {
    "comment": _skip,
    ";": _skip,
    "access_specifier": _skip,
    "static_assert_declaration": _skip,
    "expression_statement": _expression_statement,
    "compound_statement": _compound,
    "declaration_list": _compound,
    "if_statement": _if,
    "for_statement": _for,
    "while_statement": _while,
    "do_statement": _do,
    "for_range_loop": _range_loop,
    "switch_statement": _switch,
    "case_statement": _case,
    "return_statement": _return,
    "co_return_statement": _return,
    "break_statement": _jump,
    "continue_statement": _jump,
    "goto_statement": _jump,
    "throw_statement": _jump,
    "try_statement": _try,
    "labeled_statement": _labelled,
    "attributed_statement": _labelled,
    "else_clause": _labelled,
    "ERROR": _damaged,
}
"""Functions by the node types they lower."""
