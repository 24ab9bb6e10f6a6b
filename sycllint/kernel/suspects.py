"""Which kernels may do what device code may not: a word in them, or in what they call, makes a search worth while."""

import re
from collections.abc import Iterable
from functools import lru_cache

from sycllint.cpp.expression import Call, Cast, Lambda, Member, Name, New, Opaque
from sycllint.cpp.node import Node
from sycllint.cpp.place import Place
from sycllint.cpp.statement import CONST, CONSTEXPR, STATIC, THREAD_LOCAL, Function, Jump, Struct, Try, Variable
from sycllint.facts.file import Declared, FileFacts
from sycllint.kernel.contents import Contents, contents
from sycllint.kernel.dispatch import dispatch
from sycllint.values.evaluate import Evaluator
from sycllint.values.memory import Memory
from sycllint.values.objects import Point

_HOST_NAMES = "malloc calloc realloc free rand srand exit fopen fclose fprintf fwrite fread puts putchar getchar scanf"
HOST_FUNCTIONS = frozenset(f"{_HOST_NAMES} system getenv time clock".split())
HOST_OBJECTS = frozenset({"std::cout", "std::cerr", "std::clog", "std::cin"})
HOST_CLASSES = frozenset({"std::vector", "std::string", "std::map", "std::unordered_map", "std::deque", "std::list"})
DYNAMIC_CAST = b"dynamic_cast"
_HOLDER = b"std::function"
_VARIADIC = re.compile(rb"(\w+)\s*\([^()]*,\s*\.\.\.\s*\)")
"""What may be a function with C's variable arguments."""


@lru_cache(maxsize=1024)
def _variadic_in(content: bytes) -> tuple[str, ...]:
    """What may be a function with C's variable arguments in a file; kept, as many units hold one header."""
    return tuple(name.decode() for name in _VARIADIC.findall(content))


class Suspects:
    """What makes a kernel worth a search: a word, whatever the numbers of the launch."""

    def __init__(self, evaluator: Evaluator) -> None:
        self._evaluator = evaluator
        self._facts = evaluator.facts
        self._functions: dict[int, bool] = {}
        self._kernels: dict[int, bool] = {}
        self._globals: dict[str, bool] = {}
        contents_of_files = [each.content for each in evaluator.facts.files]
        self._casts = any(DYNAMIC_CAST in each for each in contents_of_files)
        self._variadic = frozenset(name for each in contents_of_files if b"..." in each for name in _variadic_in(each))
        self._virtual = dispatch.of(evaluator).names
        self._holds = any(_HOLDER in each for each in contents_of_files)

    def within(self, function: Lambda | Function) -> bool:
        """Whether the kernel, or a function that it may call, has something to be looked at."""
        known = self._kernels.get(id(function))
        if known is None:
            known = self._kernels[id(function)] = self._reaches(function)
        return known

    def _reaches(self, kernel: Lambda | Function) -> bool:
        waiting: list[Lambda | Function] = [kernel]
        names: set[str] = set()
        while waiting:
            function = waiting.pop()
            if self._is_suspect(function):
                return True
            inside = contents(self._evaluator, function)
            for name in (inside.called.keys() | inside.methods) - names:
                names.add(name)
                waiting += [each.node for each in self._facts.functions.get(name)]
        return False

    def _is_suspect(self, function: Lambda | Function) -> bool:
        found = self._functions.get(id(function))
        if found is None:
            found = self._functions[id(function)] = self._has_word(function) or self._has_global(function)
        return found

    def calls_pointer(self, function: Lambda | Function, place: Place | None) -> bool:
        """Whether a pointer that the function, or one around it, is given is called: a pointer to a function."""
        called = contents(self._evaluator, function).called
        around = (function, *(place.chain() if place is not None else ()))
        if any(name in called for name in pointers(around)):
            return True
        if not self._holds or place is None or function.body is None:
            return False
        inside = Place(function.body, place)
        calls = contents(self._evaluator, function).of(Call)
        return any(isinstance(each.function, Name) and self.is_held(each.function, each, inside) for each in calls)

    def is_held(self, function: Name, call: Call, place: Place) -> bool:
        """Whether what is called is a variable or a parameter of the class ``std::function``."""
        if not self._holds or self._facts.functions.get(function.last):
            return False
        kind = self._evaluator.lookup.declaration(function, Point(place, call.start))
        return kind is not None and not kind.pointers and kind.name.text.removeprefix("::") == "std::function"

    def _has_word(self, function: Lambda | Function) -> bool:
        inside = contents(self._evaluator, function)
        called = inside.called
        if "typeid" in called or self.calls_pointer(function, None):
            return True
        if (self._casts and inside.of(Cast)) or not self._variadic.isdisjoint(called) or self._calls_virtual(inside):
            return True
        if isinstance(function, Function) and function.name in called:
            return True
        if not (HOST_CLASSES | HOST_OBJECTS).isdisjoint(inside.names) or not HOST_FUNCTIONS.isdisjoint(called):
            return True
        return (
            bool(inside.of(Try) or inside.of(New))
            or any(each.keyword == "throw" for each in inside.of(Jump))
            or any(each.kind == "delete_expression" for each in inside.of(Opaque))
            or any(each.flags & (STATIC | THREAD_LOCAL) for each in inside.of(Variable))
        )

    def _calls_virtual(self, inside: Contents) -> bool:
        if not self._virtual:
            return False
        called = (each.function for each in inside.of(Call))
        return any(isinstance(each, Member) and each.name in self._virtual for each in called)

    def _has_global(self, function: Lambda | Function) -> bool:
        inside = contents(self._evaluator, function)
        own = {each.name for each in function.parameters} | {each.name for each in inside.of(Variable)}
        return any(self._is_mutable(name) for name in inside.names - own)

    def _is_mutable(self, name: str) -> bool:
        found = self._globals.get(name)
        if found is None:
            declared = [each for each in self._facts.variables.get(name) if not is_member(each)]
            found = len(declared) == 1 and is_mutable_global(self._evaluator, declared[0])
            self._globals[name] = found
        return found


def pointers(around: Iterable[Node]) -> frozenset[str]:
    """The parameters that are pointers; of those, only one to a function can be called."""
    functions = (each for each in around if isinstance(each, Function | Lambda))
    return frozenset(each.name for node in functions for each in node.parameters if each.type.pointers and each.name)


suspects = Memory(Suspects)


def is_mutable_global(evaluator: Evaluator, declared: Declared[Variable]) -> bool:
    """Whether a global is a number that may be written.

    Where text between functions does not parse, what seems to stand there may be a parameter or a local variable.
    """
    variable = declared.node
    kind = evaluator.types.kind(variable.type.name)
    fundamental = kind.is_number
    fixed = variable.flags & (CONST | CONSTEXPR) or variable.type.constant
    written = variable.type.name.end > variable.type.name.start
    if not fundamental or not written or fixed or variable.type.reference:
        return False
    return not _is_damaged_outside(evaluator.facts.file_at(declared.place))


def _is_damaged_outside(file: FileFacts) -> bool:
    """Whether text outside all functions of the file does not parse."""
    if not file.damaged:
        return False
    functions = [each.node for found in file.functions.values() for each in found if each.node.body is not None]
    return not all(
        any(function.start <= error.start < function.extent_end for function in functions) for error in file.damaged
    )


def is_member(declared: Declared[Function] | Declared[Variable]) -> bool:
    """Whether a class holds it: then it is not meant by its bare name outside."""
    return any(isinstance(each, Struct) for each in declared.place.chain())
