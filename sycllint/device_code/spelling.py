"""Small expressions as text, for messages and fixes."""

from sycllint.cpp.expression import Cast, Expr, Index, Member, Name, Number, Unary


def spelled(expression: Expr) -> str | None:
    """A name, a member, an element or a number as it is written; ``None`` for anything larger."""
    match expression:
        case Name(text=text, arguments=None, scope=None) | Number(text=text):
            return text
        case Member(object=Name(text="this"), name=name):
            return f"this->{name}"
        case Member(object=inner, name=name, arguments=None):
            outer = spelled(inner)
            return None if outer is None else f"{outer}.{name}"
        case Index(object=inner, indices=(index,)):
            outer, position = spelled(inner), spelled(index)
            return None if outer is None or position is None else f"{outer}[{position}]"
        case Unary(operator=operator, operand=operand):
            inside = spelled(operand)
            return None if inside is None else f"{operator}{inside}"
        case Cast(operand=operand):
            return spelled(operand)
        case _:
            return None
