"""Kernel submissions as written: every call that may launch a kernel, and the command group it stands in."""

from sycllint.cpp.expression import Call, Expr, Member, Name
from sycllint.cpp.names import LAUNCHING, LAUNCHING_FREELY, MEMBERS
from sycllint.cpp.place import Place
from sycllint.record import NamedTuple


class Submission(NamedTuple):
    """One call that may launch a kernel.

    ``use`` is set when the call stands in a macro's body: the place where the macro is used.
    """

    call: Call
    place: Place
    """The place of ``call``."""
    method: str
    receiver: Expr | None
    template_arguments: tuple[Expr, ...]
    start: int
    end: int
    """Span of the method's name."""
    damaged: bool
    """The call's own text does not parse."""
    use: Place | None = None


def may_be_sycl_launch(submission: Submission, aliases: frozenset[str]) -> bool:
    """Whether a call may launch a kernel of SYCL's, by its name alone.

    Of the functions that SYCL has as members, ``tbb::parallel_for(…)`` is only where ``tbb`` is among ``aliases``, the
    other names of SYCL's namespaces, and an unqualified one where the empty name is.
    """
    function = submission.call.function
    if not isinstance(function, Name) or submission.method not in MEMBERS:
        return True
    first, _, _ = function.qualifier.partition("::")
    return "sycl" in function.qualifier or first in aliases


def submission(place: Place, damaged: bool, use: Place | None = None) -> Submission | None:
    """The submission at ``place``, which must be a call; ``None`` when its name launches nothing."""
    call = place.node
    if not isinstance(call, Call):
        return None
    match call.function:
        case Member(object=receiver, name=name, arguments=arguments, start=start, end=end):
            if name in LAUNCHING:
                return Submission(call, place, name, receiver, arguments or (), start, end, damaged, use)
        case Name(arguments=arguments, start=start, end=end) as name:
            if name.last in LAUNCHING or (name.last in LAUNCHING_FREELY and (arguments or name.qualifier)):
                return Submission(call, place, name.last, None, arguments or (), start, end, damaged, use)
    return None
