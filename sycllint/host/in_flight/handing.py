"""Arguments of calls in host code: what functions that are not visible may do with them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from sycllint.cpp.expression import Call, Expr, Lambda, Member, Name, Unary
from sycllint.cpp.node import Node
from sycllint.cpp.statement import Function
from sycllint.host.in_flight.walking import Expressions, Result
from sycllint.host.in_flight.watch import Watch
from sycllint.host.scopes.scope import FunctionScope
from sycllint.host.scopes.things import WITH_MEMBERS, Command, Kind, Thing
from sycllint.host.vocabulary import WAITS
from sycllint.host.written import names_in


class Handing:
    """Of one walk."""

    def __init__(self, expressions: Expressions, scope: FunctionScope, watch: Watch) -> None:
        self._acts = expressions
        self._scope = scope
        self._watch = watch

    def arguments(self, arguments: tuple[Expr, ...]) -> list[Result]:
        """Arguments are evaluated; a variable by itself may be taken by reference."""
        return [self._acts.evaluate(each, bound=True) for each in arguments]

    def values_read(self, arguments: Iterable[Expr]) -> None:
        """Variables that are handed over by value."""
        for argument in arguments:
            if isinstance(argument, Name | Member):
                self._acts.evaluate(argument)

    def kept(self, call: Call, results: list[Result]) -> None:
        """The arguments of a call escape: the callee may wait for them, or write to them."""
        scope, watch = self._scope, self._watch
        for argument, result in zip(call.arguments, results, strict=False):
            ref = scope.memory(argument)
            if ref is not None:
                watch.handed_over(ref.thing)
                watch.after_free.may_lead_elsewhere(ref.thing)
                scope.unsettled(ref.thing)
            thing = result if isinstance(result, Thing) else None
            if thing is not None and (ref is None or _is_address(argument)):
                watch.handed_over(thing)
                self._out(argument, thing)
                scope.unsettled(thing)
            if scope.state.flights:
                body = thing.closure if thing is not None and isinstance(argument, Name) else argument
                if isinstance(body, Lambda) and (scope.mentions_queue(body) or _waits(body)):
                    watch.waited_for_all()
        if not scope.state.flights:
            return
        if any(type(each) is Command for each in results) or any(map(scope.mentions_queue, call.arguments)):
            watch.waited_for_all()

    def kept_memory(self, arguments: tuple[Expr, ...], function: Function) -> None:
        """Memory that a function that is not walked may have written, and objects whose members it may have set."""
        scope = self._scope
        for argument, parameter in zip(arguments, function.parameters, strict=False):
            ref, thing = scope.memory(argument), scope.thing(argument)
            if ref is not None:
                self._watch.handed_over(ref.thing)
                if parameter.type.reference:
                    self._watch.after_free.may_lead_elsewhere(ref.thing)
            if (parameter.type.reference or parameter.type.pointers) and not parameter.type.constant:
                for each in (thing, ref.thing if ref is not None else None):
                    if each is not None and each.kind in WITH_MEMBERS:
                        scope.unsettled(each)

    def _out(self, argument: Expr, thing: Thing) -> None:
        """``&p`` is handed out: the pointer may point elsewhere afterwards."""
        if _is_address(argument) and thing.kind in (Kind.POINTER, Kind.EVENT):
            self._scope.rebind(thing.name, thing.with_unknown_value())

    def unknown(self, name: str, *, by_name: bool, apart: bool = False) -> None:
        """A function or method that is not visible was called: it may wait for the queues it can know of.

        A function ``apart`` from the classes around can hardly know of their members.
        """
        is_macro = name.isupper() and len(name) > 1
        if WAITS.search(name) or is_macro:
            self._watch.waited_for_all()
            if is_macro:
                self._scope.queues.forget()
        elif by_name:
            self._watch.waited_elsewhere(name, apart=apart)
            self._scope.unsettled()

    def freed(self, argument: Expr, node: Node, by: str) -> None:
        """``by`` frees what ``argument`` points to."""
        ref = self._scope.memory(argument)
        if ref is not None:
            self._watch.object_ended(ref.thing)
            self._watch.freed(ref, node, by, argument)
        else:
            self._acts.evaluate(argument, bound=True)

    def named_memory(self, call: Node) -> Iterator[Thing]:
        """Memory that is named anywhere in a call, or in a file that is included there."""
        things = self._scope.state.things
        written = self._scope.names.written(call)
        if written.includes:
            yield from (each.memory for each in things.values())
        for text in written.names & things.keys():
            yield things[text].memory
        outer = self._scope.state.outer
        for text in (written.names & outer.keys()) - things.keys():
            yield outer[text].memory


def is_event(value: Result) -> bool:
    """Whether an expression gives the event of a command."""
    return isinstance(value, Command) or (isinstance(value, Thing) and value.kind is Kind.EVENT)


def _is_address(argument: Expr) -> bool:
    return isinstance(argument, Unary) and argument.operator == "&"


def _waits(body: Node) -> bool:
    return any(WAITS.search(each) for each in names_in(body))
