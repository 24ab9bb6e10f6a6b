"""How a worked-out size is judged against the sizes that ran."""

from pathlib import Path

import pytest

from benchmarks.ground_truth import Verdict, compare, launches_by_line, recorded
from sycllint.values.value import Known, OneOf, Symbolic, Unknown, Value

ROW = (
    '{"repo": "a/b", "program": "p", "file": "src/p.cpp", "line": 3, "kind": ["nd_range"], "dims": [2], '
    '"locals": [[4, 8]], "globals": [[16, 64]], "local_mem_bytes": [0], "launches": 2, "arg_sets": 1}\n'
)


@pytest.mark.parametrize(
    ("value", "verdict"),
    [
        (Known(256), Verdict.EXACT),
        (Known(128), Verdict.WRONG),
        (OneOf((Known(128), Known(256))), Verdict.LISTED),
        (OneOf((Known(64), Known(128))), Verdict.WRONG),
        (OneOf((Known(64), Known(128)), open=True), Verdict.BOUNDED),
        (Symbolic("64*n", ("n",), multiple_of=64), Verdict.BOUNDED),
        (Symbolic("96*n", ("n",), multiple_of=96), Verdict.WRONG),
        (Symbolic("n", ("n",), maximum=255), Verdict.WRONG),
        (Unknown("read from argv"), Verdict.UNKNOWN),
    ],
)
def test_a_run_of_256_judges(value: Value, verdict: Verdict) -> None:
    assert compare([(value,)], frozenset({(256,)})) is verdict


def test_one_known_dimension_is_better_than_none_and_wrong_when_contradicted() -> None:
    ran = frozenset({(4, 8)})
    assert compare([(Known(4), Unknown("n"))], ran) is Verdict.BOUNDED
    assert compare([(Known(5), Unknown("n"))], ran) is Verdict.WRONG


def test_the_contexts_of_a_launch_count_together() -> None:
    contexts: list[tuple[Value, ...]] = [(Known(128),), (Known(256),)]
    assert compare(contexts, frozenset({(128,), (256,)})) is Verdict.EXACT
    assert compare(contexts, frozenset({(256,)})) is Verdict.LISTED
    assert compare(contexts, frozenset({(256,), (512,)})) is Verdict.WRONG


def test_a_missing_range_claims_nothing() -> None:
    assert compare([None], frozenset({(256,)})) is Verdict.UNKNOWN
    assert compare([(Known(256),)], frozenset()) is None


def test_a_record_is_read_as_it_was_written(tmp_path: Path) -> None:
    records = tmp_path / "launches.jsonl"
    records.write_text(ROW)
    [site] = recorded(records)
    assert str(site) == "b/src/p.cpp:3"
    assert site.locals == frozenset({(4, 8)})
    assert site.local_memory == frozenset({0})


def test_a_launch_is_filed_under_the_line_of_its_call(planted_error: str, tmp_path: Path) -> None:
    file = tmp_path / "scale.cpp"
    file.write_text(planted_error)
    assert list(launches_by_line(file)) == [4]
