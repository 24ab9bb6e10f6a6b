"""Who a work-item is: the level and the number of each id and range, and what follows from the size of the launch.

Ids are parameters of polynomials (``sycllint.values.symbolic``), so that ``i < n`` is decided where ``n`` is the very
extent of the launch, and two bounds that differ by the same id cancel.
"""

from __future__ import annotations

from functools import reduce
from math import prod

from sycllint.domains.id_sums import (
    GLOBAL,
    GROUP,
    LOCAL,
    cancelled,
    divides,
    holds,
    in_groups,
    kinds_of,
    only_id,
    parted,
    rounded_up,
    samples,
    verdict,
    without_places,
    without_rests,
)
from sycllint.domains.levels import UNIFORM, UNKNOWN, Content, Level
from sycllint.domains.vocabulary import IDS, LINEAR_IDS, RANGES
from sycllint.memoized import memoized
from sycllint.record import record, replace
from sycllint.values.arithmetic import LONG, Scalar
from sycllint.values.symbolic import add, constant, divide, multiply, negate, parameter, sum_of, symbolic
from sycllint.values.value import Known, Parameter, Symbolic, Term, Unknown, Value, all_known, known

WIDEST_SUB_GROUP = 64
"""No device has wider sub-groups: AMD's wavefronts of 64 (CDNA 3 ISA, "Wavefront"), 32 on NVIDIA's and Intel's."""
NARROWEST_SUB_GROUP = 8
"""Of Intel's GPUs, which have the narrowest (oneAPI GPU Optimization Guide, "Sub-groups and SIMD Vectorization")."""

_SUB_GROUP, _LANE = "sub-group", "lane"
_LINEAR = 9
"""Stands for a dimension in the key of a linear id."""
_LEVELS = {GROUP: Level.GROUP, _SUB_GROUP: Level.SUB_GROUP}
_LINEAR_RANGES = {"get_local_linear_range": LOCAL, "get_group_linear_range": GROUP}


@record
class Padding:
    """How a launch is larger than what a guard lets through, in one dimension."""

    bound: int | None
    extent: int | None
    """Both are ``None`` where neither is a number, and the extent is the bound rounded up."""


@record
class _Placed:
    """A global or local id in one dimension, plus a number of whole groups."""

    kind: str
    """``GLOBAL`` or ``LOCAL``."""
    dimension: int
    ahead: Symbolic
    """How many groups are added."""


_SUB_GROUP_SIZE = parameter(
    "sub-group size", "sub-group size", "the compiler's choice", minimum=1, maximum=WIDEST_SUB_GROUP
)


class Indices:
    """The ids of one launch. Extents are slowest dimension first; ``None`` where the runtime chooses."""

    def __init__(
        self,
        dims: int | None,
        whole: tuple[Value, ...] | None,
        local: tuple[Value, ...] | None,
        sub_group_size: Value | None,
    ) -> None:
        self.dims = dims
        self._whole = whole or ()
        self._local = local or ()
        self.sub_group = known(sub_group_size)
        self._atoms: dict[str, Symbolic] = {}
        self._of_item: dict[tuple[str, int | None, bool], Content] = {}
        self._known_places: dict[int, tuple[Value, _Placed | None]] = {}
        """By identity of a value, which is kept with it."""

    # ------------------------------------------------------------------ ids

    @property
    def group_size(self) -> int | None:
        """Work-items per group, when known."""
        sizes = all_known(self._local)
        return prod(sizes) if sizes else None

    def of_item(self, name: str, dimension: int | None, *, chosen: bool) -> Content:
        """What ``item.name(dimension)`` gives; ``chosen`` says that a dimension is written, known or not."""
        key = (name, dimension, chosen)
        found = self._of_item.get(key)
        if found is None:
            found = self._member_of_item(name, dimension, chosen=chosen)
            self._of_item[key] = found
        return found

    def _member_of_item(self, name: str, dimension: int | None, *, chosen: bool) -> Content:
        if name in LINEAR_IDS:
            return self._linear(LINEAR_IDS[name])
        if name in _LINEAR_RANGES:
            return UNIFORM
        if name in IDS:
            kind = IDS[name]
            if not chosen:
                return Content(self._level(kind, None), ids=name)
            return self.id(kind, dimension)
        if name in RANGES:
            if not chosen:
                return Content(Level.GRID, ids=name)
            return self._range(RANGES[name], dimension)
        if name == "leader":
            return Content(Level.ITEM)
        return UNIFORM if name == "get_offset" else UNKNOWN

    def element(self, ids: str, dimension: int | None) -> Content:
        """One component of what ``item.ids()`` gives."""
        return self.of_item(ids, dimension, chosen=True)

    @memoized
    def only(self, ids: str) -> Content:
        """An ``id`` or ``range`` where a number may be wanted: in one dimension it converts."""
        content = self.of_item(ids, 0 if self.dims == 1 else None, chosen=True)
        return replace(content, ids=ids)

    def of_sub_group(self, name: str) -> Content:
        """What ``sub_group.name()`` gives."""
        match name:
            case "get_local_id" | "get_local_linear_id":
                return Content(Level.ITEM, self._symbol_of_lane())
            case "get_group_id" | "get_group_linear_id":
                return Content(Level.SUB_GROUP, self._number(_SUB_GROUP, 0, None))
            case "get_local_range" | "get_local_linear_range" | "get_max_local_range":
                # The last sub-group of a group may be narrower; programs that ask assume whole ones.
                known_size = Known(self.sub_group) if self.sub_group is not None else None
                return Content(Level.GRID, Scalar(known_size or _SUB_GROUP_SIZE, LONG))
            case "get_group_range" | "get_group_linear_range":
                return UNIFORM
            case "leader":
                return Content(Level.ITEM)
            case _:
                return UNKNOWN

    def id(self, kind: str, dimension: int | None) -> Content:
        """One id of the work-item."""
        level = self._level(kind, dimension)
        if dimension is None:
            return Content(level)
        extent = self.extent(kind, dimension)
        size = known(extent)
        if size == 1:
            return Content(Level.GRID, Scalar(Known(0), LONG))
        return Content(level, self._number(kind, dimension, size - 1 if size is not None else None))

    def _linear(self, kind: str) -> Content:
        if self.dims == 1:
            return self.id(kind, 0)
        if kind == GROUP:
            return Content(Level.GROUP)
        if self.group_size == 1:
            return Content(Level.GROUP)
        size = known(self.extent(kind, _LINEAR))
        return Content(Level.ITEM, self._number(kind, _LINEAR, size - 1 if size is not None else None))

    def _range(self, kind: str, dimension: int | None) -> Content:
        extent = self.extent(kind, dimension) if dimension is not None else None
        if extent is None or symbolic(extent) is None:
            if dimension is None:
                return UNIFORM
            return Content(
                Level.GRID, Scalar(parameter(f"range!{kind}{dimension}", f"range!{kind}{dimension}", ""), LONG)
            )
        return Content(Level.GRID, Scalar(extent, LONG))

    def extent(self, kind: str, dimension: int) -> Value | None:
        """How many ids of a kind there are in one dimension, or in all of them, as far as that is known."""
        if kind == _LANE:
            return Known(self.sub_group) if self.sub_group is not None else _SUB_GROUP_SIZE
        if dimension == _LINEAR:
            each = [self.extent(kind, number) for number in range(self.dims or 0)]
            sizes = [found for size in each if size is not None and (found := symbolic(size)) is not None]
            return reduce(multiply, sizes) if sizes and len(sizes) == len(each) else None
        whole = self._whole[dimension] if 0 <= dimension < len(self._whole) else None
        local = self._local[dimension] if 0 <= dimension < len(self._local) else None
        if kind == GLOBAL:
            return whole
        if kind == LOCAL:
            return local
        if whole is None or local is None:
            return None
        first, second = symbolic(whole), symbolic(local)
        return divide(first, second) if first is not None and second is not None and constant(second) != 0 else None

    def _level(self, kind: str, dimension: int | None) -> Level:
        if kind == GROUP or self.group_size == 1:
            return Level.GROUP
        if dimension is None:
            return Level.ITEM if self.dims == 1 else Level.SPLIT
        extent = self.extent(LOCAL, dimension)
        size = known(extent)
        if size == 1:
            return Level.GROUP
        if self.dims != 1 and (extent is None or isinstance(extent, Unknown)):
            return Level.UNKNOWN  # A group may have one row, or one column, and all of it be the same there.
        if self.dims is None:
            return Level.SPLIT
        if dimension == self.dims - 1:
            return Level.ITEM
        # Slower dimensions change from row to row, and sub-groups run along the last one.
        row = known(self.extent(LOCAL, self.dims - 1))
        return self.by_blocks(row) if row is not None else Level.SPLIT

    def by_blocks(self, block: int) -> Level:
        """The level of what is the same in each run of ``block`` work-items."""
        if block > 0 and block % (self.sub_group or WIDEST_SUB_GROUP) == 0:
            return Level.SUB_GROUP
        if self.sub_group is not None or block % NARROWEST_SUB_GROUP:
            return Level.ITEM
        return Level.SPLIT

    def _number(self, kind: str, dimension: int, maximum: int | None) -> Scalar:
        key = f"{kind}!{dimension}"
        found = self._atoms.get(key)
        if found is None:
            found = self._atoms[key] = parameter(key, key, "an id", minimum=0, maximum=maximum)
        return Scalar(found, LONG)

    # ------------------------------------------------------------- questions

    def level_of(self, value: Value) -> Level | None:
        """What a polynomial says of its level: below that of its parts when ids cancel; ``None`` when it says nothing.

        Only where no id is left does it say something.
        """
        if isinstance(value, Known):
            return Level.GRID
        if not isinstance(value, Symbolic):
            return None
        if value.minimum is not None and value.minimum == value.maximum:
            return Level.GRID
        terms = without_places(value.terms)
        kinds = {kind for term in terms for atom in term.atoms for kind in kinds_of(atom)}
        if kinds <= {GROUP}:
            return Level.GROUP if kinds or len(terms) < len(value.terms) else Level.GRID
        if self.dims == 1 and _LANE in kinds:
            terms = cancelled(cancelled(terms, f"{LOCAL}!0", f"{_LANE}!0"), f"{GLOBAL}!0", f"{_LANE}!0")
            kinds = {kind for term in terms for atom in term.atoms for kind in kinds_of(atom)}
            return Level.SUB_GROUP if kinds <= {GROUP, _SUB_GROUP} else None
        return None

    def is_lane(self, value: Value) -> bool:
        """Whether a value is the id that changes fastest in a group, give or take a constant."""
        atom = only_id(value)
        return atom is not None and atom.key in (f"{LOCAL}!{(self.dims or 0) - 1}", f"{LOCAL}!{_LINEAR}")

    def counts_group(self, value: Value) -> bool:
        """Whether a value is the linear id of the group, asked or written out from the ids of several dimensions."""
        atom, sizes = only_id(value), all_known(self._local)
        if atom is not None and atom.key == f"{LOCAL}!{_LINEAR}":
            return True
        if not isinstance(value, Symbolic) or sizes is None or len(sizes) != self.dims:
            return False
        strides: dict[str, int] = {}
        stride = 1
        for dimension, size in reversed(list(enumerate(sizes))):
            if size != 1:
                strides[f"{LOCAL}!{dimension}"] = stride
                stride *= size
        found = {term.atoms[0].key: term.factor for term in value.terms if len(term.atoms) == 1}
        return len(strides) > 1 and len(found) == len(value.terms) and found == strides

    def runs_along(self, value: Value) -> bool:
        """Whether a value counts the work-items of a group, or those of rows that are whole sub-groups."""
        atom = only_id(self._folded(value)) if isinstance(value, Symbolic) else None
        if atom is None:
            return False
        row = known(self.extent(LOCAL, (self.dims or 0) - 1))
        in_whole_rows = row is not None and row % (self.sub_group or WIDEST_SUB_GROUP) == 0
        if atom.key == f"{GLOBAL}!{(self.dims or 0) - 1}":
            return in_whole_rows
        if not self.is_lane(value):
            return False
        if self.dims == 1 or atom.key == f"{LOCAL}!{_LINEAR}":
            return True
        return in_whole_rows or (len(self._local) == self.dims and all(known(each) == 1 for each in self._local[:-1]))

    def is_of_group(self, value: Value, divisor: Value) -> bool:
        """Whether ``global_id / divisor`` is the same in a group, in each turn of a loop by whole groups."""
        placed = self._placed(value)
        by = symbolic(divisor)
        if placed is None or by is None:
            return False
        size, number = self._size(placed.dimension), constant(by)
        known_size = constant(size)
        if known_size is not None:
            return number is not None and known_size > 0 and number % known_size == 0
        return by.terms == size.terms

    def may_be_of_group(self, value: Value, divisor: int) -> bool:
        """Whether a group of unknown size may be what a global id is divided by."""
        placed = self._placed(value)
        if placed is None or placed.kind != GLOBAL:
            return False
        return constant(self._size(placed.dimension)) is None and divisor > WIDEST_SUB_GROUP

    def quotient(self, operator: str, left: Value, right: Value) -> Scalar | None:
        """``global_id / local_range`` as the id of the group, ``global_id % local_range`` as the local id.

        A loop by whole groups adds as many to the first of them. And ``local_id % width`` is the lane.
        """
        if operator in ("%", "&") and self.sub_group is not None and self.dims == 1 and self._is_own(left):
            mask = self.sub_group if operator == "%" else self.sub_group - 1
            if known(right) == mask:
                return self._symbol_of_lane()
        placed = self._placed(left) if operator in ("/", "%", ">>") else None
        by, bits = symbolic(right), known(right)
        if operator == ">>":
            by = symbolic(Known(1 << bits)) if bits is not None and 0 <= bits < 31 else None
        if placed is None or by is None:
            return None
        if by.terms != self._size(placed.dimension).terms:
            return self._folded_quotient(left, by) if operator != "%" else None
        if operator == "%":
            return self.id(LOCAL, placed.dimension).number
        own = self.id(GROUP, placed.dimension).number if placed.kind == GLOBAL else Scalar(Known(0), LONG)
        first = symbolic(own.value) if own is not None else None
        if first is None:
            return None
        which = add(first, placed.ahead)
        number = constant(which)
        return Scalar(Known(number) if number is not None else which, LONG)

    def _folded_quotient(self, left: Value, by: Symbolic) -> Scalar | None:
        """``(group * local_range + local_id) / 4`` as that of the global id; ``None`` for another id."""
        written = symbolic(left)
        whole = self._folded(written) if written is not None else None
        if written is None or whole is None or whole.terms == written.terms:
            return None
        found = divide(whole, by)
        return Scalar(found, LONG) if found is not None else None

    def _is_own(self, value: Value) -> bool:
        """Whether a value is the id of the work-item, in its group or in the launch."""
        if not isinstance(value, Symbolic) or len(value.terms) != 1:
            return False
        atom = only_id(value)
        return atom is not None and atom.key in (f"{LOCAL}!0", f"{GLOBAL}!0")

    def _placed(self, value: Value) -> _Placed | None:
        """The id and the number of whole groups that a value adds up, also where an id is written as its parts."""
        found = self._known_places.get(id(value))
        if found is None:
            placed = self._placed_sum(value) if isinstance(value, Symbolic) else None
            found = self._known_places[id(value)] = (value, placed)
        return found[1]

    def _placed_sum(self, value: Symbolic) -> _Placed | None:
        ids, others = parted(self._folded(value))
        atom = only_id(sum_of(tuple(ids))) if len(ids) == 1 else None
        kind, _, number = atom.key.partition("!") if atom is not None else ("", "", "")
        if kind not in (GLOBAL, LOCAL) or number not in ("0", "1", "2"):
            return None
        dimension = int(number)
        groups = parameter(f"range!{GROUP}{dimension}", f"range!{GROUP}{dimension}", "", minimum=1)
        ahead = in_groups(others, self._size(dimension), self._number_of(GLOBAL, dimension), groups)
        return _Placed(kind, dimension, ahead) if ahead is not None else None

    def _size(self, dimension: int) -> Symbolic:
        """The extent of a group: its number, or what asking the item for it gives."""
        return self._number_of(LOCAL, dimension)

    @memoized
    def _number_of(self, kind: str, dimension: int) -> Symbolic:
        """How many ids of a kind there are: the extent, or what asking the item for it gives."""
        extent = self.extent(kind, dimension)
        found = symbolic(extent) if extent is not None else None
        return found if found is not None else parameter(f"range!{kind}{dimension}", f"range!{kind}{dimension}", "")

    def is_sub_group_size(self, value: Value) -> bool:
        """Whether a value is what a sub-group says of its size."""
        if isinstance(value, Known):
            return value.value == self.sub_group
        return isinstance(value, Symbolic) and value.terms == _SUB_GROUP_SIZE.terms

    def is_rounded_down(self, left: Value, right: Value) -> bool:
        """Whether an id is compared with its own extent rounded down, which may be the extent itself."""
        for lane, bound in ((left, right), (right, left)):
            atom = only_id(lane)
            if atom is None or not isinstance(bound, Symbolic):
                continue
            kind, _, dimension = atom.key.partition("!")
            if not dimension.isdigit() or kind == _LANE:
                continue
            size = self._number_of(kind, int(dimension))
            keys = {each.key for term in size.terms for each in term.atoms}
            if keys and any(
                "/" in each.text and keys & set(each.key.split("|")) for t in bound.terms for each in t.atoms
            ):
                return True
        return False

    def aligned(self, operator: str, left: Value, right: Value) -> Level | None:
        """The level of ``id < bound`` where the bound lies between two groups, or between two sub-groups."""
        first, second = symbolic(left), symbolic(right)
        if first is None or second is None:
            return None
        difference = self._folded(add(first, negate(second)))
        atom = only_id(difference) or only_id(negate(difference))
        if atom is None:
            return None
        kind, _, dimension = atom.key.partition("!")
        if kind not in (GLOBAL, LOCAL) or dimension not in ("0", "1", "2"):
            return None
        plain = only_id(difference) is not None
        inclusive = operator in (("<=", ">") if plain else ("<", ">="))
        more = symbolic(Known(int(inclusive)))
        of_atom = self._symbol(kind, int(dimension))
        if more is None:
            return None
        # id - bound, or bound - id: the bound by itself, one higher where it is included.
        bound = add(of_atom, negate(difference)) if plain else add(difference, of_atom)
        bound = add(bound, more)
        extent = self._size(int(dimension))
        size = constant(extent)
        whole = self.extent(GLOBAL, int(dimension)) if self._local else None
        in_launch = symbolic(whole) if whole is not None else None
        if (bound.multiple_of % size == 0 if size else divides(extent, bound)) or (
            # A launch has whole groups.
            in_launch is not None and constant(in_launch) is None and divides(in_launch, bound)
        ):
            return Level.GROUP
        if self.dims == 1 and divides(_SUB_GROUP_SIZE, bound):
            return Level.SUB_GROUP
        width = self.sub_group or WIDEST_SUB_GROUP
        in_whole_rows = int(dimension) + 1 == self.dims and size is not None and size % width == 0
        return self.by_blocks(bound.multiple_of) if in_whole_rows else None

    def undivided(self, operator: str, left: Value, right: Value) -> tuple[str, Value, Value]:
        """``id / 16 < bound`` as ``id < 16 * bound``; any other comparison as it is."""
        first, second = symbolic(left), symbolic(right)
        if first is None or second is None or operator in ("==", "!="):
            return operator, left, right
        quotient = _quotient_of_id(first)
        if quotient is not None:
            bound = _times(second, quotient.divisor, inclusive=operator in (">", "<="))
            return ">=" if ">" in operator else "<", sum_of(quotient.dividend), bound
        quotient = _quotient_of_id(second)
        if quotient is not None:
            bound = _times(first, quotient.divisor, inclusive=operator in ("<", ">="))
            return "<=" if "<" in operator else ">", bound, sum_of(quotient.dividend)
        return operator, left, right

    def decided(self, operator: str, left: Value, right: Value) -> bool | None:
        """A comparison, when it comes out alike for every work-item of the launch."""
        first, second = symbolic(left), symbolic(right)
        if first is None or second is None:
            return None
        difference = self._folded(add(first, negate(second)))
        return verdict(operator, self.lowest(difference), self.highest(difference))

    def lowest(self, value: Symbolic) -> int | None:
        """A bound from below over all work-items."""
        if value.minimum is not None:
            return value.minimum
        extreme = self._extreme(value, high=False)
        if extreme.minimum is not None:
            return extreme.minimum
        most = without_rests(negate(extreme)).maximum
        return None if most is None else -most

    def highest(self, value: Symbolic) -> int | None:
        """A bound from above over all work-items."""
        if value.maximum is not None:
            return value.maximum
        extreme = self._extreme(value, high=True)
        return extreme.maximum if extreme.maximum is not None else without_rests(extreme).maximum

    def differs(self, operator: str, left: Value, right: Value) -> bool:
        """Whether a comparison surely comes out both ways in a group: ``local_id < 16`` of 64, all known."""
        first, second = symbolic(left), symbolic(right)
        if first is None or second is None:
            return False
        difference = add(first, negate(second))
        (ids, rest) = parted(difference)
        if len(ids) != 1 or any(term.atoms for term in rest) or abs(ids[0].factor) != 1 or len(ids[0].atoms) != 1:
            return False
        atom = ids[0].atoms[0]
        size = self._ids_in_group(atom)
        if size is None or size < 2:
            return False
        offset = sum(term.factor for term in rest)
        outcomes = {holds(operator, ids[0].factor * each + offset) for each in samples(size, offset)}
        return len(outcomes) == 2

    def _ids_in_group(self, atom: Parameter) -> int | None:
        """How many values a local id takes in a group."""
        if atom.key == f"{LOCAL}!{_LINEAR}":
            return self.group_size
        kind, _, dimension = atom.key.partition("!")
        return known(self.extent(LOCAL, int(dimension))) if kind == LOCAL and dimension.isdigit() else None

    def overhang(self, left: Value, right: Value) -> Padding | None:
        """How the launch is padded, if it is so that ``global_id >= bound`` parts a group."""
        first, bound = symbolic(left), symbolic(right)
        if first is None or bound is None:
            return None
        first = self._folded(first)
        if len(first.terms) != 1 or first.terms[0].factor != 1 or len(first.terms[0].atoms) != 1:
            return None
        kind, _, dimension = first.terms[0].atoms[0].key.partition("!")
        if kind != GLOBAL or dimension not in ("0", "1", "2"):
            return None
        extent = self.extent(GLOBAL, int(dimension))
        whole, limit = known(extent), constant(bound)
        local = known(self.extent(LOCAL, int(dimension)))
        if whole is not None and limit is not None:
            return Padding(limit, whole) if local and 0 < limit < whole and limit % local else None
        padded = isinstance(extent, Symbolic) and rounded_up(extent, bound)
        return Padding(None, None) if padded else None

    def _folded(self, value: Symbolic) -> Symbolic:
        """``group * local_range + local_id`` as the global id it is."""
        for dimension in range(len(self._local)):
            key = f"{LOCAL}!{dimension}"
            factor = next((term.factor for term in value.terms if len(term.atoms) == 1 and term.atoms[0].key == key), 0)
            whole = self._less_by_hand(dimension) if factor else None
            if whole is None:
                continue
            scaled = multiply(whole, symbolic(Known(factor)) or whole)
            candidate = add(value, scaled)
            keys = {atom.key for term in candidate.terms for atom in term.atoms}
            if key not in keys and f"{GROUP}!{dimension}" not in keys:
                value = candidate
        return value

    @memoized
    def _less_by_hand(self, dimension: int) -> Symbolic | None:
        """``global_id - (group * local_range + local_id)``, which is 0; ``None`` where the range is not known."""
        extent = symbolic(self._local[dimension])
        if extent is None:
            return None
        group, local = self._symbol(GROUP, dimension), self._symbol(LOCAL, dimension)
        return add(self._symbol(GLOBAL, dimension), negate(add(multiply(group, extent), local)))

    def _symbol_of_lane(self) -> Scalar:
        return Scalar(self._symbol(_LANE, 0), LONG)

    def _symbol(self, kind: str, dimension: int) -> Symbolic:
        size = self.sub_group if kind == _LANE else known(self.extent(kind, dimension))
        value = self._number(kind, dimension, size - 1 if size is not None else None).value
        assert isinstance(value, Symbolic)
        return value

    def _extreme(self, value: Symbolic, *, high: bool) -> Symbolic:
        """``value`` with each id at the end of its range that makes it highest or lowest."""
        one = symbolic(Known(1))
        for term in value.terms:
            if len(term.atoms) != 1 or one is None:
                continue
            kind, _, dimension = term.atoms[0].key.partition("!")
            if kind not in (LOCAL, GLOBAL, GROUP, _LANE) or not dimension.isdigit():
                continue
            factor = symbolic(Known(term.factor))
            if factor is None:
                continue
            value = add(value, negate(multiply(factor, self._symbol(kind, int(dimension)))))
            if (term.factor > 0) is high:
                size = self._number_of(kind, int(dimension))
                value = add(value, multiply(factor, add(size, negate(one))))
        return value

    def same_trips(self, start: Value, end: Value, step: Value) -> bool:
        """Whether a loop from ``start`` up to ``end`` by ``step`` makes as many trips in each work-item of a group."""
        first, last, stride = symbolic(start), symbolic(end), symbolic(step)
        if first is None or last is None:
            return False
        distance = self._folded(add(last, negate(first)))
        level = self.level_of(distance)
        if level is not None and level <= Level.GROUP:
            return True
        if stride is None:
            return False
        ids, _ = parted(distance)
        if any(len(term.atoms) != 1 for term in ids):
            return False
        # distance = rest - offset, with the offset in [0, step): as many trips when the step divides the rest.
        offset = negate(sum_of(tuple(ids)))
        base = add(distance, offset)
        below = self.highest(add(offset, negate(stride)))
        low = self.lowest(offset)
        if low is None or low < 0 or (below is not None and below >= 0):
            return False
        if below is None and (constant(stride) is None or any(map(known, self._local))):
            # A group of unknown size is taken for one of the size that a constant step is made for.
            return False
        if stride.terms == _SUB_GROUP_SIZE.terms and base.multiple_of % WIDEST_SUB_GROUP == 0:
            return True
        number = constant(stride)
        return base.multiple_of % number == 0 if number else divide(base, stride) is not None and divides(stride, base)


def _quotient_of_id(value: Symbolic) -> Parameter | None:
    """The quotient of what is computed from ids, and is not negative, by a number, where a value is one."""
    if len(value.terms) != 1 or value.terms[0].factor != 1 or len(value.terms[0].atoms) != 1:
        return None
    atom = value.terms[0].atoms[0]
    return atom if atom.dividend and kinds_of(atom) and atom.minimum is not None and atom.minimum >= 0 else None


def _times(bound: Symbolic, divisor: int, *, inclusive: bool) -> Symbolic:
    """The first dividend whose quotient by ``divisor`` is ``bound``, or is beyond it where that is inclusive."""
    return sum_of((*bound.terms, Term((), 1)) if inclusive else bound.terms, divisor)
