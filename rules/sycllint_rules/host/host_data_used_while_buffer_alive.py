"""Host memory of a buffer is used, or freed, before the buffer is destroyed.

A buffer over a container or an array has a copy of its own. Results of kernels are copied back when the buffer is
destroyed, or are visible through a host accessor; ``queue::wait`` copies nothing. Until then the host reads old data,
and what it writes is overwritten. Freed memory may still be read or written by a command that uses the buffer, and
memory of a local variable by whoever gets the buffer that is returned.

Bad::

    float first(sycl::queue &q, size_t n) {
      std::vector<float> values(n);
      sycl::buffer<float> buffer(values.data(), n);
      q.submit([&](sycl::handler &h) {
        sycl::accessor out(buffer, h, sycl::write_only, sycl::no_init);
        h.parallel_for(n, [=](sycl::id<1> i) { out[i] = 1.0f; });
      });
      q.wait();
      return values[0];
    }

Good::

    float first(sycl::queue &q, size_t n) {
      std::vector<float> values(n);
      {
        sycl::buffer<float> buffer(values.data(), n);
        q.submit([&](sycl::handler &h) {
          sycl::accessor out(buffer, h, sycl::write_only, sycl::no_init);
          h.parallel_for(n, [=](sycl::id<1> i) { out[i] = 1.0f; });
        });
      }
      return values[0];
    }

Silent when the buffer has been destroyed, when a host accessor or another method of the buffer has been used since,
when the host memory is constant or used in place (``use_host_ptr``), and when no visible kernel writes the buffer; of
freed memory, when all commands that use the buffer have been waited for; for returned values, unless they are numbers,
which are copied before the buffer is destroyed.

Source: SYCL 2020, chapters "Buffer class" and "Host memory ownership"; ORNL/HeCBench pull request 101.
"""

from collections.abc import Iterator

from sycllint.diagnostic import Evidence, Related, Severity
from sycllint.host.records import FreedHostData, OutlivedHostData, StaleHostData
from sycllint.host.unit import SourceUnit
from sycllint.rule import Finding, rule
from sycllint.target import Target


@rule("SYC1107", Severity.WARNING, on=SourceUnit, seen=(StaleHostData, FreedHostData, OutlivedHostData))
def host_data_used_while_buffer_alive(unit: SourceUnit, target: Target) -> Iterator[Finding]:
    """Yield a finding for each use of host memory that is out of date, and each that frees what is in use."""
    for seen in unit.seen.of(StaleHostData):
        yield Finding(
            location=seen.location,
            subject=f"`{seen.name}`",
            verdict=f"is used while `{seen.buffer}` is alive, which writes its data back when it is destroyed",
            evidence=Evidence.DERIVED,
            device_specific=False,
            related=(
                Related(f"`{seen.buffer}` is made over `{seen.name}`", seen.buffer_location),
                Related(f"this command writes `{seen.buffer}`", seen.command),
            ),
        )
    for each in unit.seen.of(FreedHostData):
        yield Finding(
            location=each.location,
            subject=f"`{each.name}`",
            verdict=f"is freed while a command that uses `{each.buffer}` may still run",
            evidence=Evidence.DERIVED,
            device_specific=False,
            related=(
                Related(f"`{each.buffer}` is made over `{each.name}`", each.buffer_location),
                Related(f"this command uses `{each.buffer}`", each.command),
            ),
        )
    for gone in unit.seen.of(OutlivedHostData):
        yield Finding(
            location=gone.location,
            subject=f"`{gone.name}`",
            verdict=f"goes out of scope while `{gone.buffer}`, which is returned, still uses its memory",
            evidence=Evidence.DERIVED,
            device_specific=False,
            related=(Related(f"`{gone.buffer}` is made over `{gone.name}`", gone.buffer_location),),
        )
