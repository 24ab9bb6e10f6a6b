"""The preprocessor, as far as a name's meaning needs it: which definition is in force, which branch is compiled."""

from __future__ import annotations

import re
from collections.abc import Callable
from itertools import product, takewhile
from math import prod
from typing import TYPE_CHECKING

from sycllint.builds.settings import Choice
from sycllint.cpp.expression import Binary, Call, Expr, Lambda, Member, Name, Number, Type, Unary
from sycllint.cpp.names import LAUNCHING
from sycllint.cpp.node import Node
from sycllint.cpp.place import Place
from sycllint.cpp.statement import REST, Arm, Function, Macro, Undefine, Variants
from sycllint.facts.defines import configured_macro
from sycllint.facts.file import Declared, FileFacts
from sycllint.facts.generated import replaced
from sycllint.memoized import memoized
from sycllint.record import replace
from sycllint.symbols.templates import template_parameter
from sycllint.values.arithmetic import Scalar, binary, literal, unary
from sycllint.values.objects import Point, Result
from sycllint.values.preprocessor.directives import Ends, macro_ends
from sycllint.values.types import as_type
from sycllint.values.value import Known

if TYPE_CHECKING:
    from sycllint.values.interface import Evaluation

MAX_EXPANSIONS = 24
MAX_CONDITIONS = 28
"""How many conditionals depend on one another, each on a macro that the one before defines."""
DEVICE_ONLY = "__SYCL_DEVICE_ONLY__"
"""Defined where code is compiled for a device (SYCL 2020, "Preprocessor directives and macros")."""
MAX_BUILDS = 32
"""Ways to define the macros of one condition that are looked at."""
_WORD = re.compile(r"[A-Za-z_]\w*")
_DEFINED = re.compile(r"\bdefined\s+([A-Za-z_]\w*)")
_PLATFORM = ("_", "SYCL", "WIN", "NDEBUG", "DPCT", "linux", "unix", "MSC", "APPLE")
"""Beginnings of names that compilers and systems define; nothing is concluded from their absence."""

Position = tuple[int, ...]


class Macros:
    """Macros and conditionals of one unit."""

    def __init__(self, evaluator: Evaluation) -> None:
        self._evaluator = evaluator
        self._unit = evaluator.facts
        self._ends: Ends | None = None
        self._arms: dict[tuple[object, ...], bool | None] = {}
        self._trusting = True
        self._chosen: dict[str, str | None] = {}
        """What macros that the build leaves open are taken to be while one condition is looked at."""
        self._in_kernel = False
        """The condition that is looked at stands in a kernel, which is compiled for the device."""
        self._expansions = 0
        self._nesting = 0

    def macro(self, name: Name, point: Point) -> Macro | None:
        """The one macro that ``name`` is at ``point``; ``None`` when it is none, or several."""
        found = self.definitions(name, point)
        return found[0] if len(found) == 1 else None

    def definitions(self, name: Name, point: Point) -> list[Macro]:
        """Every definition that ``name`` may have at ``point``, the nearest first."""
        return [] if name.scope is not None or "::" in name.text else self._definitions(name.text, point)

    def value(self, name: Name, point: Point) -> Result | None:
        """What an object-like macro stands for; ``None`` when ``name`` is none."""
        text = name.text
        choice = self._unit.choices.get(text)
        if text not in self._unit.macros and text not in self._evaluator.defines and choice is None:
            return None
        if choice is not None and not self._declared(text, point)[1]:
            if choice.undefined and (conditional := self._is_declared(text, point)) is not None:
                # A macro of this name would tear the declaration apart: where that is compiled, there is none.
                return self._depends(name, choice) if conditional or text in self._unit.macros else None
            if choice.open:
                return self._depends(name, choice)
        found = [each for each in self._definitions(text, point) if each.parameters is None]
        if choice is not None and len(found) > 1:
            # Where a number is wanted, a macro without text would not compile.
            found = [each for each in found if each.text.strip()] or found
        results: list[Result] = []
        for macro in found:
            if macro.value is None:
                return self._evaluator.unknown(f"the macro {macro.name} is not an expression", name)
            if isinstance(macro.value, Name) and macro.value.text == macro.name:
                return None
            if text in self._directives().pushed:
                return self._evaluator.unknown(f"the macro {text} is pushed and popped", name)
            place = Place(macro, Place(name, point.place))
            result = self._evaluator.evaluate(macro.value, Point(place, point.offset))
            if macro.end > macro.start:
                result = self._evaluator.named(text, result, macro.start, macro.end, place)
            results.append(result)
        return self._evaluator.joined(results, name) if results else None

    def argument(self, text: str, place: Place) -> tuple[Expr, Point] | None:
        """The argument that ``text`` stands for inside a macro's body, and where it was written."""
        if not place.enclosing.is_repeated:
            return None
        macro, use = place.node, place.outer
        while use is not None and (type(macro) is not Macro or use.outer is None):
            macro, use = use.node, use.outer
        if use is None or use.outer is None or type(macro) is not Macro:
            return None
        call, parameters = use.node, macro.parameters or ()
        if isinstance(call, Call) and text in parameters:
            index, given = parameters.index(text), call.arguments
            if index < len(given) and (text != REST or index + 1 == len(given)):
                return given[index], Point(use.outer, call.start)
        return None

    def pasted(self, macro: Macro, arguments: tuple[Expr, ...], point: Point) -> Macro | None:
        """What a macro that pastes tokens, ``WG_##T``, writes for ``arguments``, as a macro without parameters.

        ``None`` where an argument is more than a word or a number.
        """
        if "##" not in macro.text:
            return None
        words = [self._word(each, point) for each in arguments]
        given = [each for each in words if each is not None]
        text = replaced(macro, given) if len(given) == len(words) else None
        return configured_macro(macro.name, text) if text is not None else None

    def _word(self, argument: Expr, point: Point) -> str | None:
        """The word or number that an argument is, also where it stands for that of a macro around it."""
        match argument:
            case Name(text=text) if argument.is_plain:
                given = self.argument(text, point.place)
                return self._spelling(argument, point) if given is None else self._word(*given)
            case Type(name=name, pointers=0, reference=False, extents=()) if name.is_plain:
                return self._word(name, point)
            case Number(text=text):
                return text
            case _:
                return None

    def type_given(self, text: str, point: Point) -> tuple[Type, Point] | None:
        """The type that is given for a parameter of the macro around ``point``, and where it is written."""
        given = self.argument(text, point.place)
        kind = as_type(given[0]) if given is not None else None
        if given is None or kind is None:
            return None
        name = kind.name
        if name.is_plain:
            name = Name(self._spelling(name, given[1]), None, None, name.start, name.end)
        return replace(kind, name=name), given[1]

    def _spelling(self, name: Name, point: Point) -> str:
        """A plain name as it is written: in the place of a keyword, the grammar is shown another word."""
        content = self._unit.content_at(point.place) if name.text.endswith("_") else None
        return name.text if content is None else content[name.start : name.end].decode(errors="replace")

    # ----------------------------------------------------------- definitions

    def _definitions(self, name: str, point: Point) -> list[Macro]:
        """The definitions of a macro that may be in force at ``point``.

        None inside its own text: there its name is not replaced again (C++ standard, [cpp.rescan]).
        """
        choice = self._unit.choices.get(name)
        if choice is None and name not in self._unit.macros and name not in self._evaluator.defines:
            return []
        is_repeated = point.place.enclosing.is_repeated
        if is_repeated and any(type(each) is Macro and each.name == name for each in point.place.chain()):
            return []
        configured = self._evaluator.defines.get(name)
        if configured is not None:
            return [configured_macro(name, configured)]
        found, settled = self._declared(name, point)
        if choice is None or settled:
            return found
        return [] if choice.open else [*found, *(configured_macro(name, text) for text in choice.texts)]

    def _declared(self, name: str, point: Point) -> tuple[list[Macro], bool]:
        """The definitions in the source that may be in force at ``point``; whether one of them surely is."""
        found: list[Macro] = []
        here = self._position(point)
        for position, each in reversed(self._in_order(name)):
            if position >= here:
                continue
            compiled = self.compiled(each.place, name)
            if compiled is False:
                continue
            if isinstance(each.node, Macro):
                found.append(each.node)
            if compiled:
                return found, True
        return found, False

    def _is_declared(self, text: str, point: Point) -> bool | None:
        """Whether all that declares ``text`` at ``point`` stands under a conditional; ``None`` if nothing does."""
        if template_parameter(text, point.place) is not None:
            return False
        places = [each.place for each in (*self._unit.variables.get(text), *self._unit.enumerators.get(text))]
        local = self._evaluator.declarations.nearest(text, point)
        if local is not None:
            places.append(local[1])
        if not places:
            return None
        return any(isinstance(node, Arm) for place in places for node in place.chain())

    def _depends(self, name: Name, choice: Choice) -> Result:
        return self._evaluator.unknown(f"{name.text} depends on the build: {choice.reason}", name)

    @memoized
    def _in_order(self, name: str) -> list[tuple[Position, Declared[Macro] | Declared[Undefine]]]:
        """Where a macro is defined, and where it ceases to be."""
        unit, found = self._unit, self._unit.macros.get(name)
        ends = self._directives().undefined.get(name, ()) if found else ()
        entries: list[Declared[Macro] | Declared[Undefine]] = [*found, *ends]
        ordered = [(unit.position(unit.file_at(each.place), each.node.start), each) for each in entries]
        return sorted(ordered, key=lambda pair: pair[0])

    def _position(self, point: Point) -> Position:
        """Where ``point`` stands in the unit's order: inside a macro's body, that is where the macro is used."""
        offset, place = point.offset, point.place
        current: Place | None = place if place.enclosing.is_repeated else None
        while current is not None:
            outer = current.outer
            if type(current.node) is Macro and outer is not None and isinstance(outer.node, Call | Name):
                offset, place = outer.node.start, outer
            current = outer
        return self._unit.position(self._unit.file_at(place), offset)

    # ---------------------------------------------------------- conditionals

    def compiled(self, place: Place, defining: str | None = None) -> bool | None:
        """Whether the code at ``place`` is compiled; ``None`` when a conditional around it cannot be decided.

        ``defining`` is the macro being defined there: ``#ifndef N`` around ``#define N 1`` is its own guard.
        """
        answer: bool | None = True
        node, outer = place.node, place.outer
        while outer is not None:
            if type(node) is Arm and isinstance(outer.node, Variants):
                decided = self.arm(node, outer, defining)
                if decided is False:
                    return False
                answer = answer and decided
            node, outer = outer.node, outer.outer
        return answer

    def left_out(self, place: Place) -> bool:
        """Whether the code at ``place`` is surely not compiled.

        Surer than ``compiled``: that a macro is named in no visible build file does not count here, for what is left
        out is not looked at any more, and a makefile's own makefiles may define it.
        """
        self._trusting = False
        try:
            return self.compiled(place) is False
        finally:
            self._trusting = True

    def arm(self, arm: Arm, variants: Place, defining: str | None = None) -> bool | None:
        """Whether this branch of the conditional at ``variants`` is the one compiled."""
        key = (id(arm), defining, self._trusting, frozenset(self._chosen.items()))
        if key not in self._arms:
            if self._nesting >= MAX_CONDITIONS:
                return None
            self._arms[key] = None
            self._nesting += 1
            self._arms[key] = self._arm(arm, variants, defining)
            self._nesting -= 1
        return self._arms[key]

    def _arm(self, arm: Arm, variants: Place, defining: str | None) -> bool | None:
        outer = self._in_kernel
        self._in_kernel = _in_kernel(variants)
        try:
            return self._taken(arm, variants, defining)
        finally:
            self._in_kernel = outer

    def _taken(self, arm: Arm, variants: Place, defining: str | None) -> bool | None:
        node = variants.node
        facts = self._unit.file_at(variants)
        sure = True
        for each in node.arms if isinstance(node, Variants) else ():
            condition = self._condition(each, facts, defining)
            if each is arm:
                return condition if sure or condition is False else None
            if condition is True:
                return False
            sure = sure and condition is False
        return None

    def _condition(self, arm: Arm, facts: FileFacts, defining: str | None) -> bool | None:
        text = arm.condition.strip()
        position = self._unit.position(facts, arm.body.start)
        match arm.keyword:
            case "else":
                return True
            case "ifdef" | "elifdef":
                return self._defined(text, arm, position, defining)
            case "ifndef" | "elifndef":
                answer = self._defined(text, arm, position, defining)
                return None if answer is None else not answer
        condition = configured_macro("#if", _DEFINED.sub(r"defined(\1)", text)).value
        if condition is None:
            return None
        return self._in_every_build(text, lambda: self._truth(condition, arm, position, defining))

    def _truth(self, condition: Expr, arm: Arm, position: Position, defining: str | None) -> bool | None:
        number = self._number(condition, arm, position, defining)
        return None if number is None else bool(number)

    def _in_every_build(self, text: str, decided: Callable[[], bool | None]) -> bool | None:
        """What is decided of the condition ``text`` whatever the macros in it are that the build leaves open."""
        choices = self._unit.choices
        names = [each for each in dict.fromkeys(_WORD.findall(text)) if each in choices and each not in self._chosen]
        ways = [_ways(choices[each]) for each in names]
        if not names or None in ways or prod(len(each or ()) for each in ways) > MAX_BUILDS:
            return decided()
        outer = self._chosen
        answers: set[bool | None] = set()
        for way in product(*(each or () for each in ways)):
            self._chosen = {**outer, **dict(zip(names, way, strict=True))}
            answers.add(decided())
        self._chosen = outer
        return answers.pop() if len(answers) == 1 else None

    def _number(self, node: Node, arm: Arm, position: Position, defining: str | None) -> int | None:
        """A preprocessor expression. A macro that is surely not defined counts as 0, as the standard says."""
        match node:
            case Number(text=text):
                return _known(literal(text))
            case Call(function=Name(text="defined"), arguments=(Name(text=name),)):
                answer = self._defined(name, arm, position, defining)
                return None if answer is None else int(answer)
            case Unary(operator="!", operand=Name(text="defined")):
                return None
            case Unary(operator=operator, operand=operand):
                inner = self._number(operand, arm, position, defining)
                return None if inner is None else _known(unary(operator, _scalar(inner)))
            case Binary(operator=operator, left=left, right=right):
                first = self._number(left, arm, position, defining)
                second = self._number(right, arm, position, defining)
                if operator in ("&&", "||"):
                    decisive = operator == "||"
                    for side in (first, second):
                        if side is not None and bool(side) is decisive:
                            return int(decisive)
                if first is None or second is None:
                    return None
                return _known(binary(operator, _scalar(first), _scalar(second)))
            case Name(text=name):
                return self._macro_number(name, arm, position, defining)
            case _:
                return None

    def _macro_number(self, name: str, arm: Arm, position: Position, defining: str | None) -> int | None:
        if name in ("true", "false"):
            return int(name == "true")
        configured = self._chosen.get(name) or self._evaluator.defines.get(name)
        if configured is not None:
            value = configured_macro(name, configured).value
            return None if value is None else self._expanded(value, arm, position, defining)
        answer = self._defined(name, arm, position, defining)
        if answer is not True:
            return 0 if answer is False else None
        value = self._last_value(name, position)
        return None if value is None else self._expanded(value, arm, position, defining)

    def _last_value(self, name: str, position: Position) -> Expr | None:
        """The body of the definition in force at ``position``, when that is sure."""
        if name in self._directives().pushed:
            return None
        for where, each in reversed(self._in_order(name)):
            if where < position:
                compiled = self.compiled(each.place, name)
                if compiled is not False:
                    return each.node.value if compiled and isinstance(each.node, Macro) else None
        return None

    def _directives(self) -> Ends:
        if self._ends is None:
            self._ends = macro_ends(self._unit.files)
        return self._ends

    def _expanded(self, value: Expr, arm: Arm, position: Position, defining: str | None) -> int | None:
        """The number a macro's body stands for; macros that lead back to themselves end here."""
        if self._expansions >= MAX_EXPANSIONS:
            return None
        self._expansions += 1
        try:
            return self._number(value, arm, position, defining)
        finally:
            self._expansions -= 1

    def _defined(self, name: str, arm: Arm, position: Position, defining: str | None) -> bool | None:
        """Whether a macro is defined where ``arm`` begins; ``None`` when that depends on what is not known."""
        if name in self._evaluator.defines or (name == DEVICE_ONLY and self._in_kernel):
            return True
        earlier = [each for where, each in self._in_order(name) if where < position and not _within(each.place, arm)]
        for each in reversed(earlier):
            compiled = self.compiled(each.place, name)
            if compiled is not False:
                is_end = isinstance(each.node, Undefine)
                return None if compiled is None else not is_end
        if name in self._chosen:
            return self._chosen[name] is not None
        choice = self._unit.choices.get(name)
        if choice is not None and not (choice.undefined and _is_guard(arm, name)):
            return None if choice.undefined else True
        if name == defining or _is_guard(arm, name):
            return False
        return False if self._trusting and self._unit.settings_known and not name.startswith(_PLATFORM) else None


def _in_kernel(place: Place) -> bool:
    """Whether ``place`` is in the body of a lambda that a call launches; functions are compiled for the host, too."""
    inside = takewhile(lambda each: not isinstance(each.node, Function), place.within())
    around = (each.outer.node for each in inside if type(each.node) is Lambda and each.outer is not None)
    called = (each.function for each in around if isinstance(each, Call))
    names = (each.name if isinstance(each, Member) else getattr(each, "last", "") for each in called)
    return not LAUNCHING.isdisjoint(names)


def _ways(choice: Choice) -> tuple[str | None, ...] | None:
    """What a macro may be, ``None`` among it where it may be undefined; ``None`` where that cannot be listed."""
    if choice.open or any(not each.strip() for each in choice.texts):
        return None
    return (*choice.texts, None) if choice.undefined else choice.texts


def _is_guard(arm: Arm, name: str) -> bool:
    """Whether ``arm`` is the whole of a header between ``#ifndef NAME``, ``#define NAME`` and ``#endif``."""
    first = arm.body.statements[0] if arm.body.statements else None
    return arm.keyword == "ifndef" and isinstance(first, Macro) and first.name == name and not first.text


def _within(place: Place, arm: Arm) -> bool:
    return any(node is arm for node in place.chain())


def _scalar(number: int) -> Scalar:
    made = literal(str(number))
    assert isinstance(made, Scalar)
    return made


def _known(result: object) -> int | None:
    return result.value.value if isinstance(result, Scalar) and isinstance(result.value, Known) else None
