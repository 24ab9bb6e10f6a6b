"""From paths to diagnostics: targets, test trees, rule packs, and what goes wrong on the way."""

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import sycllint
from sycllint.config import Config
from sycllint.diagnostic import Evidence, Severity
from sycllint.launch.helpers import LaunchHelper
from sycllint.pipeline import Result, check, kernels
from sycllint.pipeline.explanation import explain
from sycllint.pipeline.parts import in_test_tree
from sycllint.pipeline.unnamed import UNNAMED
from sycllint.registry import all_rules

pytest.importorskip("sycllint.launch.build")

LAUNCH = """\
#include <sycl/sycl.hpp>

void scale(sycl::queue &q, float *data) {
  q.parallel_for(sycl::nd_range<1>(GLOBAL, LOCAL), [=](sycl::nd_item<1> item) {
    data[item.get_global_id(0)] *= 2.0f;
  });
}
"""


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / ".git").mkdir()
    monkeypatch.chdir(tmp_path)
    return tmp_path


def launch(path: Path, global_size: int, local_size: int) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(LAUNCH.replace("GLOBAL", str(global_size)).replace("LOCAL", str(local_size)))


def on(*targets: str, select: tuple[str, ...] = ()) -> Result:
    return check(["."], Config(targets=targets, select=select), raise_rule_errors=True)


SMALL_SUB_GROUP = """
#include <sycl/sycl.hpp>
void run(sycl::queue q, float *x) {
  q.parallel_for(sycl::nd_range<1>(6400, 64), [=](sycl::nd_item<1> it) [[sycl::reqd_sub_group_size(8)]] {
    x[it.get_global_id(0)] = 1.0f;
  });
}
"""

IN_STEP = """
#include <sycl/sycl.hpp>
void run(sycl::queue q, float *x) {
  q.parallel_for(sycl::nd_range<1>(1 << 22, 256), [=](sycl::nd_item<1> it) {
    x[it.get_global_id(0)] = 1.0f;
    sycl::group_barrier(it.get_group());
    x[it.get_global_id(0)] += 1.0f;
  });
}
"""


class TestTargets:
    def test_several_share_one_diagnostic(self, project: Path) -> None:
        launch(project / "a.cpp", 64000, 640)
        (found,) = on("tgl", "gen9", "pvc").diagnostics
        assert found.code == "SYC101"
        assert found.targets == ("tgl", "gen9")
        assert "on tgl; " in found.message
        assert found.message.endswith(" on gen9")

    def test_a_configured_target_proves_an_error(self, project: Path) -> None:
        launch(project / "a.cpp", 64000, 640)
        (found,) = on("tgl").diagnostics
        assert (found.severity, found.evidence) == (Severity.ERROR, Evidence.PROVED)

    def test_without_a_target_what_holds_on_older_gpus_only_is_one_note(self, project: Path) -> None:
        launch(project / "a.cpp", 64000, 640)
        result = on()
        (found,) = result.diagnostics
        assert (result.targets, result.targets_assumed) == (UNNAMED, True)
        assert (found.severity, found.evidence) == (Severity.NOTE, Evidence.DERIVED)
        assert found.message == "work-group 640 exceeds max 512 on tgl, dg1; 256 on gen9, gen11"

    def test_without_a_target_what_holds_on_every_current_gpu_is_a_warning(self, project: Path) -> None:
        launch(project / "a.cpp", 204800, 2048)
        (found,) = on().diagnostics
        assert (found.severity, found.evidence) == (Severity.WARNING, Evidence.DERIVED)
        assert found.message.startswith("work-group 2048 exceeds max 1024 on dg2, pvc, mtl, lnl, bmg, ptl; ")

    def test_without_a_target_what_holds_on_some_current_gpus_is_a_note(self, project: Path) -> None:
        (project / "a.cpp").write_text(SMALL_SUB_GROUP)
        (found,) = (each for each in on().diagnostics if each.code == "SYC301")
        assert (found.severity, found.targets) == (Severity.NOTE, ("pvc", "lnl", "bmg", "ptl"))

    def test_without_a_target_a_hint_about_older_gpus_only_is_not_reported(self, project: Path) -> None:
        (project / "a.cpp").write_text(IN_STEP)
        assert [each.code for each in on("gen9").diagnostics] == ["SYC201"]
        assert on().diagnostics == ()

    @pytest.mark.parametrize(
        ("local", "attribute", "code", "severity", "on_all"),
        [
            ("2048", "", "SYC101", Severity.WARNING, True),
            ("1025", "", "SYC101", Severity.WARNING, True),
            ("33", "", "SYC302", Severity.WARNING, True),
            ("48", "[[sycl::reqd_sub_group_size(32)]]", "SYC302", Severity.WARNING, True),
            ("640", "", "SYC101", Severity.NOTE, False),
            ("512", "", "SYC101", Severity.NOTE, False),
            ("64", "[[sycl::reqd_sub_group_size(8)]]", "SYC301", Severity.NOTE, False),
        ],
    )
    def test_without_a_target_current_gpus_decide(
        self, project: Path, local: str, attribute: str, code: str, severity: Severity, *, on_all: bool
    ) -> None:
        kernel = LAUNCH.replace("GLOBAL", f"{local} * 1000").replace("LOCAL", local)
        (project / "a.cpp").write_text(kernel.replace("item) {", f"item) {attribute} {{"))
        found = {each.code: each for each in on().diagnostics}
        assert found[code].severity is severity
        current = {"dg2", "pvc", "mtl", "lnl", "bmg", "ptl"}
        assert (current <= set(found[code].targets or current)) is on_all

    def test_what_is_wrong_on_every_intel_gpu_stays_an_error(self, project: Path) -> None:
        launch(project / "a.cpp", 409600, 4096)
        (found,) = on().diagnostics
        assert (found.code, found.severity) == ("SYC101", Severity.ERROR)

    def test_what_does_not_depend_on_the_device_stays_an_error(self, project: Path) -> None:
        launch(project / "a.cpp", 1000, 256)
        found = [each for each in on().diagnostics if each.code == "SYC102"]
        assert [each.severity for each in found] == [Severity.ERROR]


class TestRules:
    def test_only_those_chosen_run(self, project: Path) -> None:
        launch(project / "a.cpp", 1000, 640)
        assert {each.code for each in on("tgl", select=("SYC102",)).diagnostics} == {"SYC102"}
        assert [rule.code for rule in on("tgl", select=("SYC102",)).rules()] == ["SYC102"]

    def test_defines_give_names_their_values(self, project: Path) -> None:
        (project / "a.cpp").write_text(LAUNCH.replace("GLOBAL", "64000"))
        assert on("tgl").diagnostics == ()
        result = check(["."], Config(targets=("tgl",), defines={"LOCAL": "640"}))
        assert [each.code for each in result.diagnostics] == ["SYC101"]


class TestTestTrees:
    @pytest.mark.parametrize(
        "path",
        [
            "tests/a.cpp",
            "src/test/deep/a.cpp",
            "testing/a.cpp",
            "unittests/a.cpp",
            "src/test_a.cpp",
            "a_test.cpp",
            "a_tests.dp.cpp",
            "unit_tests/a.cpp",
            "stress/a.cpp",
            "src/stress_test/a.cpp",
            "conformance-tests/a.cpp",
        ],
    )
    def test_are_known_by_name(self, project: Path, path: str) -> None:
        assert in_test_tree(path, str(project))

    @pytest.mark.parametrize(
        "path", ["src/latest.cpp", "contest/a.cpp", "attest_a.cpp", "testbed/a.cpp", "stressed/a.cpp", "examples/a.cpp"]
    )
    def test_are_not_guessed_from_part_of_a_word(self, project: Path, path: str) -> None:
        assert not in_test_tree(path, str(project))

    @pytest.mark.parametrize("path", ["tests/a.cpp", "src/stress_test/a.cpp", "a_test.cpp"])
    @pytest.mark.parametrize(
        ("code", "local", "kernel"),
        [
            ("SYC104", "64", "x[item.get_global_id(0)] = 0;"),
            ("SYC302", "33", "x[item.get_global_id(0)] = 0;"),
            ("SYC511", "64", "x[0] += 1;"),
            (
                "SYC705",
                "64",
                "sycl::atomic_ref<float, sycl::memory_order::relaxed, sycl::memory_scope::device>(x[0]).fetch_add(1);",
            ),
            ("SYC901", "64", "x[item.get_local_id(0)] = 0; item.barrier(); x[item.get_local_id(0)] += 1;"),
            ("SYC902", "64", "x[item.get_global_id(0)] = 0; } using old = cl::sycl::queue; {"),
            ("SYC904", "64", "x[0] = 1;"),
        ],
    )
    def test_mute_waste_and_old_names(self, project: Path, path: str, code: str, local: str, kernel: str) -> None:
        size = str(1 << 32) if code == "SYC104" else f"{local} * 4096"
        text = (
            LAUNCH.replace("GLOBAL", size)
            .replace("LOCAL", local)
            .replace("data[item.get_global_id(0)] *= 2.0f;", kernel)
        )
        text = text.replace("data", "x")
        if code == "SYC904":
            text = text.replace("item) {", "item) [[intel::reqd_sub_group_size(16)]] {")
        for each in (path, "src/a.cpp", "examples/a.cpp", "latest/a.cpp"):
            (project / each).parent.mkdir(parents=True, exist_ok=True)
            (project / each).write_text(text)
        found = on("pvc", select=(code,)).diagnostics
        assert {each.location.path for each in found} == {"src/a.cpp", "examples/a.cpp", "latest/a.cpp"}

    def test_are_not_known_by_directories_above_the_root(self, project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        root = project / "tests" / "checkout"
        root.mkdir(parents=True)
        monkeypatch.chdir(root)
        assert not in_test_tree("a.cpp", str(root))
        assert in_test_tree("a.cpp", str(project))


class TestPlugins:
    @pytest.fixture
    def pack(self, project: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
        """An installed rule pack with a rule that crashes and one that is muted in tests."""
        site = project / ".site"
        (site / "acme.dist-info").mkdir(parents=True)
        (site / "acme.dist-info" / "entry_points.txt").write_text("[sycllint.rules]\nacme = acme_rules\n")
        (site / "acme_rules").mkdir()
        (site / "acme_rules" / "__init__.py").write_text('"""Rules of ACME."""\n')
        (site / "acme_rules" / "launches.py").write_text(
            '''\
"""A launch is a launch."""

from sycllint.diagnostic import Severity
from sycllint.launch.kernel import KernelLaunch
from sycllint.rule import Finding, rule


@rule("ACME101", Severity.WARNING, on=KernelLaunch)
def crash(launch, target):
    raise KeyError("gone")
    yield


@rule("ACME102", Severity.WARNING, on=KernelLaunch, muted_in_tests=True)
def launch(launch, target):
    yield Finding(launch.location, "this launch", "is a launch")
'''
        )
        monkeypatch.syspath_prepend(str(site))
        all_rules.cache_clear()
        yield
        all_rules.cache_clear()
        for name in [each for each in sys.modules if each.startswith("acme_rules")]:
            del sys.modules[name]

    @pytest.mark.usefixtures("pack")
    def test_a_rule_that_crashes_is_named_and_the_others_run(self, project: Path) -> None:
        launch(project / "a.cpp", 64000, 640)
        result = check(["."], Config(targets=("tgl",)))
        assert [each.code for each in result.diagnostics] == ["ACME102", "SYC101"]
        assert result.notices == ("a.cpp:4: ACME101 crashed: internal error: KeyError: 'gone' (launches.py:10)",)
        assert not result.complete

    @pytest.mark.usefixtures("pack")
    def test_a_crash_comes_through_when_asked_for(self, project: Path) -> None:
        launch(project / "a.cpp", 64000, 640)
        with pytest.raises(KeyError, match="gone"):
            on("tgl")

    @pytest.mark.usefixtures("pack")
    def test_a_rule_muted_in_tests_is_silent_there(self, project: Path) -> None:
        launch(project / "src" / "a.cpp", 64000, 64)
        launch(project / "tests" / "a.cpp", 64000, 64)
        result = on("tgl", select=("ACME102",))
        assert [each.location.path for each in result.diagnostics] == ["src/a.cpp"]


class TestKernels:
    def test_each_launch_comes_with_its_occupancy_on_each_target(self, project: Path) -> None:
        launch(project / "a.cpp", 65536, 256)
        (report,) = kernels(["."], Config(targets=("tgl", "pvc"))).launches
        assert [each.sub_group_size for each in report.occupancies["tgl"]] == [8, 16, 32]
        assert [each.sub_group_size for each in report.occupancies["pvc"]] == [16, 32]

    def test_launches_come_in_the_order_of_the_source(self, project: Path) -> None:
        launch(project / "b.cpp", 512, 256)
        launch(project / "a.cpp", 512, 256)
        found = kernels(["b.cpp", "a.cpp"], Config(targets=("tgl",)))
        assert [report.launch.location.path for report in found.launches] == ["a.cpp", "b.cpp"]


def test_the_python_interface_gives_what_the_command_line_prints(project: Path) -> None:
    launch(project / "a.cpp", 64000, 640)
    assert sycllint.analyze(["a.cpp"], Config(targets=("tgl",))) == list(on("tgl").diagnostics)


def test_progress_is_reported_after_each_file(project: Path) -> None:
    launch(project / "a.cpp", 512, 256)
    launch(project / "b.cpp", 512, 256)
    reported: list[tuple[int, int]] = []
    check(["."], Config(), on_progress=lambda done, total: reported.append((done, total)))
    assert reported == [(1, 2), (2, 2)]


def test_an_interrupted_run_keeps_what_it_found(project: Path) -> None:
    launch(project / "a.cpp", 64000, 640)
    launch(project / "b.cpp", 64000, 640)

    def stop(done: int, total: int) -> None:
        raise KeyboardInterrupt

    result = check(["."], Config(targets=("tgl",)), on_progress=stop)
    assert [each.location.path for each in result.diagnostics] == ["a.cpp"]
    assert result.interrupted
    assert not result.complete


class TestLaunchHelpers:
    CALL = """\
#include "runtime.h"
void scale(Runtime &runtime, float *data) {
  runtime.run(1000,
              640,
              [=](sycl::nd_item<1> item) { data[item.get_global_id(0)] = 0; });
}
"""
    CONFIG = Config(targets=("tgl",), launch_helpers={"run": (LaunchHelper(global_=0, local=1, kernel=2),)})

    def test_their_calls_are_checked(self, project: Path) -> None:
        (project / "a.cpp").write_text(self.CALL)
        found = check(["."], self.CONFIG, raise_rule_errors=True).diagnostics
        assert {each.code for each in found} == {"SYC101", "SYC102"}

    def test_their_calls_are_among_the_kernels(self, project: Path) -> None:
        (project / "a.cpp").write_text(self.CALL)
        (report,) = kernels(["."], self.CONFIG, raise_errors=True).launches
        span = report.launch.location.span
        assert self.CALL[span.start : span.end] == "run"

    @pytest.mark.parametrize("line", [3, 5])
    def test_their_calls_are_explained_on_each_line(self, project: Path, line: int) -> None:
        (project / "a.cpp").write_text(self.CALL)
        assert len(explain("a.cpp", line, self.CONFIG).ways) == 1

    def test_without_them_the_calls_are_nothing(self, project: Path) -> None:
        (project / "a.cpp").write_text(self.CALL)
        assert kernels(["."], Config(targets=("tgl",)), raise_errors=True).launches == ()
