"""A work-item overwrites local memory that other work-items of its group may still be reading.

The barrier after a tile is loaded makes it complete before it is read. Nothing makes the reads complete before the tile
is loaded again: without a second barrier the fastest work-item overwrites it under the slowest. The same holds for a
flag that one work-item sets for all, and with scratch memory that the next phase uses again.

Bad::

    void multiply(sycl::queue &q, const float *a, float *b, int tiles) {
      q.submit([&](sycl::handler &h) {
        sycl::local_accessor<float, 1> tile(256, h);
        h.parallel_for(sycl::nd_range<1>(65536, 256), [=](sycl::nd_item<1> it) {
          const int lid = it.get_local_id(0);
          float sum = 0;
          for (int t = 0; t < tiles; t++) {
            tile[lid] = a[t * 256 + lid];
            sycl::group_barrier(it.get_group());
            for (int k = 0; k < 256; k++) sum += tile[k];
          }
          b[it.get_global_id(0)] = sum;
        });
      });
    }

Good::

    void multiply(sycl::queue &q, const float *a, float *b, int tiles) {
      q.submit([&](sycl::handler &h) {
        sycl::local_accessor<float, 1> tile(256, h);
        h.parallel_for(sycl::nd_range<1>(65536, 256), [=](sycl::nd_item<1> it) {
          const int lid = it.get_local_id(0);
          float sum = 0;
          for (int t = 0; t < tiles; t++) {
            tile[lid] = a[t * 256 + lid];
            sycl::group_barrier(it.get_group());
            for (int k = 0; k < 256; k++) sum += tile[k];
            sycl::group_barrier(it.get_group());
          }
          b[it.get_global_id(0)] = sum;
        });
      });
    }

Where a condition or an index is read from memory, any work-item may have that value. What the work-items of one
sub-group exchange in a function called for them alone is reported once. A fence orders memory and waits for no
work-item. What is written in the iterations of one loop is one finding, which names the other places; so are the steps
of one sum, each an ``a[i] += a[i - d]`` in whatever words. Without a loop it is the next call of a function that
overwrites what the first one reads; both calls are named.

Silent when memory is passed to a function that is not visible, when a condition is not understood or tests what is
overwritten, when a barrier, a group function or anything that may contain one is between them on any path, when the
loop uses two buffers in turn, when both accesses are the same work-item's, and between atomics.

In a kernel of two or three dimensions whose local range is not known, ids of single dimensions are not reported: the
group may have an extent of 1 there.

Known problems: a kernel whose work-group size is unknown is tried with narrow and wide groups.

Source: SYCL 2020, sections "Memory model" and "Synchronization and atomics": accesses to one location by two
work-items conflict unless one of them synchronises with the other.
"""

from collections.abc import Iterator

from sycllint.device_code.races.barrier_intervals import Conflict
from sycllint.diagnostic import Severity
from sycllint.launch.kernel import KernelLaunch
from sycllint.rule import Finding, rule
from sycllint.target import Target
from sycllint_rules.unordered import between, cure, doing, finding, later, write_after_read


@rule("SYC504", Severity.WARNING, on=KernelLaunch, seen=Conflict)
def missing_barrier_loop_carried(launch: KernelLaunch, target: Target) -> Iterator[Finding]:
    """Yield a finding for each stretch of code that writes to local memory another work-item may still be reading."""
    for race in write_after_read(launch):
        each = race.worst
        if not each.barriers:
            continue
        verdict = (
            f"is written {later(each)}while another work-item may still {doing(each)} it as `{each.first_text}`, "
            f"without a barrier in between{between(each)}"
        )
        where = "between the read and the write"
        if each.next_iteration:
            where = "at the end of the loop body"
        elif each.calls:
            where = f"between the calls of `{each.calls[0].function}`, or at its end"
        elif each.update:
            where += ", in two statements"
        yield finding(race, verdict, cure(each, where))
