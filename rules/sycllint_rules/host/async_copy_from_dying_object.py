"""A local object goes out of scope while an asynchronous copy still reads or writes it.

A queue's ``memcpy`` and ``copy`` return at once. If an argument is the address of a local variable or the storage of a
local container, and its block ends without a wait for the copy, the copy uses memory that is no longer valid. So does a
host task that has a local variable by reference.

Bad::

    void upload(sycl::queue &q, float *weights, float scale) {
      float table[4] = {scale, 2 * scale, 3 * scale, 4 * scale};
      q.memcpy(weights, table, sizeof(table));
    }

Good::

    void upload(sycl::queue &q, float *weights, float scale) {
      float table[4] = {scale, 2 * scale, 3 * scale, 4 * scale};
      q.memcpy(weights, table, sizeof(table)).wait();
    }

Several commands that use the object are one finding, and its fix waits for all of them.

A warning where the command stands in a macro that is not visible and may wait (``SYCL_CHECK(q.memcpy(...))``).

Silent when a wait may have happened on the way to the end of the block, when the object is static, a member, or on
the heap, when its memory is moved or returned, when a host task may signal that it has run, and when the queue goes
out of scope with the object.

Source: SYCL 2020, chapter "Explicit memory operations".
"""

from collections.abc import Iterator

from sycllint.diagnostic import Evidence, Related, Severity
from sycllint.host.records import DyingMemory
from sycllint.host.unit import SourceUnit
from sycllint.rule import Finding, record_rule
from sycllint_rules.host_wording import does, evidence, others, unless, waiting


@record_rule("SYC1111", Severity.ERROR, on=SourceUnit, seen=DyingMemory)
def async_copy_from_dying_object(seen: DyingMemory) -> Finding:
    """A finding for each command in flight whose memory ends with its block."""
    sure, command = evidence(seen.assumption, in_branch=seen.in_branch, doubt=seen.doubt), seen.command
    return Finding(
        location=seen.location,
        subject=f"`{seen.name}`",
        verdict=f"goes out of scope while the asynchronous `{command.what}` may still {does(command)} it"
        f"{unless(seen.doubt)}",
        evidence=sure,
        severity=None if sure is Evidence.PROVED else Severity.WARNING,
        related=(
            Related(f"`{seen.name}` is declared in this block", seen.declared),
            *_inside(seen),
            *others(seen.missing, command),
        ),
        fix=waiting(seen.missing),
    )


def _inside(seen: DyingMemory) -> Iterator[Related]:
    """The command, where the finding is at a call that leads to it."""
    if seen.location != seen.command.location:
        yield Related(f"`{seen.command.what}` is submitted here", seen.command.location)
