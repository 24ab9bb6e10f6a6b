"""Which findings suppressions silence in a run, and when an unused one is reported."""

from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest

from sycllint.config import Config, Overrides, load_all
from sycllint.pipeline import Filters, Hiding, Result, check
from sycllint.pipeline.fixing import apply_fixes

CONFIG = Config(targets=("tgl",))

KERNEL = """\
q.parallel_for(sycl::nd_range<1>(64000, {local}), [=](sycl::nd_item<1> item) {{
    data[item.get_global_id(0)] *= 2.0f;
  }});"""


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty working directory."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


def write(project: Path, comment: str, *, local: int = 640, head: str = "") -> None:
    kernel = KERNEL.format(local=local)
    (project / "a.cpp").write_text(f"{head}void f(sycl::queue &q, float *data) {{\n  {comment}\n  {kernel}\n}}\n")


def codes(result: Result) -> list[str]:
    return [each.code for each in result.diagnostics]


def linted(config: Config = CONFIG, *, today: date | None = None) -> Result:
    return check(["."], config, raise_rule_errors=True, filters=Filters(today=today))


def test_what_is_silenced_is_kept_with_its_reason(project: Path) -> None:
    write(project, "// sycllint: ignore[SYC101] the lab's GPU takes 1024")
    (hidden,) = linted().hidden
    assert (hidden.diagnostic.code, hidden.why, hidden.reason) == (
        "SYC101",
        Hiding.SUPPRESSED,
        "the lab's GPU takes 1024",
    )


@pytest.mark.parametrize(("today", "expected"), [(date(2027, 3, 31), []), (date(2027, 4, 1), ["SYC003", "SYC101"])])
def test_the_last_day_is_the_one_named(project: Path, today: date, expected: list[str]) -> None:
    write(project, "// sycllint: ignore[SYC101] until=2027-03-31 the new GPU")
    assert sorted(codes(linted(today=today))) == expected


class TestUnused:
    COMMENT = "// sycllint: ignore[SYC101] the lab's GPU takes 1024"

    def test_is_reported_with_a_fix(self, project: Path) -> None:
        write(project, self.COMMENT, local=256)
        (mended,) = apply_fixes(["."], CONFIG).files
        assert b"sycllint" not in mended.after

    def test_both_ends_of_a_range_go(self, project: Path) -> None:
        write(project, "// sycllint: disable[SYC101]\n  // sycllint: enable[SYC101]", local=256)
        (mended,) = apply_fixes(["."], CONFIG).files
        assert b"sycllint" not in mended.after

    def test_is_not_reported_where_its_rule_did_not_run(self, project: Path) -> None:
        write(project, self.COMMENT, local=256)
        assert codes(linted(replace(CONFIG, select=("SYC102", "SYC001")))) == []
        assert codes(linted(replace(CONFIG, ignore=("SYC101",)))) == []

    def test_is_not_reported_of_everything_where_some_rules_did_not_run(self, project: Path) -> None:
        write(project, "// sycllint: ignore it is a demo", local=256)
        assert codes(linted()) == ["SYC001"]
        assert codes(linted(replace(CONFIG, ignore=("SYC301",)))) == []

    def test_is_not_reported_for_some_of_the_targets(self, project: Path) -> None:
        (project / "sycllint.toml").write_text('targets = ["tgl", "pvc"]\n')
        write(project, self.COMMENT)
        assert codes(check(["."], load_all(["."], Overrides(targets=("pvc",))))) == []
        assert codes(check(["."], load_all(["."]))) == []

    def test_is_not_reported_where_code_does_not_parse(self, project: Path) -> None:
        write(project, self.COMMENT, local=256, head="void g( { ) ] }\n")
        assert "SYC001" not in codes(linted())

    def test_is_not_reported_when_the_one_around_it_also_means_the_finding(self, project: Path) -> None:
        write(project, f"// sycllint: disable[SYC1]\n  {self.COMMENT}")
        assert codes(linted()) == ["SYC001"]  # the outer one: the inner one is nearer

    def test_can_be_silenced_by_its_own_name_only(self, project: Path) -> None:
        write(project, f"// sycllint: ignore-file[SYC001] a demo of comments\n  {self.COMMENT}", local=256)
        assert codes(linted()) == []
        write(project, f"// sycllint: ignore-file a demo of comments\n  {self.COMMENT}", local=256)
        assert codes(linted()) == ["SYC001", "SYC001"]


def test_a_wrong_word_is_mended_only_when_a_guess_is_welcome(project: Path) -> None:
    write(project, "// sycllint: ignore[SYC1O1] the lab")
    assert apply_fixes(["."], CONFIG).files == ()
    (mended,) = apply_fixes(["."], CONFIG, unsafe=True).files
    assert b"ignore[SYC101]" in mended.after


def test_a_comment_in_a_header_silences_what_is_found_there(project: Path) -> None:
    kernel = KERNEL.format(local=640)
    (project / "k.hpp").write_text(
        f"inline void f(sycl::queue &q, float *data) {{\n  // sycllint: ignore[SYC101] why\n  {kernel}\n}}\n"
    )
    (project / "main.cpp").write_text('#include "k.hpp"\nint main() { sycl::queue q; f(q, nullptr); }\n')
    for paths in (["."], ["main.cpp"], ["k.hpp"]):
        assert codes(check(paths, CONFIG, raise_rule_errors=True)) == []


def test_an_unused_one_in_a_header_is_reported_when_all_that_include_it_are_linted(project: Path) -> None:
    (project / "k.hpp").write_text("// sycllint: ignore[SYC101] why\ninline int f(sycl::queue &q) { return 1; }\n")
    (project / "main.cpp").write_text('#include "k.hpp"\nint main() { sycl::queue q; return f(q); }\n')
    assert codes(check(["k.hpp"], CONFIG)) == []
    assert codes(check(["k.hpp", "main.cpp"], CONFIG)) == ["SYC001"]


class TestSeverity:
    def test_of_the_configuration_replaces_that_of_the_rule(self, project: Path) -> None:
        write(project, "")
        result = linted(replace(CONFIG, severity=load_all([], Overrides(severity=("SYC101=note",))).project.severity))
        assert [(each.code, each.severity.label) for each in result.diagnostics] == [("SYC101", "note")]
