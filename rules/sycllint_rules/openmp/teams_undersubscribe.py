"""The teams of a target region have too few threads to fill half of the device.

``thread_limit`` is the size of a team (LWS), and ``num_teams`` times that the number of work-items (GWS). A device
hides memory latency by switching between threads; contexts without a thread hide nothing.

More is not always better. A reduction over teams has a partial result of each team to combine: of the sizes that the
guide measured for one over 2048 x 2048 elements, LWS 1024 with 30 teams (GWS 30,720) ran fastest, not 120 teams (GWS
122,880). So the finding is a note there: measure before adding teams.

Bad, on tgl::

    void scale(float *data, int n) {
    #pragma omp target teams distribute parallel for num_teams(2) thread_limit(256) map(tofrom : data[0 : n])
      for (int i = 0; i < n; ++i) {
        data[i] *= 2.0f;
      }
    }

Good, on tgl::

    void scale(float *data, int n) {
    #pragma omp target teams distribute parallel for num_teams(42) thread_limit(512) map(tofrom : data[0 : n])
      for (int i = 0; i < n; ++i) {
        data[i] *= 2.0f;
      }
    }

A ``thread_limit`` that is not a multiple of the narrowest sub-group leaves lanes of its last thread idle: a note.

Silent when one of both numbers is unknown; for one team, which is a choice; when the loop is known to be too short for
the device itself; when an ``if`` clause may leave the loop to the host; in test trees.

Source: Intel oneAPI GPU Optimization Guide, "Considerations for Selecting Work-Group Size", section "Tuning Kernels
with Local and Global Work-group Sizes in OpenMP Offload Mode" (LWS, GWS and the measured optimum), and "SYCL Thread
Mapping and GPU Occupancy" (threads of a device). Threads and cores: ``sycllint devices NAME``.
"""

from collections.abc import Iterator

from sycllint.diagnostic import Evidence, Severity
from sycllint.hardware.device import Device
from sycllint.host.unit import SourceUnit
from sycllint.launch.openmp.offload import Bound, Offload
from sycllint.rule import Finding, rule
from sycllint.target import Target
from sycllint.values.value import known
from sycllint_rules.wording import because, number, percent, plural, width

_ENOUGH = 0.5
"""Share of the contexts from which on a launch is no waste, as in SYC202."""
_MEASURE = " Each team of a reduction has a partial result to combine: measure before adding teams."


@rule("SYC1204", Severity.WARNING, on=SourceUnit, seen=Offload, muted_in_tests=True)
def teams_undersubscribe(unit: SourceUnit, target: Target) -> Iterator[Finding]:
    """Hold the threads of all teams, at the width that makes most of them, against the contexts of the device."""
    narrowest = min(target.device.sub_group_sizes, default=0)
    for region in unit.seen.of(Offload):
        group = region.group
        items = known(group.value) if group is not None else None
        if group is None or items is None or not narrowest or items > target.device.max_work_group_size:
            continue
        if group.name == "thread_limit" and items % narrowest:
            yield _idle_lanes(group, items, narrowest, target.device)
        yield from _too_few(region, group, items, target.device)


def _idle_lanes(group: Bound, items: int, narrowest: int, device: Device) -> Finding:
    return Finding(
        location=group.location,
        subject=f"thread_limit {items}",
        verdict=f"fills {items % narrowest} of {narrowest} lanes of its last {width(device, narrowest)} thread",
        severity=Severity.NOTE,
        related=because(group.value),
    )


def _too_few(region: Offload, group: Bound, items: int, device: Device) -> Iterator[Finding]:
    teams = known(region.teams.value) if region.teams is not None else None
    if region.teams is None or teams is None or teams <= 1 or region.conditional:
        return
    contexts = device.total_threads
    if contexts is None:
        return
    narrowest = min(device.sub_group_sizes)
    threads = teams * -(-items // narrowest)
    lanes = contexts * narrowest
    if threads >= _ENOUGH * contexts or (region.iterations or lanes) < lanes:
        return
    outside = group.from_environment or region.teams.from_environment
    yield Finding(
        location=region.launch.location,
        subject=f"{plural(teams, 'team')} of LWS {items}",
        verdict=f"fill at most {percent(threads / contexts)} of the device",
        evidence=Evidence.DERIVED if outside else Evidence.PROVED,
        severity=Severity.NOTE if region.reduces else None,
        related=because(region.teams.value, group.value),
        help=f"LWS {items} x {teams} teams = GWS {number(items * teams)}: {plural(threads, 'thread')} at "
        f"{width(device, narrowest)} for {number(contexts)} contexts.{_MEASURE if region.reduces else ''}",
    )
