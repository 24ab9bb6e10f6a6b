"""How uniform the values of a kernel are in one launch: runs of the domain, each made once for all rules that ask."""

from __future__ import annotations

from sycllint.device_code.code import KernelCode
from sycllint.domains.controls import LaneArithmetic
from sycllint.domains.divergence import divergences
from sycllint.domains.indices import Indices
from sycllint.domains.uniformity import Uniformity
from sycllint.values.memory import Answers

_latest: Answers[object, Uniformity] = Answers(latest=True)
"""Of the kernel that was asked about last: two analyses ask, one after the other."""


def in_one_launch(code: KernelCode) -> object:
    """What a kernel, in one launch and reached in one way, differs in from others."""
    return code.place, code.geometry, code.evaluator.frame


def may_diverge(code: KernelCode) -> bool:
    """Whether something that differs in a group may decide over a barrier or collective, in some launch."""
    return divergences.of(code.evaluator).may_miss(code.function, code.place)


def uniformity(code: KernelCode) -> Uniformity:
    """The uniformity of one kernel in one launch."""
    return _latest.of(code.evaluator, in_one_launch(code), lambda: _uniformity(code))


def lanes(code: KernelCode) -> tuple[LaneArithmetic, ...]:
    """Where a kernel takes a local id apart into lane and sub-group; nothing where it asks for the width."""
    # Where no barrier may be missed, nobody else asks: the run ends where the kernel asks for the width.
    found = uniformity(code) if may_diverge(code) else _uniformity(code, for_lanes=True)
    return found.lanes()


def _uniformity(code: KernelCode, *, for_lanes: bool = False) -> Uniformity:
    geometry = code.geometry
    indices = Indices(geometry.dims, geometry.whole, geometry.local, geometry.sub_group_size)
    found = Uniformity(code.evaluator, indices, for_lanes=for_lanes)
    found.run(code.function, code.place)
    return found
