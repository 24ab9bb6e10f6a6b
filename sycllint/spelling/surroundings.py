"""What the rest of a unit says of the namespace ``sycl``: whether its plain name is sure to mean it."""

from collections.abc import Iterable
from functools import cached_property

from sycllint.cpp.expression import Name
from sycllint.cpp.node import Node, walk
from sycllint.facts.file import Declared, FileFacts
from sycllint.spelling.written import SpellingUnit


class Surroundings:
    """What the rest of the unit says of the name ``sycl``; looked up when it is first asked for."""

    def __init__(self, written: SpellingUnit) -> None:
        self._files = written.evaluator.facts.files
        self._facts = written.facts

    @cached_property
    def shadowed(self) -> bool:
        """The unit has something of its own called ``sycl``, behind which the namespace is hidden in places."""
        return any("sycl" in each.namespaces or _declares_sycl(each) for each in self._files)

    @property
    def sycl(self) -> str:
        """The namespace, by a name that is sure to mean it."""
        return "::sycl" if self.shadowed else "sycl"

    @cached_property
    def need_cl(self) -> bool:
        """A header of the project says ``cl::sycl``."""
        return any(_says_cl(each) for each in self._files if each is not self._facts)


def _declares_sycl(facts: FileFacts) -> bool:
    declared: Iterable[Declared[Node]] = (
        each for kind in (facts.functions, facts.structs, facts.variables) for found in kind.values() for each in found
    )
    return any(name == "sycl" or name.endswith("::sycl") for each in declared for name in each.scope[-3:])


def _says_cl(facts: FileFacts) -> bool:
    if any(name.removeprefix("::").startswith("cl") for name in (*facts.using, *facts.namespaces.values())):
        return True
    return any(isinstance(each, Name) and each.text.removeprefix("::").startswith("cl::") for each in walk(facts.unit))
