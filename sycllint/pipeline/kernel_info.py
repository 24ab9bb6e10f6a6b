"""Compilers' reports joined to launches by the name of the kernel: before the rules run, over all files of a run.

A kernel's name is unique in a program, but a run may be over many: a report belongs to a launch only when no other
launch in sight could be meant. What cannot be told apart is not joined, and a notice says so.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence

from sycllint.compiled.mangled import KernelName, kernel_name
from sycllint.config import Config, target_devices
from sycllint.errors import SycllintError
from sycllint.launch.compiled import CompiledKernel
from sycllint.launch.kernel import KernelLaunch
from sycllint.observation import LAUNCHES_ALONE
from sycllint.pipeline.run import Run
from sycllint.record import record, replace
from sycllint.source.files import Candidate
from sycllint.source.span import Location
from sycllint.values.value import known

Listed = Sequence[tuple[Candidate, Config]]
Reports = Mapping[Location, tuple[CompiledKernel, ...]]


@record
class _Place:
    """One launch in the source, in all the ways to reach it."""

    location: Location
    launches: tuple[KernelLaunch, ...]


def with_kernel_info(run: Run, listed: Listed, kernels: Sequence[CompiledKernel]) -> list[tuple[Candidate, Config]]:
    """``listed`` with the reports that belong to launches in these files, in the settings of each file.

    All files are analysed for that. Raises ``SycllintError`` when a report could be for several of the devices.
    """
    _check_devices(run, kernels)
    notices: dict[str, None] = {}
    joined = _joined(_places(run, listed), kernels, notices)
    run.note(*notices)
    by_path: dict[str, dict[Location, tuple[CompiledKernel, ...]]] = {}
    for location, reports in joined.items():
        by_path.setdefault(location.path, {})[location] = reports
    return [
        (candidate, replace(config, compiled=by_path[candidate.path]) if candidate.path in by_path else config)
        for candidate, config in listed
    ]


def _check_devices(run: Run, kernels: Iterable[CompiledKernel]) -> None:
    """Refuse reports that do not say which of several devices they are for."""
    devices = target_devices(run.configs.project)
    for kernel in kernels:
        of_vendor = [each.name for each in devices if each.vendor is kernel.vendor]
        if kernel.device is None and len(of_vendor) > 1:
            raise SycllintError(
                f"--kernel-info {kernel.path}: does not say for which of {', '.join(of_vendor)} it is; "
                f"write {of_vendor[0]}={kernel.path}"
            )


def _places(run: Run, listed: Listed) -> list[_Place]:
    places: dict[Location, list[KernelLaunch]] = {}
    for file in run.apart().files(listed, None, LAUNCHES_ALONE):
        for launch in file.launches:
            places.setdefault(launch.location, []).append(launch)
    return [_Place(location, tuple(launches)) for location, launches in places.items()]


def _joined(places: Sequence[_Place], kernels: Sequence[CompiledKernel], notices: dict[str, None]) -> Reports:
    by_name: dict[KernelName, list[CompiledKernel]] = {}
    for kernel in kernels:
        name = kernel_name(kernel.name)
        if name is not None and (name.name or name.function):
            by_name.setdefault(name, []).append(kernel)
    found: dict[Location, tuple[CompiledKernel, ...]] = {}
    for name, reports in by_name.items():
        fitting = [each for each in places if _is_meant(name, each)]
        if not fitting:
            continue
        what = f"kernel {name.name}" if name.name else f"the kernel lambda of {name.function}"
        if len(fitting) > 1:
            notices[f"{reports[0].place}: {what} is not joined: {len(fitting)} launches are called so"] = None
            continue
        told = tuple(_told(reports, what, notices))
        place = fitting[0]
        for each in _contradicted(told, place):
            sentence = f"is not joined: its sub-group size is {each.sub_group_size}, the source requires another"
            notices[f"{each.place}: {what} {sentence}"] = None
            told = tuple(other for other in told if other is not each)
        if told:
            found[place.location] = told
    return found


def _is_meant(name: KernelName, place: _Place) -> bool:
    kernel = place.launches[0].kernel
    if name.name is None:
        return not kernel.has_type_name and _last(place.launches[0].function) == name.function
    return kernel.has_type_name and _last(kernel.name) == name.name


def _last(name: str | None) -> str | None:
    """``Foo`` of ``ns::Foo<16>``."""
    return None if name is None else name.partition("<")[0].rpartition("::")[2]


def _told(reports: Sequence[CompiledKernel], what: str, notices: dict[str, None]) -> Iterator[CompiledKernel]:
    """One report for each device; none where several kernels of the name differ, as instantiations do."""
    by_device: dict[object, list[CompiledKernel]] = {}
    for each in reports:
        by_device.setdefault((each.vendor, each.device), []).append(each)
    for same in by_device.values():
        if len({each.numbers for each in same}) == 1:
            yield same[0]
        else:
            device = f" for {same[0].device}" if same[0].device else ""
            notices[f"{same[0].place}: {what} is not joined: {len(same)} kernels{device} are called so"] = None


def _contradicted(reports: Iterable[CompiledKernel], place: _Place) -> Iterator[CompiledKernel]:
    """Reports that cannot be of this source as it stands."""
    for each in reports:
        for launch in place.launches:
            required = known(launch.sub_group_size.value) if launch.sub_group_size is not None else None
            if required is not None and each.sub_group_size not in {None, required}:
                yield each
                break
