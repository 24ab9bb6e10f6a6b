"""A work-group is not a whole number of sub-groups.

The last sub-group of every group is then narrower than the others: its remaining lanes are computed and thrown away,
``get_max_local_range()`` is larger than ``get_local_range()`` there, and a shuffle that reads from a lane beyond the
end gives an unspecified value.

Bad::

    void rotate(sycl::queue &q, int *values) {
      q.parallel_for(sycl::nd_range<1>(700, 100), [=](sycl::nd_item<1> it) [[sycl::reqd_sub_group_size(16)]] {
        const auto group = it.get_sub_group();
        const size_t i = it.get_global_id(0);
        values[i] = sycl::shift_group_left(group, values[i], 1);
      });
    }

Good::

    void rotate(sycl::queue &q, int *values) {
      q.parallel_for(sycl::nd_range<1>(704, 64), [=](sycl::nd_item<1> it) [[sycl::reqd_sub_group_size(16)]] {
        const auto group = it.get_sub_group();
        const size_t i = it.get_global_id(0);
        const int mine = i < 700 ? values[i] : 0;
        const int next = sycl::shift_group_left(group, mine, 1);
        if (i < 700) {
          values[i] = next;
        }
      });
    }

A group smaller than the required sub-group size counts. Without a required size the compiler chooses one, so the group
is reported only when it is a multiple of no size that the device has.

Where arms of ``#if`` choose among several required sizes, the group is reported when it is a multiple of none of those
that the device has.

Silent when either number is unknown; when the global range is empty; when no sub-group size is required and the group
is smaller than the device's smallest one (SYC204); when a value that is not known chooses the launch by its size, as in
``case 8: launch<8>(q);``, and a sub-group is larger; in test trees.

Source: SYCL 2020, "sub_group class" (get_max_local_range) and "shift_left and shift_right" (shift_group_left); Intel
oneAPI GPU Optimization Guide, "Sub-Groups and SIMD Vectorization", section "Sub-Group Size vs. Maximum Sub-Group Size"
(a work-group of 7 with sub-groups of 16).
"""

from sycllint.diagnostic import Evidence, Severity
from sycllint.hardware.device import Device, Vendor
from sycllint.launch.kernel import KernelLaunch
from sycllint.record import record
from sycllint.rule import Finding, KernelDemand, Outcome, Silent, rule
from sycllint.target import Target
from sycllint.values.value import Known, OneOf, known
from sycllint_rules.evidence import case, pair
from sycllint_rules.residency import empty
from sycllint_rules.silence import no_group
from sycllint_rules.wording import because, either, listed, percent, thread, work_group


@record
class _Misfit:
    """A work-group size and the sub-group sizes it is no multiple of."""

    group: Known
    sizes: tuple[int, ...]
    evidence: Evidence
    required: bool
    """The kernel asks for the one size; else those are the device's."""
    rests_on: tuple[Known, ...]


@rule("SYC302", Severity.WARNING, on=KernelLaunch, kernels=KernelDemand.NONE, muted_in_tests=True)
def work_group_not_multiple_of_sub_group(launch: KernelLaunch, target: Target) -> Outcome:
    """Divide the work-group by the required sub-group size, or by each one the device has."""
    if launch.local_range is None or empty(launch):
        return no_group(launch)
    misfit = (_with_required_size if launch.sub_group_size else _with_any_size)(launch, target.device)
    if misfit is None:
        return _fitting(launch, target.device)
    if misfit.group.value < min(misfit.sizes) and launch.selected:
        return Silent("the launch is chosen by its size, for no more work than that")
    return Finding(
        location=launch.local_range.location,
        subject=work_group(launch.local_range, misfit.group.value),
        verdict=_verdict(misfit, target.device),
        evidence=misfit.evidence,
        device_specific=launch.sub_group_size is None or isinstance(launch.sub_group_size.value, OneOf),
        related=because(*misfit.rests_on),
        help=_cure(misfit),
    )


def _fitting(launch: KernelLaunch, device: Device) -> Silent:
    """Which sub-group size divides the group."""
    items = known(launch.work_group_size)
    if items is None:
        return no_group(launch)
    required = known(launch.sub_group_size.value) if launch.sub_group_size else None
    if launch.sub_group_size is not None:
        return Silent(f"{items} is a multiple of {required}" if required else "the sub-group size is not known")
    dividing = [each for each in device.sub_group_sizes if items % each == 0]
    if dividing:
        return Silent(f"{items} is a multiple of {listed(map(str, dividing))}")
    return Silent(f"{items} work-items are fewer than the smallest sub-group of {device.name}")


def _with_required_size(launch: KernelLaunch, device: Device) -> _Misfit | None:
    """The first of the required sizes; of several, which arms of ``#if`` choose from, all that the device has count."""
    if launch.work_group_size is None or launch.sub_group_size is None:
        return None
    size = launch.sub_group_size.value
    sizes = (
        [each for each in size.values if each.value in device.sub_group_sizes] if isinstance(size, OneOf) else [size]
    )
    pairs = [pair(launch.work_group_size, each, lambda group, size: size > 0 < group % size) for each in sizes]
    found = pairs[0] if pairs and None not in pairs else None
    if found is None or (isinstance(size, OneOf) and size.open):
        return None
    return _Misfit(found.first, (found.second.value,), found.evidence, True, (found.first, found.second))


def _with_any_size(launch: KernelLaunch, device: Device) -> _Misfit | None:
    sizes = device.sub_group_sizes
    if launch.work_group_size is None or not sizes:
        return None
    found = case(launch.work_group_size, lambda group: group > min(sizes) and all(group % size for size in sizes))
    return _Misfit(found.number, sizes, found.evidence, False, (found.number,)) if found else None


def _verdict(misfit: _Misfit, device: Device) -> str:
    if len(misfit.sizes) > 1:
        return f"is not a multiple of any sub-group size: {either(misfit.sizes)}"
    (size,) = misfit.sizes
    idle = -misfit.group.value % size
    if not misfit.required and device.vendor is not Vendor.INTEL:
        lanes = f"{idle} of {size} lanes of the last {thread(device)} idle"
        return f"is not a multiple of {thread(device)} size {size}: {lanes}"
    if misfit.group.value < size:
        return f"is smaller than its sub-group size {size}: {idle} of {size} lanes idle ({percent(idle / size)})"
    return f"is not a multiple of sub-group size {size}: {idle} of {size} lanes of the last sub-group idle"


def _cure(misfit: _Misfit) -> str:
    step = min(misfit.sizes)
    above = -(-misfit.group.value // step) * step
    return f"{above} work-items fill every sub-group of {step}; the added ones need a guard."
