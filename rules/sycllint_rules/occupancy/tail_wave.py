"""The last round of work-groups leaves the device nearly empty.

Groups run in rounds. When the last round holds only a few, most of the device waits for it, and the shorter the launch
the more that weighs: 44 groups where 42 fill the device take two rounds for little more than one round's work. The wave
in the rule's name is a round, not AMD's wave of 32 or 64 work-items.

Bad, on tgl::

    void accumulate(sycl::queue &q, float *sums, int steps) {
      q.parallel_for(sycl::nd_range<1>(44 * 512, 512), [=](sycl::nd_item<1> it) [[sycl::reqd_sub_group_size(32)]] {
        for (int i = 0; i < steps; ++i) {
          sums[it.get_global_id(0)] += 0.5f;
        }
      });
    }

Good, on tgl::

    void accumulate(sycl::queue &q, float *sums, int steps) {
      q.parallel_for(sycl::nd_range<1>(42 * 512, 512), [=](sycl::nd_item<1> it) [[sycl::reqd_sub_group_size(32)]] {
        for (int i = 0; i < steps; ++i) {
          sums[it.get_global_id(0)] += 0.5f;
        }
      });
    }

It assumes the full part of the device and rounds of equal length, so it is a note. It is reported for 2 to 8 rounds,
the last of them at most a quarter full.

Silent when the body has no loop; when a number is unknown; when legal sub-group sizes disagree; beyond 8 rounds, where
the tail weighs less than an eighth; on AMD and NVIDIA, where a round depends on registers that are not in the source;
in test trees.

Source: Intel oneAPI GPU Optimization Guide, "SYCL Thread Mapping and GPU Occupancy", section "A Detailed Example",
VectorAdd2 with 44 and 48 groups.
"""

from sycllint.diagnostic import Evidence, Severity
from sycllint.hardware.device import IntelDevice
from sycllint.launch.kernel import KernelLaunch
from sycllint.occupancy.filling import Filling, filling, pinned, work_groups
from sycllint.occupancy.waves import Waves, waves
from sycllint.rule import Finding, Outcome, Silent, rule
from sycllint.target import Target
from sycllint_rules.silence import no_occupancy
from sycllint_rules.wording import because, percent, plural, width

_MOST_ROUNDS = 8
_NEARLY_EMPTY = 0.25


@rule("SYC203", Severity.NOTE, on=KernelLaunch, muted_in_tests=True)
def tail_wave(launch: KernelLaunch, target: Target) -> Outcome:
    """Cut the launch into rounds of the full device and look at the last one."""
    if not launch.kernel.loops:
        return Silent("the kernel has no loop")
    unknown = Silent("the number of work-groups or of cores is not known")
    whole, groups = launch.global_range, work_groups(launch)
    if whole is None or not groups:
        return unknown
    cores, tied = target.device.cores, pinned(launch, target.device)
    if not cores or tied is None:
        return unknown
    if not isinstance(target.device, IntelDevice):
        # How many groups are resident depends on the registers, which only the compiler knows.
        return Silent("how many work-groups are resident depends on registers, which only the compiler knows")
    occupancies = target.occupancy_of(launch)
    tails = [
        (each.sub_group_size, found)
        for each in occupancies
        if (found := waves(each, groups, cores, pinned=tied)) and _has_tail(found)
    ]
    if not tails or len(tails) < len(occupancies):
        whole_device = filling(target.device, launch, occupancies)
        return _even_enough(whole_device) if whole_device else no_occupancy(launch, target.device)
    size, worst = min(tails, key=lambda tail: tail[1].efficiency)
    agreed = len({(each.full_waves, each.groups_per_wave, each.last_occupancy) for _, each in tails}) == 1
    at = "" if agreed else f" at {width(target.device, size)}"
    return Finding(
        location=whole.location,
        subject=plural(groups, "work-group"),
        verdict=f"make {plural(worst.full_waves, 'full round')} of {worst.groups_per_wave} "
        f"and a last one at {percent(worst.last_occupancy)} occupancy{at}",
        evidence=Evidence.DERIVED,
        related=because(*whole.extents),
        help=_even(worst),
    )


def _even_enough(found: Filling) -> Silent:
    """The rounds at each sub-group size, none of which, or not each, has such a tail."""
    texts = dict.fromkeys(
        f"{percent(each.first_occupancy)} then {percent(each.last_occupancy)} of the device in {each.rounds} rounds"
        if each.full_waves and each.last_groups
        else f"{percent(each.first_occupancy)} of the device in {plural(each.rounds, 'round')}"
        for _, each in found.rounds
    )
    return Silent(f"the launch fills {' or '.join(texts)}")


def _has_tail(found: Waves) -> bool:
    return 2 <= found.rounds <= _MOST_ROUNDS and 0 < found.last_occupancy <= _NEARLY_EMPTY * found.full_occupancy


def _even(found: Waves) -> str:
    below, above = found.full_waves * found.groups_per_wave, found.rounds * found.groups_per_wave
    average = percent(found.efficiency * found.full_occupancy)
    return f"Occupancy averages {average} over the rounds; {below} or {above} groups come out even."
