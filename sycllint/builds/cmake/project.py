"""A CMake project as a whole, and what it says of the files in one of its folders."""

import os
from collections.abc import Iterator, Mapping, Sequence
from functools import partial

from sycllint.builds.cmake.script import CMakeCommand, statements
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
    return disk.once(key, partial(_settings, project, here, path))


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
    return disk.once(key, partial(_devices, project, here, path, is_listed=is_listed))


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


def _seen_from(project: CMakeProject, folder: str) -> Mapping[Key, Choice]:
    """The facts for the files of a folder: a command of its own holds for all of them, as they are compiled at all."""
    own = project.own.get(folder, {})
    final = project.facts
    return {**final, **{key: value for key, value in own.items() if set(final[key].texts) <= set(value.texts)}}


def _begins_project(root: str, disk: Disk) -> bool:
    """Whether a folder's commands are a whole project's, or those of a part that needs what its parents set."""
    body = statements(read(os.path.join(root, LISTS), disk)) or ()
    return any(isinstance(each, CMakeCommand) and each.name == "project" for each in body)


def _settings(project: CMakeProject, folder: str, path: str | None) -> BuildSettings:
    facts = _seen_from(project, folder)
    every = [_owners(facts, each, folder) for each in _targets(facts, folder, path)] or [[("folder", folder)]]
    ways = [_of_owner(facts, *each) for each in every]
    made = ways[0] if len(ways) == 1 else alternatives(ways, f"targets of {shown(os.path.join(folder, LISTS))} differ")
    headers = _headers(project)
    choices = {**{name: each for name, each in headers.items() if name not in made.defines}, **made.choices}
    return BuildSettings(made.defines, made.folders, choices=choices)


def _devices(project: CMakeProject, folder: str, path: str | None, *, is_listed: bool) -> tuple[str, ...]:
    facts = _seen_from(project, folder)
    every = [_owners(facts, each, folder) for each in _targets(facts, folder, path)] or [[("folder", folder)]]
    ways = [dict.fromkeys(device_names(list(_offloading(facts, each)))) for each in every]
    named = dict.fromkeys(name for way in ways for name in way)
    return tuple(name for name in named if is_listed or all(name in way for way in ways))


def _offloading(facts: Mapping[Key, Choice], owners: Sequence[tuple[str, ...]]) -> Iterator[str]:
    """The words that say for which devices a target is compiled, in every build."""
    for kind in ("flags", "linker flags"):
        flags = facts.get((kind, owners[0][1]), Choice())
        if len(flags.texts) == 1 and not flags.undefined and not flags.open:
            yield from (each for each in split(flags.texts[0]) if UNKNOWN not in each)
    for key, value in facts.items():
        if key[0] == "offload" and key[1:-1] in owners and value.texts and not value.undefined and not value.open:
            yield from split(str(key[-1]))


def _targets(facts: Mapping[Key, Choice], folder: str, path: str | None) -> list[str]:
    """The targets that a file is compiled for; where none lists it, those of the folder."""
    targets = [str(key[1]) for key in facts if key[0] == "source" and key[2] == path]
    if not targets:
        targets = [str(key[1]) for key, value in facts.items() if key[0] == "target" and folder in value.texts]
        named = {str(key[2]) for key in facts if key[0] == "define" and key[1] == "target"}
        if not targets and len(named) == 1:
            targets = list(named)
    return targets


def _headers(project: CMakeProject) -> dict[str, Choice]:
    """The macros of headers that CMake writes: defined in every file that includes them."""
    found: dict[str, list[Choice]] = {}
    for key, value in project.facts.items():
        if key[0] == "header" and (value.texts or value.open):
            found.setdefault(str(key[2]), []).append(value)
    return {
        name: one_of([*every, Choice(undefined=True)], "a header that CMake writes") for name, every in found.items()
    }


def _owners(facts: Mapping[Key, Choice], target: str, folder: str) -> list[tuple[str, ...]]:
    """The owners of a target's settings: its folder, the target, and the targets it links."""
    made = facts.get(("target", target), Choice()).texts
    owners: list[tuple[str, ...]] = [("folder", made[0] if made else folder), ("target", target, "own")]
    waiting = [(target, "own")]
    seen: set[tuple[str, str]] = set()
    while waiting and len(seen) < MAX_LINKS:
        place = waiting.pop(0)
        if place in seen:
            continue
        seen.add(place)
        libraries = [str(key[3]) for key in facts if key[0] == "link" and key[1:3] == place]
        waiting += [(each, "users") for each in libraries]
        owners += [("target", each, "users") for each in libraries]
    return owners


def _of_owner(facts: Mapping[Key, Choice], *owners: tuple[str, ...]) -> BuildSettings:
    """The facts of any of ``owners``."""
    macros: dict[str, list[Choice]] = {}
    folders: dict[str, None] = {}
    maybe: dict[str, None] = {}
    options: dict[str, None] = {}
    for owner in dict.fromkeys(owners):
        for key, value in facts.items():
            if key[1:-1] != owner or (not value.texts and not value.open):
                continue
            if key[0] == "define":
                macros.setdefault(str(key[-1]), []).append(value)
            elif key[0] == "include":
                (maybe if value.undefined else folders)[str(key[-1])] = None
            elif key[0] == "option" and not value.undefined:
                options[str(key[-1])] = None
    flags = facts.get(("flags", owners[0][1]), Choice())
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
    own = settings_of(list(options), owners[0][-1], known=False)
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
