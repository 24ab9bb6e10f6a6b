"""What a plain function surely does: what it reads or writes through its parameters, and what it gives.

Its statements alone decide both, without a walk: what stands under a condition, after a statement that may leave, or in
a lambda, is not sure.
"""

from collections.abc import Callable, Container, Iterable, Iterator, Sequence

from sycllint.cpp.expression import (
    Binary,
    Call,
    Cast,
    Conditional,
    Expr,
    Index,
    Lambda,
    Member,
    Name,
    Number,
    SizeOf,
    Unary,
)
from sycllint.cpp.node import Node, children, rebuilt, walk
from sycllint.cpp.statement import (
    Block,
    Damaged,
    Declaration,
    Function,
    If,
    Jump,
    Loop,
    RangeLoop,
    Return,
    Statement,
    Switch,
    Try,
    Variable,
    Variants,
)
from sycllint.host.written import changed_in

_LEAVING = frozenset({Return, Jump})
_EITHER = frozenset({"&&", "||"})


def touched(function: Function, is_macro: Callable[[str], bool]) -> frozenset[str]:
    """The parameters through which every call reads or writes, as far as its loops run at all.

    What a macro is given may be part of a kernel that it launches.
    """
    body = function.body
    if body is None or function.damaged:
        return frozenset()
    pointers = {each.name for each in function.parameters if each.type.pointers == 1 and not each.type.reference}
    if not pointers:
        return frozenset()
    pointers &= frozenset(_through(_sure(body.statements), is_macro))
    return frozenset(pointers.difference(changed_in(body)) if pointers else ())


def _sure(statements: Iterable[Statement]) -> Iterator[Node]:
    """What every way through ``statements`` evaluates, until one may leave."""
    for statement in statements:
        match statement:
            case Block(statements=inner):
                yield from _sure(inner)
            case Loop(initializer=initializer, body=body):
                yield from (initializer,) if initializer is not None else ()
                if statement.condition is not None:
                    yield statement.condition
                yield from _sure(body.statements)
            case RangeLoop(body=body):
                yield from _sure(body.statements)
            case If(condition=condition):
                if condition is not None:
                    yield condition
            case Switch() | Try() | Variants() | Damaged():
                return
            case _:
                yield statement
        if _may_leave(statement):
            return


def _may_leave(statement: Statement) -> bool:
    return any(type(each) in _LEAVING for each in walk(statement))


def _through(nodes: Iterable[Node], is_macro: Callable[[str], bool]) -> Iterator[str]:
    """Names whose memory is read or written."""
    pending = list(nodes)
    while pending:
        match pending.pop():
            case Lambda() | SizeOf():
                continue
            case Call(function=Name(text=text)) if is_macro(text):
                continue
            case Unary(operator="&", operand=Index(indices=indices)):
                pending += indices
            case Binary(operator=operator, left=left) if operator in _EITHER:
                pending.append(left)
            case Conditional(condition=condition):
                pending.append(condition)
            case Unary(operator="*", operand=Name(text=text)):
                yield text
            case Index(object=Name(text=text), indices=indices):
                yield text
                pending += indices
            case node:
                pending += children(node)


def given(function: Function) -> Expr | None:
    """What a function gives by its only ``return``: of a variable that nothing sets, what that is declared with."""
    body = function.body
    if body is None or function.damaged or function.returns is None:
        return None
    returns = [each for each in walk(body) if type(each) is Return]
    value = returns[0].value if len(returns) == 1 else None
    if not isinstance(value, Name):
        return value
    is_local = any(type(each) is Variable and each.name == value.text for each in walk(body))
    return _only_value(value.text, body) if is_local else value


def only_given(function: Function) -> Expr | None:
    """What a function gives that does nothing else."""
    only = function.body.statements if function.body is not None else ()
    if not only or len(only) > 2 or not all(isinstance(each, Declaration | Return) for each in only):
        return None
    value = given(function)
    declared = (each for each in walk(only[0]) if isinstance(each, Variable))
    is_declared = any(value in each.arguments for each in declared)
    return value if is_declared is (len(only) > 1) else None


def written(
    function: Function, value: Expr, whole: Expr, arguments: Sequence[Expr], members: Container[str], at: Expr
) -> Expr | None:
    """The ``value`` that a function gives, as it would be written at the call ``at`` of a method of ``whole``.

    ``members`` are the names that stand for those of its object.
    """
    names = dict(zip((each.name for each in function.parameters), arguments, strict=False))
    start, end = getattr(at, "start", 0), getattr(at, "end", 0)
    inside: list[Node] = []
    """What means nothing at the call."""

    def outside(node: Node) -> Node | None:
        match node:
            case Name(text="this"):
                return whole
            case Name(text=text) if text in names:
                return names[text]
            case Name(text=text) if text in members:
                return Member(whole, text, None, start, end)
            case Cast(operand=operand):
                inner: Node = rebuilt(operand, outside)
                return inner
            case Number() | Member() | Index() | Unary(operator="*" | "&") | Call(function=Member() | Name()):
                return None
            case _:
                inside.append(node)
                return node

    made: Expr = rebuilt(value, outside)
    return made if not inside else None


def _only_value(name: str, body: Block) -> Expr | None:
    """What a variable is declared with that nothing sets."""
    declared = [
        variable
        for statement in body.statements
        if isinstance(statement, Declaration)
        for variable in statement.variables
        if variable.name == name
    ]
    if len(declared) != 1 or len(declared[0].arguments) != 1:
        return None
    is_set = [*changed_in(body)].count(name) > 1 or _is_handed(name, body)
    return None if is_set else declared[0].arguments[0]


def _is_handed(name: str, body: Block) -> bool:
    """Whether the address of a variable is taken."""
    return any(
        isinstance(each, Unary)
        and each.operator == "&"
        and isinstance(each.operand, Name)
        and each.operand.text == name
        for each in walk(body)
    )
