"""What device code may not do: exceptions, heap, recursion, mutable globals, functions that only the host has.

SYCL 2020, chapter "Language restrictions for device functions". Functions of the project are followed by name and
number of arguments, and only where these leave one. Code in a branch whose condition says it is not taken, and code
that only some builds have, is left out; so is a template's branch, which may be discarded.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from enum import Enum
from typing import TYPE_CHECKING

from sycllint.cpp.expression import Call, Lambda, Name, New, Opaque
from sycllint.cpp.node import Node, children
from sycllint.cpp.place import Place
from sycllint.cpp.statement import (
    CONST,
    CONSTEXPR,
    STATIC,
    Declaration,
    Function,
    If,
    Jump,
    Struct,
    Try,
    Variable,
    Variants,
)
from sycllint.facts.file import Declared
from sycllint.kernel.certainty import truth
from sycllint.kernel.contents import contents
from sycllint.record import record
from sycllint.source.span import Location, Span
from sycllint.values.bindings import accepts
from sycllint.values.evaluate import Evaluator
from sycllint.values.memory import Memory
from sycllint.values.objects import Point

if TYPE_CHECKING:
    from sycllint.kernel.analyses import KernelCode

MAX_CALLS = 12
"""How deep calls are followed."""

_HOST_NAMES = "malloc calloc realloc free rand srand exit fopen fclose fprintf fwrite fread puts putchar getchar scanf"
_HOST_FUNCTIONS = frozenset(f"{_HOST_NAMES} system getenv time clock".split())
_HOST_OBJECTS = frozenset({"std::cout", "std::cerr", "std::clog", "std::cin"})
_HOST_CLASSES = frozenset({"std::vector", "std::string", "std::map", "std::unordered_map", "std::deque", "std::list"})


class Restriction(Enum):
    """Which rule of the language is broken."""

    CONSTRUCT = "construct"
    MUTABLE = "mutable"
    HOST = "host"


@record
class Forbidden:
    """One thing that device code may not do."""

    restriction: Restriction
    what: str
    location: Location
    function: str | None
    """The function it stands in; ``None`` for the kernel itself."""


def restrictions(code: KernelCode) -> Iterable[Forbidden]:
    """What one kernel, and the functions it calls, may not do."""
    evaluator = code.evaluator
    suspects = _suspects.of(evaluator)
    if not suspects.within(code.function) and not suspects.calls_pointer(code.function, code.place):
        return ()
    search = _Search(evaluator)
    # Which ways lead to the launch does not hang on these questions.
    free, evaluator.free = evaluator.free, {}
    body = code.function.body
    if body is not None and not code.function.damaged:
        templated = bool(code.function.template_parameters) or _is_generic(code.place)
        search.inside(body, Place(body, code.place), _Context(None, templated))
    evaluator.free = free
    return search.found


class _Suspects:
    """What makes a kernel worth a search: a word, whatever the numbers of the launch."""

    def __init__(self, evaluator: Evaluator) -> None:
        self._evaluator = evaluator
        self._facts = evaluator.facts
        self._functions: dict[int, bool] = {}
        self._kernels: dict[int, bool] = {}
        self._globals: dict[str, bool] = {}

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
            for name in contents(self._evaluator, function).called.keys() - names:
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
        return any(name in called for name in _pointers(around))

    def _has_word(self, function: Lambda | Function) -> bool:
        inside = contents(self._evaluator, function)
        called = inside.called
        if "typeid" in called or self.calls_pointer(function, None):
            return True
        if isinstance(function, Function) and function.name in called:
            return True
        if not (_HOST_CLASSES | _HOST_OBJECTS).isdisjoint(inside.names) or not _HOST_FUNCTIONS.isdisjoint(called):
            return True
        return (
            bool(inside.of(Try) or inside.of(New))
            or any(each.keyword == "throw" for each in inside.of(Jump))
            or any(each.kind == "delete_expression" for each in inside.of(Opaque))
            or any(each.flags & STATIC for each in inside.of(Variable))
        )

    def _has_global(self, function: Lambda | Function) -> bool:
        inside = contents(self._evaluator, function)
        own = {each.name for each in function.parameters} | {each.name for each in inside.of(Variable)}
        return any(self._is_mutable(name) for name in inside.names - own)

    def _is_mutable(self, name: str) -> bool:
        found = self._globals.get(name)
        if found is None:
            declared = [each for each in self._facts.variables.get(name) if not _is_member(each)]
            found = len(declared) == 1 and _is_mutable_global(self._evaluator, declared[0])
            self._globals[name] = found
        return found


def _pointers(around: Iterable[Node]) -> frozenset[str]:
    """The parameters that are pointers; of those, only one to a function can be called."""
    functions = (each for each in around if isinstance(each, Function | Lambda))
    return frozenset(each.name for node in functions for each in node.parameters if each.type.pointers and each.name)


_suspects = Memory(_Suspects)


def _is_mutable_global(evaluator: Evaluator, declared: Declared[Variable]) -> bool:
    """Whether a global is a number that may be written."""
    variable = declared.node
    kind = evaluator.types.kind(variable.type.name)
    fundamental = kind.integer is not None or kind.floating
    fixed = variable.flags & (CONST | CONSTEXPR) or variable.type.constant
    written = variable.type.name.end > variable.type.name.start
    return fundamental and written and not fixed and not variable.type.reference


@record
class _Context:
    """The function being looked at."""

    function: str | None
    templated: bool
    """A branch of it may be discarded."""
    branch: bool = False


class _Search:
    """One search, through one kernel."""

    def __init__(self, evaluator: Evaluator) -> None:
        self._evaluator = evaluator
        self._facts = evaluator.facts
        self._path: list[Function] = []
        self._done: set[int] = set()
        self._local: dict[int, frozenset[str]] = {}
        self.found: list[Forbidden] = []

    def inside(self, node: Node, place: Place, context: _Context) -> None:
        """Everything in ``node``, which stands at ``place``."""
        for child in children(node):
            self._visit(child, place, context)

    def _visit(self, node: Node, place: Place, context: _Context) -> None:
        match node:
            case Jump(keyword="throw"):
                self._note(Restriction.CONSTRUCT, "throw", node, place, context)
            case Try():
                self._note(Restriction.CONSTRUCT, "try", node, place, context)
                return
            case New(type=kind, start=start) if kind.start - start == len("new "):
                self._note(Restriction.CONSTRUCT, "new", node, place, context)
            case Opaque(kind="delete_expression"):
                self._note(Restriction.CONSTRUCT, "delete", node, place, context)
            case Declaration(variables=variables):
                for variable in variables:
                    self._declared(variable, place, context)
            case Name():
                self._name(node, place, context)
            case Call():
                self._call(node, place, context)
            case If():
                self._if(node, place, context)
                return
            case Variants():
                self._variants(node, place, context)
                return
            case Struct() | Function():
                return
        self.inside(node, Place(node, place), context)

    def _note(self, restriction: Restriction, what: str, node: Node, place: Place, context: _Context) -> None:
        if context.templated and context.branch:
            return
        start, end = getattr(node, "start", 0), getattr(node, "end", 0)
        location = Location(self._facts.file_at(place).path, Span(start, min(end, start + 80)))
        self.found.append(Forbidden(restriction, what, location, context.function))

    def _declared(self, variable: Variable, place: Place, context: _Context) -> None:
        constant = variable.flags & (CONST | CONSTEXPR) or variable.type.constant
        if variable.flags & STATIC and not constant and not variable.type.reference:
            self._note(Restriction.MUTABLE, f"static {variable.name}", variable, place, context)
        name = variable.type.name
        if name.text in _HOST_CLASSES and not variable.type.pointers and not variable.type.reference:
            self._note(Restriction.HOST, name.text, variable, place, context)

    def _name(self, name: Name, place: Place, context: _Context) -> None:
        text = name.text
        if text in _HOST_OBJECTS:
            self._note(Restriction.HOST, text, name, place, context)
            return
        if "::" in text or not self._facts.variables.get(text):
            return
        if text in self._facts.macros or not any(isinstance(each, Function) for each in place.chain()):
            return
        declared = [each for each in self._facts.variables.get(text) if not _is_member(each)]
        mutable = len(declared) == 1 and self._is_mutable_global(declared[0], place)
        if mutable and text not in self._names_around(place):
            self._note(Restriction.MUTABLE, text, name, place, context)

    def _is_mutable_global(self, declared: Declared[Variable], place: Place) -> bool:
        """A variable of the same file: one of another file may be included into a function."""
        if self._facts.file_at(declared.place) is not self._facts.file_at(place):
            return False
        return _is_mutable_global(self._evaluator, declared)

    def _names_around(self, place: Place) -> frozenset[str]:
        """The names declared in the outermost function around ``place``, and in classes, which hide those outside."""
        names: set[str] = set()
        outermost: Node | None = None
        for node in place.chain():
            if isinstance(node, Function | Lambda):
                outermost = node
            elif isinstance(node, Struct):
                names.update(_fields(node))
        if outermost is None:
            return frozenset(names)
        found = self._local.get(id(outermost))
        if found is None:
            found = self._local[id(outermost)] = frozenset(_declared_in(outermost)) | names
        return found

    # ----------------------------------------------------------------- calls

    def _call(self, call: Call, place: Place, context: _Context) -> None:
        function = call.function
        if not isinstance(function, Name) or function.text in self._facts.macros:
            return
        if function.text == "typeid":
            self._note(Restriction.CONSTRUCT, "typeid", call, place, context)
            return
        if self._is_pointer(function, place):
            self._note(
                Restriction.CONSTRUCT, f"a call through the function pointer {function.text}", call, place, context
            )
            return
        is_host = function.last in _HOST_FUNCTIONS and function.qualifier in ("", "std", "::")
        if not is_host and not self._facts.functions.get(function.last):
            return
        if function.text in self._names_around(place):
            return
        candidates = [each for each in self._facts.functions.get(function.last) if not _is_member(each)]
        if not candidates:
            if is_host:
                self._note(Restriction.HOST, f"{function.last}()", call, place, context)
            return
        bodies = [each for each in candidates if accepts(each.node, len(call.arguments))]
        if len(bodies) != 1 or bodies[0].node.body is None or bodies[0].node.damaged:
            return
        if bodies[0].node.flags & CONSTEXPR:
            # Called for a constant, it is no device code: the compiler has run it.
            return
        self._enter(bodies[0], call, place, context)

    def _is_pointer(self, function: Name, place: Place) -> bool:
        """Whether a parameter of a function around is called that is a pointer, and no variable hides it."""
        around = tuple(place.chain())
        if function.text not in _pointers(around):
            return False
        inner = (each for each in around if isinstance(each, Function | Lambda))
        variables = (each.name for node in inner for each in contents(self._evaluator, node).of(Variable))
        return function.text not in variables

    def _enter(self, declared: Declared[Function], call: Call, place: Place, context: _Context) -> None:
        function = declared.node
        if function in self._path:
            if not function.template_parameters and function.name == context.function:
                self._note(Restriction.CONSTRUCT, f"recursion of {function.name}", call, place, context)
            return
        if id(function) in self._done or len(self._path) >= MAX_CALLS or function.body is None:
            return
        self._done.add(id(function))
        self._path.append(function)
        around = Place(function.body, declared.place)
        templated = bool(function.template_parameters) or _is_generic(declared.place)
        self.inside(function.body, around, _Context(function.name, templated))
        self._path.pop()

    # -------------------------------------------------------------- branches

    def _if(self, node: If, place: Place, context: _Context) -> None:
        here = Place(node, place)
        if node.initializer is not None:
            self._visit(node.initializer, here, context)
        taken: bool | None = None
        if node.condition is not None:
            self._visit(node.condition, here, context)
            taken = truth(self._evaluator, node.condition, Point(place, node.start + 1))
        inner = _Context(context.function, context.templated, branch=True)
        for branch, when in ((node.then, True), (node.otherwise, False)):
            if branch is not None and (taken is None or taken is when):
                self.inside(branch, Place(branch, here), inner)

    def _variants(self, node: Variants, place: Place, context: _Context) -> None:
        here = Place(node, place)
        for arm in node.arms:
            if self._evaluator.macros.arm(arm, here):
                self.inside(arm.body, Place(arm.body, Place(arm, here)), context)
                return


def _is_member(declared: Declared[Function] | Declared[Variable]) -> bool:
    """Whether a class holds it: then it is not meant by its bare name outside."""
    return any(isinstance(each, Struct) for each in declared.place.chain())


def _is_generic(place: Place) -> bool:
    """Whether a template is around ``place``, or a lambda with ``auto`` parameters that may be one."""
    return any(isinstance(each, Function | Struct) and each.template_parameters for each in place.chain())


def _fields(struct: Struct) -> Iterator[str]:
    for statement in struct.members.statements:
        if isinstance(statement, Declaration):
            yield from (each.name for each in statement.variables)
        elif isinstance(statement, Function):
            yield statement.name


def _declared_in(root: Node) -> Iterator[str]:
    stack: list[Node] = [root]
    while stack:
        node = stack.pop()
        if isinstance(node, Function | Lambda):
            yield from (each.name for each in node.parameters)
            if isinstance(node, Lambda):
                yield from (each.name for each in node.captures)
        elif isinstance(node, Variable):
            yield node.name
        stack += children(node)
