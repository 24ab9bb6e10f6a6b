"""Names that mean something in SYCL, shared by the walk that meets them first and the stages that use them."""

LAUNCHING = frozenset({"parallel_for", "single_task", "parallel_for_work_group", "nd_launch"})
"""Names under which SYCL 2020, its extensions and SYCL 1.2.1 launch kernels."""
