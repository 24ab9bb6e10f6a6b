"""Bytes to FileFacts: parse, lower once, and note where everything stands."""

from collections import defaultdict
from collections.abc import Iterator, Mapping
from typing import TypeVar

from sycllint.cpp.expression import Call, Name
from sycllint.cpp.names import LAUNCHING, LAUNCHING_FREELY
from sycllint.cpp.node import Node, walk
from sycllint.cpp.place import Place, locate, span_of
from sycllint.cpp.statement import (
    Alias,
    Arm,
    Block,
    Damaged,
    Declaration,
    Enum,
    Enumerator,
    Evaluate,
    Forward,
    Friend,
    Function,
    Include,
    Macro,
    Namespace,
    NamespaceAlias,
    Struct,
    UsingName,
    UsingNamespace,
    Variable,
    Variants,
)
from sycllint.facts.file import Declared, FileFacts, MacroUse
from sycllint.facts.regions import TargetRegion
from sycllint.facts.relevance import can_offload
from sycllint.facts.submissions import Submission, submission
from sycllint.source.span import Span
from sycllint.syntax.reading import Reading, readings

Found = TypeVar("Found", bound=Node)
_LAUNCHING = (*sorted(LAUNCHING), *sorted(LAUNCHING_FREELY))


def file_facts(path: str, content: bytes, defines: Mapping[str, str]) -> FileFacts:
    """The facts of one file. Never fails; what does not parse is listed in ``damaged``."""
    plain, settled = readings(content, defines)
    best = plain if settled is None or settled.harm >= plain.harm else settled
    index = _Index()
    index.add(Place(best.unit, None))
    macros = _by_name(index.macros)
    if best is not plain:
        # Conditionals around definitions decide what a macro means: those of the plain reading are all still there.
        whole, file = _Index(), Place(plain.unit, None)
        whole.add(file)
        file.node = best.unit  # else these few would keep all of the other reading in memory
        macros = _by_name(whole.macros)
    submissions = _submissions(plain, settled)
    submissions += _in_macros(best, macros)
    submissions.sort(key=lambda each: each.start)
    return FileFacts(
        path=path,
        content=content,
        unit=best.unit,
        submissions=tuple(submissions),
        macros=macros,
        functions=_by_name(index.functions),
        structs=_by_name(index.structs),
        templates=_by_name(index.templates),
        variables=_by_name(index.variables),
        enumerators=_by_name(index.enumerators),
        aliases=_by_name(index.aliases),
        enums=_by_name(index.enums),
        spaces=_by_name(index.spaces),
        renamed=_by_name(index.renamed),
        introduced=_by_name(index.introduced),
        directives=tuple(index.directives),
        namespaces=dict(index.namespaces),
        using=frozenset(index.using),
        includes=tuple(index.includes),
        uses=tuple(index.uses),
        damaged=best.damaged,
        unsettled=best.unsettled,
        calls=best.calls,
        regions=_regions(best.unit, content),
    )


def _regions(unit: Block, content: bytes) -> tuple[TargetRegion, ...]:
    if not can_offload(content):
        return ()
    from sycllint.facts.openmp import target_regions

    return target_regions(unit, content)


def _submissions(plain: Reading, settled: Reading | None) -> list[Submission]:
    """Each launch in the reading in which its own text, then what is around it, parses best."""
    found = {each.start: each for each in _of_reading(plain)}
    if settled is not None:
        for each in _of_reading(settled):
            other = found.get(each.start)
            if other is None or _rank(each, settled) < _rank(other, plain):
                found[each.start] = each
    return list(found.values())


def _of_reading(reading: Reading) -> Iterator[Submission]:
    spans = [span for name in _LAUNCHING for span in reading.calls.get(name, ())]
    for span, place in locate(reading.unit, spans, Call).items():
        each = submission(place, span in reading.damaged_launches)
        if each is not None:
            yield each


def _rank(each: Submission, reading: Reading) -> tuple[int, int, int]:
    """Lower is better: a damaged call, then no function around it or a damaged one."""
    function = each.place.innermost(Function)
    if function is None:
        return (each.damaged, 2, 0)
    inside = sum(function.start <= error.start < function.extent_end for error in reading.damaged)
    return (each.damaged, int(function.damaged), inside)


def _in_macros(reading: Reading, macros: Mapping[str, tuple[Declared[Macro], ...]]) -> Iterator[Submission]:
    """Launches inside macro bodies, once for each use of a macro.

    Of a macro used outside functions and classes, what it defines are functions of its own text (``facts.generated``).
    """
    launches = {name: _launches_of(declared) for name, declared in macros.items()}
    launches = {name: each for name, each in launches.items() if each and name in reading.calls}
    uses = locate(reading.unit, (span for name in launches for span in reading.calls[name]), Call)
    for name, inside in launches.items():
        for span in reading.calls[name]:
            if span not in uses:
                continue
            is_inside = any(isinstance(node, Struct | Function | Macro) for node in uses[span].chain())
            for macro in _in_force(macros[name], uses[span]):
                for place in inside.get(macro, ()):
                    if not is_inside and any(isinstance(node, Function) for node in place.chain()):
                        continue
                    each = submission(place, False, uses[span])
                    if each is not None:
                        yield each


def _launches_of(declared: tuple[Declared[Macro], ...]) -> dict[Macro, list[Place]]:
    """The calls that launch something in the bodies of function-like macros."""
    found: dict[Macro, list[Place]] = {}
    for macro in (each.node for each in declared):
        if macro.parameters is None or not any(name in macro.text for name in _LAUNCHING):
            continue
        spans = [span_of(each) for each in walk(macro) if isinstance(each, Call)]
        places = locate(macro, spans, Call).values()
        launching = [place for place in places if submission(place, False) is not None]
        if launching:
            found[macro] = launching
    return found


def _in_force(declared: tuple[Declared[Macro], ...], use: Place) -> Iterator[Macro]:
    """The definitions that a use may mean: the last one before it, and earlier ones while that is conditional."""
    around = set(use.chain())
    start = span_of(use.node).start
    for each in reversed(declared):
        if each.node.start < start:
            yield each.node
            if all(node in around for node in each.place.chain() if isinstance(node, Arm)):
                return


_ANYWHERE = (Macro, Include, Struct, NamespaceAlias, UsingNamespace, Block, Variants)
"""Statements in a function's body that say something to the rest of the file, or hold one that does."""


class _Index:
    """Declarations outside function bodies, and macros and includes anywhere."""

    def __init__(self) -> None:
        self.macros: list[Declared[Macro]] = []
        self.functions: list[Declared[Function]] = []
        self.structs: list[Declared[Struct]] = []
        self.templates: list[Declared[Struct]] = []
        self.variables: list[Declared[Variable]] = []
        self.enumerators: list[Declared[Enumerator]] = []
        self.aliases: list[Declared[Alias]] = []
        self.enums: list[Declared[Enum]] = []
        self.spaces: list[Declared[Namespace]] = []
        self.renamed: list[Declared[NamespaceAlias]] = []
        self.introduced: list[Declared[UsingName]] = []
        self.directives: list[Declared[UsingNamespace]] = []
        self.namespaces: dict[str, str] = {}
        self.using: set[str] = set()
        self.includes: list[Include] = []
        self.uses: list[MacroUse] = []

    def add(self, place: Place) -> None:
        """Index what stands in the block at ``place``."""
        node = place.node
        if not isinstance(node, Block):
            return
        for statement in node.statements:
            self._statement(statement, Place(statement, place))

    def _statement(self, statement: Node, place: Place) -> None:
        match statement:
            case Function():
                self.functions.append(Declared(statement, place))
                # A body that was put off holds nothing that matters outside it.
                if statement.body is not None and statement.body.is_read:
                    self._inside(statement.body, Place(statement.body, place))
            case Macro():
                self.macros.append(Declared(statement, place))
            case Include():
                self.includes.append(statement)
            case Struct():
                self.structs.append(Declared(statement, place))
                self.add(Place(statement.members, place))
            case Forward(struct=struct):
                self.templates.append(Declared(struct, Place(struct, place)))
            case Friend(function=function):
                self._statement(function, Place(function, place))
            case Namespace(body=body):
                self.spaces.append(Declared(statement, place))
                self.add(Place(body, place))
            case Damaged(body=body):
                self.add(Place(body, place))
            case Block():
                self.add(place)
            case Variants(arms=arms):
                for arm in arms:
                    self.add(Place(arm.body, Place(arm, place)))
            case Declaration(variables=variables):
                for variable in variables:
                    self.variables.append(Declared(variable, Place(variable, place)))
            case Enum(enumerators=enumerators):
                self.enums.append(Declared(statement, place))
                for enumerator in enumerators:
                    self.enumerators.append(Declared(enumerator, Place(enumerator, place)))
            case Alias():
                self.aliases.append(Declared(statement, place))
            case NamespaceAlias(name=name, target=target):
                self.renamed.append(Declared(statement, place))
                self.namespaces[name] = target
            case UsingNamespace(name=name):
                self.directives.append(Declared(statement, place))
                self.using.add(name)
            case UsingName():
                self.introduced.append(Declared(statement, place))
            case Evaluate(expression=Call() as call):
                self._use(call, place)
            case _:
                pass

    def _use(self, call: Call, place: Place) -> None:
        place = Place(call, place)
        if isinstance(call.function, Name):
            self.uses.append(MacroUse(call.function.text, Span(call.start, call.end), place))
        for argument in call.arguments:
            if isinstance(argument, Call):
                self._use(argument, place)

    def _inside(self, block: Block, place: Place) -> None:
        """Macros, includes, local types and aliases that matter wherever they stand."""
        stack: list[Place] = [place]
        while stack:
            current = stack.pop()
            node = current.node
            if not isinstance(node, Block):
                continue
            for statement in node.statements:
                if not isinstance(statement, _ANYWHERE):
                    continue
                inner = Place(statement, current)
                match statement:
                    case Macro():
                        self.macros.append(Declared(statement, inner))
                    case Include():
                        self.includes.append(statement)
                    case Struct():
                        self.structs.append(Declared(statement, inner))
                    case NamespaceAlias(name=name, target=target):
                        self.namespaces[name] = target
                    case UsingNamespace(name=name):
                        self.using.add(name)
                    case Block():
                        stack.append(inner)
                    case Variants(arms=arms):
                        stack.extend(Place(arm.body, Place(arm, inner)) for arm in arms)


def _by_name(found: list[Declared[Found]]) -> dict[str, tuple[Declared[Found], ...]]:
    grouped: dict[str, list[Declared[Found]]] = defaultdict(list)
    for each in found:
        name = getattr(each.node, "name", "")
        grouped[str(name).rpartition("::")[2]].append(each)
    return {name: tuple(each) for name, each in grouped.items()}
