"""What an item, a group or a sub-group answers about ids and ranges, as terms."""

from __future__ import annotations

from sycllint.device_code.access_trace.terms import Atom, AtomKind, Term, operation
from sycllint.device_code.code import Geometry
from sycllint.domains.meaning import Role
from sycllint.domains.vocabulary import IDS, RANGES
from sycllint.record import record
from sycllint.values.value import known


@record
class Ids:
    """An id or a range: one term for each dimension, slowest first."""

    terms: tuple[Term | None, ...]

    def at(self, dimension: Term | None) -> Term | None:
        """One dimension of it."""
        if isinstance(dimension, int) and 0 <= dimension < len(self.terms):
            return self.terms[dimension]
        return self.terms[0] if len(self.terms) == 1 and dimension is not None else None

    @property
    def product(self) -> Term | None:
        """All dimensions multiplied."""
        result: Term | None = 1
        for each in self.terms:
            result = operation("*", result, each)
        return result


class IdQueries:
    """Ids and ranges of one launch; a known extent is its number."""

    def __init__(self, geometry: Geometry) -> None:
        self.dims = geometry.dims or 0
        """Dimensions of the index space; 0 when unknown."""
        local = geometry.local or ()
        whole = geometry.whole or ()
        self._items: list[Term] = []
        self._groups: list[Term] = []
        for dimension in range(self.dims):
            items = known(local[dimension]) if len(local) == self.dims else None
            total = known(whole[dimension]) if len(whole) == self.dims else None
            self._items.append(items or Atom(AtomKind.LOCAL_RANGE, dimension))
            groups = total // items if items and total else None
            self._groups.append(groups or Atom(AtomKind.GROUP_RANGE, dimension))
        width = known(geometry.sub_group_size)
        self.width: Term = width or Atom(AtomKind.WIDTH)
        self._answers: dict[tuple[Role, str], Term | Ids | None] = {}

    def local_id(self, dimension: int) -> Term:
        """The id in the work-group."""
        return Atom(AtomKind.LOCAL, dimension)

    def _group(self, dimension: int) -> Term:
        return 0 if self._groups[dimension] == 1 else Atom(AtomKind.GROUP, dimension)

    def _global(self, dimension: int) -> Term | None:
        first = operation("*", self._group(dimension), self._items[dimension])
        return operation("+", first, self.local_id(dimension))

    def _linear(self, ids: list[Term | None], ranges: list[Term | None]) -> Term | None:
        if not ids:
            return None
        result = ids[0]
        for each, extent in zip(ids[1:], ranges[1:], strict=True):
            result = operation("+", operation("*", result, extent), each)
        return result

    def _all(self, what: str) -> list[Term | None]:
        every = range(self.dims)
        match what:
            case "local id":
                return [self.local_id(each) for each in every]
            case "group id":
                return [self._group(each) for each in every]
            case "global id":
                return [self._global(each) for each in every]
            case "local range":
                return list(self._items)
            case "group range":
                return list(self._groups)
            case _:
                return [operation("*", a, b) for a, b in zip(self._groups, self._items, strict=True)]

    def linear_local_id(self) -> Term | None:
        """The linear id in the work-group."""
        return self._linear(self._all("local id"), self._all("local range"))

    def ids(self, what: str) -> Ids | None:
        """All dimensions; ``None`` when their number is unknown."""
        return Ids(tuple(self._all(what))) if self.dims else None

    def answer(self, role: Role, name: str) -> Term | Ids | None:
        """What ``role.name()`` gives."""
        asked = role, name
        if asked not in self._answers:
            self._answers[asked] = self._answer(role, name)
        return self._answers[asked]

    def _answer(self, role: Role, name: str) -> Term | Ids | None:
        if role is Role.PART:
            return None
        if role is Role.SUB_GROUP:
            return self._of_sub_group(name)
        if role is Role.WORK_GROUP:
            name = _GROUP_NAMES.get(name, name)
            if name == "leader":
                return operation("==", self.linear_local_id(), 0)
        if name in IDS:
            return self.ids(f"{IDS[name]} id")
        if name in RANGES:
            return self.ids(f"{RANGES[name]} range")
        match name:
            case "get_local_linear_id":
                return self.linear_local_id()
            case "get_group_linear_id":
                return self._linear(self._all("group id"), self._all("group range"))
            case "get_global_linear_id" | "get_linear_id":
                return self._linear(self._all("global id"), self._all("global range"))
            case "get_local_linear_range":
                return self._group_size if self.dims else None
            case "get_group_linear_range":
                return Ids(tuple(self._groups)).product if self.dims else None
            case _:
                return None

    def _of_sub_group(self, name: str) -> Term | Ids | None:
        linear = self.linear_local_id()
        lane = operation("%", linear, self.width)
        match name:
            case "get_local_id" | "get_local_linear_id":
                return Ids((lane,))
            case "get_group_id" | "get_group_linear_id":
                return Ids((operation("/", linear, self.width),))
            case "get_max_local_range":
                return Ids((self.width,))
            case "get_local_range" | "get_local_linear_range":
                return Ids((self._items_of_sub_group(linear),))
            case "get_group_range" | "get_group_linear_range":
                return Ids((self._sub_groups(),)) if self.dims else None
            case "leader":
                return operation("==", lane, 0)
            case _:
                return None

    @property
    def _group_size(self) -> Term | None:
        """Work-items of a work-group."""
        return Ids(tuple(self._items)).product

    def _sub_groups(self) -> Term | None:
        """How many sub-groups a work-group has; the last one need not be full."""
        items = self._group_size
        if isinstance(items, int) and isinstance(self.width, int):
            return -(-items // self.width)
        return operation("/", items, self.width)

    def _items_of_sub_group(self, linear: Term | None) -> Term | None:
        """The work-items of a sub-group: the last one of a work-group has those that are left."""
        items = self._group_size
        if not isinstance(items, int) or not isinstance(self.width, int) or items % self.width == 0:
            return self.width
        first = operation("*", operation("/", linear, self.width), self.width)
        return operation("min", self.width, operation("-", items, first))


_GROUP_NAMES = {"get_id": "get_group_id", "get_linear_id": "get_group_linear_id"}
"""What a ``sycl::group`` calls its own id (SYCL 2020, class ``group``)."""
