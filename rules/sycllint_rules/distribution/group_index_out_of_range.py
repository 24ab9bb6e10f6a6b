"""The index of an array grows with the work-group, and goes past the array's end before the groups do.

A group that works on ``n`` elements starts at ``n`` times its id. With an array of ``n`` elements that is right for one
group: the second starts where the array ends. So a kernel that was written for one group, and is then launched with
several, reads and writes what is stored after its arrays.

Bad::

    constexpr int N = 1 << 20;

    void add(sycl::queue &q, std::vector<int> &sum, int groups) {
      sycl::buffer<int> buffer(sum.data(), sycl::range<1>(N));
      q.submit([&](sycl::handler &h) {
        sycl::accessor to(buffer, h, sycl::read_write);
        h.parallel_for(sycl::nd_range<1>(64 * 256, 256), [=](sycl::nd_item<1> it) {
          const size_t start = it.get_group(0) * N;
          for (size_t i = start + it.get_local_id(0); i < start + N; i += 256) {
            to[i] += 1;
          }
        });
      });
    }

Good::

    constexpr int N = 1 << 20;

    void add(sycl::queue &q, std::vector<int> &sum, int groups) {
      sycl::buffer<int> buffer(sum.data(), sycl::range<1>(N));
      q.submit([&](sycl::handler &h) {
        sycl::accessor to(buffer, h, sycl::read_write);
        h.parallel_for(sycl::nd_range<1>(64 * 256, 256), [=](sycl::nd_item<1> it) {
          const size_t start = it.get_group(0) * (N / 64);
          for (size_t i = start + it.get_local_id(0); i < start + N / 64; i += 256) {
            to[i] += 1;
          }
        });
      });
    }

Silent when the number of elements, of work-groups, or any number in the index, in a condition around the access or in
the bound of a loop around it is unknown; when the access depends on data, or a loop around it has another exit than its
condition; for a pointer that may lead elsewhere than to the beginning of one allocation, and arrays of several
dimensions; for the global id itself, which is SYC802's, and for indices in which the group stands as it does in a
global id, which are SYC808's.

Source: SYCL 2020, "Data access": an index outside of an accessor's range is undefined behaviour. The sample ``vec_add``
of oneAPI-samples, Jupyter gpu-optimization-sycl, "GPU Occupancy Calculation Example", has the pattern: 32 groups of
which each starts at its id times the length of the vectors.
"""

from sycllint.device_code.checks.past_ends import PastEnd
from sycllint.diagnostic import Severity
from sycllint.launch.kernel import KernelLaunch
from sycllint.rule import Finding, rule
from sycllint.target import Target
from sycllint_rules.past_ends import finding, past_ends

_CURE = "Give each work-group its own part of the elements: the index grows with the group id."


@rule("SYC807", Severity.ERROR, on=KernelLaunch, seen=PastEnd)
def group_index_out_of_range(launch: KernelLaunch, target: Target) -> Finding | None:
    """One finding for each launch."""
    found = [each for each in past_ends(launch) if each.group is not None]
    group = found[0].group if found else None
    return finding(launch, found, f"in work-group {', '.join(map(str, group))}", _CURE) if group is not None else None
