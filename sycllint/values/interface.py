"""What the parts of an evaluator may ask of the whole: the questions by which they lead to each other.

A part is given those that it stands on. What stands above it, an expression in a declaration of which it knows the
name, it asks for through ``Evaluation``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Protocol

from sycllint.cpp.expression import Call, Expr, Lambda, Name, Type
from sycllint.cpp.place import Place
from sycllint.cpp.statement import Alias, Block, Declaration, Enumerator, Function, Statement, Struct, Variable
from sycllint.facts.file import Declared
from sycllint.source.span import Location
from sycllint.symbols.overloads import Overloads
from sycllint.symbols.symbols import Symbols
from sycllint.symbols.unit import Unit
from sycllint.values.arithmetic import IntegerType, Real, Scalar
from sycllint.values.declarations import Declarations
from sycllint.values.frame import Frames
from sycllint.values.objects import (
    Answer,
    Asked,
    Asking,
    BoundClass,
    Desugared,
    Frame,
    Instance,
    Owner,
    Point,
    RangeObject,
    Result,
    TypeKind,
)
from sycllint.values.side_effects.effects import Effects
from sycllint.values.side_effects.endings import Endings
from sycllint.values.side_effects.mutation import Mutations
from sycllint.values.types import Types
from sycllint.values.value import Unknown, Value


class Evaluation(Protocol):
    """The evaluator, as its parts see it."""

    facts: Unit
    defines: Mapping[str, str]
    symbols: Symbols
    declarations: Declarations
    mutations: Mutations
    effects: Effects
    endings: Endings
    types: Types
    overloads: Overloads
    frames: Frames
    frame: Frame | None
    """How the code being looked at is reached."""
    here: Place | None
    """What is around the code being looked at."""
    free: dict[int, Asked]
    """What was asked for and the call path does not determine."""
    depth: int
    """Expressions and names being looked at inside one another."""
    work: int
    """Expressions looked at since the last question."""

    @property
    def bindings(self) -> Parameters:
        """What parameters are given, and what calls give back."""

    @property
    def construction(self) -> Constructors:
        """Objects made from arguments."""

    @property
    def instances(self) -> ClassInstances:
        """Instances of class templates."""

    @property
    def lookup(self) -> Locals:
        """Values of local names."""

    @property
    def members(self) -> Objects:
        """Members of objects whose class is visible."""

    @property
    def names(self) -> Globals:
        """Names outside functions."""

    @property
    def sizes(self) -> Layouts:
        """How types are laid out."""

    @property
    def is_exhausted(self) -> bool:
        """Whether the question asks for more than is followed."""

    def evaluate(self, expression: Expr, point: Point) -> Result:
        """What ``expression`` stands for at ``point``."""

    def under(
        self, frame: Frame | None, ask: Callable[Asking, Answer], *asked: Asking.args, **more: Asking.kwargs
    ) -> Answer:
        """What ``ask`` answers where the code is reached by ``frame``."""

    def value(self, expression: Expr, point: Point) -> Value:
        """``expression`` as an integer."""

    def size(self, result: Result) -> Value:
        """``result`` as an extent."""

    def scalar(self, result: Result) -> Scalar | Real | Unknown:
        """``result`` as a number."""

    def kind(self, name: Name, point: Point) -> TypeKind:
        """What the type ``name`` is at ``point``."""

    def cast(self, kind: Type, operand: Result, node: Expr, point: Point) -> Result:
        """``operand`` converted to ``kind``, which is written at ``point``."""

    def converted(self, operand: Result, kind: TypeKind, node: Expr) -> Result:
        """``operand`` converted to a type that is known."""

    def combine(self, operator: str, left: Result, right: Result, node: Expr) -> Result:
        """``left operator right``."""

    def range_arithmetic(self, operator: str, left: Result, right: Result) -> RangeObject | None:
        """``left operator right`` element by element; ``None`` when neither is a range."""

    def chosen(self, condition: Result, then: Result, otherwise: Result, node: Expr) -> Result:
        """``condition ? then : otherwise``."""

    def joined(self, results: list[Result], node: Expr | Variable | None = None) -> Result:
        """One result that covers all of ``results``."""

    def index(self, inner: Expr, indices: tuple[Expr, ...], point: Point, node: Expr) -> Result:
        """``inner[indices]``."""

    def initial(self, variable: Variable, point: Point) -> Result:
        """What ``variable``, declared at ``point``, is initialised with."""

    def named(self, name: str, result: Result, start: int, end: int, place: Place | None = None) -> Result:
        """``result``, remembering that ``name``, at ``place``, stood for it."""

    def callee(self, call: Call, place: Place) -> Function | None:
        """The function of the unit that a call means, by a C++ front end."""

    def unknown(self, reason: str, node: Expr | Variable | None = None) -> Unknown:
        """``Unknown`` at ``node``."""

    def symbol(self, text: str, reason: str, start: int, kind: IntegerType = ...) -> Scalar:
        """A number without a value, called ``text``, that arises at ``start``."""

    def scope_key(self, text: str, place: Place) -> str:
        """The key of a number called ``text`` whose declaration is not visible."""

    def line(self, offset: int) -> Location:
        """A place of the file being looked at."""

    def location(self, start: int, end: int) -> Location:
        """A span of the file being looked at."""


class Parameters(Protocol):
    """Parameters to arguments, along the frames by which code is reached."""

    def argument(self, owner: Function | Lambda, index: int, place: Place) -> Result:
        """The argument for a parameter; unknown, and noted as free, when no frame binds ``owner``."""

    def template(self, text: str, place: Place) -> Result | None:
        """The argument for a value parameter of a template around ``place``; ``None`` when ``text`` names none."""

    def type_given(
        self, owner: Owner, index: int, place: Place, frame: Frame | None
    ) -> tuple[Type, Point, Frame | None] | None:
        """The type bound to the type parameter of ``owner`` at ``index``, and where it is written."""

    def member(self, text: str, around: Place | None) -> Result | None:
        """A member of the object of the class ``around``; ``None`` when it has none of that name, or is not known."""

    def method(self, declared: Declared[Function], node: Call, point: Point, inside: Frame) -> Result:
        """The result of calling a method, whose names are looked up ``inside`` its object."""

    def of_lambda(self, function: Lambda, node: Call, point: Point) -> Result:
        """The result of calling a lambda where it is written."""

    def result(self, function: Name, node: Call, point: Point) -> Result:
        """The result of calling a function or a lambda by name."""


class Constructors(Protocol):
    """Objects from arguments."""

    def construct(
        self, kind: TypeKind, arguments: tuple[Expr, ...], point: Point, node: Expr | Variable, *, braced: bool = False
    ) -> Result:
        """An object of type ``kind`` made from ``arguments``."""


class Globals(Protocol):
    """Names outside functions: constants, enumerators, aliases."""

    def value(self, name: Name, point: Point) -> Result:
        """A constant of a namespace, class or enumeration."""

    def enumerator(self, node: Enumerator, place: Place) -> Result:
        """The value of one name of an enumeration."""

    def member(self, scope: Name, name: Name, point: Point) -> Result:
        """``scope::name`` where ``scope`` is a class."""

    def constant(self, bound: BoundClass, name: Name) -> Result | None:
        """The static constant or enumerator that a class declares or inherits; ``None`` when it has none."""

    def integral_constant(self, kind: Name, point: Point) -> Result | None:
        """The number that the type ``kind`` stands for; ``None`` when it is no ``std::integral_constant``."""

    def type_named(self, name: Name, point: Point) -> Desugared:
        """The type a name stands for after aliases and bound template parameters, and where that is written."""

    def aliases(self, name: Name, point: Point) -> list[Declared[Alias]]:
        """The aliases that ``name`` may mean at ``point``."""

    def changed_by_several(self, text: str) -> bool:
        """Whether more than one function changes a name that it does not declare."""


class ClassInstances(Protocol):
    """What is asked of classes."""

    def of(self, name: Name, point: Point) -> BoundClass | None:
        """The class that ``name`` means at ``point``; ``None`` when it is not visible, or may be one of several."""

    def bases(self, bound: BoundClass) -> Iterator[BoundClass]:
        """The classes that a class inherits from, as far as they are known."""


class Locals(Protocol):
    """Values of names inside functions, backwards from the question."""

    def search(self, text: str, place: Place | None, offset: int, *, fixed: bool = False) -> Result | None:
        """The value of a name inside functions and lambdas; ``None`` when it is not declared there."""

    def before(
        self, statements: tuple[Statement, ...], text: str, place: Place, offset: int, *, fixed: bool = False
    ) -> Result | None:
        """The value after the last of ``statements`` before ``offset`` that declares or changes ``text``."""

    def at_end(self, block: Block, text: str, place: Place) -> Result | None:
        """The value at the end of a block of a name declared outside it."""

    def declared_in(self, declaration: Declaration, text: str, place: Place, offset: int) -> Result | None:
        """The value of ``text`` once ``declaration`` has run, when it declares it before ``offset``."""

    def changes(self, text: str, node: Statement | Expr) -> Unknown:
        """``text`` is not known after ``node``."""


class Layouts(Protocol):
    """Types that are declared, by name, and how large they are."""

    def of_type(self, kind: Type, point: Point) -> Value:
        """Bytes of ``kind``; ``Unknown`` when a part of it is not understood."""

    def enumeration(self, name: Name) -> Place | None:
        """Where an enumeration is declared."""


class Objects(Protocol):
    """Members of objects, and what their methods give."""

    def value(self, of: Instance, name: str) -> Result | None:
        """The member called ``name``; ``None`` when nothing is known of it."""

    def object(self, expression: Expr, point: Point) -> Result | None:
        """The object that a member is asked of; ``None`` when that cannot be one that is known."""

    def part(self, of: Instance, index: int, count: int) -> Result | None:
        """The data member at ``index`` of an object that has ``count``."""

    def pointed_to(self, pointer: Variable, point: Point) -> Instance | None:
        """The object that a local pointer, which always leads to it alone, is made with."""

    def called(self, of: Instance, name: str, call: Call, point: Point) -> Result | None:
        """The result of a method that only reads; ``None`` when the class has none that the call surely means."""

    def constructors(self, struct: Declared[Struct]) -> tuple[Function, ...] | None:
        """The constructors of a class that are written; ``None`` when its objects are not followed."""

    def is_explicit(self, function: Function, struct: Declared[Struct]) -> bool:
        """Whether a constructor is used only where it is asked for."""

    def is_overridable(self, function: Declared[Function]) -> bool:
        """Whether a call of a function by its name alone may run that of a derived class instead."""

    def conversions(self, of: Instance) -> list[tuple[Function, TypeKind]]:
        """The conversion functions of an object's class, and to what they convert."""

    def converted(self, of: Instance, function: Function) -> Result | None:
        """What a conversion function gives."""
