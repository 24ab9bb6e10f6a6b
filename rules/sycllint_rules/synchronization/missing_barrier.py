"""A work-item reads local memory that another work-item of its group has just written, with no barrier between.

Work-items of a group run in any order between two barriers. A read of an element that another work-item writes gives
the old value, the new one, or neither, and which of them changes with the device, the driver and the size of the group.

Bad::

    void differences(sycl::queue &q, const float *a, float *b) {
      q.submit([&](sycl::handler &h) {
        sycl::local_accessor<float, 1> tile(256, h);
        h.parallel_for(sycl::nd_range<1>(65536, 256), [=](sycl::nd_item<1> it) {
          const int lid = it.get_local_id(0);
          const int wg = it.get_local_range(0);
          tile[lid] = a[it.get_global_id(0)];
          b[it.get_global_id(0)] = tile[lid] - tile[(lid + 1) % wg];
          sycl::group_barrier(it.get_group());
          tile[lid] = 0;
        });
      });
    }

Good::

    void differences(sycl::queue &q, const float *a, float *b) {
      q.submit([&](sycl::handler &h) {
        sycl::local_accessor<float, 1> tile(256, h);
        h.parallel_for(sycl::nd_range<1>(65536, 256), [=](sycl::nd_item<1> it) {
          const int lid = it.get_local_id(0);
          const int wg = it.get_local_range(0);
          tile[lid] = a[it.get_global_id(0)];
          sycl::group_barrier(it.get_group());
          b[it.get_global_id(0)] = tile[lid] - tile[(lid + 1) % wg];
        });
      });
    }

The same holds for global memory that the work-items of one group exchange: where all is known of both accesses, nothing
in the kernel is atomic, and it has a barrier elsewhere, the finding is a warning.

Where a condition or an index is read from memory, any work-item may have that value, and the finding is a warning. So
it is for an atomic and a plain access to one element. What the work-items of one sub-group exchange in a function
called for them alone is reported once. A fence orders memory and waits for no work-item.

No barrier helps where several work-items update one element, ``sum[0] += x`` or ``++bins[data[i]]``: the update must be
atomic. With an index from data that is a warning, and only where all add the same: data may say which element is whose.

The accesses in a stretch of code without a barrier are one finding, which names the other places: the steps of a
reduction, or two tiles that are loaded and read together.

Silent when memory is passed to a function that is not visible, when a condition is not understood, when a barrier, a
group function or anything that may contain one is between them on any path, when both accesses are the same
work-item's, and between atomics. Once sub-groups have synchronised by themselves, only work-items of different ones
count.

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
from sycllint_rules.unordered import between, cure, doing, done, finding, later, read_after_write, updates

_ATOMIC = "Make the update atomic with `atomic_ref`, or give each work-item an element of its own and add these up."


@rule("SYC503", Severity.ERROR, on=KernelLaunch, seen=Conflict)
def missing_barrier(launch: KernelLaunch, target: Target) -> Iterator[Finding]:
    """Yield a finding for each stretch of code that reads local memory another work-item may still be writing."""
    for race in read_after_write(launch):
        each = race.worst
        if each.barriers:
            when = later(each) if each.calls else ""
            verdict = (
                f"is {done(each)} {when}while another work-item {doing(each)} it as `{each.first_text}`, "
                f"without a barrier in between{between(each)}"
            )
            which = "each" if race.others else "the"
            yield finding(race, verdict, cure(each, f"between {which} write and the read"))
    for race in updates(launch):
        verdict = f"is updated by several work-items at once without an atomic: updates are lost{between(race.worst)}"
        yield finding(race, verdict, _ATOMIC)
