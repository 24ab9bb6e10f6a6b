"""A script sets the size or the number of teams for every target region of the program at once.

``OMP_NUM_TEAMS`` and ``OMP_THREAD_LIMIT`` give each region that does not say otherwise the same numbers, the one they
were tuned for and all others. A clause on the one region says it where it is meant.

Bad, in a script beside two or more target regions::

    export OMP_NUM_TEAMS=30
    export OMP_THREAD_LIMIT=1024

Good::

    void total(const float *data, int n, float *sum) {
    #pragma omp target teams distribute parallel for reduction(+ : sum[0 : 1]) num_teams(30) thread_limit(512)
      for (int i = 0; i < n; ++i) {
        sum[0] += data[i];
      }
    }

Silent when the folder has one region; when the variable is set before one command, inside a loop of the script, or in a
comment.

Source: OpenMP 5.2, "Environment Variables"; Intel oneAPI GPU Optimization Guide, "Considerations for Selecting
Work-Group Size", section "Tuning Kernels with Local and Global Work-group Sizes in OpenMP Offload Mode" (the variables
fix LWS and GWS of all kernels offloaded with OpenMP, but not those of libraries such as oneMKL).
"""

from collections.abc import Iterator

from sycllint.diagnostic import Severity
from sycllint.grouping import grouped
from sycllint.host.unit import SourceUnit
from sycllint.launch.openmp.offload import Override
from sycllint.rule import Finding, rule
from sycllint.target import Target
from sycllint_rules.wording import listed, number


@rule("SYC1206", Severity.NOTE, on=SourceUnit, seen=Override, enabled=False)
def global_lws_gws_override(unit: SourceUnit, target: Target) -> Iterator[Finding]:
    """Yield a finding for each script."""
    by_script = grouped(
        (override.setting.location.path, override) for override in unit.seen.of(Override) if override.regions > 1
    )
    for overrides in by_script.values():
        settings = [each.setting for each in overrides]
        values = {each.name: each.value for each in settings}
        both = {"OMP_NUM_TEAMS", "OMP_THREAD_LIMIT"} <= values.keys()
        whole = f" force GWS {number(values['OMP_NUM_TEAMS'] * values['OMP_THREAD_LIMIT'])}" if both else ""
        yield Finding(
            location=settings[0].location,
            subject=listed(f"{each.name}={each.value}" for each in settings) + whole,
            verdict=f"{'on' if both else 'holds for'} all {overrides[0].regions} target regions in this folder",
            device_specific=False,
        )
