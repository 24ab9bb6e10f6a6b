"""What functions of the C and C++ libraries do with their arguments, as far as it matters for values."""

from sycllint.cpp.names import LAUNCHING

_OUTPUT = "printf fprintf sprintf snprintf puts fputs fflush fopen fclose fwrite fseek ftell feof"
_MEMORY = "malloc calloc realloc free memcpy memset memcmp memmove aligned_alloc posix_memalign"
_TEXT = "atoi atol atoll atof strtol strtoul strtod strcmp strncmp strcpy strlen"
_SYSTEM = "exit abort assert static_assert rand srand time clock usleep sleep omp_get_wtime sizeof"
_MATHEMATICS = (
    "sqrt sqrtf pow powf fabs fabsf abs labs ceil ceilf floor floorf round roundf exp expf log logf log2 log2f log10 "
    "sin sinf cos cosf tan min max fmin fminf fmax fmaxf"
)
_SYCL = "malloc_device malloc_shared malloc_host range id nd_range queue buffer local_accessor accessor stream"

BY_VALUE = frozenset(f"{_OUTPUT} {_MEMORY} {_TEXT} {_SYSTEM} {_MATHEMATICS} {_SYCL}".split())
"""Functions that take numbers by value, so that a name given to them keeps its value."""

_COMPARISON = "memcmp strcmp strncmp strlen"
_ASKING_OF = "sizeof size get assert static_assert range id"
READERS = frozenset(f"printf fprintf puts fputs fwrite {_COMPARISON} {_ASKING_OF}".split())
"""Functions that only read what a pointer given to them points to."""

_TIMES = "gettimeofday clock_gettime"
TRANSIENT = frozenset(f"scanf sscanf fscanf fread {_TIMES} MPI_Comm_rank MPI_Comm_size".split())
"""Functions that write through a pointer, but do not keep it. So do those of ``BY_VALUE``."""

TRANSIENT_METHODS = frozenset({"memcpy", "copy", "read", "write", "fill", "get", "load", "store"})
"""Methods that write through a pointer, but do not keep it."""

_KEEPERS = "addressof ref bind thread jthread async span reference_wrapper tie forward_as_tuple atomic_ref"
KEEPERS = frozenset(_KEEPERS.split())
"""Functions and classes of ``std`` and SYCL whose result refers to their arguments."""

FACTORIES = frozenset({"make_unique", "make_shared", "make_optional", "make_any", "construct_at"})
"""Functions of ``std`` that make an object of their first template argument from what they are given."""

OWNERS = frozenset({"unique_ptr", "shared_ptr"})
"""Classes of ``std`` that own the object which their first template argument is the type of."""

OWNER_MADE_BY = {"make_unique": "unique_ptr", "make_shared": "shared_ptr"}
"""The one of ``OWNERS`` that each function of ``std`` makes, with an object for it."""

SETTERS = frozenset({"apply", "exchange", "from_chars", "getline", "invoke", "swap"})
"""Functions of ``std`` that set what is given to them, or hand it to code that may."""

_OF_QUEUES = (
    "parallel_for single_task parallel_for_work_group parallel_for_work_item submit memcpy memset fill copy prefetch "
    "mem_advise update_host depends_on get_access get_host_access get_info get_range get_size has set_arg set_args "
    "ext_oneapi_memcpy2d ext_oneapi_memset2d ext_oneapi_fill2d"
)
_OF_ITEMS = (
    "get_id get_global_id get_local_id get_group get_global_range get_local_range get_group_range shuffle shuffle_up "
    "shuffle_down shuffle_xor load store fetch_add fetch_sub fetch_min fetch_max fetch_and fetch_or"
)
_OF_CONTAINERS = (
    "resize reserve assign push_back push_front emplace_back emplace_front push emplace insert erase at count find "
    "contains substr append compare replace reset"
)
_OF_STREAMS = "width precision write put seekg seekp ignore"
_OF_RANDOM_NUMBERS = "seed discard param"
METHODS_BY_VALUE = frozenset(f"{_OF_QUEUES} {_OF_ITEMS} {_OF_CONTAINERS} {_OF_STREAMS} {_OF_RANDOM_NUMBERS}".split())
"""Methods of SYCL's and the C++ library's classes that take numbers by value."""

_ASKING = "ask fetch get input lookup next pop query try"
_TRANSFERRING = "bcast broadcast decode extract load parse read receive recv scan unpack"
OBTAINING = (*_ASKING.split(), *_TRANSFERRING.split(), *("set", "swap", "update"))
"""Verbs with which functions begin that put something into what is given to them."""

AT_ONCE = LAUNCHING | {"submit", "host_task", "for_each", "for_each_n", "transform"}
"""What runs a lambda it is given, or copies what the lambda captures, before it returns."""

COLLECTORS = frozenset({"push", "push_back", "emplace", "emplace_back", "insert", "push_front", "emplace_front"})
"""Methods that keep what is given to them."""

_BUILTINS = "__builtin_trap __builtin_unreachable"
ENDS = frozenset(f"abort exit _Exit quick_exit rethrow_exception terminate unreachable {_BUILTINS}".split())
"""Functions that do not return."""
