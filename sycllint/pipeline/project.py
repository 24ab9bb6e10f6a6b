"""One file to what is known of it: its launches and the records of analyses, seen in the units that hold it."""

import gc
import os
from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING

from sycllint.builds.predefined import with_language_version
from sycllint.cpp.names import LAUNCHING
from sycllint.facts.file import FileFacts
from sycllint.facts.relevance import can_launch, can_offload, names_sycl
from sycllint.host.analyses import ANALYSES as HOST_ANALYSES
from sycllint.host.analyses import HostCode
from sycllint.host.analyses import may_see as host_may_see
from sycllint.host.analyses import may_show as host_may_show
from sycllint.host.analyses import observe as observe_host
from sycllint.launch.build import analyze_unit
from sycllint.launch.helpers import Overloads
from sycllint.launch.kernel import KernelLaunch, also_named
from sycllint.launch.not_followed import NotFollowed, may_hide_launch
from sycllint.launch.openmp.offload import Override
from sycllint.observation import NOTHING, Observations, Wanted, kinds_made
from sycllint.pipeline.kept_facts import KeptFacts
from sycllint.pipeline.units import Compilation, Units
from sycllint.record import record, replace
from sycllint.source.disk import Disk
from sycllint.source.index import is_cpp, leading_in
from sycllint.source.projects import program_folder, project_folder
from sycllint.source.setting import Setting
from sycllint.source.text import SourceFile
from sycllint.spelling.analyses import ANALYSES as SPELLING_ANALYSES
from sycllint.spelling.analyses import may_see as spelling_may_see
from sycllint.spelling.analyses import observe as observe_spelling
from sycllint.spelling.written import SpellingUnit
from sycllint.stopwatch import phase
from sycllint.supersession import checkpoint
from sycllint.symbols.unit import Unit
from sycllint.values.evaluate import Evaluator

if TYPE_CHECKING:
    from sycllint.pipeline.front_end import FrontEnd

UNIT_KINDS = kinds_made(HOST_ANALYSES) | kinds_made(SPELLING_ANALYSES)
"""The kinds of records of a file itself, which may be seen where it launches nothing."""


@record
class SourceAnalysis:
    """What is known of one file from all the units that hold it."""

    launches: tuple[KernelLaunch, ...]
    """In source order."""
    seen: Observations
    """What the analyses of its host code and its spelling saw."""
    notices: tuple[str, ...]
    """What was not analysed, and why, as ``path:line: sentence``."""
    parse_errors: int
    """Places of the file that do not parse; none of a file that is never parsed, as it can say nothing."""
    not_followed: tuple[NotFollowed, ...] = ()
    """Calls that hand a kernel to a function which no unit was seen to launch it in."""
    linked: frozenset[str] = frozenset()
    """Paths of files that decide launches of this one, and in whose own units it is not."""


class Project:
    """Facts and units of one run, remembered as long as they are likely to be wanted again.

    What is said of a file depends on what is on the disk and in the settings, never on which files were looked at
    before.
    """

    def __init__(
        self,
        defines: Mapping[str, str],
        folders: Sequence[str] = (),
        disk: Disk | None = None,
        helpers: Mapping[str, Overloads] = MappingProxyType({}),
        front_end: "FrontEnd | None" = None,
        *,
        database: str | None = None,
        facts: KeptFacts | None = None,
    ) -> None:
        """``helpers`` launch kernels, by name.

        ``database``: the compilation database, or its folder; without it, the nearest of each file.
        """
        self._helpers = helpers
        self._front_end = front_end
        self._disk = disk or Disk()
        self._facts = facts or KeptFacts()
        self._units = Units(defines, folders, self._disk, database, self._facts)
        self._evaluators: dict[str, Evaluator] = {}
        """By root those of the file that was looked at last: they know much of the next, if it has the same roots."""

    def analyze(self, source: SourceFile, wanted: Wanted) -> SourceAnalysis:
        """One file, seen in the translation units that hold it: its launches, and the records that are ``wanted``."""
        of_files = wanted.any_of(UNIT_KINDS)
        path = os.path.normpath(source.path)
        self._facts.next_file()
        leads = self.leads_to_launch(path)
        if not (of_files or leads or self._is_asked_of(source) or can_launch(source.content)):
            # Files that do launch something still get its facts where they include it.
            return SourceAnalysis((), NOTHING, (), 0)
        with phase("build files and includes"):
            compiled = self._units.compilation(path)
            takes_part = leads and self._units.may_launch_elsewhere(source, compiled)
        is_quiet = not takes_part and self._is_quiet(source, leads=leads, of_files=of_files)
        if is_quiet and not names_sycl(source.content):
            return SourceAnalysis((), NOTHING, (), 0)
        with phase("build files and includes"):
            roots = self._units.roots(compiled)
        if is_quiet and roots == [path]:
            # No unit but its own holds it, which is not looked at: facts would be made to count what does not parse.
            return SourceAnalysis((), NOTHING, (), self._facts.damaged(source, compiled.defines))
        self._release_others(roots)
        facts = self._facts.of(path, source, compiled.defines)
        if is_quiet or not (takes_part or self._is_asked_of(source) or _shows(facts, wanted)):
            return SourceAnalysis((), NOTHING, (), len(facts.damaged))
        return self._seen_from(roots, source, facts, compiled, wanted, elsewhere=takes_part)

    def _seen_from(
        self,
        roots: Sequence[str],
        source: SourceFile,
        facts: FileFacts,
        compiled: Compilation,
        wanted: Wanted,
        *,
        elsewhere: bool,
    ) -> SourceAnalysis:
        """A file seen in the units of ``roots``; ``elsewhere``: also as a part of launches in other files."""
        path, of_files = compiled.path, wanted.any_of(UNIT_KINDS)
        launches: dict[tuple[object, ...], KernelLaunch] = {}
        notices: dict[str, None] = {}
        seen: list[Observations] = []
        spelt: SpellingUnit | None = None
        errors = 0
        hidden: list[set[NotFollowed]] = []
        linked: frozenset[str] = frozenset()
        known, self._evaluators = self._evaluators, {}  # what is left in the middle is of no use
        if not known:
            self._units.read(roots[0], facts, compiled)
        for root in roots:
            checkpoint()
            unit, cut, linked_here = self._units.unit(root, facts, compiled)
            linked |= linked_here
            if cut is not None:
                notices[cut] = None
            evaluator = known.get(root)
            if evaluator is None or evaluator.facts is not unit:
                if evaluator is not None:
                    evaluator.release()
                evaluator = known[root] = self._evaluator(root, unit, compiled)
            settings = self._environment(os.path.dirname(path)) if facts.regions else ()
            with phase("launches and kernels"):
                analysis = analyze_unit(source, facts, evaluator, settings, self._helpers, wanted, elsewhere=elsewhere)
            errors = analysis.parse_errors
            hidden.append(set(analysis.not_followed))
            notices.update(dict.fromkeys(analysis.notices))
            if self._front_end is not None:
                notices.update(dict.fromkeys(self._front_end.notices(root)))
                if wanted.any_of(("CapturedObject",)):
                    seen.append(_captured_objects(analysis.launches))
            for launch in analysis.launches:
                key = _identity(launch)
                launches[key] = also_named(launches[key], launch) if key in launches else launch
            if of_files:
                checkpoint()
                spelt = spelt or SpellingUnit(source.content, facts, evaluator, ())
                with phase("host code"):
                    written = tuple(each for each in analysis.launches if each.location.path == facts.path)
                    seen.append(observe_host(HostCode(evaluator, facts, written), wanted))
            if facts.regions:
                seen.append(Observations((*analysis.offloads, *self._overrides(os.path.dirname(path), settings))))
        ordered = tuple(sorted(launches.values(), key=lambda launch: launch.location.span.start))
        if spelt is not None:
            with phase("spelling"):
                seen.append(observe_spelling(replace(spelt, launches=ordered), wanted))
        gathered = Observations.gathered(*(each.records for each in seen), wanted=wanted)
        self._evaluators = known
        return SourceAnalysis(ordered, gathered, tuple(notices), errors, _in_each(hidden), linked)

    def _release_others(self, roots: Sequence[str]) -> None:
        """Forget what is known of units, but for those of these very roots."""
        if self._evaluators.keys() == set(roots):
            return
        for each in self._evaluators.values():
            each.release()
        if self._evaluators:
            # What the analyses kept knows itself in circles and the unit, too. It is young still, and cheap to find.
            gc.collect(0)
        self._evaluators = {}

    def _is_asked_of(self, source: SourceFile) -> bool:
        """Whether a file is seen in its units whatever it launches: by helpers or a front end, or for its kernels."""
        return bool(self._helpers) or self._front_end is not None or may_hide_launch(source.content)

    def _is_quiet(self, source: SourceFile, *, leads: bool, of_files: bool) -> bool:
        """Whether nothing may be seen in a file, by its bytes; ``leads``: no launch has a part there and in others."""
        content = source.content
        if self._is_asked_of(source) or can_offload(content) or self._units.may_launch_alone(source, is_together=leads):
            return False
        return not (of_files and (host_may_show(content) or spelling_may_see(content)))

    def leads_to_launch(self, path: str) -> bool:
        """Whether calls in a file may lead to a launch, by the names in the files of its project."""
        path = os.path.normpath(path)
        return bool(leading_in(project_folder(os.path.dirname(path), self._disk), path, LAUNCHING, self._disk))

    def compiled_with(self, path: str) -> tuple[dict[str, str], tuple[str, ...]]:
        """The macros and the folders of headers with which a file is compiled, as far as the build files say."""
        compiled = self._units.compilation(os.path.normpath(path))
        return dict(compiled.defines), compiled.searched

    def _evaluator(self, root: str, unit: Unit, compiled: Compilation) -> Evaluator:
        """What answers for a unit: with a C++ front end where one is asked for and understands it."""
        if self._front_end is not None:
            defines = with_language_version(compiled.defines, compiled.choices)
            asked = self._front_end.asked(unit, root, defines, compiled.searched, lambda: self._is_settled(unit))
            if asked is not None:
                from sycllint.values.deep import DeepEvaluator

                if any(unit.spells(name.encode()) for name in compiled.choices if name not in defines):
                    # It was asked about one build, and there are others.
                    asked = asked._replace(settings_known=False)
                return DeepEvaluator(unit, compiled.defines, asked)
        return Evaluator(unit, compiled.defines)

    def _is_settled(self, unit: Unit) -> bool:
        """Whether the build says how the unit is compiled, or there is but one way."""
        from sycllint.pipeline.front_end import has_conditions

        sources = (self._disk.source(os.path.normpath(each.path)) for each in unit.files)
        return unit.settings_known or not any(each is None or has_conditions(each.content) for each in sources)

    def _overrides(self, folder: str, settings: Sequence[Setting]) -> Iterator[Override]:
        """What scripts set for the target regions of all files in one folder."""
        if settings:
            from sycllint.facts.openmp import region_count

            sources = [self._disk.source(each) for each in self._beside(folder)]
            regions = sum(region_count(each.content) for each in sources if each is not None)
            for setting in settings:
                yield Override(setting, regions)

    def includers(self, path: str) -> frozenset[str]:
        """The files that include a file, directly or not: what they do with it may be found in it."""
        return self._units.includers(path)

    def program_of(self, path: str) -> str:
        """The folder of the program that a file belongs to."""
        return program_folder(os.path.dirname(os.path.normpath(path)), self._disk)

    def _environment(self, folder: str) -> tuple[Setting, ...]:
        """What the scripts of a folder set, for the OpenMP regions beside them."""
        from sycllint.source.environment import environment

        return self._disk.once(("environment", folder), lambda: environment(folder, self._disk))

    def _beside(self, folder: str) -> Iterator[str]:
        """The C++ files in a folder."""
        names = filter(is_cpp, self._disk.listing(folder).files)
        return (os.path.normpath(os.path.join(folder, each)) for each in names)


def _shows(facts: FileFacts, wanted: Wanted) -> bool:
    """Whether something may be seen in a file whatever is written in others."""
    if facts.submissions or facts.regions:
        return True
    return wanted.any_of(UNIT_KINDS) and (host_may_see(facts) or spelling_may_see(facts.content))


def _in_each(units: Sequence[set[NotFollowed]]) -> tuple[NotFollowed, ...]:
    """The calls that no unit was seen to follow."""
    return tuple(sorted(set.intersection(*units), key=lambda each: each.location)) if units else ()


def _captured_objects(launches: Sequence[KernelLaunch]) -> Observations:
    """What a C++ front end sees kernels reach through ``this``, in the form of the analysis of captures."""
    from sycllint.host.records import CapturedObject
    from sycllint.launch.arguments import KernelArguments

    arguments = (each for launch in launches for each in launch.kernel.seen.of(KernelArguments))
    return Observations(
        tuple(CapturedObject(each.name, each.owner, each.location) for held in arguments for each in held.members)
    )


def _identity(launch: KernelLaunch) -> tuple[object, ...]:
    """What makes two launches of one submission worth keeping both, when several units hold it."""
    return (
        launch.location,
        launch.global_range,
        launch.local_range,
        launch.sub_group_size,
        launch.required_work_group,
        launch.register_count,
        launch.local_memory.total,
        launch.private_memory.total,
        launch.kernel.body,
    )
