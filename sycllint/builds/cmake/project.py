"""A CMake project as a whole, and what it says of the files in one of its folders."""

import os
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from functools import partial

from sycllint.builds.cmake.state import UNKNOWN, Key
from sycllint.builds.offload import device_names
from sycllint.builds.settings import BuildSettings, Choice, alternatives, one_of
from sycllint.builds.words import read, settings_of, split
from sycllint.record import unique
from sycllint.source.disk import Disk
from sycllint.source.files import shown

LISTS = "CMakeLists.txt"
MAX_LINKS = 200
"""Libraries that are followed from one target."""
_SAID = frozenset({"define", "include", "option", "link", "offload"})
"""Kinds of facts about how the files of a folder are compiled."""
_UPWARD = 12
"""Folders above a file's that may be the project's root."""


@unique
class CMakeProject:
    """The facts of one run: see ``targets`` for the keys."""

    root: str
    facts: Mapping[Key, Choice]
    """After the last command."""
    own: Mapping[str, Mapping[Key, Choice]]
    """For each folder, what its commands noted: where its files are compiled at all, they were run."""
    folders: frozenset[str]
    """Source folders that the run reached."""
    dropped: tuple[str, ...]
    """Folders that were too large."""
    listed: frozenset[str]
    """Sources that targets list."""


def cmake_settings(folder: str, file: str | None, disk: Disk) -> BuildSettings | None:
    """The settings of CMake for ``file``, or for all files in ``folder``; ``None`` without a ``CMakeLists.txt``.

    A header, or a source that no target lists, is compiled as one of the targets of the nearest folder.
    """
    found = _project_of(folder, file, disk)
    if found is None:
        return None
    project, here, path = found
    key = ("cmake settings", project.root, here, path if path in project.listed else None)
    return disk.once(key, partial(_settings, _view(project, here, disk), path))


def cmake_devices(file: str, disk: Disk) -> tuple[str, ...]:
    """The devices that ``file`` is compiled for in every build, as the options of CMake's commands name them.

    A source that several targets list is compiled for all that they name; of a file that no target lists, only what all
    targets of the folder have is said.
    """
    found = _project_of("", file, disk)
    if found is None:
        return ()
    project, here, path = found
    is_listed = path in project.listed
    key = ("cmake devices", project.root, here, path if is_listed else None)
    return disk.once(key, partial(_devices, _view(project, here, disk), path, is_listed=is_listed))


def _project_of(folder: str, file: str | None, disk: Disk) -> tuple[CMakeProject, str, str | None] | None:
    """The project of a file, its nearest folder with commands, and the file's absolute path."""
    start = os.path.abspath(os.path.dirname(file) if file is not None else folder)
    roots = _roots(start, disk)
    here = roots[-1] if roots else ""
    for root in roots:
        whole = root == roots[0] or disk.once(("begins project", root), partial(_begins_project, root, disk))
        project = disk.once(("cmake", root, whole), partial(_run, root, disk, whole=whole))
        if project is None:
            continue
        if any(start == each or start.startswith(os.path.join(each, "")) for each in project.dropped):
            return None
        if here in project.folders:
            return project, here, None if file is None else os.path.abspath(file)
    return None


def _upward(folder: str) -> Iterator[str]:
    current = folder
    for _ in range(_UPWARD):
        yield current
        parent = os.path.dirname(current)
        if parent == current:
            return
        current = parent


def _roots(folder: str, disk: Disk) -> list[str]:
    """Folders that may be the root of the project, the outermost first: none above a repository or without a file."""
    found: list[str] = []
    for each in _upward(folder):
        if disk.is_file(os.path.join(each, LISTS)):
            found.append(each)
        if disk.exists(os.path.join(each, ".git")):
            break
    return found[::-1]


def _run(root: str, disk: Disk, *, whole: bool = True) -> CMakeProject | None:
    """Run the project at ``root``; ``None`` when it is too large, or ends in an error whatever happens."""
    # Loaded where there is a project: most files in a run of a hook have none.
    from sycllint.builds.cmake.commands import perform
    from sycllint.builds.cmake.run import CMakeRun

    run = CMakeRun(root, disk, perform, whole=whole)
    state = run.state()
    for name in ("CMAKE_SOURCE_DIR", "PROJECT_SOURCE_DIR"):
        run.put(state, name, Choice((root,)))
    try:
        after = run.subdirectory(root, state)
    except RecursionError:
        return None
    if after is None:
        return None
    kept = {key: value for key, value in after.facts().items() if key[0] not in ("variable", "cache")}
    reached = frozenset(str(key[1]) for key in kept if key[0] == "reached")
    listed = frozenset(str(key[2]) for key in kept if key[0] == "source")
    dropped = tuple(str(key[1]) for key in kept if key[0] == "dropped")
    own = {folder: _of_ends([each.noted for each in ends]) for folder, ends in run.ends.items()}
    return CMakeProject(root, kept, own, reached, dropped, listed)


def _of_ends(ends: Sequence[Mapping[Key, Choice]]) -> Mapping[Key, Choice]:
    keys = dict.fromkeys(key for each in ends for key in each if key[0] in _SAID)
    return {key: one_of([each.get(key, Choice(undefined=True)) for each in ends], "") for key in keys}


class _Index:
    """The keys of a project's facts, in their order, by what they are looked for."""

    def __init__(self, facts: Mapping[Key, Choice]) -> None:
        self.owned: defaultdict[Key, list[Key]] = defaultdict(list)
        """Macros, folders and options of each owner."""
        self.linked: defaultdict[Key, list[str]] = defaultdict(list)
        """The libraries that a target links, by it and by whom that is for."""
        self.listing: defaultdict[str, list[str]] = defaultdict(list)
        """The targets that list a source."""
        self.made: defaultdict[str, list[str]] = defaultdict(list)
        """The targets of a folder."""
        self.offloads: list[Key] = []
        for key, value in facts.items():
            match key[0]:
                case "define" | "include" | "option":
                    self.owned[key[1:-1]].append(key)
                case "link":
                    self.linked[key[1:3]].append(str(key[3]))
                case "source":
                    self.listing[str(key[2])].append(str(key[1]))
                case "target":
                    for folder in value.texts:
                        self.made[folder].append(str(key[1]))
                case "offload":
                    self.offloads.append(key)
        self.defined = {str(key[2]) for key in facts if key[0] == "define" and key[1] == "target"}
        """The targets that macros are defined for."""
        self.headers = _headers(facts)


@unique
class _View:
    """A project as the files of a folder are compiled in it."""

    project: CMakeProject
    index: _Index
    folder: str

    def value(self, key: Key) -> Choice:
        """A fact: what a command of the folder itself says holds for all of its files, as they are compiled at all."""
        final = self.project.facts[key]
        own = self.project.own.get(self.folder, {}).get(key)
        return own if own is not None and set(final.texts) <= set(own.texts) else final

    def of_folder(self, kind: str, folder: str) -> Choice:
        """The flags of a folder."""
        return self.project.facts.get((kind, folder), Choice())


def _view(project: CMakeProject, folder: str, disk: Disk) -> _View:
    return _View(project, disk.once(("cmake index", project.root), partial(_Index, project.facts)), folder)


def _begins_project(root: str, disk: Disk) -> bool:
    """Whether a folder's commands are a whole project's, or those of a part that needs what its parents set."""
    from sycllint.builds.cmake.script import CMakeCommand, statements

    body = statements(read(os.path.join(root, LISTS), disk)) or ()
    return any(isinstance(each, CMakeCommand) and each.name == "project" for each in body)


def _settings(view: _View, path: str | None) -> BuildSettings:
    ways = [_of_owner(view, *owners) for owners in _every_owner(view, path)]
    place = shown(os.path.join(view.folder, LISTS))
    made = ways[0] if len(ways) == 1 else alternatives(ways, f"targets of {place} differ")
    choices = {**{name: each for name, each in view.index.headers.items() if name not in made.defines}, **made.choices}
    return BuildSettings(made.defines, made.folders, choices=choices)


def _devices(view: _View, path: str | None, *, is_listed: bool) -> tuple[str, ...]:
    ways = [dict.fromkeys(device_names(list(_offloading(view, owners)))) for owners in _every_owner(view, path)]
    named = dict.fromkeys(name for way in ways for name in way)
    return tuple(name for name in named if is_listed or all(name in way for way in ways))


def _offloading(view: _View, owners: Sequence[Key]) -> Iterator[str]:
    """The words that say for which devices a target is compiled, in every build."""
    for kind in ("flags", "linker flags"):
        flags = view.of_folder(kind, str(owners[0][1]))
        if len(flags.texts) == 1 and not flags.undefined and not flags.open:
            yield from (each for each in split(flags.texts[0]) if UNKNOWN not in each)
    for key in view.index.offloads:
        if key[1:-1] in owners:
            value = view.value(key)
            if value.texts and not value.undefined and not value.open:
                yield from split(str(key[-1]))


def _every_owner(view: _View, path: str | None) -> list[list[Key]]:
    """For each target that a file is compiled for, the owners of its settings; where none lists it, of the folder's."""
    index = view.index
    targets = index.listing.get(path or "") or index.made.get(view.folder)
    if not targets and len(index.defined) == 1:
        targets = list(index.defined)
    return [_owners(view, each) for each in targets or ()] or [[("folder", view.folder)]]


def _headers(facts: Mapping[Key, Choice]) -> dict[str, Choice]:
    """The macros of headers that CMake writes: defined in every file that includes them."""
    found: dict[str, list[Choice]] = {}
    for key, value in facts.items():
        if key[0] == "header" and (value.texts or value.open):
            found.setdefault(str(key[2]), []).append(value)
    return {
        name: one_of([*every, Choice(undefined=True)], "a header that CMake writes") for name, every in found.items()
    }


def _owners(view: _View, target: str) -> list[Key]:
    """The owners of a target's settings: its folder, the target, and the targets it links."""
    made = view.project.facts.get(("target", target), Choice()).texts
    owners: list[Key] = [("folder", made[0] if made else view.folder), ("target", target, "own")]
    waiting = [(target, "own")]
    seen: set[tuple[str, str]] = set()
    while waiting and len(seen) < MAX_LINKS:
        place = waiting.pop(0)
        if place in seen:
            continue
        seen.add(place)
        libraries = view.index.linked.get(place, ())
        waiting += [(each, "users") for each in libraries]
        owners += [("target", each, "users") for each in libraries]
    return owners


def _of_owner(view: _View, *owners: Key) -> BuildSettings:
    """The facts of any of ``owners``."""
    macros: dict[str, list[Choice]] = {}
    folders: dict[str, None] = {}
    maybe: dict[str, None] = {}
    options: dict[str, None] = {}
    for owner in dict.fromkeys(owners):
        for key in view.index.owned.get(owner, ()):
            value = view.value(key)
            if not value.texts and not value.open:
                continue
            if key[0] == "define":
                macros.setdefault(str(key[-1]), []).append(value)
            elif key[0] == "include":
                (maybe if value.undefined else folders)[str(key[-1])] = None
            elif not value.undefined:
                options[str(key[-1])] = None
    flags = view.of_folder("flags", str(owners[0][1]))
    from_flags = _flags(flags)
    defines = dict(from_flags.defines)
    choices = dict(from_flags.choices)
    for name, every in macros.items():
        value = _said(every)
        if len(value.texts) == 1 and not value.undefined and not value.open:
            defines[name] = value.texts[0]
            choices.pop(name, None)
        else:
            defines.pop(name, None)
            choices[name] = value
    own = settings_of(list(options), str(owners[0][-1]), known=False)
    choices |= {name: each for name, each in own.choices.items() if name not in defines and name not in choices}
    every_folder = dict.fromkeys((*map(shown, folders), *map(shown, from_flags.folders), *map(shown, maybe)))
    return BuildSettings(defines, tuple(every_folder), choices=choices)


def _said(every: Sequence[Choice]) -> Choice:
    """A macro that is defined under several owners: sure where one of them surely defines it, and as one text."""
    whole = one_of(every, "the targets that are linked differ")
    sure = any(not each.undefined for each in every)
    return Choice(whole.texts, undefined=not sure and whole.undefined, open=whole.open, reason=whole.reason)


def _flags(value: Choice) -> BuildSettings:
    """The macros and folders in ``CMAKE_CXX_FLAGS``: what is not known of it stays out."""
    ways = [settings_of([each for each in split(text) if UNKNOWN not in each], "", known=False) for text in value.texts]
    if value.undefined or value.open:
        ways.append(BuildSettings())
    return alternatives(ways, value.reason or "CMAKE_CXX_FLAGS differs") if ways else BuildSettings()
