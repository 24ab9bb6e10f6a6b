"""Names of kernels in binaries: what the user's kernel is called, with its scopes and template arguments.

DPC++ calls a kernel by the mangled name of its name type, ``_ZTS3Foo``, or of its lambda's type when it has none;
CUDA and HIP by the mangled function. Source: intel/llvm, sycl/include/sycl (handler.hpp, reduction.hpp), and
llvm/lib/SYCLLowerIR/GlobalOffset.cpp for the twins.
"""

from sycllint.compiled.demangle import demangled
from sycllint.compiled.mangling import Demangled, NamePart
from sycllint.record import NamedTuple

_WRAPPERS = {
    "__pf_kernel_wrapper": 0,
    "MainKrn": 0,
    "AuxKrn": 0,
    "RoundedRangeKernel": -1,
    "RoundedRangeKernelWithKH": -1,
}
"""Templates of DPC++'s headers around a user's kernel, and which argument that is."""
LIBRARY = frozenset({"sycl", "cl", "__sycl_service_kernel__", "std", "oneapi"})
"""Namespaces of the SYCL runtime and the libraries that come with it: kernels in them are not the user's."""
_FREE = "__sycl_kernel_"
"""Before the name of a free function kernel (sycl_ext_oneapi_free_function_kernels)."""
_TWIN = "_with_offset"
"""Behind the name of a kernel's second version on AMD and NVIDIA, which is run where a launch has an offset."""
LAMBDA = "(lambda)"


class KernelName(NamedTuple):
    """What a mangled name says of its kernel."""

    parts: tuple[NamePart, ...]
    """From the outermost scope to the kernel's own name, or to its lambda."""
    is_twin: bool = False
    """Whether it is the version for launches with an offset."""
    is_own: bool = False
    """Whether it is a kernel of the SYCL runtime, such as that of ``fill``, and of no launch in the source."""

    @property
    def text(self) -> str:
        """``ns::Foo<16>``."""
        return Demangled.of(self.parts).text

    @property
    def last(self) -> NamePart:
        """The kernel's own name."""
        return self.parts[-1]

    @property
    def scope(self) -> tuple[NamePart, ...]:
        """The namespaces and classes, and of a local name the functions, around it."""
        return self.parts[:-1]

    @property
    def is_lambda(self) -> bool:
        """Whether it has no name of its own."""
        return self.last.name == LAMBDA

    @property
    def function(self) -> NamePart | None:
        """The outermost function in which it is written; ``None`` for one of a namespace or a class."""
        return next((each for each in self.parts if each.is_function), None)


def kernel_name(text: str) -> KernelName | None:
    """What a kernel in a report is called in the source; ``None`` for a mangling that is beyond the reader."""
    bare = text.removesuffix(_TWIN)
    if not bare.startswith("_Z"):
        return KernelName((NamePart(bare),), bare != text) if bare.isidentifier() else None
    of_type = bare.startswith("_ZTS")
    found = demangled(bare[4:] if of_type else bare[2:], of_type=of_type)
    parts = _unwrapped(found) if found is not None else ()
    if not parts:
        return None
    parts = tuple(each for each in parts if not (each.name == "_V1" and not each.is_function))
    free = parts[-1].name.removeprefix(_FREE)
    parts = (*parts[:-1], parts[-1]._replace(name=free, is_function=False))
    return KernelName(parts, bare != text, parts[0].name in LIBRARY)


def _unwrapped(found: Demangled) -> tuple[NamePart, ...]:
    """The names of the kernel that a wrapper of the SYCL headers is about; those of any other as they are."""
    parts = found.parts
    while parts and parts[-1].name in _WRAPPERS and parts[-1].arguments and parts[0].name in LIBRARY:
        inner = parts[-1].arguments[_WRAPPERS[parts[-1].name]]
        if not inner.parts:
            return parts
        parts = inner.parts
    return parts
