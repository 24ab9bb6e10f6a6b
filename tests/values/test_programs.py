"""Programs by the hundred: nothing is claimed of a number that the compiled program refutes.

Before each namespace of ``programs/*.cpp`` stands what its ``f(a)`` returns for the arguments below: ``f is 3`` when
the evaluator must say exactly that, ``f returns 3, 4`` when it may also say less. ``yet taken for 4`` names a claim
that is wrong today; the test fails when it no longer is, and the words go.
"""

import platform
import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.values.program import admits, returned, spelled

ARGUMENTS = (-3, 0, 1, 2, 5, 7, 64)
_CASE = re.compile(
    r"^// f (?P<verb>is|returns) (?P<numbers>[-\d |,]+?)(?P<wrong>, yet taken for [^\n]*)?\n"
    r"(?P<source>namespace (?P<name>\w+) \{\n.*?^\} // namespace (?P=name)$)",
    re.MULTILINE | re.DOTALL,
)


class Program(NamedTuple):
    """One namespace; ``results`` are the numbers that ``f`` returns, ascending."""

    name: str
    results: tuple[int, ...]
    exact: bool
    wrong: bool
    source: str


def _files() -> list[Path]:
    return sorted((Path(__file__).parent / "programs").glob("*.cpp"))


def _programs(path: Path) -> Iterator[Program]:
    text = path.read_text(encoding="utf-8")
    found = list(_CASE.finditer(text))
    assert len(found) == len(re.findall(r"^// f ", text, re.MULTILINE)), f"{path.name}: a comment that says nothing"
    for each in found:
        results = tuple(int(number) for number in re.findall(r"-?\d+", each["numbers"]))
        yield Program(each["name"], results, each["verb"] == "is", each["wrong"] is not None, each["source"])


def _parameters() -> Iterator[object]:
    for path in _files():
        for program in _programs(path):
            marks = [pytest.mark.xfail(reason="a wrong claim", raises=AssertionError)] if program.wrong else []
            yield pytest.param(program, id=f"{path.stem}-{program.name}", marks=marks)


@pytest.mark.parametrize("program", list(_parameters()))
def test_a_claim_holds_for_every_run(program: Program) -> None:
    value = returned(program.source)
    if program.exact:
        assert spelled(value) == " | ".join(map(str, program.results))
    for result in program.results:
        assert admits(value, result), f"{spelled(value)} excludes {result}"


@pytest.mark.skipif(shutil.which("g++") is None, reason="no g++")
@pytest.mark.skipif(
    (platform.system(), platform.machine()) != ("Linux", "x86_64"), reason="sizes are those of Linux on x86-64"
)
def test_the_comments_say_what_the_compiled_programs_return(tmp_path: Path) -> None:
    expected: dict[str, tuple[int, ...]] = {}
    calls: list[str] = []
    includes: dict[str, None] = {}
    bodies: list[str] = []
    for path in _files():
        includes |= dict.fromkeys(re.findall(r"^#include <.*>$", path.read_text(encoding="utf-8"), re.MULTILINE))
        programs = list(_programs(path))
        bodies += [f"namespace {path.stem} {{", *(program.source for program in programs), "}"]
        for program in programs:
            name = f"{path.stem}::{program.name}"
            expected[name] = program.results
            calls.append(f'show("{name}", [](int a) -> long long {{ return {name}::f(a); }});')
    arguments = ", ".join(map(str, ARGUMENTS))
    main = f"""
      template <typename F> void show(const char *name, F f) {{
        for (int a : {{{arguments}}}) {{
          try {{ printf("\\n%s %lld\\n", name, f(a)); }} catch (...) {{ }}
        }}
      }}
      int main() {{ {" ".join(calls)} }}"""
    source = tmp_path / "programs.cpp"
    source.write_text("\n".join([*includes, *bodies, main]), encoding="utf-8")
    binary = tmp_path / "programs"
    subprocess.run(["g++", "-std=c++20", "-w", "-O0", source, "-o", binary], check=True)
    run = subprocess.run([binary], check=True, capture_output=True, text=True, input="9 9 9 9")
    seen: dict[str, set[int]] = {name: set() for name in expected}
    for name, result in re.findall(r"^(\w+::\w+) (-?\d+)$", run.stdout, re.MULTILINE):
        seen[name].add(int(result))
    assert {name: tuple(sorted(results)) for name, results in seen.items()} == expected
