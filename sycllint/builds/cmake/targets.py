"""Commands that say how targets and folders are compiled, and headers that CMake writes.

Facts are kept under these keys; a ``Choice`` that may be undefined is one that not every build has.

- ``("define", "folder", FOLDER, MACRO)``, and so ``"include"`` with a path and ``"option"`` with a word
- the same with ``"target"``, a target's name and ``"own"`` or ``"users"``: for its sources, for those who link it
- ``("offload", OWNER..., TEXT)``: an argument, of the compiler or the linker, that may name devices
- ``("target", TARGET)``: the folder it is made in; ``("source", TARGET, FILE)``; ``("link", TARGET, WHO, LIBRARY)``
- ``("header", NAME, MACRO)``: a macro in a header that ``configure_file`` writes
"""

import os
import re
from collections.abc import Callable, Iterator, Mapping

from sycllint.builds.cmake.expansion import elements, expanded, generated, is_false
from sycllint.builds.cmake.run import CMakeRun
from sycllint.builds.cmake.state import SAID, UNKNOWN, CMakeState, ways
from sycllint.builds.settings import Choice, one_of
from sycllint.builds.words import read, split
from sycllint.source.files import EXTENSIONS

Given = tuple[str, ...]
_SCOPES = {"PRIVATE": ("own",), "PUBLIC": ("own", "users"), "INTERFACE": ("users",)}
_MADE = frozenset({"STATIC", "SHARED", "MODULE", "OBJECT", "INTERFACE", "EXCLUDE_FROM_ALL", "WIN32", "MACOSX_BUNDLE"})
_TEMPLATE_LINE = re.compile(
    r"^[ \t]*#[ \t]*(cmakedefine01|cmakedefine|define)[ \t]+(\w+)[ \t]*(.*?)[ \t]*$", re.MULTILINE
)
_COMMENT = re.compile(r"//.*|/\*.*?(?:\*/|$)")
_OFFLOAD = re.compile(r"-fsycl-targets=|-device\s|--(?:offload|cuda-gpu)-arch=")
_SUBSTITUTED = re.compile(r"@([\w.+/-]+)@")


def defined(run: CMakeRun, state: CMakeState, owner: tuple[str, ...], written: str) -> None:
    """A macro as a command names it: ``NAME``, ``NAME=text``, ``-DNAME=text``, or a generator expression of those."""
    outcomes = [
        {name: text for each in elements(made) for name, text in _definition(each)} for made in generated(written)
    ]
    for name in dict.fromkeys(name for each in outcomes for name in each):
        texts = [each.get(name) for each in outcomes]
        parts = (_of_text(text) for text in texts)
        state.note(("define", *owner, name), one_of(parts, f"a generator expression at {run.reason()}"))


def _of_text(text: str | None) -> Choice:
    if text is None:
        return Choice(undefined=True)
    return Choice(open=True, reason="a value that the build files do not say") if UNKNOWN in text else Choice((text,))


def _definition(written: str) -> Iterator[tuple[str, str]]:
    name, equal, text = written.removeprefix("-D").partition("=")
    if name.isidentifier():
        yield name, text.replace('\\"', '"') if equal else "1"


def included(run: CMakeRun, state: CMakeState, owner: tuple[str, ...], written: str) -> None:
    """A folder of headers."""
    for path in generated(written):
        if path and UNKNOWN not in path:
            place = os.path.normpath(os.path.join(run.folder, path))
            state.note(("include", *owner, place), SAID)


def offloaded(run: CMakeRun, state: CMakeState, owner: tuple[str, ...], written: str) -> None:
    """An option of the compiler or the linker, kept whole where it may say for which devices kernels are compiled."""
    outcomes = generated(written)
    for made in outcomes:
        if _OFFLOAD.search(made) and UNKNOWN not in made:
            text = made.removeprefix("SHELL:")
            state.note(("offload", *owner, text), Choice(("1",), undefined=len(outcomes) > 1))


def optioned(run: CMakeRun, state: CMakeState, owner: tuple[str, ...], written: str) -> None:
    """An option of the compiler: macros and folders among them are known as such."""
    offloaded(run, state, owner, written)
    for made in generated(written):
        for word in split(made.removeprefix("SHELL:")):
            if word.startswith("-D"):
                defined(run, state, owner, word)
            elif word.startswith("-I"):
                included(run, state, owner, word[2:])
            elif UNKNOWN not in word:
                state.note(("option", *owner, word), SAID)


def _whole(given: Given) -> Iterator[str]:
    """The words of a command, with those joined that blanks in a generator expression took apart."""
    pending = ""
    for word in given:
        pending = f"{pending};{word}" if pending else word
        if pending.count("$<") <= pending.count(">"):
            yield pending
            pending = ""


Each = Callable[[CMakeRun, CMakeState, tuple[str, ...], str], None]


def _of_folder(each: Each) -> Callable[[CMakeRun, CMakeState, Given], None]:
    def command(run: CMakeRun, state: CMakeState, given: Given) -> None:
        for word in _whole(given):
            if word not in ("AFTER", "BEFORE", "SYSTEM"):
                each(run, state, ("folder", run.folder), word)

    return command


def _of_target(each: Each) -> Callable[[CMakeRun, CMakeState, Given], None]:
    def command(run: CMakeRun, state: CMakeState, given: Given) -> None:
        if not given or UNKNOWN in given[0]:
            return
        scopes: tuple[str, ...] = ("own",)
        for word in _whole(given[1:]):
            if word in _SCOPES:
                scopes = _SCOPES[word]
            elif word not in ("AFTER", "BEFORE", "SYSTEM"):
                for scope in scopes:
                    each(run, state, ("target", given[0], scope), word)

    return command


def _made(run: CMakeRun, state: CMakeState, given: Given) -> None:
    """``add_executable`` and ``add_library``; one that is imported or another's name has no sources."""
    if len(given) < 1 or UNKNOWN in given[0] or "IMPORTED" in given:
        return
    name = given[0]
    if "ALIAS" in given[:-1]:
        state.note(("link", name, "users", given[-1]), SAID)
        return
    state.note(("target", name), Choice((run.folder,)))
    _sources(run, state, (name, *(each for each in given[1:] if each not in _MADE)))


def _sources(run: CMakeRun, state: CMakeState, given: Given) -> None:
    if not given or UNKNOWN in given[0]:
        return
    for word in given[1:]:
        for path in generated(word):
            if UNKNOWN not in path and path.lower().endswith(EXTENSIONS):
                place = os.path.normpath(os.path.join(run.folder, path))
                state.note(("source", given[0], place), SAID)


def _linked(run: CMakeRun, state: CMakeState, given: Given) -> None:
    if not given or UNKNOWN in given[0]:
        return
    scopes: tuple[str, ...] = ("own", "users")
    for word in given[1:]:
        if word in _SCOPES:
            scopes = _SCOPES[word]
            continue
        for library in generated(word):
            if library and UNKNOWN not in library:
                for scope in scopes:
                    state.note(("link", given[0], scope, library), SAID)
                    offloaded(run, state, ("target", given[0], scope), library)


def _properties(run: CMakeRun, state: CMakeState, given: Given) -> None:
    """``set_target_properties(... PROPERTIES COMPILE_DEFINITIONS text)``."""
    if "PROPERTIES" not in given:
        return
    at = given.index("PROPERTIES")
    pairs = dict(zip(given[at + 1 :: 2], given[at + 2 :: 2], strict=False))
    for name in given[:at]:
        for word in elements(pairs.get("COMPILE_DEFINITIONS", "")):
            defined(run, state, ("target", name, "own"), word)
        for word in elements(pairs.get("COMPILE_OPTIONS", "")):
            optioned(run, state, ("target", name, "own"), word)
        for word in elements(pairs.get("LINK_OPTIONS", "")):
            offloaded(run, state, ("target", name, "own"), word)
        for flags in ("COMPILE_FLAGS", "LINK_FLAGS"):
            offloaded(run, state, ("target", name, "own"), pairs.get(flags, ""))


# ---------------------------------------------------------------------------------------------------- configure_file


def _configured(run: CMakeRun, state: CMakeState, given: Given) -> None:
    """The macros of a header that ``configure_file`` writes."""
    if len(given) < 2 or UNKNOWN in given[0] or "COPYONLY" in given:
        return
    path = os.path.normpath(os.path.join(run.folder, given[0]))
    if not run.disk.is_file(path):
        return
    header = os.path.basename(given[1].replace(UNKNOWN, ""))
    found: dict[str, list[Choice]] = {}
    for match in _TEMPLATE_LINE.finditer(read(path, run.disk)):
        if match[1] != "define" or "@" in match[3] or "${" in match[3]:
            found.setdefault(match[2], []).append(_line(run, state, match[1], match[2], match[3]))
    for name, every in found.items():
        state.note(("header", header, name), one_of(every, f"{os.path.basename(path)} at {run.reason()}"))


def _line(run: CMakeRun, state: CMakeState, kind: str, name: str, text: str) -> Choice:
    """The macro that one line of a template defines."""
    written = _SUBSTITUTED.sub(r"${\1}", text)

    def made(seen: Callable[[str], str | None]) -> Choice:
        if kind == "define":
            return _of_text(_COMMENT.sub("", expanded(written, seen)).strip())
        value = seen(name)
        if value is None or UNKNOWN in value:
            # What no command here sets, the command line may.
            return Choice(("0", "1")) if kind == "cmakedefine01" else Choice(undefined=True, open=True)
        on = not is_false(value)
        if kind == "cmakedefine01":
            return Choice(("1" if on else "0",))
        return _of_text(_COMMENT.sub("", expanded(written, seen)).strip()) if on else Choice(undefined=True)

    found = ways(run.reader(state), made)
    reason = state.variable(name, run.depth).reason or "a value that the build files do not say"
    return one_of([each for _, each in found] if found else [Choice(open=True)], reason)


TARGETS: Mapping[str, Callable[[CMakeRun, CMakeState, Given], None]] = {
    "add_compile_definitions": _of_folder(defined),
    "add_definitions": _of_folder(optioned),
    "add_compile_options": _of_folder(optioned),
    "add_link_options": _of_folder(offloaded),
    "include_directories": _of_folder(included),
    "target_compile_definitions": _of_target(defined),
    "target_compile_options": _of_target(optioned),
    "target_link_options": _of_target(offloaded),
    "target_include_directories": _of_target(included),
    "target_link_libraries": _linked,
    "target_sources": _sources,
    "add_executable": _made,
    "add_library": _made,
    "set_target_properties": _properties,
    "configure_file": _configured,
}
