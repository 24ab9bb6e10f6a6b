"""Compilers' reports joined to launches by the name of the kernel: before the rules run, over all files of a run.

A kernel's name is unique in a program, but a run may be over many: a report belongs to a launch only when no other
visible launch could be meant. What is ambiguous is not joined, and a notice says so.
"""

from collections.abc import Iterable, Iterator, Sequence

from sycllint.compiled.mangled import KernelName, kernel_name
from sycllint.compiled.matching import fits, key_in_source, key_of
from sycllint.config import Config
from sycllint.errors import SycllintError
from sycllint.grouping import grouped
from sycllint.hardware.device import Device
from sycllint.launch.compiled import CompiledKernel, Joined, KernelInfo
from sycllint.launch.kernel import KernelLaunch
from sycllint.launch.names import Naming
from sycllint.record import record, replace
from sycllint.source.files import Candidate
from sycllint.source.span import Location
from sycllint.values.value import known

Listed = Sequence[tuple[Candidate, Config]]
_Reports = dict[Location, dict[tuple[Naming, ...], tuple[CompiledKernel, ...]]]


@record
class _Place:
    """One launch in the source, in all the ways to reach it."""

    location: Location
    launches: tuple[KernelLaunch, ...]

    @property
    def names(self) -> tuple[Naming, ...]:
        """What its kernel may be called, in all of them."""
        return tuple(dict.fromkeys(name for each in self.launches for name in each.kernel.names))


@record
class _Named:
    """All reports on one kernel, on all devices; a twin for launches with an offset only where it is all there is."""

    name: KernelName
    reports: tuple[CompiledKernel, ...]

    @property
    def place(self) -> str:
        """Of the first report."""
        return self.reports[0].place


@record
class Distributed:
    """What came of the reports of a run."""

    listed: list[tuple[Candidate, Config]]
    """Each file in its settings, with the reports that belong to its launches."""
    notices: tuple[str, ...]
    joined: Joined


def distributed(
    info: KernelInfo, listed: Listed, launches: Iterable[KernelLaunch], devices: Sequence[Device]
) -> Distributed:
    """The reports by the files whose launches they belong to; ``launches`` are those of all the files.

    Raises ``SycllintError``, before it asks for any launch, when a report could be for several of the devices.
    """
    _check_devices(devices, info.kernels)
    joining = _Joining(_places(launches))
    for kernel in _named(info.kernels, joining):
        joining.take(kernel)
    reports = joining.finished()
    by_path: dict[str, _Reports] = {}
    for location, found in reports.items():
        by_path.setdefault(location.path, {})[location] = found
    settings = [
        (candidate, replace(config, compiled=by_path[candidate.path]) if candidate.path in by_path else config)
        for candidate, config in listed
    ]
    return Distributed(settings, tuple(joining.notices), joining.account(len(reports)))


def _check_devices(devices: Sequence[Device], kernels: Iterable[CompiledKernel]) -> None:
    """Refuse reports that do not say which of several devices they are for."""
    for kernel in kernels:
        of_vendor = [each.name for each in devices if each.vendor is kernel.vendor]
        if kernel.device is None and len(of_vendor) > 1:
            raise SycllintError(
                f"--kernel-info {kernel.path}: does not say for which of {', '.join(of_vendor)} it is; "
                f"write {of_vendor[0]}={kernel.path}"
            )


def _places(launches: Iterable[KernelLaunch]) -> list[_Place]:
    places = grouped((launch.location, launch) for launch in launches)
    return [_Place(location, tuple(ways)) for location, ways in places.items()]


def _named(kernels: Iterable[CompiledKernel], joining: "_Joining") -> Iterator[_Named]:
    """The kernels by their names: what wrappers of the SYCL headers are about, and twins, belong to one."""
    names: dict[str, KernelName | None] = {}
    found: dict[str, tuple[KernelName, list[CompiledKernel], list[CompiledKernel]]] = {}
    for kernel in kernels:
        if kernel.name not in names:
            names[kernel.name] = kernel_name(kernel.name)
        name = names[kernel.name]
        if name is None:
            joining.unreadable.add(kernel.name)
        elif name.is_own:
            joining.own.add(name.text)
        else:
            _, plain, twins = found.setdefault(_identity(name), (name, [], []))
            (twins if name.is_twin else plain).append(kernel)
    for name, plain, twins in found.values():
        yield _Named(name, tuple(plain or twins))


def _identity(name: KernelName) -> str:
    """What two kernels of different names differ in; lambdas of one function in their numbers and parameters."""
    return name.text + "".join(
        f"/{each.signature}/{each.number}" for each in name.parts if each.signature or each.number
    )


class _Joining:
    """The kernels of all reports and the launches that each may belong to."""

    def __init__(self, places: Iterable[_Place]) -> None:
        self.own: set[str] = set()
        self.unreadable: set[str] = set()
        self.notices: dict[str, None] = {}
        self._by_key = grouped(
            (key, place) for place in places for key in dict.fromkeys(map(key_in_source, place.names))
        )
        self._taken: dict[Location, tuple[_Place, list[_Named]]] = {}
        self._lambdas: dict[tuple[Location, ...], tuple[list[_Place], list[_Named]]] = {}
        self._kernels: set[str] = set()
        self._elsewhere: set[str] = set()
        self._ambiguous: set[str] = set()

    def take(self, kernel: _Named) -> None:
        """Find the launch of a kernel, of which there may be several instantiations."""
        name = kernel.name
        self._kernels.add(name.text)
        fitting = [
            place for place in self._by_key.get(key_of(name), ()) if any(fits(naming, name) for naming in place.names)
        ]
        if not fitting:
            self._elsewhere.add(name.text)
        elif name.is_lambda:
            key = tuple(each.location for each in fitting)
            self._lambdas.setdefault(key, (fitting, []))[1].append(kernel)
        elif len(fitting) > 1:
            self._ambiguous.add(name.text)
            self._note(kernel, f"is not joined: {len(fitting)} launches are called so")
        else:
            self._join(fitting[0], kernel)

    def finished(self) -> _Reports:
        """The reports of each launch, for each of the names under which it is reached."""
        for places, kernels in self._lambdas.values():
            self._pair(places, kernels)
        found: _Reports = {}
        for location, (place, kernels) in self._taken.items():
            by_names = dict(self._by_names(place, kernels))
            if any(by_names.values()):
                found[location] = by_names
        return found

    def account(self, launches: int) -> Joined:
        """What was joined and what not, by names of kernels."""
        return Joined(
            kernels=len(self._kernels),
            launches=launches,
            elsewhere=tuple(sorted(self._elsewhere)),
            ambiguous=tuple(sorted(self._ambiguous)),
            own=tuple(sorted(self.own)),
            unreadable=tuple(sorted(self.unreadable)),
        )

    def _join(self, place: _Place, kernel: _Named) -> None:
        self._taken.setdefault(place.location, (place, []))[1].append(kernel)

    def _pair(self, places: Sequence[_Place], kernels: Sequence[_Named]) -> None:
        """Lambdas without names of one function: in the order in which they are numbered, where none is missing."""
        numbered = grouped((_numbers(kernel.name), kernel) for kernel in kernels)
        alike = len({_signatures(each.name) for each in kernels}) == 1
        if len(numbered) != len(places) or (len(places) > 1 and not alike):
            self._ambiguous |= {each.name.text for each in kernels}
            launches = "1 launch has" if len(places) == 1 else f"{len(places)} launches have"
            self._note(kernels[0], f"is not joined: {launches} a lambda without a name, of {len(numbered)} compiled")
            return
        ordered = sorted(places, key=lambda each: each.location.span)
        for place, number in zip(ordered, sorted(numbered), strict=True):
            for kernel in numbered[number]:
                self._join(place, kernel)

    def _by_names(
        self, place: _Place, kernels: Sequence[_Named]
    ) -> Iterator[tuple[tuple[Naming, ...], tuple[CompiledKernel, ...]]]:
        """For each way to the launch the instantiations that it stands for."""
        for launch in place.launches:
            names = launch.kernel.names
            yield (
                names,
                tuple(
                    report
                    for kernel in kernels
                    if any(fits(naming, kernel.name) for naming in names)
                    for report in kernel.reports
                    if not self._contradicted(kernel, report, launch)
                ),
            )

    def _contradicted(self, kernel: _Named, report: CompiledKernel, launch: KernelLaunch) -> bool:
        """Whether a report cannot be of this source as it stands."""
        required = known(launch.sub_group_size.value) if launch.sub_group_size is not None else None
        if required is None or report.sub_group_size in {None, required}:
            return False
        what = f"its sub-group size is {report.sub_group_size}, the source requires another"
        self._note(replace(kernel, reports=(report,)), f"is not joined: {what}")
        return True

    def _note(self, kernel: _Named, sentence: str) -> None:
        name = kernel.name
        function = name.function
        what = f"the kernel lambda of {function.name}" if name.is_lambda and function else f"kernel {name.text}"
        self.notices[f"{kernel.place}: {what} {sentence}"] = None


def _numbers(name: KernelName) -> tuple[int, ...]:
    """Where a lambda stands among those of its function, the outer ones first."""
    return tuple(each.number for each in name.parts if each.name == name.last.name)


def _signatures(name: KernelName) -> tuple[str, ...]:
    return tuple(each.signature for each in name.parts if each.name == name.last.name)
