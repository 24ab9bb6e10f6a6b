"""``sycllint devices``: the totals that the documents print, of a device and of a core, with their sources."""

import re
from pathlib import Path

import pytest

from sycllint.cli import main
from sycllint.errors import SycllintError
from sycllint.hardware.profile import read_profile
from sycllint.hardware.profiles import SHORT_NAMES, device, parts


def table(capsys: pytest.CaptureFixture[str], *names: str) -> dict[str, dict[str, str]]:
    assert main(["devices", *names]) == 0
    head, *rows = (re.split(r"  +", line) for line in capsys.readouterr().out.partition("\n\n")[0].splitlines())
    return {row[0]: dict(zip(head, row, strict=True)) for row in rows}


def block(capsys: pytest.CaptureFixture[str], name: str, field: str) -> str:
    """What ``sycllint devices NAME`` prints of one field, on one line."""
    assert main(["devices", name]) == 0
    found = [each for each in capsys.readouterr().out.split("\n\n") if each.startswith(f"{field}: ")]
    return re.sub(r"\s+", " ", found[0]) if found else ""


# oneAPI-samples, notebook "Thread Mapping and GPU Occupancy", the table of generations: threads per Xe-core, Xe-cores,
# total threads, total operations, largest work-group. The guide has the row of Tiger Lake.
@pytest.mark.parametrize(
    ("name", "per_core", "cores", "threads", "lanes", "work_group"),
    [
        ("gen9", "56", "3", "168", "1,344", "256"),
        ("gen11", "56", "8", "448", "3,584", "256"),
        ("tgl", "112", "6", "672", "5,376", "512"),
    ],
)
def test_the_list_has_the_notebooks_table_of_generations(
    name: str, per_core: str, cores: str, threads: str, lanes: str, work_group: str, capsys: pytest.CaptureFixture[str]
) -> None:
    row = table(capsys)[name]
    assert (row["threads/core"], row["cores"], row["threads"]) == (per_core, cores, threads)
    assert (row["lanes"], row["work-group"]) == (lanes, work_group)


def test_a_device_with_an_unknown_number_of_cores_has_no_totals(capsys: pytest.CaptureFixture[str]) -> None:
    row = table(capsys, "amd")["gfx1010"]
    assert (row["threads"], row["lanes"]) == ("?", "?")
    assert block(capsys, "gfx1010", "total threads") == ""


@pytest.mark.parametrize(
    ("field", "fact", "document"),
    [
        ("total engines", "96 = 6 cores x 16", "cores x engines_per_core"),
        ("total threads", "672 = 6 cores x 112", 'section "A Detailed Example"'),
        ("total lanes", "5,376 = 672 threads x 8", '"SYCL Thread Mapping and GPU Occupancy"'),
    ],
)
def test_a_total_has_its_arithmetic_and_the_document_that_prints_it(
    field: str, fact: str, document: str, capsys: pytest.CaptureFixture[str]
) -> None:
    text = block(capsys, "tgl", field)
    assert text.startswith(f"{field}: {fact} source: ")
    assert document in text


def test_the_slip_of_the_guides_table_stands_beside_its_total(capsys: pytest.CaptureFixture[str]) -> None:
    text = block(capsys, "tgl", "total threads")
    assert "conflict: 53760 work-groups in the row VectorAdd1 of that table are a slip" in text
    assert "are 26880" in text


# AMD GPUOpen, "Optimizing GPU occupancy and resource usage with large thread groups", section "AMD GCN compute unit".
@pytest.mark.parametrize(
    ("name", "scalar"),
    [("gcn1", "2,048 = 4 SIMDs x 512"), ("gcn3", "3,200 = 4 SIMDs x 800"), ("gcn5", "3,200 = 4 SIMDs x 800")],
)
def test_a_gcn_compute_unit_has_65536_vector_registers(
    name: str, scalar: str, capsys: pytest.CaptureFixture[str]
) -> None:
    vector = block(capsys, name, "vector registers per core")
    assert vector.startswith("vector registers per core: 65,536 = 4 SIMDs x 256 x 64 lanes source: ")
    assert "GPUOpen" in vector
    assert block(capsys, name, "scalar registers per core").startswith(f"scalar registers per core: {scalar} source: ")


def test_rdna_has_no_total_of_scalar_registers(capsys: pytest.CaptureFixture[str]) -> None:
    assert block(capsys, "gfx1100", "scalar registers per core") == ""
    assert block(capsys, "gfx1100", "vector registers per core").startswith("vector registers per core: 196,608 = ")


def test_a_part_has_its_own_totals_and_not_the_document_of_the_full_one(capsys: pytest.CaptureFixture[str]) -> None:
    assert (
        block(capsys, "0x9a60", "total threads")
        == "total threads: 224 = 2 cores x 112 source: cores x threads_per_core"
    )


def test_a_part_is_the_smallest_that_goes_by_its_name() -> None:
    assert (device("tgl").cores, device("tgl").smallest_cores) == (6, 1)
    assert (device("0x9a60").cores, device("0x9a60").smallest_cores) == (2, 2)
    for name in (each for names in SHORT_NAMES.values() for each in names):
        for part in parts(name):
            assert part.cores == device(name).cores or part.smallest_cores == part.cores, part.name


def test_a_configured_number_of_cores_is_exact(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "sycllint.toml").write_text('[devices.mine]\nbase = "tgl"\ncores = 5\n')
    monkeypatch.chdir(tmp_path)
    assert block(capsys, "mine", "smallest cores") == "smallest cores: 5 source: sycllint.toml:3"
    assert block(capsys, "mine", "total threads").startswith("total threads: 560 = 5 cores x 112 ")


def test_a_stated_total_that_is_not_the_product_is_an_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "sycllint.toml").write_text('[devices.mine]\nbase = "tgl"\ncores = 5\ntotal_threads = 672\n')
    monkeypatch.chdir(tmp_path)
    assert main(["devices", "mine"]) == 2
    assert "sycllint.toml:4: total_threads is not 560" in capsys.readouterr().err


def test_a_total_without_a_source_is_refused() -> None:
    with pytest.raises(SycllintError, match="total_threads has no source"):
        read_profile('name = "x"\ntitle = "x"\nvendor = "intel"\n[total_threads]\nvalue = 672\n', "x.toml")
