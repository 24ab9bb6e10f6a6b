"""Names with a meaning in SYCL, shared by the lowering of syntax and the stages that use them."""

LAUNCHING = frozenset({"parallel_for", "single_task", "parallel_for_work_group", "nd_launch"})
"""Names under which SYCL 2020, its extensions and SYCL 1.2.1 launch kernels."""

MEMBERS = LAUNCHING - {"nd_launch"}
"""Those that are members of a queue, a handler or a group; as free functions, SYCL's namespace has them alone."""

ENQUEUE_FUNCTIONS = "ext::oneapi::experimental"
"""The namespace below ``sycl`` of these free functions. Source: sycl_ext_oneapi_enqueue_functions."""

LAUNCHING_FREELY = frozenset({"launch", "launch_task", "launch_reduce", "launch_grouped", "launch_grouped_reduce"})
"""Free functions that launch kernels when they are a library's: SYCLcompat's (``launch``), or those of the extension
sycl_khr_free_function_commands. They are looked at where a qualifier or template arguments are written."""
