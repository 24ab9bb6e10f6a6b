"""A kernel requires more registers per thread, which halves the threads of a core, and does not seem to need them.

256 registers per thread keep large private state out of memory. The price is half of the threads, and threads hide the
latency of memory: a kernel that only streams data has nothing to gain.

Bad, on pvc::

    void axpy(sycl::queue &q, float a, const float *x, float *y, size_t n) {
      sycl::ext::oneapi::experimental::properties large{sycl::ext::intel::experimental::grf_size<256>};
      q.parallel_for(sycl::range<1>(n), large, [=](sycl::id<1> i) { y[i] += a * x[i]; });
    }

Good, on pvc::

    void axpy(sycl::queue &q, float a, const float *x, float *y, size_t n) {
      q.parallel_for(sycl::range<1>(n), [=](sycl::id<1> i) { y[i] += a * x[i]; });
    }

It is a note: only the compiler knows how many registers it uses. The rule adds up what the kernel declares, whether
alive at one time or not, and reports it when that is less than half of what the usual 128 registers hold per work-item,
at the required sub-group size or the widest.

With a compiler's report (``--kernel-info``) the registers are those that the compiler gave the kernel, and the rule is
silent where private state spills to memory all the same.

Functions of the program that the kernel calls count like its own text.

Silent when the size of a variable is unknown, as of a matrix or of a block of ESIMD; for kernels that call what is not
visible, other than functions of numbers and group functions of one value; that use lambdas; that have more than forty
statements, those of unrolled loops counted as often as they are repeated; for the 128 registers of the default; on AMD
and NVIDIA, whose compilers do not read the property; in test trees.

Source: Intel oneAPI GPU Optimization Guide, "Small Register Mode vs. Large Register Mode"; intel-graphics-compiler,
visa/G4_Kernel.cpp, GRFMode. Each device's modes: ``sycllint devices NAME``.
"""

from collections.abc import Iterator

from sycllint.device_code.checks.small_state import SmallState
from sycllint.diagnostic import Evidence, Severity
from sycllint.errors import SycllintError
from sycllint.hardware.device import IntelDevice, RegisterMode
from sycllint.launch.kernel import KernelLaunch
from sycllint.occupancy.intel import register_mode
from sycllint.occupancy.model import as_compiled, register_demand, sub_group_sizes
from sycllint.rule import Finding, Outcome, Silent, rule
from sycllint.target import Target
from sycllint.values.value import known
from sycllint_rules.wording import because, core, size, width

_LITTLE = 0.5


@rule("SYC207", Severity.NOTE, on=KernelLaunch, seen=SmallState, muted_in_tests=True)
def large_grf_halves_occupancy(launch: KernelLaunch, target: Target) -> Iterator[Outcome]:
    """Compare what the kernel declares with what the default registers hold."""
    device = target.device
    demand, compiled = register_demand(device, launch), launch.compiled_for(device)
    registers = known(demand.value) if demand else None
    if compiled is not None and compiled.private_memory and not compiled.dynamic_stack:
        does = "spills" if compiled.spills else "has private state in memory"
        yield Silent(f"the compiled kernel {does}, so it does need its registers")
        return
    launch = as_compiled(device, launch)
    if demand is None or registers is None or not isinstance(device, IntelDevice) or device.threads_per_core is None:
        yield Silent("no number of registers is demanded" if demand is None else "the number of registers is not known")
        return
    try:
        usual, wanted = register_mode(device, None), register_mode(device, registers)
    except SycllintError:
        return
    sub_group = max(sub_group_sizes(device, launch), default=None)  # The widest leaves a work-item least.
    if sub_group is None or wanted.threads_per_engine >= usual.threads_per_engine:
        return
    held = usual.registers * device.register_bytes // sub_group
    for state in launch.kernel.seen.of(SmallState):
        if state.bytes < _LITTLE * held:
            yield Finding(
                location=demand.location,
                subject=f"{registers} registers per thread",
                verdict=f"leave {_threads(device, wanted)} of {device.threads_per_core} threads per {core(device)}"
                f"{_by_default(device, usual)}",
                evidence=Evidence.PROVED if compiled is not None and compiled.registers else Evidence.HEURISTIC,
                related=because(demand.value),
                help=f"The kernel declares {size(state.bytes)} per work-item; {usual.registers} registers hold "
                f"{size(held)} at {width(device, sub_group)}.",
            )


def _by_default(device: IntelDevice, usual: RegisterMode) -> str:
    """What the default leaves where it is not the mode with the most threads: `` (the default 128 leave 64)``."""
    left = _threads(device, usual)
    return f" (the default {usual.registers} leave {left})" if left != device.threads_per_core else ""


def _threads(device: IntelDevice, mode: RegisterMode) -> int:
    assert device.threads_per_core is not None
    return device.threads_per_core * mode.threads_per_engine // device.threads_per_engine
