"""Which functions of the project a call in device code may mean."""

from sycllint.cpp.expression import Name
from sycllint.cpp.place import Place
from sycllint.cpp.statement import Function, Struct
from sycllint.facts.file import Declared
from sycllint.kernel.meaning import Meaning, Meanings, Role
from sycllint.record import NamedTuple
from sycllint.symbols.arity import accepts
from sycllint.values.evaluate import Evaluator


class Targets(NamedTuple):
    """The functions with a body that a call may mean."""

    found: tuple[Declared[Function], ...] = ()
    sure: bool = True
    """One of them is called; otherwise it may as well be a function that is not in sight."""


class Calls:
    """Answers for one evaluator."""

    def __init__(self, evaluator: Evaluator, meanings: Meanings) -> None:
        self._evaluator = evaluator
        self._facts = evaluator.facts
        self._meanings = meanings
        self._bodies: dict[str, tuple[Declared[Function], ...]] = {}
        self._owners: dict[int, str | None] = {}

    def of_name(self, function: Name, passed: tuple[Meaning | None, ...], place: Place) -> Targets:
        """The free functions, and methods of the class around ``place``, that ``function(…)`` may call."""
        found = self._named(function.last)
        if not found:
            return Targets()
        qualifier = function.scope.last if function.scope is not None else function.qualifier
        if qualifier:
            fitting = [each for each in found if self._is_in(each, qualifier)]
        else:
            owners = {self.owner(each) for each in found}
            around = _classes(place) if owners - {None} else frozenset()
            fitting = [each for each in found if (owner := self.owner(each)) is None or owner in around]
        return self._chosen(fitting, passed)

    def of_method(self, name: str, struct: Declared[Struct] | None, passed: tuple[Meaning | None, ...]) -> Targets:
        """The methods called ``name``, of one class when that is known."""
        found = [each for each in self._named(name) if self.owner(each) is not None]
        if struct is not None:
            found = [each for each in found if self.owner(each) == struct.node.name]
        chosen = self._chosen(found, passed)
        return chosen if struct is not None else chosen._replace(sure=chosen.sure and len(chosen.found) == 1)

    def _named(self, name: str) -> tuple[Declared[Function], ...]:
        found = self._bodies.get(name)
        if found is None:
            found = tuple(each for each in self._facts.functions.get(name) if each.node.body is not None)
            if len(found) > 1:
                found = tuple(each for each in found if self._evaluator.macros.compiled(each.place) is not False)
            self._bodies[name] = found
        return found

    def owner(self, declared: Declared[Function]) -> str | None:
        """The class a function is a member of."""
        key = id(declared.node)
        if key not in self._owners:
            outer = declared.place.outer
            around = outer.chain() if outer is not None else iter(())
            struct = next((node for node in around if isinstance(node, Struct)), None)
            owner = struct.name if struct is not None else None
            if owner is None and "::" in declared.node.name:
                last = declared.node.name.split("::")[-2].partition("<")[0]
                owner = last if last in self._facts.structs else None
            self._owners[key] = owner
        return self._owners[key]

    def _is_in(self, declared: Declared[Function], qualifier: str) -> bool:
        first, _, rest = qualifier.removeprefix("::").partition("::")
        target = self._facts.namespaces.get(first, first)
        wanted = tuple(part for part in (*target.split("::"), *rest.split("::")) if part)
        own = tuple(part.partition("<")[0] for part in declared.node.name.split("::")[:-1])
        scope = (*(part for each in declared.scope for part in each.split("::")), *own)
        return scope[len(scope) - len(wanted) :] == wanted

    def _chosen(self, found: list[Declared[Function]], passed: tuple[Meaning | None, ...]) -> Targets:
        fitting = [each for each in found if accepts(each.node, len(passed))]
        if not fitting:
            # More arguments than parameters: a parameter pack, or an overload that is not in sight.
            pack = (
                len(found) == 1
                and found[0].node.template_parameters
                and len(passed) >= len(found[0].node.parameters) - 1
            )
            return Targets(tuple(found), sure=bool(pack))
        if len(fitting) > 1:
            fitting = [each for each in fitting if self._agrees(each.node, passed)] or fitting
        return Targets(tuple(fitting))

    def _agrees(self, function: Function, passed: tuple[Meaning | None, ...]) -> bool:
        """Whether no parameter is an item or group of another kind than its argument."""
        for parameter, meaning in zip(function.parameters, passed, strict=False):
            wanted = self._meanings.of_type(parameter.type.name)
            if wanted is not None and isinstance(meaning, Role) and meaning is not wanted:
                return False
        return True


def _classes(place: Place) -> frozenset[str]:
    """The classes whose members can be called by their names alone at ``place``."""
    names: set[str] = set()
    for node in place.chain():
        if isinstance(node, Struct):
            names.add(node.name)
            names.update(base.last for base in node.bases)
        elif isinstance(node, Function) and "::" in node.name:
            names.update(part.partition("<")[0] for part in node.name.split("::")[:-1])
    return frozenset(names)
