"""What functions of SYCL and of the C++ library give when called from a kernel, as far as uniformity is concerned."""

from collections.abc import Mapping

from sycllint.cpp.expression import Name
from sycllint.domains.levels import UNIFORM, UNKNOWN, Content, Level
from sycllint.domains.meaning import Role
from sycllint.domains.vocabulary import GROUP_FUNCTIONS, OLD_GROUP_FUNCTIONS
from sycllint.values.types import qualifier_is_sycl, unaliased

ADDRESS_MEMBERS = frozenset({"get_pointer", "get_multi_ptr", "get_raw", "get_decorated", "get", "data", "begin"})
"""Members of accessors and pointers that give an address in the same memory (SYCL 2020, "Accessors", "multi_ptr")."""

_LIBRARIES = frozenset(
    {"sycl", "cl", "ext", "syclcompat", "dpct", "intel", "oneapi", "ONEAPI", "syclex", "native", "esimd"}
)
"""Namespaces of SYCL, of its extensions and of the libraries made for it."""
_NAMES = (
    "abs fabs sqrt rsqrt exp exp2 exp10 expm1 log log2 log10 log1p pow powf sin cos tan asin acos atan atan2 sinh "
    "cosh tanh floor ceil round trunc fmin fmax fmod min max clamp mix mad fma hypot cbrt erf erfc isnan isinf "
    "isfinite signbit copysign step sign degrees radians select clz ctz popcount mul24 mad24 mulhi rotate "
    "upsample sqrtf expf logf fabsf floorf ceilf sinf cosf fminf fmaxf roundf rsqrtf tanhf erff ldexp "
)
_MATHS = frozenset(_NAMES.split())
"""Functions from numbers to a number (SYCL 2020, "Math functions" to "Relational functions"; C++ header cmath)."""

_UNIFORM_RESULTS = frozenset(
    {"any", "all", "any_of_group", "all_of_group", "none_of_group", "joint_any_of", "joint_all_of", "joint_none_of"}
    | {"reduce", "reduce_over_group", "joint_reduce", "any_of", "all_of", "none_of", "group_ballot"}
)
_BROADCASTS = frozenset({"broadcast", "group_broadcast"})
SELECTIONS = frozenset({"select_from_group", "shuffle", "select_from_sub_group"})
_NO_RESULT = frozenset({"barrier", "group_barrier", "store", "group_store", "group_load"})
_OF_LANES = ("joint_matrix", "shift_", "permute_", "select_")
_ATOMIC = ("fetch_", "exchange", "compare_exchange", "atomic_fetch", "atomic_exchange", "atomic_compare", "atomicAdd")


def is_atomic(name: str) -> bool:
    """Whether a call gives each work-item what memory held when its turn came."""
    return name.startswith(_ATOMIC) or (name.startswith("atomic") and "add" in name.lower())


def takes_lane_of_group(name: str) -> bool:
    """Whether a group function exists for sub-groups only."""
    return name.startswith(_OF_LANES)


def is_of_sycl(qualifier: str, namespaces: Mapping[str, str]) -> bool:
    """Whether names with this qualifier are SYCL's, or of a library made for it."""
    if qualifier_is_sycl(qualifier, namespaces):
        return True
    return not _LIBRARIES.isdisjoint(unaliased(qualifier, namespaces).split("::"))


def is_group_function(function: Name, namespaces: Mapping[str, str]) -> bool:
    """Whether the group that takes part is a function's first argument; its old names say so only where qualified."""
    if function.last not in GROUP_FUNCTIONS:
        return False
    qualifier = function.qualifier
    return is_of_sycl(qualifier, namespaces) if qualifier else function.last not in OLD_GROUP_FUNCTIONS


def is_plain_function(function: Name, namespaces: Mapping[str, str]) -> bool:
    """Whether a function is SYCL's or the C++ library's, or an unqualified one of mathematics."""
    qualifier = function.qualifier
    if not qualifier:
        return function.text in _MATHS
    return qualifier.removeprefix("::").startswith("std") or is_of_sycl(qualifier, namespaces)


def result_of_group_function(name: str, role: Role, arguments: tuple[Content, ...]) -> Content:
    """What a group function gives, from its arguments after the group (SYCL 2020, "Group functions")."""
    if name in _NO_RESULT:
        return UNIFORM
    operand = arguments[0] if arguments else UNKNOWN
    if role is Role.WORK_GROUP:
        if name in _UNIFORM_RESULTS or name in _BROADCASTS:
            return Content(Level.GROUP)
        return Content(Level.ITEM) if "scan" in name else UNKNOWN
    if name in _UNIFORM_RESULTS:
        return Content(Level.SUB_GROUP)
    if name in _BROADCASTS:
        return Content(min(operand.level, Level.SUB_GROUP))
    if "scan" in name:
        return Content(Level.ITEM)
    if name in SELECTIONS and len(arguments) > 1 and arguments[1].level <= Level.GROUP:
        return Content(min(operand.level, Level.SUB_GROUP))
    if operand.level in (Level.ITEM, Level.SPLIT):
        # A butterfly of exchanges ends with one value in all lanes; how far it got is not followed.
        return Content(Level.SPLIT)
    return Content(operand.level)
