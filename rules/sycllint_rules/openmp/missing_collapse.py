"""The loop that is distributed has too few iterations to fill the device, and the loop nested in it is not distributed.

Only the iterations of the loop below the directive become work-items. Sixteen of them keep sixteen lanes busy, however
many times the inner loop runs; ``collapse(2)`` makes the iterations of both into work-items.

Bad, on tgl::

    void fill(float *grid) {
    #pragma omp target teams distribute parallel for map(from : grid[0 : 16 * 1024])
      for (int row = 0; row < 16; ++row) {
        for (int column = 0; column < 1024; ++column) {
          grid[row * 1024 + column] = 1.0f;
        }
      }
    }

Good, on tgl::

    void fill(float *grid) {
    #pragma omp target teams distribute parallel for collapse(2) map(from : grid[0 : 16 * 1024])
      for (int row = 0; row < 16; ++row) {
        for (int column = 0; column < 1024; ++column) {
          grid[row * 1024 + column] = 1.0f;
        }
      }
    }

Reported where the outer loop has fewer iterations than the device has hardware threads.

Silent when the number of iterations of the outer loop is unknown; when something stands between the loops, or the
bounds of the inner one depend on the outer; when an iteration of the inner loop may depend on another: it writes what
is not its own element, leaves the loop, or calls what is not visible.

Source: OpenMP 5.2, collapse clause; Intel oneAPI GPU Optimization Guide, "OpenMP Offloading Tuning Guide", sample
01_collapse.
"""

from collections.abc import Iterator

from sycllint.diagnostic import Severity
from sycllint.host.unit import SourceUnit
from sycllint.launch.openmp.offload import Offload
from sycllint.rule import Finding, rule
from sycllint.target import Target
from sycllint.values.value import known
from sycllint_rules.wording import number


@rule("SYC1203", Severity.NOTE, on=SourceUnit, seen=Offload)
def missing_collapse(unit: SourceUnit, target: Target) -> Iterator[Finding]:
    """Hold the iterations of the outer loop against the hardware threads of the device."""
    threads = target.device.total_threads
    for region in unit.seen.of(Offload):
        outer = known(region.nest[0].trips) if region.nest else None
        if threads is None or outer is None or outer >= threads or "collapse" in region.clauses:
            continue
        depth, together = _collapsed(region)
        if region.shared_by is None or depth == 1 or (together is not None and together <= outer):
            continue
        gain = f"makes {number(together)}" if together is not None else "multiplies them by those of the loop inside"
        yield Finding(
            location=region.shared_by,
            subject=f"loop of {outer} iterations",
            verdict=f"for {number(threads)} hardware threads",
            help=f"`collapse({depth})` {gain}.",
        )


def _collapsed(region: Offload) -> tuple[int, int | None]:
    """How many loops can be made one, and the iterations that makes, where all are known."""
    together, depth = known(region.nest[0].trips), 1
    for level in region.nest[1:]:
        if not (level.counted and level.independent and level.rectangular):
            break
        trips = known(level.trips)
        together, depth = None if trips is None or together is None else together * trips, depth + 1
    return depth, together
