"""Two commands of an out-of-order queue share memory, one of them writes it, and nothing orders them.

A ``sycl::queue`` without ``property::queue::in_order`` may run its commands in any order, and several at once. USM
pointers, unlike accessors, create no dependencies: that is left to events and waits.

Bad::

    void ramp(float *host, size_t n) {
      sycl::queue q;
      float *values = sycl::malloc_device<float>(n, q);
      q.parallel_for(n, [=](sycl::id<1> i) { values[i] = i; });
      q.memcpy(host, values, n * sizeof(float));
      q.wait();
      sycl::free(values, q);
    }

Good::

    void ramp(float *host, size_t n) {
      sycl::queue q;
      float *values = sycl::malloc_device<float>(n, q);
      sycl::event filled = q.parallel_for(n, [=](sycl::id<1> i) { values[i] = i; });
      q.memcpy(host, values, n * sizeof(float), filled);
      q.wait();
      sycl::free(values, q);
    }

Not reported if the host also uses the memory of the first command too early: then SYC1102 or SYC1106 is reported, and
the wait of its fix orders the two commands.

Silent when the queue comes from elsewhere (unless dpct's ``out_of_order_queue`` gives it), is a copy, or its properties
are not visible; when events are passed that depend on the earlier command, or on unknown commands; when there may be a
wait or a barrier between; when both commands only write, unless each surely writes the elements of its own work-items,
or all; when only a part of the memory is used, or the indices of two commands begin at different offsets; and from one
iteration of a loop to the next, unless the pointers have been swapped in between, or the kernel is the same each time
and changes its elements (``values[i] += 1``).

Source: SYCL 2020, chapters "Queue class" (in_order) and "Data access and synchronization"; AdaptiveCpp issue 1818.
"""

from collections.abc import Iterator

from sycllint.diagnostic import Related, Severity
from sycllint.host.records import EarlyUse, Unordered
from sycllint.host.unit import SourceUnit
from sycllint.rule import Finding, rule
from sycllint.target import Target
from sycllint_rules.host_wording import doing


@rule("SYC1103", Severity.ERROR, on=SourceUnit, seen=Unordered, reads=EarlyUse)
def usm_dependency_missing(unit: SourceUnit, target: Target) -> Iterator[Finding]:
    """Yield a finding for each pair of commands that race, unless a wait that the host needs anyway orders them."""
    awaited = {
        command.location
        for use in unit.seen.of(EarlyUse)
        if not use.in_branch and all(each.waitable for each in use.missing)
        for command in use.missing
    }
    for seen in unit.seen.of(Unordered):
        if seen.first.location in awaited:
            continue
        first = "that of the previous iteration" if seen.again else f"`{seen.first.what}`"
        yield Finding(
            location=seen.location,
            subject=f"`{seen.second.what}`, which {doing(seen.second)} `{seen.name}`,",
            verdict=f"may run before {first}: `{seen.queue}` is out of order",
            device_specific=False,
            related=(
                *_inside(seen),
                Related(f"`{seen.first.what}` {doing(seen.first)} `{seen.name}`", seen.first.location),
                Related(f"`{seen.queue}` is made without in_order", seen.queue_location),
            ),
        )


def _inside(seen: Unordered) -> Iterator[Related]:
    """The command, where the finding is at a call that leads to it."""
    if seen.location != seen.second.location:
        yield Related(f"`{seen.second.what}` {doing(seen.second)} `{seen.name}`", seen.second.location)
