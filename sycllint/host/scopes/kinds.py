"""What variables of a type are to a walk over host code."""

import re

from sycllint.cpp.expression import Expr, Name, Type
from sycllint.host.scopes.things import DYING, Kind, Thing
from sycllint.host.vocabulary import CONTAINERS, HOLDERS, LISTS
from sycllint.host.written import names_in
from sycllint.values.types import Types, as_type, pointed

_SYCL_KINDS = {
    "queue": Kind.QUEUE,
    "event": Kind.EVENT,
    "handler": Kind.HANDLER,
    "buffer": Kind.BUFFER,
    "host_accessor": Kind.HOST_ACCESSOR,
    "accessor": Kind.ACCESSOR,
}
_OF_SYCL = re.compile(r"sycl|usm|dpct|_(?:shared|host|device)$", re.IGNORECASE)
"""Names in a class that may allocate memory for devices."""
_DPCT_KINDS = {"queue_ptr": Kind.QUEUE, "event_ptr": Kind.EVENT}


class Kinds:
    """Answers for the types of one unit, each worked out once."""

    def __init__(self, types: Types) -> None:
        self._types = types
        self._kinds: dict[tuple[Name | str, int, bool], Kind] = {}
        self.lists_events = False
        """A list of events has been seen."""

    def of(self, written: Type) -> Kind:
        """What a variable of a type is."""
        name = written.name
        is_text = name.arguments is None and name.scope is None and name.text
        asked = (name.text if is_text else name, written.pointers, bool(written.extents))
        found = self._kinds.get(asked)
        if found is None:
            found = self._kinds[asked] = self._worked_out(written)
            self.lists_events = self.lists_events or found is Kind.EVENTS
        return found

    def _worked_out(self, written: Type) -> Kind:
        known = self._types.kind(written.name)
        name = known.name
        sycl = _SYCL_KINDS.get(known.sycl) if not known.extents else None
        if name.last in _DPCT_KINDS and not written.pointers:
            return _DPCT_KINDS[name.last]
        if self._leads_to_queue(written):
            return Kind.QUEUE
        if sycl in (Kind.QUEUE, Kind.EVENT) and not written.extents:
            return sycl if written.pointers <= 1 else Kind.OTHER
        if known.extents is not None:
            plain = known.extents.pointers == 1 and not known.extents.extents and not written.pointers
            return Kind.POINTER if plain and not written.extents else Kind.OTHER
        if written.pointers:
            return Kind.POINTER if written.pointers == 1 and not written.extents and sycl is None else Kind.OTHER
        if written.extents:
            return Kind.ARRAY if sycl is None else Kind.EVENTS if sycl is Kind.EVENT else Kind.OTHER
        if sycl is not None:
            return sycl
        library = name.qualifier in ("std", "::std") or (not name.qualifier and known.struct is None)
        if library and name.last in LISTS and self._is_of_events(name):
            return Kind.EVENTS
        if library and name.last in CONTAINERS:
            is_plain = _is_plain_container(name) and self._is_quiet(name)
            return Kind.CONTAINER if is_plain else Kind.OTHER
        if library and name.last == "unique_ptr":
            return Kind.OWNER
        if known.is_number or known.struct is not None or name.last == "bool":
            return Kind.OBJECT
        return Kind.OTHER

    def _is_of_events(self, name: Name) -> bool:
        """Whether the elements of a container are events."""
        held = as_type(name.arguments[0]) if name.arguments else None
        return held is not None and not held.pointers and self._types.is_sycl(held.name, "event")

    def has_allocator(self, written: Type | None) -> bool:
        """Whether a container is given an allocator: whose memory that gives is not known."""
        name = self._types.kind(written.name).name if written is not None else None
        return name is not None and _allocator(name) is not None

    def ends_with_block(self, written: Type, kind: Kind) -> bool:
        """Whether an automatic variable of a type, which is of ``kind``, takes its memory with it at once.

        A ``unique_ptr`` with a deleter of its own leaves that to the deleter, which may wait, or keep the memory.
        """
        if kind is Kind.OTHER:
            return _is_table(written) or self._lists_pointers(written)
        if kind is not Kind.OWNER:
            return kind in DYING
        name = self._types.kind(written.name).name
        deleter = as_type(name.arguments[1]) if name.arguments and len(name.arguments) > 1 else None
        return deleter is None or deleter.name.last == "default_delete"

    def is_table(self, thing: Thing) -> bool:
        """Whether a variable is an array of pointers: where it begins is the memory of the first."""
        return thing.kind is Kind.OTHER and thing.written is not None and _is_table(thing.written)

    def is_list(self, thing: Thing) -> bool:
        """Whether a variable is a container whose elements are pointers."""
        return thing.kind is Kind.OTHER and thing.written is not None and self._lists_pointers(thing.written)

    def _lists_pointers(self, written: Type) -> bool:
        if written.pointers or written.extents or written.name.last not in CONTAINERS:
            return False
        known = self._types.kind(written.name)
        name = known.name
        held = as_type(name.arguments[0]) if name.arguments else None
        library = name.qualifier in ("std", "::std") or (not name.qualifier and known.struct is None)
        return library and held is not None and bool(held.pointers) and _allocator(name) is None

    def is_array(self, written: Type | None) -> bool:
        """Whether a container is a ``std::array``, which has its elements in itself."""
        return written is not None and self._types.kind(written.name).name.last == "array"

    def _is_quiet(self, name: Name) -> bool:
        """Whether a container has no allocator of its own, or a visible one that does not allocate by SYCL."""
        argument = _allocator(name)
        if argument is None:
            return True
        allocator = as_type(argument)
        known = self._types.kind(allocator.name) if allocator is not None else None
        if known is None or known.struct is None:
            return False
        return not any(_OF_SYCL.search(each) for each in names_in(known.struct.node))

    def _leads_to_queue(self, written: Type) -> bool:
        """Whether a type is a smart pointer to a queue, or another name for a pointer to one."""
        if written.pointers or written.extents:
            return False
        known = self._types.kind(written.name)
        alias = known.extents
        if alias is not None:
            return alias.pointers == 1 and not alias.extents and self._types.is_sycl(alias.name, "queue")
        held = known.name.arguments[0] if known.name.arguments and known.name.last in HOLDERS else None
        kind = as_type(held) if held is not None else None
        return kind is not None and not kind.pointers and self._types.is_sycl(kind.name, "queue")


def element_of(whole: Type | None) -> Type | None:
    """What is behind a pointer, in an array, or held by a smart pointer or a list."""
    if whole is None:
        return None
    if whole.extents:
        return Type(whole.name, whole.pointers, False, whole.constant, whole.extents[1:], whole.start, whole.end)
    if whole.pointers:
        return pointed(whole, whole.pointers - 1)
    if whole.name.last in HOLDERS | LISTS and whole.name.arguments:
        return as_type(whole.name.arguments[0])
    return None


def _is_table(written: Type) -> bool:
    return bool(written.pointers and written.extents)


def _allocator(name: Name) -> Expr | None:
    return name.arguments[1] if name.last == "vector" and name.arguments and len(name.arguments) > 1 else None


def _is_plain_container(name: Name) -> bool:
    """Whether its elements are plain data in its own memory."""
    if not name.arguments:
        return True
    first = name.arguments[0]
    if isinstance(first, Type) and (first.pointers or first.extents):
        return False
    element = first.name if isinstance(first, Type) else first
    if not isinstance(element, Name):
        return False
    return (
        element.last not in CONTAINERS
        and element.last not in _SYCL_KINDS
        and not any("usm" in each for each in names_in(name))
    )
