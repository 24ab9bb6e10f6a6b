"""The names by which SYCL's device code synchronises and shares.

Source: SYCL 2020, chapters "Group functions" and "Expressing parallelism"; the DPC++ extensions sub_group,
group_local_memory and work_group_static.
"""

GROUP_FUNCTIONS = frozenset(
    {
        "group_barrier", "group_broadcast", "any_of_group", "all_of_group", "none_of_group", "reduce_over_group",
        "exclusive_scan_over_group", "inclusive_scan_over_group", "joint_any_of", "joint_all_of", "joint_none_of",
        "joint_reduce", "joint_exclusive_scan", "joint_inclusive_scan", "shift_group_left", "shift_group_right",
        "permute_group_by_xor", "select_from_group", "joint_sort", "sort_over_group", "group_load", "group_store",
        "joint_matrix_load", "joint_matrix_store", "joint_matrix_mad", "joint_matrix_fill", "reduce", "broadcast",
        "any_of", "all_of", "none_of", "exclusive_scan", "inclusive_scan",
    }
)  # fmt: skip
"""Functions whose first argument is the group that takes part; the last seven are names of before SYCL 2020."""

OLD_GROUP_FUNCTIONS = frozenset(
    {
        "reduce", "broadcast", "any_of", "all_of", "none_of", "exclusive_scan", "inclusive_scan",
    }
)  # fmt: skip

SUB_GROUP_MEMBERS = frozenset(
    {
        "shuffle", "shuffle_up", "shuffle_down", "shuffle_xor", "shuffle_left", "shuffle_right", "load", "store",
        "broadcast", "reduce", "any", "all", "exclusive_scan", "inclusive_scan", "barrier",
    }
)  # fmt: skip

LOCAL_ALLOCATORS = frozenset(
    {
        "group_local_memory", "group_local_memory_for_overwrite",
    }
)  # fmt: skip
STATIC_LOCAL = frozenset(
    {
        "work_group_static", "work_group_scratch_memory",
    }
)  # fmt: skip

ITEM_QUERIES = frozenset(
    {
        "get_global_id", "get_local_id", "get_group", "get_global_linear_id", "get_local_linear_id",
        "get_group_linear_id", "get_global_range", "get_local_range", "get_group_range", "get_sub_group",
        "get_nd_range", "get_id", "get_range", "get_linear_id", "get_offset",
    }
)  # fmt: skip

WORK_GROUP_MAKERS = frozenset(
    {
        "get_group", "this_group", "get_work_group", "this_work_group",
    }
)  # fmt: skip
SUB_GROUP_MAKERS = frozenset(
    {
        "get_sub_group", "this_sub_group", "get_ballot_group", "get_fixed_size_group", "get_tangle_group",
        "get_opportunistic_group",
    }
)  # fmt: skip
SUB_GROUP_TYPES = frozenset(
    {
        "sub_group", "sub_group_mask", "ballot_group", "fixed_size_group", "tangle_group", "opportunistic_group",
    }
)  # fmt: skip
ITEM_TYPES = frozenset(
    {
        "nd_item", "item", "id", "h_item", "group", "sub_group",
    }
)  # fmt: skip
"""Types of a kernel's parameter, and of the groups it makes from it."""
