"""The two sides of a walk over host code, as those who read calls ask for them: expressions, and statements."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from typing import TypeAlias

from sycllint.cpp.expression import Expr, Type
from sycllint.cpp.node import Node
from sycllint.cpp.place import Place
from sycllint.cpp.statement import Block, Function, Statement, Variable
from sycllint.host.scopes.things import Command, Thing

Result: TypeAlias = "Thing | Command | None"
"""What an expression is, as far as it is followed."""
Way: TypeAlias = Callable[[], None]
"""One of several ways through a function, walked when it is called."""


class Expressions(ABC):
    """What expressions do; ``Acts`` says it."""

    @abstractmethod
    def evaluate(self, expression: Expr, *, alone: bool = False, bound: bool = False) -> Result:
        """What ``expression`` does. ``alone`` when it is a statement; ``bound`` when only a reference is made to it."""

    @abstractmethod
    def inside(self, node: Node) -> Result:
        """Everything in ``node``; what it is when that is one expression."""

    @abstractmethod
    def referred(self, expression: Expr) -> Result:
        """A reference is made to ``expression``: of an element, a member or what is pointed to nothing is read."""

    @abstractmethod
    def copied(self, value: Expr, container: Thing) -> None:
        """A container is copied, with what is in it, unless it is the result of a call, as of ``std::move``."""

    @abstractmethod
    def made(self, kind: Type | None, given: tuple[Expr, ...]) -> None:
        """An object of a type is constructed: a constructor that is not visible may wait for its arguments."""

    @abstractmethod
    def host_accessor(self, made: Thing, arguments: tuple[Expr, ...], node: Variable) -> None:
        """A host accessor is declared: it waits for the buffer's commands, and locks the buffer."""


class Statements(ABC):
    """The ways through bodies; ``Course`` walks them."""

    @abstractmethod
    def concerns(self, function: Function) -> bool:
        """Whether a function submits or waits, itself or in what it calls."""

    @abstractmethod
    def function(self, body: Block, place: Place, bind: Way) -> None:
        """A function's body at ``place``; ``bind`` makes its parameters known."""

    @abstractmethod
    def statements(self, statements: Sequence[Statement], place: Place) -> None:
        """Statements of a block or of a macro, in the block that is open."""

    @abstractmethod
    def truth(self, condition: Expr | None, offset: int) -> bool | None:
        """Whether a condition holds, as far as that is known and matters."""

    @abstractmethod
    def chosen(self, condition: Expr | None, ways: Sequence[Way], assumption: str = "") -> None:
        """Ways of which a condition that is not known chooses one; the first is for those who look for errors."""
