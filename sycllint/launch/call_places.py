"""Where functions may be called: in calls, in what macros write, and where objects are made or handed to a queue."""

import re
from collections.abc import Iterator

from sycllint.cpp.expression import Brace, Call, Expr, Member, Name, New, Opaque, Type
from sycllint.cpp.macro_arguments import is_braced
from sycllint.cpp.node import Node, walk
from sycllint.cpp.place import Place, around, locate, put_on, span_of
from sycllint.cpp.statement import REST, Function, Instantiation, Macro, Variable
from sycllint.facts.called import callers_among_macros
from sycllint.facts.file import Declared, FileFacts
from sycllint.memoized import memoized
from sycllint.symbols.unit import Unit
from sycllint.values.evaluate import Evaluator
from sycllint.values.memory import Memo
from sycllint.values.objects import Point
from sycllint.values.side_effects.library import OWNER_MADE_BY

CALL = "operator()"


class _FilePlaces:
    """Places of one file, found once per name, however many units hold it."""

    def __init__(self, facts: FileFacts) -> None:
        self._facts = facts

    @memoized
    def calls(self, name: str) -> tuple[Place, ...]:
        """The calls of a name, as they stand in the file."""
        spans = self._facts.calls.get(name, ())
        places = locate(self._facts.unit, spans, Call) if spans else {}
        return tuple(places[each] for each in spans if each in places)

    @memoized
    def instances(self, name: str) -> tuple[tuple[Name, Place], ...]:
        """Where a name with template arguments is written, but not called, and what it is written in."""
        return tuple(each for each in self._mentioned(name, rb"\s*<") if each[0].arguments is not None)

    @memoized
    def values(self, name: str) -> tuple[tuple[Name, Place], ...]:
        """Where a name alone is an argument, perhaps behind ``&``, or what is assigned, and what it is written in."""
        return tuple(each for each in self._mentioned(name, rb"\s*[,);}]") if each[0].arguments is None)

    def _mentioned(self, name: str, behind: bytes) -> Iterator[tuple[Name, Place]]:
        word = re.compile(rb"\b%b%b" % (re.escape(name.encode()), behind))
        offsets = [match.start() for match in word.finditer(self._facts.content)]
        for place in sorted(around(self._facts.unit, offsets) if offsets else (), key=lambda each: span_of(each.node)):
            node, user = place.node, place.outer
            if not isinstance(node, Name) or node.last != name or user is None:
                continue
            if isinstance(user.node, Instantiation):
                continue
            if not isinstance(user.node, Call) or user.node.function is not node:
                yield node, user


class CallPlaces:
    """Places of one unit, found once per name."""

    def __init__(self, evaluator: Evaluator) -> None:
        self._evaluator = evaluator
        self._written: dict[str, list[Place]] = {}
        self._all: dict[str, list[Place]] = {}

    def all(self, name: str) -> list[Place]:
        """The calls of a name, with those that stand for the objects of a class that are made, called or run."""
        found = self._all.get(name)
        if found is None:
            found = self._all[name] = [*self.written(name), *self._of_objects(name)]
        return found

    def written(self, name: str) -> list[Place]:
        """The calls of a name, in the text of files and in what their macros write."""
        found = self._written.get(name)
        if found is None:
            found = self._written[name] = []
            compiled = self._evaluator.macros.compiled
            for facts in self._evaluator.facts.named.may_call(name):
                found += (each for each in facts.once(_FilePlaces).calls(name) if compiled(each) is not False)
            found += self.in_macros(name)
        return found

    def in_macros(self, name: str) -> Iterator[Place]:
        """The calls of a function that macros write, each where its macro is used."""
        for macro in sorted(self._evaluator.facts.once(_macros_that_call).get(name, ())):
            for use in self.written(macro):
                function = use.node.function if isinstance(use.node, Call) else None
                if not isinstance(function, Name):
                    continue
                for written in self._evaluator.macros.definitions(function, Point(use, function.start)):
                    if written.parameters is not None:
                        yield from _written_at(use, written, name)

    def _of_objects(self, name: str) -> Iterator[Place]:
        """The calls that are not written as one of ``name``: of call operators, of constructors."""
        if name == CALL:
            yield from self._of_operators()
        elif any(name in each for each in (file.structs for file in self._evaluator.facts.files)):
            yield from self._of_constructors(name)

    def _of_constructors(self, name: str) -> Iterator[Place]:
        """The objects of a class that are made: variables, ``T{…}``, ``new T(…)``, bases and members, as ``T(…)``."""
        text = name.encode()
        word = re.compile(rb"\b%b\b" % re.escape(text))
        for facts in self._evaluator.facts.files:
            offsets = [match.start() for match in word.finditer(facts.content)] if text in facts.content else ()
            if not offsets:
                continue
            places = [(made, place) for place in around(facts.unit, offsets) if (made := _made(place.node))]
            for (written, arguments), place in sorted(places, key=lambda each: each[0][0].start):
                if written.last == name:
                    yield Place(Call(written, arguments, written.start, written.end), place.outer)
            for declared in (each for functions in facts.functions.values() for each in functions):
                for initialised, given in declared.node.initializers:
                    if self._initialises(declared, initialised, name):
                        start = given[0].start if given else declared.node.extent_end
                        written = Name(name, None, None, start, start)
                        yield Place(Call(written, given, start, start), declared.place)

    def _initialises(self, constructor: Declared[Function], initialised: str, name: str) -> bool:
        """Whether an initialiser of a constructor makes an object of a class: a base, itself, or a member of it."""
        if initialised == name:
            return True
        point = Point(constructor.place, constructor.node.start)
        kind = self._evaluator.declarations.type_of(Name(initialised, None, None, point.offset, point.offset), point)
        return kind is not None and kind.name.last == name and not kind.pointers and not kind.reference

    def _of_operators(self) -> Iterator[Place]:
        """The calls of what may be a variable: ``object(n)`` runs its ``operator()``, and ``submit(object)`` does."""
        names = dict.fromkeys(name for facts in self._evaluator.facts.files for name in facts.calls)
        for name in filter(self._may_be_variable, names):
            yield from self.written(name)
        for site in self.written("submit"):
            match site.node:
                case Call(function=Member(), arguments=(Name() | Call() | Brace() as given, *_)):
                    yield Place(_run_by_queue(given), site.outer)

    def _may_be_variable(self, name: str) -> bool:
        facts = self._evaluator.facts
        return not any(name in each for each in (facts.functions, facts.macros, facts.structs))

    def instances(self, name: str) -> Iterator[tuple[Name, Place]]:
        """Where a name with template arguments is written, but not called, and what it is written in."""
        for facts in self._evaluator.facts.named.may_call(name):
            yield from facts.once(_FilePlaces).instances(name)

    def values(self, name: str) -> Iterator[tuple[Name, Place]]:
        """Where a name alone is an argument, perhaps behind ``&``, or what is assigned, and what it is written in."""
        for facts in self._evaluator.facts.named.spelling(name.encode()):
            yield from facts.once(_FilePlaces).values(name)


def _macros_that_call(unit: Unit) -> dict[str, set[str]]:
    """By each word that function-like macros of a unit may call, these macros."""
    found: dict[str, set[str]] = {}
    for facts in unit.files:
        for word, macros in facts.once(callers_among_macros).items():
            found.setdefault(word, set()).update(macros)
    return found


def _written_at(use: Place, macro: Macro, name: str) -> Iterator[Place]:
    """The calls of a name that a macro, which has parameters, writes at one use."""
    spans = [span_of(each) for each in walk(macro) if _calls(each, name)]
    for place in locate(macro, spans, Call).values():
        spread = _spread(place.node, macro, use.node)
        if spread is not None:
            yield Place(spread, put_on(place, use).outer)


def _made(node: Node) -> tuple[Name, tuple[Expr, ...]] | None:
    """The class of the object that a node makes with a constructor, and what it is given."""
    match node:
        case Variable(type=Type(name=name, pointers=0, reference=False), style="(" | "{", arguments=arguments):
            return name, arguments
        case Brace(type=Name() as name, elements=arguments):
            return name, arguments
        case New(type=Type(name=name, pointers=0), arguments=arguments):
            return name, arguments
        case Call(function=Name(arguments=(Name() | Type() as made,)) as function, arguments=arguments) if (
            function.last in OWNER_MADE_BY
        ):
            return (made if isinstance(made, Name) else made.name), arguments
        case _:
            return None


def _spread(call: Node, macro: Macro, use: Node) -> Call | None:
    """A call in the text of a macro, with what its use gives for ``__VA_ARGS__``; ``None`` where names would clash."""
    assert isinstance(call, Call)
    assert isinstance(use, Call)
    if not any(isinstance(each, Name) and each.text == REST for each in call.arguments):
        return call
    rest = tuple(given for parameter, given in macro.handed(use.arguments) if parameter == REST)
    plain = (given for given in rest if not is_braced(given))
    named = {each.text for given in plain for each in walk(given) if isinstance(each, Name)}
    if not named.isdisjoint(macro.parameters or ()):
        return None
    whole: list[Expr] = []
    for each in call.arguments:
        whole += rest if isinstance(each, Name) and each.text == REST else (each,)
    return Call(call.function, tuple(whole), call.start, call.end)


def _calls(node: Node, name: str) -> bool:
    match node:
        case Call(function=Name() as function):
            return function.last == name
        case Call(function=Member(name=called)):
            return called == name
        case _:
            return False


def _run_by_queue(command_group: Name | Call | Brace) -> Call:
    """The call that a queue makes of a command group, with a handler that is written nowhere."""
    start, end = command_group.start, command_group.end
    return Call(command_group, (Opaque("handler", (), start, start),), start, end)


call_places = Memo(CallPlaces)
