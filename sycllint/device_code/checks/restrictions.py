"""What device code may not do: exceptions, heap, recursion, mutable globals, virtual calls, functions of the host.

SYCL 2020, chapter "Language restrictions for device functions". Calls are followed where the call graph knows what they
mean. Code in a branch whose condition says it is not taken, and code that only some builds have, is left out; so is a
branch that may be discarded, the text of macros, and what is never run: the operands of ``sizeof``, ``noexcept`` and
``typeid``.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from enum import Enum

from sycllint.cpp.expression import Binary, Call, Cast, Lambda, Name, Type, Unary
from sycllint.cpp.node import Node, children
from sycllint.cpp.place import Place
from sycllint.cpp.statement import (
    CONST,
    CONSTEXPR,
    STATIC,
    THREAD_LOCAL,
    Arm,
    Function,
    FunctionParameter,
    If,
    Struct,
    Try,
    Variable,
)
from sycllint.device_code.code import KernelCode
from sycllint.device_code.virtual_calls import dispatch
from sycllint.facts.file import Declared, FileFacts
from sycllint.ir import ops
from sycllint.ir.body import Body
from sycllint.ir.callgraph import CallGraph, Edge
from sycllint.ir.ops import NONE
from sycllint.memoized import memoized
from sycllint.record import NamedTuple, record
from sycllint.source.span import Location
from sycllint.values.certainty import truth
from sycllint.values.evaluate import Evaluator
from sycllint.values.memory import Memo
from sycllint.values.objects import Point
from sycllint.values.types import depends_on

_HOST_NAMES = "malloc calloc realloc free rand srand exit fopen fclose fprintf fwrite fread puts putchar getchar scanf"
_HOST_FUNCTIONS = frozenset(f"{_HOST_NAMES} system getenv time clock".split())
_HOST_OBJECTS = frozenset({"std::cout", "std::cerr", "std::clog", "std::cin"})
_HOST_CLASSES = frozenset({"std::vector", "std::string", "std::map", "std::unordered_map", "std::deque", "std::list"})
_OF_FUNCTION = re.compile(rb"\s*\)\s*\(")
"""What stands behind the name in ``float (*f)(int)``."""


class Restriction(Enum):
    """Which rule of the language is broken."""

    CONSTRUCT = "construct"
    MUTABLE = "mutable"
    HOST = "host"


class Broken(NamedTuple):
    """One place where a rule of the language is broken."""

    restriction: Restriction
    what: str
    node: Node
    place: Place


class Forbidding:
    """Answers for one evaluator."""

    def __init__(self, evaluator: Evaluator) -> None:
        self._evaluator = evaluator
        self._facts = evaluator.facts
        self._symbols = evaluator.symbols
        self._dispatch = dispatch.of(evaluator)
        self._mutables: dict[Variable, bool] = {}
        self._spells_rest = evaluator.facts.spells(b"...")
        self._holds = evaluator.facts.spells(b"std::function")

    @memoized
    def within(self, body: Body, graph: CallGraph) -> tuple[Broken, ...]:
        """What a function and the lambdas in it do; nothing of what stands in the text of a macro or does not parse."""
        parts = () if body.function.damaged else tuple(body.whole())
        broken = [each for part in parts for each in self._in_part(part)]
        broken += [each for edge in graph.calls(body) for each in self._recursion(body, edge)]
        return tuple(broken)

    def _in_part(self, body: Body) -> Iterator[Broken]:
        for position in body.at(*_SEARCHED):
            restriction, what = _SEARCHED[body.op[position]](self, body, position) or (None, "")
            if restriction is not None and not body.is_in_macro(position) and not body.is_guessed(position):
                yield Broken(restriction, what, *body.origin(position))

    def _recursion(self, body: Body, edge: Edge) -> Iterator[Broken]:
        function, call, place = body.function, edge.body.call(edge.position), edge.body.around_of(edge.position)
        if edge.target is not body or not isinstance(function, Function):
            return
        if function.template_parameters and not self._is_same_instance(function, call, place):
            return
        if not self._is_overload(function, call, place) and not edge.body.is_in_macro(edge.position):
            yield Broken(Restriction.CONSTRUCT, f"recursion of `{function.name}`", call, place)

    # ----------------------------------------------------------- instructions

    def _construct(self, body: Body, position: int) -> _Answer:
        return Restriction.CONSTRUCT, _CONSTRUCTS[body.op[position]]

    def _new(self, body: Body, position: int) -> _Answer:
        return (Restriction.CONSTRUCT, "new") if body.a[position] == NONE else None

    def _cast(self, body: Body, position: int) -> _Answer:
        node, place = body.origin(position)
        assert isinstance(node, Cast)
        content = self._facts.content_at(place) if self._facts.spells(b"dynamic_cast") else None
        is_dynamic = content is not None and content.startswith(b"dynamic_cast", node.start)
        return (Restriction.CONSTRUCT, "dynamic_cast") if is_dynamic else None

    def _declared(self, body: Body, position: int) -> _Answer:
        variable = body.node[position]
        if not isinstance(variable, Variable):
            return None
        if variable.flags & THREAD_LOCAL:
            return Restriction.CONSTRUCT, f"thread_local `{variable.name}`"
        if variable.flags & STATIC and not self._is_constant(variable, body.around_of(position)):
            return Restriction.MUTABLE, f"static {variable.name}"
        kind = variable.type
        is_host = kind.name.text in _HOST_CLASSES and not kind.pointers and not kind.reference
        return (Restriction.HOST, kind.name.text) if is_host else None

    def _is_constant(self, variable: Variable, place: Place) -> bool:
        if variable.type.reference or variable.flags & CONSTEXPR:
            return True
        fixed = variable.flags & CONST or variable.type.constant
        return bool(fixed) and not self._is_set_at_run_time(variable, place)

    def _is_set_at_run_time(self, variable: Variable, place: Place) -> bool:
        """Whether the initialiser is a number that a function around was given, or is computed from one."""
        return any(
            isinstance(each, Name) and self._is_given(each, place)
            for argument in variable.arguments
            for each in _operands(argument)
        )

    def _is_given(self, name: Name, place: Place) -> bool:
        """Whether ``name`` is a number among the parameters of a function around."""
        found = self._evaluator.declarations.nearest(name.text, Point(place, name.start))
        if found is None or not isinstance(found[0], FunctionParameter):
            return False
        return self._is_number(found[0].type, found[1])

    def _is_number(self, written: Type, place: Place) -> bool:
        kind = self._evaluator.types.kind(written.name, place)
        return kind.is_number and not (written.pointers or written.extents)

    def _global(self, body: Body, position: int) -> _Answer:
        text = body.name(position)
        if text in _HOST_OBJECTS:
            return Restriction.HOST, text
        place = body.around_of(position)
        declared = self._mutable(text, place)
        if declared is None:
            return None
        # A variable of another file may be included into a function.
        is_other_file = self._facts.file_at(declared.place) is not self._facts.file_at(place)
        if is_other_file or self._symbols.may_hide(text, place):
            return None
        is_local = declared.node.flags & THREAD_LOCAL
        return (Restriction.CONSTRUCT, f"thread_local `{text}`") if is_local else (Restriction.MUTABLE, text)

    def _mutable(self, text: str, place: Place) -> Declared[Variable] | None:
        """The one variable outside functions that a name means, when it is a number that may be written."""
        if text in self._facts.macros:
            return None
        meant = self._symbols.variables(Name(text, None, None, 0, 0), place)
        only = meant.declared[0] if meant.sure and len(meant.declared) == 1 else None
        if only is None or not isinstance(only.node, Variable) or self._symbols.class_of(only) is not None:
            return None
        declared = Declared(only.node, only.place)
        if declared.node not in self._mutables:
            self._mutables[declared.node] = _is_mutable_global(self._evaluator, declared)
        return declared if self._mutables[declared.node] else None

    # ----------------------------------------------------------------- calls

    def _call(self, body: Body, position: int) -> _Answer:
        node, place = body.origin(position)
        assert isinstance(node, Call)
        function = node.function
        chosen = self._dispatch.chosen(node, place)
        if chosen:
            return Restriction.CONSTRUCT, f"a call of the virtual function `{chosen}`"
        if not isinstance(function, Name) or function.text in self._facts.macros:
            return None
        what = self._unknown_target(body, position, function, node, place)
        if what:
            return Restriction.CONSTRUCT, what
        answer = self._of_host(function, place) if body.a[position] == NONE else None
        return answer if answer is not None and not self._symbols.may_hide(function.text, place) else None

    def _of_host(self, function: Name, place: Place) -> _Answer:
        """What is called by a name that no variable has: of C's library, or with C's variable arguments."""
        is_plain = function.qualifier in ("", "std", "::") and function.arguments is None
        is_host = is_plain and function.last in _HOST_FUNCTIONS
        if not is_host and not self._spells_rest:
            return None
        declared = self._evaluator.symbols.functions(function, place).declared
        candidates = [each for each in declared if not _is_member(each)]
        if not candidates:
            return (Restriction.HOST, f"{function.last}()") if is_host else None
        if len(candidates) == 1 and self._is_variadic(candidates[0]):
            return Restriction.CONSTRUCT, f"a call of the variadic function `{function.last}`"
        return None

    def _unknown_target(self, body: Body, position: int, function: Name, call: Call, place: Place) -> str:
        """What is called, where that is found out at run time."""
        if function.text == "typeid":
            return "typeid"
        if body.a[position] != NONE and self._is_pointer(body, position, function, place):
            return f"a call through the function pointer `{function.text}`"
        if self._holds and self._is_held(function, call, place):
            return f"a call through the `std::function` `{function.text}`"
        return ""

    def _is_pointer(self, body: Body, position: int, function: Name, place: Place) -> bool:
        """Whether a parameter is called that points to a function; of other variables it may be a macro that is."""
        content = self._facts.content_at(place)
        local = body.local(body.a[position])
        if content is None or (local is not None and not isinstance(local.node, FunctionParameter)):
            return False
        functions = [each for each in place.chain() if isinstance(each, Function | Lambda)]
        named = [each for node in functions for each in node.parameters if each.name == function.text]
        return bool(named) and all(each.type.pointers and _OF_FUNCTION.match(content, each.end) for each in named)

    def _is_held(self, function: Name, call: Call, place: Place) -> bool:
        """Whether what is called is a variable or a parameter of the class ``std::function``."""
        if self._facts.functions.get(function.last):
            return False
        kind = self._evaluator.declarations.type_of(function, Point(place, call.start))
        return kind is not None and not kind.pointers and kind.name.text.removeprefix("::") == "std::function"

    def _is_variadic(self, declared: Declared[Function]) -> bool:
        """Whether a function whose definition is visible takes C's variable arguments; C has no others after a name."""
        function = declared.node
        return function.body is not None and len(function.parameters) > 1 and function.parameters[-1].is_ellipsis

    def _is_same_instance(self, function: Function, call: Call, place: Place) -> bool:
        """Whether a call in a function template is surely one of the same instance of it, by what is deduced."""
        named = {each.name for each in function.template_parameters if each.type is None and not each.pack}
        is_explicit = not isinstance(call.function, Name) or call.function.arguments is not None
        if is_explicit or len(named) < len(function.template_parameters):
            return False
        if len(call.arguments) != len(function.parameters) or any(each.pack for each in function.parameters):
            return False
        same = set[str]()
        for parameter, argument in zip(function.parameters, call.arguments, strict=True):
            kind = parameter.type
            if not any(depends_on(each, kind) for each in named):
                continue
            typed = self._evaluator.static_types.of(argument, Point(place, call.start))
            given = typed.type if typed is not None else None
            if given is None or (given.name.text, given.pointers) != (kind.name.text, kind.pointers) or given.extents:
                return False
            same.add(kind.name.text)
        return same == named

    def _is_overload(self, function: Function, call: Call, place: Place) -> bool:
        """Whether an argument has another type than its parameter: another function of the name may be meant."""
        point = Point(place, call.start)
        for parameter, argument in zip(function.parameters, call.arguments, strict=False):
            if isinstance(argument, Cast):
                given = argument.type
            else:
                typed = self._evaluator.static_types.of(argument, point)
                if typed is None and not self._is_number(parameter.type, place):
                    return True
                if typed is None:
                    continue
                given = typed.type
            names = {given.name.last, parameter.type.name.last}
            if len(names) > 1 and "auto" not in names:
                return True
        return False


_Answer = tuple[Restriction, str] | None

_CONSTRUCTS = {ops.DELETE: "delete", ops.THROW: "throw", ops.TRY: "try"}
"""Instructions that device code may not have, whatever their operands."""

_SEARCHED: Mapping[int, Callable[[Forbidding, Body, int], _Answer]] = {
    ops.CALL: Forbidding._call,
    ops.CAST: Forbidding._cast,
    ops.DECL: Forbidding._declared,
    ops.GLOBAL: Forbidding._global,
    ops.NEW: Forbidding._new,
    **dict.fromkeys(_CONSTRUCTS, Forbidding._construct),
}
"""What is looked at."""

forbidding = Memo(Forbidding)


def _is_mutable_global(evaluator: Evaluator, declared: Declared[Variable]) -> bool:
    """Whether a global is a number that may be written.

    Where text between functions does not parse, what seems to stand there may be a parameter or a local variable.
    """
    variable = declared.node
    kind = evaluator.types.kind(variable.type.name, declared.place)
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


def _is_member(declared: Declared[Function] | Declared[Variable]) -> bool:
    """Whether a class holds it: then it is not meant by its bare name outside."""
    return any(isinstance(each, Struct) for each in declared.place.chain())


def _operands(value: Node) -> Iterator[Node]:
    """A value, and the values that arithmetic makes it from."""
    yield value
    if isinstance(value, Binary | Unary | Cast):
        for each in children(value):
            yield from _operands(each)


MAX_FUNCTIONS = 200
"""Functions that are looked at for one kernel."""

_DISCARDING = re.compile(rb"if\s*!?\s*const(?:expr|eval)\b")


@record
class Forbidden:
    """One thing that device code may not do."""

    restriction: Restriction
    what: str
    location: Location
    function: str | None
    """The function it stands in; ``None`` for the kernel itself."""


def restrictions(code: KernelCode) -> Iterator[Forbidden]:
    """What one kernel, and the functions it calls, may not do."""
    evaluator, graph = code.evaluator, code.graph
    kernel, search = graph.body(code.function, code.place), forbidding.of(code.evaluator)
    if not any(search.within(each.body, graph) for each in graph.reached(kernel, MAX_FUNCTIONS, _may_follow)):
        return
    for reached in graph.reached(kernel, MAX_FUNCTIONS, lambda edge: _follows(evaluator, edge)):
        function = reached.body.function
        name = function.name if isinstance(function, Function) and reached.edge is not None else None
        for restriction, what, node, place in search.within(reached.body, graph):
            if _may_run(evaluator, reached.body, node, place):
                start, end = getattr(node, "start", 0), getattr(node, "end", 0)
                location = evaluator.facts.file_at(place).location(start, min(end, start + 80))
                yield Forbidden(restriction, what, location, name)


def _may_follow(edge: Edge) -> bool:
    """Whether a call runs a function on the device: a macro's is not followed, and a constant is for the compiler."""
    target = edge.target.function
    if isinstance(target, Lambda):
        # What stands in the caller is looked through with it.
        return edge.target not in edge.caller.whole()
    return not target.flags & CONSTEXPR and not edge.body.is_in_macro(edge.position)


def _follows(evaluator: Evaluator, edge: Edge) -> bool:
    return _may_follow(edge) and _may_run(evaluator, edge.caller, *edge.body.origin(edge.position), is_call=True)


def _may_run(evaluator: Evaluator, body: Body, node: Node, place: Place, *, is_call: bool = False) -> bool:
    """Whether the code at ``place`` in ``body`` is compiled, and in no branch that is not taken or may be discarded."""
    inside: Node | None = None
    is_generic = not is_call and _is_generic(place)
    for current in place.within(body.function):
        around = current.node
        if isinstance(around, Arm) and current.outer is not None and not evaluator.macros.arm(around, current.outer):
            return False
        if isinstance(around, Try) and around is not node:
            return False
        is_branch = isinstance(around, If) and inside in (around.then, around.otherwise)
        if is_branch and (is_generic or not _may_take(evaluator, current, inside)):
            return False
        inside = around
    return True


def _may_take(evaluator: Evaluator, place: Place, arm: Node | None) -> bool:
    """Whether an arm of the ``if`` at ``place`` may be taken; of ``if constexpr`` it has to be known."""
    branch, taken = place.node, None
    assert isinstance(branch, If)
    if branch.condition is not None and place.outer is not None:
        taken = truth(evaluator, branch.condition, Point(place.outer, branch.start + 1))
    if taken is not None:
        return taken is (arm is branch.then)
    content = evaluator.facts.content_at(place)
    return content is None or _DISCARDING.match(content, branch.start) is None


def _is_generic(place: Place) -> bool:
    """Whether a template is around ``place``, or a lambda with ``auto`` parameters that may be one."""
    return any(isinstance(each, Function | Lambda | Struct) and each.template_parameters for each in place.chain())
