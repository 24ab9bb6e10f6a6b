"""Numbers that both tiers know are the same; a place where they are not is found."""

from pathlib import Path

import pytest

from benchmarks.agreement import Agreement, compared, lines
from sycllint.semantics.commands import INCLUDE
from sycllint.values.value import Known, Symbolic, Unknown

FIXTURES = Path(__file__).parent.parent.parent / "fixtures"
OWN = f"{INCLUDE}/declarations"


def test_both_tiers_agree_on_the_fixtures_of_values_and_launches(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("clang.cindex")
    monkeypatch.chdir(FIXTURES.parent)
    files = [*FIXTURES.glob("values/*.cpp"), *FIXTURES.glob("launch/*.cpp")]
    agreement, notices = compared(sorted(files), OWN)
    assert ["false_friends.cpp" in each for each in notices] == [True], "it includes a header that is not there"
    assert list(lines(agreement)) == []
    assert agreement.agreeing["value"] > 90


def test_a_difference_is_reported_with_its_place(tmp_path: Path) -> None:
    (tmp_path / "a.cpp").write_text("int a;\nint b = a;\n")
    agreement = Agreement()
    agreement.compare("value", (str(tmp_path / "a.cpp"), 15), Known(1), 2)
    agreement.compare("value", (str(tmp_path / "a.cpp"), 15), Known(3), 2)
    agreement.compare("size", (str(tmp_path / "a.cpp"), 0), Symbolic("4*n", ("n",), multiple_of=4), 8)
    agreement.compare("size", (str(tmp_path / "a.cpp"), 4), Unknown("not visible"), 8)
    assert list(lines(agreement)) == [f"{tmp_path / 'a.cpp'}:2: value 1, 2 says clang"]
    assert agreement.agreeing == {"size": 1}
