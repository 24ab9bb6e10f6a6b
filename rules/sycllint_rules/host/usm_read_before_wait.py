r"""The host uses memory while an asynchronous command may still be writing it.

A queue's ``memcpy``, ``copy``, ``fill``, ``submit`` and ``parallel_for`` return before the work is done. A host that
reads what such a command writes, or writes what it reads, before it has waited for the queue or the command's event
gets old data, new data, or a mixture. ``property::queue::in_order`` orders the commands of a queue among themselves,
never the host.

Bad::

    void minimum(sycl::queue &q, const float *values, float *result) {
      float smallest;
      q.memcpy(&smallest, values, sizeof(float));
      std::printf("%f\n", smallest);
      q.wait();
    }

Good::

    void minimum(sycl::queue &q, const float *values, float *result) {
      float smallest;
      q.memcpy(&smallest, values, sizeof(float)).wait();
      std::printf("%f\n", smallest);
    }

The fix appends ``.wait()`` to each command that may still use the memory. Waits in helpers, lambdas and macros of the
project are followed. Functions of oneMKL's BLAS and LAPACK that are given a queue and pointers are commands, too.

An error if every path from the command reaches the use; a warning if there is a condition between the two, if there is
a wait only under ``#ifdef DEBUG`` or ``if (debug)``, if a macro that is not visible and is named after checking or
reporting (``SYCL_CHECK(q.memcpy(...))``, ``LOG_INFO("copied")``) may wait, if the queue is a data member that a
function that is not visible may use, if a method of a class that is not visible may have a queue that was not
constructed here, and if only the name of an object suggests that it is a queue.

Silent when a wait may have happened on the path: in any other branch, in a function that is not visible and gets the
queue or an event, in a function object or through a function pointer, in any other macro that is not visible, through a
host accessor, or where a host task may signal by a promise or a flag that it has run; where the command and
the host use other elements, as far as their indices, the range of the launch and conditions on its ids, sizes of copies
and bounds of loops say; when only a part of the memory is copied, unless the host surely uses elements of it; when the
pointer is assigned again, or its memory is only passed on.

Source: SYCL 2020, chapters "Explicit memory operations", "Event class" and "SYCL memory consistency".
"""

from sycllint.diagnostic import Evidence, Related, Severity
from sycllint.host.records import EarlyUse, Use
from sycllint.host.unit import SourceUnit
from sycllint.rule import Finding, record_rule
from sycllint_rules.host_wording import asynchronous, does, evidence, others, unless, waiting


@record_rule("SYC1102", Severity.ERROR, on=SourceUnit, seen=EarlyUse)
def usm_read_before_wait(seen: EarlyUse) -> Finding | None:
    """A finding for each use of memory that a command in flight writes, or that it reads and the host changes."""
    if seen.use is Use.FREED:
        return None
    command = seen.command
    without = f" without {seen.assumption}" if seen.assumption else ""
    sure = evidence(seen.assumption, configured=seen.configured, in_branch=seen.in_branch, doubt=seen.doubt)
    if not command.writes:
        sure = Evidence.DERIVED
    related: tuple[Related, ...] = (Related(asynchronous(command), command.location),)
    if seen.inner is not None:
        related = (
            *related,
            Related(f"it is {seen.use.value} here", seen.inner),
        )
    return Finding(
        location=seen.location,
        subject=f"`{seen.name}`",
        verdict=f"is {seen.use.value} while the asynchronous `{command.what}` may still {does(command)} it"
        f"{without}{unless(seen.doubt)}",
        evidence=sure,
        severity=None if sure is Evidence.PROVED else Severity.WARNING,
        related=(*related, *others(seen.missing, command)),
        fix=waiting(seen.missing),
    )
