"""Macros that are given a part of a kernel in braces: ``TILED(q, n, item, { … })`` launches what stands there.

Each use then has a text of its own, in which that argument is read in the place of its parameter, as the text of an
included file is.
"""

from collections import Counter

from sycllint.cpp.expression import Call, Expr, Name
from sycllint.cpp.macro_arguments import is_braced
from sycllint.cpp.node import Node, rebuilt, walk
from sycllint.cpp.place import Place, locate, macros_around, put_on, span_of
from sycllint.cpp.statement import Block, Evaluate, FunctionParameter, Include, Macro, Variable
from sycllint.facts.file import FileFacts
from sycllint.facts.submissions import Submission, submission
from sycllint.record import replace
from sycllint.symbols.unit import Unit
from sycllint.syntax.lower import braced


def with_braced_arguments(launch: Submission, unit: Unit) -> Submission:
    """``launch``, of a macro, in the text that its use writes; itself where the use is given nothing in braces."""
    inner = launch.place.around(Macro)
    use = (inner.outer if inner is not None else None) or launch.use
    if inner is None or use is None or not isinstance(inner.node, Macro) or not isinstance(use.node, Call):
        return launch
    macro = unit.once(_Texts).of(inner.node, use, unit)
    span = span_of(launch.call)
    found = locate(macro, (span,), Call).get(span) if macro is not inner.node else None
    if found is None:
        return launch
    place = found if inner.outer is None else put_on(found, inner.outer)
    return submission(place, launch.damaged, launch.use) or launch


class _Texts:
    """The macros of one unit as their uses write them: each once, as what is known of code is known by identity."""

    def __init__(self, _: Unit) -> None:
        self._known: dict[tuple[Node, ...], Macro] = {}

    def of(self, macro: Macro, use: Place, unit: Unit) -> Macro:
        """The text of ``macro`` at ``use``."""
        key = (macro, *(each for each in use.chain() if isinstance(each, Call)))
        if key not in self._known:
            self._known[key] = _written(macro, use, unit)
        return self._known[key]


def _written(macro: Macro, use: Place, unit: Unit) -> Macro:
    assert isinstance(use.node, Call)
    given = {name: _given(each, use) for name, each in _handed(macro, use.node).items()}
    found = {name: _braced(each, unit.file_at(at)) for name, (each, at) in given.items()}
    blocks = {name: block for name, block in found.items() if block is not None}
    inside = {each.text for block in blocks.values() for each in walk(block) if isinstance(each, Name)}
    if not blocks or any(inside.intersection(each) for each in map(_parameters, macros_around(use))):
        return macro
    # What is given in braces may name something else as the macro names a parameter, or what a parameter names.
    renamed = {name: _other(name) for name in inside.intersection(macro.parameters or ())}
    declared = {each.name for each in walk(macro) if isinstance(each, FunctionParameter | Variable)}
    renamed |= {name: each.text for name, (each, _) in given.items() if name in declared and isinstance(each, Name)}

    def change(node: Node) -> Node | None:
        match node:
            case Evaluate(expression=Name(text=text), start=start, end=end) if text in blocks:
                included = Include("", False, start, end)
                unit.put_in_place(included, blocks[text], unit.file_at(given[text][1]))
                return included
            case Name(text=text) if text in renamed:
                return replace(node, text=renamed[text])
            case FunctionParameter(name=name) | Variable(name=name) if name in renamed:
                unnamed: FunctionParameter | Variable = rebuilt(replace(node, name=""), change)
                return replace(unnamed, name=renamed[name])
            case _:
                return None

    text: Macro = rebuilt(macro, change)
    return replace(
        text, parameters=tuple([_other(each) if each in renamed else each for each in text.parameters or ()])
    )


def _other(parameter: str) -> str:
    """A name that only the macro itself has for a parameter."""
    return f"{parameter}__"


def _parameters(place: Place) -> tuple[str, ...]:
    return (place.node.parameters or ()) if isinstance(place.node, Macro) else ()


def _handed(macro: Macro, use: Call) -> dict[str, Expr]:
    """The arguments of a use by parameter, without those of which a parameter takes several."""
    handed = [*macro.handed(use.arguments)]
    taken = Counter(name for name, _ in handed)
    return {name: each for name, each in handed if taken[name] == 1}


def _given(argument: Expr, use: Place) -> tuple[Expr, Place]:
    """What an argument at ``use`` is, which may hand on one of the macro around, and the use it is written at."""
    around = use.around(Macro)
    outer = around.outer if around is not None else None
    if around is None or outer is None or not isinstance(outer.node, Call):
        return argument, use
    assert isinstance(around.node, Macro)
    if any(each is argument for each in outer.node.arguments):
        return _given(argument, outer)  # instead of ``__VA_ARGS__``
    further = _handed(around.node, outer.node).get(argument.text) if isinstance(argument, Name) else None
    return (argument, use) if further is None else _given(further, outer)


def _braced(argument: Expr, home: FileFacts) -> Block | None:
    """The statements in braces that an argument in ``home`` is."""
    return braced(home.content[argument.start : argument.end], argument.start) if is_braced(argument) else None
