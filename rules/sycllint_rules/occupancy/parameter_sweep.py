"""A work-group size depends on one unknown parameter; this is the occupancy at each of its legal values.

Where a size is ``128 * R`` and ``R`` comes from the command line or a caller that is not visible, no rule can call the
launch wrong. But the values at which it fits the device can be listed, and how much of a core each keeps busy.

Bad, on tgl::

    void relax(sycl::queue &q, float *grid, size_t R) {
      q.submit([&](sycl::handler &h) {
        sycl::local_accessor<float, 1> line(128, h);
        h.parallel_for(sycl::nd_range<3>({64, 60, 128}, {1, R, 128}),
                       [=](sycl::nd_item<3> it) [[sycl::reqd_sub_group_size(8)]] {
                         line[it.get_local_id(2)] = grid[it.get_global_linear_id()];
                         sycl::group_barrier(it.get_group());
                         grid[it.get_global_linear_id()] = line[127 - it.get_local_id(2)];
                       });
      });
    }

Good, on tgl::

    void relax(sycl::queue &q, float *grid) {
      constexpr size_t R = 1;
      q.submit([&](sycl::handler &h) {
        sycl::local_accessor<float, 1> line(128, h);
        h.parallel_for(sycl::nd_range<3>({64, 60, 128}, {1, R, 128}),
                       [=](sycl::nd_item<3> it) [[sycl::reqd_sub_group_size(8)]] {
                         line[it.get_local_id(2)] = grid[it.get_global_linear_id()];
                         sycl::group_barrier(it.get_group());
                         grid[it.get_global_linear_id()] = line[127 - it.get_local_id(2)];
                       });
      });
    }

Off by default: select it by its code or name. ``sycllint kernels`` shows the same line for every such launch.

Silent when the size is known, or depends on two parameters or on a device query; when the kernel has neither a barrier
nor local memory, so that its groups may be spread over cores; when every legal value does equally well; in test trees.

Known problems: a parameter counts as free from 1 up, or from its known bounds; values that the program never passes are
listed too.

Source: Intel oneAPI GPU Optimization Guide, "SYCL Thread Mapping and GPU Occupancy", section "Impact of Work-item
Synchronization Within Work-group" (the table of R); Intel GPU Occupancy Calculator (the arithmetic).
"""

from sycllint.diagnostic import Evidence, Related, Severity
from sycllint.launch.kernel import KernelLaunch
from sycllint.occupancy.filling import pinned
from sycllint.occupancy.sweep import Sweep, sweep
from sycllint.rule import Finding, Outcome, Silent, rule
from sycllint.target import Target
from sycllint_rules.residency import empty
from sycllint_rules.silence import no_resident_group
from sycllint_rules.wording import core


@rule("SYC210", Severity.NOTE, on=KernelLaunch, enabled=False, muted_in_tests=True)
def parameter_sweep(launch: KernelLaunch, target: Target) -> Outcome:
    """Try each value that the parameter may have."""
    if launch.local_range is None or not pinned(launch, target.device) or empty(launch):
        return no_resident_group(launch, target.device)
    found = sweep(target.device, launch)
    if found is None or len({point.share for point in found.points if point.occupancies}) < 2:
        alike = "each legal value occupies the same share of a core"
        return Silent("the work-group size does not depend on one open parameter" if found is None else alike)
    return Finding(
        location=launch.local_range.location,
        subject=found.name,
        verdict=f"{found.legal} launches; {found.shares} of {core(target.device)}",
        evidence=Evidence.DERIVED,
        related=_origin(found),
    )


def _origin(found: Sweep) -> tuple[Related, ...]:
    parameter = found.parameter
    message = parameter.reason if found.name in parameter.reason else f"{found.name}: {parameter.reason}"
    return () if parameter.location is None else (Related(message, parameter.location),)
