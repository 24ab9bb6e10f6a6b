"""Files beside the sources that a tree may bring along: settings, baselines, reports, diffs, caches, all damaged.

Each function makes the files of one trial in a folder that is empty but for ``a.cpp``, and says with which words of the
command line they are read. An exit code and a sentence are right answers to any of them; a crash never is.
"""

import json
import random
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from benchmarks.mutants import damaged, damaged_json

Files = Mapping[str, bytes]
Trial = tuple[Files, Sequence[str]]
"""Files by name, and the arguments of the program."""

_KEYS = (
    "targets",
    "select",
    "extend-select",
    "ignore",
    "exclude",
    "defines",
    "include",
    "severity",
    "launch-helpers",
    "deep",
    "per-path",
    "extend",
    "required-version",
    "respect-gitignore",
    "baseline",
    "compiled",
    "nonsense",
    "target",
    "devices",
    "per-path.'a.cpp'",
    "per-path.'**'.ignore",
    "launch-helpers.launch",
    "defines.N",
    "deep.use",
    "severity.SYC101",
)

_VALUES = (
    '"tgl"',
    '["tgl"]',
    '["tgl", "nope"]',
    "[]",
    "{}",
    "true",
    "-1",
    "1e400",
    "nan",
    "1979-05-27",
    '"ALL"',
    '["SYC1", "SYC9*"]',
    '["**", "[", "!a", "a/../b", "\\u0000", "***/a", "{a,b}"]',
    '{ N = "N", M = "((((" }',
    '{ N = "N N", M = "N M" }',
    "{ f = { global = 1, local = 2 } }",
    "{ f = { range = -1 } }",
    '{ SYC101 = "off" }',
    '"sycllint.toml"',
    '"/dev/null"',
    '"~/x"',
    '">=0"',
    '">=0,<9,!=1.2.3.4.5"',
    '"=="',
    '"error"',
    '[[["a"]]]',
    "'''a\nb'''",
    '{ "a.cpp" = { ignore = ["ALL"] } }',
    '"\\u001b[2J"',
    '["' + "a" * 3000 + '"]',
    "{ " + "N" * 2000 + ' = "1" }',
    '["**/' + "*a" * 40 + '"]',
)

SETTINGS = (
    b'targets = ["tgl", "pvc"]\nselect = ["ALL"]\nignore = ["SYC9xx"]\nexclude = ["build/**"]\n\n[defines]\nN = "4"\n\n'
    b'[severity]\nSYC101 = "warning"\n\n[per-path."a*.cpp"]\nignore = ["SYC101"]\n'
)

DIFF = (
    b"diff --git a/a.cpp b/a.cpp\nindex 1..2 100644\n--- a/a.cpp\n+++ b/a.cpp\n@@ -1,2 +1,9 @@ void f()\n"
    b" #include <sycl/sycl.hpp>\n+\n-x\n+y\n@@ -9 +12,0 @@\n-z\n"
    b'diff --git "a/\\303\\244.cpp" "b/\\303\\244.cpp"\nrename from a\nrename to b\n'
)

MAKEFILE = (
    b"CXX = icpx\nVERSION ?= 2\nifeq ($(VERSION), 2)\n"
    b"CFLAGS += -DN=4 -I../include -fsycl-targets=nvptx64-nvidia-cuda\nendif\ndefine RUN\nendef\nall: a.cpp\n"
    b"\t$(CXX) -fsycl -DWG=$(WG) -Xsycl-target-backend --offload-arch=gfx90a $< -o main\n"
    b"run:\n\tOMP_NUM_TEAMS=4 ./main $(shell ls)\n"
)

CMAKE = b"""cmake_minimum_required(VERSION 3.20)
set(FLAGS "-fsycl -DN=${N}")
if(WIN32)
  add_definitions(-DWIN)
endif()
target_compile_definitions(a PRIVATE N=4 $<$<CONFIG:Debug>:D>)
target_include_directories(a PUBLIC include ${X})
"""


def settings(source: bytes, chance: random.Random) -> Trial:
    """A configuration: keys with the values of others, or damaged text; also as a table of a ``pyproject.toml``."""
    if chance.random() < 0.4:
        text = damaged(SETTINGS, chance)
    else:
        lines = [f"{chance.choice(_KEYS)} = {chance.choice(_VALUES)}" for _ in range(chance.randint(1, 3))]
        text = "\n".join(lines).encode() + b"\n"
    if chance.random() < 0.2:
        return {"a.cpp": source, "pyproject.toml": b"[tool.sycllint]\n" + text}, ["check", "a.cpp"]
    command = chance.choice(
        (
            ["check", "a.cpp"],
            ["config", "a.cpp"],
            ["check", "."],
            ["check", "--config", text.decode("utf-8", "replace")],
        )
    )
    return {"a.cpp": source, "sycllint.toml": text}, command


def build_files(source: bytes, chance: random.Random) -> Trial:
    """A makefile, a CMake file, scripts, a compilation database, ignore files."""
    database = [
        {
            "directory": ".",
            "file": "a.cpp",
            "command": "icpx -DN=4 -I include -fsycl a.cpp",
            "arguments": ["icpx", "-DN"],
        }
    ]
    files = {
        "Makefile": lambda: damaged(MAKEFILE, chance),
        "CMakeLists.txt": lambda: damaged(CMAKE, chance),
        "run.sh": lambda: damaged(
            b"#!/bin/sh\nfor i in 1 2; do export OMP_TEAMS_THREAD_LIMIT=4; done\nOMP_NUM_TEAMS=$1 ./main\n", chance
        ),
        "compile_commands.json": lambda: damaged_json(database, chance),
        ".gitignore": lambda: damaged(b"*.o\n!a.cpp\nbuild/\n**/x[!a]*\n\\#\n", chance),
        "a.h": lambda: damaged(source, chance),
    }
    chosen = chance.sample(sorted(files), 2)
    return {"a.cpp": source + b'#include "a.h"\n', **{name: files[name]() for name in chosen}}, ["check", "."]


def baseline(source: bytes, chance: random.Random) -> Trial:
    """A baseline, named or found."""
    entry = {
        "path": "a.cpp",
        "code": "SYC101",
        "severity": "error",
        "text": "0" * 16,
        "context": "0" * 16,
        "message": "m",
    }
    text = damaged_json({"version": 1, "findings": [entry, {**entry, "code": "SYC202"}]}, chance)
    if chance.random() < 0.5:
        return {"a.cpp": source, ".sycllint-baseline.json": text}, ["check", "a.cpp"]
    command = chance.choice((["baseline", "update"], ["baseline", "prune"], ["check", "--baseline"]))
    return {"a.cpp": source, "b.json": text}, [*command, "b.json", "a.cpp"]


def reports(source: bytes, chance: random.Random) -> Trial:
    """Reports of two shards, SARIF logs among them, to be merged."""
    place = {"path": "a.cpp", "line": 4, "column": 3, "end_line": 4, "end_column": 9, "code": "SYC101", "message": "m"}
    report = {
        "version": "0.0",
        "targets": ["tgl"],
        "shard": "1/2",
        "complete": True,
        "diagnostics": [place],
        "files": {"checked": 1},
        "hidden": {"suppressed": 0},
        "notices": ["n"],
    }
    result = {
        "ruleId": "SYC101",
        "message": {"text": "m"},
        "locations": [{"physicalLocation": {"region": {"startLine": 1}}}],
    }
    log = {"version": "2.1.0", "runs": [{"tool": {"driver": {"name": "sycllint", "rules": []}}, "results": [result]}]}
    first, second = (damaged_json(chance.choice((report, report, report, log)), chance) for _ in range(2))
    return {"a.cpp": source, "1.json": first, "2.json": second}, ["merge", "1.json", "2.json"]


def diffs(source: bytes, chance: random.Random) -> Trial:
    """A diff that says which lines are new."""
    return {"a.cpp": source, "d.diff": damaged(DIFF, chance)}, ["check", "--diff-file", "d.diff", "a.cpp"]


class CompilerReports:
    """What compilers report of kernels, from the samples of the tests."""

    def __init__(self, folder: Path) -> None:
        self._samples = [path.read_bytes() for path in sorted(folder.glob("*.*")) if path.suffix in (".zeinfo", ".log")]

    def __call__(self, source: bytes, chance: random.Random) -> Trial:
        """One of them, damaged."""
        report = damaged(chance.choice(self._samples)[: chance.choice((800, 8000))], chance)
        return {"a.cpp": source, "r.log": report}, ["check", "--kernel-info", "r.log", "a.cpp"]


class Caches:
    """A cache as the program wrote it, with other JSON in its files."""

    def __init__(self, made: Callable[[bytes], Mapping[str, bytes]]) -> None:
        """``made``: the files of the cache after a run over a source."""
        self._made = made

    def __call__(self, source: bytes, chance: random.Random) -> Trial:
        """Every file of it damaged, some as JSON and some as text."""
        files = dict(self._made(source))
        for name, text in files.items():
            if name.endswith(".json") and chance.random() < 0.9:
                files[name] = damaged_json(json.loads(text), chance) if chance.random() < 0.7 else damaged(text, chance)
        return {"a.cpp": source, **files}, ["check", "a.cpp"]
