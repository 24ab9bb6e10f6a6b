"""Whether a launch, or its size, depends on a device query, or on a value that chooses among launches."""

import re
from collections.abc import Callable, Iterator

from sycllint.cpp.expression import Assign, Binary, Call, Conditional, Expr, Member, Name
from sycllint.cpp.node import Node, walk
from sycllint.cpp.place import Place
from sycllint.cpp.statement import (
    Block,
    Case,
    Function,
    If,
    Loop,
    Switch,
)
from sycllint.launch.circumstances import Answers
from sycllint.launch.conditions.answered import holds
from sycllint.launch.conditions.attempts import Attempts
from sycllint.launch.conditions.checks import Checks, compares, is_bare_check, is_opaque
from sycllint.launch.conditions.device_words import names_kind, names_measure
from sycllint.launch.conditions.trail import (
    choosing,
    comes_from,
    conditions,
    is_followed,
    owner,
    returned,
    target,
    written,
    written_member,
)
from sycllint.launch.conditions.whereabouts import Callers, Whereabouts
from sycllint.record import record
from sycllint.values.arithmetic import Scalar
from sycllint.values.evaluate import Evaluator
from sycllint.values.objects import Frame, Point
from sycllint.values.side_effects.lvalues import root
from sycllint.values.types import qualifier_is_sycl
from sycllint.values.value import OneOf, Symbolic, known

_QUERIES = frozenset(
    {
        "device_has",
        "ext_oneapi_architecture_is",
        "get_backend",
        "get_info",
        "has",
        "has_extension",
        "if_architecture_is",
        "is_accelerator",
        "is_cpu",
        "is_gpu",
        "is_host",
    }
)
"""Questions to a device (SYCL 2020, chapter "Device class", and SYCL 1.2.1)."""
OF_MEMORY = frozenset(
    {
        *("local_mem_size", "global_mem_size", "max_mem_alloc_size", "free_memory", "ext_intel_free_memory"),
        *("global_mem_cache_size", "global_mem_cache_line_size", "max_constant_buffer_size"),
    }
)
"""Amounts of memory among the answers (SYCL 2020, table "Device information descriptors"; DPC++ for the free one).

They bound no size of a launch.
"""
_IDENTIFIER = re.compile(r"[A-Za-z_]\w*")
_HANDLES = frozenset({"context", "device", "platform", "queue"})
"""Classes whose objects a function without a visible definition may query."""
MAX_CALLERS = 1
"""How many functions lie between a condition and the launch, where not all calls are bound."""
MAX_STEPS = 4
"""How many variables and functions lie between a condition and the question."""


class Guards:
    """Answers for one evaluator."""

    def __init__(self, evaluator: Evaluator, callers: Callers, *, of_memory: bool) -> None:
        """``callers`` finds the calls of a function; ``of_memory`` says whether questions about its amount count."""
        self._evaluator = evaluator
        self._of_memory = of_memory
        self._functions: dict[int, bool] = {}
        self._questions: dict[tuple[int, Frame | None, bool], bool] = {}
        self._checks = Checks(evaluator)
        self._callers = callers
        self._attempts = Attempts(evaluator, callers)
        self._whereabouts = Whereabouts(evaluator, callers)

    def device_checked(self, place: Place, offset: int, *, varies: bool, device: Answers | None) -> bool:
        """Whether a condition that asks the device decides about the launch at ``place``, whose size may vary.

        On a ``device``, it is one that is not known to let control pass there. The condition is that of a branch the
        launch stands in, or of one before it that leaves the function. The calls by which the function is reached count
        as the launch does. So does a handler of exceptions that launches something else.
        """

        def is_open(decision: _Decision) -> bool:
            if not self._is_question(decision):
                return False
            return device is None or self._answer(decision, device) is not decision.equal

        return self._attempts.is_attempt(place, varies=varies) or self._on_each_way(place, offset, is_open)

    def chosen(self, place: Place, offset: int, sizes: tuple[Expr, ...]) -> bool:
        """Whether a condition that asks the device decides about one of the ``sizes`` of the launch at ``place``."""
        return any(self._chosen(each, Point(place, offset)) for each in sizes)

    def _on_each_way(self, place: Place, offset: int, is_so: Callable[["_Decision"], bool], steps: int = 0) -> bool:
        """Whether something is so of a condition on the way to ``place``, or of one on each visible call path."""
        if self._decides(place, offset, is_so):
            return True
        if not self._evaluator.facts.spells(b"get_info"):
            return False
        function = place.innermost(Function)
        frame = self._evaluator.frame
        if function is None or steps >= MAX_CALLERS or (frame is not None and frame.of(function) is not None):
            return False
        calls = [(each, each.node.start) for each in self._callers(function) if isinstance(each.node, Call)]
        return bool(calls) and all(self._on_each_way(each, start, is_so, steps + 1) for each, start in calls)

    def _is_question(self, decision: "_Decision") -> bool:
        """Whether a condition asks; or the value of a ``switch`` was set under one that does."""
        key = id(decision.condition), decision.frame, decision.case is None
        found = self._questions.get(key)
        if found is None:
            found = self._questions[key] = self._is_one(decision)
        return found

    def _is_one(self, decision: "_Decision") -> bool:
        condition, point = decision.condition, decision.point
        if is_bare_check(condition) or self._asks(condition, point):
            return True
        if decision.case is None or not isinstance(condition, Name):
            return False
        return any(self._asks(each, there) for each, there in conditions(self._evaluator, condition.text, point))

    def is_elsewhere(self, place: Place, offset: int) -> bool:
        """Whether the queue of the launch at ``place`` is made for no GPU."""
        return self._whereabouts.is_elsewhere(place, offset)

    def is_asked_about(self, place: Place, offset: int, numbers: frozenset[int]) -> bool:
        """Whether a condition passes a size to a function that is not visible, which may ask the device if it fits."""

        def is_so(decision: _Decision) -> bool:
            return any(
                isinstance(node, Call)
                and isinstance(node.function, Name)
                and is_opaque(self._evaluator.facts, node.function)
                and any(self._number(each, decision.point) in numbers for each in node.arguments)
                for node in walk(decision.condition)
            )

        return bool(numbers) and self._decides(place, offset, is_so)

    def selected(self, place: Place, offset: int, numbers: frozenset[int]) -> bool:
        """Whether the launch at ``place`` is run when a value that is not known equals one of ``numbers``, its sizes.

        So is one of several that differ in their size, among which code that is not visible chooses.
        """

        def is_choice(decision: _Decision) -> bool:
            compared = (self._number(each, decision.point) for each in _compared(decision))
            return not numbers.isdisjoint(compared) and not self._is_known(decision)

        return self._decides(place, offset, is_choice)

    def is_narrowed(self, place: Place, offset: int, sizes: tuple[Expr, ...]) -> bool:
        """Whether a branch is taken for only some of the values of a variable that ``sizes`` depend on.

        Not all of these sizes then come to the launch.
        """
        point = Point(place, offset)

        def is_so(decision: _Decision) -> bool:
            condition = decision.condition
            # Of what is handed to an assertion, only a comparison may stop some of them.
            asked = filter(compares, condition.arguments) if isinstance(condition, Call) else (condition,)
            names = {
                node.text
                for each in asked
                # What holds for all of them lets all of them through.
                if self._number(each, decision.point) is None
                for node in walk(each)
                if isinstance(node, Name) and self._is_one_of_several(node, decision.point)
            }
            return bool(names) and any(comes_from(self._evaluator, each, names, point) for each in sizes)

        return self._decides(place, offset, lambda each: not each.is_loop and is_so(each))

    def _is_one_of_several(self, name: Name, point: Point) -> bool:
        result = self._evaluator.evaluate(name, point)
        return isinstance(result, Scalar) and isinstance(result.value, OneOf)

    def may_be_discarded(self, place: Place, offset: int) -> bool:
        """Whether an ``if constexpr`` whose condition is not known decides whether the launch is compiled at all."""
        return self._decides(place, offset, lambda each: self._is_constexpr(each) and not self._is_known(each))

    def keeps_out(self, place: Place, offset: int, ask: Answers) -> bool:
        """Whether a branch on each way to the launch is not taken on a device that answers so."""

        def is_so(decision: _Decision) -> bool:
            found = self._answer(decision, ask)
            return found is not None and found is not decision.equal

        return self._on_each_way(place, offset, is_so)

    def _answer(self, decision: "_Decision", ask: Answers) -> bool | None:
        """Whether a condition holds on a device that answers so, or an assertion fails; ``None`` where not known."""
        condition, point = decision.condition, decision.point
        if decision.branch is None and isinstance(condition, Call):
            required = self._evaluator.endings.required(condition, point.place)
            held = [holds(self._evaluator, each, point, ask) for each in required]
            return None if not held or None in held else not all(held)
        if decision.branch is None and not self._checks.leaves(condition, point.place):
            return None
        return holds(self._evaluator, condition, point, ask)

    def _decides(self, place: Place, offset: int, is_so: Callable[["_Decision"], bool]) -> bool:
        """Whether something is so of one of the conditions that decide about ``place``, seen on its way."""
        evaluator = self._evaluator
        way = evaluator.frame
        try:
            for decision in self._decisions(place, offset):
                evaluator.frame = decision.frame
                if is_so(decision):
                    return True
        finally:
            evaluator.frame = way
        return False

    def _is_constexpr(self, decision: "_Decision") -> bool:
        if decision.branch is None:
            return False
        return self._evaluator.facts.is_constexpr(decision.branch, decision.point.place)

    def _decisions(self, place: Place, offset: int) -> Iterator["_Decision"]:
        """The conditions that decide whether control gets to ``place``, innermost first, and then those of its way."""
        frame = self._evaluator.frame
        yield from self._around(place, offset, frame)
        while frame is not None:
            outer = frame.outer
            if frame.call is not None:
                yield from self._around(Place(frame.call, frame.point.place), frame.call.start, outer)
            frame = outer

    def _around(self, place: Place, offset: int, frame: Frame | None) -> Iterator["_Decision"]:
        current = place
        case: Case | None = None
        while current.outer is not None and current.outer.outer is not None:
            inner, current = current.node, current.outer
            node = current.node
            if isinstance(node, Function):
                return
            condition = _deciding(node, inner)
            if condition is not None:
                point = Point(current.outer or current, condition.start)
                equal = not (isinstance(node, If | Conditional) and inner is node.otherwise)
                branch = node if isinstance(node, If) else None
                chosen = case if isinstance(node, Switch) else None
                yield _Decision(condition, point, frame, chosen, branch, equal, isinstance(node, Loop))
            if isinstance(node, Case):
                case = node
            if isinstance(node, Block):
                for condition, point in self._checks.of(node, current):
                    if point.offset >= offset:
                        break
                    yield _Decision(condition, point, frame, None, None, equal=False)

    def _number(self, expression: Expr, point: Point) -> int | None:
        result = self._evaluator.evaluate(expression, point)
        return known(result.value) if isinstance(result, Scalar) else None

    def _is_known(self, decision: "_Decision") -> bool:
        return self._number(decision.condition, decision.point) is not None

    def _asks(self, condition: Expr, point: Point, steps: int = 0) -> bool:
        """Whether an expression asks the device, by itself, by a variable or a function, or by what its names say."""
        for node in walk(condition):
            if isinstance(node, Name | Member) and self._is_called_so(node, point):
                return True
            if isinstance(node, Call) and self._is_handed(node, point):
                return True
            match node:
                case Call(function=Member(name=name)) if self._is_query(node, name) or self._function_asks(name, steps):
                    return True
                case Call(function=Name() as function):
                    if self._is_query(node, function.last) or self._function_asks(function.last, steps):
                        return True
                    if self._macro_asks(function, steps):
                        return True
                case Name(arguments=None) if self._name_asks(node, point, steps):
                    return True
                case Member(name=name) if self._member_asks(name, point, steps):
                    return True
                case _:
                    pass
        return False

    def _is_query(self, call: Call, name: str) -> bool:
        return name in _QUERIES and (self._of_memory or not _asks_memory(call))

    def _is_called_so(self, node: Name | Member, point: Point) -> bool:
        """Whether a name says that its value, which is not known, was asked of a device."""
        is_kind = names_kind(node)
        if not (is_kind or names_measure(node)) or self._number(node, point) is not None:
            return False
        return is_kind or not self._is_followed(node, point)

    def _is_followed(self, node: Name | Member, point: Point) -> bool:
        """Whether all that a name stands for is visible, and so is asked instead of it."""
        if not isinstance(node, Name) or "::" in node.text:
            return False
        if self._evaluator.facts.defines(node.text):
            return True
        return is_followed(self._evaluator, node.text, point)

    def _is_handed(self, call: Call, point: Point) -> bool:
        """Whether a function that is not visible gets a queue or device, which it may query; SYCL's own do not."""
        function, facts = call.function, self._evaluator.facts
        if not isinstance(function, Name) or qualifier_is_sycl(function.qualifier, facts.namespaces):
            return False
        if facts.defines(function.last):
            return False
        for each in call.arguments:
            declared = self._evaluator.declarations.type_of(each, point) if isinstance(each, Name) else None
            if declared is not None and declared.name.last in _HANDLES:
                return True
        return False

    def _function_asks(self, name: str, steps: int) -> bool:
        if steps >= MAX_STEPS:
            return False
        for declared in self._evaluator.facts.functions.get(name):
            key = id(declared.node)
            if key not in self._functions:
                self._functions[key] = False
                body = declared.node.body
                if body is not None:
                    around = Place(body, declared.place)
                    given = (*returned(around), *choosing(around))
                    self._functions[key] = any(self._asks(value, there, steps + 1) for value, there in given)
            if self._functions[key]:
                return True
        return False

    def _macro_asks(self, name: Name, steps: int) -> bool:
        """Whether a word of a macro's text asks, or is a function that does."""
        words = {
            word for each in self._evaluator.facts.macros.get(name.text) for word in _IDENTIFIER.findall(each.node.text)
        }
        return any(word in _QUERIES or self._function_asks(word, steps) for word in words)

    def _name_asks(self, name: Name, point: Point, steps: int) -> bool:
        if steps >= MAX_STEPS or "::" in name.text:
            return False
        found = list(written(self._evaluator, name.text, point))
        if found:
            return any(self._asks(value, there, steps + 1) for value, there in found)
        result = self._evaluator.evaluate(name, point)
        if isinstance(result, Scalar) and isinstance(result.value, Symbolic) and self._is_answer(result.value):
            return True
        return self._member_asks(name.text, point, steps)

    def _is_answer(self, value: Symbolic) -> bool:
        asked = {atom.asked for term in value.terms for atom in term.atoms if atom.asked}
        return value.asks_device and (self._of_memory or not asked or not asked <= OF_MEMORY)

    def _member_asks(self, name: str, point: Point, steps: int) -> bool:
        """A data member that the constructor of the class around sets from a question."""
        around = owner(point.place)
        if around is None or steps >= MAX_STEPS:
            return False
        for declared in self._evaluator.facts.functions.get(around):
            function, place = declared.node, declared.place
            if function.body is None:
                continue
            for member, arguments in function.initializers:
                if member == name and any(
                    self._asks(each, Point(place, function.start), steps + 1) for each in arguments
                ):
                    return True
            inner = Place(function.body, place)
            for node in walk(function.body):
                if not isinstance(node, Assign) or target(node.left) != name:
                    continue
                if self._asks(node.right, Point(inner, node.start), steps + 1):
                    return True
        return False

    def _chosen(self, size: Expr, point: Point, steps: int = 0) -> bool:
        """Whether ``size`` asks the device, or a condition that does chooses among its values."""
        if self._asks(size, point, steps):
            return True
        for node in walk(size):
            if isinstance(node, Conditional) and self._asks(node.condition, point):
                return True
            if isinstance(node, Name) and "::" not in node.text and steps < MAX_STEPS:
                if any(self._asks(each, there) for each, there in conditions(self._evaluator, node.text, point)):
                    return True
                if any(
                    self._chosen(value, there, steps + 1) for value, there in written(self._evaluator, node.text, point)
                ):
                    return True
            if isinstance(node, Member) and steps < MAX_STEPS and self._member_chosen(node, point, steps):
                return True
        return False

    def _member_chosen(self, member: Member, point: Point, steps: int) -> bool:
        """The same of what a member of a local object was assigned."""
        holder = root(member)
        if holder is None:
            return False
        asked = conditions(self._evaluator, holder, point)
        values = written_member(self._evaluator, member, point)
        return any(self._asks(each, there) for each, there in asked) or any(
            self._chosen(value, there, steps + 1) for value, there in values
        )


@record
class _Decision:
    """A condition by which control gets to a launch, or to a call on the way to it."""

    condition: Expr
    point: Point
    frame: Frame | None
    case: Case | None
    """Of a ``switch``, the case it is."""
    branch: If | None
    """The ``if`` it is the condition of."""
    equal: bool
    """Control gets there when the condition holds."""
    is_loop: bool = False


def _asks_memory(call: Call) -> bool:
    """Whether ``get_info`` is asked for an amount of memory."""
    names = (each.last for each in walk(call.function) if isinstance(each, Name))
    return not OF_MEMORY.isdisjoint(names)


def _compared(decision: _Decision) -> Iterator[Expr]:
    """The sides of the equations that hold where the decision leads."""
    if decision.case is not None:
        if decision.case.value is not None:
            yield decision.case.value
        return
    if not decision.equal:
        return
    waiting = [decision.condition]
    while waiting:
        match waiting.pop():
            case Binary(operator="==", left=left, right=right):
                yield from (left, right)
            case Binary(operator="&&" | "||", left=left, right=right):
                waiting += [left, right]
            case _:
                pass


def _deciding(node: Node, inner: Node) -> Expr | None:
    """The condition by which control goes from ``node`` into ``inner``, which stands right in it."""
    match node:
        case If(condition=condition, then=then, otherwise=otherwise):
            return condition if inner is then or inner is otherwise else None
        case Loop(condition=condition, body=body) | Switch(condition=condition, body=body):
            return condition if inner is body else None
        case Binary(operator="&&" | "||", left=left, right=right):
            return left if inner is right else None
        case Conditional(condition=condition, then=then, otherwise=otherwise):
            return condition if inner is then or inner is otherwise else None
        case _:
            return None
