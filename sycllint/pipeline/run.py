"""One pass over the files: each is read and analysed, and whatever goes wrong with one is a notice about that one."""

import os
from collections.abc import Callable, Generator, Mapping, Sequence
from typing import TYPE_CHECKING, ParamSpec, TypeVar

from sycllint.config import Config, Configs, target_devices
from sycllint.observation import LAUNCHES_ALONE, Wanted
from sycllint.patience import GivenUp, bounded, given_up
from sycllint.pipeline.linted import Linted
from sycllint.record import field, mutable, record, replace
from sycllint.source.disk import Disk
from sycllint.source.files import Candidate, SkipReason, find_files
from sycllint.source.text import SourceFile
from sycllint.supersession import checkpoint

if TYPE_CHECKING:
    from sycllint.config import Deep
    from sycllint.host.unit import SourceUnit
    from sycllint.launch.compiled import Joined
    from sycllint.launch.kernel import KernelLaunch
    from sycllint.launch.not_followed import NotFollowed
    from sycllint.pipeline.front_end import FrontEnd
    from sycllint.pipeline.project import Project, SourceAnalysis
    from sycllint.pipeline.resident import Resident
    from sycllint.pipeline.store import Store

Answer = TypeVar("Answer")
Asked = ParamSpec("Asked")

Progress = Callable[[int, int], None]
"""Called after each file: files done, files in all."""


@record
class FileAnalysis:
    """One file, and all that rules judge in it."""

    source: SourceFile
    launches: "tuple[KernelLaunch, ...]"
    unit: "SourceUnit"
    config: Config
    """The settings for it."""
    whole: bool = True
    """All of it was understood: it parses, and no analysis gave up."""
    not_followed: "tuple[NotFollowed, ...]" = ()
    """Calls that hand a kernel to a function which is not seen to launch it."""
    linked: frozenset[str] = frozenset()
    """Paths of files that decide launches of this one, and in whose own units it is not."""

    def reports(self, launch: "KernelLaunch") -> bool:
        """Whether a launch is to be reported with this file: its row is here, or where only this file leads to it."""
        return launch.row.path == os.path.normpath(self.source.path) or launch.row.path in self.linked


@mutable
class Run:
    """A pass in progress, and the account of it."""

    configs: Configs
    raise_our_errors: bool = False
    texts: Mapping[str, bytes] = field(default_factory=dict)
    """What stands in for the contents of files on the disk, by path."""
    resident: "Resident | None" = None
    """What the process keeps from run to run."""
    store: "Store | None" = None
    """What is kept on the disk from run to run."""
    checked: int = 0
    skipped: int = 0
    with_parse_errors: int = 0
    not_parsed: list[str] = field(default_factory=list)
    """The paths of these files."""
    complete: bool = True
    interrupted: bool = False
    joined: "Joined | None" = None
    """What became of the kernels of compilers' reports; ``None`` without reports."""
    _notices: dict[str, None] = field(default_factory=dict)
    disk: Disk = field(default_factory=Disk)
    _projects: "dict[object, Project]" = field(default_factory=dict)

    def __post_init__(self) -> None:
        if self.texts or self.resident is not None or self.store is not None:
            self.disk = Disk(self.texts, None if self.resident is None else self.resident.memory, self.store)

    def apart(self) -> "Run":
        """The same run with an account of its own, for one of its files."""
        own = Run(self.configs, self.raise_our_errors, disk=self.disk, _projects=self._projects)
        own.texts, own.resident, own.store = self.texts, self.resident, self.store
        return own

    def take(self, linted: Linted) -> None:
        """Count one file to this account."""
        self.checked += linted.checked
        self.skipped += linted.skipped
        self.with_parse_errors += linted.with_parse_errors
        self.complete &= linted.complete
        self.note(*linted.notices)

    @property
    def notices(self) -> tuple[str, ...]:
        """Each once, in the order they came up."""
        return tuple(self._notices)

    def listed(self, paths: Sequence[str]) -> list[tuple[Candidate, Config]]:
        """The files that ``paths`` stand for and the settings for each. Errors as in ``find_files``."""
        listing = find_files(
            paths,
            excluded=self.configs.excluded,
            gitignore=self.configs.project.respect_gitignore,
            texts=self.texts,
        )
        self.note(*listing.notices)
        self.complete &= listing.complete
        if not listing.files and listing.complete:
            self.note("no C++ files found")
        listed = [(each, self.configs.of(each.path)) for each in listing.files]
        if not self.configs.kernel_info.files:
            return listed
        from sycllint.pipeline.kernel_info import distributed

        files = self.apart().files(listed, None, LAUNCHES_ALONE)
        launches = (launch for file in files for launch in file.launches)
        found = distributed(self.configs.kernel_info, listed, launches, target_devices(self.configs.project))
        self.note(*found.notices)
        self.joined = found.joined
        return found.listed

    def files(
        self, listed: Sequence[tuple[Candidate, Config]], on_progress: Progress | None, wanted: Wanted
    ) -> Generator[FileAnalysis, None, None]:
        """Each of ``listed`` that could be read, with the records that are ``wanted``.

        Its launches can be asked until the next one is.
        """
        wanted = replace(wanted, named=bool(self.configs.kernel_info.files))
        if self.resident is not None:
            wanted = replace(wanted, kernels_above=0)  # an editor shows them
        for number, (candidate, config) in enumerate(listed, 1):
            checkpoint()
            source = self._read(candidate)
            if source is not None:
                yield self._analysis(source, config, wanted)
            if on_progress is not None:
                on_progress(number, len(listed))

    def source(self, path: str) -> SourceFile:
        """The text of a file as this run sees it; an empty one when it cannot be read any more."""
        return self.disk.source(path) or SourceFile(path, b"")

    def program_of(self, path: str, config: Config) -> str:
        """The folder of the program that a file belongs to."""
        return self._project(config).program_of(path)

    def includers(self, path: str, config: Config | None = None) -> frozenset[str]:
        """The files of its program that include a file, directly or not; absolute paths."""
        found = self._project(config or self.configs.of(path)).includers(path)
        return frozenset(map(os.path.abspath, found))

    def interrupt(self) -> None:
        """Take Ctrl-C as the end of the run."""
        self.interrupted = True
        self.complete = False

    def guarded(
        self, what: str, work: Callable[Asked, Answer], /, *asked: Asked.args, **more: Asked.kwargs
    ) -> Answer | None:
        """What ``work`` answers; should it crash, ``None`` and the notice that ``what`` crashed."""
        try:
            return work(*asked, **more)
        except RecursionError:
            if self.raise_our_errors:
                raise
            self.failed(f"{what}: the code is nested too deeply")
        except (Exception, SystemExit) as error:  # the one place where bugs end, ours and those of packs
            if self.raise_our_errors:
                raise
            self.failed(f"{what}: internal error: {_described(error)}")
        return None

    def _read(self, candidate: Candidate) -> SourceFile | None:
        source = self.disk.read(candidate)
        if isinstance(source, SourceFile):
            return source
        self.skipped += 1
        if source.reason is SkipReason.UNREADABLE:
            self.failed(source.notice)
        elif candidate.named or source.reason is not SkipReason.BINARY:
            self.note(source.notice)
        return None

    def _analysis(self, source: SourceFile, config: Config, wanted: Wanted) -> FileAnalysis:
        from sycllint.facts.relevance import can_matter, holds_sycl
        from sycllint.host.unit import SourceUnit

        self.checked += 1
        nothing = FileAnalysis(source, (), SourceUnit(source.path), config)
        project = self._project(config)
        if not can_matter(source.content, config.launch_helpers) and not project.leads_to_launch(source.path):
            return nothing
        unit: SourceAnalysis | None = None
        try:
            with bounded(len(source.content)):
                unit = self.guarded(f"{source.path}: not analysed", project.analyze, source, wanted)
        except GivenUp as why:
            self.failed(given_up(source.path, len(source.content), why))
        if unit is None:
            self.checked -= 1
            self.skipped += 1
            return replace(nothing, whole=False)
        self.note(*unit.notices)
        if unit.parse_errors and (unit.launches or holds_sycl(source.content)):
            # Of what is no SYCL, as CUDA in the same project, nothing is lost.
            self.with_parse_errors += 1
            self.not_parsed.append(source.path)
            places = "1 place does" if unit.parse_errors == 1 else f"{unit.parse_errors} places do"
            self.note(f"{source.path}: {places} not parse, and what stands there is not analysed")
        whole = not unit.parse_errors and not unit.notices
        launches = unit.launches
        if config.compiled:
            from sycllint.launch.kernel import with_reports

            launches = with_reports(launches, config.compiled)
        seen = SourceUnit(source.path, unit.seen)
        return FileAnalysis(source, launches, seen, config, whole, unit.not_followed, unit.linked)

    def _project(self, config: Config) -> "Project":
        """What is remembered between files that are read alike."""
        from sycllint.pipeline.kept_facts import KeptFacts
        from sycllint.pipeline.project import Project

        helpers = frozenset(config.launch_helpers.items())
        key = (frozenset(config.defines.items()), config.include, helpers, config.deep)
        if key not in self._projects:
            front_end = self._front_end(config.deep)
            facts = KeptFacts() if self.resident is None else self.resident.facts
            if self.store is not None:
                facts.make = self.store.file_facts
            self._projects[key] = Project(
                config.defines,
                config.include,
                self.disk,
                config.launch_helpers,
                front_end,
                database=config.deep.database,
                facts=facts,
            )
        return self._projects[key]

    def _front_end(self, deep: "Deep") -> "FrontEnd | None":
        """A C++ front end, where one is asked for."""
        if deep.use == "off":
            return None
        from sycllint.pipeline.front_end import FrontEnd

        return FrontEnd(deep, self.disk, self.texts)

    def failed(self, notice: str) -> None:
        """Something was not linted."""
        self.complete = False
        self.note(notice)

    def note(self, *notices: str) -> None:
        """Tell these with the result."""
        self._notices.update(dict.fromkeys(notices))


def _described(error: BaseException) -> str:
    """The exception and the line of ours that raised it: ``KeyError 'x' (evaluate.py:12)``."""
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    place = "" if trace is None else f" ({os.path.basename(trace.tb_frame.f_code.co_filename)}:{trace.tb_lineno})"
    text = " ".join(str(error).split())
    return f"{type(error).__name__}{': ' if text else ''}{text}{place}"
