"""The model of a launch in the words of a fixture: each fact written as ``// reveal:`` comments write it."""

from collections.abc import Iterable

from sycllint.hardware.profiles import device
from sycllint.launch.kernel import KernelLaunch, Range, Required
from sycllint.occupancy.filling import pinned, work_groups
from sycllint.occupancy.model import occupancies
from sycllint.occupancy.occupancy import Occupancy
from sycllint.occupancy.waves import waves
from sycllint.values.value import Known, OneOf, Symbolic, Unknown, Value


def holds(launches: Iterable[KernelLaunch], key: str, expected: str) -> bool:
    """Whether ``expected`` is one way to write the fact ``key`` of the launches of one line."""
    return expected in ways(launches, key)


def ways(launches: Iterable[KernelLaunch], key: str) -> list[str]:
    """Every way to write the fact, the most telling first."""
    each = [_ways(launch, key) for launch in launches]
    if not each:
        return ["none"]
    if all(one == each[0] for one in each):
        return each[0]
    numbers = {text for one in each for text in one[0].split(" | ")}
    return [" | ".join(sorted(numbers, key=_by_number))]


def _by_number(text: str) -> tuple[bool, int, str]:
    return (False, int(text), "") if text.isdigit() else (True, 0, text)


def _ways(launch: KernelLaunch, key: str) -> list[str]:
    if key.startswith("occupancy."):
        return [_occupancy(launch, key)]
    if key.startswith("rounds."):
        return [_rounds(launch, key)]
    kernel = launch.kernel
    match key:
        case "launch":
            return ["here"]
        case "kind":
            return [str(launch.kind)]
        case "dims":
            return ["unknown" if launch.dims is None else str(launch.dims)]
        case "kernel":
            return [kernel.name or "none"]
        case "function":
            return [launch.function or "none"]
        case "global":
            return _range(launch.global_range)
        case "local":
            return _range(launch.local_range)
        case "required_work_group":
            return _range(launch.required_work_group)
        case "work_group.size":
            return _value(launch.work_group_size)
        case "sub_group.size":
            return _required(launch.sub_group_size)
        case "registers":
            return _required(launch.register_count)
        case "local_memory.bytes":
            return _value(launch.local_memory.total)
        case "local_memory.at_least":
            return [str(launch.local_memory.at_least)]
        case "private.bytes":
            return _value(launch.private_memory.total)
        case "barrier":
            return [_truth(launch.barrier)]
        case "body":
            return [_truth(kernel.body_found)]
        case "loop":
            return [_truth(bool(kernel.loops))]
        case "sub_group.used":
            return [_truth(bool(kernel.sub_group_operations))]
        case _:
            raise KeyError(key)


def _truth(fact: bool | None) -> str:
    return "unknown" if fact is None else str(fact).lower()


def _required(required: Required | None) -> list[str]:
    return _value(required.value if required else None)


def _value(value: Value | None) -> list[str]:
    match value:
        case None:
            return ["none"]
        case Known(value=number):
            return [str(number)]
        case OneOf(values=values, open=others):
            return [" | ".join([*(str(each.value) for each in values), *(["..."] if others else [])])]
        case Symbolic(multiple_of=step, maximum=most):
            multiple = [f"multiple of {step}"] if step > 1 else []
            return [*multiple, *([f"at most {most}"] if most is not None else []), "unknown"]
        case Unknown():
            return ["unknown"]


def _range(of: Range | None) -> list[str]:
    if of is None:
        return ["none"]
    shape = "x".join(text if (text := _value(each)[0]).isdigit() or " | " in text else "?" for each in of.extents)
    return [shape, *(_value(of.extents[0]) if len(of.extents) == 1 else [])]


def _at(launch: KernelLaunch, key: str) -> tuple[str, Occupancy | None]:
    _, name, width, *_ = key.split(".")
    found = occupancies(device(name), launch)
    size = int(width.removeprefix("simd"))
    return name, next((each for each in found if each.sub_group_size == size), None)


def _occupancy(launch: KernelLaunch, key: str) -> str:
    _, occupancy = _at(launch, key)
    if occupancy is None:
        return "none"
    match key.rsplit(".", 1)[1]:
        case "threads":
            return str(occupancy.threads_per_group)
        case "share":
            return percent(occupancy.threads_per_group / occupancy.threads_per_core)
        case "groups":
            return str(occupancy.groups_per_core)
        case "ratio":
            return percent(occupancy.ratio)
        case "limiter":
            return str(occupancy.limiter)
        case _:
            raise KeyError(key)


def _rounds(launch: KernelLaunch, key: str) -> str:
    name, occupancy = _at(launch, key)
    cores, groups, tied = device(name).cores, work_groups(launch), pinned(launch, device(name))
    if occupancy is None or groups is None or cores is None or tied is None:
        return "unknown"
    found = waves(occupancy, groups, cores, pinned=tied)
    if found is None:
        return "unknown"
    rounds = [found.full_occupancy] * min(found.full_waves, 1) + [found.last_occupancy] * (found.last_groups > 0)
    return " then ".join(map(percent, rounds))


def percent(share: float) -> str:
    """``57.1%``, ``100%``: one decimal where there is one."""
    return f"{100 * share:.1f}%".replace(".0%", "%")
