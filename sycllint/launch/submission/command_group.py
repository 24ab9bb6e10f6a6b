"""Local memory of a command group: the local accessors that the kernel of one launch can have."""

from collections.abc import Iterator

from sycllint.cpp.expression import Assign, Brace, Call, Expr, Lambda, Member, Name, Unary
from sycllint.cpp.node import children, walk
from sycllint.cpp.place import Place
from sycllint.cpp.statement import (
    Block,
    Case,
    Damaged,
    Declaration,
    Evaluate,
    Function,
    If,
    Loop,
    Macro,
    RangeLoop,
    Statement,
    Struct,
    Switch,
    Variable,
    Variants,
)
from sycllint.launch.memory import LocalAllocation, PreprocessorBranch
from sycllint.launch.submission.accessors import (
    construction,
    declares_one,
    held,
    is_local,
    made,
    members,
    not_counted,
    sized,
)
from sycllint.launch.submission.callable import KernelFunction
from sycllint.record import NamedTuple, replace
from sycllint.source.span import Span
from sycllint.values.arithmetic import join
from sycllint.values.evaluate import Evaluator
from sycllint.values.objects import Instance, Point
from sycllint.values.types import qualifier_is_sycl
from sycllint.values.value import Known, Unknown

_MAKERS = frozenset(
    {
        "accessor",
        "get_access",
        "get_host_access",
        "host_accessor",
        "make_reduction",
        "reduction",
        "Reduction",
        "sampled_image_accessor",
        "stream",
        "unsampled_image_accessor",
    }
)
"""What else of SYCL takes a handler: none of it is local memory (SYCL 2020, chapter "Accessors", and "Reductions")."""


class _Group(NamedTuple):
    """The lambda or function that takes the handler, and the way from the launch up to its body."""

    body: Place | None
    handler: str
    """Name of the handler; empty when it is not a parameter."""
    way: tuple[Place, ...]
    """Innermost first; the body is last. Without a handler all that is around the launch in its function."""


class CommandGroup:
    """The command group around one launch, whose receiver is ``receiver``."""

    def __init__(self, evaluator: Evaluator, place: Place, receiver: Expr | None) -> None:
        self._evaluator = evaluator
        self._group = _around(evaluator, place, receiver)
        self._counted: set[str] = set()

    def local_accessors(self, kernel: KernelFunction | None, arguments: tuple[Expr, ...]) -> list[LocalAllocation]:
        """Every local accessor that the kernel may have; an unknown size for each that cannot be counted."""
        place = self._group.way[0]
        if self._group.body is None:
            return [*self._members(kernel)]
        found = [*self._parameters(), *self._declared(), *self._members(kernel)]
        if kernel is not None:
            found += self._kernel(kernel, place)
        if kernel is None or kernel.closure is None:
            for argument in arguments:
                found += self._unseen(argument, place)
        return found

    def made_elsewhere(self, kernel: KernelFunction | None, call: Call) -> Iterator[LocalAllocation]:
        """What a launching function that is not visible may give the kernel: nothing to a lambda with one item."""
        if kernel is not None and kernel.closure is not None and len(kernel.closure.function.parameters) == 1:
            return
        if kernel is not None and kernel.instance is not None:
            struct = kernel.instance.struct.node
            if not any(held(self._evaluator, each.type.name) for each in members(struct)):
                return
        reason = "the launching function may make local memory"
        yield not_counted(self._evaluator, reason, "", Span(call.start, call.end), self._group.way[0])

    # -------------------------------------------------------------- declared

    def _declared(self) -> Iterator[LocalAllocation]:
        """Accessors of the blocks around the launch, outermost first, that are made before it."""
        way = {id(each.node) for each in self._group.way}
        for place in reversed(self._group.way):
            in_switch = place.outer is not None and isinstance(place.outer.node, Switch)
            for statement in place.node.statements if isinstance(place.node, Block) else ():
                if id(statement) in way:
                    break
                if not (in_switch and isinstance(statement, Case)):
                    yield from self._statement(statement, place, sure=True)

    def _statement(self, statement: Statement, place: Place, *, sure: bool) -> Iterator[LocalAllocation]:
        """The accessors of one statement before the launch; those of inner blocks are there or not."""
        match statement:
            case Declaration(variables=variables):
                for variable in variables:
                    certain = sure and not self._evaluator.declarations.is_unsettled(variable.name, place)
                    for each in self._variable(variable, place):
                        yield each if certain else _perhaps(each)
            case Damaged(start=start, end=end):
                reason = "the command group does not parse here"
                yield not_counted(self._evaluator, reason, "", Span(start, end), place)
            case Function() | Macro() | Struct():
                return
            case _:
                yield from self._inside(statement, place, sure=sure)

    def _inside(self, statement: Statement, place: Place, *, sure: bool) -> Iterator[LocalAllocation]:
        if isinstance(statement, Variants):
            yield from self._branches(statement, place, sure=sure)
            return
        here = Place(statement, place)
        scoped = not isinstance(statement, Loop | RangeLoop | If | Switch | Block)
        for block in children(statement):
            if not isinstance(block, Block):
                continue
            around = Place(block, here)
            for each in block.statements:
                for found in self._statement(each, around, sure=sure and scoped):
                    if isinstance(statement, Loop | RangeLoop):
                        reason = "a local accessor made in a loop"
                        yield replace(
                            found, count=Unknown(reason, found.location), bytes=Unknown(reason, found.location)
                        )
                    else:
                        yield found

    def _branches(self, statement: Variants, place: Place, *, sure: bool) -> Iterator[LocalAllocation]:
        """The accessors of a conditional before the launch; one around the launch, too, is compiled where that is."""
        here = Place(statement, place)
        compiled = [self._evaluator.macros.arm(each, here) for each in statement.arms]
        complete = any(each.keyword == "else" for each in statement.arms)
        for branch, (arm, is_compiled) in enumerate(zip(statement.arms, compiled, strict=True)):
            if is_compiled is False:
                continue
            around = Place(arm.body, Place(arm, here))
            for each in arm.body.statements:
                for found in self._statement(each, around, sure=sure):
                    if is_compiled:
                        yield found
                    else:
                        choice = PreprocessorBranch(statement.start, branch, complete, found.bytes)
                        yield replace(_perhaps(found), choice=choice)

    def _variable(self, variable: Variable, place: Place) -> Iterator[LocalAllocation]:
        evaluator = self._evaluator
        kind = evaluator.types.kind(variable.type.name, place)
        arguments = variable.arguments
        span = Span(variable.start, variable.end)
        if variable.type.pointers or (variable.type.reference and not kind.automatic):
            return
        if kind.automatic:
            for argument in arguments:
                yield from self._initial(argument, variable.name, span, place)
            return
        if is_local(evaluator, kind) is not False:
            self._counted.add(variable.name)
            if variable.type.extents:
                yield not_counted(evaluator, "an array of local accessors", variable.name, span, place)
                return
            if variable.style == "=" and len(arguments) == 1:
                built = construction(arguments[0])
                arguments = built[1] if built is not None and self._makes_local(built[0], place) else ()
            yield sized(evaluator, kind, arguments, variable.name, span, place)
        elif held(evaluator, variable.type.name):
            yield from self._object(variable.type.name, arguments, variable.name, span, place)
            self._counted.add(variable.name)

    def _makes_local(self, name: Name, place: Place) -> bool:
        return is_local(self._evaluator, self._evaluator.types.kind(name, place)) is True

    def _initial(self, argument: Expr, name: str, span: Span, place: Place) -> Iterator[LocalAllocation]:
        """``auto name = argument``."""
        evaluator = self._evaluator
        allocation = made(evaluator, argument, name, place)
        if allocation is not None:
            self._counted.add(name)
            yield allocation
            return
        if isinstance(argument, Lambda):
            if any(isinstance(each, Name) and self._makes_local(each, place) for each in walk(argument)):
                yield not_counted(evaluator, "a local accessor made in a function", name, span, place)
            return
        built = construction(argument)
        if built is not None and evaluator.types.kind(built[0], place).struct is not None:
            if held(evaluator, built[0]):
                yield from self._object(built[0], built[1], name, span, place)
                self._counted.add(name)
            return
        yield from self._unseen(argument, place, name)

    def _object(
        self, kind: Name, arguments: tuple[Expr, ...], name: str, span: Span, place: Place, known: int = 0
    ) -> Iterator[LocalAllocation]:
        """An object that holds local accessors: those counted before, those made in its arguments, or others."""
        missing = held(self._evaluator, kind) - known
        for argument in arguments:
            if isinstance(argument, Brace) and argument.type is None:
                inner = argument.elements
            else:
                inner = (argument,)
            for each in inner:
                allocation = made(self._evaluator, each, name, place)
                if allocation is not None:
                    yield replace(allocation, is_accessor=False)
                    missing -= 1
                elif isinstance(each, Name) and each.text in self._counted:
                    missing -= 1
        if missing > 0:
            yield not_counted(self._evaluator, "a local accessor inside an object", name, span, place)

    def _unseen(self, expression: Expr, place: Place, name: str = "") -> Iterator[LocalAllocation]:
        """What a function that is handed the handler may make of it."""
        if not isinstance(expression, Call | Brace) or not self._takes_handler(expression):
            return
        if not self._makes_none(expression):
            span = Span(expression.start, expression.end)
            reason = "what is made with the handler may hold local memory"
            yield not_counted(self._evaluator, reason, name, span, place)

    def _takes_handler(self, expression: Call | Brace) -> bool:
        arguments = expression.arguments if isinstance(expression, Call) else expression.elements
        return any(_is_named(each, self._group.handler) for each in arguments)

    def _makes_none(self, expression: Call | Brace) -> bool:
        """Whether the result is surely no local accessor."""
        evaluator = self._evaluator
        match expression:
            case Call(function=Member(name=last)):
                name: Name | None = None
            case Call(function=Name() as named) | Brace(type=Name() as named):
                name, last = named, named.last
            case _:
                return False
        if last in _MAKERS:
            return True
        if name is not None:
            if name.qualifier and qualifier_is_sycl(name.qualifier, evaluator.facts.namespaces):
                return True
            struct = evaluator.types.kind(name).struct
            if struct is not None:
                return held(evaluator, name) == 0
        functions = [each.node.returns for each in evaluator.facts.functions.get(last)]
        known = [each for each in functions if each is not None and not evaluator.types.kind(each.name).automatic]
        return (
            bool(functions) and len(known) == len(functions) and not any(held(evaluator, each.name) for each in known)
        )

    # ------------------------------------------------------------- elsewhere

    def _parameters(self) -> Iterator[LocalAllocation]:
        """Accessors handed to the functions and lambdas between the launch and the handler."""
        body = self._group.body
        owner = body.outer if body is not None else None
        for place in (*self._group.way, *((owner,) if owner is not None else ())):
            node = place.node
            if isinstance(node, Lambda | Function):
                for parameter in node.parameters:
                    if held(self._evaluator, parameter.type.name):
                        self._counted.add(parameter.name)
                        span = Span(parameter.start, parameter.end)
                        reason = "a local accessor from the caller"
                        one = declares_one(self._evaluator, parameter)
                        yield not_counted(self._evaluator, reason, parameter.name, span, place, is_accessor=one)

    def _members(self, kernel: KernelFunction | None) -> Iterator[LocalAllocation]:
        """Accessors of the class around the launch that the kernel names."""
        if kernel is None or kernel.closure is None:
            return
        struct, place = self._class()
        fields = (
            [each for each in members(struct) if held(self._evaluator, each.type.name)] if struct is not None else []
        )
        if not fields or place is None:
            return
        function = kernel.closure.function
        named = {each.text for each in walk(function) if isinstance(each, Name)}
        named |= {each.name for each in walk(function) if isinstance(each, Member)}
        for each in fields:
            if each.name in named:
                one = declares_one(self._evaluator, each)
                span = Span(each.start, each.end)
                yield not_counted(
                    self._evaluator, "a local accessor of the class", each.name, span, place, is_accessor=one
                )

    def _class(self) -> tuple[Struct | None, Place | None]:
        place: Place | None = self._group.way[0]
        while place is not None:
            node = place.node
            if type(node) is Struct:
                return node, place
            if type(node) is Function and "::" in node.name:
                symbols = self._evaluator.symbols
                found = symbols.definition(symbols.class_around(place))
                return (found.node, found.place) if found is not None else (None, None)
            place = place.outer
        return None, None

    def _kernel(self, kernel: KernelFunction, place: Place) -> Iterator[LocalAllocation]:
        """Accessors that a lambda makes in its captures, or that a function object holds."""
        if kernel.closure is not None:
            function = kernel.closure.function
            around = kernel.closure.place.outer or kernel.closure.place
            for capture in function.captures:
                if capture.value is not None:
                    span = Span(capture.value.start, capture.value.end)
                    yield from self._initial(capture.value, capture.name, span, around)
        elif kernel.instance is not None and kernel.argument is not None:
            argument = kernel.argument
            struct = kernel.instance.struct.node
            # The accessors of a function object with a name were counted at its declaration, if that is visible.
            known = isinstance(argument, Name) and argument.text in self._counted
            count = sum(held(self._evaluator, each.type.name) for each in members(struct))
            if count and not known:
                name = Name(struct.name, None, None, argument.start, argument.end)
                span = Span(argument.start, argument.end)
                own = list(self._by_methods(kernel.instance, argument, place)) if isinstance(argument, Name) else []
                yield from own
                yield from self._object(name, kernel.instance.arguments, struct.name, span, place, len(own))

    def _by_methods(self, of: Instance, variable: Name, place: Place) -> Iterator[LocalAllocation]:
        """The members that a function object makes when the command group hands it the handler: ``k.init(h);``."""
        evaluator = self._evaluator
        assigned = list(_assignments(of.struct.node))
        wanted = {each.name for each in members(of.struct.node) if declares_one(evaluator, each)}
        for call in self._given_handler(variable):
            method, frame = evaluator.members.entered(of, call, Point(place, call.start)) or (None, None)
            body = method.node.body if method is not None else None
            if method is None or body is None:
                continue
            inside = Place(body, method.place)
            for statement in body.statements:
                match statement:
                    case Evaluate(expression=Assign(operator="=", left=left, right=right)):
                        name = _own_member(left)
                        if name in wanted and assigned.count(name) == 1:
                            allocation = evaluator.under(frame, made, evaluator, right, name, inside)
                            if allocation is not None:
                                yield allocation

    def _given_handler(self, variable: Name) -> Iterator[Call]:
        """The calls of methods of a variable with the handler that surely run before the launch."""
        way = {id(each.node) for each in self._group.way}
        for place in self._group.way:
            for statement in place.node.statements if isinstance(place.node, Block) else ():
                match statement:
                    case _ if id(statement) in way:
                        break
                    case Evaluate(expression=Call(function=Member(object=Name(text=text))) as call):
                        if text == variable.text and self._takes_handler(call):
                            yield call


def _around(evaluator: Evaluator, place: Place, receiver: Expr | None) -> _Group:
    """The nearest lambda or function that takes the handler; none for a launch straight on a queue."""
    way: list[Place] = []
    current: Place | None = place
    called = receiver.text if isinstance(receiver, Name) else ""
    while current is not None:
        node = current.node
        if isinstance(node, Lambda | Function):
            for parameter in node.parameters:
                kind = evaluator.types.kind(parameter.type.name, current)
                if kind.sycl == "handler" or (parameter.name == called and kind.sycl != "queue"):
                    body = Place(node.body, current) if node.body is not None else None
                    return _Group(body, parameter.name, tuple(way))
                if parameter.name == called:
                    return _Group(None, "", tuple(way))
        way.append(current)
        if isinstance(node, Function):
            return _Group(None, "", tuple(way))
        current = current.outer
    # In text that does not parse the function may be lost, and its statements are not.
    damaged = [index for index, each in enumerate(way) if isinstance(each.node, Damaged)]
    if damaged and called:
        return _Group(way[damaged[-1]], called, tuple(way[: damaged[-1]]))
    return _Group(None, "", tuple(way))


def _assignments(struct: Struct) -> Iterator[str | None]:
    """The members that the functions of a class assign, each as often as they do."""
    for function in struct.functions:
        yield from (_own_member(each.left) for each in walk(function) if isinstance(each, Assign))
        yield from (name for name, _ in function.initializers)


def _own_member(expression: Expr) -> str | None:
    """The member that a method names: ``tile``, ``this->tile``."""
    match expression:
        case Name(text=text) | Member(object=Name(text="this"), name=text):
            return text
        case _:
            return None


def _perhaps(allocation: LocalAllocation) -> LocalAllocation:
    """An accessor that is there or not, as a conditional decides."""
    return replace(allocation, bytes=join([Known(0), allocation.bytes]))


def _is_named(expression: Expr, name: str) -> bool:
    match expression:
        case Name(text=text):
            return text == name
        case Unary(operator="&" | "*", operand=inner) | Member(object=inner):
            return _is_named(inner, name)
        case _:
            return False
