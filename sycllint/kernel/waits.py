"""What may make the work-items of a group wait though nobody follows it: functions, methods and objects out of sight.

A function needs no argument to reach the group it runs in: DPC++'s extension free_function_queries gives the calling
work-item to any. So whatever is neither of SYCL or the C++ library nor in sight may hold a barrier.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from sycllint.cpp.expression import Call, Expr, Member, Name, Opaque, Type
from sycllint.cpp.node import Node, walk
from sycllint.cpp.statement import Function, Parameter, Struct, Variable
from sycllint.facts.file import Declared
from sycllint.kernel.calls import is_plain_function
from sycllint.kernel.vocabulary import (
    GROUP_FUNCTIONS,
    OLD_GROUP_FUNCTIONS,
    SUB_GROUP_FUNCTIONS,
    SUB_GROUP_MAKERS,
    SUB_GROUP_MEMBERS,
    SUB_GROUP_TYPES,
    may_synchronise,
)
from sycllint.symbols.arity import accepts
from sycllint.values.evaluate import Evaluator
from sycllint.values.types import TypeKind, qualifier_is_sycl

_NAMES = (
    "acos acosh acospi asin asinh asinpi atan atan2 atanh atanpi atan2pi cospi erfc fdim fract frexp ilogb lgamma "
    "logb maxmag minmag modf nan nearbyint nextafter pown powr remainder remquo rint lrint rootn lround scalbn sinpi "
    "sincos tanpi tgamma divide recip abs_diff add_sat hadd rhadd mad_hi mad_sat mul_hi sub_sat popcount smoothstep "
    "sign cross dot distance length normalize fast_distance fast_length fast_normalize isequal isnotequal isgreater "
    "isgreaterequal isless islessequal islessgreater isnormal isordered isunordered bitselect any all labs llabs "
    "printf assert memcpy memset memmove memcmp swap move forward get make_pair make_tuple tie bit_cast convert as "
)
_PLAIN = frozenset(_NAMES.split())
"""Functions of values (SYCL 2020, "SYCL built-in functions for SYCL host and device"; C and C++ libraries)."""
_BUILTINS = re.compile(r"__builtin_(assume|expect|unreachable|prefetch|popcount|clz|ctz|ffs|bswap|mem|bit|is|nan|inf)")
_CLASSES = re.compile(
    r"(u?(char|short|int|long|longlong|double|float|half|bool)|schar|byte)\d*|vec|marray|u?int\d+_t|size_t|half|bfloat16"
    r"|id|range|nd_range|item|nd_item|h_item|group|sub_group|accessor|local_accessor|host_accessor|buffer"
    r"|\w*_ptr|atomic(_ref|_fence)?|stream|reducer|nd_id|device_event|array|complex|pair|tuple|optional"
    r"|plus|minus|multiplies|minimum|maximum|logical_(and|or)|bit_(and|or|xor)|specialization_id|kernel_handler"
    r"|(un)?sampled_image\w*|image_accessor|joint_matrix|numeric_limits|span|mdspan|initializer_list|private_memory"
)
"""Classes of SYCL and of the C++ library that wait for nobody, as they are called under ``using namespace``."""
_PARTS = re.compile(
    r"(max_|s|byte_)?size|length|empty|data|c?r?(begin|end)|front|back|at|get(_\w+)?|real|imag|value|has_value|count"
    r"|operator\[\]|[xyzwrgba]{1,4}|s[0-9A-Fa-f]|lo|hi|odd|even|first|second|swizzle|convert|as|load|store"
)
"""Methods that give an element, an address or a size."""
_OF_GROUPS = GROUP_FUNCTIONS | SUB_GROUP_FUNCTIONS


def is_part(name: str) -> bool:
    """Whether a method, of whatever class, is clearly one that gives an element, an address or a size."""
    return _PARTS.fullmatch(name) is not None


def _is_lanes(written: Expr, around: Function) -> bool:
    """Whether an expression in the function ``around`` is a sub-group."""
    match written:
        case Call(function=Name(last=made) | Member(name=made)):
            return made in SUB_GROUP_MAKERS
        case Name(text=text):
            body = () if around.body is None else walk(around.body)
            own = [each for each in (*around.parameters, *body) if isinstance(each, Parameter | Variable)]
            same = [each for each in own if each.name == text]
            return bool(same) and all(
                each.type.name.last in SUB_GROUP_TYPES
                or (isinstance(each, Variable) and any(_is_lanes(one, around) for one in each.arguments))
                for each in same
            )
        case _:
            return False


class Waits:
    """Answers for one evaluator."""

    def __init__(self, evaluator: Evaluator) -> None:
        self._symbols = evaluator.symbols
        self._types = evaluator.types
        self._facts = evaluator.facts
        self._bodies: dict[int, bool] = {}
        self._alone: dict[int, bool] = {}

    def function(self, name: Name, arguments: tuple[Expr, ...]) -> bool:
        """Whether a function, or what makes an object of a class, that is called by its name may wait."""
        last = name.last
        found = [each for each in self._facts.functions.get(last) if self._owner(each) in (None, last)]
        if found:
            return any(map(self.inside, [each for each in found if each.node.body is not None] or found))
        if self._of_library(name) or (arguments and self._is_plain(last)):
            return may_synchronise(last, shouted=False)
        kind = self._types.kind(name)
        if kind.struct is not None:
            return self._made(kind.struct)
        return not self._is_known(kind)

    def method(self, name: str, kind: Type | None, struct: Declared[Struct] | None = None) -> bool:
        """Whether a method may wait: of an object declared with the type ``kind``, or of the class ``struct``."""
        if may_synchronise(name, shouted=False):
            return True
        if kind is not None and not kind.pointers:
            resolved = self._types.kind(kind.name)
            if resolved.struct is None and not resolved.automatic and self._is_known(resolved):
                return False
            struct = resolved.struct
        methods = self._symbols.methods(name, self._symbols.scope_of(struct)) if struct is not None else ()
        found = [each for each in methods if each.node.body is not None]
        return any(map(self.inside, found)) if found else not is_part(name)

    def open_method(self, name: str, arguments: tuple[Expr, ...], *, used: bool) -> bool:
        """Whether a method may wait of a class that a template is given: as those in sight that can be meant.

        With none in sight, ``combine(a, b)`` for its value is arithmetic.
        """
        found = [each for each in self._facts.functions.get(name) if accepts(each.node, len(arguments))]
        if found and not may_synchronise(name, shouted=False):
            return any(map(self.inside, found))
        return not is_part(name) and not (used and name == "operator()" and len(arguments) > 1)

    def operator(self, symbol: str, struct: Declared[Struct], *, holds: bool) -> bool:
        """Whether an operator of a class may wait, or without a ``symbol`` a conversion.

        ``holds`` is the answer where that operator is not in sight.
        """
        names = {f"operator{symbol}"}
        if not symbol:
            inside = (each for each in struct.node.members.statements if isinstance(each, Function))
            names = {each.name for each in inside if each.name.startswith("operator ")}
        owners = (None, struct.node.name)
        found = [each for name in names for each in self._facts.functions.get(name) if self._owner(each) in owners]
        return any(map(self.inside, found)) if found else holds

    def _owner(self, declared: Declared[Function]) -> str | None:
        """The name of the class of which a function is a member."""
        scope = self._symbols.class_of(declared)
        return scope.name if scope is not None else None

    def own_method(self, name: str) -> bool:
        """Whether a method may wait, of whatever class in sight has one of that name; else of one that is not."""
        found = [each for each in self._facts.functions.get(name) if each.node.body is not None]
        if found and not may_synchronise(name, shouted=False):
            return any(map(self.inside, found))
        return self.method(name, None)

    def making(self, kind: Type) -> bool:
        """Whether a variable of this type may wait while it is made, or when it ends."""
        if kind.pointers or kind.reference:
            return False
        resolved = self._types.kind(kind.name)
        if resolved.struct is not None:
            return self._made(resolved.struct)
        return not self._is_known(resolved)

    def ending(self, kind: Type) -> bool:
        """Whether a variable of this type may wait when it ends: its class is in sight and says so, or out of sight."""
        if kind.pointers or kind.reference:
            return False
        resolved = self._types.kind(kind.name)
        if resolved.struct is not None:
            return any(map(self.inside, self._facts.functions.get(f"~{resolved.struct.node.name}")))
        return resolved.automatic or not self._is_known(resolved)

    def inside(self, declared: Declared[Function]) -> bool:
        """Whether a function in sight may wait."""
        node = declared.node
        known = self._bodies.get(id(node))
        if known is None:
            self._bodies[id(node)] = False
            known = self._bodies[id(node)] = node.body is None or node.damaged or self.body(node.body)
        return known

    def lanes_alone(self, declared: Declared[Function]) -> bool:
        """Whether a function in sight makes nobody wait but the work-items of one sub-group."""
        node = declared.node
        known = self._alone.get(id(node))
        if known is None:
            self._alone[id(node)] = False
            known = node.body is not None and not node.damaged
            known = known and all(self._of_lanes(each, node) or not self._may(each) for each in walk(node.body or node))
            self._alone[id(node)] = known
        return known

    def _of_lanes(self, node: Node, around: Function) -> bool:
        """Whether a call in the function ``around`` is one of a sub-group's, or of a function with none but such."""
        match node:
            case Call(function=Name(last=last), arguments=arguments) if last in _OF_GROUPS:
                return any(_is_lanes(each, around) for each in arguments)
            case Call(function=Member(object=owner, name="barrier")):
                return _is_lanes(owner, around)
            case Call(function=Name(last=last)):
                found = self._facts.functions.get(last)
                return bool(found) and all(map(self.lanes_alone, found))
            case _:
                return False

    def body(self, node: Node) -> bool:
        """Whether something inside ``node`` may wait."""
        return any(map(self._may, walk(node)))

    def _may(self, node: Node) -> bool:
        match node:
            case Call(function=Name(last=last, qualifier=qualifier) as function, arguments=arguments):
                if last in GROUP_FUNCTIONS and (qualifier or last not in OLD_GROUP_FUNCTIONS):
                    return True
                return self.function(function, arguments)
            case Call(function=Member(name=name)):
                return name == "barrier" or (name not in SUB_GROUP_MEMBERS and self.own_method(name))
            case Variable(type=kind):
                return self.making(kind)
            case Opaque(kind=kind):
                return "asm" in kind
            case _:
                return False

    def _made(self, struct: Declared[Struct]) -> bool:
        """Whether constructors or the destructor of a class may wait."""
        name = struct.node.name
        if any(not self._facts.structs.get(each.last) and not self._of_library(each) for each in struct.node.bases):
            return True
        made: Iterable[Declared[Function]] = (*self._facts.functions.get(name), *self._facts.functions.get(f"~{name}"))
        return any(map(self.inside, made))

    def _of_library(self, name: Name) -> bool:
        if name.scope is not None:
            return self._is_known(self._types.kind(name.scope))
        qualifier = name.qualifier
        return bool(qualifier) and (
            qualifier.removeprefix("::").startswith("std") or is_plain_function(name, self._facts.namespaces)
        )

    def _is_plain(self, last: str) -> bool:
        """Whether an unqualified name is that of a function of values, with or without the suffix of its type."""
        for each in (last, last[:-1] if last.endswith(("f", "l")) else last):
            if each in _PLAIN or is_plain_function(Name(each, None, None, 0, 0), {}):
                return True
        return _BUILTINS.match(last) is not None or last.startswith(("__spirv_ocl", "__ocml", "__nv_", "convert_"))

    def _is_known(self, kind: TypeKind) -> bool:
        """Whether a type is a number, a class of SYCL or of the C++ library, or left to its initialiser."""
        if kind.is_number or kind.automatic or kind.extents is not None:
            return True
        qualifier = kind.name.qualifier
        if qualifier and qualifier_is_sycl(qualifier, self._facts.namespaces):
            return True
        if qualifier.removeprefix("::").startswith("std"):
            return True
        return _CLASSES.fullmatch(kind.name.last) is not None
