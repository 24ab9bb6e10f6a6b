"""The private arrays of a work-item exceed its share of the register file, so they are kept in memory.

The work-items of a sub-group share the registers of one hardware thread: on Intel GPUs up to Xe-HPG 128 registers of 32
bytes, 4 KB, which leaves 512, 256 or 128 bytes to a work-item at sub-group sizes 8, 16 and 32. What is more is spilled,
and each access becomes one of memory. Counted are the arrays that are alive at the same time, in the kernel and the
functions it calls. On AMD and NVIDIA a work-item has registers of its own, of 4 bytes, as many as the device lets one
kernel have.

Bad, on tgl::

    void histogram(sycl::queue &q, const unsigned *in, unsigned *out) {
      q.parallel_for(sycl::range<1>(8192), [=](sycl::id<1> i) [[sycl::reqd_sub_group_size(16)]] {
        unsigned bins[256] = {};
        for (int k = 0; k < 1024; ++k) {
          ++bins[in[8192 * k + i] & 255];
        }
        for (int k = 0; k < 256; ++k) {
          out[8192 * k + i] = bins[k];
        }
      });
    }

Good, on tgl::

    void histogram(sycl::queue &q, const unsigned *in, unsigned *out) {
      q.submit([&](sycl::handler &h) {
        sycl::local_accessor<unsigned, 1> bins(256, h);
        h.parallel_for(sycl::nd_range<1>(8192, 256), [=](sycl::nd_item<1> it) {
          bins[it.get_local_id(0)] = 0;
          sycl::group_barrier(it.get_group());
          sycl::atomic_ref<unsigned, sycl::memory_order::relaxed, sycl::memory_scope::work_group> bin(
              bins[in[it.get_global_id(0)] & 255]);
          bin.fetch_add(1);
          sycl::group_barrier(it.get_group());
          out[it.get_global_id(0)] = bins[it.get_local_id(0)];
        });
      });
    }

A note where one array is too large for all but the narrowest sub-group, which the compiler may choose, and where
several arrays together, none of them too large by itself, exceed what the narrowest leaves by less than its double:
elements with constant subscripts can be registers of their own.

With a compiler's report (``--kernel-info``) nothing is estimated: the rule reports the arrays that the compiler put
into memory, or the registers that it spilled, and is silent when it did neither. A stack whose size the compiler
assumes, as for calls that it cannot resolve, is neither.

An object that has an array in it, as a ``std::array``, counts like one where it is made, and not where it is a copy.

Silent when two or more sub-group sizes have room; when an extent is unknown; in branches that are not taken; for
constant tables.

Source: Intel oneAPI GPU Optimization Guide, "Registerization and Avoiding Register Spills", sections "Registers and
Performance" and "Optimization Techniques" (no large arrays; histogram256-int: the bins are too large to be promoted to
registers). Registers per thread: ``sycllint devices NAME``.
"""

from collections.abc import Iterator

from sycllint.device_code.checks.registers import PrivateState
from sycllint.diagnostic import Evidence, Related, Severity
from sycllint.hardware.device import IntelDevice
from sycllint.launch.compiled import CompiledKernel
from sycllint.launch.kernel import KernelLaunch
from sycllint.occupancy.model import sub_group_sizes
from sycllint.rule import Finding, Outcome, Silent, rule
from sycllint.target import Target
from sycllint_rules.register_file import most_registers, register_bytes
from sycllint_rules.wording import listed, number, size, width

_REGISTER = 4
"""Bytes of one register of a work-item on AMD (VGPR) and NVIDIA."""
_BY_FAR = 2
"""Times the room, beyond which arrays that are not all needed until the end do not fit either."""


@rule("SYC601", Severity.WARNING, on=KernelLaunch, reads=PrivateState)
def private_array_exceeds_registers(launch: KernelLaunch, target: Target) -> Iterator[Outcome]:
    """Compare the arrays alive together with a work-item's part of the register file."""
    states = launch.kernel.seen.of(PrivateState)
    if not (states or launch.compiled):
        yield Silent("the kernel has no private array of known size")
        return
    device = target.device
    compiled = launch.compiled_for(device)
    if compiled is not None and compiled.private_memory is not None:
        finding = _reported(launch, compiled, states)
        if finding is not None:
            yield finding
        assumed = compiled.dynamic_stack and compiled.private_memory
        yield Silent(
            "the compiler assumes the size of the stack, for calls that it cannot resolve"
            if assumed
            else "the compiled kernel keeps its private arrays in registers"
        )
        return
    if isinstance(device, IntelDevice):
        yield from _on_threads(device, launch, states)
    most = most_registers(device)
    for state in states if most is not None else ():
        if most is not None and state.bytes > _REGISTER * most:
            yield _found(state, f"exceed the {number(_REGISTER * most)} B of registers that a work-item can have", None)
    largest = max((each.bytes for each in states), default=0)
    fits = f"private arrays take {number(largest)} B at most, which two or more sub-group sizes have room for"
    yield Silent(fits if states else "the kernel has no private array of known size")


def _reported(launch: KernelLaunch, compiled: CompiledKernel, states: tuple[PrivateState, ...]) -> Finding | None:
    """What the compiler did, where it says so: no estimate is needed then."""
    arrays, spills = compiled.private_arrays, compiled.spills or 0
    room = arrays if arrays is not None else 0 if compiled.dynamic_stack else compiled.private_memory or 0
    state = max((each for each in states if each.bytes <= room), key=lambda each: each.bytes, default=None)
    if state is not None:
        location, subject = max(state.arrays, key=lambda each: each.bytes).location, _subject(state)
        verdict = "are kept in memory instead of registers"
    elif spills or room:
        name = f" {launch.kernel.name}" if launch.kernel.name else ""
        location, subject = launch.location, f"kernel{name}"
        what = f"spills {number(spills)} B" if spills else f"keeps {number(room)} B"
        verdict = f"{what} per work-item" + ("" if spills else " in memory instead of registers")
    else:
        return None
    return Finding(location=location, subject=subject, verdict=verdict, help=_in_memory(compiled))


def _in_memory(compiled: CompiledKernel) -> str:
    """``1,024 B of each work-item's arrays and 40 B of spilled registers are in memory (a.zeinfo:3).``."""
    parts = []
    if compiled.private_arrays:
        parts.append(f"{number(compiled.private_arrays)} B of each work-item's arrays")
    if compiled.spills:
        parts.append(f"{number(compiled.spills)} B of its spilled registers")
    if not parts:
        parts.append(f"{number(compiled.private_memory or 0)} B of each work-item's state")
    return f"{' and '.join(parts)} are in memory ({compiled.place})."


def _on_threads(device: IntelDevice, launch: KernelLaunch, states: tuple[PrivateState, ...]) -> Iterator[Finding]:
    """On Intel, where the work-items of a sub-group share the registers of a thread."""
    file = register_bytes(device, launch)
    for state in states:
        legal = sub_group_sizes(device, launch)
        too_wide = [each for each in legal if file is not None and state.bytes * each > file]
        if file is None or not too_wide:
            continue
        narrow = [each for each in legal if each not in too_wide]
        largest = max(each.bytes for each in state.arrays)
        if len(narrow) > 1 or (narrow and largest * min(too_wide) <= file):
            continue
        at = listed([width(device, each) for each in too_wide])
        share = listed([f"{number(file // each)} B" for each in too_wide])
        verdict = f"exceed the {share} of registers that {at} leave{'s' if len(too_wide) == 1 else ''} a work-item"
        severity = Severity.NOTE if narrow or not _certain(state, file // min(legal)) else None
        yield _found(state, verdict, severity, _room(device, narrow, file))


def _found(state: PrivateState, verdict: str, severity: Severity | None, advice: str = "") -> Finding:
    parts = state.arrays if len(state.arrays) > 1 else ()
    return Finding(
        location=max(state.arrays, key=lambda each: each.bytes).location,
        subject=_subject(state),
        verdict=verdict,
        evidence=Evidence.DERIVED,
        severity=severity,
        related=tuple(Related(f"`{each.name}` takes {number(each.bytes)} B", each.location) for each in parts),
        help=advice,
    )


def _certain(state: PrivateState, room: int) -> bool:
    """Whether one array alone is too large, or all of them by far: elements of small ones can become registers."""
    return max(each.bytes for each in state.arrays) > room or state.bytes > _BY_FAR * room


def _subject(state: PrivateState) -> str:
    names = [f"`{each.name}`" for each in state.arrays]
    if len(names) == 1:
        return f"the {number(state.bytes)} B of {names[0]}"
    return (
        f"the {number(state.bytes)} B of {listed(names)}"
        if len(names) <= 3
        else (f"the {number(state.bytes)} B of {len(names)} private arrays")
    )


def _room(device: IntelDevice, narrow: list[int], file: int) -> str:
    if not narrow:
        return ""
    widest = max(narrow)
    return f"{width(device, widest)} has {size(file // widest)} for each work-item."
