"""Work-items exchange data across a barrier that orders only the other kind of memory.

``barrier(fence_space::local_space)`` waits for the whole group, and makes only its accesses to local memory visible.
Global memory that was written before it may not be visible to other work-items after it; the same holds for a global
fence and local memory. ``group_barrier(group, memory_scope::sub_group)`` orders both kinds, but only for work-items of
one sub-group.

Bad::

    void smooth(sycl::queue &q, float *a, float *b) {
      q.parallel_for(sycl::nd_range<1>(65536, 256), [=](sycl::nd_item<1> it) {
        const int i = it.get_global_id(0);
        a[i] = 2 * i;
        it.barrier(sycl::access::fence_space::local_space);
        b[i] = a[i ^ 1];
      });
    }

Good::

    void smooth(sycl::queue &q, float *a, float *b) {
      q.parallel_for(sycl::nd_range<1>(65536, 256), [=](sycl::nd_item<1> it) {
        const int i = it.get_global_id(0);
        a[i] = 2 * i;
        sycl::group_barrier(it.get_group());
        b[i] = a[i ^ 1];
      });
    }

The fix of SYC901, which writes ``group_barrier`` for the member ``barrier``, fixes this too.

Where a condition or an index is read from memory, any work-item may have that value.

Reported, too, is an ``atomic_ref`` with ``memory_scope::work_group`` or less to an element of global memory that
several work-groups update: it is atomic to the work-items of one group alone. Silent where the index or a condition
depends on the group.

Silent when each work-item reads what it wrote itself, when a condition is not understood, when a fence or another
barrier with a fence for that memory is between them on any path, and when the kernel does not write what it reads.

Source: SYCL 1.2.1, section "nd_item class", ``barrier``; SYCL 2020, section "Synchronization and atomics":
``group_barrier`` orders both kinds of memory.
"""

from collections.abc import Iterator

from sycllint.device_code.access_trace.trace import Space
from sycllint.device_code.checks.global_use import NarrowAtomic, WeakFence
from sycllint.diagnostic import Evidence, Related, Severity
from sycllint.launch.kernel import KernelLaunch
from sycllint.rule import Finding, rule
from sycllint.target import Target


@rule("SYC506", Severity.WARNING, on=KernelLaunch, seen=(WeakFence, NarrowAtomic))
def fence_too_weak(launch: KernelLaunch, target: Target) -> Iterator[Finding]:
    """A finding for each barrier across which memory it does not order is exchanged, and for each narrow atomic."""
    yield from map(_barrier, launch.kernel.seen.of(WeakFence))
    yield from map(_atomic, launch.kernel.seen.of(NarrowAtomic))


def _atomic(each: NarrowAtomic) -> Finding:
    return Finding(
        location=each.location,
        subject=f"`memory_scope::{each.scope}`",
        verdict=f"is too narrow for `{each.text}` in global memory, which several work-groups update: updates are lost",
        evidence=Evidence.DERIVED,
        device_specific=False,
        help="Use `memory_scope::device`.",
    )


def _barrier(each: WeakFence) -> Finding:
    used, fence = ("global", "local_space") if each.space is Space.GLOBAL else ("local", "global_space")
    apart = " of another sub-group" if each.near else ""
    return Finding(
        location=each.barrier,
        subject="`group_barrier` with a scope within sub-groups" if each.near else f"`barrier({fence})`",
        verdict=f"does not order {used} memory `{each.memory}`, written as `{each.first_text}` before it "
        f"and read as `{each.second_text}` after it by another work-item{apart}",
        evidence=Evidence.DERIVED,
        device_specific=False,
        related=(Related("it is written here", each.first), Related("it is read here", each.second)),
        help="Use `group_barrier` of the work-group alone, which orders local and global memory for all of it.",
    )
