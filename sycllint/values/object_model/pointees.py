"""Objects behind pointers: of variables that own them, ``auto p = std::make_unique<Solver>(64);``, and parameters."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from sycllint.cpp.expression import Call, Cast, Expr, Member, Name, New, Opaque, Type, Unary
from sycllint.cpp.node import walk
from sycllint.cpp.place import Place
from sycllint.cpp.statement import Block, Function, FunctionParameter, Struct, Variable
from sycllint.facts.file import Declared
from sycllint.memoized import memoized
from sycllint.record import NamedTuple
from sycllint.values.object_model.methods import Methods
from sycllint.values.objects import Frame, Instance, Point
from sycllint.values.packs import PackArgument, given
from sycllint.values.side_effects.library import OWNER_MADE_BY, OWNERS
from sycllint.values.types import as_type

if TYPE_CHECKING:
    from sycllint.values.interface import Evaluation


class _Uses(NamedTuple):
    """What a block does with each pointer."""

    called: dict[str, dict[str, None]]
    """The methods that it calls."""
    members: Counter[str]
    """How often it names a data member of the object."""
    others: Counter[str]
    """How often it names the pointer for anything else but to delete the object."""


class Pointees:
    """Answers for one evaluator."""

    def __init__(self, evaluator: Evaluation, methods: Methods) -> None:
        self._evaluator = evaluator
        self._methods = methods

    def of(self, pointer: Name, member: str, point: Point) -> Instance | None:
        """The object behind a parameter, where nothing in the function may set its ``member``.

        There, its pointer is only used to call methods, all of which leave the member as it is, to read members, and to
        delete the object. Asks for the parameter where that is not bound.
        """
        declared = self._evaluator.declarations.nearest(pointer.text, point)
        if declared is None or not isinstance(declared[0], FunctionParameter):
            return None
        return self._given(declared[0], member, declared[1])

    def _given(self, parameter: FunctionParameter, member: str, place: Place) -> Instance | None:
        """The object whose address a function is given for a parameter."""
        evaluator, owner = self._evaluator, place.node
        kind = parameter.type
        if not isinstance(owner, Function) or owner.body is None or owner.damaged or kind.pointers != 1:
            return None
        struct = evaluator.kind(kind.name, Point(place, parameter.start)).struct
        if struct is None or kind.extents:
            return None
        is_only_read = kind.constant and self._is_only_read(owner.body, parameter.name)
        if not is_only_read and not self._is_only_called(owner.body, parameter.name, member, struct):
            return None
        frame = evaluator.frames.binding(owner, evaluator.frame)
        if frame is None:
            evaluator.free[id(owner)] = owner
            return None
        argument = given(evaluator.frames, frame, owner.parameters.index(parameter))
        if not isinstance(argument, PackArgument):
            return None
        return evaluator.under(argument.frame.outer, self._behind, argument, frame, member)

    def _behind(self, argument: PackArgument, frame: Frame, member: str) -> Instance | None:
        """The object behind an argument: one whose address is taken, or that another pointer leads to."""
        point = argument.frame.point
        match argument.expression:
            case Name() as pointer:
                return self.of(pointer, member, point)
            case Unary(operator="&", operand=Name() as name) if _is_given_once(name.text, frame):
                found = self._evaluator.evaluate(name, point)
                return found if isinstance(found, Instance) else None
            case _:
                return None

    def made(self, variable: Variable, there: Point) -> Instance | None:
        """The object that a local pointer, which always leads to it alone, is made with."""
        made = _made(variable)
        if made is None:
            return None
        kind, block = self._evaluator.kind(made[0].name, there), there.place.innermost(Block)
        if kind.struct is None or block is None:
            return None
        uses, name = self._uses(block), variable.name
        is_own = all(self._methods.named(kind.struct, each) for each in uses.called.get(name, ()))
        if uses.others[name] or not is_own or name in self._evaluator.facts.macro_words:
            return None
        return Instance(kind.struct, made[1], there, self._evaluator.frame, kind.bound)

    def _is_only_called(self, block: Block, pointer: str, member: str, struct: Declared[Struct]) -> bool:
        """Whether the code of ``block`` uses a pointer only to call methods that leave a member as it is."""
        if pointer in self._evaluator.facts.macro_words:
            return False
        uses = self._uses(block)
        methods = uses.called.get(pointer, ())
        return not (uses.others[pointer] or uses.members[pointer]) and all(
            self._methods.keep(each, struct, member) for each in methods
        )

    @memoized
    def _uses(self, block: Block) -> _Uses:
        """How the code of ``block`` uses its pointers."""
        uses = _Uses({}, Counter(), Counter())
        for each in walk(block):
            match each:
                case Name(text=text):
                    uses.others[text] += 1
                case Member(object=Name(text=text)):
                    uses.others[text] -= 1
                    uses.members[text] += 1
                case Call(function=Member(object=Name(text=text), name=method)):
                    uses.members[text] -= 1
                    uses.called.setdefault(text, {})[method] = None
                case Opaque(kind="delete_expression", parts=parts):
                    uses.others.subtract({part.text for part in parts if isinstance(part, Name)})
                case _:
                    pass
        return uses

    def _is_only_read(self, block: Block, pointer: str) -> bool:
        """Whether the code of ``block`` lets a pointer to a constant object be one all along."""
        if pointer in self._evaluator.facts.macro_words or pointer in self._evaluator.mutations.of(block):
            return False
        return not any(isinstance(each, Cast) and _is(each.operand, pointer) for each in walk(block))


def _made(variable: Variable) -> tuple[Type, tuple[Expr, ...]] | None:
    """The type of the object that a pointer is initialised with, and what it is made from."""
    if len(variable.arguments) != 1:
        return None
    is_owner = variable.type.pointers == 1 or variable.type.name.last in OWNERS or variable.type.name.text == "auto"
    match variable.arguments[0]:
        case Call(function=Name(arguments=(Name() | Type() as written,)) as function, arguments=arguments) if (
            function.last in OWNER_MADE_BY
        ):
            kind = as_type(written)
            return (kind, arguments) if kind is not None and is_owner else None
        case New(type=kind, arguments=arguments, placement=()) if is_owner and not kind.extents and not kind.pointers:
            return kind, arguments
        case _:
            return None


def _is(expression: Expr, text: str) -> bool:
    return isinstance(expression, Name) and expression.text == text


def _is_given_once(text: str, frame: Frame) -> bool:
    """Whether a call has one argument alone by which its function may know a variable."""
    named = [each for each in frame.arguments for inner in walk(each) if isinstance(inner, Name) and inner.text == text]
    return len(named) == 1
