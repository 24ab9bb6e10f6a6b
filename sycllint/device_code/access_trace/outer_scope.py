"""What a kernel is given from outside: captured numbers, pointers and accessors, constants, its own local memory."""

from __future__ import annotations

from collections.abc import Iterable

from sycllint.cpp.expression import Brace, Call, Cast, Expr, Lambda, Member, Name, Type
from sycllint.cpp.node import Node
from sycllint.cpp.place import Place
from sycllint.cpp.spelling import spelled
from sycllint.cpp.statement import (
    STATIC,
    Block,
    Declaration,
    Function,
    FunctionParameter,
    If,
    Loop,
    RangeLoop,
    Struct,
    TemplateParameter,
    Variable,
)
from sycllint.device_code.access_trace.abstract_values import (
    AbstractValue,
    DeviceClosure,
    MemoryElement,
    Object,
    Pointer,
    Slot,
)
from sycllint.device_code.access_trace.terms import Atom, AtomKind, Term, operation
from sycllint.device_code.access_trace.trace import MemoryObject, Space
from sycllint.device_code.code import KernelCode
from sycllint.facts.file import Declared
from sycllint.source.span import Location
from sycllint.symbols.templates import template_parameter
from sycllint.values.arithmetic import Precision
from sycllint.values.declarations import declared_in
from sycllint.values.evaluate import Evaluator
from sycllint.values.object_model.allocations import MAKERS
from sycllint.values.objects import Closure, Point, TypeKind
from sycllint.values.types import as_type
from sycllint.values.value import Known, Parameter, Symbolic, Unknown, Value


class TypedViews:
    """Casts of pointers, for one walk."""

    def __init__(self, evaluator: Evaluator) -> None:
        self._evaluator = evaluator
        self._sizes: dict[str, int] = {}
        """Bytes of the types that have been cast to, or from."""

    def element(self, name: Name, point: Point) -> str:
        """The type ``name`` by one name wherever it is written; empty when it is not understood."""
        kind = self._evaluator.kind(name, point)
        if kind.extents is not None:
            return ""
        size = _size(kind)
        text = _text(kind)
        if size is not None:
            self._sizes[text] = size
        elif kind.struct is None and not kind.sycl:
            # Another type in every instance of a template.
            return ""
        return text

    def cast(self, pointer: Pointer, kind: Type, point: Point) -> Pointer:
        """The same address, for elements of another type: they are compared with their like only."""
        if kind.name.text == "void":
            return pointer
        memory = pointer.memory
        view = self.element(kind.name, point)
        now = pointer.view or memory.element
        if view and view == now:
            return pointer
        view = view or f"{kind.name.text}@{point.place.node}"
        memory.viewed = memory.viewed or view != memory.element
        start = all(each == 0 for each in pointer.indices)
        indices = (0,) if start else (self._rebased(pointer.indices, now, view),)
        return Pointer(memory, indices, "" if view == memory.element else view)

    def _rebased(self, indices: tuple[Term | None, ...], now: str, view: str) -> Term | None:
        """The index in elements of ``view`` of one in elements of ``now``."""
        before, after = self._sizes.get(now), self._sizes.get(view)
        if before is None or after is None or len(indices) != 1:
            return None
        if before % after == 0:
            return operation("*", indices[0], before // after)
        return operation("/", operation("*", indices[0], before), after)


def _size(kind: TypeKind) -> int | None:
    if kind.integer is not None:
        return max(kind.integer.bits // 8, 1)
    if kind.floating:
        if kind.name.last.endswith("half"):
            return 2
        return 4 if kind.precision is Precision.SINGLE else 8
    return None


def _text(kind: TypeKind) -> str:
    if kind.integer is not None:
        return f"{'int' if kind.integer.signed else 'uint'}{kind.integer.bits}"
    return kind.name.last if kind.floating or kind.sycl else kind.name.text


_FLAGS = (b"volatile", b"atomic_ref", b"atomic_fetch", b"atomic_comp", b"atomic_exch", b"atomicAdd", b"atomicCAS")
"""Words without which no work-item waits for what another writes."""
ACCESSING = frozenset({"operator()", "operator[]"})
"""Operators that are followed like methods."""
_TARGETED = 4
"""Template arguments of an accessor that say whose memory it is."""
_ACCESSOR_MAKERS = frozenset({"accessor", "get_access"})
"""Classes and functions that give an accessor to a variable declared ``auto``."""
Origin = Variable | FunctionParameter | TemplateParameter


class OuterScope:
    """Names of device code that are declared around it."""

    def __init__(self, code: KernelCode) -> None:
        self._code = code
        self._evaluator = code.evaluator
        self._local = {each.name: each for each in code.local if each.name}
        self._known: dict[tuple[str, int], AbstractValue] = {}
        self._has_copies = False
        """More may be done to local memory than its names show."""
        self._unseen: set[str] = set()
        """Objects of classes that are not visible."""
        self.views = TypedViews(code.evaluator)
        self.memories: dict[tuple[str, Node | None], MemoryObject] = {}
        """By their names, and the declarations of the variables that lead to them."""
        self.parameters: dict[str, Parameter] = {}
        """What given numbers are made of, by their keys."""

    @property
    def has_flags(self) -> bool:
        """Whether work-items may wait for each other by what they write to memory."""
        return any(map(self._code.mentions, _FLAGS))

    def kind(self, name: Name, place: Place) -> Type | None:
        """The type with which ``name`` is declared outside the function at ``place``."""
        origin = _origin(name.text, place)
        return origin.type if isinstance(origin, Variable | FunctionParameter | TemplateParameter) else None

    def is_declared(self, name: Name, place: Place) -> bool:
        """Whether ``name`` is a visible variable or constant; otherwise it may be a macro that is not visible."""
        text, facts = name.text, self._evaluator.facts
        if _origin(text, place) is not None or text in ("this", "true", "false", "nullptr"):
            return True
        return bool(facts.variables.get(name.last) or facts.enumerators.get(name.last))

    def thing(self, name: Name, place: Place) -> AbstractValue:
        """What ``name`` stands for outside the function at ``place``; ``None`` when it is not declared there."""
        key = (name.text, id(place.node))
        if key not in self._known:
            self._known[key] = self._found(name, place)
        return self._known[key]

    def _found(self, name: Name, place: Place) -> AbstractValue:
        text = name.text
        if name.scope is not None or "::" in text or name.arguments is not None:
            return self.number(name, place)
        origin = _origin(text, place)
        if origin is None:
            if self._evaluator.facts.variables.get(text) or self._evaluator.facts.enumerators.get(text):
                return self.number(name, place)
            return 1 if text == "true" else 0 if text in ("false", "nullptr", "NULL") else None
        if isinstance(origin, Name):
            return self.thing(origin, place)
        return None if isinstance(origin, Lambda) else self._declared(origin, name, place)

    def _declared(self, origin: Node, name: Name, place: Place) -> AbstractValue:
        kind = origin.type if isinstance(origin, Variable | FunctionParameter | TemplateParameter) else None
        if kind is not None:
            resolved = self._evaluator.types.kind(kind.name, place)
            array = self._local.get(name.text)
            if resolved.struct is not None and _is_plain(resolved.struct.node) and not (kind.pointers or kind.extents):
                return self._object(resolved.struct, name, place, origin)
            if array is not None and not array.is_accessor:
                # An object that may hold local memory, or be it: what its elements are shared by is not known.
                return None
            if resolved.sycl == "local_accessor" or array is not None:
                return self._local_accessor(name.text, kind, origin, self._code.place, origin)
            if kind.pointers == 1 and not kind.extents:
                memory = self.memory(name, origin, place)
                memory.of_objects = resolved.struct is not None
                return Pointer(memory, (0,))
            if resolved.sycl == "accessor":
                return MemoryElement(self.memory(name, origin, place, _dimensions(resolved.name)), ())
            if kind.pointers or kind.extents:
                return None
            if resolved.floating:
                return Atom(AtomKind.GIVEN, name.text, name.text)
            if resolved.automatic or template_parameter(kind.name.text, self._code.place) is not None:
                handed = self._evaluator.lookup.name(name, Point(place, name.start))
                if isinstance(handed, Closure):
                    # On other ways to the kernel it may be another one, which does something else.
                    self._share_local_memory()
                    return DeviceClosure(handed.function, handed.place, {})
            if resolved.integer is None:
                given = _given_by(origin)
                if given in _ACCESSOR_MAKERS:
                    return MemoryElement(self.memory(name, origin, place, None), ())
                if given in MAKERS:
                    return Pointer(self.memory(name, origin, place), (0,))
                if given is None:
                    self._unseen.add(name.text)
        return self.number(name, place)

    def part(self, member: Member, kind: TypeKind, place: Place) -> AbstractValue:
        """A data member of an object that the kernel is given, where that is a number."""
        if not kind.is_number:
            return None
        text = spelled(member)
        if kind.floating:
            return Atom(AtomKind.GIVEN, text, text)
        return self.term(self._code.reading.value(member, place, self._evaluator.frame), text)

    def _object(self, struct: Declared[Struct], written: Expr, place: Place, base: Node) -> Object:
        """An object that the kernel is given; the memory that its members lead to is known from here on."""
        members: dict[str, Slot | MemoryElement] = {}
        for variable in struct.node.variables:
            kind, inside = variable.type, Place(struct.node.members, struct.place)
            if kind.reference or kind.extents or variable.flags & STATIC:
                continue
            part = Member(written, variable.name, None, written.start, written.end)
            resolved = self._evaluator.types.kind(kind.name, inside)
            location = self._evaluator.facts.location(variable, inside)
            if kind.pointers == 1:
                members[variable.name] = Slot(Pointer(self.memory(part, base, place, location=location), (0,)))
            elif resolved.sycl == "local_accessor":
                members[variable.name] = self._local_accessor(spelled(part), kind, variable, inside, base)
                # It may be a copy of any that has a name.
                self._share_local_memory()
            elif resolved.sycl == "accessor" and len(resolved.name.arguments or ()) < _TARGETED:
                memory = self.memory(part, base, place, _dimensions(resolved.name), location)
                members[variable.name] = MemoryElement(memory, ())
            elif resolved.struct is not None and _is_plain(resolved.struct.node):
                members[variable.name] = Slot(self._object(resolved.struct, part, place, base))
        return Object(struct, members, (written, place))

    def _share_local_memory(self) -> None:
        self._has_copies = True
        for memory in self.memories.values():
            memory.aliased = memory.space is Space.LOCAL

    def _local_accessor(self, text: str, kind: Type, origin: Node, place: Place, base: Node) -> MemoryElement:
        found = self.memories.get((text, base))
        if found is None:
            array = self._local.get(text)
            location = array.location if array is not None else self._evaluator.facts.location(origin, place)
            resolved = self._evaluator.types.kind(kind.name, place).name
            element = as_type(resolved.arguments[0]) if resolved.arguments else None
            rank = _dimensions(resolved) if resolved.last in ("local_accessor", "accessor") else None
            point = Point(place, kind.name.start)
            inner = self._extents(element, point) if element is not None else 0
            found = self.memories[text, base] = MemoryObject(
                text,
                Space.LOCAL,
                location,
                rank,
                inner,
                array.count if array is not None else None,
                array.bytes if array is not None else None,
                extents=array.extents if array is not None else (),
                array=inner > 0 and rank == 0,
                aliased=self._has_copies,
                element=self.views.element(element.name, point) if element else "",
            )
        return MemoryElement(found, ())

    def _extents(self, element: Type, point: Point) -> int:
        """How many extents the type of an element has, by itself or by the name that it was given."""
        named = self._evaluator.kind(element.name, point).extents
        return len(element.extents) + len(named.extents if named is not None else ())

    def memory(
        self, given: Expr, origin: Node | None, place: Place, rank: int | None = 1, location: Location | None = None
    ) -> MemoryObject:
        """The object that a captured pointer or accessor leads to, or such a member of a captured object."""
        text = spelled(given)
        found = self.memories.get((text, origin))
        if found is None:
            named = origin if origin is not None else self._code.function
            location = location or self._evaluator.facts.location(named, self._code.place)
            space = Space.UNSEEN if text in self._unseen else Space.GLOBAL
            found = self.memories[text, origin] = MemoryObject(text, space, location, rank)
            found.of_objects, found.given = origin is None, (given, place)
        return found

    def value(self, expression: Expr | None, place: Place) -> Value:
        """A number that the kernel is given, as the evaluator knows it."""
        if expression is None:
            return Unknown("no number is written")
        found: Value = self._code.reading.value(expression, place, self._evaluator.frame)
        return found

    def number(self, expression: Expr, place: Place) -> Term | None:
        """A number that the kernel is given; the same for all its work-items."""
        value = self.value(expression, place)
        text = expression.text if isinstance(expression, Name) else ""
        return self.term(value, text) if text or isinstance(value, Known | Symbolic) else None

    def term(self, value: Value, text: str) -> Term:
        """A value as a term; what is not known of it is a number called ``text``."""
        if isinstance(value, Known):
            return value.value
        for dimension, extent in enumerate(self._code.geometry.local or ()):
            if isinstance(value, Symbolic) and isinstance(extent, Symbolic) and value.terms == extent.terms:
                return Atom(AtomKind.LOCAL_RANGE, dimension)
        if isinstance(value, Symbolic) and value.terms:
            return self._polynomial(value) or Atom(AtomKind.GIVEN, value.text, value.text)
        return Atom(AtomKind.GIVEN, text, text)

    def _polynomial(self, value: Symbolic) -> Term | None:
        total: Term | None = 0
        for term in value.terms:
            part: Term | None = term.factor
            for atom in term.atoms:
                self.parameters[atom.key] = atom
                part = operation("*", part, Atom(AtomKind.GIVEN, atom.key, atom.text))
            total = operation("+", total, part)
        return total


def _is_plain(struct: Struct) -> bool:
    """Whether a class only keeps its members: it has no operators but such as are followed, and inherits nothing."""
    functions = [each.name for each in struct.members.statements if isinstance(each, Function)]
    operators = [each for each in functions if "operator" in each and each not in ACCESSING]
    return not struct.bases and struct.keyword != "union" and not operators


def _dimensions(name: Name) -> int | None:
    arguments = name.arguments or ()
    if len(arguments) < 2:
        return 1
    text = getattr(arguments[1], "text", "")
    return int(text) if text in ("0", "1", "2", "3") else None


def _origin(text: str, place: Place) -> Node | None:
    """The declaration of ``text`` outside the function at ``place``, or what a capture gives it."""
    function = place.node
    if isinstance(function, Lambda):
        for capture in function.captures:
            if capture.name == text and capture.value is not None:
                return capture.value if isinstance(capture.value, Name) and capture.value.text != text else function
    if isinstance(function, Function | Lambda):
        for parameter in function.template_parameters:
            if parameter.name == text:
                return parameter if parameter.type is not None else None
    current = place.outer
    while current is not None:
        found = _in_node(current.node, text)
        if found is not None:
            return found
        current = current.outer
    return None


def _in_node(node: Node, text: str) -> Node | None:
    match node:
        case Block(statements=statements):
            return _named(declared_in(statements), text)
        case Struct():
            found = _named(node.variables, text)
            return found if found is not None else _named(node.template_parameters, text)
        case Lambda(parameters=parameters, captures=captures):
            for capture in captures:
                if capture.name == text and capture.value is not None:
                    return node
            return _named(parameters, text)
        case Function(parameters=parameters, template_parameters=templates):
            return _named(parameters, text) or _named(templates, text)
        case Loop(initializer=Declaration(variables=variables)) | If(initializer=Declaration(variables=variables)):
            return _named(variables, text)
        case RangeLoop(variable=variable):
            return variable if variable.name == text else None
        case _:
            return None


def _named(declared: Iterable[Origin], text: str) -> Node | None:
    return next((each for each in declared if each.name == text), None)


def _given_by(origin: Node) -> str | None:
    """What surely gives global memory to a variable whose type is not written; empty for a cast to a pointer."""
    if not isinstance(origin, Variable) or len(origin.arguments) != 1:
        return None
    match origin.arguments[0]:
        case Cast(type=kind) if kind.pointers:
            return ""
        case Call(function=Member(name=made)) | Call(function=Name(last=made)) | Brace(type=Name(last=made)):
            return made if made in _ACCESSOR_MAKERS or made in MAKERS else None
        case _:
            return None
