"""What a launch fills of the whole device: in the table of ``kernels``, its JSON, and the page of ``explain``."""

import json
import re
from functools import cache
from pathlib import Path

import pytest

from sycllint.cli import main
from sycllint.pipeline.survey import survey
from tests.test_published_tables import GEN9, GUIDE, VECTOR_ADD

TEMPLATE = """\
#include <sycl/sycl.hpp>

template <int groups>
void add(sycl::queue &q, const int *a, const int *b, int *sum, int repeats) {
  constexpr size_t local = 512;
  q.parallel_for(sycl::nd_range<1>(groups * local, local), [=](sycl::nd_item<1> it) [[sycl::reqd_sub_group_size(32)]] {
    for (int repeat = 0; repeat < repeats; ++repeat) {
      sum[it.get_global_id(0)] += a[it.get_global_id(0)] + b[it.get_global_id(0)];
    }
  });
}

int main() {
  sycl::queue q;
  int *a = sycl::malloc_device<int>(1 << 20, q), *b = a, *sum = a;
CALLS}
"""


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "160")
    return tmp_path


def table(capsys: pytest.CaptureFixture[str], path: Path | str, *options: str) -> list[str]:
    assert main(["kernels", "--isolated", str(path), *options]) == 0
    return capsys.readouterr().out.splitlines()


def device_cells(lines: list[str], head: str = "device (avg)") -> list[str]:
    """The cells under ``head``, row by row."""
    start = lines[0].index(head)
    rows = lines[1 : lines.index("")]
    return [re.split(r"  +", row[start:])[0] for row in rows if not row.startswith("    ")]


def templates(*groups: int) -> str:
    return TEMPLATE.replace("CALLS", "".join(f"  add<{each}>(q, a, b, sum, 10);\n" for each in groups))


def written(percents: tuple[float, ...], average: float) -> str:
    """``9.5%``; ``100% then 4.8% (52.4%)``."""
    texts = [f"{each:.1f}".removesuffix(".0") + "%" for each in percents]
    return texts[0] if len(texts) == 1 else f"{' then '.join(texts)} ({average:.1f}%)"


@cache
def fixture_rows(name: str, target: str) -> tuple[str, ...]:
    from contextlib import redirect_stdout
    from io import StringIO

    out = StringIO()
    with redirect_stdout(out):
        assert main(["kernels", "--isolated", "--target", target, str(GUIDE / name)]) == 0
    return tuple(device_cells(out.getvalue().splitlines()))


@pytest.mark.parametrize("row", range(len(VECTOR_ADD)))
def test_each_row_of_the_guides_table_is_in_the_device_column(row: int) -> None:
    groups, _, threads, percents = VECTOR_ADD[row]
    assert fixture_rows("vector_add_groups.cpp", "tgl")[row] == written(percents, 50 * threads / 672), groups


@pytest.mark.parametrize("row", range(len(GEN9)))
def test_each_row_of_the_notebooks_table_is_in_the_device_column(row: int) -> None:
    groups, _, threads, _, percents = GEN9[row]
    assert fixture_rows("vec_add_gen9.cpp", "gen9")[row] == written(percents, 50 * threads / 168), groups


def test_a_launch_that_is_reached_with_several_sizes_has_a_line_with_each(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "a.cpp").write_text(templates(4, 42, 44))
    lines = table(capsys, "a.cpp", "--target", "tgl")
    assert device_cells(lines) == ["9.5-100% (9.5-100%)"]
    assert lines[2] == "    of tgl by work-groups: 4 9.5%, 42 100%, 44 100% then 4.8% (52.4%)"


def test_one_size_has_no_line(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "a.cpp").write_text(templates(4))
    assert table(capsys, "a.cpp", "--target", "tgl")[2] == ""


def test_each_target_has_its_column(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "a.cpp").write_text(templates(4))
    lines = table(capsys, "a.cpp", "--target", "tgl,0x9a60")
    assert device_cells(lines, "tgl device (avg)") == ["9.5%"]
    assert device_cells(lines, "tgl-32eu device (avg)") == ["28.6%"]


def test_a_configured_number_of_cores_is_that_of_the_column(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "a.cpp").write_text(templates(4))
    (folder / "sycllint.toml").write_text('targets = ["mine"]\n[devices.mine]\nbase = "tgl"\ncores = 1\n')
    assert main(["kernels", "a.cpp"]) == 0
    assert device_cells(capsys.readouterr().out.splitlines()) == ["57.1%"]


BARRIER = """\
void f(sycl::queue &q, float *out, size_t n) {
  q.parallel_for(sycl::nd_range<1>(16 * 320, 320), [=](sycl::nd_item<1> it) [[sycl::reqd_sub_group_size(8)]] {
    BODY
    out[it.get_global_id(0)] = 1;
  });
}
"""


@pytest.mark.parametrize(
    ("body", "cell"),
    [
        # 40 threads a group: two whole groups on a core of 112 with a barrier, else threads of any group on any core.
        ("sycl::group_barrier(it.get_group());", "71.4% then 23.8% (47.6%)"),
        ("", "95.2%"),
        # It decides and is not known, so nothing is shown, and without another launch there is no column.
        ("elsewhere(it);", None),
    ],
)
def test_groups_with_a_barrier_stay_whole(
    body: str, cell: str | None, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "a.cpp").write_text(BARRIER.replace("BODY", body))
    lines = table(capsys, "a.cpp", "--target", "tgl")
    assert (device_cells(lines) if "device" in lines[0] else [None]) == [cell]


def test_an_unknown_size_has_no_share(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    known, unknown = BARRIER.replace("BODY", ""), BARRIER.replace("BODY", "").replace("16 * 320", "n * 320")
    (folder / "a.cpp").write_text(known + unknown.replace("void f", "void g"))
    assert device_cells(table(capsys, "a.cpp", "--target", "tgl")) == ["95.2%", "?"]


def test_a_range_fills_by_its_threads_at_each_width(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "a.cpp").write_text(
        "void f(sycl::queue &q, float *out) {\n"
        "  q.parallel_for(sycl::range<1>(2048), [=](sycl::id<1> i) { out[i] = 1; });\n"
        "}\n"
    )
    assert device_cells(table(capsys, "a.cpp", "--target", "tgl")) == ["9.5-38.1%"]
    assert device_cells(table(capsys, "a.cpp", "--target", "tgl", "--wide")) == ["8: 38.1%, 16: 19%, 32: 9.5%"]
    # Elsewhere whole groups of a size that is not known are dispatched.
    assert "device" not in table(capsys, "a.cpp", "--target", "sm_90")[0]


def test_the_json_has_each_size(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "a.cpp").write_text(templates(4, 44))
    table(capsys, "a.cpp", "--target", "tgl", "-f", "json", "-o", "out.json")
    (launch,) = json.loads((folder / "out.json").read_text())["launches"]
    assert launch["device_occupancy"] == {
        "tgl": [
            {
                "work_items": 2048, "work_groups": 4, "sub_group_size": 32,
                "peak": 0.0952, "last": None, "average": 0.0952, "rounds": 1,
            },
            {
                "work_items": 22528, "work_groups": 44, "sub_group_size": 32,
                "peak": 1.0, "last": 0.0476, "average": 0.5238, "rounds": 2,
            },
        ]
    }  # fmt: skip


def explained(capsys: pytest.CaptureFixture[str], place: str, target: str) -> str:
    assert main(["explain", "--isolated", place, "--target", target]) == 0
    return capsys.readouterr().out.partition("\nrules\n")[0]


@pytest.mark.parametrize(
    ("groups", "target", "sentence"),
    [
        (4, "tgl", "9.5%: 64 of the 672 threads of the 6 Xe-cores of a full tgl"),
        (42, "tgl", "100%: 672 of the 672 threads of the 6 Xe-cores of a full tgl"),
        (44, "tgl", "100% then 4.8%, 52.4% on average: 1 full round of the 672 threads"),
        (44, "tgl", " of the 6 Xe-cores of a full tgl, then 32 threads"),
        (4, "0x9a60", "28.6%: 64 of the 224 threads of 2 Xe-cores"),
    ],
)
def test_explain_says_what_is_filled_and_of_which_part(
    groups: int, target: str, sentence: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "a.cpp").write_text(templates(groups))
    text = re.sub(r"\s+", " ", explained(capsys, "a.cpp:6", target))
    assert sentence in text.partition(" device ")[2]


def test_explain_prints_the_sizes_of_all_call_paths(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "a.cpp").write_text(templates(1, 2, 3, 4, 5, 6, 7, 44))
    text = explained(capsys, "a.cpp:6", "tgl")
    assert "call path 8 of 8: add (a.cpp:23)\n  global          22528\n  local           512\n  of tgl" in text
    assert "of tgl          100% then 4.8%, 52.4% on average" in text


def test_the_survey_keeps_each_size_once(folder: Path) -> None:
    from sycllint.config import Config, Configs

    (folder / "a.cpp").write_text(templates(4, 4, 8))
    found = survey(["a.cpp"], Configs(Config(targets=("tgl",))), on_progress=None, raise_errors=True, texts={})
    (launch,) = found.launches
    assert [each.groups for each in launch.fillings["tgl"]] == [4, 8]
