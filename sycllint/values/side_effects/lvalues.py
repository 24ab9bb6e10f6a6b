"""What an expression gives access to: the variables in it that may be written through it, now or later."""

import re
from collections.abc import Iterable, Iterator

from sycllint.cpp.expression import (
    Assign,
    Binary,
    Brace,
    Call,
    Cast,
    Conditional,
    Expr,
    Increment,
    Index,
    Lambda,
    Member,
    Name,
    New,
    Unary,
)

_STREAMS = ("cin", "stream", "file", "ifs", "iss", "input", "infile")


def root(expression: Expr) -> str | None:
    """The variable an lvalue belongs to: ``a`` of ``a[i].b``."""
    while True:
        match expression:
            case Name(text=text):
                return text
            case Index(object=inner) | Member(object=inner):
                expression = inner
            case _:
                return None


def kept_lambdas(expression: Expr) -> Iterator[Lambda]:
    """Lambdas that the value of ``expression`` may hold, so that they run later; a method runs its own at once."""
    match expression:
        case Lambda():
            yield expression
        case Call(function=Name(), arguments=inside) | Brace(elements=inside) | New(arguments=inside):
            for each in inside:
                yield from kept_lambdas(each)
        case Cast(operand=inner):
            yield from kept_lambdas(inner)
        case Conditional(then=then, otherwise=otherwise):
            yield from kept_lambdas(then)
            yield from kept_lambdas(otherwise)
        case _:
            return


def lasting(names: Iterable[str]) -> set[str]:
    """The marks that something may change ``names`` at any time from now on."""
    return {f"&{name}" for name in names if not name.startswith("&")}


COMPONENT = re.compile(r"[xyzwrgba]|s[0-9A-Fa-f]|lo|hi|odd|even")
"""Methods of ``sycl::vec`` that give a reference to some of its elements."""
_ELEMENTS = frozenset({"at", "front", "back"})


def named(expression: Expr) -> set[str]:
    """The variables that may be written to when ``expression`` is."""
    match expression:
        case Name(text=text):
            return {text}
        case Member(object=Name(text="this"), name=name):
            return {"this", f"this.{name}"}
        case Index(object=inner) | Member(object=inner) | Cast(operand=inner):
            return named(inner)
        case Call(function=Name(text="std::get" | "std::move" | "std::forward" | "move"), arguments=(inner,)):
            return named(inner)
        case Call(function=Member(object=inner, name=name)) if name in _ELEMENTS or COMPONENT.fullmatch(name):
            return named(inner)
        case Assign(left=inner) | Increment(operand=inner) | Binary(operator=",", right=inner):
            return named(inner)
        case Conditional(then=then, otherwise=otherwise):
            return named(then) | named(otherwise)
        case Unary(operator="*", operand=Unary(operator="&", operand=inner)):
            return named(inner)
        case _:
            return set()


def decayed(expression: Expr) -> set[str]:
    """An array whose elements a pointer made from ``expression`` reaches."""
    return {f"*{expression.text}"} if isinstance(expression, Name) else set()


def address(expression: Expr) -> Expr | None:
    """``n`` of ``&n`` and ``(char *)&n``."""
    while isinstance(expression, Cast):
        expression = expression.operand
    return expression.operand if isinstance(expression, Unary) and expression.operator == "&" else None


def read(expression: Expr) -> set[str]:
    """The variables of ``in >> a >> b``."""
    names: set[str] = set()
    while isinstance(expression, Binary) and expression.operator == ">>":
        names |= named(expression.right)
        expression = expression.left
    return names if isinstance(expression, Name | Member | Call | Index) else set()


def reads_stream(node: Binary) -> bool:
    """Whether ``>>`` has something on its left that is called like a stream."""
    left: Expr = node.left
    while isinstance(left, Binary) and left.operator == ">>":
        left = left.left
    return isinstance(left, Name) and left.last.lower().endswith(_STREAMS)


def spelled(expression: Expr) -> str | None:
    """``a.b.c`` as text; ``None`` for what is not spelled by names alone."""
    match expression:
        case Name(text=text):
            return text
        case Member(object=inner, name=name):
            outer = spelled(inner)
            return None if outer is None else f"{outer}.{name}"
        case _:
            return None


def chained(call: Call) -> tuple[Call, ...]:
    """The calls of ``object.first().second()``, the first one first."""
    found = [call]
    while isinstance(call.function, Member) and isinstance(call.function.object, Call):
        call = call.function.object
        found.append(call)
    return tuple(reversed(found))
