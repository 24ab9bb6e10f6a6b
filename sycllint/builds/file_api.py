"""The reply of CMake's File API in a build folder: how each source of each target is compiled, as CMake decided it.

Source: CMake manual, cmake-file-api(7), "v1 Reply Index File", "codemodel" version 2 and "toolchains" version 1.
"""

import os
from collections.abc import Iterator, Mapping, Sequence

from sycllint.builds.words import read_json, split, unfolded
from sycllint.record import record
from sycllint.source.disk import Disk
from sycllint.source.glance import is_reply_index

_REPLY = os.path.join(".cmake", "api", "v1", "reply")
MAX_REPLY = 64_000_000
"""Characters that are read of one file of a reply."""
_LANGUAGE = "CXX"


@record
class CompileCommand:
    """One way in which a source is compiled: the compiler's working directory and arguments."""

    source: str
    """Absolute, without ``..``."""
    folder: str
    words: tuple[str, ...]


def reply_in(folder: str, disk: Disk) -> str | None:
    """The index of the reply in a build folder: of several, that with the greatest name is the latest."""
    reply = os.path.join(folder, _REPLY)
    if not disk.exists(reply):
        return None
    found = [each for each in disk.listing(reply).files if is_reply_index(each)]
    return os.path.join(reply, max(found)) if found else None


def is_reply(path: str) -> bool:
    """Whether ``path`` is the index of a reply."""
    return os.path.dirname(path).endswith(_REPLY)


def entries_of(index: str, disk: Disk) -> Iterator[CompileCommand]:
    """The compile commands of C++ sources in the reply with this index; none without a code model."""
    folder = os.path.dirname(index)
    objects = [each for each in _listed(_json(index, disk), "objects") if isinstance(each.get("jsonFile"), str)]
    files = {str(each.get("kind")): os.path.join(folder, str(each["jsonFile"])) for each in objects}
    if "codemodel" not in files:
        return
    model = _json(files["codemodel"], disk)
    compiler = _compiler(_json(files["toolchains"], disk)) if "toolchains" in files else "c++"
    paths = _object(model, "paths")
    for configuration in _listed(model, "configurations"):
        for target in _listed(configuration, "targets"):
            made = _json(os.path.join(folder, str(target.get("jsonFile", ""))), disk)
            yield from _compiled(made, compiler, str(paths.get("source", "")), str(paths.get("build", "")), disk)


def _compiled(
    target: Mapping[str, object], compiler: str, source: str, build: str, disk: Disk
) -> Iterator[CompileCommand]:
    """The sources of one target. What it is linked with names the devices, where it is compiled ahead of time."""
    linked = _fragments(_object(target, "link"), "commandFragments", role="flags")
    sources = [str(each.get("path", "")) for each in _listed(target, "sources")]
    for group in _listed(target, "compileGroups"):
        if group.get("language") != _LANGUAGE:
            continue
        words = [compiler, *_fragments(group, "compileCommandFragments")]
        words += [f"-D{each.get('define', '')}" for each in _listed(group, "defines")]
        words += [f"-I{each.get('path', '')}" for each in _listed(group, "includes")]
        words += [each for each in linked if not each.startswith(("-D", "-I", "-U"))]
        given = tuple(unfolded(words, build, disk))
        numbers = group.get("sourceIndexes")
        for number in numbers if isinstance(numbers, list) else ():
            if isinstance(number, int) and 0 <= number < len(sources):
                yield CompileCommand(os.path.normpath(os.path.join(source, sources[number])), build, given)


def _fragments(of: Mapping[str, object], name: str, role: str | None = None) -> list[str]:
    wanted = (each for each in _listed(of, name) if role is None or each.get("role") == role)
    return [word for each in wanted for word in split(str(each.get("fragment", "")))]


def _compiler(toolchains: Mapping[str, object]) -> str:
    """The path of the C++ compiler: what it predefines follows from its name."""
    for each in _listed(toolchains, "toolchains"):
        if each.get("language") == _LANGUAGE:
            return str(_object(each, "compiler").get("path", "c++"))
    return "c++"


def _json(path: str, disk: Disk) -> Mapping[str, object]:
    found = read_json(path, disk, MAX_REPLY)
    return found if isinstance(found, dict) else {}


def _object(of: Mapping[str, object], name: str) -> Mapping[str, object]:
    found = of.get(name)
    return found if isinstance(found, dict) else {}


def _listed(of: Mapping[str, object], name: str) -> Sequence[Mapping[str, object]]:
    found = of.get(name)
    return [each for each in found if isinstance(each, dict)] if isinstance(found, list) else ()
