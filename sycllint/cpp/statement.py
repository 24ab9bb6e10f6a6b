"""Statements and declarations as written. ``start`` and ``end`` are byte offsets into the file."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Protocol, TypeAlias

from sycllint.cpp.expression import Attribute, Expr, Name, Type
from sycllint.cpp.node import Node, node

CONST = 1
CONSTEXPR = 2
STATIC = 4
EXTERN = 8
VOLATILE = 16
THREAD_LOCAL = 32
VIRTUAL = 64


@node
class FunctionParameter(Node):
    """A function's parameter; ``name`` is empty when it has none."""

    name: str
    type: Type
    default: Expr | None
    start: int
    end: int
    pack: bool = False
    """Whether it accepts any number of arguments: a parameter pack, or C's ``...``."""

    @property
    def is_ellipsis(self) -> bool:
        """Whether it is ``...``: without a name, and of the type that is written so."""
        return self.pack and self.type.name.text == "..."


@node
class TemplateParameter(Node):
    """A template's parameter: a value of ``type``, or a type when ``type`` is ``None``."""

    name: str
    type: Type | None
    default: Expr | None
    start: int
    end: int
    pack: bool = False
    """Whether it accepts any number of arguments."""


@node
class Variable(Node):
    """One declared variable.

    ``style`` is how it is initialised: ``=``, ``(``, ``{``, or empty; ``arguments`` are the initialisers. A declaration
    such as ``sycl::range<1> local(size);``, which the grammar takes for a function, is a variable here.
    ``start`` and ``end`` are those of the name.
    """

    name: str
    type: Type
    style: str
    arguments: tuple[Expr, ...]
    flags: int
    attributes: tuple[Attribute, ...]
    start: int
    end: int


@node
class Declaration(Node):
    """``T a = 1, b;``. Structured bindings declare each name with the style ``[``."""

    variables: tuple[Variable, ...]
    start: int
    end: int


@node
class Evaluate(Node):
    """An expression statement."""

    expression: Expr
    start: int
    end: int


class Unread(Protocol):
    """Statements that are read when they are first looked at."""

    def read(self) -> tuple[Statement, ...]:
        """The statements."""


class _Later:
    """A slot for what reads the statements."""

    __slots__ = ("_unread",)
    _unread: Unread


@node
class Block(_Later, Node):
    """``{ … }``, and any run of statements."""

    statements: tuple[Statement, ...]
    start: int
    end: int

    @classmethod
    def later(cls, unread: Unread, start: int, end: int) -> Block:
        """A block whose statements are read on first use; ``is_read`` is whether they were."""
        made = cls.__new__(cls)
        made._unread = unread
        made.start = start  # type: ignore[misc]
        made.end = end  # type: ignore[misc]
        return made

    @property
    def is_read(self) -> bool:
        """Whether the statements are there, or would have to be read."""
        return not hasattr(self, "_unread")

    @property
    def unread(self) -> Unread | None:
        """What reads the statements, where they are not there yet."""
        return getattr(self, "_unread", None)

    def __getattr__(self, name: str) -> tuple[Statement, ...]:
        # Only what is not set comes here: the statements of a block that was put off.
        if name != "statements":
            raise AttributeError(name)
        statements = self.statements = self._unread.read()  # type: ignore[misc]
        del self._unread
        return statements


@node
class If(Node):
    """``if``; ``initializer`` and a declared condition are statements before it."""

    initializer: Statement | None
    condition: Expr | None
    then: Block
    otherwise: Block | None
    start: int
    end: int


@node
class Loop(Node):
    """``for``, ``while`` or ``do``. ``pragma`` is the text of a ``#pragma unroll`` and the like right before it."""

    keyword: str
    initializer: Statement | None
    condition: Expr | None
    update: Expr | None
    body: Block
    pragma: str
    start: int
    end: int


@node
class RangeLoop(Node):
    """``for (variable : range)``."""

    variable: Variable
    range: Expr
    body: Block
    start: int
    end: int


@node
class Switch(Node):
    """``switch``; its body is a block of cases."""

    condition: Expr | None
    body: Block
    start: int
    end: int


@node
class Case(Node):
    """``case value:`` with what follows it; ``default:`` when ``value`` is ``None``."""

    value: Expr | None
    body: Block
    start: int
    end: int


@node
class Return(Node):
    """``return value;``"""

    value: Expr | None
    start: int
    end: int


@node
class Jump(Node):
    """``break``, ``continue``, ``goto`` or ``throw``."""

    keyword: str
    value: Expr | None
    start: int
    end: int


@node
class Try(Node):
    """``try`` with its handlers."""

    body: Block
    handlers: tuple[Block, ...]
    start: int
    end: int


@node
class Arm(Node):
    """One branch of a preprocessor conditional: ``keyword`` is if, ifdef, ifndef, elif or else."""

    keyword: str
    condition: str
    body: Block


@node
class Variants(Node):
    """``#if … #elif … #else … #endif`` around whole statements."""

    arms: tuple[Arm, ...]
    start: int
    end: int


@node
class Include(Node):
    """``#include``; ``path`` without its quotes. Without a path, a parameter of a macro that is given statements."""

    path: str
    quoted: bool
    start: int
    end: int


REST = "__VA_ARGS__"
"""What the text of a variadic macro calls the arguments that ``...`` takes."""


@node
class Macro(Node):
    """``#define``. ``parameters`` is ``None`` for an object-like macro, and ends with ``REST`` for a variadic one.

    ``value`` is the body when it is one expression, ``body`` when it is statements; both are ``None`` for other text.
    """

    name: str
    parameters: tuple[str, ...] | None
    text: str
    value: Expr | None
    body: Block | None
    start: int
    end: int

    def handed(self, arguments: Sequence[Expr]) -> Iterator[tuple[str, Expr]]:
        """Each argument of a use, with the parameter that takes it: the last of a variadic macro takes all the rest."""
        parameters = self.parameters or ()
        for position, argument in enumerate(arguments):
            if position < len(parameters):
                yield parameters[position], argument
            elif parameters and parameters[-1] == REST:
                yield REST, argument

    def fits(self, arguments: Sequence[Expr]) -> bool:
        """Whether each parameter stands for one argument, so that the text can be read with them in it."""
        return self.parameters is None or len(self.parameters) == len(arguments)


@node
class Undefine(Node):
    """``#undef``."""

    name: str
    start: int
    end: int


@node
class Pragma(Node):
    """``#pragma`` with its text."""

    text: str
    start: int
    end: int


@node
class Alias(Node):
    """``using name = type;`` or a typedef."""

    name: str
    type: Type
    template_parameters: tuple[TemplateParameter, ...]
    start: int
    end: int


@node
class UsingNamespace(Node):
    """``using namespace name;``"""

    name: str
    start: int
    end: int


@node
class UsingName(Node):
    """``using a::b;``"""

    name: str
    start: int
    end: int


@node
class NamespaceAlias(Node):
    """``namespace name = target;``"""

    name: str
    target: str
    start: int
    end: int


@node
class Enumerator(Node):
    """One name of an enumeration."""

    name: str
    value: Expr | None
    start: int
    end: int


@node
class Enum(Node):
    """An enumeration; ``scoped`` for ``enum class``."""

    name: str
    scoped: bool
    underlying: Type | None
    enumerators: tuple[Enumerator, ...]
    start: int
    end: int


@node
class Function(Node):
    """A function with a body or a prototype (``body`` is ``None``).

    ``name`` is qualified as written; ``initializers`` are a constructor's. ``start`` and ``end`` are those of the name,
    ``extent_end`` is where the function ends.
    """

    name: str
    template_parameters: tuple[TemplateParameter, ...]
    parameters: tuple[FunctionParameter, ...]
    returns: Type | None
    attributes: tuple[Attribute, ...]
    initializers: tuple[tuple[str, tuple[Expr, ...]], ...]
    body: Block | None
    flags: int
    damaged: bool
    start: int
    end: int
    extent_end: int


@node
class Struct(Node):
    """A class, struct or union with its members."""

    name: str
    keyword: str
    template_parameters: tuple[TemplateParameter, ...]
    specialization: tuple[Expr, ...] | None
    bases: tuple[Name, ...]
    members: Block
    start: int
    end: int

    @property
    def variables(self) -> list[Variable]:
        """The data members that are declared in it, whichever branch of a conditional they stand in."""
        found: list[Variable] = []
        stack = [self.members]
        while stack:
            for statement in stack.pop().statements:
                if isinstance(statement, Declaration):
                    found += statement.variables
                elif isinstance(statement, Variants):
                    stack += [arm.body for arm in statement.arms]
        return found

    @property
    def functions(self) -> list[Function]:
        """The member functions that are declared in it."""
        return [each for each in self.members.statements if isinstance(each, Function)]


@node
class Namespace(Node):
    """``namespace name { … }``; empty name when anonymous; ``extern "C"`` blocks too, with the name ``extern``.

    ``namespace a::b { … }`` is one in the other, both with the same span.
    """

    name: str
    body: Block
    start: int
    end: int
    inline: bool = False
    """Whether its names are also those of the namespace around it."""


@node
class Friend(Node):
    """A function that a class declares or defines as a friend: a member of the namespace around, not of the class."""

    function: Function
    start: int
    end: int


@node
class Forward(Node):
    """``template <class T> class Name;``: the class without members and bases, for what its head says."""

    struct: Struct
    start: int
    end: int


@node
class Instantiation(Node):
    """An explicit instantiation or a specialisation's head that declares nothing else."""

    name: Name
    start: int
    end: int


@node
class Damaged(Node):
    """Text that does not parse, with the statements that could be read inside it."""

    body: Block
    start: int
    end: int


Statement: TypeAlias = (
    Declaration
    | Evaluate
    | Block
    | If
    | Loop
    | RangeLoop
    | Switch
    | Case
    | Return
    | Jump
    | Try
    | Variants
    | Include
    | Macro
    | Undefine
    | Pragma
    | Alias
    | UsingNamespace
    | UsingName
    | NamespaceAlias
    | Enum
    | Function
    | Struct
    | Namespace
    | Friend
    | Forward
    | Instantiation
    | Damaged
)
