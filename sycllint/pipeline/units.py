"""Files to translation units: what each file includes, who includes it, and how the project is compiled."""

import os
from collections import OrderedDict
from collections.abc import Iterable, Iterator, KeysView, Mapping, Sequence
from functools import cached_property, lru_cache

from sycllint.builds.reading import build_settings
from sycllint.builds.settings import Choice, given
from sycllint.cpp.node import walk
from sycllint.cpp.statement import Include
from sycllint.facts.file import FileFacts
from sycllint.facts.possible_launches import launch_marks, may_launch, may_launch_alone
from sycllint.facts.postings import FileSet
from sycllint.garbage import exempt_live_objects
from sycllint.pipeline.kept_facts import KeptFacts
from sycllint.record import NamedTuple, field, record, singular
from sycllint.source.closure import ClosureFile, Closures
from sycllint.source.disk import Asked, Disk
from sycllint.source.files import HEADERS
from sycllint.source.index import mains_of, nearest, own_folders, users_of
from sycllint.source.projects import program_folder, project_folder
from sycllint.source.text import SourceFile
from sycllint.symbols.unit import Unit

MAX_ROOTS = 3
"""Units in which one header is looked at."""
HEADER_LIMIT = 2_000_000
"""Bytes of an included file; larger ones are tables."""
UNIT_LIMIT = 12_000_000
"""Bytes of the files of one unit: their facts are in memory at the same time."""
MAX_OUTSIDE = 40
"""Files outside a unit that are searched for what they do with its classes."""
KEPT_MARKS = 512
"""Headers of which it is kept what all that they include contributes to launches."""
KEPT_FILES = 1_200
"""Files of the units that are kept, beside as many units as one header has: the headers of a folder share a few."""


@record
class Compilation:
    """How one file is compiled, as far as that is known."""

    path: str
    program: str
    """The folder of its program."""
    defines: Mapping[str, str]
    """Macros of the build and of the configuration."""
    folders: tuple[str, ...]
    """The include path that the configuration and the build state."""
    known: bool
    """The build says how the file is compiled."""
    choices: Mapping[str, Choice]
    """Macros that the build defines in one way or another."""

    @property
    def searched(self) -> tuple[str, ...]:
        """Folders in which a header is looked for."""
        return (*self.folders, *own_folders(self.program))


class Units:
    """Compilations and units of one run under one configuration.

    What is said of a file depends on what is on the disk and in the settings, never on which files were looked at
    before.
    """

    def __init__(
        self,
        defines: Mapping[str, str],
        folders: Sequence[str],
        disk: Disk,
        database: str | None,
        facts: KeptFacts,
    ) -> None:
        self._defines = dict(defines)
        self._folders = tuple(folders)
        self._disk = disk
        self._database = database
        self._facts = facts
        self._closures = Closures(disk)
        self._gathered: OrderedDict[object, _Gathered] = OrderedDict()
        self._files_kept = 0
        """The files of those, each as often as it is in one."""
        self._marks: dict[str, int] = {}
        """By path (see ``launch_marks``)."""
        self._below: OrderedDict[tuple[str, tuple[str, ...]], tuple[_Marks, Asked]] = OrderedDict()
        self._drops = 0
        """How many facts had been dropped when it was last looked whether those of the units are still kept."""

    def compilation(self, path: str) -> Compilation:
        """How a file is compiled."""
        program = program_folder(os.path.dirname(path), self._disk)
        built = given(build_settings(program or ".", path, self._disk, self._database), self._defines)
        folders = (*self._folders, *built.folders)
        return Compilation(path, program, built.defines, folders, built.known, built.choices)

    # ---------------------------------------------------------------- users

    def roots(self, compiled: Compilation) -> list[str]:
        """Files that no other includes and that include a file; the file itself when there is none.

        Those of its program come first; of a header, then those of the project, the nearest first.
        """
        path = compiled.path
        _, roots = users_of(compiled.program, path, compiled.folders, self._disk)
        project = self._project_of_header(compiled)
        if project is not None:
            including, others = users_of(project, path, self._folders, self._disk)
            roots = tuple(each for each in roots if each in others or each not in including)
            rest = set(others).difference(roots)
            roots += tuple(each for _, each in nearest(rest, os.path.dirname(path)))
        return list(roots[:MAX_ROOTS]) or [path]

    def includers(self, path: str) -> frozenset[str]:
        """The files that include a file, directly or not: what they do with it may be found in it."""
        compiled = self.compilation(os.path.normpath(path))
        found, _ = users_of(compiled.program, compiled.path, compiled.folders, self._disk)
        project = self._project_of_header(compiled)
        return found if project is None else found | users_of(project, compiled.path, self._folders, self._disk)[0]

    def _project_of_header(self, compiled: Compilation) -> str | None:
        """Where users of a header are looked for beside its program: sources are included by their own program only."""
        if not compiled.path.lower().endswith(HEADERS):
            return None
        project = project_folder(os.path.dirname(compiled.path), self._disk)
        return None if project == compiled.program else project

    # ------------------------------------------------------------- launches

    def may_launch_elsewhere(self, source: SourceFile, compiled: Compilation) -> bool:
        """Whether a unit of a file may hold a launch that another file takes part in (see ``may_launch``).

        Also where not all of a unit is read, which is to be reported. A unit has no more files than the one that is
        looked at and those that its root and the program's ``main`` include, and all that is known of it follows from
        their bytes and the macros of the build.
        """
        texts = (*compiled.defines.values(), *(text for each in compiled.choices.values() for text in each.texts))
        if any(map(_may_name_launch, texts)):
            return True
        own = self._marks_in(source)
        for root in self.roots(compiled):
            marks, size = own, 0
            companion = self._companion(root, compiled)
            for each in (root, companion) if companion is not None else (root,):
                sizes: dict[str, int] = {}
                for part in self._marks_of(each, compiled.folders):
                    marks |= part.marks
                    sizes |= part.sizes
                    if may_launch((marks,)):
                        return True
                size += sum(sizes.values())
            if size > UNIT_LIMIT:
                return True
        return False

    def may_launch_alone(self, source: SourceFile, *, is_together: bool) -> bool:
        """Whether a file may launch what no other file takes part in (see ``may_launch_alone``)."""
        return may_launch_alone(self._marks_in(source), is_together=is_together)

    def _marks_of(self, root: str, folders: tuple[str, ...]) -> "Iterator[_Marks]":
        """Those of a root and of all files that it includes, of which it has most in common with other roots."""
        yield self._marks_at(root)
        for _, target in self._closures.includes(root, folders):
            yield self._marks_below(target, folders)

    def _marks_below(self, header: str, folders: tuple[str, ...]) -> "_Marks":
        """Those of a header and of all files that it includes."""
        key = (header, folders)
        known = self._below.pop(key, None)
        if known is None:
            with self._disk.asking() as asked:
                known = (_united(map(self._marks_at, self._closures.reached(header, folders))), asked)
        self._below[key] = known
        while len(self._below) > KEPT_MARKS:
            self._below.popitem(last=False)
        self._disk.rest_on(known[1])
        return known[0]

    def _marks_at(self, path: str) -> "_Marks":
        source = self._disk.source(path)
        if source is None or len(source.content) > HEADER_LIMIT:
            return _Marks(0, {})
        return _Marks(self._marks_in(source), {path: len(source.content)})

    def _marks_in(self, source: SourceFile) -> int:
        known = self._marks.get(source.path)
        if known is None:
            known = self._marks[source.path] = launch_marks(source.content)
        return known

    # ----------------------------------------------------------------- unit

    def read(self, root: str, facts: FileFacts, compiled: Compilation) -> None:
        """Read the files of a unit before the first analysis of it, and keep them from the garbage collector."""
        self._of_root(root, facts, compiled)
        exempt_live_objects()

    def unit(self, root: str, facts: FileFacts, compiled: Compilation) -> "SeenUnit":
        """The unit of ``root`` as seen from a file in it."""
        gathered = self._of_root(root, facts, compiled)
        unit = gathered.unit
        if unit is None or (unit.settings_known, unit.choices) != (compiled.known, compiled.choices):
            unit = gathered.unit = Unit(
                gathered.files,
                gathered.positions,
                gathered.included,
                settings_known=compiled.known,
                whole_program=gathered.has_main,
                choices=compiled.choices,
                postings=self._facts.postings,
                outside=_Outside(self, self._disk, gathered.by_path.keys(), gathered.asked),
            )
        unit.main = facts
        limit = UNIT_LIMIT // 1_000_000
        cut = f"{facts.path}: more than {limit} MB of included files; the rest is not read" if gathered.cut else None
        is_shared = compiled.path in gathered.of_companion
        return SeenUnit(unit, cut, frozenset() if is_shared else gathered.linked)

    def _of_root(self, root: str, facts: FileFacts, compiled: Compilation) -> "_Gathered":
        """The files of a root's unit, with ``facts`` among them, whether the root leads there or not."""
        key = (root, compiled.program, compiled.folders, frozenset(compiled.defines.items()))
        known = self._forget(key)
        # Those of a file that was dropped from ``KeptFacts`` meanwhile are other objects.
        if known is None or known.by_path.get(compiled.path) is not facts:
            with self._disk.asking() as asked:
                known = self._gather(root, facts, compiled)
            known.asked = asked
        if self._drops != self._facts.drops:
            # A unit would keep the facts in memory that are dropped to save it.
            self._drops = self._facts.drops
            dropped = [each for each, other in self._gathered.items() if not self._facts.has_all(other.files)]
            for each in dropped:
                self._forget(each)
        self._gathered[key] = known
        self._files_kept += len(known.files)
        while len(self._gathered) > MAX_ROOTS and self._files_kept > KEPT_FILES:
            self._forget(next(iter(self._gathered)))
        self._disk.rest_on(known.asked)
        return known

    def _forget(self, key: object) -> "_Gathered | None":
        found = self._gathered.pop(key, None)
        if found is not None:
            self._files_kept -= len(found.files)
        return found

    def _gather(self, root: str, facts: FileFacts, compiled: Compilation) -> "_Gathered":
        made = _Making(self._disk, self._facts, compiled, facts)
        made.add(self._closures.of(root, compiled.folders), 0)
        if compiled.path not in made.files:
            made.put(compiled.path, facts, (0,))
        if not made.has_main:
            companion = self._companion(root, compiled)
            if companion is not None:
                made.link(self._closures.of(companion, compiled.folders))
        files = tuple(made.files.values())
        if any(each.uses for each in files):
            from sycllint.facts.generated import generated
            from sycllint.facts.macro_table import MacroTable
            from sycllint.facts.written_constants import written_constants

            macros = MacroTable(FileSet(files, self._facts.postings))
            written = (*generated(macros, compiled.defines), *written_constants(macros, compiled.defines))
            files = (*files, *written)
        included = Inclusions(made.members, made.files)
        return _Gathered(
            files, made.files, made.positions, included, made.has_main, made.cut, made.of_companion, made.linked
        )

    def _companion(self, root: str, compiled: Compilation) -> str | None:
        """The one file of the program with ``main``, whose calls reach the functions of the others."""
        found = [each for each in mains_of(compiled.program, compiled.folders, self._disk) if each != root]
        return found[0] if len(found) == 1 else None


@lru_cache(maxsize=256)
def _may_name_launch(text: str) -> bool:
    """Whether the text of a macro may be of a launch."""
    return launch_marks(b"#" + text.encode(errors="surrogateescape")) != 0


class _Marks(NamedTuple):
    """What some files contribute to launches."""

    marks: int
    sizes: dict[str, int]
    """The bytes of each file."""


def _united(parts: Iterable[_Marks]) -> _Marks:
    marks, sizes = 0, dict[str, int]()
    for each in parts:
        marks |= each.marks
        sizes |= each.sizes
    return _Marks(marks, sizes)


class SeenUnit(NamedTuple):
    """A unit as seen from one of its files."""

    unit: Unit
    cut: str | None
    """A notice where the unit is not all of it."""
    linked: frozenset[str]
    """Paths of files that the program links with it: their own units do not hold that file."""


@singular
class _Gathered:
    """The files of one root's unit."""

    files: tuple[FileFacts, ...]
    """In the preprocessor's order, then what macros write."""
    by_path: Mapping[str, FileFacts]
    """By their paths on the disk, without what macros write."""
    positions: Mapping[str, tuple[int, ...]]
    included: "Inclusions"
    has_main: bool
    cut: bool
    """There are more files than are read."""
    of_companion: frozenset[str]
    """The files of the unit of the companion, by their paths on the disk."""
    linked: frozenset[str]
    """Those of them that are not in the root's own unit, by their paths as shown."""
    unit: Unit | None = None
    """As it was last asked for."""
    asked: Asked = field(default_factory=Asked)
    """What it rests on, and what the answers rest on that were found in it since."""


class _Outside:
    """The files that include those of a unit and are not in it. It does not lead back to the unit."""

    def __init__(self, units: Units, disk: Disk, inside: KeysView[str], asked: Asked) -> None:
        """``asked``: what the unit rests on."""
        self._units = units
        self._disk = disk
        self._inside = inside
        self._asked = asked
        self._known: dict[str, list[str]] = {}

    def __call__(self, path: str) -> list[bytes] | None:
        """Their contents, given the path of the file that they include; ``None`` where there are too many."""
        known = self._known.get(path)
        if known is None:
            with self._disk.asking() as asked:
                known = self._known[path] = sorted(self._units.includers(path).difference(self._inside))
                for each in known if len(known) <= MAX_OUTSIDE else ():
                    self._disk.source(each)
            # Who looks at the unit next may be given an answer that is known.
            self._asked.below[id(asked)] = asked
        if len(known) > MAX_OUTSIDE:
            return None
        with self._disk.asking():
            sources = [self._disk.source(each) for each in known]
        return [each.content for each in sources if each is not None]


class _Making:
    """The files of a unit, as they come."""

    def __init__(self, disk: Disk, facts: KeptFacts, compiled: Compilation, own: FileFacts) -> None:
        """``own``: the facts of the file ``compiled``."""
        self.files: dict[str, FileFacts] = {}
        self.positions: dict[str, tuple[int, ...]] = {}
        self.members: list[ClosureFile] = []
        self.cut = False
        self.has_main = False
        self.of_companion: frozenset[str] = frozenset()
        self.linked: frozenset[str] = frozenset()
        self._bytes = 0
        self._disk = disk
        self._facts = facts.under(compiled.defines)
        self._compiled = compiled
        self._own = own

    def add(self, members: Sequence[ClosureFile], number: int) -> None:
        """Add the files of a closure, each once, in the preprocessor's order."""
        self._facts.about_to_be_asked([each.path for each in members])
        for member in members:
            source = None if member.path in self.files else self._usable(member.path)
            if source is None:
                continue
            self._bytes += len(source.content)
            if self._bytes > UNIT_LIMIT:
                self.cut = True
                break
            is_own = member.path == self._compiled.path
            facts = self._own if is_own else self._facts.of(member.path, source)
            self.put(member.path, facts, (number, *member.position))
            self.members.append(member)

    def link(self, members: Sequence[ClosureFile]) -> None:
        """Add the files of the closure of the companion."""
        own = set(self.positions)
        self.add(members, 1)
        self.of_companion = frozenset(each.path for each in members)
        self.linked = frozenset(self.positions.keys() - own)

    def put(self, path: str, facts: FileFacts, position: tuple[int, ...]) -> None:
        """Add one file."""
        self.files[path] = facts
        self.positions[facts.path] = position
        self.has_main = self.has_main or "main" in facts.functions

    def _usable(self, path: str) -> SourceFile | None:
        """A file to be included, unless it is a table."""
        source = self._disk.source(path)
        return source if source is not None and len(source.content) <= HEADER_LIMIT else None


class Inclusions:
    """The files that include directives bring in, looked up when asked for: few units are."""

    def __init__(self, members: Sequence[ClosureFile], files: Mapping[str, FileFacts]) -> None:
        """``files``: those of the unit, by their paths on the disk."""
        self._members = members
        self._files = files

    def __call__(self, node: Include) -> FileFacts | None:
        """The file of a directive, when it belongs to the project."""
        return self._found.get(id(node))

    @cached_property
    def _found(self) -> Mapping[int, FileFacts]:
        found: dict[int, FileFacts] = {}
        for member in self._members:
            targets = {directive.path: target for directive, target in member.includes if target in self._files}
            if targets:
                for node in _include_nodes(self._files[member.path], [each.path for each, _ in member.includes]):
                    if node.path in targets:
                        found[id(node)] = self._files[targets[node.path]]
        return found


def _include_nodes(facts: FileFacts, expected: Sequence[str]) -> Iterator[Include]:
    """The include directives of these paths in a file; those inside lambdas are looked for only when it has any."""
    outside = [each for each in facts.includes if each.path in expected]
    if len(outside) >= len(expected):
        yield from outside
    else:
        for node in walk(facts.unit):
            if isinstance(node, Include):
                yield node
