"""What device code may not do: exceptions, heap, recursion, mutable globals, virtual calls, functions of the host.

SYCL 2020, chapter "Language restrictions for device functions". Functions of the project are followed by name and
number of arguments, member functions by the class of their object too, and only where these leave one. Code in a branch
whose condition says it is not taken, and code that only some builds have, is left out; so is a branch that may be
discarded, and what is never run: the operands of ``sizeof``, ``noexcept`` and ``typeid``.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from enum import Enum
from typing import TYPE_CHECKING

from sycllint.cpp.expression import Binary, Call, Cast, Lambda, Member, Name, New, Opaque, SizeOf, Type, Unary
from sycllint.cpp.node import Node, children
from sycllint.cpp.place import Place
from sycllint.cpp.statement import (
    CONST,
    CONSTEXPR,
    STATIC,
    THREAD_LOCAL,
    Damaged,
    Declaration,
    Function,
    If,
    Jump,
    Macro,
    Parameter,
    Struct,
    Try,
    Variable,
    Variants,
)
from sycllint.facts.file import Declared
from sycllint.kernel.certainty import truth
from sycllint.kernel.contents import contents
from sycllint.kernel.dispatch import dispatch
from sycllint.kernel.hiding import Hiding
from sycllint.kernel.reading import Reading
from sycllint.kernel.spots import Spot
from sycllint.kernel.suspects import (
    DYNAMIC_CAST,
    HOST_CLASSES,
    HOST_FUNCTIONS,
    HOST_OBJECTS,
    is_member,
    is_mutable_global,
    pointers,
    suspects,
)
from sycllint.record import record
from sycllint.source.span import Location, Span
from sycllint.symbols.arity import accepts
from sycllint.values.evaluate import Evaluator
from sycllint.values.objects import Point

if TYPE_CHECKING:
    from sycllint.kernel.analyses import KernelCode

MAX_CALLS = 12
"""How deep calls are followed."""

_OF_FUNCTION = re.compile(rb"\s*\)\s*\(")
"""What stands behind the name in ``float (*f)(int)``."""
_DISCARDING = re.compile(rb"if\s*!?\s*const(?:expr|eval)\b")
_NEVER_RUN = frozenset({"typeid", "noexcept", "decltype", "__builtin_constant_p"})
"""What looks like a call and does not run its operand."""


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
    suspected = suspects.of(evaluator)
    if not suspected.within(code.function) and not suspected.calls_pointer(code.function, code.place):
        return ()
    search = _Search(evaluator, code.reading)
    # Which ways lead to the launch does not hang on these questions.
    free, evaluator.free = evaluator.free, {}
    body = code.function.body
    if body is not None and not code.function.damaged:
        templated = bool(code.function.template_parameters) or _is_generic(code.place)
        search.inside(body, Place(body, code.place), _Context(None, templated))
    evaluator.free = free
    return search.found


@record
class _Context:
    """The function being looked at."""

    function: str | None
    templated: bool
    """A branch of it may be discarded."""
    branch: bool = False


class _Search:
    """One search, through one kernel."""

    def __init__(self, evaluator: Evaluator, reading: Reading) -> None:
        self._evaluator = evaluator
        self._facts = evaluator.facts
        self._reading = reading
        self._path: list[Function] = []
        self._done: set[int] = set()
        self._hiding = Hiding(evaluator)
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
            case New(placement=()):
                self._note(Restriction.CONSTRUCT, "new", node, place, context)
            case Opaque(kind="delete_expression"):
                self._note(Restriction.CONSTRUCT, "delete", node, place, context)
            case Declaration(variables=variables):
                for variable in variables:
                    self._declared(variable, place, context)
            case Name():
                self._name(node, place, context)
            case Call(function=Name(text=text)) if text in _NEVER_RUN:
                if text == "typeid":
                    self._note(Restriction.CONSTRUCT, "typeid", node, place, context)
                return
            case SizeOf():
                return
            case Call():
                self._call(node, place, context)
            case Cast(start=start) if self._is_written(DYNAMIC_CAST, start, place):
                self._note(Restriction.CONSTRUCT, "dynamic_cast", node, place, context)
            case If():
                self._if(node, place, context)
                return
            case Variants():
                self._variants(node, place, context)
                return
            case Struct() | Function() | Damaged():
                return
        self.inside(node, Place(node, place), context)

    def _note(self, restriction: Restriction, what: str, node: Node, place: Place, context: _Context) -> None:
        if context.templated and context.branch:
            return
        start, end = getattr(node, "start", 0), getattr(node, "end", 0)
        location = Location(self._facts.file_at(place).path, Span(start, min(end, start + 80)))
        self.found.append(Forbidden(restriction, what, location, context.function))

    def _declared(self, variable: Variable, place: Place, context: _Context) -> None:
        if variable.flags & THREAD_LOCAL:
            self._note(Restriction.CONSTRUCT, f"thread_local {variable.name}", variable, place, context)
        elif variable.flags & STATIC and not self._is_constant(variable, place):
            self._note(Restriction.MUTABLE, f"static {variable.name}", variable, place, context)
        name = variable.type.name
        if name.text in HOST_CLASSES and not variable.type.pointers and not variable.type.reference:
            self._note(Restriction.HOST, name.text, variable, place, context)

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
        found = self._evaluator.lookup.declared(name.text, Point(place, name.start))
        if found is None or not isinstance(found[0], Parameter):
            return False
        return self._is_number(found[0].type)

    def _is_number(self, written: Type) -> bool:
        kind = self._evaluator.types.kind(written.name)
        return kind.is_number and not (written.pointers or written.extents)

    def _name(self, name: Name, place: Place, context: _Context) -> None:
        text = name.text
        if text in HOST_OBJECTS:
            self._note(Restriction.HOST, text, name, place, context)
            return
        if "::" in text or not self._facts.variables.get(text):
            return
        if text in self._facts.macros or not any(isinstance(each, Function) for each in place.chain()):
            return
        declared = [each for each in self._facts.variables.get(text) if not is_member(each)]
        mutable = len(declared) == 1 and self._is_mutable_global(declared[0], place)
        if mutable and not self._hiding.hides(text, place):
            if declared[0].node.flags & THREAD_LOCAL:
                self._note(Restriction.CONSTRUCT, f"thread_local {text}", name, place, context)
            else:
                self._note(Restriction.MUTABLE, text, name, place, context)

    def _is_mutable_global(self, declared: Declared[Variable], place: Place) -> bool:
        """A variable of the same file: one of another file may be included into a function."""
        if self._facts.file_at(declared.place) is not self._facts.file_at(place):
            return False
        return is_mutable_global(self._evaluator, declared)

    # ----------------------------------------------------------------- calls

    def _call(self, call: Call, place: Place, context: _Context) -> None:
        function = call.function
        if isinstance(function, Member) and dispatch.of(self._evaluator).chooses(call, place):
            self._note(Restriction.CONSTRUCT, f"a call of the virtual function {function.name}", call, place, context)
            return
        if isinstance(function, Member):
            self._method(call, place, context)
            return
        if not isinstance(function, Name) or function.text in self._facts.macros:
            return
        if self._is_pointer(function, place):
            self._note(
                Restriction.CONSTRUCT, f"a call through the function pointer {function.text}", call, place, context
            )
            return
        if suspects.of(self._evaluator).is_held(function, call, place):
            self._note(Restriction.CONSTRUCT, f"a call through the std::function {function.text}", call, place, context)
            return
        is_host = function.last in HOST_FUNCTIONS and function.qualifier in ("", "std", "::")
        if not is_host and not self._facts.functions.get(function.last):
            return
        candidates = [
            each for each in self._evaluator.symbols.functions(function, place).declared if not is_member(each)
        ]
        if not candidates and not is_host:
            if self._evaluator.lookup.declaration(function, Point(place, call.start)) is None:
                self._method(call, place, context)
            return
        if self._hiding.hides(function.text, place):
            return
        if not candidates:
            self._note(Restriction.HOST, f"{function.last}()", call, place, context)
            return
        if len(candidates) == 1 and self._is_variadic(candidates[0]):
            self._note(Restriction.CONSTRUCT, f"a call of the variadic function {function.last}", call, place, context)
            return
        bodies = [each for each in candidates if accepts(each.node, len(call.arguments))]
        if len(bodies) != 1 or bodies[0].node.body is None or bodies[0].node.damaged:
            return
        if bodies[0].node.flags & CONSTEXPR:
            # Called for a constant, it is no device code: the compiler has run it.
            return
        self._enter(bodies[0].node, bodies[0].place, call, place, context)

    def _method(self, call: Call, place: Place, context: _Context) -> None:
        """A member function is entered where the class of its object is in sight."""
        target = self._reading.target(Spot(call, place))
        method = target.node if target is not None else None
        if target is not None and isinstance(method, Function) and not method.flags & CONSTEXPR:
            self._enter(method, target, call, place, context)

    def _is_pointer(self, function: Name, place: Place) -> bool:
        """Whether a parameter of a function around is called that points to a function, and no variable hides it.

        A call of any other pointer can only be a macro whose definition is out of sight.
        """
        around = tuple(place.chain())
        content = self._facts.content_at(place)
        if content is None or function.text not in pointers(around):
            return False
        inner = [each for each in around if isinstance(each, Function | Lambda)]
        named = (each for node in inner for each in node.parameters if each.name == function.text)
        if not all(_OF_FUNCTION.match(content, each.end) for each in named):
            return False
        variables = (each.name for node in inner for each in contents(self._evaluator, node).of(Variable))
        return function.text not in variables

    def _is_variadic(self, declared: Declared[Function]) -> bool:
        """Whether a function that is defined in sight takes C's variable arguments; C has no others after a name."""
        function = declared.node
        return function.body is not None and len(function.parameters) > 1 and function.parameters[-1].is_ellipsis

    def _is_written(self, word: bytes, start: int, place: Place) -> bool:
        content = self._facts.content_at(place)
        return content is not None and content.startswith(word, start)

    def _enter(self, function: Function, there: Place, call: Call, place: Place, context: _Context) -> None:
        if function in self._path:
            is_same = not function.template_parameters and function.name == context.function
            if is_same and not self._is_overload(function, call, place):
                self._note(Restriction.CONSTRUCT, f"recursion of {function.name}", call, place, context)
            return
        if id(function) in self._done or len(self._path) >= MAX_CALLS or function.body is None:
            return
        self._done.add(id(function))
        self._path.append(function)
        around = Place(function.body, there)
        templated = bool(function.template_parameters) or _is_generic(there)
        self.inside(function.body, around, _Context(function.name, templated))
        self._path.pop()

    def _is_overload(self, function: Function, call: Call, place: Place) -> bool:
        """Whether an argument has another type than its parameter: another function of the name may be meant."""
        point = Point(place, call.start)
        for parameter, argument in zip(function.parameters, call.arguments, strict=False):
            if isinstance(argument, Cast):
                given = argument.type
            else:
                typed = self._evaluator.static_types.of(argument, point)
                if typed is None and not self._is_number(parameter.type):
                    return True
                if typed is None:
                    continue
                given = typed.type
            names = {given.name.last, parameter.type.name.last}
            if len(names) > 1 and "auto" not in names:
                return True
        return False

    # -------------------------------------------------------------- branches

    def _if(self, node: If, place: Place, context: _Context) -> None:
        here = Place(node, place)
        if node.initializer is not None:
            self._visit(node.initializer, here, context)
        if node.condition is not None:
            self._visit(node.condition, here, context)
        if self._may_discard(node, place) and self._taken(node, place) is None:
            return
        inner = _Context(context.function, context.templated, branch=True)
        for branch, when in ((node.then, True), (node.otherwise, False)):
            if branch is None:
                continue
            found, done = len(self.found), set(self._done)
            self.inside(branch, Place(branch, here), inner)
            # Only where something is found is it worth asking whether the branch is taken: that costs more.
            if len(self.found) > found and self._taken(node, place) is (not when):
                del self.found[found:]
                self._done = done

    def _taken(self, node: If, place: Place) -> bool | None:
        """Whether the condition of a branch holds, where that is known."""
        return None if node.condition is None else truth(self._evaluator, node.condition, Point(place, node.start + 1))

    def _may_discard(self, node: If, place: Place) -> bool:
        """Whether the branches are chosen by the compiler; of one in a macro, whether the macro holds such a choice."""
        content = self._facts.content_at(place)
        if content is not None:
            return _DISCARDING.match(content, node.start) is not None
        return any(_DISCARDING.search(each.text.encode()) for each in place.chain() if isinstance(each, Macro))

    def _variants(self, node: Variants, place: Place, context: _Context) -> None:
        here = Place(node, place)
        for arm in node.arms:
            if self._evaluator.macros.arm(arm, here):
                self.inside(arm.body, Place(arm.body, Place(arm, here)), context)
                return


def _is_generic(place: Place) -> bool:
    """Whether a template is around ``place``, or a lambda with ``auto`` parameters that may be one."""
    return any(isinstance(each, Function | Struct) and each.template_parameters for each in place.chain())


def _operands(value: Node) -> Iterator[Node]:
    """A value, and the values that arithmetic makes it from."""
    yield value
    if isinstance(value, Binary | Unary | Cast):
        for each in children(value):
            yield from _operands(each)
