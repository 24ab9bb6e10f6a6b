"""What a run hands to the reporters."""

from collections.abc import Callable, Mapping
from enum import Enum
from typing import TYPE_CHECKING

from sycllint.diagnostic import Diagnostic
from sycllint.record import NamedTuple, field, record

if TYPE_CHECKING:
    from sycllint.hardware.device import Device
    from sycllint.heads import AnyRule
    from sycllint.launch.compiled import Joined, ReadReport
    from sycllint.launch.kernel import KernelLaunch
    from sycllint.launch.not_followed import NotFollowed
    from sycllint.occupancy.filling import Filling
    from sycllint.occupancy.occupancy import Occupancy
    from sycllint.pipeline.baseline import BaselineEntry
    from sycllint.pipeline.shards import Shard


class Hiding(Enum):
    """Why a finding is not reported."""

    SUPPRESSED = "suppressed"
    """A comment in the source silences it."""
    BASELINE = "baseline"
    """It was there before."""
    UNCHANGED = "unchanged"
    """None of its lines changed."""


class Hidden(NamedTuple):
    """A finding that is not reported."""

    diagnostic: Diagnostic
    why: Hiding
    reason: str = ""
    """What the comment says."""


@record
class Result:
    """What one run of ``check`` found, and how much of the input it saw."""

    diagnostics: tuple[Diagnostic, ...]
    """Sorted by path, place and code."""
    targets: tuple[str, ...]
    targets_assumed: bool
    """No target was configured."""
    checked: int
    skipped: int
    """Files that were found and not linted: binary, too large, unreadable."""
    with_parse_errors: int
    notices: tuple[str, ...]
    """One sentence each, most with ``path:line:`` before it."""
    complete: bool
    """False when a file could not be read, a rule crashed, or the run was interrupted."""
    rules: "Callable[[], tuple[AnyRule, ...]]" = field(compare=False)
    """The rules that ran, by code; they are loaded when asked for."""
    interrupted: bool = False
    """Ctrl-C ended the run early."""
    hidden: tuple[Hidden, ...] = ()
    """What was found and is not reported, in the order of ``diagnostics``."""
    absent: "tuple[BaselineEntry, ...]" = ()
    """Entries of the baseline that are no longer found."""
    linted: frozenset[str] = frozenset()
    """Paths of the files that were checked."""
    not_parsed: tuple[str, ...] = ()
    """Files of which parts do not parse, and which may hold a launch."""
    shard: "Shard | None" = None
    """Which part of the files the run was about; ``None`` for all."""
    launches: "Callable[[], Kernels]" = field(default=lambda: NO_LAUNCHES, compare=False)
    """The launches in the files of the run. They are read again for that, when asked for."""


@record
class LaunchReport:
    """One launch, and by target name its occupancies, one per legal sub-group size."""

    launch: "KernelLaunch"
    occupancies: "Mapping[str, tuple[Occupancy, ...]]"
    fillings: "Mapping[str, tuple[Filling, ...]]" = field(default_factory=dict)
    """By target name how it fills the device: for each size that it is launched with and that is known, ascending."""
    local_tuples: tuple[tuple[int, ...], ...] = ()
    """The local range is one of these, all dimensions together; empty when it is one, or not a set of known ones."""
    for_target: str | None = None
    """The target on which a number of ``launch`` rests, where the program asks the device for it."""


@record
class Coverage:
    """How much of a run's launches is known, and what may hide others."""

    launches: int = 0
    sizes_known: int = 0
    """Launches whose work-group size or, where the runtime chooses that, range is one of finitely many."""
    not_followed: "tuple[NotFollowed, ...]" = ()
    """Calls that hand a kernel to a function which is not seen to launch it, by function and place."""
    not_parsed: tuple[str, ...] = ()
    """Files of which parts do not parse."""


@record
class Kernels:
    """What one run of ``kernels`` found; the fields shared with ``Result`` mean the same."""

    launches: tuple[LaunchReport, ...]
    """By path, then in source order."""
    devices: "tuple[Device, ...]"
    targets_assumed: bool
    checked: int
    skipped: int
    with_parse_errors: int
    notices: tuple[str, ...]
    complete: bool
    interrupted: bool = False
    coverage: Coverage = Coverage()
    reports: "tuple[ReadReport, ...]" = ()
    """The files of compilers' reports that were read."""
    joined: "Joined | None" = None
    """What became of the kernels in them; ``None`` without reports."""

    @property
    def targets(self) -> tuple[str, ...]:
        """Names of ``devices``."""
        return tuple(device.name for device in self.devices)


NO_LAUNCHES: Kernels = Kernels((), (), False, 0, 0, 0, (), complete=True)
"""Of a run that looked at no file."""
