"""An accessor made without a handler is indexed by the host.

``sycl::accessor`` made from a buffer alone is a placeholder: it gives access to nothing until a command group requires
it. The host reads and writes buffers through ``sycl::host_accessor``.

Bad::

    float first(sycl::buffer<float> values) {
      sycl::buffer<float> copy(values);
      sycl::accessor in(copy);
      return in[0];
    }

Good::

    float first(sycl::buffer<float> values) {
      sycl::buffer<float> copy(values);
      sycl::host_accessor in(copy);
      return in[0];
    }

Silent when it is a host accessor of SYCL 1.2.1 (``access::target::host_buffer``), when it has a handler, in a lambda of
any kind, and when the buffer or the accessor's arguments are not visible.

Source: SYCL 2020, chapter "Placeholder accessor".
"""

from sycllint.diagnostic import Related, Severity
from sycllint.host.records import PlaceholderOnHost
from sycllint.host.unit import SourceUnit
from sycllint.rule import Finding, record_rule


@record_rule("SYC1113", Severity.ERROR, on=SourceUnit, seen=PlaceholderOnHost)
def placeholder_accessor_on_host(seen: PlaceholderOnHost) -> Finding:
    """A finding for each element that the host asks a placeholder accessor for."""
    return Finding(
        location=seen.location,
        subject=f"placeholder accessor `{seen.name}`",
        verdict="is indexed on the host, where it gives access to nothing",
        related=(Related(f"`{seen.name}` is made without a handler", seen.declared),),
    )
