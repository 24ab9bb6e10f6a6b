"""Registers as a budget, as reports have it: the staircase of groups, what stays unused, shares of a mode, JSON."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from operator import itemgetter

from sycllint.grouping import grouped
from sycllint.hardware.device import Device, IntelDevice
from sycllint.launch.kernel import KernelLaunch
from sycllint.occupancy.budget import Budget, Budgets, Unused
from sycllint.occupancy.model import as_compiled, register_demand
from sycllint.occupancy.occupancy import Occupancy
from sycllint.occupancy.registers import RegisterStep
from sycllint.report.json import Json
from sycllint.report.occupancy.shares import by_sub_group, percent, rounded
from sycllint.report.value import bytes_text
from sycllint.values.value import known

Launched = tuple[KernelLaunch, Mapping[str, Sequence[Occupancy]]]
"""A launch and its occupancies by the name of the device."""


def budget_lines(
    launch: KernelLaunch, found: Sequence[tuple[Budgets, Sequence[Occupancy]]], *, whole: bool
) -> Iterator[str]:
    """What the registers of one kernel, which are known, make of each device; devices that agree have one line.

    ``gfx900, gfx906: 2 groups up to 32 VGPRs (80%), then 1 up to 64 (40%); 40 VGPRs leave 37.5% of the VGPRs unused``.
    ``whole`` has every step, else two of them.
    """
    sentences: dict[str, list[str]] = {}
    for budgets, occupancies in found:
        sentence = _known_registers(launch, budgets, occupancies, whole=whole)
        sentences.setdefault(sentence, []).append(budgets.device.name)
    yield from (f"{', '.join(names)}: {sentence}" for sentence, names in sentences.items() if sentence)


def open_lines(launches: Iterable[Launched], devices: Sequence[Budgets], *, whole: bool) -> Iterator[str]:
    """The staircases of kernels with unknown registers: one line for each work-group size, which many launches share.

    ``work-group 1024 on gfx900, gfx906: 2 groups up to 32 VGPRs (80%), then 1 up to 64 (40%)``. Where local memory
    makes it a lower one, a line for that, with the least of those launches: ``with 16 KiB or more of local memory``.
    """
    alike = grouped(
        ((size, memory if number else 0, text), name)
        for (size, name), stairs in sorted(_staircases(launches, devices, whole=whole).items())
        for number, (text, memory) in enumerate(sorted(stairs.items(), key=itemgetter(1)))
    )
    for (size, memory, text), names in alike.items():
        taking = f" with {bytes_text(memory)} or more of local memory" if memory else ""
        yield f"work-group {size}{taking} on {', '.join(names)}: {text}"


def _staircases(
    launches: Iterable[Launched], devices: Sequence[Budgets], *, whole: bool
) -> dict[tuple[int, str], dict[str, int]]:
    """By work-group size and device, each staircase and the least local memory (bytes) that it comes with."""
    found: dict[tuple[int, str], dict[str, int]] = {}
    for launch, occupancies in launches:
        for budgets in devices:
            memory = known(as_compiled(budgets.device, launch).local_memory.total) or 0
            for each in occupancies.get(budgets.device.name, ()):
                budget, size = budgets.of(launch, each), known(launch.work_group_size)
                text = budget.whole if whole else budget.nearby
                if budget.registers is None and size is not None and text:
                    stairs = found.setdefault((size, budgets.device.name), {})
                    stairs[text] = min(memory, stairs.get(text, memory))
    return found


def of_mode(device: Device, occupancy: Occupancy) -> str:
    """``62.5% of the 32 threads that 256 registers leave`` where an Intel mode leaves only some; else empty."""
    usable = occupancy.usable_threads_per_core
    if not isinstance(device, IntelDevice) or usable == occupancy.threads_per_core or not usable:
        return ""
    share = percent(occupancy.threads_resident / usable)
    return f"{share} of the {usable} threads that {occupancy.registers} registers leave"


def _known_registers(launch: KernelLaunch, budgets: Budgets, occupancies: Sequence[Occupancy], *, whole: bool) -> str:
    """Empty where the number of registers is not given."""
    device = budgets.device
    if not occupancies or register_demand(device, launch) is None:
        return ""
    if isinstance(device, IntelDevice):
        return by_sub_group((each.sub_group_size, of_mode(device, each)) for each in occupancies)
    found = budgets.of(launch, occupancies[0])
    left = str(found.unused)
    unused = f"{found.registers} {found.unused.word} leave {left} unused" if left else ""
    return "; ".join(filter(None, (found.whole if whole else found.nearby, unused)))


def budget_json(budget: Budget) -> dict[str, Json]:
    """``register_steps``, most groups first, and the ``unused`` parts of a core, ``null`` where they are not known."""
    return {"register_steps": steps_json(budget.steps), "unused": unused_json(budget.unused)}


def steps_json(steps: Sequence[RegisterStep]) -> Json:
    """A list of objects; shares to four places."""
    return [
        {"registers": each.registers, "groups_per_core": each.groups_per_core, "ratio": rounded(each.ratio)}
        for each in steps
    ]


def unused_json(unused: Unused) -> Json:
    """Shares of the registers and of the local memory of a core."""
    return {"registers": rounded(unused.registers), "local_memory": rounded(unused.local_memory)}
