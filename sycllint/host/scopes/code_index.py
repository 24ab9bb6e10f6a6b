"""What is decided once for each piece of host code of a unit, however often it is walked."""

from __future__ import annotations

import re

from sycllint.cpp.expression import Call, Expr, Lambda, Name
from sycllint.cpp.node import Node, walk
from sycllint.cpp.place import Place
from sycllint.cpp.statement import Function, Include, Macro, Return
from sycllint.dataflow.mod_ref import ModRef, mod_refs
from sycllint.facts.file import Declared, FileFacts
from sycllint.host.scopes.classes import HostClasses
from sycllint.host.scopes.kinds import Kinds
from sycllint.host.scopes.outside import outside_names
from sycllint.host.scopes.things import Kind
from sycllint.host.scopes.touched import given, only_given, touched
from sycllint.host.scopes.walk_context import WalkContext
from sycllint.host.vocabulary import WAITS
from sycllint.host.written import WrittenNames
from sycllint.ir.bodies import bodies
from sycllint.memoized import memoized
from sycllint.source.span import Location
from sycllint.values.evaluate import Evaluator

_WORD = re.compile(r"\b[A-Za-z_]\w*")


class CodeIndex:
    """Answers for one unit."""

    def __init__(self, evaluator: Evaluator) -> None:
        self.evaluator = evaluator
        self.names = WrittenNames()
        self.kinds = Kinds(evaluator.types)
        self.classes = HostClasses(evaluator)
        self.locations: dict[Node, Location] = {}
        """Where the walks have been."""
        self._bodies = bodies.of(evaluator)
        self._mod_refs: dict[Lambda, ModRef] = {}
        self._declared: dict[Call, tuple[Declared[Function], ...]] = {}
        self._meant: dict[Call, list[Declared[Function]]] = {}

    def declared(self, call: Call, function: Name, scope: WalkContext) -> tuple[Declared[Function], ...]:
        """The functions that lookup finds for the name that a call has."""
        known = self._declared.get(call) if scope.site is None else None
        if known is None:
            known = self.evaluator.symbols.functions(function, scope.place).declared
            if scope.site is None:
                self._declared[call] = known
        return known

    def meant(self, call: Call, function: Name, scope: WalkContext) -> list[Declared[Function]]:
        """Those among them that parse and take the arguments of the call."""
        known = self._meant.get(call) if scope.site is None else None
        if known is None:
            found = self.evaluator.overloads.of_call(function, call, scope.place).found
            known = [each for each in found if not each.node.damaged]
            if scope.site is None:
                self._meant[call] = known
        return known

    def mod_ref(self, kernel: Lambda, place: Place) -> ModRef:
        """What a kernel reads and writes through what is around it at ``place``, and through its own parameters."""
        known = self._mod_refs.get(kernel)
        if known is None:
            known = mod_refs.of(self.evaluator).of(self._bodies.of(kernel, Place(kernel, place)))
            if not any(isinstance(each, Macro) for each in place.chain()):
                self._mod_refs[kernel] = known
        return known

    @memoized
    def leading(self, kernel: Lambda) -> tuple[frozenset[str], frozenset[str]] | None:
        """The names by which a kernel may come to memory, those in its macros too, and which may be outside functions.

        ``None`` where not all are seen.
        """
        written, outside = self.names.written(kernel), outside_names.of(self.evaluator)
        if "this" in written.names or any(each.value is not None for each in kernel.captures):
            return None
        names = set(written.names)
        for each in walk(kernel) if written.includes else ():
            if isinstance(each, Include):
                found = self.evaluator.facts.included(each)
                if found is None or b"include" in found.content:
                    return None
                names |= found.once(_words_of)
        facts, new = self.evaluator.facts, names
        while new := new & facts.named.declared("macros"):
            texts = (each.node.text for name in new for each in facts.macros.get(name))
            new = {word for text in texts for word in _WORD.findall(text)} - names
            names |= new
        if not names.isdisjoint(self.evaluator.defines):
            return None
        qualified = {each for each in names if "::" in each and each.rpartition("::")[2] in outside.variables}
        return frozenset(names), outside.variables & names | qualified

    @memoized
    def touched(self, function: Function) -> frozenset[str]:
        """The parameters through which a function surely reads or writes."""
        return touched(function, self.evaluator.facts.macros.__contains__)

    @memoized
    def given(self, function: Function) -> Expr | None:
        """What a function gives by its only ``return``."""
        return given(function)

    @memoized
    def returned(self, function: Function) -> dict[int, Return]:
        """What a function returns, by offset, where some of that is what other functions give."""
        nodes = walk(function.body) if function.body is not None else ()
        found = {each.start: each for each in nodes if type(each) is Return}
        return found if any(isinstance(each.value, Call) for each in found.values()) else {}

    @memoized
    def only_given(self, function: Function) -> Expr | None:
        """What a function gives that does nothing else."""
        return only_given(function)

    @memoized
    def gives_queue(self, name: str) -> bool:
        """Whether a function of this name gives a queue; of one that waits by its name, that does not count."""
        declared = (each.node.returns for each in self.evaluator.facts.functions.get(name))
        found = any(each is not None and self.kinds.of(each) is Kind.QUEUE for each in declared)
        return found and WAITS.search(name) is None


def _words_of(facts: FileFacts) -> frozenset[str]:
    return frozenset(_WORD.findall(facts.content.decode("latin-1")))
