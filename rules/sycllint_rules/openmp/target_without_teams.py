"""A loop is offloaded to one team, which is one work-group on one core of the device.

``target parallel for`` makes a team of threads and distributes the loop among them. A team is a work-group, and a
work-group runs on one core; all others stay idle. ``teams distribute`` spreads the loop over teams first.

Bad::

    void scale(float *data) {
    #pragma omp target parallel for map(tofrom : data[0 : 65536])
      for (int i = 0; i < 65536; ++i) {
        data[i] *= 2.0f;
      }
    }

Good::

    void scale(float *data) {
    #pragma omp target teams distribute parallel for map(tofrom : data[0 : 65536])
      for (int i = 0; i < 65536; ++i) {
        data[i] *= 2.0f;
      }
    }

``--fix`` adds the words where the loop is counted, its body and the functions that it calls neither hold a directive
nor ask for their thread, and no clause is about the one team.

Silent when the teams come from a nested directive; when the loop is known to have fewer than 64 iterations.

Source: OpenMP 5.2, distribute construct; Intel oneAPI GPU Optimization Guide, "OpenMP Offloading Tuning Guide", sample
02_teams_distribute.
"""

from collections.abc import Iterator

from sycllint.diagnostic import Severity
from sycllint.host.unit import SourceUnit
from sycllint.launch.openmp.offload import Offload
from sycllint.rule import Finding, rule
from sycllint.source.edit import Edit, Fix
from sycllint.target import Target
from sycllint.values.value import known
from sycllint_rules.wording import core, plural

_FEW = 64
"""Iterations that are no matter for a second team."""
_KEPT = frozenset(
    [
        *("map", "private", "firstprivate", "shared", "default", "reduction", "schedule", "collapse", "num_threads"),
        *("device", "is_device_ptr", "has_device_addr", "nowait", "depend"),
    ]
)
"""Clauses that mean the same with teams."""


@rule("SYC1202", Severity.WARNING, on=SourceUnit, seen=Offload)
def target_without_teams(unit: SourceUnit, target: Target) -> Iterator[Finding]:
    """Yield a finding for each combined directive that shares a loop out to the threads of one team."""
    device = target.device
    for region in unit.seen.of(Offload):
        if not region.combined or "parallel" not in region.constructs or "teams" in region.constructs:
            continue
        iterations = region.iterations
        if not region.nest or (iterations is not None and iterations < _FEW):
            continue
        group = known(region.group.value) if region.group is not None else None
        most = min(group or device.max_work_group_size, device.max_work_group_size)
        cores = f"1 of {plural(device.cores, core(device))}" if device.cores else f"one {core(device)}"
        yield Finding(
            location=region.launch.location,
            subject="one team",
            verdict=f"of at most {most} work-items uses {cores}",
            fix=_spread(region),
        )


def _spread(region: Offload) -> Fix | None:
    if not region.simple or not region.counted or not region.clauses <= _KEPT:
        return None
    return Fix("spread the loop over teams", (Edit(region.insertion, " teams distribute"),))
