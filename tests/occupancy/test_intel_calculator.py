"""Every row that Intel's own calculator printed (tests/data/intel_calculator.csv), with the calculator's own numbers.

Columns: ``wg_per_xecore`` and ``xecore_occ`` are capped by the groups of the launch; ``waves`` is rounded to two
decimals and ``gpu_avg`` computed from the rounded number; empty where nothing fits.
"""

import csv
from dataclasses import replace
from decimal import ROUND_HALF_UP, Decimal
from pathlib import Path

import pytest

from sycllint.hardware.device import Bytes, IntelDevice
from sycllint.hardware.profiles import device
from sycllint.occupancy.estimate import estimate_occupancy
from sycllint.occupancy.occupancy import Occupancy

Row = dict[str, str]

CALCULATOR_KIB = {"gen9": 64, "gen11": 64, "gen12": 64, "xe_dg1": 64}
"""Local memory per core in the calculator; 128 KiB for all others."""


def rows() -> list[Row]:
    path = Path(__file__).parents[1] / "data" / "intel_calculator.csv"
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


ROWS = rows()
FITTING = [row for row in ROWS if row["wg_per_xecore"] not in ("", "0")]


def occupancy(row: Row) -> Occupancy:
    own = device(row["arch"])
    assert isinstance(own, IntelDevice)
    core = Bytes(1024 * CALCULATOR_KIB.get(row["arch"], 128))
    return estimate_occupancy(
        replace(own, local_memory_per_core=core),
        int(row["wg"]),
        int(row["sg"]),
        local_memory=1024 * int(row["slm_kb"]),
        barrier=row["barrier"] == "1",
        large_grf=row["large_grf"] == "1",
        global_size=int(row["global"]),
        cores=int(row["xve_count"]) // (own.engines_per_core or 0),
    )


def launched(row: Row) -> int:
    return int(row["global"]) // int(row["wg"])


def fixed(number: float) -> float:
    """JavaScript's ``toFixed(2)``, which the calculator applies before it goes on computing."""
    return float(Decimal(number).quantize(Decimal("0.01"), ROUND_HALF_UP))


def test_the_table_has_rows_that_fit_and_rows_that_do_not() -> None:
    assert len(ROWS) == 700
    assert 0 < len(ROWS) - len(FITTING) < 20


def test_groups_per_core_equal_the_calculators() -> None:
    wrong = [row for row in FITTING if min(occupancy(row).groups_per_core, launched(row)) != int(row["wg_per_xecore"])]
    assert wrong == []


def test_core_occupancy_equals_the_calculators() -> None:
    for row in FITTING:
        found = occupancy(row)
        capped = min(found.groups_per_core, launched(row)) * found.threads_per_group / found.threads_per_core
        assert 100 * capped == pytest.approx(float(row["xecore_occ"]), abs=1e-9), row


def test_peak_equals_the_calculators() -> None:
    for row in FITTING:
        peak = occupancy(row).peak
        assert peak is not None
        assert 100 * peak == pytest.approx(float(row["gpu_peak"]), abs=1e-9), row


def test_average_and_waves_equal_the_calculators_after_its_rounding_when_a_core_does_not_hold_the_launch() -> None:
    larger = [row for row in FITTING if launched(row) > occupancy(row).groups_per_core]
    assert len(larger) > 400
    for row in larger:
        found = occupancy(row)
        assert found.waves is not None
        assert fixed(found.waves) == float(row["waves"]), row
        waves = found.waves if found.waves.is_integer() else fixed(found.waves)
        rounds = -(-found.waves // 1)
        assert 100 * waves / rounds * found.ratio == pytest.approx(float(row["gpu_avg"]), abs=1e-9), row


def test_what_does_not_fit_the_calculator_does_not_fit_here_and_says_why() -> None:
    for row in ROWS:
        if row not in FITTING:
            found = occupancy(row)
            assert (found.groups_per_core, found.waves, found.peak) == (0, None, None)
            assert row["wg"] in found.why
