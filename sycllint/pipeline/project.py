"""Files to translation units: what each file includes, who includes it, and how the project is compiled."""

import os
from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING

from sycllint.cpp.node import walk
from sycllint.cpp.statement import Include
from sycllint.facts.file import FileFacts
from sycllint.facts.relevance import can_launch
from sycllint.host.analyses import ANALYSES as HOST_ANALYSES
from sycllint.host.analyses import HostCode
from sycllint.host.analyses import observe as observe_host
from sycllint.launch.build import analyze_unit
from sycllint.launch.helpers import LaunchHelper
from sycllint.launch.kernel import KernelLaunch, also_named
from sycllint.launch.offload import Override
from sycllint.observation import NOTHING, Observations, Wanted, kinds_made
from sycllint.pipeline.kept_facts import KeptFacts
from sycllint.record import field, mutable, record, replace
from sycllint.source.build import MAKEFILES, BuildSettings, build_settings
from sycllint.source.disk import Disk
from sycllint.source.files import EXTENSIONS, shown
from sycllint.source.includes import Directive, resolve
from sycllint.source.setting import Setting
from sycllint.source.text import SourceFile
from sycllint.spelling.analyses import ANALYSES as SPELLING_ANALYSES
from sycllint.spelling.analyses import observe as observe_spelling
from sycllint.spelling.written import Written
from sycllint.stopwatch import phase
from sycllint.supersession import checkpoint
from sycllint.values.evaluate import Evaluator
from sycllint.values.unit import Unit

if TYPE_CHECKING:
    from sycllint.pipeline.front_end import FrontEnd

MAX_PROGRAM_FILES = 300
"""A folder with more C++ files than this is not one program; then only a file's own folder is looked at."""
MAX_UNIT_FILES = 200
MAX_ROOTS = 3
"""Units in which one header is looked at."""
HEADER_LIMIT = 2_000_000
"""Bytes of an included file; larger ones are tables."""
_MARKS = (*MAKEFILES, "CMakeLists.txt", "compile_commands.json", "meson.build", ".git")
_SKIPPED = frozenset({"build", "CMakeFiles", "node_modules"})
UNIT_KINDS = kinds_made(HOST_ANALYSES) | kinds_made(SPELLING_ANALYSES)
"""The kinds of records of a file itself, which may be seen where it launches nothing."""


_Key = tuple[str, str, tuple[str, ...]]


@mutable
class _Program:
    """The files of one program folder, and who includes whom."""

    key: _Key
    """Its folder; the only folder in it that is looked at, where there are too many; where its headers lie."""
    files: tuple[str, ...]
    includes: dict[str, tuple[tuple[Directive, str], ...]] = field(default_factory=dict)
    users: dict[str, list[str]] = field(default_factory=dict)


@record
class Analysis:
    """What is known of one file from all the units that hold it."""

    launches: tuple[KernelLaunch, ...]
    """In source order."""
    seen: Observations
    """What the analyses of its host code and its spelling saw."""
    notices: tuple[str, ...]
    """What was not analysed, and why, as ``path:line: sentence``."""
    parse_errors: int
    """Places of the file that do not parse; none of a file that is never parsed, as it can say nothing."""
    evaluators: tuple[Evaluator, ...] = field(default=(), compare=False, repr=False)
    """Who is asked for the circumstances of the launches."""

    def release(self) -> None:
        """Forget all but what is here: no more can be asked of the launches."""
        for each in self.evaluators:
            each.release()


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
        helpers: Mapping[str, LaunchHelper] = MappingProxyType({}),
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
        self._database = database
        self._defines = dict(defines)
        self._folders = tuple(folders)
        self._disk = disk or Disk()
        self._facts = facts or KeptFacts()

    def analyze(self, source: SourceFile, wanted: Wanted) -> Analysis:
        """One file, seen in the translation units that hold it: its launches, and the records that are ``wanted``."""
        of_files = wanted.any_of(UNIT_KINDS)
        # Files that launch nothing by themselves matter, too.
        matters = of_files or bool(self._helpers) or self._front_end is not None
        if not (matters or can_launch(source.content)):
            # Files that do launch something still get its facts where they include it.
            return Analysis((), NOTHING, (), 0)
        path = os.path.normpath(source.path)
        with phase("build files and includes"):
            built = self._build_settings(path)
        defines = {**built.defines, **self._defines}
        facts = self._facts.of(path, source, defines)
        if not (matters or facts.submissions or facts.regions):
            return Analysis((), NOTHING, (), len(facts.damaged))
        with phase("build files and includes"):
            program = self._program(path, built)
        launches: dict[tuple[object, ...], KernelLaunch] = {}
        notices: dict[str, None] = {}
        seen: list[Observations] = []
        spelt: Written | None = None
        evaluators: list[Evaluator] = []
        errors = 0
        for root in self._roots(path, program):
            checkpoint()
            unit = self._unit(root, path, facts, program, built, defines)
            evaluator = self._evaluator(root, unit, program, defines)
            evaluators.append(evaluator)
            settings = self._environment(os.path.dirname(path)) if facts.regions else ()
            with phase("launches and kernels"):
                analysis = analyze_unit(source, facts, evaluator, settings, self._helpers, wanted)
            errors = analysis.parse_errors
            notices.update(dict.fromkeys(analysis.notices))
            if self._front_end is not None:
                notices.update(dict.fromkeys(self._front_end.notices(root)))
                if wanted.any_of(("CapturedObject",)):
                    seen.append(_captured_objects(analysis.launches))
            for launch in analysis.launches:
                key = _told_apart(launch)
                launches[key] = also_named(launches[key], launch) if key in launches else launch
            if of_files:
                checkpoint()
                spelt = spelt or Written(source.content, facts, evaluator, ())
                with phase("host code"):
                    seen.append(observe_host(HostCode(evaluator, facts, analysis.launches), wanted))
            if facts.regions:
                seen.append(Observations((*analysis.offloads, *self._overrides(os.path.dirname(path), settings))))
        ordered = tuple(sorted(launches.values(), key=lambda launch: launch.location.span.start))
        if spelt is not None:
            with phase("spelling"):
                seen.append(observe_spelling(replace(spelt, launches=ordered), wanted))
        gathered = Observations.gathered(*(each.records for each in seen), wanted=wanted)
        return Analysis(ordered, gathered, tuple(notices), errors, tuple(evaluators))

    def compiled_with(self, path: str) -> tuple[dict[str, str], tuple[str, ...]]:
        """The macros and the folders of headers with which a file is compiled, as far as the build files say."""
        path = os.path.normpath(path)
        built = self._build_settings(path)
        return {**built.defines, **self._defines}, self._search_folders(self._program(path, built))

    def _evaluator(self, root: str, unit: Unit, program: _Program, defines: Mapping[str, str]) -> Evaluator:
        """What answers for a unit: with a C++ front end where one is asked for and understands it."""
        if self._front_end is not None:
            folders = self._search_folders(program)
            asked = self._front_end.asked(root, defines, folders, lambda: self._is_settled(unit))
            if asked is not None:
                from sycllint.values.deep import DeepEvaluator

                return DeepEvaluator(unit, defines, asked)
        return Evaluator(unit, defines)

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
        """The files of its program that include a file, directly or not: what they do with it may be found in it."""
        path = os.path.normpath(path)
        program = self._program(path, self._build_settings(path))
        found: set[str] = set()
        waiting = [path]
        while waiting:
            users = [each for each in program.users.get(waiting.pop(), ()) if each not in found and each != path]
            found.update(users)
            waiting += users
        return frozenset(found)

    # --------------------------------------------------------------- program

    def program_of(self, path: str) -> str:
        """The folder of the files that are looked at together with a file."""
        folder = os.path.dirname(os.path.normpath(path))
        program = self._program_folder(folder)
        return folder if len(self._files_of(program)) >= MAX_PROGRAM_FILES else program

    def _files_of(self, folder: str) -> tuple[str, ...]:
        return self._disk.once(("program", folder), lambda: tuple(self._listed(folder)))

    def _program(self, path: str, built: BuildSettings) -> _Program:
        """The program of a file; only the last one is kept."""
        folder = self._program_folder(os.path.dirname(path))
        files = self._files_of(folder)
        narrow = os.path.dirname(path) if len(files) >= MAX_PROGRAM_FILES else ""
        key = (folder, narrow, built.folders)
        return self._disk.latest("program", (key, files, self._folders), lambda: self._read_program(key, files))

    def _build_settings(self, path: str) -> BuildSettings:
        return build_settings(self._program_folder(os.path.dirname(path)) or ".", path, self._disk, self._database)

    def _environment(self, folder: str) -> tuple[Setting, ...]:
        """What the scripts of a folder set, for the OpenMP regions beside them."""
        from sycllint.source.environment import environment

        return self._disk.once(("environment", folder), lambda: environment(folder, self._disk))

    def _program_folder(self, folder: str) -> str:
        """The nearest folder upwards that a build file or a repository marks; else the folder itself."""
        return self._disk.once(("program folder", folder), lambda: self._marked(folder) or folder)

    def _marked(self, folder: str) -> str:
        current = folder
        for _ in range(6):
            if any(self._disk.exists(os.path.join(current, mark)) for mark in _MARKS):
                return current
            parent = os.path.dirname(os.path.abspath(current or "."))
            if parent == os.path.abspath(current or "."):
                break
            current = shown(parent) if not os.path.isabs(folder) else parent
        return ""

    def _read_program(self, key: _Key, files: tuple[str, ...]) -> _Program:
        if len(files) >= MAX_PROGRAM_FILES:
            files = tuple(self._beside(key[1]))
        program = _Program(key, files)
        search = self._search_folders(program)
        targets: dict[tuple[str, str], str | None] = {}
        waiting = list(files)
        while waiting:
            each = waiting.pop()
            if each in program.includes or len(program.includes) > 4 * MAX_PROGRAM_FILES:
                continue
            found = []
            folder = os.path.dirname(each)
            for directive in self._disk.outline(each).includes:
                asked = (directive.path, folder if directive.quoted else "<>")
                if asked not in targets:
                    targets[asked] = resolve(directive.path, directive.quoted, each, search, self._disk.is_file)
                target = targets[asked]
                if target is not None:
                    found.append((directive, target))
                    program.users.setdefault(target, []).append(each)
                    waiting.append(target)
            program.includes[each] = tuple(found)
        return program

    def _search_folders(self, program: _Program) -> tuple[str, ...]:
        base, _, folders = program.key
        return (
            *self._folders,
            *folders,
            base,
            os.path.join(base, "include"),
            os.path.join(base, "src"),
        )

    def _listed(self, folder: str) -> Iterator[str]:
        """The C++ files below ``folder``, without build folders; at most ``MAX_PROGRAM_FILES``."""
        waiting = [folder]
        count = 0
        while waiting:
            current = waiting.pop()
            listing = self._disk.listing(current)
            for name in listing.files:
                if name.lower().endswith(EXTENSIONS):
                    yield os.path.normpath(os.path.join(current, name))
                    count += 1
                    if count >= MAX_PROGRAM_FILES:
                        return
            below = [each for each in listing.folders if each not in _SKIPPED]
            waiting.extend(os.path.join(current, each) for each in reversed(below))

    def _beside(self, folder: str) -> Iterator[str]:
        for name in self._disk.listing(folder).files:
            if name.lower().endswith(EXTENSIONS):
                yield os.path.normpath(os.path.join(folder, name))

    def _roots(self, path: str, program: _Program) -> list[str]:
        """Files that nobody includes and that include ``path``; the file itself when there is none."""
        seen: set[str] = set()
        roots: list[str] = []
        waiting = [path]
        while waiting:
            each = waiting.pop()
            if each in seen:
                continue
            seen.add(each)
            users = [user for user in program.users.get(each, ()) if user != each]
            if users:
                waiting.extend(users)
            else:
                roots.append(each)
        return sorted(roots)[:MAX_ROOTS] or [path]

    # ------------------------------------------------------------------ unit

    def _unit(
        self,
        root: str,
        path: str,
        facts: FileFacts,
        program: _Program,
        built: BuildSettings,
        defines: Mapping[str, str],
    ) -> Unit:
        files: dict[str, FileFacts] = {}
        positions: dict[str, tuple[int, ...]] = {}
        included: dict[int, FileFacts] = {}
        self._collect(root, (0,), program, defines, files, positions, included)
        if path not in files:
            files[path] = facts
            positions[facts.path] = (0,)
        has_main = any("main" in each.functions for each in files.values())
        if not has_main:
            companion = self._companion(root, program)
            if companion is not None:
                self._collect(companion, (1,), program, defines, files, positions, included)
                has_main = any("main" in each.functions for each in files.values())
        ordered = [facts, *(each for each in files.values() if each is not facts)]
        return Unit(ordered, positions, included, settings_known=built.known, whole_program=has_main)

    def _collect(
        self,
        path: str,
        position: tuple[int, ...],
        program: _Program,
        defines: Mapping[str, str],
        files: dict[str, FileFacts],
        positions: dict[str, tuple[int, ...]],
        included: dict[int, FileFacts],
    ) -> None:
        """Add a file and what it includes, each once, in the preprocessor's order."""
        if path in files or len(files) >= MAX_UNIT_FILES or len(position) > 40:
            return
        source = self._usable(path)
        if source is None:
            return
        facts = self._facts.of(path, source, defines)
        files[path] = facts
        positions[facts.path] = position
        targets = {each.path: target for each, target in program.includes.get(path, ())}
        for directive, target in program.includes.get(path, ()):
            self._collect(target, (*position, directive.offset), program, defines, files, positions, included)
        for node in _include_nodes(facts, len(program.includes.get(path, ()))):
            found = targets.get(node.path)
            if found is not None and found in files:
                included[id(node)] = files[found]

    def _companion(self, root: str, program: _Program) -> str | None:
        """The one file of the program with ``main``, whose calls reach the functions of the others."""
        found = [
            each
            for each in program.files
            if each != root and not program.users.get(each) and self._disk.outline(each).has_main
        ]
        return found[0] if len(found) == 1 else None

    # ----------------------------------------------------------------- files

    def _usable(self, path: str) -> SourceFile | None:
        """A file to be included, unless it is a table."""
        source = self._disk.source(path)
        return source if source is not None and len(source.content) <= HEADER_LIMIT else None


def _captured_objects(launches: Sequence[KernelLaunch]) -> Observations:
    """What a C++ front end sees kernels reach through ``this``, as the analysis of captures tells it."""
    from sycllint.host.records import CapturedObject
    from sycllint.launch.arguments import KernelArguments

    arguments = (each for launch in launches for each in launch.kernel.seen.of(KernelArguments))
    return Observations(
        tuple(CapturedObject(each.name, each.owner, each.location) for held in arguments for each in held.members)
    )


def _told_apart(launch: KernelLaunch) -> tuple[object, ...]:
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
    )


def _include_nodes(facts: FileFacts, expected: int) -> Iterator[Include]:
    """The include directives of a file; those inside lambdas are looked for only when the file has them."""
    if len(facts.includes) >= expected:
        yield from facts.includes
    else:
        for node in walk(facts.unit):
            if isinstance(node, Include):
                yield node
