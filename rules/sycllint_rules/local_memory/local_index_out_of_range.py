"""An index into local memory is out of range.

Most often it is a global id: local memory is allocated for each work-group, so that an index which grows with the group
is out of range in the second group. The other common cause is a halo for which the accessor is too small.

Bad::

    void copy(sycl::queue &q, const float *a, float *b) {
      q.submit([&](sycl::handler &h) {
        sycl::local_accessor<float, 1> tile(64, h);
        h.parallel_for(sycl::nd_range<1>(65536, 64), [=](sycl::nd_item<1> it) {
          const int i = it.get_global_id(0);
          tile[i] = a[i];
          sycl::group_barrier(it.get_group());
          b[i] = tile[63 - it.get_local_id(0)];
        });
      });
    }

Good::

    void copy(sycl::queue &q, const float *a, float *b) {
      q.submit([&](sycl::handler &h) {
        sycl::local_accessor<float, 1> tile(64, h);
        h.parallel_for(sycl::nd_range<1>(65536, 64), [=](sycl::nd_item<1> it) {
          const int i = it.get_global_id(0);
          tile[it.get_local_id(0)] = a[i];
          sycl::group_barrier(it.get_group());
          b[i] = tile[63 - it.get_local_id(0)];
        });
      });
    }

Accesses to one memory that grow with the work-group are one finding, which names the other places.

A warning where a condition asks whether a global id is below a number that is not known: whole work-groups pass it.

Silent when the number of elements, the local range, or any other number in the index or in a condition around the
access is unknown, in loops with another exit than their condition, and for an index below zero with a condition on it:
unsigned, it is a large number there.

Source: SYCL 2020, section "Local accessor": an index outside its range is undefined behaviour.
"""

from collections.abc import Iterator

from sycllint.device_code.checks.local_use import OutOfRange
from sycllint.diagnostic import Related, Severity
from sycllint.launch.kernel import KernelLaunch
from sycllint.rule import Finding, rule
from sycllint.source.span import Location
from sycllint.target import Target
from sycllint.values.value import known
from sycllint_rules.wording import because, number, plural


@rule("SYC403", Severity.ERROR, on=KernelLaunch, seen=OutOfRange)
def local_index_out_of_range(launch: KernelLaunch, target: Target) -> Iterator[Finding]:
    """Yield a finding for each access to an element that does not exist; one where they grow with the work-group."""
    grown: dict[tuple[Location, bool], list[OutOfRange]] = {}
    for each in launch.kernel.seen.of(OutOfRange):
        count = known(each.count)
        if count is None:
            continue
        is_inside = 0 <= each.index < count
        if each.by_group:
            grown.setdefault((each.declared, is_inside), []).append(each)
            continue
        item = ", ".join(map(str, each.work_item))
        where = f"for work-item {item if len(each.work_item) == 1 else f'({item})'}"
        verdict = f"is out of range {where}{_beyond(each, count)}"
        yield _finding([each], verdict, Severity.WARNING if each.within_extent else None)
    for (_, is_inside), found in grown.items():
        highest = max(found, key=lambda each: each.index)
        verdict = (
            f"grows with the work-group id, up to element {number(highest.index)}: "
            f"each work-group has its own `{highest.memory}`"
            if is_inside
            else f"is out of range in the last work-group{_beyond(found[0], known(found[0].count) or 0)}"
        )
        yield _finding(found, verdict, Severity.WARNING if is_inside else None, "Index local memory by local ids.")


def _beyond(each: OutOfRange, count: int) -> str:
    dimension = f" in dimension {each.dimension}" if each.dimension is not None else ""
    return f": index {number(each.index)} of {plural(count, 'element')}{dimension}"


def _finding(found: list[OutOfRange], verdict: str, severity: Severity | None = None, cure: str = "") -> Finding:
    first, *others = found
    return Finding(
        location=first.location,
        subject=f"`{first.text}`",
        verdict=verdict,
        severity=severity,
        device_specific=False,
        related=(
            Related(f"`{first.memory}` is declared here", first.declared),
            *(Related(f"also `{each.text}`", each.location) for each in others),
            *because(first.count),
        ),
        help=cure,
    )
