"""What two versions know otherwise is found, and what they know alike is written alike."""

from pathlib import Path

import pytest

from benchmarks.records import Difference, account, differences, plain
from sycllint.cpp.expression import Name
from sycllint.values.value import Known

CODE = """#include <sycl/sycl.hpp>
void f(sycl::queue &q, int *p) {
  q.parallel_for(sycl::nd_range<1>(1024, 64), [=](sycl::nd_item<1> it) { p[it.get_global_id(0)] = 1; });
}
"""


def test_an_account_has_launches_records_and_notices(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("a.cpp").write_text(CODE)
    (file,) = account(["."])
    assert file["path"] == "a.cpp"
    assert ["work_group_size=Known(value=64" in each for each in file["launches"]] == [True]
    assert [each for each in file["records"] if "KernelParameter" in each] != []
    assert file["notices"] == ["parse errors: 0"]


def test_what_only_one_version_has_is_a_difference_and_the_order_is_none() -> None:
    base = [{"path": "a.cpp", "launches": ["1", "2", "2"], "records": [], "notices": []}]
    now = [{"path": "a.cpp", "launches": ["2", "1"], "records": ["r"], "notices": []}]
    assert list(differences(base, now)) == [
        Difference("a.cpp", "launches", "-", "2"),
        Difference("a.cpp", "records", "+", "r"),
    ]


def test_a_file_that_only_one_version_reads_is_all_difference() -> None:
    now = [{"path": "b.cpp", "launches": ["1"], "records": [], "notices": ["n"]}]
    assert [each.sign for each in differences([], now)] == ["+", "+"]


def test_a_value_is_written_the_same_in_each_process() -> None:
    assert plain(frozenset({"b", "a"})) == "{'a', 'b'}"
    assert plain((Known(3), Name("x", None, None, 4, 5))) == "(Known(value=3, because=()), Name@4-5)"
    assert " at 0x" not in plain(object())
