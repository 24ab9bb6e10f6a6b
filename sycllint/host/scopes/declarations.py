"""What declarations of host code make: which thing a variable is from there on, by its type and its initialiser."""

from __future__ import annotations

from collections.abc import Sequence

from sycllint.cpp.expression import Brace, Call, Cast, Expr, Lambda, Member, Name, New, Type
from sycllint.cpp.place import Place, inside
from sycllint.cpp.statement import CONST, CONSTEXPR, STATIC, Function, FunctionParameter, Return, Variable
from sycllint.facts.file import Declared
from sycllint.host.scopes.code_index import CodeIndex
from sycllint.host.scopes.kept_events import KeptEvents, command_of
from sycllint.host.scopes.kinds import element_of
from sycllint.host.scopes.memory import MemoryReferences
from sycllint.host.scopes.own_queues import OwnQueues
from sycllint.host.scopes.queues import device_of, known_in, made_from, order_by, order_of_list
from sycllint.host.scopes.receivers import Receivers, last_name, suggests_queue
from sycllint.host.scopes.things import WITH_MEMBERS, AllocatedCount, Allocator, Command, Kind, QueueOrder, Ref, Thing
from sycllint.host.scopes.walk_context import WalkContext
from sycllint.host.vocabulary import ALLOCATORS, C_ALLOCATORS
from sycllint.host.written import names_in
from sycllint.values.object_model.allocations import MAKERS
from sycllint.values.objects import TypeKind
from sycllint.values.types import as_type, qualifier_is_sycl

_MAKERS = frozenset({"make_unique", "make_unique_for_overwrite"})

_GIVEN = (Kind.CONTAINER, Kind.OWNER, Kind.POINTER)
"""What ``auto`` is by the type of a function that gives it."""
_ORIGINS = {"device": Allocator.DEVICE, "shared": Allocator.SHARED, "host": Allocator.HOST}
_BY_KIND = frozenset({"malloc", "aligned_alloc"})
"""Allocators of SYCL that take the kind of memory as an argument; C has functions of these names, too."""
_OF_C = frozenset({"", "std", "::", "::std"})
"""Qualifiers of functions of the C library."""
_MOST_SIZES = 2
"""Arguments of C's."""


class HostDeclarations:
    """Declarations at the place where ``scope`` is."""

    def __init__(
        self,
        scope: WalkContext,
        code: CodeIndex,
        receivers: Receivers,
        memory: MemoryReferences,
        events: KeptEvents,
        queues: OwnQueues,
    ) -> None:
        self._scope = scope
        self._code = code
        self._receivers = receivers
        self._memory = memory
        self._events = events
        self._queues = queues

    def parameter(self, parameter: FunctionParameter) -> Thing:
        """What a parameter is, given nothing."""
        kind = self._scope.kind(parameter.type)
        by_value = not parameter.type.reference and not parameter.type.extents
        if kind is Kind.ARRAY:
            kind = Kind.POINTER
        return Thing(
            parameter.name,
            kind,
            self._scope.location(parameter),
            block=self._scope.block,
            automatic=by_value and self._scope.kinds.ends_with_block(parameter.type, kind),
            leaves=kind is Kind.POINTER and not parameter.type.reference,
            constant=parameter.type.constant,
            type_name=parameter.type.name.last,
            written=parameter.type,
        )

    def variable(self, variable: Variable, value: Thing | Command | None) -> Thing:
        """What a declaration makes; ``value`` is what its initialiser is, when that is a thing or a command."""
        kind = self._scope.kind(variable.type)
        arguments = variable.arguments
        only = arguments[0] if len(arguments) == 1 else None
        written = variable.type
        known = self._scope.evaluator.types.kind(variable.type.name, self._scope.place)
        if known.automatic:
            kind = self._deduced(variable, only, value)
            deduced = self._receivers.type_of(only) if kind in WITH_MEMBERS and only is not None else None
            if deduced is not None:
                written = deduced
                given = self._scope.kind(deduced) if kind is Kind.OTHER else kind
                kind = given if given in _GIVEN else kind
        ends = not variable.type.reference and not variable.flags & STATIC
        made = Thing(
            variable.name,
            kind,
            self._scope.location(variable),
            block=self._scope.block,
            automatic=ends and self._scope.kinds.ends_with_block(written, kind),
            leaves=ends and kind is Kind.POINTER,
            constant=variable.type.constant or bool(variable.flags & (CONST | CONSTEXPR)),
            loops=self._scope.loops,
            type_name=_hint(written, only),
            written=written,
        )
        if variable.flags & STATIC:
            return made
        if isinstance(value, Thing) and value.kind is Kind.QUEUE and (value.given or value.owner is not None):
            # It is called by this name from here on.
            return made.again(owner=value.owner, given=value.given, order=value.order)
        if variable.type.reference and isinstance(value, Thing):
            return value
        if variable.type.reference and only is not None and kind in (Kind.OBJECT, Kind.OTHER):
            made = made.again(target=self._memory.behind(only))
        match kind:
            case Kind.QUEUE:
                return self.queue(made, variable, value)
            case Kind.EVENT:
                return made.again(command=command_of(value))
            case Kind.POINTER:
                return self.pointing(made, only) if only is not None else made
            case Kind.LAMBDA if isinstance(only, Lambda):
                return self.holding(made, only)
            case Kind.OTHER if isinstance(only, Lambda) and self._holds_function(variable.type):
                return self.holding(made, only)
            case Kind.BUFFER:
                return self._buffer(made, variable)
            case Kind.OTHER if (
                asked := order_of_list(variable, self._scope, self._receivers.type_of)
            ) is not QueueOrder.UNKNOWN:
                return made.again(type_name="property_list", order=asked)
            case Kind.REDUCTION if only is not None:
                return made.again(target=self.reduced(only), combines=combines(only))
            case Kind.EVENTS:
                is_list = variable.style == "{" or isinstance(only, Brace)
                listed = self._events.given(arguments) if is_list or not arguments else None
                if listed is not None:
                    self._events.has(made, listed)
                return made
            case Kind.HOST_ACCESSOR | Kind.ACCESSOR:
                return made
            case _:
                holds = any(map(self._hands_on_queue, arguments))
                guards = self._guards(made, variable, known)
                count = self._constructed_with(written, variable) if kind is Kind.CONTAINER else None
                return made.again(holds_queue=holds, guards=guards, count=count) if holds or guards or count else made

    def _hands_on_queue(self, argument: Expr) -> bool:
        """Whether what is made from an argument may have a queue or an event from it: memory has none."""
        return self._scope.mentions_queue(argument) and self.allocation(argument) in (Allocator.UNKNOWN, Allocator.NEW)

    @staticmethod
    def _guards(made: Thing, variable: Variable, known: TypeKind) -> bool:
        """Whether the end of an object of a ``known`` type may do more than free its memory."""
        if not variable.arguments or variable.type.reference or variable.type.pointers or variable.type.extents:
            return False
        if known.struct is not None:
            return any(each.name.startswith("~") for each in known.struct.node.functions)
        return made.kind is Kind.OTHER and known.name.qualifier.partition("::")[0] != "std" and not known.automatic

    def _deduced(self, variable: Variable, only: Expr | None, value: Thing | Command | None) -> Kind:
        """The kind of an ``auto`` variable."""
        if isinstance(value, Command):
            return Kind.EVENT
        if isinstance(value, Thing) and value.kind is Kind.QUEUE:
            return Kind.QUEUE
        if isinstance(value, Thing) and value.kind in (Kind.EVENT, Kind.EVENTS):
            return value.kind
        if isinstance(only, Lambda):
            return Kind.LAMBDA
        if only is None or variable.type.pointers > 1:
            return Kind.OTHER
        if self.allocation(only) is not Allocator.UNKNOWN or variable.type.pointers:
            return Kind.POINTER
        if isinstance(value, Thing) and isinstance(_bare(only), Name | Member):
            return value.kind
        if self.reduced(only) is not None:
            return Kind.REDUCTION
        if self.locked_buffer(only) is not None:
            return Kind.HOST_ACCESSOR
        match _bare(only):
            case Call(function=Member(name="data"), arguments=()) if self._memory(only) is not None:
                return Kind.POINTER
            case Call(function=Name(arguments=(held, *_)) as kind) if kind.last in _MAKERS:
                element = as_type(held)
                return Kind.QUEUE if element is not None and self._scope.kind(element) is Kind.QUEUE else Kind.OWNER
            case Call(function=Name() as kind) | Brace(type=Name() as kind):
                plain = Type(kind, 0, False, False, (), kind.start, kind.end)
                made = self._scope.kind(plain)
                return made if made in (Kind.QUEUE, Kind.CONTAINER, Kind.BUFFER, Kind.HOST_ACCESSOR) else Kind.OTHER
            case Cast(type=kind):
                return self._scope.kind(kind) if kind.pointers else Kind.OTHER
            case _:
                return Kind.OTHER

    def _holds_function(self, written: Type) -> bool:
        """Whether a type is ``std::function``."""
        name = self._scope.evaluator.types.kind(written.name).name
        return name.last == "function" and name.qualifier in ("std", "::std") and not written.pointers

    def holding(self, made: Thing, function: Lambda) -> Thing:
        """A variable that holds a lambda."""
        return made.again(
            kind=Kind.LAMBDA,
            closure=function,
            closure_place=self._scope.place,
            closure_depth=len(self._scope.callers),
        )

    def reduced(self, value: Expr) -> Ref | None:
        """The memory of ``sycl::reduction(pointer, …)``; of a reduction over a buffer it is none."""
        if not isinstance(value, Call) or not isinstance(value.function, Name) or not value.arguments:
            return None
        function = value.function
        is_sycl = not function.qualifier or qualifier_is_sycl(function.qualifier, self._scope.facts.namespaces)
        return self._memory(value.arguments[0]) if is_sycl and function.last == "reduction" else None

    def locked_buffer(self, value: Expr) -> Thing | None:
        """The buffer of ``b.get_host_access()`` and ``b.get_access<mode>()``, which make host accessors."""
        match value:
            case (
                Call(function=Member(object=inner, name="get_host_access"))
                | Call(function=Member(object=inner, name="get_access"), arguments=())
            ):
                found = self._scope.thing(inner)
            case _:
                return None
        return found if found is not None and found.kind is Kind.BUFFER else None

    def queue(self, made: Thing, variable: Variable, value: Thing | Command | None) -> Thing:
        """A queue that is declared: another one, of which it is a copy, or one of its own."""
        if isinstance(value, Thing) and value.kind is Kind.QUEUE:
            # A copy, or a pointer to it: the same queue.
            return value
        known = self._scope.evaluator.types.kind(variable.type.name, self._scope.place)
        if variable.type.pointers or variable.type.reference or not (known.automatic or known.sycl):
            return made
        arguments = made_from(variable, self._scope, self._receivers.type_of)
        device = device_of(variable.arguments if arguments is None else arguments, self._scope)
        if arguments is None and not device:
            return made
        self._queues.exist = True
        order = order_by(arguments or (), known_in(self._scope, self._receivers.type_of))
        order = order if arguments is not None else QueueOrder.UNKNOWN
        return made.again(order=order, device=device, own=True, automatic=True)

    def _buffer(self, made: Thing, variable: Variable) -> Thing:
        arguments = variable.arguments
        first = arguments[0] if arguments else None
        if first is None or isinstance(first, Brace) or variable.style == "=":
            return made
        reading = isinstance(first, Call) and isinstance(first.function, Member) and first.function.name != "data"
        target = self._memory(first)
        found = self._scope.thing(first)
        if target is None and found is not None and found.kind is Kind.CONTAINER:
            target = Ref(found)
        by_iterators = len(arguments) > 1 and self._memory(arguments[1]) is not None
        if target is None or reading or by_iterators:
            return made
        # What stands behind the memory and its range is a list of properties, or an allocator beside one.
        with_properties = len(arguments) > (1 if found is not None and found.kind is Kind.CONTAINER else 2)
        in_place = any("use_host_ptr" in names_in(each) for each in arguments[1:])
        writes_back = not (with_properties or target.thing.constant)
        return made.again(target=target, writes_back=writes_back, in_place=in_place)

    def pointing(self, made: Thing, value: Expr) -> Thing:
        """A pointer that is set to ``value``."""
        origin = self.allocation(value)
        if isinstance(value, New) and any(map(self._scope.mentions_queue, value.arguments)):
            made = made.again(holds_queue=True)
        if origin is not Allocator.UNKNOWN:
            queue = self._queue_of(value) if origin.is_usm else None
            at = self._scope.location(value)
            return made.again(origin=origin, allocated=at, allocated_for=queue, count=self._count(value))
        return made.again(target=self._memory(value))

    def _queue_of(self, allocation: Expr) -> Thing | None:
        """The queue that an allocation is made with, where that is for a device that is known from others."""
        call = _bare(allocation)
        found = [self._scope.thing(each) for each in call.arguments[1:]] if isinstance(call, Call) else []
        return next((each for each in found if each is not None and each.device), None)

    def _count(self, value: Expr) -> AllocatedCount | None:
        """How much memory an allocation asks for, where it is written here."""
        match _bare(value):
            case New(type=Type(extents=(count,)) as kind) if count is not None:
                return AllocatedCount(self._scope.number(count), element_of(kind))
            case Call(function=Name() as function, arguments=arguments) if arguments:
                return self.asked(function, arguments)
            case _:
                return None

    def _constructed_with(self, written: Type, variable: Variable) -> AllocatedCount | None:
        """How many elements a container is made with: the first of one or two arguments, where that is a number."""
        arguments = variable.arguments
        if variable.style != "(" or len(arguments) not in (1, 2) or self._scope.kinds.is_array(written):
            return None
        return AllocatedCount(self._scope.number(arguments[0]), element_of(written))

    def asked(self, function: Name, arguments: tuple[Expr, ...]) -> AllocatedCount | None:
        """What an allocator of SYCL or of C is asked for; one of the project's own may count anything."""
        last = function.last
        if self._scope.evaluator.symbols.functions(function, self._scope.place).declared:
            return None
        if last == "malloc" and len(arguments) == 1:
            is_of_c = function.qualifier in _OF_C and function.arguments is None
            return AllocatedCount(self._scope.number(arguments[0], in_bytes=True), None) if is_of_c else None
        position = MAKERS.get(last, 0)
        if last not in ALLOCATORS or len(arguments) <= position:
            return None
        element = as_type(function.arguments[0]) if function.arguments else None
        if function.arguments and element is None:
            return None
        return AllocatedCount(self._scope.number(arguments[position], in_bytes=element is None), element)

    def _given_by(self, call: Call, functions: Sequence[Declared[Function]], depth: int) -> Allocator:
        """How the memory is allocated that a function of the project gives, for the arguments of the call."""
        bodies = [each for each in functions if each.node.body is not None]
        if len(bodies) != 1 or depth or bodies[0].node.damaged:
            return Allocator.UNKNOWN
        (declared,) = bodies
        value = self._code.given(declared.node)
        given = (value,) if value is not None else self._given_for(call, declared)
        origins = {self.allocation(each, depth + 1) for each in given}
        return origins.pop() if len(origins) == 1 else Allocator.UNKNOWN

    def _given_for(self, call: Call, declared: Declared[Function]) -> list[Expr]:
        """What a function may return that is called with these arguments."""
        evaluator, body, returns = self._scope.evaluator, declared.node.body, declared.node.returns
        given = self._code.returned(declared.node) if returns is not None and returns.pointers else {}
        if body is None or not given:
            return []
        frame = self._scope.frame_of(declared.node, call.arguments, call)
        found: list[Expr] = []
        for place in inside(Place(body, declared.place), given):
            each = place.node
            if isinstance(each, Return) and each.value is not None:
                found += [] if evaluator.under(frame, evaluator.reach.never_runs, place) else [each.value]
        return found

    def allocation(self, value: Expr, depth: int = 0) -> Allocator:
        """How the memory that an expression gives is allocated."""
        match _bare(value):
            case New(type=kind, placement=()) if not self._code.classes.allocates(kind):
                return Allocator.NEW
            case Call(function=Name() as function, arguments=arguments) as call:
                last, qualifier = function.last, function.qualifier
                sycl = not qualifier or qualifier_is_sycl(qualifier, self._scope.facts.namespaces)
                if last not in ALLOCATORS or not qualifier:
                    found = self._scope.evaluator.symbols.functions(function, self._scope.place).declared
                    if found:
                        return self._given_by(call, found, depth)
                if last in ALLOCATORS and sycl:
                    return _ORIGINS[ALLOCATORS[last]]
                if last in _BY_KIND and sycl and (len(arguments) > _MOST_SIZES or function.arguments is not None):
                    return _kind(arguments)
                if last in C_ALLOCATORS and qualifier in _OF_C:
                    return Allocator.MALLOC
        return Allocator.UNKNOWN


def _kind(arguments: tuple[Expr, ...]) -> Allocator:
    """What ``sycl::malloc(size, queue, sycl::usm::alloc::shared)`` asks for, where it is spelled out."""
    kinds = (each.last for each in arguments if isinstance(each, Name) and each.qualifier.endswith("alloc"))
    return next((_ORIGINS[each] for each in kinds if each in _ORIGINS), Allocator.UNKNOWN)


def _hint(written: Type, value: Expr | None) -> str:
    """The name of a type; of ``auto``, the name of the function that gives the value when that names a queue."""
    if value is not None and written.name.text == "auto" and suggests_queue(given := last_name(value)):
        return given
    return written.name.last


def _bare(expression: Expr) -> Expr:
    """An expression without the casts around it."""
    while isinstance(expression, Cast):
        expression = expression.operand
    return expression


def combines(reduction: Expr) -> bool:
    """Whether ``reduction(variable, …)`` has no property by which it begins with the identity of its operation."""
    given = reduction.arguments[2:] if isinstance(reduction, Call) else ()
    return isinstance(reduction, Call) and not any(
        isinstance(each, Name) or "initialize_to_identity" in names_in(each) for each in given
    )
