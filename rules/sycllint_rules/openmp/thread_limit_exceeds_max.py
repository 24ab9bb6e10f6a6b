"""A team is allowed more threads than the device has in a work-group.

A team of an OpenMP target region becomes a work-group, and ``thread_limit`` its size (LWS). Beyond the device's limit a
runtime either takes fewer, and the numbers that were tuned are not the ones that run, or refuses the launch.

Bad, on tgl::

    void scale(float *data, int n) {
    #pragma omp target teams distribute parallel for thread_limit(1024) map(tofrom : data[0 : n])
      for (int i = 0; i < n; ++i) {
        data[i] *= 2.0f;
      }
    }

Good, on tgl::

    void scale(float *data, int n) {
    #pragma omp target teams distribute parallel for thread_limit(512) map(tofrom : data[0 : n])
      for (int i = 0; i < n; ++i) {
        data[i] *= 2.0f;
      }
    }

``num_threads`` counts like ``thread_limit``; of both, the smaller one is the size. So does a limit that a script beside
the source sets, ``OMP_THREAD_LIMIT``. A warning and no error: the clause is an upper bound, and a program is right with
fewer threads.

Silent when a number is unknown, and for teams on the host.

Source: OpenMP 5.2, thread_limit clause; Intel oneAPI GPU Optimization Guide, "Considerations for Selecting Work-Group
Size", section "Tuning Kernels with Local and Global Work-group Sizes in OpenMP Offload Mode" (LWS is OMP_THREAD_LIMIT).
Each device's limit: ``sycllint devices NAME``.
"""

from collections.abc import Iterator

from sycllint.diagnostic import Evidence, Severity
from sycllint.host.unit import SourceUnit
from sycllint.launch.openmp.offload import Offload
from sycllint.rule import Finding, rule
from sycllint.target import Target
from sycllint.values.value import known
from sycllint_rules.wording import because


@rule("SYC1201", Severity.WARNING, on=SourceUnit, seen=Offload)
def thread_limit_exceeds_max(unit: SourceUnit, target: Target) -> Iterator[Finding]:
    """Compare the threads of one team with the work-items of one work-group."""
    most = target.device.max_work_group_size
    for region in unit.seen.of(Offload):
        bound = region.group
        items = known(bound.value) if bound is not None else None
        if bound is None or items is None or items <= most or _has_unknown_bound(region):
            continue
        yield Finding(
            location=region.launch.location if bound.from_environment else bound.location,
            subject=f"{bound.name} {items}",
            verdict=f"exceeds max LWS {most}",
            evidence=Evidence.DERIVED if bound.from_environment else Evidence.PROVED,
            related=because(bound.value),
        )


def _has_unknown_bound(region: Offload) -> bool:
    return any(each is not None and known(each.value) is None for each in (region.thread_limit, region.threads))
