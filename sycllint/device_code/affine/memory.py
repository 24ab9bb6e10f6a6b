"""Whose memory the arrays of a kernel are: what a name, a member of an object or a pointer made of them leads to."""

from enum import Enum

from sycllint.cpp.expression import Binary, Brace, Call, Cast, Expr, Index, Member, Name, Type, Unary
from sycllint.cpp.place import Place
from sycllint.cpp.statement import FunctionParameter, Struct, Variable
from sycllint.device_code.bodies.reading import DeviceFunction
from sycllint.device_code.code import KernelCode
from sycllint.values.objects import Point

MAX_DEPTH = 16
Path = tuple[str, ...]
"""Members of an object, the outermost first."""


class IndexedMemory(Enum):
    """Where what a name leads to lives."""

    GLOBAL = "global"
    LOCAL = "local"
    PRIVATE = "private"
    UNKNOWN = "unknown"


def memory(
    code: KernelCode, body: DeviceFunction, array: Expr, place: Place, path: Path = (), depth: int = 0
) -> IndexedMemory:
    """Where a pointer or an array leads that is written in ``body`` at ``place``, or the member at ``path`` of it."""
    while isinstance(array, Member):
        path, array = (array.name, *path), array.object
    if depth > MAX_DEPTH or not isinstance(array, Name):
        return IndexedMemory.UNKNOWN
    if array.text == "this":
        return _of_this(code, body, place, path, depth)
    found = code.evaluator.declarations.nearest(array.text, Point(place, array.start))
    if found is None or (found[1].outer is not None and isinstance(found[1].outer.node, Struct)):
        return _of_this(code, body, place, (array.text, *path), depth)
    node, scope = found
    if not isinstance(node, Variable | FunctionParameter):
        return IndexedMemory.UNKNOWN
    if not any(each is body.function for each in scope.chain()):
        return _given(code, node.type, scope, path)
    kind = node.type
    declared = _by_type(code, kind, scope) if not path and not kind.pointers else IndexedMemory.UNKNOWN
    if declared is not IndexedMemory.UNKNOWN:
        return declared
    if isinstance(node, FunctionParameter):
        handed = body.handed(node) if path or kind.pointers or kind.reference else None
        if handed is None or body.caller is None or body.call is None:
            return IndexedMemory.UNKNOWN
        return _pointed(code, body.caller, handed, body.call.place, path, depth + 1)
    if kind.extents and not kind.pointers:
        return IndexedMemory.PRIVATE
    made = _initial(code, node, scope, path)
    return IndexedMemory.UNKNOWN if made is None else _pointed(code, body, *made, depth + 1)


def _of_this(code: KernelCode, body: DeviceFunction, place: Place, path: Path, depth: int) -> IndexedMemory:
    """A member of the object whose method ``body`` is: of the kernel itself, or of what the method is called on."""
    if body.call is not None and body.caller is not None:
        call, outside = body.call
        function = call.function
        if isinstance(function, Member):
            return memory(code, body.caller, function.object, outside, path, depth + 1)
        if isinstance(function, Name) and code.evaluator.declarations.type_of(function, Point(outside, call.start)):
            return memory(code, body.caller, function, outside, path, depth + 1)
        return _of_this(code, body.caller, outside, path, depth + 1) if depth < MAX_DEPTH else IndexedMemory.UNKNOWN
    inside = place.around(Struct)
    around = inside.node if inside is not None else None
    return _member(code, around, inside, path) if isinstance(around, Struct) and inside else IndexedMemory.UNKNOWN


def _given(code: KernelCode, kind: Type, scope: Place, path: Path) -> IndexedMemory:
    """What is declared around the kernel, with that type."""
    resolved = code.evaluator.types.kind(kind.name, scope)
    if path:
        struct = resolved.struct if not (kind.pointers or kind.extents) else None
        return _member(code, struct.node, struct.place, path) if struct is not None else IndexedMemory.UNKNOWN
    leads = _by_type(code, kind, scope)
    return IndexedMemory.GLOBAL if leads is IndexedMemory.UNKNOWN and resolved.automatic else leads


def _member(code: KernelCode, struct: Struct, place: Place, path: Path) -> IndexedMemory:
    """The member at ``path`` of an object that the kernel is given."""
    inside = Place(struct.members, place)
    declared = next((each.type for each in struct.variables if each.name == path[0]), None)
    if declared is None:
        return IndexedMemory.UNKNOWN
    if len(path) > 1:
        return _given(code, declared, inside, path[1:])
    return _by_type(code, declared, inside)


def _by_type(code: KernelCode, kind: Type, place: Place) -> IndexedMemory:
    """Where a pointer or an accessor leads that the kernel is given."""
    resolved = code.evaluator.types.kind(kind.name, place)
    if resolved.sycl == "local_accessor" or _is_old_local(resolved.name):
        return IndexedMemory.LOCAL
    is_global = kind.pointers or resolved.sycl in ("accessor", "global_ptr")
    return IndexedMemory.GLOBAL if is_global else IndexedMemory.UNKNOWN


def _is_old_local(name: Name) -> bool:
    """``accessor<float, 1, access::mode::read_write, access::target::local>``."""
    return any(isinstance(each, Name) and each.last == "local" for each in name.arguments or ())


def _initial(code: KernelCode, node: Variable, scope: Place, path: Path) -> tuple[Expr, Place, Path] | None:
    """What a variable of the kernel, or the member at ``path`` of it, is made from."""
    if len(node.arguments) == 1 and (node.style != "{" or not path):
        return node.arguments[0], scope, path
    struct = code.evaluator.types.kind(node.type.name, scope).struct
    if not path or struct is None or code.evaluator.members.constructors(struct) != ():
        return None
    pairs = zip(struct.node.variables, node.arguments, strict=False)
    given = next((each for variable, each in pairs if variable.name == path[0]), None)
    return None if given is None or isinstance(given, Brace) else (given, scope, path[1:])


def _pointed(
    code: KernelCode, body: DeviceFunction, expression: Expr, place: Place, path: Path, depth: int
) -> IndexedMemory:
    """Where a pointer that is made by ``expression`` leads, or the member at ``path`` of such an object."""
    match expression:
        case Name() | Member():
            return memory(code, body, expression, place, path, depth + 1)
        case Binary(operator="+" | "-", left=left):
            return _pointed(code, body, left, place, path, depth + 1)
        case Unary(operator="&", operand=Index(object=inner)) | Cast(operand=inner):
            return _pointed(code, body, inner, place, path, depth + 1)
        case Unary(operator="&", operand=inner) if path:
            return _pointed(code, body, inner, place, path, depth + 1)
        case Call(function=Member(object=inner, name="get_pointer" | "get_multi_ptr" | "get")):
            return _pointed(code, body, inner, place, path, depth + 1)
        case _:
            return IndexedMemory.UNKNOWN
