"""What of SYCL and of the C++ library surely synchronises no work-items: functions of values, classes, their parts."""

from __future__ import annotations

import re
from collections.abc import Mapping

from sycllint.cpp.expression import Name
from sycllint.domains.results import is_plain_function
from sycllint.values.objects import TypeKind
from sycllint.values.types import qualifier_is_sycl

_NAMES = (
    "acos acosh acospi asin asinh asinpi atan atan2 atanh atanpi atan2pi cospi erfc fdim fract frexp ilogb lgamma "
    "logb maxmag minmag modf nan nearbyint nextafter pown powr remainder remquo rint lrint rootn lround scalbn sinpi "
    "sincos tanpi tgamma divide recip abs_diff add_sat hadd rhadd mad_hi mad_sat mul_hi sub_sat popcount smoothstep "
    "sign cross dot distance length normalize fast_distance fast_length fast_normalize isequal isnotequal isgreater "
    "isgreaterequal isless islessequal islessgreater isnormal isordered isunordered bitselect any all labs llabs "
    "printf assert memcpy memset memmove memcmp swap move forward get make_pair make_tuple tie bit_cast convert as "
)
_FUNCTIONS = frozenset(_NAMES.split())
"""Functions of values (SYCL 2020, "SYCL built-in functions for SYCL host and device"; C and C++ libraries)."""
_BUILTINS = re.compile(r"__builtin_(assume|expect|unreachable|prefetch|popcount|clz|ctz|ffs|bswap|mem|bit|is|nan|inf)")
_CLASSES = re.compile(
    r"(u?(char|short|int|long|longlong|double|float|half|bool)|schar|byte)\d*|vec|marray|u?int\d+_t|size_t|half|bfloat16"
    r"|id|range|nd_range|item|nd_item|h_item|group|sub_group|accessor|local_accessor|host_accessor|buffer"
    r"|\w*_ptr|atomic(_ref|_fence)?|stream|reducer|nd_id|device_event|array|complex|pair|tuple|optional"
    r"|plus|minus|multiplies|minimum|maximum|logical_(and|or)|bit_(and|or|xor)|specialization_id|kernel_handler"
    r"|(un)?sampled_image\w*|image_accessor|joint_matrix|numeric_limits|span|mdspan|initializer_list|private_memory"
)
"""Classes of SYCL and of the C++ library as they are called under ``using namespace``."""
_PARTS = re.compile(
    r"(max_|s|byte_)?size|length|empty|data|c?r?(begin|end)|front|back|at|get(_\w+)?|real|imag|value|has_value|count"
    r"|operator\[\]|[xyzwrgba]{1,4}|s[0-9A-Fa-f]|lo|hi|odd|even|first|second|swizzle|convert|as|load|store"
)
"""Methods that give an element, an address or a size."""


def is_part(name: str) -> bool:
    """Whether a method, of whatever class, is clearly one that gives an element, an address or a size."""
    return _PARTS.fullmatch(name) is not None


def is_function_of_values(last: str) -> bool:
    """Whether an unqualified name is that of a function of values, with or without the suffix of its type."""
    for each in (last, last[:-1] if last.endswith(("f", "l")) else last):
        if each in _FUNCTIONS or is_plain_function(Name(each, None, None, 0, 0), {}):
            return True
    return _BUILTINS.match(last) is not None or last.startswith(("__spirv_ocl", "__ocml", "__nv_", "convert_"))


def is_library_type(kind: TypeKind, namespaces: Mapping[str, str]) -> bool:
    """Whether a type is a number, a class of SYCL or of the C++ library, or left to its initialiser."""
    if kind.is_number or kind.automatic or kind.extents is not None:
        return True
    qualifier = kind.name.qualifier
    if qualifier and qualifier_is_sycl(qualifier, namespaces):
        return True
    if qualifier.removeprefix("::").startswith("std"):
        return True
    return _CLASSES.fullmatch(kind.name.last) is not None
