"""The names of what is declared outside functions: most names of a function are none of them."""

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
        unit = self._unit
        return (
            name in unit.variables
            or name in unit.functions
            or any(name in each.once(_member_names) for each in unit.files)
        )


def _member_names(facts: FileFacts) -> frozenset[str]:
    """The data members of the classes of a file."""
    classes = (each.node for declared in facts.structs.values() for each in declared)
    return frozenset(variable.name for each in classes for variable in each.variables)


outside_names = Memo(lambda evaluator: OutsideNames(evaluator.facts))
"""Those of an evaluator."""
