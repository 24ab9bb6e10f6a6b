"""Calls of a project's own launching functions, as the configuration declares them by name and number of arguments."""

from collections.abc import Iterator, Mapping

from sycllint.cpp.expression import Call, Expr, Member, Name
from sycllint.cpp.place import Place, locate
from sycllint.cpp.statement import Function
from sycllint.facts.file import FileFacts
from sycllint.facts.submissions import Submission
from sycllint.launch.helpers import LaunchHelper, Overloads, called, may_be
from sycllint.record import NamedTuple
from sycllint.symbols.unit import Unit


class HelperCall(NamedTuple):
    """One call, and which of its arguments is what. The arguments that the helper names are all there."""

    submission: Submission
    helper: LaunchHelper

    def argument(self, number: int | None) -> Expr | None:
        """The argument counted so."""
        return None if number is None else self.submission.call.arguments[number]


def helper_calls(facts: FileFacts, unit: Unit, helpers: Mapping[str, Overloads]) -> Iterator[HelperCall]:
    """The calls of ``helpers`` in one file.

    A call in the body of a helper is left out: what it launches is what the helper was called for.
    """
    for name, overloads in helpers.items():
        last = name.rpartition("::")[2]
        if last in unit.macros:
            continue
        for span, place in locate(facts.unit, facts.calls.get(last, ()), Call).items():
            call = place.node
            helper = called(overloads, len(call.arguments)) if isinstance(call, Call) else None
            if not isinstance(call, Call) or helper is None or in_helper(place, helpers):
                continue
            damaged = any(span.start <= error.start and error.end <= span.end for error in facts.damaged)
            found = _submission(call, place, name, damaged)
            if found is not None:
                yield HelperCall(found, helper)


def in_helper(place: Place, helpers: Mapping[str, Overloads]) -> bool:
    """Whether ``place`` is in the body of a function that the configuration declares: its calls stand for it."""
    for node in place.chain() if helpers else ():
        if isinstance(node, Function):
            qualifier, _, last = node.name.rpartition("::")
            for name, overloads in helpers.items():
                scope, _, wanted = name.rpartition("::")
                if last == wanted and _may_mean(qualifier, scope) and may_be(overloads, *_taken(node)):
                    return True
    return False


def _taken(function: Function) -> tuple[int, int | None]:
    """How many arguments a function takes at least and at most."""
    parameters = function.parameters
    least = sum(each.default is None and not each.pack for each in parameters)
    return least, None if any(each.pack for each in parameters) else len(parameters)


def _submission(call: Call, place: Place, name: str, damaged: bool) -> Submission | None:
    function = call.function
    if isinstance(function, Name) and not _may_mean(function.qualifier, name.rpartition("::")[0]):
        return None
    if isinstance(function, Name | Member):
        templates = function.arguments or ()
        return Submission(call, place, "parallel_for", None, templates, function.start, function.end, damaged)
    return None


def _may_mean(written: str, declared: str) -> bool:
    """Whether a name with the qualifier ``written`` may be one with the qualifier ``declared``."""
    parts = [part for part in written.split("::") if part]
    wanted = [part for part in declared.split("::") if part]
    shared = min(len(parts), len(wanted))
    return not shared or parts[-shared:] == wanted[-shared:]
