"""The names by which host code submits work, waits for it and holds memory.

From SYCL 2020, chapters "Queue class", "Command group handler class", "Unified shared memory" and "Event class", and
from the C and C++ libraries.
"""

import re

from sycllint.values.side_effects.library import BY_VALUE, READERS, TRANSIENT

COPIES = {
    "memcpy": (0, 1, 3),
    "copy": (1, 0, 3),
    "memset": (0, None, 3),
    "fill": (0, None, 3),
    "ext_oneapi_memcpy2d": (0, 2, 6),
    "ext_oneapi_copy2d": (2, 0, 6),
}
"""Explicit memory operations: positions of destination and source, and how many arguments there are without events."""
IN_ELEMENTS = frozenset({"copy", "fill"})
"""Those of them that are given a number of elements; the others are given bytes."""

ASYNC_FUNCTIONS = {"async_dpct_memcpy": (0, 1, 3), "async_dpct_memset": (0, None, 3)}
"""The same of functions of SYCLomatic's dpct, which may be given a direction and a queue behind."""

MKL_DOMAINS = frozenset({"blas", "lapack"})
"""Namespaces of oneMKL whose functions, given pointers, submit to a queue and return before that is done."""
MKL_UNFOLLOWED = frozenset({"swap", "rot", "rotg", "rotm", "rotmg"})
"""Functions of BLAS that write elsewhere than through their last pointer."""

SUBMITS = frozenset({"submit", "parallel_for", "single_task", "ext_oneapi_submit"})
LAUNCHES = frozenset({"parallel_for", "single_task", "parallel_for_work_group"})
FREE_COMMANDS = {
    **dict.fromkeys(("submit", "submit_with_event"), ("submit", 0)),
    **dict.fromkeys(("single_task", "launch_task"), ("single_task", 0)),
    **dict.fromkeys(("parallel_for", "nd_launch", "launch", "launch_reduce"), ("parallel_for", 1)),
    **dict.fromkeys(("launch_grouped", "launch_grouped_reduce"), ("parallel_for", 2)),
    **{each: (each, 0) for each in ("memcpy", "copy", "memset", "fill", "prefetch", "mem_advise")},
    **dict.fromkeys(("barrier", "partial_barrier"), ("ext_oneapi_submit_barrier", 0)),
}
"""Functions of sycl_ext_oneapi_enqueue_functions and sycl_khr_free_function_commands: the methods that do the same.

With each, where its kernel stands behind the queue: what comes after it are reductions.
"""
_ELSEWHERE = frozenset({"launch", "barrier", "prefetch", "mem_advise"})
"""Those of the names that much else has."""
QUIET_QUEUE_METHODS = frozenset(
    {
        "get_device",
        "get_context",
        "get_backend",
        "get_info",
        "is_in_order",
        "has_property",
        "get_property",
        "prefetch",
        "mem_advise",
        "throw_asynchronous",
        "get",
        "value",
        "update_host",
    }
)
"""Methods of a queue after which nothing more is done than before."""
ORDERING = frozenset({"ext_oneapi_submit_barrier", "depends_on", "ext_codeplay_enqueue_native_command"})

RECORDING = {"begin_recording": True, "end_recording": False}
"""Methods of a ``command_graph``, and functions of dpct, between which queues record what they are given."""

ALLOCATORS = {
    "malloc_device": "device",
    "aligned_alloc_device": "device",
    "malloc_shared": "shared",
    "aligned_alloc_shared": "shared",
    "malloc_host": "host",
    "aligned_alloc_host": "host",
}
C_ALLOCATORS = frozenset({"malloc", "calloc", "realloc", "strdup"})

CLASSES = frozenset(
    {"queue", "event", "handler", "device", "context", "platform", "range", "nd_range", "id", "item", "nd_item"}
    | {"property_list", "buffer", "host_accessor", "accessor", "local_accessor"}
)
"""Classes of SYCL that host code has objects of."""

HOLDERS = frozenset({"unique_ptr", "shared_ptr", "optional", "reference_wrapper"})
"""Classes of the library that lead to one object, which is their first argument."""
CONTAINERS = frozenset({"vector", "array", "string", "basic_string", "valarray"})
LISTS = frozenset({"vector", "array", "deque", "span"})
"""Classes of the library that have elements of one type, by their number."""
BEGINNINGS = frozenset({"data", "begin", "cbegin", "get"})
ADDRESSES = BEGINNINGS | {"end", "cend", "rbegin", "rend"}
"""Methods of containers and owners that give a pointer or an iterator: to the first element, or elsewhere."""
ELEMENTS = frozenset({"at", "front", "back"})
"""Methods of containers that read an element."""
CONTAINER_QUIET = ADDRESSES | frozenset({"size", "empty", "capacity", "max_size", "length", "get_allocator"})

_READING = (
    "accumulate reduce inner_product equal mismatch find find_if count count_if all_of any_of none_of max_element"
)
_READING_MORE = "min_element minmax_element is_sorted for_each adjacent_difference partial_sum transform_reduce"
_CHANGING = "sort stable_sort partial_sort nth_element inclusive_scan exclusive_scan transform copy copy_n copy_if"
_FILLING = "fill fill_n generate generate_n iota"
ALGORITHMS = frozenset(f"{_READING} {_READING_MORE} {_CHANGING} reverse unique replace shuffle {_FILLING}".split())
"""Algorithms of the C++ library that go through the elements they are given."""
FILLERS = frozenset(_FILLING.split())
"""Those that only write."""
C_READERS = {"memcmp": (0, 1), "fwrite": (0,), "puts": (0,), "strlen": (0,), "strcmp": (0, 1)}
C_WRITERS = {"memcpy": (0, 1), "memmove": (0, 1), "memset": (0, None), "fread": (0, None)}
"""C functions on memory: positions of destination and source."""
BY_BYTES = frozenset({"memcpy", "memmove", "memset", "memcmp"})
"""Those of them that are given a number of bytes behind."""

WAITS = re.compile(r"wait|sync|finish|flush|fence|barrier|join|drain|profiling|elapsed|complete", re.IGNORECASE)
"""Names by which a function that is not visible is assumed to wait."""


DPCT_QUEUES = frozenset({"get_default_queue", "get_in_order_queue", "get_out_of_order_queue", "default_queue"}) | {
    "in_order_queue",
    "out_of_order_queue",
}
DPCT_UNORDERED = frozenset({"get_out_of_order_queue", "out_of_order_queue"})
"""Those of them whose names say that commands do not wait for one another."""
DPCT_QUIET = DPCT_QUEUES | {"get_current_device", "get_device", "device", "dev_mgr", "async_dpct_free"}
VALUE_OF_TRY = frozenset({"DPCT_CHECK_ERROR"})
"""Macros of dpct that give an error code: their expression is evaluated, and its value is dropped."""
CHECKS = re.compile(
    r"(?i:check|safe|assert|verify|expect|ensure|enforce|require|guard|chk)"
    r"|(?i:(?:^|_)try)|Try|(?i:call|err|errors?)(?:_|$)|Err"
)
"""What a macro or function is called that looks at the outcome of what is done in its argument."""

REPORTS = re.compile(
    r"(?:^|_)(?:[A-Z]?LOG[A-Z]*|PRINT\w*|TRACE|DEBUG|INFO|WARN\w*|MESSAGE|MSG|VERBOSE|UNUSED|NVTX\w*)(?:_|$)"
)
"""Names of macros that log, or do nothing."""

HARMLESS = frozenset({"std", "sycl", "cl", "stdexcept"})
"""Namespaces whose functions wait for a queue only when they are given it."""

TEST_MACROS = re.compile(r"(EXPECT|ASSERT|REQUIRE|CHECK|assert|static_assert)(_\w+)?|assert")
"""Macros of test frameworks that only evaluate their arguments."""

QUIET = BY_VALUE | READERS | TRANSIENT
"""Functions that are not visible and keep no reference to their arguments."""
RANGES = frozenset({"range", "nd_range", "id"})
OUTGOING = frozenset({"swap", "tie", "exchange", "move", "forward", "ref", "thread", "getline"})
"""Functions of the C++ library that take variables by reference without reading them."""

OPERATIONS = frozenset(COPIES) | SUBMITS | ASYNC_FUNCTIONS.keys() | (FREE_COMMANDS.keys() - _ELSEWHERE)
"""What makes a function worth looking at, by the names of calls in it."""
