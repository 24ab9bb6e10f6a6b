"""The names by which SYCL's device code synchronises and shares.

From SYCL 2020, chapters "Group functions" and "Expressing parallelism", DPC++'s extensions sub_group,
group_local_memory, work_group_static and work_group_scratch_memory, and syclcompat.
"""

import re

GROUP_FUNCTIONS = frozenset(
    [
        *("group_barrier", "group_broadcast", "any_of_group", "all_of_group", "none_of_group", "reduce_over_group"),
        *("exclusive_scan_over_group", "inclusive_scan_over_group", "joint_any_of", "joint_all_of", "joint_none_of"),
        *("joint_reduce", "joint_exclusive_scan", "joint_inclusive_scan", "shift_group_left", "shift_group_right"),
        *("permute_group_by_xor", "select_from_group", "joint_sort", "sort_over_group", "group_load", "group_store"),
        *("joint_matrix_load", "joint_matrix_store", "joint_matrix_mad", "joint_matrix_fill", "reduce", "broadcast"),
        *("any_of", "all_of", "none_of", "exclusive_scan", "inclusive_scan"),
    ]
)
"""Functions whose first argument is the group that takes part."""

EXCHANGING = frozenset(
    [
        *("reduce_over_group", "exclusive_scan_over_group", "inclusive_scan_over_group", "reduce", "exclusive_scan"),
        *("inclusive_scan", "group_broadcast", "any_of_group", "all_of_group", "none_of_group", "broadcast", "any_of"),
        *("all_of", "none_of"),
    ]
)
"""Of these, those that hand one value of each work-item to the others."""

OLD_GROUP_FUNCTIONS = frozenset(
    ["reduce", "broadcast", "any_of", "all_of", "none_of", "exclusive_scan", "inclusive_scan"]
)

SUB_GROUP_MEMBERS = frozenset(
    [
        *("shuffle", "shuffle_up", "shuffle_down", "shuffle_xor", "shuffle_left", "shuffle_right", "load", "store"),
        *("broadcast", "reduce", "any", "all", "exclusive_scan", "inclusive_scan", "barrier"),
    ]
)

LOCAL_ALLOCATORS = frozenset({"group_local_memory", "group_local_memory_for_overwrite", "local_mem"})
LOCAL_SCRATCH = frozenset({"get_work_group_scratch_memory"})
STATIC_LOCAL = frozenset({"work_group_static", "work_group_scratch_memory"})

WORK_GROUP_MAKERS = frozenset({"get_group", "this_group", "get_work_group", "this_work_group"})
PART_MAKERS = frozenset(
    {"get_ballot_group", "get_fixed_size_group", "get_tangle_group", "get_opportunistic_group"}
    | {"binary_partition", "chunked_partition", "entangle"}
)
"""Functions that give a group of some lanes of a sub-group (DPC++'s extension non_uniform_groups)."""
SUB_GROUP_MAKERS = PART_MAKERS | {"get_sub_group", "this_sub_group"}
GROUP_HANDLES = frozenset({"group_with_scratchpad"})
"""Types made from a group that stand for it (DPC++'s extension group_sort)."""
PART_TYPES = frozenset({"ballot_group", "fixed_size_group", "tangle_group", "opportunistic_group"})
SUB_GROUP_TYPES = PART_TYPES | {"sub_group", "sub_group_mask"}
SUB_GROUP_FUNCTIONS = frozenset(
    [
        *("select_from_sub_group", "shift_sub_group_left", "shift_sub_group_right", "permute_sub_group_by_xor"),
        *("group_ballot",),
    ]
)
"""Functions whose first argument is a sub-group: SYCLomatic's, and the extension sub_group_mask."""
LANE_SHIFTS = frozenset(
    {"shift_group_left", "shift_group_right", "permute_group_by_xor"}
    | {"shift_sub_group_left", "shift_sub_group_right", "permute_sub_group_by_xor"}
)
"""Exchanges with a lane at a distance (SYCL 2020, "Group algorithms"), and SYCLomatic's, with a width behind that."""
SUB_GROUP_WIDTHS = frozenset(
    {"get_local_range", "get_max_local_range", "get_local_linear_range", "get_max_local_linear_range"}
)
"""Members of a sub-group that give its size: that of a full one, which all are but the last of a work-group."""
BARRIERS = frozenset({"barrier", "group_barrier"})
"""A member of items, and a function of groups, that are a barrier and nothing else (SYCL 2020)."""
ITEM_MAKERS = frozenset({"get_nd_item", "this_nd_item", "get_item", "this_item"})
"""Functions that give the calling work-item (extension free_function_queries)."""
ITEM_TYPES = frozenset({"nd_item", "item", "h_item", "group", "sub_group"})
"""Types of a kernel's parameter, and of the groups it makes from it."""

IDS = {
    "get_local_id": "local",
    "get_global_id": "global",
    "get_id": "global",
    "get_group_id": "group",
    "get_group": "group",
}
"""Members of items that are ids by dimension, and what those count in (SYCL 2020, section 4.9.1)."""
LINEAR_IDS = {
    "get_local_linear_id": "local",
    "get_global_linear_id": "global",
    "get_linear_id": "global",
    "get_group_linear_id": "group",
}
ID_QUERIES = IDS.keys() | LINEAR_IDS | {"leader"}
"""Members of items and groups that say who a work-item is."""
ID_QUERIES_OF_GROUP = frozenset(name for name, kind in (IDS | LINEAR_IDS).items() if kind == "group")
"""Those that say it of its work-group, where they are asked an item or a work-group."""
RANGES = {"get_local_range": "local", "get_global_range": "global", "get_range": "global", "get_group_range": "group"}

_SYNCHRONISING = re.compile(r"(?<!a)sync|barrier|fence", re.IGNORECASE)
_LITERAL = re.compile(r"U?INT(8|16|32|64|MAX)_C")
"""Macros for literals (C++ standard, header cstdint)."""
FENCES = frozenset({"atomic_fence", "mem_fence", "atomic_work_item_fence"})
"""They order memory and do not wait (SYCL 2020, chapter "Memory model")."""


def may_synchronise(name: str, *, shouted: bool = True) -> bool:
    """Whether a function that is not visible is assumed to be a barrier, or a macro (``shouted``) with one."""
    if name in FENCES or _LITERAL.fullmatch(name):
        return False
    return _SYNCHRONISING.search(name) is not None or (shouted and name.isupper() and len(name) > 1)
