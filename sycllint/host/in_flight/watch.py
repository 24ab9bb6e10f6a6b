"""Commands in flight, and what the host does meanwhile: each mistake is left as a record."""

from collections.abc import Iterable, Mapping, Sequence

from sycllint.cpp.expression import Call, Expr, Name
from sycllint.cpp.node import Node
from sycllint.cpp.statement import Loop, RangeLoop
from sycllint.host.in_flight.after_free import AfterFree
from sycllint.host.in_flight.braces import braces
from sycllint.host.in_flight.conflicts import INSIDE, conflict, overlaps, repeated
from sycllint.host.in_flight.copies import Copies
from sycllint.host.in_flight.moved_sizes import MovedSizes
from sycllint.host.in_flight.waits import common, missing, reached, seems_to_settle, shown, using, withheld
from sycllint.host.records import (
    BufferInLoop,
    Deadlock,
    DyingMemory,
    EarlyUse,
    ForeignMemory,
    FreedHostData,
    HostAccessOfDevice,
    HostMemoryInKernel,
    OutlivedHostData,
    StaleHostData,
    TwoHostAccessors,
    UninitialisedReduction,
    Unordered,
    Use,
    WrongFree,
)
from sycllint.host.scopes.scope import FunctionScope
from sycllint.host.scopes.things import (
    DYING,
    WITH_MEMBERS,
    Allocator,
    Blocked,
    Command,
    Flight,
    Kind,
    Lock,
    Moved,
    QueueOrder,
    Ref,
    Thing,
    WalkState,
)
from sycllint.record import replace
from sycllint.source.edit import Edit
from sycllint.source.span import Location


class Watch:
    """The commands and locks of one function."""

    def __init__(self, scope: FunctionScope) -> None:
        self._scope = scope
        self._sizes = MovedSizes(scope)
        self.after_free = AfterFree(scope, self.note)
        self._copies = Copies(scope, self.note)
        self.records: dict[object, None] = {}
        self.region = 0
        """The innermost branch being walked."""
        self.entry = 0
        """The innermost branch around the call by which the function that the walk began with left it."""
        self.configured = 0
        """How many conditions around depend only on constants whose values are not known."""
        self.assumed: list[str] = []
        """For each branch around, the condition under which it is for those who look for errors; else empty."""
        self._reported: set[tuple[Location, str]] = set()
        """Commands for which a wait is missing, whatever memory shows it, and uses of memory by its name."""
        self._disordered: set[tuple[Location, Location]] = set()
        """Commands that may run in the other order than they are submitted in."""
        self._doubtful: dict[tuple[Location, str], object] = {}
        """Records, by command, of what only some ways lead to."""

    @property
    def _state(self) -> WalkState:
        return self._scope.state

    # --------------------------------------------------------------- submit

    def submitted(self, command: Command) -> None:
        """``command`` is in flight from now on, unless it is recorded."""
        if self._state.recording:
            self._host_memory(command)
            return
        hidden = command.queue is not None and command.queue.hidden
        if not hidden:
            self._judged(command)
        state = self._state
        if command.signals:
            self.waited_for_all()
        state.written = state.written.union(*[each.written for each in command.memory])
        state.flights[command] = Flight(begun=self.region, doubt=command.what if hidden else "")
        if not hidden:
            self._with_buffers(command)

    def _judged(self, command: Command) -> None:
        """What is wrong with a command by itself, and with its place among others."""
        self._unordered(command)
        self.after_free.submitted(command)
        self._foreign(command)
        for each in command.memory:
            if each.moved is not None:
                self.moved_by(command.what, each.moved, command.location)
        if command.is_kernel:
            self._host_memory(command)
            self._combined(command)
        self._copies.submitted(command)

    def _combined(self, command: Command) -> None:
        """A reduction combines with memory of the device that nothing has written."""
        for ref in command.combined if not self._scope.again else ():
            thing = ref.thing
            if thing.origin is Allocator.DEVICE and thing.allocated is not None and thing not in self._state.written:
                self.note(UninitialisedReduction(thing.name, command.location, thing.allocated))

    def _foreign(self, command: Command) -> None:
        """A command uses memory of another device; a copy between two devices of one kind may be meant."""
        device = command.queue.device if command.queue is not None else ""
        others = [each for each in command.uses if device and _is_elsewhere(each, device)]
        for ref in (*command.writes, *command.reads) if others else ():
            thing = ref.thing
            is_copied = ref not in command.by_kernel
            is_meant = is_copied and (thing.origin is not Allocator.DEVICE or device.endswith("]"))
            is_meant = is_meant or (device.endswith("]") and self._scope.facts.spells(b"peer_access"))
            if thing in others and not is_meant and thing.allocated_for is not None:
                other, at = thing.allocated_for.device, command.location
                self.note(ForeignMemory(thing.name, command.what, device, other, at, thing.allocated))
                return

    def moved_by(self, what: str, moved: Moved, location: Location) -> None:
        """Memory is copied or filled."""
        wrong = self._sizes.of_copy(what, moved, location) if not self._scope.again else None
        if wrong is not None:
            self.note(wrong)

    def allocated(self, call: Call, function: Name) -> None:
        """A function of SYCL allocates memory."""
        wrong = self._sizes.of_allocation(call, function)
        if wrong is not None:
            self.note(wrong)

    def _with_buffers(self, command: Command) -> None:
        """A command has accessors of buffers."""
        state = self._state
        for lock in state.locks:
            for buffer, writes in command.buffers:
                if buffer is lock.buffer and (writes or lock.writes):
                    state.blocked += (Blocked(lock, command),)
        for buffer, writes in command.buffers:
            target = buffer.target
            if writes and buffer.writes_back:
                state.stale += ((buffer, command),)
            is_again = self._scope.loops and buffer.loops and target is not None and target.whole
            if target is not None and is_again and target.thing.loops < buffer.loops:
                location = buffer.location
                self.note(BufferInLoop(buffer.name, target.thing.name, location, command.location))

    def _host_memory(self, command: Command) -> None:
        of_host = {each: found for each in command.uses if (found := self._host_source(each)) is not None}
        for ref in command.by_kernel if of_host and not self._is_callers_choice() else ():
            if ref.thing in of_host:
                source, declared = of_host[ref.thing]
                at = _named_at(command, ref)
                self.note(HostMemoryInKernel(ref.thing.name, source, at, declared, command.location))

    def _is_callers_choice(self) -> bool:
        """Whether a function that was called chooses a way, for the device or the host, as its caller wants it."""
        return bool(self._scope.chain) and self.region != self.entry

    def _host_source(self, thing: Thing) -> tuple[str, Location] | None:
        """What memory of the host is, and where that is said; ``None`` for other memory."""
        if thing.origin.is_plain and thing.allocated is not None:
            return thing.origin.value, thing.allocated
        if thing.kind is Kind.CONTAINER and not self._scope.kinds.has_allocator(thing.written):
            return f"std::{thing.type_name}", thing.location
        if thing.kind in INSIDE and thing.automatic and thing.owner is None:
            # A kernel that names it has a copy of it: this one has a pointer.
            return "a local array" if thing.kind is Kind.ARRAY else "a local variable", thing.location
        return None

    def _unordered(self, command: Command) -> None:
        queue = command.queue
        if queue is None or queue.order is not QueueOrder.OUT_OF_ORDER or not (queue.own or queue.given):
            return
        before = command.all_before()
        if before is None:
            return
        shared = {buffer for buffer, _ in command.buffers}
        if shared and any(buffer in shared for each in self._state.flights for buffer, _ in each.buffers):
            # It waits for those, and with them for all that they wait for.
            return
        for earlier, flight in self._state.flights.items():
            if (
                earlier.queue is not queue
                or earlier in before
                or earlier.uses.isdisjoint(command.uses)
                or flight.fenced
                or not self._sure(flight)
                or flight.assumption
                or flight.doubt
                or (self._scope.again and (command.location, earlier.location) in self._disordered)
            ):
                continue
            extents, again = self._scope.extents, self._scope.again
            name = repeated(earlier, command, self._loops(), extents) if again else conflict(earlier, command, extents)
            if name is not None:
                first = shown(earlier, writes=any(ref.thing.name == name for ref in earlier.writes))
                second = shown(command, writes=any(ref.thing.name == name for ref in command.writes))
                again = self._scope.again and (earlier.location, earlier.chain) == (command.location, command.chain)
                location = self._in_loop(command) if again else reached(earlier.chain, command)
                self._disordered.add((earlier.location, command.location))
                self.note(Unordered(name, queue.name, queue.location, location, first, second, again))
                return

    def _in_loop(self, command: Command) -> Location:
        """A command, or the call that leads to it, in the function that has the innermost loop around."""
        around = [*zip(command.chain, self._scope.loops_around, strict=False)] if not self._scope.loops else []
        return next((call for call, loops in reversed(around) if loops), command.location)

    def _loops(self) -> list[Loop | RangeLoop]:
        """The loops around, in the function that is walked."""
        return [each for each in self._scope.place.chain() if isinstance(each, Loop | RangeLoop)]

    def escaped(self, things: Iterable[Thing]) -> None:
        """These escape: unknown code may write to them."""
        of_device = [each for each in things if each.origin is Allocator.DEVICE]
        if of_device:
            self._state.written |= frozenset(of_device)

    def handed_over(self, thing: Thing) -> None:
        """Unknown code gets memory: it may read it, and write to it."""
        self.escaped((thing,))
        self._copies.used(thing)

    # ----------------------------------------------------------------- waits

    def waited_for_all(self) -> None:
        """Nothing is surely in flight any more."""
        self._state.finish(list(self._state.flights))

    def waited_elsewhere(self, name: str = "", *, apart: bool = False) -> None:
        """Code that is not visible may have waited for the queues it can know of: all but those of this function.

        That ``name`` waits for a queue which all code can ask for is only a doubt; so is, where it is a function
        ``apart`` from the classes around, that it waits for one of their members.
        """
        flights = self._state.flights
        for command, flight in list(flights.items()):
            queue = command.queue
            is_doubt = queue is not None and bool(name) and (queue.given or (apart and self._scope.is_member(queue)))
            if queue is None or flight.kept or not (queue.block or is_doubt):
                self._state.finish((command,))
            elif not queue.block and not flight.doubt:
                flights[command] = replace(flight, doubt=name)

    def doubted(self, name: str, *, own: bool = True) -> None:
        """``name`` is not visible and may have waited; if not for queues made here (``own``), for those of others."""
        flights = self._state.flights
        for command, flight in flights.items():
            queue = command.queue
            # A member is reached by all methods of its class.
            if not flight.doubt and (own or queue is None or not queue.own or not queue.block):
                flights[command] = replace(flight, doubt=name)

    def waited(self, queue: Thing | None, node: Node) -> None:
        """``queue.wait()``; what its commands depend on may be a command of another queue."""
        state = self._state
        self._deadlock(node, [each for each in state.blocked if queue is not None and each.command.queue is queue])
        has_events = any(each.queue is queue and each.follows for each in state.flights)
        for command in list(state.flights):
            if has_events or not self._apart(queue, command.queue):
                state.finish((command,))

    def waited_for(self, command: Command | None, node: Node) -> None:
        """``event.wait()``; ``None`` for an event of which nothing is known."""
        if command is None:
            self.waited_for_all()
            return
        self._deadlock(node, [each for each in self._state.blocked if each.command is command])
        queue = command.queue
        if queue is not None and queue.order is QueueOrder.OUT_OF_ORDER and queue.own and not command.ordered:
            self._state.finish((command,))
            return
        # Without the command, the order in which the two were submitted is not known any more.
        is_known = command in self._state.flights
        for other in list(self._state.flights):
            if command.follows or not self._apart(queue, other.queue):
                self._state.finish((other,))
            if is_known and other is command:
                break

    @staticmethod
    def _apart(one: Thing | None, other: Thing | None) -> bool:
        return one is not None and other is not None and one is not other and one.own and other.own

    def object_ended(self, thing: Thing) -> None:
        """An object ends, or what it owns does: it may wait for the queue it was made from, or that it has."""
        if thing.holds_queue:
            self.waited_for_all()
        else:
            flights = self._state.flights
            has = [each for each in flights if each.queue is not None and each.queue.is_part_of(thing)]
            self._state.finish(has)

    def fenced(self, queue: Thing, *, given_events: bool) -> None:
        """Later commands of ``queue`` wait for those in flight, and so does who waits for it."""
        flights = self._state.flights
        apart = [each for each in flights if self._apart(queue, each.queue)] if given_events else ()
        if apart:
            self._scope.queues.matter = True
            self._state.finish(apart)
        for command, flight in flights.items():
            flights[command] = replace(flight, fenced=True)

    # ------------------------------------------------------------------ uses

    def used(self, ref: Ref, node: Node, use: Use) -> None:
        """The host reads or writes memory."""
        if ref.thing.target is not None:
            ref = self._scope.memory.referred(ref.thing)
        thing = ref.thing
        if thing in self._scope.state.freed and use is not Use.FREED and thing.origin is not Allocator.DEVICE:
            self.after_free.used(thing, use, self._scope.location(node))
        if thing.origin is Allocator.DEVICE and use is not Use.FREED:
            if not self._is_callers_choice():
                self.note(HostAccessOfDevice(thing.name, self._scope.location(node), thing.allocated))
            return
        state = self._scope.state
        if not (state.flights or state.stale):
            return
        flights = state.flights.items()
        concerned = [each for each, flight in flights if thing in each.around and self._sure(flight)]
        meeting = [each for each in concerned if overlaps(each, ref, use, self._scope.extents)]
        if any(self._early(each, meeting, thing, node, use) for each in meeting):
            # One word for all that are in flight: the same wait is missing.
            self._reported |= {(each.location, "") for each in meeting}
            return
        self._stale(thing, node, use)

    def _early(self, command: Command, meeting: Sequence[Command], thing: Thing, node: Node, use: Use) -> bool:
        """Leave a record of a use that ``meeting`` may still meet; false when one like it was left before."""
        flight = self._state.flights[command]
        location, inner = self._seen_from(command, node)
        branch = self._is_in_branch(flight)
        key = (command.location, "")
        keys = {key, (location, thing.name)}
        if keys & self._reported and (branch or not self._takes_back(key)):
            return False
        self._reported |= keys
        shown, waits, configured = using(command, thing), missing(meeting, thing), self.configured > 0
        seen = EarlyUse(
            thing.name, use, location, shown, waits, inner, flight.assumption, configured, branch, flight.doubt
        )
        if branch:
            self._doubtful[key] = seen
        self.note(seen)
        return True

    def _seen_from(self, command: Command, node: Node) -> tuple[Location, Location | None]:
        """Where a use is in the function that both the command and the use are reached from."""
        here, location = self._scope.chain, self._scope.location(node)
        depth = common(here, command.chain)
        return (here[depth], location) if len(here) > depth else (location, None)

    def _stale(self, thing: Thing, node: Node, use: Use) -> None:
        if use is Use.FREED:
            return
        for buffer, command in self._state.stale:
            if buffer.target is not None and buffer.target.thing is thing:
                key = (buffer.location, thing.name)
                if key not in self._reported:
                    self._reported.add(key)
                    location, _ = self._seen_from(command, node)
                    self.note(StaleHostData(thing.name, buffer.name, buffer.location, location, command.location))

    def is_stale(self, thing: Thing) -> bool:
        """Whether the memory of ``thing`` is older than what a command wrote to a buffer over it."""
        return any(buffer.target is not None and buffer.target.thing is thing for buffer, _ in self._state.stale)

    def named(self, command: Command, names: frozenset[str]) -> None:
        """A command that names the host memory of a buffer may bring it up to date."""
        self._state.stale = tuple(
            each
            for each in self._state.stale
            if each[1] is command or each[0].target is None or each[0].target.thing.name not in names
        )

    def settled(self, buffer: Thing) -> None:
        """The host has asked for a buffer's data, or its end was arranged otherwise."""
        self._state.stale = tuple(each for each in self._state.stale if each[0] is not buffer)

    def given_back(self, thing: Thing) -> None:
        """A variable of the function is what it returns: what a buffer writes into it at its end still gets there.

        An object of a class is made where the caller wants it (C++, [class.copy.elision]), or moved with what it holds.
        Only a number is copied before.
        """
        known = self._scope.evaluator.types.kind(thing.written.name) if thing.written is not None else None
        if known is None or not known.is_number:
            self._state.stale = tuple(
                each for each in self._state.stale if each[0].target is None or each[0].target.thing is not thing
            )

    def freed(self, ref: Ref, node: Node, by: str, pointer: Expr) -> None:
        """``by`` frees what ``pointer`` leads to: ``sycl::free``, ``free`` or ``delete``."""
        thing = ref.thing
        if not ref.whole:
            return
        is_sycl = by == "sycl::free"
        if (thing.origin.is_usm and not is_sycl) or (thing.origin.is_plain and is_sycl):
            location = self._scope.location(node)
            self.note(WrongFree(thing.name, thing.origin.value, by, location, thing.allocated))
            return
        self._freed_under_a_buffer(thing, node)
        self.used(ref, node, Use.FREED)
        if is_sycl and ref.begins == ():
            self.after_free.freed(thing, node, pointer)
            self._copies.freed(thing)

    def _freed_under_a_buffer(self, thing: Thing, node: Node) -> None:
        """Memory that a buffer was made over is freed, and commands that use the buffer are in flight."""
        for command, flight in self._state.flights.items():
            for buffer, _ in (
                command.buffers if self._sure(flight) and not flight.assumption and not flight.doubt else ()
            ):
                if buffer.target is not None and buffer.target.thing is thing and buffer.target.whole:
                    location = self._scope.location(node)
                    self.note(FreedHostData(thing.name, buffer.name, buffer.location, location, command.location))
                    return

    def outlived(self, buffers: Iterable[Thing], block: int, node: Node) -> None:
        """The caller of the function that ``block`` is gets these: memory of the function's variables is gone then."""
        for buffer in buffers:
            memory = buffer.target.thing if buffer.target is not None else None
            is_used = buffer.in_place or buffer.writes_back
            if memory is None or not is_used or not memory.automatic or memory.block < block:
                continue
            if memory.kind in DYING and not self._is_moved(memory, None):
                location = self._scope.location(node)
                self.note(OutlivedHostData(memory.name, buffer.name, buffer.location, location))

    def handed_out(self, thing: Thing, node: Node, doubt: str) -> None:
        """The function gives ``thing`` to its caller, of whom nothing is known but that it may wait (``doubt``)."""
        flights = self._state.flights
        for command, flight in flights.items():
            if thing in command.uses and any(ref.thing is thing for ref in command.writes):
                flights[command] = replace(flight, doubt=flight.doubt or doubt)
        self.used(Ref(thing), node, Use.READ)

    # ---------------------------------------------------------------- scopes

    def ended(self, block: int, leaving: Thing | None = None) -> None:
        """A block is left: its automatic objects, accessors and buffers end; ``leaving`` is moved to the caller."""
        state = self._state
        self.after_free.ended(block)
        if not (state.flights or state.stale or state.locks):
            return
        if any(each.accessor.block >= block for each in state.locks):
            state.locks = tuple(each for each in state.locks if each.accessor.block < block)
            state.blocked = tuple(each for each in state.blocked if each.lock.accessor.block < block)
        ending = [thing for thing in state.things.values() if thing.block >= block]
        kinds = [thing.kind for thing in ending]
        if Kind.BUFFER in kinds:
            state.stale = tuple(each for each in state.stale if each[0].block < block)
            self.waited_for_all()
        elif any(thing.holds_queue or (thing in state.keeping and thing.kind in WITH_MEMBERS) for thing in ending):
            # Its destructor may wait.
            self.waited_for_all()
        elif state.flights and any(thing.guards for thing in ending):
            self.waited_elsewhere()
        # What a queue's end waits for is not specified; an object that has one may wait.
        if not state.flights:
            return
        queues = {each.queue for each in state.flights}
        gone = {each for each in queues if each is None or _ends_with(each, block)}
        if gone:
            state.finish([each for each in state.flights if each.queue in gone])
        dying: dict[tuple[Thing, object], list[Command]] = {}
        for command, flight in state.flights.items():
            if self._sure(flight):
                self._dying(command, flight, block, leaving, dying)
        self._died(dying)

    def _dying(
        self,
        command: Command,
        flight: Flight,
        block: int,
        leaving: Thing | None,
        dying: dict[tuple[Thing, object], list[Command]],
    ) -> None:
        """Add ``command`` to those that use an object which ends with ``block``, by the object and what is doubtful."""
        ending = [each for each in command.uses if each.automatic and each.block >= block]
        for ref in (*command.writes, *command.reads) if ending else ():
            if ref.thing in ending and not self._is_moved(ref.thing, leaving):
                key = (command.location, "")
                branch = self._is_in_branch(flight)
                if key not in self._reported or (not branch and self._takes_back(key)):
                    self._reported.add(key)
                    # What holds only on some paths may be taken back: it is reported for each command by itself.
                    way = command if branch else (flight.assumption, flight.doubt)
                    dying.setdefault((ref.thing, way), []).append(command)
                return

    def _died(self, dying: Mapping[tuple[Thing, object], Sequence[Command]]) -> None:
        """Leave a record for each object that has ended, with the commands that used it."""
        order = list(self._state.flights)
        unfixed = [each for commands in dying.values() for each in commands if not each.waitable]
        for (thing, way), commands in dying.items():
            command = commands[0]
            flight = self._state.flights[command]
            waits = missing(commands, thing)
            if seems_to_settle(commands, unfixed, order):
                waits = withheld(waits)
            at = reached(self._scope.chain, command)
            branch = way is command
            shown = using(command, thing)
            seen = DyingMemory(thing.name, thing.location, at, shown, waits, flight.assumption, branch, flight.doubt)
            if branch:
                self._doubtful[command.location, ""] = seen
            self.note(seen)

    def _is_moved(self, thing: Thing, leaving: Thing | None) -> bool:
        """Whether the memory of a variable went elsewhere."""
        moved = self._state.moved
        return any(each is leaving or each in moved for each in thing.owners())

    def moved(self, things: Iterable[Thing]) -> None:
        """The memory of these goes elsewhere: ``std::move``, ``swap``."""
        moved = frozenset(things)
        self._state.moved |= moved
        for each in moved:
            if each.kind is Kind.BUFFER:
                self.settled(each)

    def locked(self, lock: Lock, node: Node) -> None:
        """A host accessor is made."""
        state = self._state
        for each in state.locks:
            if each.buffer is lock.buffer and (each.writes or lock.writes):
                record = TwoHostAccessors(
                    each.accessor.name,
                    each.accessor.location,
                    lock.accessor.name,
                    lock.accessor.location,
                    lock.buffer.name,
                    self._braces(each, (*self._scope.chain, lock.accessor.location)),
                )
                self.note(record)
        self._deadlock(node, [each for each in state.blocked if each.lock.buffer is lock.buffer])
        self.waited_for_all()
        state.locks += (lock,)

    def _deadlock(self, node: Node, blocked: Iterable[Blocked]) -> None:
        for each in blocked:
            lock = each.lock
            record = Deadlock(
                lock.accessor.name,
                lock.accessor.location,
                lock.buffer.name,
                each.command.location,
                self._scope.location(node),
                self._braces(lock, (*each.command.chain, each.command.location)),
            )
            if not any(isinstance(seen, Deadlock) and seen.command == record.command for seen in self.records):
                self.note(record)

    def _braces(self, lock: Lock, kept: Sequence[Location]) -> tuple[Edit, ...]:
        return braces(self._scope, lock.place, kept) if lock.place is not None else ()

    # --------------------------------------------------------------- answers

    def _sure(self, flight: Flight) -> bool:
        """Whether a command is in flight on the way being walked, whatever other branches it took."""
        if flight.assumption and flight.assumption in self.assumed:
            return False
        return flight.region is None or flight.region == self.region

    def _takes_back(self, key: tuple[Location, str]) -> bool:
        """Forget what was left of a command and its memory on some ways only: it is about to be seen on all."""
        record = self._doubtful.pop(key, None)
        if record is not None:
            self.records.pop(record, None)
        return record is not None

    def _is_in_branch(self, flight: Flight) -> bool:
        """Whether only some ways lead past the command and then here."""
        return flight.region is not None or flight.begun != self.region

    def note(self, record: object) -> None:
        """Leave a record, once."""
        self.records[record] = None


def _ends_with(queue: Thing, block: int) -> bool:
    """Whether a queue, or the object that it is a member of, ends with a block."""
    return any(each.automatic and each.block >= block for each in queue.owners())


def _named_at(command: Command, ref: Ref) -> Location:
    """The command, or the call by which its kernel is handed the function object that uses memory."""
    kernel, chain = command.kernel, command.chain
    user = kernel.user_of(ref) if kernel is not None else None
    depth = len(user.home or ()) if user is not kernel and user is not None else len(chain)
    return chain[depth] if depth < len(chain) else command.location


def _is_elsewhere(memory: Thing, device: str) -> bool:
    """Whether memory is surely of another device: of another kind, or elsewhere in the same list."""
    other = memory.allocated_for.device if memory.allocated_for is not None else ""
    one, another = (each.partition("[") for each in (device, other))
    return bool(other) and other != device and one[1] == another[1] and (not one[1] or one[0] == another[0])
