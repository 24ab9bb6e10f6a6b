"""OpenMP target regions as written: the directive, its clauses as expressions, and the statement it governs."""

from collections.abc import Mapping

from sycllint.cpp.expression import Expr
from sycllint.cpp.place import Place
from sycllint.cpp.statement import Loop, Pragma, Statement
from sycllint.record import NamedTuple
from sycllint.source.span import Span


class Clause(NamedTuple):
    """``num_teams(n)``. ``value`` is the argument of those that take a number, without a modifier and its colon."""

    name: str
    value: Expr | None
    text: str
    span: Span


class OpenMPDirective(NamedTuple):
    """One ``#pragma omp`` with the words that name its constructs."""

    words: tuple[str, ...]
    span: Span
    """The span of these words."""
    clauses: Mapping[str, Clause]
    pragma: Pragma


class TargetRegion(NamedTuple):
    """A ``target`` construct that runs code on the device, with the directives nested directly in it."""

    directives: tuple[OpenMPDirective, ...]
    """The first holds ``target``; the others follow it without code in between."""
    place: Place
    """The place of the first directive."""
    statement: Statement | None
    """The associated statement; a loop where the last directive distributes one."""
    whole: Statement | None = None
    """All that runs on the device: what the first of them governs."""

    @property
    def words(self) -> frozenset[str]:
        """The constructs of all its directives."""
        return frozenset(word for each in self.directives for word in each.words)

    def clause(self, name: str) -> Clause | None:
        """The innermost clause of that name."""
        return next((each.clauses[name] for each in reversed(self.directives) if name in each.clauses), None)

    @property
    def loop(self) -> Loop | None:
        """The loop whose iterations are shared out."""
        return self.statement if isinstance(self.statement, Loop) else None
