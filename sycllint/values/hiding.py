"""Names that a class may have from its bases, which hide those outside it."""

from collections.abc import Iterator, Sequence

from sycllint.cpp.node import Node
from sycllint.cpp.place import Place
from sycllint.cpp.statement import Struct
from sycllint.facts.file import Declared
from sycllint.values.unit import Kind


def is_hidden_by_base(seen: Sequence[Declared[Kind]], found: Sequence[Declared[Kind]], place: Place) -> bool:
    """Whether a base of a class around ``place`` may have a member of the name, which comes before ``seen``."""
    if not any(isinstance(each, Struct) and each.bases for each in place.chain()):
        return False
    around = {id(each) for each in place.chain() if isinstance(each, Struct)}
    is_own = any(around & {id(node) for node in each.place.chain()} for each in seen)
    others = [each for each in found if each not in seen]
    return not is_own and any(isinstance(node, Struct) for each in others for node in _outward(each))


def _outward(declared: Declared[Kind]) -> Iterator[Node]:
    """What is around a declaration."""
    outer = declared.place.outer
    return iter(()) if outer is None else outer.chain()
