"""Data members that all code of the project sets to the same few numbers, whichever object it has.

    void Plan::init(int n) { conf.n = n; conf.block = 256; }
    void Plan::execute(sycl::queue &q) { … sycl::nd_range<1>(…, conf.block) … }

No object leads from one function to the other here: the value follows from all stores to ``block`` together.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator
from functools import cached_property
from typing import TYPE_CHECKING

from sycllint.cpp.expression import (
    Assign,
    Binary,
    Brace,
    Call,
    Capture,
    Conditional,
    Increment,
    Lambda,
    Member,
    Name,
    Unary,
)
from sycllint.cpp.node import Node, walk
from sycllint.cpp.place import Place, inside
from sycllint.cpp.statement import Block, Function, If, Loop, Return, Struct, Switch, Variable
from sycllint.facts.file import Declared, FileFacts
from sycllint.record import NamedTuple
from sycllint.symbols.unit import Unit
from sycllint.values.arithmetic import BOOL, Scalar
from sycllint.values.deduction.instances import Instances
from sycllint.values.deduction.static_types import StaticTypes, pointee
from sycllint.values.frame import Sought
from sycllint.values.object_model.fields import Classes, Fields, function_around, named_last
from sycllint.values.object_model.making import UNSET, Making
from sycllint.values.object_model.methods import Methods
from sycllint.values.objects import Point, Result
from sycllint.values.side_effects.lvalues import root
from sycllint.values.value import Known, OneOf, Step

if TYPE_CHECKING:
    from sycllint.values.interface import Evaluation

_ASKING = frozenset({"==", "!=", "<", ">", "<=", ">=", "&&", "||"})
_LAST_WORD = re.compile(rb"\w+\Z")
LONGEST_NAME = 128
_CLASS_HEADS = re.compile(rb"\b(?:class|struct)\b[^;{}()=]*\{")
MAX_NUMBERS = 4
MAX_FUNCTIONS = 48
"""Functions that name a member: a common name says little of it."""


class _Field:
    """A data member: its class, its declaration, and patterns for its name in text."""

    def __init__(self, home: Declared[Struct], fields: Fields, member: str) -> None:
        self.home = home
        self.fields = fields
        self.variable = fields.variables[member]
        self.name = member
        self.is_set_up = True
        """Functions set it unconditionally, and no condition asks whether they have."""

    @cached_property
    def changed(self) -> re.Pattern[bytes]:
        word = re.escape(self.name.encode())
        change = rb"\s*(?:=(?!=)|[-+*/%&|^]=|<<=|>>=|\+\+|--)"
        return re.compile(
            rb"(?:\.|->)\s*" + word + change + rb"|(?:(?<![\w>*&]\s)(?<![\w.>])|\b(?:else|do)\s)" + word + change
            + rb"|(?:\+\+|--|&|>>)\s*(?:\w+(?:\(\))?(?:\.|->))*" + word + rb"\b"
        )  # fmt: skip

    @cached_property
    def listed(self) -> re.Pattern[bytes]:
        """A list that an object may be made from, an object in a template's argument, a designated initialiser."""
        word, of = re.escape(self.name.encode()), re.escape(named_last(self.home).encode())
        return re.compile(
            rb"<[^<>;{}]*\b" + of + rb"\b[^<>;{}]*>|\b" + of + rb"\b[\s&*]*(?:\w+\s*)?(?:\(\s*|=\s*)?\{(?!\s*\})"
            + rb"|[{,]\s*\.\s*" + word + rb"\s*="
        )  # fmt: skip

    def may_be_listed(self, content: bytes) -> bool:
        """Whether an object of the class may be made from a list in a text, or is held by another object."""
        return self.listed.search(_CLASS_HEADS.sub(b"", content)) is not None


def _assigned(unit: Unit) -> frozenset[bytes]:
    return frozenset().union(*(each.once(_assigned_in) for each in unit.files))


def _assigned_in(facts: FileFacts) -> frozenset[bytes]:
    """The words before a ``=``, among others."""
    ends = {words[-1] for each in facts.content.split(b"=") if (words := each[-LONGEST_NAME:].split())}
    found = (_LAST_WORD.search(each) for each in ends)
    return frozenset(each.group() for each in found if each is not None)


class _Naming(NamedTuple):
    """A function that names a member, and where it does."""

    function: Declared[Function]
    offsets: list[int]


class Stores:
    """Answers for one evaluator, each found once."""

    def __init__(
        self,
        evaluator: Evaluation,
        instances: Instances,
        static_types: StaticTypes,
        classes: Classes,
        methods: Methods,
        making: Making,
    ) -> None:
        self._evaluator = evaluator
        self._instances = instances
        self._static_types = static_types
        self._classes = classes
        self._methods = methods
        self._making = making
        self._known: dict[tuple[int, str], Scalar | None] = {}

    def of(self, struct: Declared[Struct], member: str) -> Scalar | None:
        """What a data member of a class, of its own or from a base, is in each object that is set up.

        0 is among the numbers where an object may not be set up yet.
        """
        key = (id(struct.node), member)
        if key not in self._known:
            # A member that is set from itself has no value.
            self._known[key] = None
            evaluator = self._evaluator
            kept = evaluator.frame, evaluator.free, evaluator.work, evaluator.here, evaluator.frames.sought
            evaluator.frame, evaluator.free, evaluator.work, evaluator.frames.sought = None, {}, 0, Sought()
            self._known[key] = self._found(struct, member)
            evaluator.frame, evaluator.free, evaluator.work, evaluator.here, evaluator.frames.sought = kept
        return self._known[key]

    def may_be_stored(self, member: str) -> bool:
        """Whether something of this name is assigned anywhere in the unit."""
        return member.encode() in self._evaluator.facts.once(_assigned)

    def _found(self, struct: Declared[Struct], member: str) -> Scalar | None:
        home = self._making.home(struct, member)
        fields = self._classes.fields(home) if home is not None else None
        if home is None or fields is None or member in fields.disturbed or home.node.template_parameters:
            return None
        field, evaluator = _Field(home, fields, member), self._evaluator
        kind = field.variable.type
        integer = evaluator.kind(kind.name, Point(fields.place, field.variable.start)).integer
        if integer is None or integer == BOOL or kind.pointers or kind.reference or kind.extents:
            return None
        if home.node is struct.node:
            made = self._making.in_any(struct, fields, member)
        else:
            made = self._making.inherited_in_any(struct, home, member)
        if not all(map(_is_listed, made)):
            return None
        stored = self._stored(struct, field)
        results = [each for each in made if each is not None and not (each is UNSET and stored and field.is_set_up)]
        is_stored = bool(stored) and not any(map(_is_zero, stored or ()))
        results = [self._unset(field) if each is UNSET or (is_stored and _is_zero(each)) else each for each in results]
        results += stored or ()
        if stored is None or not results or not all(map(_is_listed, results)):
            return None
        joined = evaluator.joined(results)
        is_few = isinstance(joined, Scalar) and (
            isinstance(joined.value, Known)
            or (isinstance(joined.value, OneOf) and len(joined.value.values) <= MAX_NUMBERS)
        )
        if (
            not is_few
            or (not fields.constructors and not stored)
            or (not fields.constructors and self._is_listed(field))
        ):
            return None
        return joined if isinstance(joined, Scalar) and not self._is_set_elsewhere(field) else None

    def _unset(self, field: _Field) -> Result:
        """The 0 that a member is before it is set."""
        location = self._evaluator.facts.location(field.variable, field.fields.place)
        return UNSET._replace(value=Known(0, (Step(field.name, 0, location, is_unset=True),)))

    # ---------------------------------------------------------------- stores

    def _stored(self, struct: Declared[Struct], field: _Field) -> list[Result] | None:
        """The numbers stored into a member of objects that are made; ``None`` where something else may set it."""
        unit = self._evaluator.facts
        files = unit.named.spelling(field.name.encode())
        if field.name in unit.macro_words:
            return None
        if not field.fields.constructors and not self.may_be_stored(field.name):
            return []
        found: list[Result] = []
        functions = [each for facts in files for each in _naming(facts, field.name)]
        if len(functions) > MAX_FUNCTIONS:
            return None
        for each in functions:
            if not self._is_making(each.function, struct, field):
                stores = self._stored_in(each, field)
                if stores is None:
                    return None
                found += stores
        return found

    def _is_making(self, function: Declared[Function], struct: Declared[Struct], field: _Field) -> bool:
        """Whether a function is a constructor that says what the members of ``struct`` are made with, or not of it."""
        made = self._classes.of_method(function.node, function.place)
        if made is None or function.node.name.rpartition("::")[2] != named_last(made):
            return False
        return made.node in (struct.node, field.home.node) or not self._derives(made, struct)

    def _derives(self, struct: Declared[Struct], base: Declared[Struct]) -> bool:
        fields = self._classes.fields(struct)
        point = Point(fields.place if fields is not None else struct.place, struct.node.start)
        bases = (self._instances.of(each, point) for each in struct.node.bases)
        return any(each is None or each.struct.node is base.node or self._derives(each.struct, base) for each in bases)

    def _stored_in(self, naming: _Naming, field: _Field) -> list[Result] | None:
        found: list[Result] = []
        for place in inside(naming.function.place, naming.offsets):
            node, outer = place.node, place.outer
            match node:
                case Name(text=field.name) | Member(name=field.name) if outer is not None:
                    pass
                case _:
                    continue
            effect = self._effect(place, outer.node)
            field.is_set_up = field.is_set_up and not _is_asked(place)
            if effect is False or not (isinstance(outer.node, Call) or self._is_of(place, field)):
                continue
            if not isinstance(effect, Assign):
                return None
            field.is_set_up = field.is_set_up and _is_unconditional(outer, naming.function)
            value = self._evaluator.evaluate(effect.right, Point(outer.outer or outer, effect.start))
            if not _is_listed(value):
                return None
            found.append(value)
        return found

    def _effect(self, place: Place, around: Node) -> Assign | bool:
        """The store that what stands at ``place`` is the target of; whether something else may set it."""
        node = place.node
        match around:
            case Assign(left=left) if left is node:
                return around if around.operator == "=" else True
            case Increment() | Unary(operator="&") | Capture(by_reference=True) | Binary(operator=">>"):
                return not isinstance(around, Binary) or around.right is node
            case Call(function=function, arguments=arguments) if any(each is node for each in arguments):
                assert isinstance(node, Name | Member)
                if isinstance(function, Name) and function.text in self._evaluator.facts.macros:
                    return True
                return root(node) in self._evaluator.mutations.of(around)
            case Variable(type=kind):
                return kind.reference and not kind.constant
            case Return():
                owner = place.innermost(Function)
                returns = owner.returns if owner is not None else None
                return returns is not None and returns.reference and not returns.constant
            case _:
                return False

    def _is_of(self, place: Place, field: _Field) -> bool:
        """Whether the member at ``place`` may be the field."""
        node, point = place.node, Point(place, getattr(place.node, "start", 0))
        classes = self._classes
        if isinstance(node, Name) or (isinstance(node, Member) and _is_this(node)):
            around = function_around(place)
            if around is None or classes.is_local(field.name, point):
                return isinstance(node, Member)
            struct = classes.of_method(around.node, around.place)
        else:
            assert isinstance(node, Member)
            typed = self._static_types.of(node.object, point)
            if typed is None:
                return True
            kind = self._evaluator.under(typed.frame, self._evaluator.kind, pointee(typed.type).name, typed.point)
            if kind.struct is None:
                return not (kind.sycl or kind.name.qualifier == "std")
            struct = kind.struct
        home = self._making.home(struct, field.name) if struct is not None else None
        return struct is not None and (home is None or home.node is field.home.node)

    def _is_listed(self, field: _Field) -> bool:
        """Whether an object of a class without constructors may be made from a list that gives the member a value."""
        name = named_last(field.home)
        files = self._evaluator.facts.named.spelling(name.encode())
        functions = [each.node for facts in files for found in facts.functions.values() for each in found]
        structs = [each.node for facts in files for found in facts.structs.values() for each in found]
        returning = (each for each in functions if each.returns is not None and each.returns.name.last == name)
        if any(_gives_list(each) for function in returning for each in walk(function)):
            return True
        taking = {each.name for each in functions if any(one.type.name.last == name for one in each.parameters)}
        holding = {each.name for each in structs if any(one.type.name.last == name for one in each.variables)}
        made = [rb"\b(?:%s)\s*\((?:[^;{}]*,)?\s*\{" % _either(taking)] if taking else []
        made += (
            [rb"\b(?:%s)\b[\s&*]*(?:\w+\s*)?(?:\(\s*|=\s*)?\{(?:\s*-?\d|[^;{}]*\{)" % _either(holding)]
            if holding
            else []
        )
        called = {each for facts in files for each in re.findall(rb"\b%s\b[\s&*]+(\w+)" % name.encode(), facts.content)}
        made += [rb"\b(?:%s)\s*=\s*\{(?!\s*\})" % b"|".join(sorted(called))] if called else []
        lists = [re.compile(each) for each in made]
        texts = [_CLASS_HEADS.sub(b"", each.content) for each in files]
        return any(each.search(text) is not None for text in texts for each in (field.listed, *lists))

    def _is_set_elsewhere(self, field: _Field) -> bool:
        """Whether a file that is no part of the unit may set the member, or a method that is nowhere to be seen."""
        name = named_last(field.home).encode()
        texts = self._evaluator.facts.outside(self._evaluator.facts.file_at(field.home.place).path)
        if texts is None:
            return True
        unseen = [
            re.compile(rb"\b%s\s*::\s*%s\b" % (name, re.escape(each.name.encode())))
            for each in self._methods.all(field.home)
            if self._is_unseen(each, field)
        ]
        return not all(any(each.search(text) for text in texts) for each in unseen) or any(
            field.changed.search(each) is not None or (name in each and field.may_be_listed(each)) for each in texts
        )

    def _is_unseen(self, method: Function, field: _Field) -> bool:
        """Whether a method that may set members has no body in the unit."""
        if method.name.startswith(("~", "operator")) or self._methods.only_reads(method, field.home):
            return False
        place, classes = field.fields.place, self._classes
        is_settled = classes.is_settled(method, place) or classes.is_pure(method, place)
        return not is_settled and self._methods.defined(method, field.home) is None


def _naming(facts: FileFacts, word: str) -> Iterator[_Naming]:
    """The functions of a file with a body in whose text a word stands."""
    offsets = [each.start() for each in re.finditer(rb"\b%s\b" % re.escape(word.encode()), facts.content)]
    for found in facts.functions.values() if offsets else ():
        for each in found:
            first = bisect_left(offsets, each.node.start)
            last = bisect_left(offsets, each.node.extent_end)
            if first < last and each.node.body is not None:
                yield _Naming(each, offsets[first:last])


def _is_zero(made: Result) -> bool:
    return isinstance(made, Scalar) and isinstance(made.value, Known) and made.value.value == 0


def _is_listed(made: Result | None) -> bool:
    return isinstance(made, Scalar) and (
        isinstance(made.value, Known) or (isinstance(made.value, OneOf) and not made.value.open)
    )


def _is_asked(place: Place) -> bool:
    """Whether a condition asks for what stands at ``place``."""
    inner = place.node
    for each in place.chain():
        match each:
            case Binary(operator=operator) if operator in _ASKING:
                return True
            case Unary(operator="!"):
                return True
            case Conditional(condition=condition) | If(condition=condition) | Loop(condition=condition):
                return condition is inner
            case Switch():
                return True
            case Function() | Block() | Lambda():
                return False
            case _:
                inner = each
    return False


def _is_unconditional(place: Place, function: Declared[Function]) -> bool:
    """Whether the expression at ``place`` is a statement of a function's own body."""
    statement = place.outer
    block = statement.outer if statement is not None else None
    return block is not None and isinstance(statement, Place) and block.node is function.node.body


def _gives_list(node: Node) -> bool:
    return isinstance(node, Return) and isinstance(node.value, Brace) and bool(node.value.elements)


def _either(names: set[str]) -> bytes:
    return b"|".join(re.escape(each.rpartition("::")[2].encode()) for each in sorted(names))


def _is_this(node: Member) -> bool:
    return isinstance(node.object, Name) and node.object.text == "this"
