"""The ways to reach a launch: the calls of the functions around it, as far up as its sizes depend on them."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TypeAlias, TypeVar

from sycllint.cpp.expression import Brace, Call, Expr, Lambda, Member, Name
from sycllint.cpp.place import Place, used_at
from sycllint.cpp.statement import STATIC, Alias, Block, Function, Instantiation, Namespace, Struct
from sycllint.launch.call_sites import CallSites, Within, on_this, point_of
from sycllint.launch.callbacks import Callbacks
from sycllint.launch.kernel import ReachingCall
from sycllint.record import singular
from sycllint.symbols.unit import Unit
from sycllint.values.deduction.static_types import pointee
from sycllint.values.evaluate import Evaluator
from sycllint.values.objects import (
    Asked,
    BoundClass,
    Frame,
    InstanceArgument,
    ObjectArgument,
    Owner,
    PackChoice,
    Point,
)
from sycllint.values.packs import handed_on, is_pack

MAX_CONTEXTS = 32
"""Call paths to one launch that are distinguished; beyond, the launch is seen without any."""
MAX_CALLS = 200
"""The same for a launch in another file than the calls that are looked at."""
MAX_LEVELS = 8
MAX_MEMBERS = 3
"""How many member functions of one class call each other on the way to a launch."""

Wanting: TypeAlias = Owner | PackChoice | ObjectArgument
"""What a longer call path would determine."""
Built = TypeVar("Built")


class Unfinished:
    """What is made by a build that is not worth finishing (see ``Contexts.goes_on``)."""


UNFINISHED = Unfinished()


@singular
class _Way:
    """One way that is being followed outwards."""

    frame: Frame | None
    length: int
    """Calls bound on it."""
    is_open: bool
    part: "_Way | None" = None
    """The way that it makes longer."""
    is_meant: bool = True
    """Each of its calls is known to mean the function it is bound to."""
    asked: tuple[Wanting, ...] = ()
    """The functions, templates and choices that are asked for in vain on it."""
    owner: Owner | PackChoice | None = None
    """The one of them that ``longer`` binds; the first where nothing calls any of them."""
    longer: list[Frame | None] | None = None
    """The way with each binding of ``owner`` on its outer end, once they were looked for."""

    def through(self) -> "Iterator[_Way]":
        """The way, and those of which it is a longer one."""
        way: _Way | None = self
        while way is not None:
            yield way
            way = way.part


class Contexts:
    """The ways of one unit."""

    def __init__(self, evaluator: Evaluator) -> None:
        self._evaluator = evaluator
        self.sites = CallSites(evaluator)
        self._callbacks = Callbacks(self.sites)
        self._followed: tuple[_Way, Place] | None = None
        """The way on which something is being built, and the place that is reached."""
        self.within: Within | None = None
        """Which calls are followed, where not all of the unit are."""

    def each(
        self, build: Callable[[], Built | Unfinished | None], place: Place
    ) -> list[tuple[Built, Frame | None, bool]]:
        """What ``build`` makes under each way to get there, the way, and whether others may exist that are not visible.

        ``place`` is that of the code ``build`` looks at. ``build`` is run to see which parameters it asks for: those of
        functions with call sites in the unit are bound to each of these, then the callers' in turn. Empty when
        ``build`` makes nothing.
        """
        start = _Way(None, 0, False)
        unbound = self._under(start, build, place)
        if unbound is None:
            return []
        waiting: list[tuple[Built | Unfinished, _Way]] = [(unbound, start)]
        done: list[tuple[Built | Unfinished, _Way]] = []
        shorter: dict[_Way, None] = {}
        """Ways of which some longer ones are not known to mean the functions they are bound to."""
        while waiting:
            following: list[tuple[Built | Unfinished, _Way]] = []
            for built, way in waiting:
                longer = self._longer(way, place)
                if not longer and way.is_meant:
                    done.append((built, way))
                if not longer:
                    continue
                is_open = way.is_open or (isinstance(way.owner, Function) and self._callable_elsewhere(way.owner))
                if len(done) + len(following) + len(longer) > (MAX_CALLS if self.within else MAX_CONTEXTS):
                    made = self._as_it_is(start, build) if isinstance(unbound, Unfinished) else unbound
                    return [] if made is None or isinstance(made, Unfinished) else [(made, None, True)]
                length = way.length + (not isinstance(way.owner, PackChoice))
                for each in (_Way(frame, length, is_open, way) for frame in longer):
                    made = self._under(each, build, place)
                    if not each.is_meant and way.is_meant:
                        shorter[way] = None
                    if made is not None:
                        following.append((made, each))
            waiting = following
        reached = {each for _, way in done for each in way.through()}
        for way in (each for each in shorter if each not in reached):
            made = self._as_it_is(way, build)
            done += [(made, way)] if made is not None else []
        return [
            (built, way.frame, way.is_open or way.owner is not None)
            for built, way in done
            if not isinstance(built, Unfinished)
        ]

    def goes_on(self) -> bool:
        """Whether the build that is running will be run again for longer ways, so that it need not be finished."""
        evaluator = self._evaluator
        if self._followed is None or not evaluator.free:
            return False
        way, place = self._followed
        free, work = evaluator.free, evaluator.work
        way.asked = _asked(free, way.frame)
        evaluator.frame, evaluator.free = None, {}
        goes_on = bool(self._longer(way, place))
        evaluator.frame, evaluator.free, evaluator.work = way.frame, free, work
        return goes_on

    def _under(
        self, way: _Way, build: Callable[[], Built | Unfinished | None], place: Place
    ) -> Built | Unfinished | None:
        """What ``build`` makes on a way; ``None`` where it is never known whether its calls mean the functions."""
        evaluator = self._evaluator
        if any(map(self.sites.is_never_known, self._open_calls(way.frame))):
            way.asked, way.owner, way.longer, way.is_meant = (), None, None, False
            return None
        evaluator.free.clear()
        evaluator.work = 0
        evaluator.frame = way.frame
        self._followed = (way, place)
        built = build()
        self._followed = None
        is_meant = self._is_meant(way.frame)
        evaluator.frame = None
        way.asked, way.owner, way.longer = _asked(evaluator.free, way.frame), None, None
        way.is_meant = bool(is_meant)
        return None if is_meant is False else built

    def _as_it_is(self, way: _Way, build: Callable[[], Built | Unfinished | None]) -> Built | Unfinished | None:
        """What ``build`` makes on a way that no longer one replaces."""
        evaluator = self._evaluator
        evaluator.free.clear()
        evaluator.work = 0
        evaluator.frame = way.frame
        built = build()
        evaluator.frame = None
        return built

    def _is_meant(self, frame: Frame | None) -> bool | None:
        """Whether each call on a way means the function it is bound to; ``None`` where that is not known yet."""
        answer: bool | None = True
        for each in self._open_calls(frame):
            meets = self.sites.meets(each)
            if meets is not None:
                if not meets:
                    return False
                continue
            assert each.call is not None
            assert isinstance(each.owner, Function)
            bound = self._class_called(each.call.function, each.point, each.outer)
            if bound is None:
                answer = None
            elif self._as_base(bound, self.sites.class_of(each.owner)) is None:
                return False
        return answer

    def _open_calls(self, frame: Frame | None) -> Iterator[Frame]:
        """The calls on a way of which it is the way that says which functions they mean."""
        for each in (frame, *frame.around()) if frame is not None else ():
            if each.call is not None and isinstance(each.owner, Function) and self.sites.is_open(each.call):
                yield each

    def _as_base(self, bound: BoundClass | None, struct: Struct | str | None, depth: int = 0) -> BoundClass | None:
        """The instance of ``struct``, or of what is called so, that a class is, or that is one of its bases."""
        if bound is None or struct in (bound.struct.node, bound.struct.node.name):
            return bound
        if depth >= MAX_MEMBERS:
            return None
        found = (self._as_base(each, struct, depth + 1) for each in self._evaluator.instances.bases(bound))
        return next((each for each in found if each is not None), None)

    def _longer(self, way: _Way, place: Place) -> list[Frame | None]:
        """The way with one more call; none where nothing is asked for, nothing calls it, or it is long enough."""
        if way.longer is None:
            owners = [each.method if isinstance(each, ObjectArgument) else each for each in way.asked]
            way.owner, way.longer = next(iter(owners), None), []
            for owner in owners if way.length < MAX_LEVELS else ():
                if isinstance(owner, PackChoice):
                    found = self._choices(owner, way.frame)
                else:
                    bound = self._bound(owner, way.frame, place)
                    found = [each for each in bound if not self._is_again(owner, each)]
                if found:
                    way.owner, way.longer = owner, found
                    break
        return way.longer

    def _choices(self, choice: PackChoice, frame: Frame | None) -> list[Frame | None]:
        """``frame`` for each element that a pack on it may be about."""
        if frame is None:
            return []
        about = self._evaluator.frames.about
        return [about(frame, choice.frame, each) for each in range(choice.count)]

    def _is_again(self, owner: Owner | None, frame: Frame | None) -> bool:
        """Whether the outermost binding is a call of ``owner`` in itself that decides nothing."""
        outermost = _outermost(frame) if isinstance(owner, Function) else None
        if outermost is None or outermost.owner is not owner or not isinstance(owner, Function):
            return False
        # Of a list all elements are looked at already.
        return self._evaluator.template_arguments.is_next(owner, outermost) or _hands_on_the_same(owner, outermost)

    def _bound(self, owner: Owner, frame: Frame | None, place: Place, depth: int = 0) -> Iterator[Frame | None]:
        """``frame`` with one more binding on its outer end, for each call of ``owner``."""
        frames = self._evaluator.frames
        if isinstance(owner, Struct):
            yield from (frames.rooted(frame, each) for each in self._objects(owner, frame, place, depth))
            return
        if isinstance(owner, Alias):
            return
        if isinstance(owner, Lambda):
            written = self.sites.place_of(owner, _places(frame, place))
            calls = self.sites.of_lambda(written, self.within) if written is not None else []
        else:
            written, calls = None, self.calls(owner)
        for site in calls:
            call = site.node
            if not isinstance(call, Call):
                continue
            of_class: tuple[Expr, ...] | None = None
            if isinstance(owner, Function) and "::" in owner.name and owner.template_parameters:
                called = self._class_called(call.function, point_of(site, call), None)
                instance = self._as_base(called, _class_of(owner))
                bound = instance.frame if instance is not None else None
                of_class = bound.templates if bound is not None else _same_instance(call, owner, site)
            yield frames.rooted(frame, self.sites.binding(owner, site, call, None, of_class or ()))
        if written is not None:
            yield from (frames.rooted(frame, each) for each in self._callbacks.of_lambda(written))
        if isinstance(owner, Function) and not owner.template_parameters:
            yield from (frames.rooted(frame, each) for each in self._callbacks.of_function(owner))
        elif isinstance(owner, Function):
            for name, around in (*self._instantiations(owner), *self.sites.mentions(owner)):
                of_class = name.scope.arguments if name.scope is not None else None
                templates = (*(of_class or ()), *(name.arguments or ()))
                yield frames.rooted(frame, frames.made(owner, (), templates, Point(around, name.start), None, None))

    def with_objects(self, frame: Frame | None, place: Place) -> Frame | None:
        """``frame`` with the instances of the class templates around ``place``, where the calls on it name one."""
        evaluator, frames = self._evaluator, self._evaluator.frames
        if frame is None:
            return None
        way, free, work, evaluator.free = evaluator.frame, evaluator.free, evaluator.work, {}
        for struct in [each for each in place.chain() if isinstance(each, Struct) and frame.of(each) is None]:
            found = self._objects(struct, frame, place)
            function = _member_function(struct, place)
            called = frame.of(function) if function is not None else None
            if len(found) == 1 and called is not None:
                frame = frames.rooted(frame, frames.rooted(found[0], called.outer)) or frame
        evaluator.frame, evaluator.free, evaluator.work = way, free, work
        return frame

    def _objects(self, struct: Struct, frame: Frame | None, place: Place, depth: int = 0) -> list[Frame | None]:
        """The bindings of a class template around ``place``, by the objects whose member function is called.

        Empty when one of the objects has a type that is not evident.
        """
        members = (_member_function(struct, each) for each in _places(frame, place))
        function = next((each for each in members if each is not None), None)
        if function is None or not struct.template_parameters:
            return []
        way = frame.of(function) if frame is not None else None
        calls = [way] if way is not None else list(self._bound(function, None, place))
        frames = self._evaluator.frames
        found: list[Frame | None] = []
        if way is None or way.call is None:
            for written, around in self._instantiations(function, struct):
                named = written.scope if written.scope is not None else written
                point = Point(around, written.start)
                bound = self._evaluator.instances.of(named, point) if struct.specialization is not None else None
                if struct.specialization is None or (bound is not None and bound.struct.node is struct):
                    found.append(frames.made(struct, (), named.arguments or (), point, None, None))
        for each in calls:
            bindings = self._object(struct, each.call, each, depth) if each is not None and each.call else ()
            if bindings is None:
                return []
            # Its function's own parameters belong to the same call.
            found += bindings if way is not None else [frames.rooted(each, binding) for binding in bindings]
        return found

    def _object(self, struct: Struct, call: Call, binding: Frame, depth: int) -> Sequence[Frame | None] | None:
        """The bindings of a class template by the object whose member function a call, which ``binding`` binds, runs.

        ``None`` when its type is not evident; none at all when no visible code runs the member function that calls.
        """
        evaluator, point = self._evaluator, binding.point
        free, evaluator.free = evaluator.free, {}
        found = self._as_base(self._class_called(call.function, point, binding.outer), struct)
        asked, evaluator.free = evaluator.free, free
        if found is not None:
            return [found.frame]
        if depth >= MAX_MEMBERS:
            return None
        for owner in _asked(asked, binding):
            if isinstance(owner, PackChoice | ObjectArgument):
                continue
            # The object's type depends on how the function that calls is reached.
            ways: list[Frame | None] = []
            for each in self._bound(owner, binding, point.place, depth + 1):
                instances = self._object(struct, call, each, depth + 1) if each is not None else None
                if instances is None or len(ways) > MAX_CONTEXTS:
                    return None
                ways += instances
            if ways:
                return ways
        if _member_function(struct, point.place) is None or not on_this(call):
            return None
        return self._objects(struct, binding.outer, point.place, depth + 1)

    def _class_called(self, function: Expr, point: Point, way: Frame | None) -> BoundClass | None:
        """The class whose member function is called: of the object, or before ``::``."""
        under, instance = self._evaluator.under, self._evaluator.instances.of
        match function:
            case Name(scope=Name() as scope, text=text) if "::" not in text:
                return under(way, instance, scope, point)
            case Name(scope=None, around=Name() as scope):
                return under(way, instance, scope, point)
            case Member(object=called_on) | (Name() | Call() | Brace() as called_on):
                found = under(way, self._evaluator.static_types.of, called_on, point)
                if found is not None:
                    return under(found.frame, instance, pointee(found.type).name, found.point)
                # A constructor.
                return under(way, instance, function, point) if isinstance(function, Name) else None
            case _:
                return None

    def calls(self, owner: Function) -> list[Place]:
        """The calls of a function."""
        return self.sites.of(owner, self.within)

    def _instantiations(self, owner: Function, struct: Struct | None = None) -> Iterator[tuple[Name, Place]]:
        """The explicit instantiations of a function, or of the class template it is a member of."""
        last = owner.name.rpartition("::")[2]
        around = struct.name if struct is not None else _class_of(owner)
        for statement, place in self._evaluator.facts.once(_all_instantiations):
            name = statement.name
            of = name.scope.last if name.scope is not None else ""
            if (name.last == last and of in ("", around)) or (name.last == around and not of):
                yield name, place

    def _callable_elsewhere(self, owner: Function) -> bool:
        """Whether code that is not visible may call ``owner``."""
        unit = self._evaluator.facts
        if unit.whole_program or owner.flags & STATIC:
            return False
        for each in unit.functions.get(owner.name.rpartition("::")[2]):
            if each.node is owner:
                around = each.place.chain()
                return not any(isinstance(node, Namespace) and not node.name for node in around)
        return True


def _asked(free: Mapping[int, Asked], frame: Frame | None) -> tuple[Wanting, ...]:
    """What is to be looked for next: choices on the way itself before parameters of what is around it."""
    way = (frame, *frame.around()) if frame is not None else ()
    choices = [each for each in free.values() if isinstance(each, PackChoice) and each.frame in way]
    return (*choices, *(each for each in free.values() if not isinstance(each, PackChoice | InstanceArgument)))


def _places(frame: Frame | None, place: Place) -> Iterator[Place]:
    """``place`` and where its callers on a way call, inner ones first."""
    yield place
    yield from (each.point.place for each in (frame, *frame.around())) if frame is not None else ()


def _outermost(frame: Frame | None) -> Frame | None:
    return next((each for each in frame.around() if each.outer is None), frame) if frame is not None else None


def _all_instantiations(unit: Unit) -> list[tuple[Instantiation, Place]]:
    """The explicit instantiations of a unit, and around each its file."""
    return [found for facts in unit.files for found in _explicit_instantiations(Place(facts.unit, None))]


def _explicit_instantiations(place: Place) -> Iterator[tuple[Instantiation, Place]]:
    """Those in a file, or in a namespace of it."""
    block = place.node
    for each in block.statements if isinstance(block, Block) else ():
        if type(each) is Instantiation:
            yield each, place
        elif isinstance(each, Namespace):
            yield from _explicit_instantiations(Place(each.body, Place(each, place)))


def _hands_on_the_same(owner: Function, outermost: Frame) -> bool:
    """Whether ``outermost`` is a call of ``owner`` in itself that hands on what it was given.

    A list of types or values may get shorter: of such a list nothing is deduced.
    """
    place = outermost.point.place
    for index, (argument, parameter) in enumerate(zip(outermost.arguments, owner.parameters, strict=False)):
        match argument:
            case Name(text=text) if text == parameter.name:
                pass
            case Call(arguments=()) | Brace(elements=()) if parameter.type.is_list:
                pass
            case _ if is_pack(argument) and handed_on(argument, place) == (owner, index):
                return len(outermost.arguments) == index + 1
            case _:
                return False
    return False


def _member_function(struct: Struct, place: Place) -> Function | None:
    """The function of ``struct`` in which ``place`` stands."""
    function: Function | None = None
    for node in place.chain():
        if node is struct:
            return function
        if isinstance(node, Function):
            function = node
    return None


def _class_of(owner: Function) -> str:
    """The class of a member function that is defined outside it; empty for others."""
    return owner.name.split("::")[-2] if "::" in owner.name else ""


def _same_instance(call: Call, owner: Function, site: Place) -> tuple[Expr, ...]:
    """The arguments of a class template for a call between its member functions: the caller's own parameters."""
    caller = site.innermost(Function)
    if caller is None or not on_this(call):
        return ()
    struct = site.innermost(Struct)
    around, parameters = _class_of(caller), caller.template_parameters
    if struct is not None:
        around, parameters = struct.name, struct.template_parameters
    if around != _class_of(owner):
        return ()
    return tuple(Name(each.name, None, None, call.start, call.start) for each in parameters)


def reached(frame: Frame | None, unit: Unit) -> tuple[ReachingCall, ...]:
    """The calls of ``frame``, for a reader."""
    found: list[ReachingCall] = []
    of_instance = _binds_template(frame)
    while frame is not None:
        if frame.call is not None:
            # A call that a macro writes stands where the macro is used.
            use = used_at(frame.point.place)
            call = use.node if use is not frame.point.place and isinstance(use.node, Call) else frame.call
            function = call.function
            name = function.text if isinstance(function, Name) else getattr(function, "name", "")
            file = unit.file_at(use)
            location = file.location(function.start, function.end)
            whole = file.location(call.start, call.end)
            found.append(ReachingCall(name, location, whole, of_instance))
        frame = frame.outer
    return tuple(found)


def _binds_template(frame: Frame | None) -> bool:
    """Whether a parameter of a template is bound on the way."""
    while frame is not None:
        if frame.templates or (isinstance(frame.owner, Function | Struct) and frame.owner.template_parameters):
            return True
        frame = frame.outer
    return False
