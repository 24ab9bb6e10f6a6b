"""A host accessor is alive while the host waits for a command that needs its buffer.

A host accessor locks its buffer against every command until it is destroyed, at the end of its block. A kernel
submitted before that cannot start, and a host that waits for the kernel inside the same block waits for ever.

Bad::

    void scale(sycl::queue &q, sycl::buffer<float> &values) {
      sycl::host_accessor first(values);
      first[0] = 1.0f;
      q.submit([&](sycl::handler &h) {
        sycl::accessor in(values, h);
        h.parallel_for(values.get_range(), [=](sycl::id<1> i) { in[i] *= 2.0f; });
      });
      q.wait();
    }

Good::

    void scale(sycl::queue &q, sycl::buffer<float> &values) {
      {
        sycl::host_accessor first(values);
        first[0] = 1.0f;
      }
      q.submit([&](sycl::handler &h) {
        sycl::accessor in(values, h);
        h.parallel_for(values.get_range(), [=](sycl::id<1> i) { in[i] *= 2.0f; });
      });
      q.wait();
    }

Two host accessors of one buffer, one of which writes, are a warning: with runtimes that lock the buffer for the first,
the constructor of the second never returns.

The fix puts braces around the accessor and its uses. It is offered only if nothing else changes: there is no use after
the command, declarations in between are numbers that are not needed later, and the accessor is only subscripted.

``get_host_access`` and the blocking ``get_access`` of SYCL 1.2.1 make host accessors too.

Silent when the accessor is in a block of its own or is a temporary, when the buffers differ or either is not visible,
when both accessors only read, and when the host does not wait before the accessor ends.

Source: SYCL 2020, class host_accessor; intel/llvm issues 1251 and 5164.
"""

from collections.abc import Iterator

from sycllint.diagnostic import Evidence, Related, Severity
from sycllint.host.records import Deadlock, TwoHostAccessors
from sycllint.host.unit import SourceUnit
from sycllint.rule import Finding, rule
from sycllint.source.edit import Edit, Fix
from sycllint.target import Target


@rule("SYC1101", Severity.ERROR, on=SourceUnit, seen=(Deadlock, TwoHostAccessors))
def host_accessor_deadlock(unit: SourceUnit, target: Target) -> Iterator[Finding]:
    """Yield a finding for each accessor for which a wait cannot end, and for two accessors that exclude each other."""
    blocked = unit.seen.of(Deadlock)
    for position, seen in enumerate(blocked):
        before = blocked[:position]
        if any(seen.wait == each.wait or seen.accessor_location == each.accessor_location for each in before):
            continue
        yield Finding(
            location=seen.wait,
            subject=f"the wait for the command that uses `{seen.buffer}`",
            verdict=f"never ends while host accessor `{seen.accessor}` is alive",
            device_specific=False,
            related=(
                Related(
                    f"`{seen.accessor}` locks `{seen.buffer}` from here to the end of its block", seen.accessor_location
                ),
                Related(f"this command needs `{seen.buffer}`", seen.command),
                *(
                    Related(f"`{other.accessor}`, which locks `{other.buffer}`, does the same", other.accessor_location)
                    for other in blocked[position + 1 :]
                    if other.wait == seen.wait and other.accessor_location != seen.accessor_location
                ),
                *(
                    Related(f"this wait does not end either while `{other.accessor}` is alive", other.wait)
                    for other in blocked[position + 1 :]
                    if other.wait != seen.wait and other.accessor_location == seen.accessor_location
                ),
            ),
            help=f"end the scope of `{seen.accessor}` before the command is submitted",
            fix=_closed(seen.accessor, seen.braces),
        )
    locking = {each.accessor_location for each in blocked}
    for two in unit.seen.of(TwoHostAccessors):
        if two.first_location in locking:
            # What ends the first before the command ends it before the second, too.
            continue
        yield Finding(
            location=two.location,
            subject=f"host accessor `{two.second}`",
            verdict=f"is made while `{two.first}` still locks `{two.buffer}`",
            evidence=Evidence.DERIVED,
            severity=Severity.WARNING,
            device_specific=False,
            related=(Related(f"`{two.first}` is made here", two.first_location),),
            fix=_closed(two.first, two.braces),
        )


def _closed(accessor: str, braces: tuple[Edit, ...]) -> Fix | None:
    return Fix(f"end the scope of {accessor} after its last use", braces) if braces else None
