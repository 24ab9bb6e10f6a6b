"""CMake's own commands, as far as macros, folders and the variables that decide them depend on them."""

import ast
import operator
import os
import re
from collections.abc import Callable, Mapping, Sequence

from sycllint.builds.cmake.expansion import elements
from sycllint.builds.cmake.run import OPEN, CMakeRun
from sycllint.builds.cmake.script import CMakeArgument
from sycllint.builds.cmake.state import ABSENT, SAID, UNKNOWN, CMakeState, texts_of, value_of
from sycllint.builds.cmake.targets import TARGETS
from sycllint.builds.settings import Choice, one_of

Given = tuple[str, ...]
_SILENT = frozenset(
    {
        "add_custom_command", "add_custom_target", "add_dependencies", "add_test", "cmake_minimum_required",
        "cmake_policy", "enable_language", "enable_testing", "export", "include_directories_before", "install",
        "link_directories", "link_libraries", "mark_as_advanced", "set_source_files_properties",
        "set_tests_properties", "source_group", "target_compile_features", "target_link_directories",
        "target_link_options", "add_link_options", "variable_watch", "print_option", "remove_definitions",
    }
)  # fmt: skip
"""Commands that set no variable."""
_NUMBER = re.compile(r"-?\d+")


def perform(
    run: CMakeRun, state: CMakeState, name: str, given: Given, arguments: Sequence[CMakeArgument]
) -> CMakeState | None:
    """Run one command of CMake itself, or an unknown one; ``None`` where the run ends there."""
    if name == "message":
        return None if given[:1] == ("FATAL_ERROR",) else state
    if name == "include":
        return _include(run, state, given)
    if name == "add_subdirectory":
        return _subdirectory(run, state, given)
    if name == "include_guard":
        if state.fact(("guard", run.file)) is not None:
            run.finish(state)
            return None
        state.note(("guard", run.file), SAID)
        return state
    command = _VARIABLES.get(name) or TARGETS.get(name)
    if command is not None:
        command(run, state, given)
    elif name not in _SILENT:
        _unknown(run, state, given, arguments)
    return state


def _unknown(run: CMakeRun, state: CMakeState, given: Given, arguments: Sequence[CMakeArgument]) -> None:
    """An unknown command may set every variable whose name is among its arguments."""
    for text in {*given, *(each.text for each in arguments)}:
        if text.isidentifier() and not text.isdigit():
            run.put(state, text, OPEN)


def _include(run: CMakeRun, state: CMakeState, given: Given) -> CMakeState | None:
    if not given or UNKNOWN in given[0]:
        return state
    name = given[0]
    here = os.path.normpath(os.path.join(run.folder, name))
    if name.endswith(".cmake") or os.sep in name:
        return run.script(here, state)
    modules = texts_of(state.variable("CMAKE_MODULE_PATH", run.depth))
    for folder in elements(modules[0] or "") if len(modules) == 1 else ():
        path = os.path.normpath(os.path.join(run.folder, folder, f"{name}.cmake"))
        if UNKNOWN not in path and run.disk.is_file(path):
            return run.script(path, state)
    return state


def _subdirectory(run: CMakeRun, state: CMakeState, given: Given) -> CMakeState | None:
    if not given or UNKNOWN in given[0]:
        return state
    return run.subdirectory(os.path.normpath(os.path.join(run.folder, given[0])), state)


# ------------------------------------------------------------------------------------------------------- variables


def _set(run: CMakeRun, state: CMakeState, given: Given) -> None:
    if not given:
        return
    name, values = given[0], list(given[1:])
    if UNKNOWN in name:
        run.opened.add(name.partition(UNKNOWN)[0].upper())
        return
    if name.startswith("ENV{"):
        return
    if "CACHE" in values:
        _cache(run, state, name, values)
        return
    above = bool(values) and values[-1] == "PARENT_SCOPE"
    if above:
        values.pop()
    depth = max(0, run.depth - 1) if above else run.depth
    run.put(state, name, value_of(";".join(values)) if values else ABSENT, depth)


def _cache(run: CMakeRun, state: CMakeState, name: str, values: list[str]) -> None:
    """``set(NAME value CACHE TYPE "text")``: a default, which a variable of the same name comes before."""
    at = values.index("CACHE")
    text, kind = ";".join(values[:at]), "".join(values[at + 1 : at + 2])
    forced = values[-1] == "FORCE" or kind in ("INTERNAL", "STATIC")
    value = value_of(text) if forced else default(name, text, kind)
    if not forced:
        before = state.fact(("cache", name)) or state.variable(name, run.depth)
        if not before.undefined:
            return
        value = _filled(before, value)
    state.note(("cache", name), value)
    for depth in range(run.depth, -1, -1):
        if state.fact(("variable", depth, name)) is not None:
            run.put(state, name, value, depth)


def _filled(before: Choice, value: Choice) -> Choice:
    """``before`` where it is set, else ``value``."""
    if not before.texts and not before.open:
        return value
    return one_of((Choice(before.texts, open=before.open, reason=before.reason), value), value.reason)


def default(name: str, text: str, kind: str) -> Choice:
    """The value of a variable that the command line may set: a number is assumed to keep its default, others are not.

    A switch is on in some builds and off in others, and a build that compiles SYCL sets some of them.
    """
    if kind == "BOOL":
        return switch(name, text)
    if _NUMBER.fullmatch(text):
        return Choice((text,), reason=f"CMake's `{name}` is {text} by default")
    texts = () if UNKNOWN in text else (text,)
    return Choice(texts, open=True, reason=f"CMake's `{name}` may be set when the project is configured")


def switch(name: str, text: str) -> Choice:
    """The value of an option, its default first."""
    on = text.upper() in ("ON", "YES", "TRUE", "Y", "1")
    return Choice(("ON", "OFF") if on else ("OFF", "ON"), reason=f"CMake's option `{name}`")


def _option(run: CMakeRun, state: CMakeState, given: Given) -> None:
    """``option`` and ``cmake_dependent_option``: nothing where a variable of the name is set (policy CMP0077)."""
    if given and UNKNOWN not in given[0]:
        before = state.variable(given[0], run.depth)
        if before.undefined:
            value = switch(given[0], given[2] if len(given) > 2 else "OFF")
            state.note(("cache", given[0]), _filled(before, value))


def _unset(run: CMakeRun, state: CMakeState, given: Given) -> None:
    if given and UNKNOWN not in given[0]:
        depth = max(0, run.depth - 1) if given[-1] == "PARENT_SCOPE" else run.depth
        run.put(state, given[0], ABSENT, depth)
        if "CACHE" in given:
            state.note(("cache", given[0]), ABSENT)


def _put(run: CMakeRun, state: CMakeState, name: str, text: str | None) -> None:
    """Set a variable to what a command worked out; ``None`` when it could not."""
    run.put(state, name, OPEN if text is None else value_of(text))


def _each_text(run: CMakeRun, state: CMakeState, name: str, made: Callable[[list[str]], str | None]) -> Choice:
    """Change a list variable: ``made`` is applied to each of its possible values."""
    value = state.variable(name, run.depth)
    made_of = (made(elements(text or "")) for text in texts_of(value))
    return one_of([OPEN if text is None else value_of(text) for text in made_of], value.reason)


def _sure(made: Callable[[list[str]], str | None], *given: str) -> Callable[[list[str]], str | None]:
    """``made`` where all elements of the list, and all of ``given``, are known; ``None`` elsewhere."""
    return lambda old: None if any(UNKNOWN in each for each in (*old, *given)) else made(old)


def _list(run: CMakeRun, state: CMakeState, given: Given) -> None:
    if len(given) < 2 or UNKNOWN in given[1]:
        return
    action, name, rest = given[0], given[1], list(given[2:])
    match action:
        case "APPEND" | "PREPEND":
            after = action == "APPEND"
            made = _each_text(run, state, name, lambda old: ";".join([*old, *rest] if after else [*rest, *old]))
            run.put(state, name, made)
        case "REMOVE_ITEM":
            kept = _sure(lambda old: ";".join(each for each in old if each not in rest), *rest)
            run.put(state, name, _each_text(run, state, name, kept))
        case "REMOVE_DUPLICATES":
            run.put(state, name, _each_text(run, state, name, _sure(lambda old: ";".join(dict.fromkeys(old)))))
        case "LENGTH" if rest:
            run.put(state, rest[0], _each_text(run, state, name, _sure(lambda old: str(len(old)))))
        case "GET" if len(rest) == 2:
            run.put(state, rest[1], _each_text(run, state, name, _sure(lambda old: _at(old, rest[0]), rest[0])))
        case "JOIN" if len(rest) == 2:
            run.put(state, rest[1], _each_text(run, state, name, rest[0].join))
        case "FIND" if len(rest) == 2:
            where = _each_text(run, state, name, _sure(lambda old: _found(old, rest[0]), rest[0]))
            run.put(state, rest[1], where)
        case _:
            for each in (name, *rest):
                if each.isidentifier():
                    _put(run, state, each, None)


def _at(listed: list[str], index: str) -> str | None:
    if not _NUMBER.fullmatch(index) or not -len(listed) <= int(index) < len(listed):
        return None
    return listed[int(index)]


def _found(listed: list[str], text: str) -> str:
    return str(listed.index(text) if text in listed else -1)


def _string(run: CMakeRun, state: CMakeState, given: Given) -> None:
    action, rest = given[0] if given else "", list(given[1:])
    match action, rest:
        case "TOUPPER" | "TOLOWER" | "STRIP", [text, name]:
            made = {"TOUPPER": text.upper(), "TOLOWER": text.lower(), "STRIP": text.strip()}[action]
            _put(run, state, name, made)
        case "LENGTH", [text, name]:
            _put(run, state, name, None if UNKNOWN in text else str(len(text)))
        case "REPLACE", [old, new, name, *texts]:
            whole = "".join(texts)
            _put(run, state, name, None if UNKNOWN in old + whole else whole.replace(old, new))
        case "CONCAT", [name, *texts]:
            _put(run, state, name, "".join(texts))
        case "JOIN", [glue, name, *texts]:
            _put(run, state, name, glue.join(texts))
        case "APPEND" | "PREPEND", [name, *texts]:
            added = "".join(texts)
            before = state.variable(name, run.depth)
            every = [(each or "") + added if action == "APPEND" else added + (each or "") for each in texts_of(before)]
            run.put(state, name, one_of(map(value_of, every), before.reason))
        case _:
            for each in rest:
                if each.isidentifier():
                    _put(run, state, each, None)


def _math(run: CMakeRun, state: CMakeState, given: Given) -> None:
    if len(given) >= 3 and given[0] == "EXPR":
        number = None if UNKNOWN in given[2] or len(given) > 3 else calculated(given[2])
        _put(run, state, given[1], None if number is None else str(number))


_OPERATORS: Mapping[type[ast.operator], Callable[[int, int], int]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.BitOr: operator.or_,
    ast.BitAnd: operator.and_,
    ast.BitXor: operator.xor,
    ast.LShift: lambda left, right: left << min(right, 64),
    ast.RShift: lambda left, right: left >> min(right, 64),
}


def calculated(text: str) -> int | None:
    """The value of ``math(EXPR)``: integers, with C's division; ``None`` when that is not what stands there."""
    try:
        return _number(ast.parse(text.strip().replace("/", "//"), mode="eval").body)
    except (SyntaxError, ValueError, RecursionError):
        return None


def _number(node: ast.expr) -> int | None:
    match node:
        case ast.Constant(value=int(value)):
            return value
        case ast.UnaryOp(op=ast.USub() | ast.UAdd(), operand=inner):
            number = _number(inner)
            return None if number is None else -number if isinstance(node.op, ast.USub) else number
        case ast.BinOp(left=left, op=kind, right=right):
            first, second = _number(left), _number(right)
            if first is None or second is None:
                return None
            if isinstance(kind, ast.FloorDiv | ast.Mod):
                if second == 0:
                    return None
                quotient = abs(first) // abs(second) * (1 if (first < 0) == (second < 0) else -1)
                return quotient if isinstance(kind, ast.FloorDiv) else first - second * quotient
            made = _OPERATORS.get(type(kind))
            negative = isinstance(kind, ast.LShift | ast.RShift) and second < 0
            return None if made is None or negative else made(first, second)
        case _:
            return None


def _package(run: CMakeRun, state: CMakeState, given: Given) -> None:
    """``find_package``: what it finds is in variables that begin with the package's name."""
    if given:
        run.opened.add(given[0].upper())


def _project(run: CMakeRun, state: CMakeState, given: Given) -> None:
    names = ["PROJECT", *(given[:1] if given and UNKNOWN not in given[0] else ())]
    for name in names:
        _put(run, state, f"{name}_SOURCE_DIR", run.folder)
        for each in ("BINARY_DIR", "VERSION", "VERSION_MAJOR", "VERSION_MINOR", "VERSION_PATCH", "DESCRIPTION"):
            _put(run, state, f"{name}_{each}", None)
    if given and UNKNOWN not in given[0]:
        _put(run, state, "PROJECT_NAME", given[0])
        if "VERSION" in given[:-1]:
            version = given[given.index("VERSION") + 1]
            for name in names:
                _put(run, state, f"{name}_VERSION", version)
                for part, number in zip(("MAJOR", "MINOR", "PATCH"), version.split("."), strict=False):
                    _put(run, state, f"{name}_VERSION_{part}", number)


def _parsed_arguments(run: CMakeRun, state: CMakeState, given: Given) -> None:
    """``cmake_parse_arguments(<prefix> <options> <one value> <several values> <arguments>...)``."""
    if given[:1] == ("PARSE_ARGV",) or len(given) < 4:
        prefix = given[2] if len(given) > 2 else ""
        for name in (each for text in given[3:6] for each in elements(text)):
            _put(run, state, f"{prefix}_{name}", None)
        return
    prefix, (options, single, several) = given[0], ([*elements(each)] for each in given[1:4])
    found: dict[str, list[str]] = {}
    rest: list[str] = []
    current = ""
    for word in given[4:]:
        if word in options:
            found[word], current = ["TRUE"], ""
        elif word in single or word in several:
            found[word], current = [], word
        elif current:
            found[current].append(word)
            current = "" if current in single else current
        else:
            rest.append(word)
    for name in (*options, *single, *several):
        text = ";".join(found[name]) if name in found else "FALSE" if name in options else None
        run.put(state, f"{prefix}_{name}", ABSENT if text is None else value_of(text))
    unparsed = value_of(";".join(rest)) if rest else ABSENT
    run.put(state, f"{prefix}_UNPARSED_ARGUMENTS", unparsed)


def _property(run: CMakeRun, state: CMakeState, given: Given) -> None:
    """``set_property``: the values among which a variable of the cache is to be; definitions of targets and folders."""
    if given[:1] == ("CACHE",) and given[2:4] == ("PROPERTY", "STRINGS"):
        value = state.fact(("cache", given[1]))
        if value is not None and value.open and not any(UNKNOWN in each for each in given[4:]):
            texts = tuple(dict.fromkeys((*value.texts, *given[4:])))
            state.note(("cache", given[1]), Choice(texts, reason=f"CMake's `{given[1]}` is one of several"))
    elif "PROPERTY" in given and given[0] in ("TARGET", "DIRECTORY"):
        at = given.index("PROPERTY")
        if given[at + 1 : at + 2] == ("COMPILE_DEFINITIONS",):
            names = [each for each in given[1:at] if not each.startswith("APPEND")]
            for name in names if given[0] == "TARGET" else ():
                TARGETS["target_compile_definitions"](run, state, (name, "PRIVATE", *given[at + 2 :]))


def _nothing(run: CMakeRun, state: CMakeState, given: Given) -> None:
    """The first word names what is found."""
    if given and UNKNOWN not in given[0]:
        _put(run, state, given[0], None)


_VARIABLES: Mapping[str, Callable[[CMakeRun, CMakeState, Given], None]] = {
    "set": _set,
    "unset": _unset,
    "option": _option,
    "cmake_dependent_option": _option,
    "list": _list,
    "string": _string,
    "math": _math,
    "find_package": _package,
    "find_dependency": _package,
    "find_library": _nothing,
    "find_program": _nothing,
    "find_path": _nothing,
    "find_file": _nothing,
    "project": _project,
    "cmake_parse_arguments": _parsed_arguments,
    "set_property": _property,
}
