"""Random programs, what happens when they run, and what is said of them."""

import random
import shutil
import sys
from itertools import count
from pathlib import Path

import pytest

from benchmarks.differential.__main__ import KINDS, Kind, main, written
from benchmarks.differential.execution import Execution, ExecutionError, Launch, Machine, Program
from benchmarks.differential.judgement import judge_defects
from benchmarks.differential.sentences import Sentences

HAS_COMPILER = sys.platform == "linux" and shutil.which("g++") is not None
needs_compiler = pytest.mark.skipif(not HAS_COMPILER, reason="no g++, or a system whose memory the mock cannot reserve")

RACE = """\
void program0(sycl::queue &q, int n) {
  float *a = sycl::malloc_device<float>(64, q);
  q.submit([&](sycl::handler &h) {
    sycl::local_accessor<float, 1> tile(64, h);
    h.parallel_for(sycl::nd_range<1>(64, 64), [=](sycl::nd_item<1> it) {
      int i = it.get_local_id(0);
      tile[i] = a[i];
      if (i < n) it.barrier();
      a[i] = tile[63 - i];
    });
  });
}
"""
HOST = """\
void program0(int argc) {
  sycl::queue q;
  int *a = sycl::malloc_shared<int>(64, q);
  auto done = q.parallel_for(sycl::range<1>(64), [=](sycl::id<1> i) { a[i] = 1; });
  q.memset(a, 0, 64 * sizeof(int));
  if (argc > 1) done.wait();
  a[3] = 1;
  sycl::free(a, q);
}
"""


@pytest.fixture(scope="module")
def machine(tmp_path_factory: pytest.TempPathFactory) -> Machine:
    return Machine(tmp_path_factory.mktemp("machine"))


def executed(machine: Machine, text: str, *calls: str) -> Execution:
    file = machine.folder / "programs.cpp"
    file.write_text(written([Program(text, calls)])[0])
    return machine.run(file, [calls])


def sentences(**productions: list[str]) -> Sentences:
    return Sentences(productions, random.Random(1), count())


def test_a_name_is_used_where_it_is_in_scope() -> None:
    made = sentences(block=["{ int <+name> = 1;<!> <use><.> }"], use=["0;", "9: <name>;"], name=[])
    assert made.text("<use> <block> <use>") == "0; { int n_0 = 1; n_0; } 0;"


def test_what_a_sentence_needs_stands_before_the_program() -> None:
    made = sentences(call=["<^define><function>(1)"], define=["int <+function>(int);<!>"], function=[])
    assert made.text("2: <call>; sycl::range<1>") == "2: f_0(1); sycl::range<1>"
    assert made.top == ["int f_0(int);"]


@pytest.mark.parametrize("kind", KINDS.values(), ids=KINDS)
def test_a_seed_makes_the_same_programs_again(kind: Kind) -> None:
    assert kind.programs(7, 3) == kind.programs(7, 3)
    assert kind.programs(7, 3) != kind.programs(8, 3)


@needs_compiler
@pytest.mark.parametrize(
    ("text", "call", "facts"),
    [
        (RACE, "program0(q, 64)", set()),
        (RACE, "program0(q, 0)", {"local-race"}),
        (RACE, "program0(q, 8)", {"divergent-barrier", "local-race"}),
        (RACE.replace("63 - i", "64 - i"), "program0(q, 64)", {"local-index"}),
        (RACE.replace("a[i] = t", "a[i + 1] = t"), "program0(q, 64)", {"global-index"}),
        (RACE.replace("a[i] = t", "a[0] = t"), "program0(q, 64)", {"global-race"}),
        (HOST, "program0(1)", {"early-free", "early-host-access", "unordered-commands"}),
        (HOST.replace("sizeof(int))", "sizeof(int), done).wait()"), "program0(1)", set()),
        (
            HOST.replace("q;", "q{sycl::property::queue::in_order()};").replace("argc > 1) done", "argc) q"),
            "program0(1)",
            set(),
        ),
        (
            HOST.replace("shared", "device").replace("argc > 1) done", "argc) q"),
            "program0(1)",
            {"device-memory-on-host", "unordered-commands"},
        ),
    ],
)
def test_what_happens_is_seen(machine: Machine, text: str, call: str, facts: set[str]) -> None:
    execution = executed(machine, text, call)
    assert execution.runs == {0: [facts]}


@needs_compiler
def test_a_program_that_crashes_is_not_judged(machine: Machine) -> None:
    text = "void program0(int *p) { *p = 1; }\n"
    assert executed(machine, text, "program0(sycl::malloc_host<int>(1, q))", "program0(nullptr)").runs == {}


@needs_compiler
def test_launches_are_seen(machine: Machine) -> None:
    assert executed(machine, RACE, "program0(q, 64)").launches == [Launch(10, (64,), (64,))]


@needs_compiler
def test_a_program_that_does_not_compile_is_an_error(machine: Machine) -> None:
    with pytest.raises(ExecutionError, match="no_such_name"):
        executed(machine, "void program0() { no_such_name(); }\n", "program0()")


def judged(tmp_path: Path, text: str, *runs: set[str]) -> tuple[dict[str, int], dict[str, int], int]:
    text, lines = written([Program(text, ())])
    file = tmp_path / "programs.cpp"
    file.write_text(text)
    found = judge_defects(file, lines, Execution({0: list(map(frozenset, runs))}))
    return dict(+found.true), dict(+found.noticed), len(found.false)


def test_a_finding_is_judged_by_the_runs(tmp_path: Path) -> None:
    text = RACE.replace("      if (i < n) it.barrier();\n", "")
    assert judged(tmp_path, text, {"local-race"}) == ({"local-race": 1}, {"local-race": 1}, 0)
    assert judged(tmp_path, text, {"local-race"}, set()) == ({}, {}, 0)
    assert judged(tmp_path, text, set(), set()) == ({}, {}, 1)
    assert judged(tmp_path, text, {"divergent-barrier"})[2] == 0


@needs_compiler
@pytest.mark.parametrize("kind", KINDS)
def test_programs_are_made_run_and_judged(kind: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([kind, "--seeds", "3", "--programs", "4"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[-1].startswith("4 programs: ")
    assert lines[-1].endswith(" 0 false")


@needs_compiler
def test_a_false_finding_is_printed_and_counted(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    text = RACE.replace("      if (i < n) it.barrier();\n", "")
    wrong = Kind(lambda _made, _name: Program(text, ("void()",)), {})
    monkeypatch.setitem(KINDS, "host", wrong)
    assert main(["host", "--seeds", "0", "--programs", "1"]) == 1
    first, last = capsys.readouterr().out.splitlines()
    assert first.startswith("seed 0, program0, line 13: false SYC306 error: ")
    assert last == "1 programs: 0 true, 0 noticed, 1 false"


@needs_compiler
def test_a_kind_of_which_no_program_ends_is_an_error(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    crash = Kind(lambda _made, name: Program(f"void {name}() {{ __builtin_trap(); }}\n", (f"{name}()",)), {})
    monkeypatch.setitem(KINDS, "host", crash)
    assert main(["host", "--seeds", "0", "--programs", "2"]) == 2
    assert capsys.readouterr().err == "no program ran to its end\n"


@needs_compiler
def test_what_happened_and_was_not_said_is_listed(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    text = "void program0() {\n  sycl::queue q;\n  sycl::malloc_device<int>(1, q)[0] = 1;\n}\n"
    monkeypatch.setitem(KINDS, "host", Kind(lambda _made, _name: Program(text, ("program0()",)), {}))
    assert main(["host", "--seeds", "5", "--programs", "1", "--list", "missed"]) == 0
    assert capsys.readouterr().out.splitlines() == [
        "seed 5, program0: missed device-memory-on-host",
        "device-memory-on-host: 0 of 1 noticed",
        "1 programs: 1 true, 0 noticed, 0 false",
    ]


def test_without_a_compiler_nothing_is_judged(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("CXX", "no-such-compiler")
    assert main(["kernels", "--seeds", "0"]) == 2
    assert "no C++ compiler no-such-compiler" in capsys.readouterr().err
