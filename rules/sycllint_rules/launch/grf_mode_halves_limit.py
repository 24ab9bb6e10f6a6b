"""A kernel requires more registers per thread than usual, and its work-group exceeds the limit of that mode.

The registers of a core are fixed. Where a thread may have 256 of them instead of 128, half as many threads fit, and on
Ponte Vecchio, Xe2 and Arc a work-group at SIMD16 or below may then have 512 work-items instead of 1024. The launch
fails as any other that is too large: DPC++ throws ``errc::nd_range``.

Bad, on pvc::

    void filter(sycl::queue &q, const float *image, float *out) {
      sycl::ext::oneapi::experimental::properties large{sycl::ext::intel::experimental::grf_size<256>};
      q.parallel_for(sycl::nd_range<1>(1024 * 512, 1024), large,
                     [=](sycl::nd_item<1> it) [[sycl::reqd_sub_group_size(16)]] {
                       float taps[64];
                       for (int i = 0; i < 64; ++i) {
                         taps[i] = image[it.get_global_id(0) + i];
                       }
                       for (int i = 0; i < 64; ++i) {
                         out[it.get_global_id(0)] += taps[i] * taps[63 - i];
                       }
                     });
    }

Good, on pvc::

    void filter(sycl::queue &q, const float *image, float *out) {
      sycl::ext::oneapi::experimental::properties large{sycl::ext::intel::experimental::grf_size<256>};
      q.parallel_for(sycl::nd_range<1>(1024 * 512, 512), large,
                     [=](sycl::nd_item<1> it) [[sycl::reqd_sub_group_size(16)]] {
                       float taps[64];
                       for (int i = 0; i < 64; ++i) {
                         taps[i] = image[it.get_global_id(0) + i];
                       }
                       for (int i = 0; i < 64; ++i) {
                         out[it.get_global_id(0)] += taps[i] * taps[63 - i];
                       }
                     });
    }

Where the kernel requires no sub-group size, the compiler may choose one at which the work-group fits: then it is a
warning, for the narrowest.

Silent when a number is unknown; when the size exceeds the device's own limit (SYC101); for ``grf_size_automatic``,
where the compiler may use 128; when the launch is reached only after its size was compared with what the device or the
kernel accepts; on AMD and NVIDIA, whose compilers do not read the property, without a compiler's report. With one
(``--kernel-info``) the registers are those that the kernel took, and the help says how many of them let the group run.

Known problems: compiler options that ask for more registers are not read, only the property ``grf_size``.

Source: intel-graphics-compiler, visa/G4_Kernel.cpp, GRFMode (registers and threads); compute-runtime,
helpers/gfx_core_helper_xehp_and_later.inl (the limit); torch-xpu-ops pull request 542 (512 work-items at SIMD16); SYCL
2020, information descriptor kernel_device_specific::work_group_size. Each device's modes: ``sycllint devices NAME``.
"""

from sycllint.diagnostic import Evidence, Severity
from sycllint.errors import SycllintError
from sycllint.hardware.device import AmdDevice, Device, NvidiaDevice
from sycllint.launch.kernel import KernelLaunch, Range
from sycllint.occupancy.estimate import limit
from sycllint.occupancy.model import as_compiled, register_demand, sub_group_sizes
from sycllint.occupancy.registers import register_steps, register_word
from sycllint.rule import Finding, Outcome, Silent, rule
from sycllint.target import Target
from sycllint.values.value import Value, known
from sycllint_rules.evidence import case, reached
from sycllint_rules.residency import empty
from sycllint_rules.silence import no_group
from sycllint_rules.wording import because, listed, plural, thread, width, work_group


@rule("SYC107", Severity.ERROR, on=KernelLaunch)
def grf_mode_halves_limit(launch: KernelLaunch, target: Target) -> Outcome:
    """Compare the work-items of a group with the limit that the demanded registers leave."""
    none = Silent("no number of registers is demanded or reported")
    if launch.register_count is None and not launch.compiled:
        return none
    launch = as_compiled(target.device, launch)
    device = target.device
    demand = register_demand(device, launch)
    registers = known(demand.value) if demand else None
    local, size = launch.local_range, launch.work_group_size
    if demand is None or registers is None or local is None or size is None or empty(launch):
        return none if demand is None else no_group(launch)
    limits = _limits(launch, device, registers)
    if not limits:
        return Silent(f"{device.name} has no mode with {registers} registers at the sub-group size of the kernel")
    narrowest = min(limits)
    most = limits[narrowest]
    # What no register mode allows is SYC101's.
    allowed = limit(device, None, narrowest)
    excess = case(size, lambda items: most < items <= allowed)
    if excess is None or launch.device_checked:
        return Silent(f"with {registers} registers {most} work-items fit, and no more are known to be launched")
    items = excess.number.value
    others = [each for each, items_there in limits.items() if items <= items_there]
    return Finding(
        location=local.location,
        subject=_named(local, size, items),
        verdict=f"exceeds max {most} with {registers} {register_word(device)} at {width(device, narrowest)}",
        evidence=Evidence.DERIVED if others else reached(launch, target, excess.evidence),
        related=because(demand.value, excess.number),
        help=_arithmetic(device, registers, narrowest, items) + _cure(device, others, most, items),
    )


def _limits(launch: KernelLaunch, device: Device, registers: int) -> dict[int, int]:
    """Work-items per group with so many registers, at each sub-group size that the kernel may be compiled for."""
    try:
        return {each: limit(device, registers, each) for each in sub_group_sizes(device, launch)}
    except SycllintError:
        return {}


def _named(local: Range, size: Value, items: int) -> str:
    return work_group(local, items) if known(size) is not None else f"work-group {items}"


def _arithmetic(device: Device, registers: int, sub_group: int, items: int) -> str:
    """The threads that the mode leaves on a core, and those that the group needs."""
    left = limit(device, registers, sub_group) // sub_group
    needs = -(-items // sub_group)
    leave = f"{registers} {register_word(device)} leave a work-group {plural(left, thread(device))}"
    return f"{leave}; {items} work-items need {needs}. "


def _cure(device: Device, others: list[int], most: int, items: int) -> str:
    if isinstance(device, (AmdDevice, NvidiaDevice)):
        steps = register_steps(device, items)
        fewer = f", or {items} with up to {steps[-1].registers} {steps[-1].word}" if steps else ""
        return f"{most} work-items fit{fewer}."
    if not others:
        return f"{most} work-items fit."
    return f"{most} work-items fit, or {listed(width(device, each) for each in others)}."
