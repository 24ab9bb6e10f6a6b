"""Expressions and types as written. ``start`` and ``end`` are byte offsets into the file."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from sycllint.cpp.node import Node, node

if TYPE_CHECKING:
    from sycllint.cpp.statement import Block, FunctionParameter, TemplateParameter


@node
class Number(Node):
    """A numeric literal, with its suffix and separators: ``1'024u``, ``0x10``, ``1.5f``."""

    text: str
    start: int
    end: int


@node
class Text(Node):
    """A string literal, quotes included."""

    text: str
    start: int
    end: int


@node
class Character(Node):
    """A character literal, quotes included."""

    text: str
    start: int
    end: int


@node
class Name(Node):
    """A name, qualified as written: ``n``, ``mean_shift::gpu::THREADS``, ``sycl::range<1>``.

    ``arguments`` are its template arguments (``None`` without a list). ``scope`` is set only when the qualifier itself
    has template arguments, as in ``Config<64>::size``: then ``text`` is what follows it.
    """

    text: str
    arguments: tuple[Expr, ...] | None
    scope: Name | None
    start: int
    end: int

    @property
    def last(self) -> str:
        """The unqualified name."""
        return self.text.rpartition("::")[2]

    @property
    def qualifier(self) -> str:
        """What stands before the last ``::``; empty when there is none."""
        return self.text.rpartition("::")[0]

    @property
    def around(self) -> Name | None:
        """What stands before the last ``::``, as a name; ``None`` when nothing does."""
        qualifier = self.qualifier
        return Name(qualifier, None, self.scope, self.start, self.end) if qualifier else self.scope

    @property
    def is_plain(self) -> bool:
        """Whether it is an identifier alone."""
        return self.scope is None and self.arguments is None and "::" not in self.text


@node
class Type(Node):
    """A type with its declarators: ``const float *``, ``unsigned int``, ``float[18][18]``."""

    name: Name
    pointers: int
    reference: bool
    constant: bool
    extents: tuple[Expr | None, ...]
    start: int
    end: int

    @property
    def is_list(self) -> bool:
        """Whether it is ``list<First, Rest...>``, of which a function may be called again with the rest."""
        return any(isinstance(each, Opaque) and each.is_pack for each in self.name.arguments or ())


@node
class Member(Node):
    """``object.name`` or ``object->name``. ``start`` and ``end`` are those of the name."""

    object: Expr
    name: str
    arguments: tuple[Expr, ...] | None
    start: int
    end: int


@node
class Call(Node):
    """``function(arguments)``; also ``T(arguments)``, which looks the same."""

    function: Expr
    arguments: tuple[Expr, ...]
    start: int
    end: int


@node
class Brace(Node):
    """``T{elements}``, or a bare ``{elements}`` when ``type`` is ``None``."""

    type: Expr | None
    elements: tuple[Expr, ...]
    start: int
    end: int


@node
class Unary(Node):
    """A prefix operator: ``-a``, ``!a``, ``*a``, ``&a``."""

    operator: str
    operand: Expr
    start: int
    end: int


@node
class Increment(Node):
    """``++a``, ``a++``, ``--a`` or ``a--``."""

    operator: str
    operand: Expr
    prefix: bool
    start: int
    end: int


@node
class Binary(Node):
    """``left operator right``; also the comma operator."""

    operator: str
    left: Expr
    right: Expr
    start: int
    end: int


@node
class Assign(Node):
    """``left operator right`` with ``=`` or a compound assignment."""

    operator: str
    left: Expr
    right: Expr
    start: int
    end: int


@node
class Conditional(Node):
    """``condition ? then : otherwise``."""

    condition: Expr
    then: Expr
    otherwise: Expr
    start: int
    end: int


@node
class Index(Node):
    """``object[indices]``."""

    object: Expr
    indices: tuple[Expr, ...]
    start: int
    end: int


@node
class Cast(Node):
    """``(T)a``, ``T(a)`` for a builtin ``T``, ``static_cast<T>(a)`` and its kin."""

    type: Type
    operand: Expr
    start: int
    end: int


@node
class SizeOf(Node):
    """``sizeof(T)``, ``sizeof a``, and ``sizeof...(pack)`` and ``alignof`` with ``operator`` set so."""

    operator: str
    operand: Expr | None
    start: int
    end: int


@node
class New(Node):
    """``new T(arguments)``, ``new T[n]`` (the extents are the type's) or ``new (placement) T``."""

    type: Type
    arguments: tuple[Expr, ...]
    placement: tuple[Expr, ...]
    start: int
    end: int


@node
class Attribute(Node):
    """``[[prefix::name(arguments)]]`` or one entry of ``__attribute__((…))``; ``name`` is qualified."""

    name: str
    arguments: tuple[Expr, ...]
    start: int
    end: int


@node
class Capture(Node):
    """One lambda capture. ``value`` is set for ``[name = value]``."""

    name: str
    by_reference: bool
    value: Expr | None


@node
class Lambda(Node):
    """A lambda expression. ``default`` is ``=``, ``&`` or empty; ``damaged`` when its text does not parse.

    ``returns`` is its trailing return type.
    """

    default: str
    captures: tuple[Capture, ...]
    template_parameters: tuple[TemplateParameter, ...]
    parameters: tuple[FunctionParameter, ...]
    returns: Type | None
    attributes: tuple[Attribute, ...]
    body: Block
    damaged: bool
    start: int
    end: int


@node
class Opaque(Node):
    """Anything else, by the parser's name for it, with the expressions inside."""

    kind: str
    parts: tuple[Expr, ...]
    start: int
    end: int

    @property
    def is_pack(self) -> bool:
        """Whether it is ``arguments...``, which stands for any number of expressions."""
        return self.kind == "parameter_pack_expansion"


Expr: TypeAlias = (
    Number
    | Text
    | Character
    | Name
    | Type
    | Member
    | Call
    | Brace
    | Unary
    | Increment
    | Binary
    | Assign
    | Conditional
    | Index
    | Cast
    | SizeOf
    | New
    | Lambda
    | Opaque
)
