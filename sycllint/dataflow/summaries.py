"""Summaries of bodies over the strongly connected components of their call graph, callees first.

A summary is worked out when it is first asked for, with those of the functions that it rests on and no others. It does
not depend on what was asked before: of functions that call each other, all are summarised together.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Generic, Protocol, TypeVar

from sycllint.ir.body import Body

Summary = TypeVar("Summary")


class SummaryDomain(Protocol[Summary]):
    """What is said of a function, from its instructions and from what is said of those it calls."""

    @property
    def bottom(self) -> Summary:
        """What is said of a function that does nothing; summaries grow from there."""

    def callees(self, body: Body) -> Iterator[Body]:
        """The bodies on which the summary of ``body`` rests; may end early when no further one can change it."""

    def summary(self, body: Body, of: Callable[[Body], Summary]) -> Summary:
        """What ``body`` does if its callees do what ``of`` says; it never shrinks as that grows."""


class Summaries(Generic[Summary]):
    """Those of one unit in one domain, each worked out once."""

    def __init__(self, domain: SummaryDomain[Summary]) -> None:
        self._domain = domain
        self._known: dict[Body, Summary] = {}

    def of(self, body: Body) -> Summary:
        """The summary of a function or lambda."""
        if body not in self._known:
            self._visit(body)
        return self._known[body]

    def peek(self, body: Body) -> Summary:
        """The summary of ``body`` as far as it is known: ``bottom`` for one that is being worked out."""
        return self._known.get(body, self._domain.bottom)

    def _visit(self, start: Body) -> None:
        """Tarjan's algorithm from ``start`` with a stack of its own, so that no chain of calls is too long for it."""
        low = {start: 0}
        number = {start: 0}
        open_ = [start]
        path = [(start, self._domain.callees(start))]
        while path:
            body, callees = path[-1]
            for callee in callees:
                if callee in self._known:
                    continue
                if callee not in number:
                    number[callee] = low[callee] = len(number)
                    open_.append(callee)
                    path.append((callee, self._domain.callees(callee)))
                    break
                low[body] = min(low[body], number[callee])
            else:
                path.pop()
                if path:
                    caller = path[-1][0]
                    low[caller] = min(low[caller], low[body])
                if low[body] == number[body]:
                    first = open_.index(body)
                    self._solve(open_[first:])
                    del open_[first:]

    def _solve(self, component: Sequence[Body]) -> None:
        """The least summaries that agree with each other, of functions that all reach each other."""
        found = dict.fromkeys(component, self._domain.bottom)
        is_circular = False

        def of(body: Body) -> Summary:
            nonlocal is_circular
            is_circular = is_circular or body in found
            return found[body] if body in found else self._known[body]

        changed = True
        while changed:
            changed = False
            for body in component:
                summary = self._domain.summary(body, of)
                if summary != found[body]:
                    found[body] = summary
                    changed = is_circular
        self._known.update(found)
