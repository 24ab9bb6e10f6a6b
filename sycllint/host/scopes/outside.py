"""The names of what is declared outside functions: most names of a function are none of them."""

from functools import cached_property

from sycllint.facts.file import FileFacts
from sycllint.memoized import memoized
from sycllint.symbols.unit import Unit
from sycllint.values.memory import Memo


class OutsideNames:
    """Answers for the names of one unit."""

    def __init__(self, unit: Unit) -> None:
        self._unit = unit

    @memoized
    def __contains__(self, name: str) -> bool:
        """Whether a variable of a namespace, a data member or a function has a name, which is not qualified."""
        return name in self.variables or name in self._unit.functions

    @cached_property
    def variables(self) -> frozenset[str]:
        """The names of variables of namespaces and of data members."""
        return self.members.union(*(each.variables for each in self._unit.files))

    @cached_property
    def members(self) -> frozenset[str]:
        """The names of data members."""
        return frozenset[str]().union(*(each.once(_member_names) for each in self._unit.files))


def _member_names(facts: FileFacts) -> frozenset[str]:
    """The data members of the classes of a file."""
    classes = (each.node for declared in facts.structs.values() for each in declared)
    return frozenset(variable.name for each in classes for variable in each.variables)


outside_names = Memo(lambda evaluator: OutsideNames(evaluator.facts))
"""Those of an evaluator."""
