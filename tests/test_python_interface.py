"""The interface for Python programs: what it lists, what it takes and gives, and what it says to wrong arguments."""

import dataclasses
import io
import re
from contextlib import redirect_stdout
from pathlib import Path
from typing import Any

import pytest

import sycllint
from sycllint import Config, Limiter, analyze, device, estimate_occupancy, launches, table
from sycllint.errors import SycllintError

SOURCE = """\
#include <sycl/sycl.hpp>

void scale(sycl::queue &q, float *data, size_t n) {
  q.parallel_for(sycl::nd_range<1>(64000, 640), [=](sycl::nd_item<1> item) { data[item.get_global_id(0)] *= 2.0f; });
  q.parallel_for<class Fill>(sycl::nd_range<1>(n * 64, 64), [=](sycl::nd_item<1> item) {
    data[item.get_global_id(0)] = 0.0f;
  });
  q.parallel_for(sycl::nd_range<2>({4, n}, {4, n}), [=](sycl::nd_item<2> item) { data[item.get_local_id(1)] = 1; });
  q.parallel_for(sycl::range<1>(n), [=](sycl::id<1> i) { data[i] = 0.0f; });
  q.single_task([=] { data[0] = 1.0f; });
}
"""


@pytest.fixture
def source(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.chdir(tmp_path)
    Path("scale.cpp").write_text(SOURCE)
    return "scale.cpp"


def test_dir_lists_the_interface() -> None:
    assert dir(sycllint) == sorted(sycllint.__all__)
    assert {"launches", "table", "Launch", "analyze", "estimate_occupancy"} <= set(dir(sycllint))
    assert all(getattr(sycllint, name) is not None for name in dir(sycllint))


class TestPaths:
    def test_one_is_as_good_as_several(self, source: str) -> None:
        expected = analyze([source])
        assert expected
        assert analyze(source) == analyze(Path(source)) == analyze((Path(source),)) == expected
        assert analyze(Path()) == expected

    def test_a_configuration_and_targets_go_together(self, source: str) -> None:
        assert {each.targets for each in analyze(source, Config(targets=("tgl",)), targets="pvc")} <= {("pvc",), ()}
        assert analyze(source, targets=["tgl"]) == analyze(source, Config(targets=("tgl",)))


class TestLaunches:
    def test_known_numbers_are_numbers(self, source: str) -> None:
        scale = launches(source, targets="pvc")[0]
        assert (scale.path, scale.line, scale.column) == ("scale.cpp", 4, 5)
        assert (scale.kind, scale.kernel, scale.function, scale.dims) == ("nd_range", None, "scale", 1)
        assert (scale.global_range, scale.local_range, scale.work_group_size) == ((64000,), (640,), 640)
        assert (scale.sub_group_size, scale.local_memory, scale.private_memory, scale.barrier) == (None, 0, 0, False)
        assert [each.groups_per_core for each in scale.occupancy["pvc"]] == [1, 3]
        assert scale.unknown == ()

    def test_others_are_what_is_known_of_them(self, source: str) -> None:
        _, fill, square, chosen, single = launches(source)
        assert (fill.kernel, fill.global_range, fill.work_group_size) == ("Fill", ("64*n",), 64)
        assert fill.unknown == ("global: n is a parameter of scale (scale.cpp:3)",)
        assert (square.local_range, square.work_group_size, square.occupancy) == ((4, "n"), "4*n", {"tgl": ()})
        assert (chosen.kind, chosen.local_range, chosen.work_group_size) == ("range", None, None)
        assert (single.kind, single.global_range) == ("single_task", ())

    def test_a_launch_that_cannot_run_says_why(self, source: str) -> None:
        found = launches(source, targets="tgl")[0].occupancy["tgl"]
        assert [each.sub_group_size for each in found] == [8, 16, 32]
        assert {each.why for each in found} == {"work-group 640 exceeds max 512 on tgl"}

    def test_they_do_not_change(self, source: str) -> None:
        each = launches(source)[0]
        with pytest.raises(dataclasses.FrozenInstanceError):
            each.line = 1  # type: ignore[misc]
        assert hash(each) == hash(dataclasses.replace(each))

    def test_a_row_stands_for_a_target_and_a_sub_group_size(self, source: str) -> None:
        rows = table(launches(source, targets=["tgl", "sm_90"]))
        first = [row for row in rows if row["line"] == 4]
        assert [(row["target"], row["sub_group_size"]) for row in first] == [
            ("tgl", 8), ("tgl", 16), ("tgl", 32), ("sm_90", 32),
        ]  # fmt: skip
        assert (first[-1]["global"], first[-1]["local"], first[-1]["limiter"]) == ("64000", "640", "threads")
        unknown = [row for row in rows if row["line"] == 8]
        assert [(row["target"], row["local"], row["work_group_size"], row["ratio"]) for row in unknown] == [
            ("tgl", "4xn", None, None), ("sm_90", "4xn", None, None),
        ]  # fmt: skip
        assert len({tuple(row) for row in rows}) == 1

    def test_two_lines_make_a_data_frame(self, source: str) -> None:
        pandas = pytest.importorskip("pandas")
        found = launches(source, targets=["tgl", "sm_90"])
        frame = pandas.DataFrame(table(found))
        assert len(frame) == len(table(found))
        assert frame[frame.groups_per_core == 0].target.unique().tolist() == ["tgl"]


class TestImpossibleLaunches:
    @pytest.mark.parametrize(
        ("name", "work_group", "sub_group", "more", "limiter", "why"),
        [
            ("tgl", 640, 8, {}, Limiter.WORK_GROUP_SIZE, "work-group 640 exceeds max 512 on tgl"),
            ("pvc", 512, 8, {}, Limiter.SUB_GROUP_SIZE, "sub-group size 8 is not supported on pvc (16, 32)"),
            ("sm_90", 64, 16, {}, Limiter.SUB_GROUP_SIZE, "sub-group size 16 is not supported on sm_90 (32)"),
            (
                "tgl", 64, 8, {"local_memory": 65537}, Limiter.LOCAL_MEMORY,
                "local memory 65537 B exceeds the 65536 B of a work-group on tgl",
            ),
            (
                "tgl", 64, 8, {"large_grf": True}, Limiter.REGISTERS,
                "256 registers per thread exceed the largest mode on tgl, 128",
            ),
            (
                "sm_90", 64, 32, {"registers": 300}, Limiter.REGISTERS,
                "300 registers exceed the 255 of a work-item on sm_90",
            ),
        ],
    )  # fmt: skip
    def test_have_no_group_on_a_core_and_say_why(
        self, name: str, work_group: int, sub_group: int, more: Any, limiter: Limiter, why: str
    ) -> None:
        found = estimate_occupancy(device(name), work_group, sub_group, global_size=work_group * 64, **more)
        assert (found.groups_per_core, found.ratio, found.limiter, found.why) == (0, 0.0, limiter, why)
        assert (found.waves, found.peak, found.average) == (None, None, None)

    def test_what_can_run_has_no_why(self) -> None:
        assert estimate_occupancy(device("tgl"), 512, 8).why == ""


class Index:
    """A whole number of another type, as NumPy has."""

    def __index__(self) -> int:
        return 512


TGL = device("tgl")
A_DEVICE = "device must be a Device, as sycllint.device('tgl') gives it"


class TestWrongArguments:
    @pytest.mark.parametrize(
        ("call", "message"),
        [
            ("estimate_occupancy('tgl', 512, 8)", f"{A_DEVICE}, not a str ('tgl')"),
            ("estimate_occupancy(TGL, None, 8)", "work_group must be a whole number, not a NoneType (None)"),
            ("estimate_occupancy(TGL, '512', 8)", "work_group must be a whole number, not a str ('512')"),
            ("estimate_occupancy(TGL, 512.0, 8)", "work_group must be a whole number, not a float (512.0)"),
            ("estimate_occupancy(TGL, (4, 128), 8)", "work_group must be a whole number, not a tuple ((4, 128))"),
            ("estimate_occupancy(TGL, 512, True)", "sub_group must be a whole number, not a bool (True)"),
            ("estimate_occupancy(TGL, 64, 8, local_memory='16K')", "local_memory must be a whole number, not a str"),
            ("estimate_occupancy(TGL, 64, 8, registers='all')", "registers must be a whole number, not a str ('all')"),
            ("estimate_occupancy(TGL, 64, 8, global_size=(64, 64))", "global_size must be a whole number, not a tuple"),
            ("estimate_occupancy(TGL, 64, 8, cores='6')", "cores must be a whole number, not a str ('6')"),
            ("sycllint.limit(None)", f"{A_DEVICE}, not a NoneType (None)"),
            ("device(3)", "the name of a device must be a string, as 'tgl', not an int (3)"),
            ("analyze(3)", "paths must be a path or several paths, not an int (3)"),
            ("analyze([3])", "a path must be a string or a pathlib.Path, not an int (3)"),
            ("launches(b'a.cpp')", "paths must be a path or several paths, not a bytes (b'a.cpp')"),
            ("launches('a.cpp', {'targets': []})", "config must be a sycllint.Config, not a dict ({'targets': []})"),
            ("launches('a.cpp', targets=3)", "targets must be names of devices, not an int (3)"),
            (
                "launches('a.cpp', targets=[3])",
                "each of targets must be the name of a device, as 'tgl', not an int (3)",
            ),
            (
                "analyze('a.cpp', Config(targets='tgl'))",
                "Config.targets must be names of devices, as ('tgl', 'pvc'), not",
            ),
        ],
    )
    def test_of_another_type_are_named_in_a_sentence(self, call: str, message: str) -> None:
        with pytest.raises(TypeError, match=f"^{re.escape(message)}"):
            eval(call)

    @pytest.mark.parametrize(
        ("call", "message"),
        [
            ("estimate_occupancy(TGL, 0, 8)", "a work-group and a global size are at least 1, local memory at least 0"),
            ("estimate_occupancy(TGL, 64, 0)", "a sub-group size is at least 1, not 0"),
            ("estimate_occupancy(TGL, 64)", "a sub-group size is needed on tgl: 8, 16, 32"),
            ("estimate_occupancy(TGL, 64, 8, cores=0)", "cores are at least 1, not 0"),
            ("analyze('nowhere.cpp')", "nowhere.cpp: no such file or directory"),
            (
                "launches('.', sycllint.config.Configs(Config()), targets='tgl')",
                "targets stand in the configurations of the folders",
            ),
        ],
    )
    def test_that_mean_nothing_are_errors(
        self, call: str, message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.chdir(tmp_path)
        with pytest.raises(SycllintError, match=re.escape(message)):
            eval(call)

    def test_whole_numbers_of_other_types_are_fine(self) -> None:
        number: Any = Index()
        assert estimate_occupancy(TGL, number, 8) == estimate_occupancy(TGL, 512, 8)


class TestDocumentation:
    def test_each_example_runs(self, repository: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        pytest.importorskip("pandas")
        (tmp_path / "src").mkdir()
        (tmp_path / "src/scale.cpp").write_text(SOURCE)
        monkeypatch.chdir(tmp_path)
        names: dict[str, Any] = {}
        for example in re.findall(r"```python\n(.*?)```", (repository / "docs/python.md").read_text(), re.DOTALL):
            exec(example, names)
        columns = re.findall(
            r"^Columns: (.*?)\.$", (repository / "docs/python.md").read_text(), re.DOTALL | re.MULTILINE
        )
        assert re.findall(r"`(\w+)`", columns[0]) == list(names["frame"].columns)

    def test_the_notebook_prints_what_it_shows(
        self, repository: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
    ) -> None:
        nbformat = pytest.importorskip("nbformat")
        for package in ("pandas", "matplotlib"):
            pytest.importorskip(package)
        monkeypatch.setenv("MPLBACKEND", "Agg")
        monkeypatch.chdir(tmp_path)
        notebook = nbformat.read(repository / "docs/notebooks/occupancy.ipynb", as_version=4)
        nbformat.validate(notebook)
        names: dict[str, Any] = {}
        printed = []
        for cell in notebook.cells:
            if cell.cell_type == "code":
                with redirect_stdout(io.StringIO()) as out:
                    exec(cell.source, names)
                shown = "".join(output.text for output in cell.outputs if output.output_type == "stream")
                assert out.getvalue() == shown
                printed.append(shown)
        assert any("exceeds max 512 on tgl" in each for each in printed)
