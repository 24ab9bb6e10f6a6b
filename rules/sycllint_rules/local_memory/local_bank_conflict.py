"""Neighbouring work-items access elements of local memory in the same banks.

Local memory serves one element of 4 bytes from each of its banks at a time, and consecutive elements are in consecutive
banks. Lanes whose elements are a multiple of the number of banks apart all access the same bank, which serves them one
after the other. One unused element at the end of each row shifts every row by one bank.

Bad, on tgl::

    void turned(sycl::queue &q, const float *a, float *b) {
      q.submit([&](sycl::handler &h) {
        sycl::local_accessor<float, 2> tile({16, 16}, h);
        h.parallel_for(sycl::nd_range<2>({512, 512}, {16, 16}), [=](sycl::nd_item<2> it) {
          const size_t y = it.get_local_id(0), x = it.get_local_id(1);
          tile[x][y] = a[it.get_global_linear_id()];
          sycl::group_barrier(it.get_group());
          b[it.get_global_linear_id()] = tile[y][x];
        });
      });
    }

Good, on tgl::

    void turned(sycl::queue &q, const float *a, float *b) {
      q.submit([&](sycl::handler &h) {
        sycl::local_accessor<float, 2> tile({16, 17}, h);
        h.parallel_for(sycl::nd_range<2>({512, 512}, {16, 16}), [=](sycl::nd_item<2> it) {
          const size_t y = it.get_local_id(0), x = it.get_local_id(1);
          tile[x][y] = a[it.get_global_linear_id()];
          sycl::group_barrier(it.get_group());
          b[it.get_global_linear_id()] = tile[y][x];
        });
      });
    }

Silent when fewer than four lanes access one bank, when all access one element, when elements are not of 4 bytes, when a
row of the work-group is shorter than 16, when the distance between neighbours is not known or not the same for all,
when a condition leaves some of them out, and for devices of which no document gives the banks.

Source: Intel oneAPI GPU Optimization Guide, "Shared Local Memory", samples slm-bank-s1 and slm-bank-s16: 16 banks of
4 bytes.
"""

from collections.abc import Iterator
from math import gcd

from sycllint.device_code.checks.local_layout import Stride
from sycllint.diagnostic import Evidence, Related, Severity
from sycllint.hardware.device import Vendor
from sycllint.launch.kernel import KernelLaunch
from sycllint.rule import Finding, rule
from sycllint.source.span import Location
from sycllint.target import Target

_BANKS = {Vendor.INTEL: 16}
_BANK_BYTES = 4
_MANY = 4
"""Serialised bank accesses from which an access is reported."""


@rule("SYC405", Severity.NOTE, on=KernelLaunch, seen=Stride, muted_in_tests=True)
def local_bank_conflict(launch: KernelLaunch, target: Target) -> Iterator[Finding]:
    """Yield a finding for each stride by which neighbours share banks of one array."""
    banks = _BANKS.get(target.device.vendor)
    found: dict[tuple[Location, int], list[Stride]] = {}
    for seen in launch.kernel.seen.of(Stride) if banks is not None else ():
        if seen.element == _BANK_BYTES and gcd(seen.bytes // _BANK_BYTES, banks or 1) >= _MANY:
            found.setdefault((seen.declared, seen.bytes), []).append(seen)
    for (declared, stride), (first, *others) in found.items():
        turns = gcd(stride // _BANK_BYTES, banks or 1)
        yield Finding(
            location=first.location,
            subject=f"`{first.text}`",
            verdict=f"has a stride of {stride} B between work-items: {turns} of {banks} lanes access one bank",
            evidence=Evidence.DERIVED,
            related=(
                Related(f"`{first.memory}` is declared here", declared),
                *(Related(f"`{each.text}` has the same stride", each.location) for each in others),
            ),
            help="Pad each row by one element.",
        )
