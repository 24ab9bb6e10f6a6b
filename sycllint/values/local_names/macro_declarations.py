"""Constants that a macro declares around its arguments: ``DISPATCH(size, B, [&] { run<B>(q); })``.

The text of ``DISPATCH`` has ``constexpr int B = 64;`` in one case of a switch, and 128 in another.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sycllint.cpp.expression import Call, Name
from sycllint.cpp.node import walk
from sycllint.cpp.place import Place
from sycllint.cpp.statement import CONST, CONSTEXPR, Macro, Variable
from sycllint.values.objects import Point, Result
from sycllint.values.preprocessor.macros import Macros

if TYPE_CHECKING:
    from sycllint.values.interface import Evaluation


class MacroDeclarations:
    """Answers for one evaluator."""

    def __init__(self, evaluator: Evaluation, macros: Macros) -> None:
        self._evaluator = evaluator
        self._macros = macros
        self._written: dict[Macro, dict[str, list[Variable]]] = {}

    def declared(self, text: str, use: Place) -> Result | None:
        """What ``text`` is in an argument of the macro that ``use`` uses; ``None`` where that declares no such name.

        Where the macro declares several names, each in several places, which go together is not followed.
        """
        call = use.node
        if not isinstance(call, Call) or not isinstance(call.function, Name):
            return None
        if call.function.text not in self._evaluator.facts.macros:
            return None
        macro = self._macros.macro(call.function, Point(use, call.function.start))
        if macro is None or macro.parameters is None:
            return None
        constants = self._constants(macro)
        handed = dict(macro.handed(call.arguments))
        names = [name for name in constants if _is_named(text, name, macro, handed.get(name))]
        several = [name for name, each in constants.items() if len(each) > 1]
        if len(names) != 1 or (len(several) > 1 and names[0] in several):
            return None
        inside = Place(macro, use)
        found = [self._evaluator.initial(each, Point(inside, each.start)) for each in constants[names[0]]]
        return self._evaluator.joined(found)

    def _constants(self, macro: Macro) -> dict[str, list[Variable]]:
        """The constants that the text of a macro declares, by name."""
        found = self._written.get(macro)
        if found is None:
            found = self._written[macro] = {}
            for each in walk(macro):
                if isinstance(each, Variable) and (each.flags & (CONST | CONSTEXPR) or each.type.constant):
                    found.setdefault(each.name, []).append(each)
        return found


def _is_named(text: str, name: str, macro: Macro, given: object) -> bool:
    """Whether a name in the text of a macro is ``text`` where the macro is used."""
    if name in (macro.parameters or ()):
        return isinstance(given, Name) and given.text == text
    return name == text
