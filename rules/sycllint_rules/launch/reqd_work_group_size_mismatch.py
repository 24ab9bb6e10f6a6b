"""A kernel requires one work-group size and is launched with another.

``[[sycl::reqd_work_group_size(...)]]``, or the property ``work_group_size<...>``, lets the compiler assume the shape of
the group. A launch with any other shape throws ``errc::nd_range``. Both list the slowest dimension first, as
``sycl::range`` does; OpenCL and CUDA list the fastest first, so a ported attribute is often the right one reversed.

Bad::

    void transpose(sycl::queue &q, float *matrix) {
      q.parallel_for(sycl::nd_range<2>({64, 64}, {8, 32}),
                     [=](sycl::nd_item<2> it) [[sycl::reqd_work_group_size(32, 8)]] {
                       matrix[it.get_global_linear_id()] *= 2.0f;
                     });
    }

Good::

    void transpose(sycl::queue &q, float *matrix) {
      q.parallel_for(sycl::nd_range<2>({64, 64}, {8, 32}),
                     [=](sycl::nd_item<2> it) [[sycl::reqd_work_group_size(8, 32)]] {
                       matrix[it.get_global_linear_id()] *= 2.0f;
                     });
    }

An attribute with another number of arguments than the launch has dimensions is reported as well: as a warning if the
additional ones are leading, ``(1, 1, 256)`` for a launch by 256, since DPC++ treats that as equal.

Silent when the extents that differ are not both known, as in a template instantiated in several ways; in a branch of
an ``if constexpr`` whose condition is not known; when the global range is empty.

Source: SYCL 2020, table "Attributes for kernel functions", reqd_work_group_size.
"""

from collections.abc import Iterator

from sycllint.diagnostic import Evidence, Related, Severity
from sycllint.launch.kernel import KernelLaunch, Range
from sycllint.record import replace
from sycllint.rule import Finding, KernelDemand, Outcome, Silent, rule
from sycllint.target import Target
from sycllint.values.value import Value, all_known, known
from sycllint_rules.evidence import pair
from sycllint_rules.residency import empty
from sycllint_rules.wording import because, plural, shape


@rule("SYC105", Severity.ERROR, on=KernelLaunch, kernels=KernelDemand.NONE)
def reqd_work_group_size_mismatch(launch: KernelLaunch, target: Target) -> Iterator[Outcome]:
    """Compare the attribute with the local range, extent by extent."""
    del target
    required, local = launch.required_work_group, launch.local_range
    if required is None or local is None or not required.extents or not local.extents or empty(launch):
        yield Silent("no work-group size is required" if required is None else "the local range is not known")
        return
    if launch.may_be_discarded:
        yield Silent("it may be in a branch that is not compiled")
        return
    if len(required.extents) != len(local.extents):
        # One extent that nothing is known of may stand for a range of any number of dimensions.
        if len(local.extents) > 1 or known(local.extents[0]) is not None:
            yield _wrong_number_of_dimensions(required, local)
        return
    evidence = _differs(required, local)
    if evidence is None:
        yield Silent(f"required {shape(required.extents)}, launched as {shape(local.extents)}")
        return
    yield Finding(
        location=required.location,
        subject=f"required work-group size {shape(required.extents)}",
        verdict=f"differs from the launched {_launched(required, local, evidence)}",
        evidence=evidence,
        device_specific=False,
        related=(Related("launched here", local.location), *because(*required.extents, *local.extents)),
        help=_reversed(required.extents, local.extents),
    )


def _wrong_number_of_dimensions(required: Range, local: Range) -> Finding:
    filled_up = _is_filled_up(required, local)
    return Finding(
        location=required.location,
        subject=f"required work-group size {shape(required.extents)} of {plural(len(required.extents), 'dimension')}",
        verdict=f"is launched in {plural(len(local.extents), 'dimension')}",
        device_specific=False,
        severity=Severity.WARNING if filled_up else None,
        related=(Related("launched here", local.location),),
        help="SYCL requires one number per dimension; DPC++ ignores leading ones." if filled_up else "",
    )


def _is_filled_up(required: Range, local: Range) -> bool:
    """Whether the attribute has nothing but ones before numbers that may be those of the launch."""
    surplus = len(required.extents) - len(local.extents)
    if surplus < 0 or any(known(each) != 1 for each in required.extents[:surplus]):
        return False
    return _differs(replace(required, extents=required.extents[surplus:]), local) is None


def _differs(required: Range, local: Range) -> Evidence | None:
    found = [
        each.evidence
        for wanted, given in zip(required.extents, local.extents, strict=True)
        if (each := pair(wanted, given, lambda a, b: a != b))
    ]
    if not found:
        return None
    return Evidence.PROVED if Evidence.PROVED in found else Evidence.DERIVED


def _launched(required: Range, local: Range, evidence: Evidence) -> str:
    """The local range; with the number that does not fit in the place of an extent with several."""
    if evidence is Evidence.PROVED:
        return shape(local.extents)
    pairs = zip(required.extents, local.extents, strict=True)
    found = [(given, pair(wanted, given, lambda a, b: a != b)) for wanted, given in pairs]
    return shape(wrong.second if wrong else given for given, wrong in found)


def _reversed(required: tuple[Value, ...], local: tuple[Value, ...]) -> str:
    numbers = all_known(local)
    if numbers is not None and all_known(required[::-1]) == numbers:
        return "The reverse order matches: SYCL lists the slowest dimension first."
    return ""
