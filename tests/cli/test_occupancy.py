"""``sycllint occupancy``: the published configurations, several devices, the timeline, and wrong arguments."""

import csv
import io
import json
from pathlib import Path

import pytest

from sycllint.cli import main
from sycllint.hardware.profiles import device
from sycllint.occupancy.estimate import estimate_occupancy

Capture = pytest.CaptureFixture[str]

GROUPS_OF_512 = (1, 2, 3, 4, 5, 6, 7, 8, 12, 16, 20, 24, 28, 32, 36, 40, 42, 44, 48)
GROUPS_ON_GEN9 = (1, 2, 3, 4, 5, 6, 7, 8, 12, 16, 20, 24)
ON_TGL = ["occupancy", "--device", "tgl", "--sub-group", "8"]
OF_320 = [*ON_TGL, "--work-group", "320", "--global", "2560", "--timeline"]


def printed(capsys: Capture, *arguments: str) -> str:
    """What the command prints."""
    assert main(["occupancy", *arguments]) == 0
    return capsys.readouterr().out


def lines(text: str) -> dict[str, str]:
    """The numbers of a page by their names."""
    names = ("threads per group", "groups per core", "occupancy", "limiter", "rounds", "peak", "average")
    return {
        name: line.removeprefix(name).strip()
        for line in text.splitlines()
        for name in names
        if line.startswith(f"{name}  ")
    }


class TestPublishedConfigurations:
    """Each number of the page, from the model, for every configuration of the guides.

    Intel oneAPI GPU Optimization Guide, "SYCL Thread Mapping and GPU Occupancy"; oneAPI-samples, notebook "Thread
    Mapping and GPU Occupancy". What the guides print is held against the model in ``tests/test_published_tables.py``.
    """

    @pytest.mark.parametrize("r", [1, 2, 4])
    def test_rows_per_work_group(self, r: int, capsys: Capture) -> None:
        arguments = ("--work-group", f"1x{r}x128", "--sub-group", "8", "--barrier", "--global", "64x64x128")
        found = estimate_occupancy(device("tgl"), 128 * r, 8, barrier=True, global_size=64 * 64 * 128)
        numbers = lines(printed(capsys, "--device", "tgl", *arguments))
        assert numbers["threads per group"] == str(found.threads_per_group)
        assert numbers["groups per core"].split()[0] == str(found.groups_per_core)
        share = "100%" if found.ratio == 1 else f"{100 * found.ratio:.1f}%"
        assert (
            numbers["occupancy"] == f"{share} of a core: {found.threads_resident} of {found.threads_per_core} threads"
        )
        assert numbers["limiter"] == found.limiter.value
        assert found.waves is not None
        assert found.average is not None
        assert numbers["rounds"].startswith(f"{found.waves:.2f} (")
        assert numbers["average"] == f"{100 * found.average:.1f}%"

    @pytest.mark.parametrize("groups", GROUPS_OF_512)
    def test_vector_add(self, groups: int, capsys: Capture) -> None:
        self.check_rounds("tgl", 512, groups, 16, 672, capsys)

    @pytest.mark.parametrize("groups", GROUPS_ON_GEN9)
    def test_gen9(self, groups: int, capsys: Capture) -> None:
        self.check_rounds("gen9", 256, groups, 8, 168, capsys)

    def check_rounds(self, name: str, size: int, groups: int, threads: int, contexts: int, capsys: Capture) -> None:
        arguments = ("--device", name, "--work-group", str(size), "--sub-group", "32")
        numbers = lines(printed(capsys, *arguments, "--global", str(groups * size)))
        full, rest = divmod(groups * threads, contexts)
        share = f"{100 * rest / contexts:.1f}%"
        words = f"one round of {share}" if not full else "one full round" + (f", then {share}" if rest else "")
        assert numbers["threads per group"] == str(threads)
        assert numbers["rounds"].endswith(f": {words})")
        assert numbers["peak"] == f"{'100%' if full else share} of the device"


class TestTimeline:
    """The guide, section "A Detailed Example": what VTune showed of VectorAdd3 and VectorAdd4."""

    @staticmethod
    def threads(capsys: Capture, *arguments: str) -> list[tuple[int, float]]:
        """Threads and percent of each phase."""
        assert main([*arguments, "--csv"]) == 0
        rows = csv.DictReader(io.StringIO(capsys.readouterr().out))
        return [(int(row["threads"]), round(100 * float(row["ratio"]), 1)) for row in rows]

    def test_of_vector_add_4_under_the_order_that_the_guide_supposes(self, capsys: Capture) -> None:
        phases = self.threads(capsys, *OF_320, "--barrier", "--ends-first", "7")
        assert phases == [(304, 45.2), (264, 39.3), (80, 11.9)]

    def test_of_vector_add_3_only_by_the_assumption_fitted_to_it(self, capsys: Capture) -> None:
        assert self.threads(capsys, *OF_320, "--assume", "queue-ahead") == [(224, 33.3), (96, 14.3)]
        assert self.threads(capsys, *OF_320) != [(224, 33.3), (96, 14.3)]

    @pytest.mark.parametrize("barrier", [[], ["--barrier"]])
    def test_of_24_groups_of_224(self, barrier: list[str], capsys: Capture) -> None:
        launch = [*ON_TGL, "--work-group", "224", "--global", str(24 * 224), "--timeline"]
        assert self.threads(capsys, *launch, *barrier) == [(672, 100.0)]

    def test_page_and_json_tell_the_assumptions(self, capsys: Capture) -> None:
        assert main([*OF_320, "--barrier"]) == 0
        text = " ".join(capsys.readouterr().out.split())
        assert "Assumed: A1 the lowest core" in text
        assert "264 threads (39.3%) from core 2 (--ends-first 7)" in text
        assert main([*OF_320, "--assume", "queue-ahead", "--json"]) == 0
        assert "A4 queue-ahead" in json.loads(capsys.readouterr().out)["timeline"]["assumptions"]


class TestComparison:
    def test_one_row_per_device(self, capsys: Capture) -> None:
        out = printed(capsys, "--compare", "pvc,bmg", "--device", "tgl", "--work-group", "512", "--sub-group", "16")
        assert [line.split()[0] for line in out.splitlines()] == ["device", "tgl", "pvc", "bmg"]

    def test_without_a_sub_group_size_one_for_each(self, capsys: Capture) -> None:
        out = printed(capsys, "--compare", "tgl", "--work-group", "512")
        assert [line.split()[:2] for line in out.splitlines()[1:]] == [["tgl", "8"], ["tgl", "16"], ["tgl", "32"]]

    def test_eight_devices_are_a_table_of_what_is_known_with_numbers_in_line(self, capsys: Capture) -> None:
        names = "tgl,pvc,bmg,dg2,sm_90,sm_120,gfx90a,gfx1100"
        head, *rows = printed(capsys, "--compare", names, "--work-group", "1x4x128").splitlines()
        assert "waves" not in head
        assert max(map(len, (head, *rows))) <= 100
        assert {row.index("%  ") for row in rows} == {head.index("occupancy") + len("occupancy") - 1}

    def test_says_why_a_device_cannot_once_where_the_width_does_not_matter(self, capsys: Capture) -> None:
        launch = ("--work-group", "64", "--local-memory", "100K")
        last = printed(capsys, "--compare", "pvc,tgl", *launch).splitlines()[-1]
        assert last == "tgl: local memory 102400 B exceeds the 65536 B of a work-group on tgl"

    def test_says_why_a_device_cannot_for_each_width_that_has_other_sizes_to_propose(self, capsys: Capture) -> None:
        out = " ".join(printed(capsys, "--compare", "tgl,gen9", "--work-group", "512").split())
        assert [f"fits (sub-group {width})" in out for width in (8, 16, 32)] == [True] * 3

    def test_of_devices_that_all_cannot_is_an_error(self, capsys: Capture) -> None:
        assert main(["occupancy", "--compare", "tgl,gen9", "--work-group", "513"]) == 2
        assert "work-group 513 exceeds max 512 on tgl" in capsys.readouterr().out

    def test_counts_large_registers_for_each_device_by_itself(self, capsys: Capture) -> None:
        out = printed(
            capsys, "--compare", "tgl,pvc", "--work-group", "512", "--sub-group", "16", "--large-grf", "--json"
        )
        tgl, pvc = json.loads(out)["devices"]
        assert (tgl["device"], "largest mode" in tgl["why"]) == ("tgl", True)
        assert (pvc["device"], pvc["registers"]) == ("pvc", 256)


class TestSizes:
    @pytest.mark.parametrize("text", ["16K", "16k", "16KiB", "16KB", "16384", "16384B"])
    def test_of_memory_are_bytes_or_kibibytes(self, text: str, capsys: Capture) -> None:
        out = printed(capsys, *ON_TGL[1:], "--work-group", "64", "--local-memory", text, "--json")
        assert json.loads(out)["local_memory_bytes"] == 16384

    @pytest.mark.parametrize("text", ["1x4x128", "1X4X128", "1,4,128", "1×4×128", "1*4*128"])
    def test_of_ranges_are_extents(self, text: str, capsys: Capture) -> None:
        out = printed(capsys, *ON_TGL[1:], "--work-group", text, "--json")
        assert json.loads(out)["work_group"] == [1, 4, 128]


class TestWrongArguments:
    @pytest.mark.parametrize(
        ("arguments", "message"),
        [
            ("--work-group 64", "a sub-group size is needed on tgl: 8, 16, 32"),
            ("--work-group 64 --sub-group 4", "sub-group size 4 is not supported on tgl (8, 16, 32)"),
            ("--sub-group 8", "--work-group is needed, as --work-group 1x4x128"),
            ("--work-group 640 --sub-group 8", "work-group 640 exceeds max 512 on tgl; 224 (4 groups, 100%)"),
            ("--work-group 1x3x128 --sub-group 8 --global 64x64x128", "global 64 is not a multiple of local 3 in dim"),
            ("--work-group 64 --sub-group 8 --local-memory 65K", "local memory 66560 B exceeds the 65536 B of a work"),
            ("--work-group 1x2x3x4 --sub-group 8", "--work-group 1x2x3x4: 4 extents; a range has 1 to 3, as 1x4x128"),
            ("--work-group 1xfour --sub-group 8", "--work-group 1xfour: not a size; as 512 or 1x4x128"),
            ("--work-group 0 --sub-group 8", "--work-group 0: not a size; as 512 or 1x4x128"),
            ("--work-group -8 --sub-group 8", "--work-group -8: not a size; as 512 or 1x4x128"),
            ("--work-group 9999999999999 --sub-group 8", "--work-group 9999999999999: not a size"),
            ("--work-group 64 --sub-group eight", "--sub-group eight: not a number from 1 on"),
            ("--work-group 64 --sub-group 8 --local-memory 16Q", "--local-memory 16Q: not an amount of memory; as 16K"),
            ("--work-group 64 --sub-group 8 --registers 0", "--registers 0: not a number from 1 on"),
            (
                "--work-group 64 --sub-group 8 --registers 200",
                "200 registers per thread exceed the largest mode on tgl",
            ),
            (
                "--work-group 64 --sub-group 8 --registers 128 --large-grf",
                "--large-grf: not allowed with argument --reg",
            ),
            ("--work-group 64 --sub-group 8 --cores 0", "--cores 0: not a number from 1 on"),
            ("--work-group 64 --sub-group 8 --timeline", "--timeline needs --global, the size of the whole launch"),
            ("--work-group 64 --sub-group 8 --ends-first 1", "--ends-first and --assume are about --timeline"),
            ("--work-group 64 --sub-group 8 --json --csv", "--csv: not allowed with argument --json"),
            ("--work-group 64 --sub-group 8 --compare pvc --cores 4", "--timeline and --cores are about one device"),
            ("--work-group 64 --sub-group 8 --compare pvx", "unknown device 'pvx'"),
        ],
    )
    def test_are_answered_in_one_line(self, arguments: str, message: str, capsys: Capture) -> None:
        assert main(["occupancy", "--device", "tgl", *arguments.split()]) == 2
        out, err = capsys.readouterr()
        assert out == ""
        assert err.startswith(f"sycllint: {message}")
        assert err.count("\n") == 1

    @pytest.mark.parametrize(
        ("arguments", "message"),
        [
            ("--barrier --assume queue-ahead", "--assume queue-ahead is about kernels without a barrier"),
            ("--assume dispatch", "--assume: invalid choice: 'dispatch'"),
            ("--ends-first 8", "there is no work-group 8; their linear ids are 0 to 7"),
            ("--ends-first first", "--ends-first first: not linear ids of work-groups; as 7 or 0,7"),
            ("--compare pvc", "--timeline and --cores are about one device, not --compare"),
        ],
    )
    def test_of_a_timeline(self, arguments: str, message: str, capsys: Capture) -> None:
        assert main([*OF_320, *arguments.split()]) == 2
        assert capsys.readouterr().err.startswith(f"sycllint: {message}")

    def test_without_a_device(self, capsys: Capture) -> None:
        assert main(["occupancy", "--work-group", "64"]) == 2
        assert capsys.readouterr().err == "sycllint: --device is needed, or --compare; `sycllint devices` lists them\n"

    def test_a_device_without_public_thread_contexts_is_reported(self, capsys: Capture) -> None:
        assert main(["occupancy", "--device", "cri", "--work-group", "64", "--sub-group", "16"]) == 2
        assert "the hardware threads per core of cri are not public" in capsys.readouterr().err

    def test_a_picture_that_cannot_be_written(self, tmp_path: Path, capsys: Capture) -> None:
        pytest.importorskip("matplotlib")
        file = tmp_path / "nowhere" / "charts.svg"
        assert main([*ON_TGL, "--work-group", "64", "--svg", str(file)]) == 2
        assert capsys.readouterr().err == f"sycllint: --svg {file}: not written: No such file or directory\n"


def test_a_picture_is_written_beside_the_page(tmp_path: Path, capsys: Capture) -> None:
    pytest.importorskip("matplotlib")
    file = tmp_path / "charts.svg"
    assert main([*ON_TGL, "--work-group", "64", "--svg", str(file)]) == 0
    assert capsys.readouterr().out.startswith("tgl: ")
    assert file.read_text(encoding="utf-8").startswith("<?xml")


def test_a_picture_in_a_png_is_one(tmp_path: Path, capsys: Capture) -> None:
    pytest.importorskip("matplotlib")
    file = tmp_path / "charts.PNG"
    assert main([*ON_TGL, "--work-group", "64", "--svg", str(file)]) == 0
    assert file.read_bytes().startswith(b"\x89PNG\r\n")


def test_a_picture_of_another_kind_is_refused(tmp_path: Path, capsys: Capture) -> None:
    file = tmp_path / "charts.pdf"
    assert main([*ON_TGL, "--work-group", "64", "--svg", str(file)]) == 2
    assert capsys.readouterr() == ("", f"sycllint: --svg {file}: the charts are written as .svg or .png\n")
    assert not file.exists()


@pytest.mark.parametrize(("choice", "colored"), [("always", True), ("never", False), ("auto", False)])
def test_colours_are_asked_for_as_in_other_commands(choice: str, colored: bool, capsys: Capture) -> None:
    assert main([*ON_TGL, "--work-group", "64", "--color", choice]) == 0
    assert ("\x1b[" in capsys.readouterr().out) is colored


def test_a_halo_is_loaded_beside_the_work_groups_own_elements(capsys: Capture) -> None:
    asked = ["--device", "tgl", "--work-group", "8x8", "--sub-group", "8", "--halo", "1"]
    assert "36 elements per group: 56.2% on top of 64, 36.0% of 100 loads" in printed(capsys, *asked)
    found = json.loads(printed(capsys, *asked, "--json"))["halo"]
    assert found == {"payload": 64, "border": 36, "overhead": 0.5625, "share": 0.36}
