"""Phases and files of a run: what is counted to which."""

from sycllint.stopwatch import Stopwatch, file_time, phase


def test_nothing_is_measured_until_it_is_begun() -> None:
    with phase("outside"), file_time("a.cpp"):
        pass
    with Stopwatch() as timings:
        pass
    assert (dict(timings.phases), dict(timings.files)) == ({}, {})


def test_phases_leave_out_what_is_inside_them_and_add_up() -> None:
    with Stopwatch() as timings:
        for _ in range(3):
            with phase("outer"), file_time("a.cpp"):
                sum(range(1000))
                with phase("inner"):
                    sum(range(1000))
    assert set(timings.phases) == {"outer", "inner"}
    assert 0 < sum(timings.phases.values()) <= timings.whole
    assert 0 < timings.files["a.cpp"] <= timings.whole


def test_a_phase_ends_with_an_error() -> None:
    with Stopwatch() as timings:
        try:
            with phase("failing"):
                raise ValueError
        except ValueError:
            pass
        with phase("next"):
            pass
    assert list(timings.phases) == ["failing", "next"]


def test_a_run_that_is_not_measured_after_one_that_was_leaves_it_alone() -> None:
    with Stopwatch() as timings, phase("one"):
        pass
    with phase("two"):
        pass
    assert list(timings.phases) == ["one"]
    assert timings.whole > 0
