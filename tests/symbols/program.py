"""Small units, and what a name or a call in their function ``here`` means."""

from sycllint.cpp.expression import Call, Name, Type
from sycllint.cpp.node import walk
from sycllint.cpp.place import Place, locate, span_of
from sycllint.cpp.statement import Function
from sycllint.facts.collect import file_facts
from sycllint.facts.file import Declared
from sycllint.symbols.unit import Unit
from sycllint.values.evaluate import Evaluator


def evaluator_of(*files: str) -> Evaluator:
    """What evaluates a unit of files, the first of which includes the others in order."""
    facts = [file_facts(f"{number}.cpp", text.encode(), {}) for number, text in enumerate(files)]
    return Evaluator(Unit(facts), {})


def called(*files: str) -> str:
    """What the last call in ``here`` may run: ``ns::f(int, T *)``, several with ``|``, ``?`` where that is not sure."""
    evaluator = evaluator_of(*files)
    call, place = _last(evaluator)
    found = evaluator.overloads.of(call, place)
    names = " | ".join(_spelled(evaluator, each.node, each.place) for each in found.found)
    return f"{names}{'' if found.sure else '?'}"


def chosen(evaluator: Evaluator) -> list[str]:
    """What each call in ``here`` may run, in the order in which they are written."""
    facts = evaluator.facts.main
    body = facts.functions["here"][-1].node.body
    assert body is not None
    spans = [span_of(each) for each in walk(body) if isinstance(each, Call)]
    places = locate(facts.unit, spans, Call)
    targets = []
    for place in (places[each] for each in sorted(spans)):
        assert isinstance(place.node, Call)
        targets.append(evaluator.overloads.of(place.node, place).found)
    return [" | ".join(_spelled(evaluator, each.node, each.place) for each in found) for found in targets]


def variables(*files: str) -> str:
    """The variables and enumerators that the last name handed to a call in ``here`` may mean, with their scopes."""
    evaluator = evaluator_of(*files)
    call, place = _last(evaluator)
    (name,) = call.arguments
    assert isinstance(name, Name)
    found = evaluator.symbols.variables(name, place).declared
    scopes = evaluator.symbols.scopes
    return " | ".join("::".join((*scopes.home(each).path, each.node.name.rpartition("::")[2])) for each in found)


def classes(*files: str) -> str:
    """The class that the template argument of the last call in ``here`` names; ``?`` when only guessed."""
    evaluator = evaluator_of(*files)
    call, place = _last(evaluator)
    assert isinstance(call.function, Name)
    (named,) = call.function.arguments or ()
    name = named.name if isinstance(named, Type) else named
    assert isinstance(name, Name)
    found = evaluator.symbols.classes(name, place)
    paths = dict.fromkeys("::".join(evaluator.symbols.scope_of(each).path) for each in found.declared)
    return " | ".join(paths) + ("" if found.sure else "?")


def _last(evaluator: Evaluator) -> tuple[Call, Place]:
    facts = evaluator.facts.main
    here = facts.functions["here"][-1].node
    assert here.body is not None
    calls = [each for each in walk(here.body) if isinstance(each, Call)]
    outer = [each for each in calls if not any(each is not other and each in walk(other) for other in calls)]
    span = span_of(outer[-1])
    place = locate(facts.unit, [span], Call)[span]
    assert isinstance(place.node, Call)
    return place.node, place


def _spelled(evaluator: Evaluator, function: Function, place: Place) -> str:
    path = evaluator.symbols.scopes.home(Declared(function, place)).path
    types = ", ".join(f"{each.type.name.text}{' *' * each.type.pointers}" for each in function.parameters)
    return f"{'::'.join((*path, function.name.rpartition('::')[2]))}({types})"
