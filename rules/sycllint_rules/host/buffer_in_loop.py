"""A buffer over host memory from outside a loop, or a queue, is made again in each iteration.

Each iteration then allocates device memory, copies the data there, waits for the commands in the buffer's destructor
and copies the data back. A buffer declared before the loop does that once. A queue made in each iteration may have a
context of its own, for which every kernel is built again.

Bad::

    void relax(sycl::queue &q, std::vector<float> &values) {
      std::vector<float> field(1024);
      for (int step = 0; step < 100; ++step) {
        sycl::buffer<float> buffer(field.data(), 1024);
        q.submit([&](sycl::handler &h) {
          sycl::accessor cells(buffer, h);
          h.parallel_for(1024, [=](sycl::id<1> i) { cells[i] *= 0.5f; });
        });
      }
    }

Good::

    void relax(sycl::queue &q, std::vector<float> &values) {
      std::vector<float> field(1024);
      sycl::buffer<float> buffer(field.data(), 1024);
      for (int step = 0; step < 100; ++step) {
        q.submit([&](sycl::handler &h) {
          sycl::accessor cells(buffer, h);
          h.parallel_for(1024, [=](sycl::id<1> i) { cells[i] *= 0.5f; });
        });
      }
    }

Silent when the host memory belongs to the loop, when no command in the loop uses the buffer, when a queue is made from
a context, or from something that changes with the iteration, such as one of several devices, and in tests.

Source: oneAPI GPU Optimization Guide, chapters "Avoiding Declaring Buffers in a Loop" and "Avoiding Redundant Queue
Constructions".
"""

from collections.abc import Iterator

from sycllint.diagnostic import Evidence, Related, Severity
from sycllint.host.records import BufferInLoop, QueueInLoop
from sycllint.host.unit import SourceUnit
from sycllint.rule import Finding, rule
from sycllint.target import Target


@rule("SYC1108", Severity.NOTE, on=SourceUnit, seen=(BufferInLoop, QueueInLoop), muted_in_tests=True)
def buffer_in_loop(unit: SourceUnit, target: Target) -> Iterator[Finding]:
    """Yield a finding for each such buffer, and each such queue."""
    for seen in unit.seen.of(BufferInLoop):
        yield Finding(
            location=seen.location,
            subject=f"buffer `{seen.name}` over `{seen.host_memory}`",
            verdict="is made again in each iteration, with an allocation and transfers",
            evidence=Evidence.DERIVED,
            device_specific=False,
            related=(Related("used by this command", seen.command),),
        )
    for queue in unit.seen.of(QueueInLoop):
        yield Finding(
            location=queue.location,
            subject=f"queue `{queue.name}`",
            verdict="is made again in each iteration, with a context and kernels to build",
            evidence=Evidence.DERIVED,
            device_specific=False,
        )
