"""One run of CMake over a project: statements, scopes, files and folders. What commands do is in ``commands``."""

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial

from sycllint.builds.cmake.conditions import condition_words, decided
from sycllint.builds.cmake.expansion import elements, surely_read, words
from sycllint.builds.cmake.script import (
    CMakeArgument,
    CMakeBranch,
    CMakeCommand,
    CMakeIf,
    CMakeLoop,
    Routine,
    Statement,
    statements,
)
from sycllint.builds.cmake.state import ABSENT, SAID, UNKNOWN, CMakeScopes, CMakeState, texts_of, value_of, ways
from sycllint.builds.settings import Choice
from sycllint.builds.words import read
from sycllint.source.disk import Disk
from sycllint.source.files import shown

MAX_COMMANDS = 30_000
"""Commands that are run for one project; folders that come after that are left out."""
MAX_OF_FOLDER = 1500
"""Commands of one folder, without those in it; one with more is left out: mostly it lists tests."""
MAX_DEPTH = 40
"""Functions, files and folders inside one another."""
MAX_ROUNDS = 100
"""Elements of a list that ``foreach`` goes through one by one."""
_PLATFORM = ("CMAKE_", "ENV", "BUILD_", "MSVC", "WIN32", "UNIX", "APPLE", "MINGW", "CYGWIN", "LINUX", "ANDROID", "IOS")
"""Prefixes of variables that CMake, the machine or the command line sets."""
_EMPTY = frozenset({"CMAKE_MODULE_PATH", "CMAKE_PREFIX_PATH", "CMAKE_CXX_FLAGS"})
"""Of these, the variables that are empty by default."""
_RETURNS = frozenset({"return", "include_guard"})
"""Commands that may end a function or a file."""
OPEN = Choice(open=True, reason="a value that CMake finds out when it runs")
Perform = Callable[["CMakeRun", CMakeState, str, tuple[str, ...], "Sequence[CMakeArgument]"], CMakeState | None]


class BudgetError(Exception):
    """The folder asks for more than is followed."""


class CMakeRun:
    """An evaluation of the project at ``root``: the current file and line, and the functions that are defined."""

    def __init__(self, root: str, disk: Disk, perform: Perform, *, whole: bool = True) -> None:
        """``whole``: no other folder's commands come before those of ``root``, so that what is not set is not set."""
        self.root = root
        self.disk = disk
        self.depth = 0
        """The number of variable scopes around the current one."""
        self.folder = root
        """The source folder being run."""
        self.file = ""
        """The file being run."""
        self.line = 0
        self.opened: set[str] = set()
        """Beginnings of variables that a package that is looked for, or a command that was not followed, may set."""
        self.ends: dict[str, list[CMakeState]] = {}
        """For each folder, what its commands noted, each time that they were run to their end."""
        self._perform = perform
        self._whole = whole
        self._routines: dict[str, Routine] = {}
        self._parsed: dict[str, tuple[Statement, ...] | None] = {}
        self._shown: dict[str, str] = {}
        """The paths of files for messages."""
        self._returned: list[_Ends] = []
        self._broken: list[_Ends] = []
        self._continued: list[_Ends] = []
        self._commands = 0
        self._left = MAX_COMMANDS
        """Commands that the current folder may still run."""
        self._nested = 0
        self._active: list[str] = []
        self._returning: dict[int, bool] = {}
        """By the identity of a body, whether it may end before its last statement."""
        self._scopes = CMakeScopes()
        self._replaced: Mapping[str, str] = {}
        """What is written for the parameters of the macro that is run."""

    def state(self) -> CMakeState:
        """The state before the first command."""
        return CMakeState(self._default, self._scopes)

    def _default(self, name: str) -> Choice:
        """The value of a variable that no command has set, when CMake is run without options."""
        if name in _EMPTY:
            return ABSENT
        if not self._whole or name.startswith(_PLATFORM) or "FOUND" in name.upper() or UNKNOWN in name:
            return OPEN
        return OPEN if name.upper().startswith(tuple(self.opened)) else ABSENT

    def finish(self, state: CMakeState) -> None:
        """End the function or file that is being run, as ``return`` does."""
        self._returned[-1].add(state)

    # ---------------------------------------------------------------- files

    def script(self, path: str, state: CMakeState) -> CMakeState | None:
        """Run a file; a file that is not there or is not CMake changes nothing."""
        if path not in self._parsed:
            self._parsed[path] = statements(read(path, self.disk)) if self.disk.is_file(path) else None
        body = self._parsed[path]
        if body is None or self._nested >= MAX_DEPTH:
            return state
        outer, self.file = self.file, path
        self._assign(state, "CMAKE_CURRENT_LIST_DIR", os.path.dirname(path))
        self._assign(state, "CMAKE_CURRENT_LIST_FILE", path)
        after = self.called(body, state)
        self.file = outer
        if after is not None and outer:
            self._assign(after, "CMAKE_CURRENT_LIST_DIR", os.path.dirname(outer))
            self._assign(after, "CMAKE_CURRENT_LIST_FILE", outer)
        return after

    def subdirectory(self, folder: str, state: CMakeState) -> CMakeState | None:
        """Run the ``CMakeLists.txt`` of a folder, which has variables of its own; too large a one changes nothing."""
        place = os.path.join(folder, "CMakeLists.txt")
        if not self.disk.is_file(place) or state.fact(("reached", folder)) is not None:
            return state
        if self._commands > MAX_COMMANDS:
            state.note(("dropped", folder), SAID)
            return state
        inner = state.fork()
        for key, value in state.facts().items():
            if key[0] in ("define", "include", "option") and key[1:3] == ("folder", self.folder):
                inner.note((*key[:2], folder, *key[3:]), value)
        inner.note(("reached", folder), SAID)
        before = (self.folder, self.file, self.depth, self._nested, self._left, self._replaced)
        stacks = [(stack, len(stack)) for stack in (self._returned, self._broken, self._continued, self._active)]
        self.folder, self.depth, self._left = folder, self.depth + 1, MAX_OF_FOLDER if before[1] else MAX_COMMANDS
        self.put(inner, "CMAKE_CURRENT_SOURCE_DIR", Choice((folder,)))
        try:
            after = self.script(place, inner)
        except BudgetError:
            for stack, length in stacks:
                del stack[length:]
            self._scopes.leave(before[2])
            state.note(("dropped", folder), SAID)
            return state
        finally:
            self.folder, self.file, self.depth, self._nested, self._left, self._replaced = before
        if after is None:
            return None
        self.depth += 1
        self._flags(after, folder)
        self._leave(after)
        self.ends.setdefault(folder, []).append(after.kept(state))
        return self._merged(state, [after], "")

    def _flags(self, state: CMakeState, folder: str) -> None:
        """``CMAKE_CXX_FLAGS`` at the end of a folder applies to the sources in it; so do the linker flags."""
        for key, name in (("flags", "CMAKE_CXX_FLAGS"), ("linker flags", "CMAKE_EXE_LINKER_FLAGS")):
            value = state.variable(name, self.depth)
            if value is not OPEN:
                state.note((key, folder), value)

    def _leave(self, state: CMakeState | None) -> None:
        if state is not None:
            state.forget([("variable", self.depth, name) for name in self._scopes.names.pop(self.depth, ())])
        self.depth -= 1

    def put(self, state: CMakeState, name: str, value: Choice, depth: int | None = None) -> None:
        """Set a variable of the current scope, or of one around it."""
        scope = self.depth if depth is None else depth
        self._scopes.names[scope].add(name)
        state.note(("variable", scope, name), value)

    def _assign(self, state: CMakeState, name: str, text: str) -> None:
        self.put(state, name, value_of(text))

    # ----------------------------------------------------------- statements

    def called(self, body: Sequence[Statement], state: CMakeState) -> CMakeState | None:
        """Run a function's or a file's statements up to their end or a ``return``; ``None`` when they do not end."""
        self._nested += 1
        if not self._returns(body):
            after = self.block(body, state)
        else:
            ends = _Ends(state)
            self._returned.append(ends)
            ends.add(self.block(body, state.fork()))
            self._returned.pop()
            after = self._met(ends)
        self._nested -= 1
        return after

    def _returns(self, body: Sequence[Statement]) -> bool:
        """Whether there are statements that may end a function or a file among those of its body."""
        known = self._returning.get(id(body))
        if known is None:
            known = self._returning[id(body)] = any(each.name in _RETURNS for each in _commands(body))
        return known

    def block(self, body: Sequence[Statement], state: CMakeState) -> CMakeState | None:
        """Run statements; ``None`` when what follows them is not reached."""
        current: CMakeState | None = state
        for each in body:
            if current is None:
                return None
            current = self._statement(each, current)
        return current

    def _statement(self, statement: Statement, state: CMakeState) -> CMakeState | None:
        self._commands += 1
        self._left -= 1
        if self._left < 0:
            raise BudgetError
        match statement:
            case CMakeCommand():
                self.line = statement.line
                return self._command(statement, state)
            case CMakeIf():
                return self._conditional(statement, state)
            case CMakeLoop():
                return self._loop(statement, state)
            case Routine():
                self._routines[statement.name] = statement
                return state

    def reason(self) -> str:
        """The line being run, for a message."""
        if self.file not in self._shown:
            self._shown[self.file] = shown(self.file)
        return f"{self._shown[self.file]}:{self.line}"

    def reader(self, state: CMakeState) -> Callable[[str], Choice]:
        """Lookup of variables in the current scope, and of parameters of the macro that is run."""
        depth, replaced = self.depth, self._replaced
        return lambda name: value_of(replaced[name]) if name in replaced else state.variable(name, depth)

    def _met(self, ends: "_Ends") -> CMakeState | None:
        """The join of the states of all branches with the same start."""
        return self._merged(ends.base, ends.states, f"a `return` or `break` before {self.reason()} is not decided")

    def _command(self, command: CMakeCommand, state: CMakeState) -> CMakeState | None:
        given = command.arguments
        found = ways(self.reader(state), lambda seen: words(given, seen), surely_read(given))
        if found is None:
            found = [({}, words(given, lambda _: UNKNOWN))]
        if len(found) == 1:
            return self._run(command, state, found[0][1])
        ends = [self._run(command, state.fork(), texts) for _, texts in found]
        branches = [each for each in ends if each is not None]
        return self._merged(state, branches, self._varying(found, state))

    def _varying(self, found: Sequence[tuple[Mapping[str, str | None], tuple[str, ...]]], state: CMakeState) -> str:
        """Why a command runs in several ways: the reason of the first variable that differs."""
        for name in found[0][0]:
            reason = state.variable(name, self.depth).reason
            if reason:
                return reason
        return f"{self.reason()} is not decided"

    def _merged(self, before: CMakeState, branches: Sequence[CMakeState], reason: str) -> CMakeState | None:
        if not branches:
            return None
        before.join(branches, reason)
        return before

    def _run(self, command: CMakeCommand, state: CMakeState, given: tuple[str, ...]) -> CMakeState | None:
        name = command.name
        if name == "return":
            self.finish(state)
            return None
        if name in ("break", "continue"):
            loops = self._broken if name == "break" else self._continued
            if loops:
                loops[-1].add(state)
            return None
        routine = self._routines.get(name)
        if routine is not None:
            return self._call(routine, given, state)
        return self._perform(self, state, name, given, command.arguments)

    def _call(self, routine: Routine, given: tuple[str, ...], state: CMakeState) -> CMakeState | None:
        if self._active.count(routine.name) or len(self._active) >= MAX_DEPTH:
            return state
        self._active.append(routine.name)
        bound = dict(zip(routine.parameters, given, strict=False))
        bound |= {f"ARGV{index}": text for index, text in enumerate(given)}
        bound |= {"ARGV": ";".join(given), "ARGN": ";".join(given[len(routine.parameters) :]), "ARGC": str(len(given))}
        outer = self._replaced
        if routine.is_macro:
            self._replaced = bound
            after = self.called(routine.body, state)
        else:
            self._replaced = {}
            self.depth += 1
            self._scopes.parameters[self.depth] = bound
            after = self.called(routine.body, state)
            del self._scopes.parameters[self.depth]
            self._leave(after)
        self._replaced = outer
        self._active.pop()
        return after

    # ------------------------------------------------------ branches, loops

    def _conditional(self, node: CMakeIf, state: CMakeState) -> CMakeState | None:
        ends: list[CMakeState | None] = []
        rest = state
        reason = ""
        for branch in node.branches:
            self.line = branch.line
            answers = self._decided(branch, rest)
            if answers is None:
                ends.append(self.block(branch.body, rest))
                break
            taken, passed = answers
            if taken is None:
                continue
            reason = reason or f"`if({_spelled(branch.condition)})` at {self.reason()} is not decided"
            ends.append(self.block(branch.body, taken))
            rest = passed
        else:
            ends.append(self.block(node.otherwise, rest))
        reached = [each for each in ends if each is not None]
        return state if reached == [state] else self._merged(state, reached, reason)

    def _decided(self, branch: CMakeBranch, state: CMakeState) -> tuple[CMakeState | None, CMakeState] | None:
        """The state with which a branch runs and that with which it does not.

        ``None``: it surely runs. Its state is ``None`` when it surely does not. In both, a variable that the condition
        asks for has only the values with which the condition is so.
        """
        is_target = partial(self._is_target, state)
        found = ways(self.reader(state), lambda seen: decided(condition_words(branch.condition, seen), seen, is_target))
        answers = {answer for _, answer in found} if found is not None else {None}
        if answers == {True}:
            return None
        if answers == {False}:
            return None, state
        taken, passed = state.fork(), state.fork()
        for each, truth in ((taken, True), (passed, False)):
            self._narrow(each, [chosen for chosen, answer in found or () if answer in (truth, None)])
        return taken, passed

    def _narrow(self, state: CMakeState, possible: Sequence[Mapping[str, str | None]]) -> None:
        """Let variables have only the values that they have in one of the ways that are left."""
        for name in possible[0] if possible else ():
            texts = [chosen[name] for chosen in possible if name in chosen]
            value = state.variable(name, self.depth)
            if len(texts) == len(possible) and set(texts) < set(texts_of(value)):
                left = tuple(dict.fromkeys(each for each in texts if each is not None and each != UNKNOWN))
                narrowed = Choice(left, None in texts, UNKNOWN in texts, value.reason)
                self.put(state, name, narrowed)

    def _is_target(self, state: CMakeState, name: str) -> bool | None:
        if UNKNOWN in name or "::" in name:
            return None
        made = state.fact(("target", name))
        return True if made is not None and not made.undefined else None

    def _loop(self, node: CMakeLoop, state: CMakeState) -> CMakeState | None:
        self.line = node.line
        found = None if node.is_while else ways(self.reader(state), lambda seen: words(node.arguments, seen))
        given = found[0][1] if found is not None and len(found) == 1 else ()
        listed = self._elements(given, state)
        if listed is None or len(listed) > MAX_ROUNDS:
            return self._some_rounds(node, state)
        name = given[0]
        broken = _Ends(state)
        self._broken.append(broken)
        current: CMakeState | None = state.fork()
        for text in listed:
            if current is None:
                break
            self._assign(current, name, text)
            ends = _Ends(current)
            self._continued.append(ends)
            ends.add(self.block(node.body, current.fork()))
            self._continued.pop()
            current = self._met(ends)
        self._broken.pop()
        broken.add(current)
        return self._met(broken)

    def _elements(self, given: tuple[str, ...], state: CMakeState) -> list[str] | None:
        """The elements of ``foreach``; ``None`` when they are not known."""
        if not given:
            return None
        rest = list(given[1:])
        if rest[:1] == ["RANGE"]:
            if not all(each.lstrip("-").isdigit() for each in rest[1:]) or len(rest) not in (2, 3, 4):
                return None
            numbers = [int(each) for each in rest[1:]]
            start, stop = (0, numbers[0]) if len(numbers) == 1 else (numbers[0], numbers[1])
            step = numbers[2] if len(numbers) == 3 else 1
            return [str(each) for each in range(start, stop + 1, step)] if step > 0 else None
        if rest[:1] == ["IN"]:
            found: list[str] = []
            kind = ""
            for each in rest[1:]:
                if each in ("LISTS", "ITEMS", "ZIP_LISTS"):
                    kind = each
                elif kind == "LISTS":
                    texts = texts_of(state.variable(each, self.depth))
                    if len(texts) > 1:
                        return None
                    found += elements(texts[0] or "")
                else:
                    found.append(each)
            rest = found
            if kind == "ZIP_LISTS":
                return None
        return None if any(UNKNOWN in each for each in rest) else rest

    def _some_rounds(self, node: CMakeLoop, state: CMakeState) -> CMakeState | None:
        """A loop of which it is not known how often it runs: what it sets is not known after it."""
        body = state.fork()
        for name in _assigned(node.body, self._routines):
            self.put(body, name, OPEN)
        if node.arguments:
            self.put(body, node.arguments[0].text, OPEN)
        ends = _Ends(state)
        self._broken.append(ends)
        self._continued.append(ends)
        ends.add(self.block(node.body, body))
        self._broken.pop()
        self._continued.pop()
        return self._merged(state, [*ends.states, state.fork()], f"the loop at {self.reason()} may not run")


class _Ends:
    """States in which a function, a file or a round of a loop ends, all begun from ``base``."""

    def __init__(self, base: CMakeState) -> None:
        self.base = base
        self.states: list[CMakeState] = []

    def add(self, state: CMakeState | None) -> None:
        """One more end, where there is one."""
        if state is not None:
            self.states.append(state.kept(self.base))


def _spelled(condition: Sequence[CMakeArgument]) -> str:
    return " ".join(each.text for each in condition)


def _commands(body: Sequence[Statement]) -> Iterator[CMakeCommand]:
    """The commands among statements and in their branches and loops; those of a routine belong to it."""
    for each in body:
        match each:
            case CMakeCommand():
                yield each
            case CMakeIf(branches=branches, otherwise=otherwise):
                for branch in branches:
                    yield from _commands(branch.body)
                yield from _commands(otherwise)
            case CMakeLoop(body=inner):
                yield from _commands(inner)
            case Routine():
                pass


def _assigned(body: Sequence[Statement], routines: Mapping[str, Routine], depth: int = 0) -> set[str]:
    """Variables that statements may set: every plain word in a command, for any of them may name one."""
    found: set[str] = set()
    for each in _commands(body):
        found.update(argument.text for argument in each.arguments if argument.text.isidentifier())
        if each.name in routines and depth < 4:
            found |= _assigned(routines[each.name].body, routines, depth + 1)
    return found
