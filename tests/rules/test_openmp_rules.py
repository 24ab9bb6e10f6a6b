"""OpenMP regions under what scripts beside them set."""

import json
from pathlib import Path

import pytest

from sycllint.cli import main
from sycllint.config import Config
from sycllint.diagnostic import Diagnostic, Evidence, Severity
from sycllint.pipeline import check, kernels
from sycllint.values.value import known

REGION = """\
void scale(float *data, int n) {
#pragma omp target teams distribute parallel for map(tofrom : data[0 : n])
  for (int i = 0; i < n; ++i) {
    data[i] *= 2.0f;
  }
}
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / ".git").mkdir()
    (tmp_path / "scale.cpp").write_text(REGION)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def found(*select: str) -> list[Diagnostic]:
    return list(check(["."], Config(targets=("tgl",), select=select), raise_rule_errors=True).diagnostics)


def sizes() -> tuple[int | None, int | None]:
    """LWS and GWS of the one region."""
    (report,) = kernels(["."], Config(targets=("tgl",)), raise_errors=True).launches
    launch = report.launch
    assert launch.global_range is not None
    group = launch.work_group_size
    return None if group is None else known(group), known(launch.global_range.extents[0])


def test_a_script_gives_regions_their_size(folder: Path) -> None:
    (folder / "run.sh").write_text("export OMP_THREAD_LIMIT=256\nexport OMP_NUM_TEAMS=30\n./scale\n")
    assert sizes() == (256, 7680)


def test_a_clause_outweighs_a_script(folder: Path) -> None:
    (folder / "run.sh").write_text("export OMP_THREAD_LIMIT=256\nexport OMP_NUM_TEAMS=30\n")
    (folder / "scale.cpp").write_text(REGION.replace("map(", "num_teams(8) thread_limit(64) map("))
    assert sizes() == (64, 512)


@pytest.mark.parametrize(
    "script",
    [
        "# export OMP_THREAD_LIMIT=256\n",
        "OMP_THREAD_LIMIT=256 ./scale\n",
        "for size in 1 2; do\n  export OMP_THREAD_LIMIT=256\n  ./scale\ndone\n",
        "export OMP_THREAD_LIMIT=$SIZE\n",
        "export OMP_THREAD_LIMIT=256\nexport OMP_THREAD_LIMIT=512\n",
    ],
)
def test_what_a_script_does_not_set_for_good_stays_unknown(folder: Path, script: str) -> None:
    (folder / "run.sh").write_text(script)
    assert sizes() == (None, None)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("Dockerfile", "ENV OMP_THREAD_LIMIT=256\n"),
        ("ci.yml", "env:\n  OMP_THREAD_LIMIT: 256\n"),
        ("run.cmake", 'set(ENV{OMP_THREAD_LIMIT} "256")\n'),
    ],
)
def test_other_files_set_variables_too(folder: Path, name: str, text: str) -> None:
    (folder / name).write_text(text)
    assert sizes()[0] == 256


def test_a_limit_from_a_script_is_a_warning_that_names_the_script(folder: Path) -> None:
    (folder / "run.sh").write_text("export OMP_THREAD_LIMIT=1024\n")
    (each,) = found("SYC1201")
    assert (each.severity, each.evidence) == (Severity.WARNING, Evidence.DERIVED)
    assert each.message == "OMP_THREAD_LIMIT 1024 exceeds max LWS 512 on tgl"
    assert [related.location.path for related in each.related] == ["run.sh"]


def test_a_script_that_sets_the_size_of_several_regions_is_named_once(folder: Path) -> None:
    (folder / "run.sh").write_text("export OMP_NUM_TEAMS=30\nexport OMP_THREAD_LIMIT=1024\n")
    (folder / "more.cpp").write_text(REGION)
    (each,) = found("SYC1206")
    assert each.location.path == "run.sh"
    assert each.message == (
        "OMP_NUM_TEAMS=30 and OMP_THREAD_LIMIT=1024 force GWS 30,720 on all 2 target regions in this folder"
    )


def test_a_script_beside_one_region_is_fine(folder: Path) -> None:
    (folder / "run.sh").write_text("export OMP_NUM_TEAMS=30\n")
    assert found("SYC1206") == []


REDUCTION = """\
double dot(const double *a, const double *b) {
  double sum = 0.0;
#pragma omp target teams distribute parallel for collapse(2) reduction(+ : sum)
  for (int i = 0; i < 2048; ++i) {
    for (int j = 0; j < 2048; ++j) {
      sum += a[i * 2048 + j] * b[j];
    }
  }
  return sum;
}
"""


class TestTheGuidesReduction:
    """Section "Tuning Kernels with Local and Global Work-group Sizes in OpenMP Offload Mode": LWS 1024, GWS 122,880."""

    @pytest.fixture(autouse=True)
    def program(self, folder: Path) -> None:
        (folder / "scale.cpp").write_text(REDUCTION)
        (folder / "run.sh").write_text("export OMP_THREAD_LIMIT=1024\nexport OMP_NUM_TEAMS=120\n")

    def test_kernels_names_lws_and_gws(self, capsys: pytest.CaptureFixture[str]) -> None:
        assert main(["kernels", "--isolated", "--target", "tgl,pvc", "scale.cpp"]) == 0
        (row,) = (line for line in capsys.readouterr().out.splitlines() if line.startswith("scale.cpp:3"))
        assert "  GWS 122880  LWS 1024  " in row
        assert "57-100%" in row

    def test_explain_names_lws_and_gws_and_where_they_come_from(self, capsys: pytest.CaptureFixture[str]) -> None:
        assert main(["explain", "--isolated", "--target", "tgl", "scale.cpp:3"]) == 0
        text = capsys.readouterr().out
        assert "  global (GWS)    122880, scale.cpp:3\n                  OMP_THREAD_LIMIT is 1024: run.sh:1\n" in text
        assert "  local (LWS)     1024, run.sh:1\n" in text
        assert "barriers        unknown (the compiler chooses how the reduction combines the threads of a team)" in text
        assert "    with LWS 512, the maximum of tgl: a thread limit is an upper bound\n    sub-group 8   57.1%" in text

    def test_explain_has_the_opinions_of_the_rules_on_regions(self, capsys: pytest.CaptureFixture[str]) -> None:
        assert main(["explain", "--isolated", "--target", "tgl", "--ignore", "SYC1203", "--all", "scale.cpp:3"]) == 0
        rules = capsys.readouterr().out.partition("\nrules\n")[2].partition("\n\n")[0]
        assert f"{rules}\n" == (
            "  SYC1201 thread-limit-exceeds-max\n      warning: OMP_THREAD_LIMIT 1024 exceeds max LWS 512 on tgl\n"
            "  SYC1202 target-without-teams\n      silent: the condition is not met\n"
            "  SYC1203 missing-collapse\n      silent: not enabled\n"
            "  SYC1204 teams-undersubscribe\n      silent: the condition is not met\n"
        )

    def test_without_a_script_the_iterations_bound_gws(self, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
        (folder / "run.sh").unlink()
        assert main(["kernels", "--isolated", "--format", "json", "scale.cpp"]) == 0
        (found,) = json.loads(capsys.readouterr().out)["launches"]
        (gws,) = found["global"]["extents"] if isinstance(found["global"], dict) else found["global"]
        assert (gws["kind"], gws["max"]) == ("symbolic", 2048 * 2048)

    def test_the_sizes_that_ran_fastest_are_a_note(self, folder: Path) -> None:
        (folder / "run.sh").write_text("export OMP_THREAD_LIMIT=1024\nexport OMP_NUM_TEAMS=30\n")
        config = Config(targets=("pvc",), select=("SYC1204",))
        (each,) = check(["."], config, raise_rule_errors=True).diagnostics
        assert each.severity is Severity.NOTE
        assert each.message == "30 teams of LWS 1024 fill at most 47% of the device on pvc"
        assert each.help.endswith(
            "Each team of a reduction has a partial result to combine: measure before adding teams."
        )
