"""Names of kernels in binaries: as much of the Itanium C++ mangling as it takes to find the kernel's own name.

DPC++ calls a kernel by the mangled name of its name type, ``_ZTS3Foo``, or of its lambda's type when it has none;
CUDA and HIP by the mangled function. Source: Itanium C++ ABI, "Mangling".
"""

from sycllint.record import NamedTuple

_BUILTIN = frozenset("vwbcahstijlmxynofdegz")
_QUALIFIERS = frozenset("PRKOVrGC")
_WRAPPERS = {
    "__pf_kernel_wrapper": 0,
    "MainKrn": 0,
    "AuxKrn": 0,
    "RoundedRangeKernel": -1,
    "RoundedRangeKernelWithKH": -1,
}
"""Templates of DPC++'s headers around a user's kernel, and which argument that is (intel/llvm, sycl/handler.hpp)."""
_FREE = "__sycl_kernel_"
"""Before the name of a free function kernel (sycl_ext_oneapi_free_function_kernels)."""


class KernelName(NamedTuple):
    """What a mangled name says of its kernel."""

    name: str | None
    """The last part of its name type, or its function; ``None`` for a lambda."""
    function: str | None = None
    """The function in which a lambda is written."""


def kernel_name(text: str) -> KernelName | None:
    """What a kernel in a report is called in the source; ``None`` for a mangling that is beyond this reader."""
    if not text.startswith("_Z"):
        return KernelName(text) if text.isidentifier() else None
    try:
        if text.startswith("_ZTS"):
            return _Reader(text, 4).type()
        found = _Reader(text, 2).encoding()
    except (_Beyond, IndexError, RecursionError):
        return None
    if found.name is not None and found.name.startswith(_FREE):
        return KernelName(found.name.removeprefix(_FREE))
    return found


class _Beyond(Exception):  # noqa: N818 - an answer of the reader, not a failure
    """A construct that this reader does not know."""


class _Reader:
    """A mangled name and how far it is read."""

    def __init__(self, text: str, at: int) -> None:
        self._text = text
        self._at = at

    def encoding(self) -> KernelName:
        """A function with its parameters."""
        found = self._name()
        while self._at < len(self._text) and self._text[self._at] not in "E.":
            self.type()
        return found

    def type(self) -> KernelName:
        """A type; of one that has no name, the name is empty."""
        here = self._text[self._at]
        if here in _QUALIFIERS:
            self._at += 1
            return self.type()
        if here in _BUILTIN:
            self._at += 1
            return KernelName("")
        match here:
            case "D":
                return self._decimal_or_deduced()
            case "A":
                self._at = self._text.index("_", self._at) + 1
                return self.type()
            case "M":
                self._at += 1
                self.type()
                return self.type()
            case "F":
                self._at += 1
                self._until_end()
                return KernelName("")
            case "T":
                self._substitution()
                self._arguments()
                return KernelName("")
            case _:
                return self._name()

    def _decimal_or_deduced(self) -> KernelName:
        following = self._text[self._at + 1]
        self._at += 2
        if following == "p":
            return self.type()
        if following in "nacdfheisu":
            return KernelName("")
        raise _Beyond

    def _name(self) -> KernelName:
        match self._text[self._at]:
            case "N":
                return self._nested()
            case "Z":
                return self._local()
            case "S" if self._text[self._at + 1] != "t":
                self._substitution()
                found = KernelName("")
            case _:
                found = self._unqualified()
        return _unwrapped(found, self._arguments())

    def _nested(self) -> KernelName:
        self._at += 1
        while self._text[self._at] in "rVKRO":
            self._at += 1
        found = KernelName("")
        while self._text[self._at] != "E":
            here = self._text[self._at]
            if here == "I":
                found = _unwrapped(found, self._arguments())
            elif here == "T" or (here == "S" and self._text[self._at + 1] != "t"):
                self._substitution()
            elif here == "Z":
                found = self._local()
            else:
                found = self._unqualified()
        self._at += 1
        return found

    def _local(self) -> KernelName:
        """An entity of a function; a lambda is known by the outermost function around it."""
        self._at += 1
        function = self.encoding()
        self._take("E")
        if self._text[self._at] == "s":
            self._at += 1
            return KernelName("")
        entity = self._name()
        if self._at < len(self._text) and self._text[self._at] == "_":
            self._at += 1
            while self._at < len(self._text) and self._text[self._at].isdigit():
                self._at += 1
        around = function.function or function.name
        return KernelName(None, around) if entity.name in {None, "operator"} else entity

    def _unqualified(self) -> KernelName:
        text = self._text
        if text.startswith("St", self._at):
            self._at += 2
        here = text[self._at]
        if here == "L":
            self._at += 1
            return self._unqualified()
        if here.isdigit():
            return KernelName(self._source_name())
        if text.startswith("Ul", self._at):
            self._at += 2
            self._until_end()
            self._at = text.index("_", self._at) + 1
            return KernelName(None)
        if text.startswith("Ut", self._at):
            self._at = text.index("_", self._at) + 1
            return KernelName("")
        if here == "C" or (here == "D" and text[self._at + 1] in "012"):
            self._at += 2
            return KernelName("")
        if here.islower():
            if text.startswith("cv", self._at):
                raise _Beyond
            self._at += 2
            return KernelName("operator")
        raise _Beyond

    def _source_name(self) -> str:
        start = self._at
        while self._text[self._at].isdigit():
            self._at += 1
        end = self._at + int(self._text[start : self._at])
        if end > len(self._text):
            raise _Beyond
        name = self._text[self._at : end]
        self._at = end
        return name

    def _substitution(self) -> None:
        if self._text[self._at] == "S" and self._text[self._at + 1] in "absiod":
            self._at += 2
        else:
            self._at = self._text.index("_", self._at) + 1

    def _arguments(self) -> list[KernelName]:
        """The types among the template arguments that follow, if any."""
        if self._at >= len(self._text) or self._text[self._at] != "I":
            return []
        self._at += 1
        found = []
        while self._text[self._at] != "E":
            argument = self._argument()
            if argument is not None:
                found.append(argument)
        self._at += 1
        return found

    def _argument(self) -> KernelName | None:
        here = self._text[self._at]
        if here == "L":
            self._literal()
            return None
        if here == "J":
            self._at += 1
            while self._text[self._at] != "E":
                self._argument()
            self._at += 1
            return None
        if here == "X":
            raise _Beyond
        return self.type()

    def _literal(self) -> None:
        self._at += 1
        if self._text.startswith("_Z", self._at):
            self._at += 2
            self.encoding()
        else:
            self.type()
            while self._text[self._at] != "E":
                self._at += 1
        self._take("E")

    def _until_end(self) -> None:
        while self._text[self._at] != "E":
            self.type()
        self._at += 1

    def _take(self, letter: str) -> None:
        if self._text[self._at] != letter:
            raise _Beyond
        self._at += 1


def _unwrapped(found: KernelName, arguments: list[KernelName]) -> KernelName:
    """The kernel that a wrapper of the SYCL headers is about; any other name as it is."""
    if not arguments or found.name not in _WRAPPERS:
        return found
    return arguments[_WRAPPERS[found.name]]
