"""A kernel assumes that a sub-group is one row of its work-group, but rows are not whole sub-groups.

The work-items of a group in several dimensions are linearised row by row and split into sub-groups. With rows of 8 and
sub-groups of 32, four rows share one: a sum over the sub-group is the sum of four rows, and the first work-item of each
row uses it as that of its own row. On AMD's wave64 that happens to rows of 32 which were right on a warp of 32.

Bad, on pvc::

    void sum_rows(sycl::queue &q, float *rows, float *sums) {
      q.parallel_for(sycl::nd_range<2>({8192, 8}, {8, 8}), [=](sycl::nd_item<2> it) [[sycl::reqd_sub_group_size(32)]] {
        const float sum =
            sycl::reduce_over_group(it.get_sub_group(), rows[it.get_global_linear_id()], sycl::plus<float>());
        if (it.get_local_id(1) == 0) {
          sums[it.get_global_id(0)] = sum;
        }
      });
    }

Good, on pvc::

    void sum_rows(sycl::queue &q, float *rows, float *sums) {
      q.parallel_for(sycl::nd_range<2>({8192, 32}, {8, 32}),
                     [=](sycl::nd_item<2> it) [[sycl::reqd_sub_group_size(32)]] {
                       const float sum =
                           sycl::reduce_over_group(it.get_sub_group(), rows[it.get_global_linear_id()], sycl::plus<>());
                       if (it.get_local_id(1) == 0) {
                         sums[it.get_global_id(0)] = sum;
                       }
                     });
    }

Reported when a condition singles out one work-item per row by its id in the last dimension, and the sub-group exchanges
values over more lanes than a row has, or over the end of a row; when the elements are chosen by ids of the last and of
another dimension, or by a linear id of longer rows, and the sub-group shifts or scans values, or selects those of the
next lane, without a condition about the end of a row (one about the end of the sub-group is none); when what a
sub-group is reduced to is stored as ``sums[it.get_global_id(0)]``; and when a subscript such as
``tile[it.get_local_id(0)][lane]`` or ``a[row * width + lane]`` uses the lane as the column. Without a required size,
the rows have to be wrong for every size of the device.

Silent when a number is unknown; when the exchange stays inside a row; in one dimension, and when the group is a single
row; when a condition also asks for another id: a linear id, another dimension's, or separates the lanes of the
sub-group; for reductions, their steps and broadcasts without such a condition, which may be meant for the whole
sub-group.

Source: SYCL next specification, SYCL-Docs pull request 860 (the order of work-items in sub-groups is defined only where
the last extent is a multiple); SYCLomatic, DPCT1096.
"""

from collections.abc import Iterator
from math import prod

from sycllint.device_code.checks.rows import Assumption, RowExchange, RowLeader
from sycllint.diagnostic import Evidence, Related, Severity
from sycllint.hardware.device import Device
from sycllint.launch.kernel import KernelLaunch
from sycllint.occupancy.model import sub_group_sizes
from sycllint.rule import Finding, rule
from sycllint.target import Target
from sycllint_rules.wording import because, one_sub_group, shape

_VERDICTS = {
    Assumption.SHIFT: "`{}` shifts values from one row into another".format,
    Assumption.SCAN: "`{}` continues from one row into the next".format,
    Assumption.LANE: "`{}` uses the lane as the column".format,
    Assumption.RESULT: "`{}` is set to the result of one sub-group as if that were a row's".format,
}
_RELATED = {
    Assumption.SHIFT: "no condition excludes the end of the row",
    Assumption.SCAN: "the sub-group is scanned here",
    Assumption.LANE: "the row is an id of another dimension",
    Assumption.RESULT: "only the row chooses the element",
}
_AT_ITS_END = "; at its end a shift gives an unspecified value."


@rule("SYC304", Severity.WARNING, on=KernelLaunch, seen=(RowExchange, RowLeader))
def fastest_dim_not_multiple_of_sub_group(launch: KernelLaunch, target: Target) -> Iterator[Finding]:
    """Compare the last extent of the group with each sub-group size that the kernel may be compiled for."""
    leaders, exchanges = launch.kernel.seen.of(RowLeader), launch.kernel.seen.of(RowExchange)
    if not (leaders or exchanges) or launch.local_range is None:
        return
    exact = launch.local_range.numbers
    if exact is None or 0 in exact or len(exact) < 2 or prod(exact[:-1]) == 1:
        return
    row, sizes = exact[-1], sub_group_sizes(target.device, launch)
    place = launch.local_range.location
    for leader in leaders:
        if sizes and all(_mixes(row, size, leader.reach) for size in sizes):
            yield Finding(
                location=place,
                subject=f"work-group {shape(launch.local_range.extents)}",
                verdict=f"{_layout(target.device, row, max(sizes))}, but the kernel assumes one row per sub-group",
                evidence=Evidence.DERIVED,
                related=(
                    Related(f"`{leader.text}` selects the first work-item of each row", leader.location),
                    Related("values are exchanged within the sub-group here", leader.operation),
                    *because(*launch.local_range.extents),
                ),
                help=f"A last extent of {max(sizes)} makes each row {one_sub_group(target.device)}.",
            )
    for exchange in exchanges if not leaders else ():
        if sizes and all(row % size for size in sizes):
            does = _VERDICTS[exchange.assumption](exchange.text)
            yield Finding(
                location=place,
                subject=f"work-group {shape(launch.local_range.extents)}",
                verdict=f"{_layout(target.device, row, max(sizes))}, and {does}",
                evidence=Evidence.DERIVED,
                related=(
                    Related(_RELATED[exchange.assumption], exchange.location),
                    *because(*launch.local_range.extents),
                ),
                help=f"A last extent of {max(sizes)} makes each row {one_sub_group(target.device)}"
                f"{_AT_ITS_END if exchange.assumption is Assumption.SHIFT else '.'}",
            )


def _mixes(row: int, size: int, reach: int | None) -> bool:
    """Whether an exchange over ``reach`` lanes (``None``: all) leaves a row of ``row`` work-items."""
    if row % size == 0:
        return False
    return reach is None or reach >= row or (reach > 0 and size % row != 0)


def _layout(device: Device, row: int, size: int) -> str:
    name = one_sub_group(device)
    if size % row == 0:
        return f"puts {size // row} rows of {row} into {name} of {size}"
    return f"has rows of {row} that do not end with {name} of {size}"
