"""All work-items of a launch read, change and write one element of global memory.

Two work-items that read the same old value lose one of the two updates. The sum is wrong, and differently each time.

Bad::

    void total(sycl::queue &q, const float *a, float *sum) {
      q.parallel_for(sycl::range<1>(65536), [=](sycl::id<1> i) {
        *sum += a[i];
      });
    }

Good::

    void total(sycl::queue &q, const float *a, float *sum) {
      q.parallel_for(sycl::range<1>(65536), sycl::reduction(sum, sycl::plus<float>()),
                     [=](sycl::id<1> i, auto &all) { all += a[i]; });
    }

One work-item of each work-group is many, too, where there are many groups; so are those below a bound, and those whose
data are more or less than something.

So is a plain change of an element that other work-items of the kernel update atomically, an element that does not
depend on one dimension of a launch of several, and one that a local id alone chooses: each work-group has that id.

Silent when it is a reducer or an atomic; in a ``single_task`` and in launches of one work-item, when a condition may
select one work-item: by its id, or as the one with equal data; when the index differs between work-items; when it
depends on data, but for counting, ``++bins[data[i]]``: data may say which element is whose; when only some work-items
reach it and the kernel has atomics, which may be a lock; in test trees.

Source: SYCL 2020, section "Memory model": accesses to one location by several work-items are a data race unless they
are atomic; section "Reduction variables".
"""

from sycllint.device_code.checks.global_use import SharedSum
from sycllint.diagnostic import Evidence, Related, Severity
from sycllint.launch.kernel import KernelLaunch
from sycllint.rule import Finding, record_rule
from sycllint.values.value import known
from sycllint_rules.wording import number


@record_rule("SYC511", Severity.ERROR, on=KernelLaunch, seen=SharedSum, muted_in_tests=True)
def unsynchronised_global_accumulate(each: SharedSum) -> Finding:
    """A finding for each element that all work-items update."""
    items = known(each.work_items)
    if each.atomic is not None:
        verdict = "is changed without an atomic, while other work-items update it atomically: a data race"
    else:
        who = f"{number(items)} work-items" if items else each.who.value
        verdict = f"is updated by {who} without an atomic: a data race"
    return Finding(
        location=each.location,
        subject=f"`{each.text}`",
        verdict=verdict,
        evidence=Evidence.PROVED if items else Evidence.DERIVED,
        severity=None if items else Severity.WARNING,
        related=(Related("atomic update", each.atomic),) if each.atomic is not None else (),
        help="Use `sycl::reduction`, or make the update atomic with `atomic_ref`.",
    )
