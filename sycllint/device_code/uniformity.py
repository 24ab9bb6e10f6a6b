"""How uniform the values of a kernel are in one launch: runs of the domain, each made once for all rules that ask."""

from __future__ import annotations

from sycllint.device_code.code import KernelCode
from sycllint.domains.indices import Indices
from sycllint.domains.uniformity import Uniformity
from sycllint.record import NamedTuple
from sycllint.values.memory import Answers
from sycllint.values.objects import Frame


class _Divergence(NamedTuple):
    in_some_launch: bool
    has_gaps: bool
    """It is not known of everything what the kernel calls."""


_diverges: Answers[object, _Divergence] = Answers()
_latest: Answers[object, Uniformity] = Answers(latest=True)
"""Of the kernel that was asked about last: two analyses ask, one after the other."""


def in_one_launch(code: KernelCode) -> object:
    """What a kernel, in one launch and reached in one way, differs in from others."""
    return code.place, code.geometry, code.evaluator.frame


def may_diverge(code: KernelCode) -> bool:
    """Whether something that differs in a group decides whether a barrier or collective is reached, in some launch.

    One run without numbers serves all call paths to the kernel; where its callees depend on the path, one for each.
    """
    found = _diverges.of(code.evaluator, code.function, lambda: _may_diverge(code, None))
    frame = code.evaluator.frame
    if found.in_some_launch or not found.has_gaps or frame is None:
        return found.in_some_launch
    return _diverges.of(code.evaluator, (code.function, frame), lambda: _may_diverge(code, frame)).in_some_launch


def _may_diverge(code: KernelCode, way: Frame | None) -> _Divergence:
    frame, code.evaluator.frame = code.evaluator.frame, way
    indices = Indices(None, None, None, None, of_any_shape=True)
    found = Uniformity(code.evaluator, indices, counts=False)
    found.run(code.function, code.place)
    code.evaluator.frame = frame
    return _Divergence(found.diverges, found.has_gaps)


def uniformity(code: KernelCode) -> Uniformity:
    """The uniformity of one kernel in one launch."""
    return _latest.of(code.evaluator, in_one_launch(code), lambda: _uniformity(code))


def _uniformity(code: KernelCode) -> Uniformity:
    geometry = code.geometry
    indices = Indices(geometry.dims, geometry.whole, geometry.local, geometry.sub_group_size)
    found = Uniformity(code.evaluator, indices)
    found.run(code.function, code.place)
    return found
