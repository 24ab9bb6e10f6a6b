"""A kernel reads elements through an accessor that has discarded them.

``sycl::no_init``, and the older modes ``discard_write`` and ``discard_read_write``, say that a kernel needs nothing of
what is in the buffer. It is then not copied to the device, and what an element holds before the kernel writes it is
indeterminate: ``a[i] += x`` adds to an arbitrary number, often to the right one on the device on which it was tried.

Bad::

    void add(sycl::queue &q, sycl::buffer<float> &sums, sycl::buffer<float> &values) {
      q.submit([&](sycl::handler &h) {
        sycl::accessor sum(sums, h, sycl::read_write, sycl::no_init);
        sycl::accessor value(values, h, sycl::read_only);
        h.parallel_for(sums.get_range(), [=](sycl::id<1> i) { sum[i] += value[i]; });
      });
    }

Good::

    void add(sycl::queue &q, sycl::buffer<float> &sums, sycl::buffer<float> &values) {
      q.submit([&](sycl::handler &h) {
        sycl::accessor sum(sums, h, sycl::read_write);
        sycl::accessor value(values, h, sycl::read_only);
        h.parallel_for(sums.get_range(), [=](sycl::id<1> i) { sum[i] += value[i]; });
      });
    }

Silent when any write through the accessor comes before the read, in the text or in an earlier iteration of a loop;
where the read depends on data or on a number that the kernel is given; and where the accessor or one of its elements
escapes the analysis, or is declared where it is not visible.

Source: SYCL 2020, "Buffer accessor", access modes and ``property::no_init``.
"""

from sycllint.device_code.checks.discarded_contents import DiscardedRead
from sycllint.diagnostic import Evidence, Related, Severity
from sycllint.launch.kernel import KernelLaunch
from sycllint.rule import Finding, record_rule


@record_rule("SYC1115", Severity.WARNING, on=KernelLaunch, seen=DiscardedRead)
def no_init_contents_read(seen: DiscardedRead) -> Finding:
    """A finding for each accessor without contents whose first access is not a write."""
    how = "updated" if seen.updated else "read"
    return Finding(
        location=seen.location,
        subject=f"`{seen.text}`" if seen.text else f"an element of `{seen.accessor}`",
        verdict=f"is {how} before the kernel writes it, but `{seen.property}` discards what is in the buffer",
        evidence=Evidence.DERIVED,
        related=(
            Related(f"`{seen.accessor}` is made with `{seen.property}`", seen.declared),
            *((Related(f"it is {how} here", seen.inner),) if seen.inner != seen.location else ()),
        ),
    )
