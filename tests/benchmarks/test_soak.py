"""A short soak, and what its mutants are: the same again for the same number."""

from pathlib import Path

import pytest

from benchmarks.soak import FailedError, Soak, shrunk, soak

COUNT = 400


def test_no_mutant_crashes(tmp_path: Path) -> None:
    counts, failures = soak(COUNT, 300, 20_26, tmp_path)
    assert failures == {}
    assert counts["mutants"] == COUNT
    assert min(counts["mutant"], counts["grammar"], counts["hostile"], counts["findings"]) > 0


def test_a_number_makes_the_same_mutant_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    made = [[Soak(7).work(number)[:2] for number in range(40) if number != 39] for _ in range(2)]
    assert made[0] == made[1]


def test_a_failure_is_reported_and_reduced(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    work = Soak(1)

    def crashing() -> None:
        raise KeyError("x")

    assert isinstance(work.tried(crashing), FailedError)
    assert shrunk(b"one\ntwo\nthree\n", lambda text: b"two" in text) == b"two\n"
