"""The table of ``--timings``."""

from sycllint.report.terminal.statistics import SLOWEST, table_of_times
from sycllint.stopwatch import Stopwatch


def test_phases_add_up_to_the_whole_and_the_slowest_files_follow() -> None:
    timings = Stopwatch()
    timings.whole = 2.0
    timings.phases.update({"rules": 0.5, "parsing and facts": 1.0})
    timings.files.update({"a.cpp": 0.25, "b.cpp": 1.25})
    assert table_of_times(timings) == (
        "2.00 s in one process, without the cache\n"
        "   1.000 s   50%  parsing and facts\n"
        "   0.500 s   25%  rules\n"
        "   0.500 s   25%  everything else\n"
        "the slowest of 2 files\n"
        "   1.250 s  b.cpp\n"
        "   0.250 s  a.cpp\n"
    )


def test_only_the_slowest_files_are_named() -> None:
    timings = Stopwatch()
    timings.files.update({f"{number}.cpp": float(number) for number in range(SLOWEST + 5)})
    lines = table_of_times(timings).splitlines()
    assert lines[-SLOWEST - 1] == f"the slowest of {SLOWEST + 5} files"
    assert lines[-1].endswith("  5.cpp")
