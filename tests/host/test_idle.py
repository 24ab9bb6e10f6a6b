"""What stands between a command and the use of its memory without being an act."""

import pytest

from tests.host.test_flights import COPY, early


@pytest.mark.parametrize(
    "between",
    [
        "float *a = new float[4]; for (int i = 0; i < 4; ++i) a[i] = std::sqrt(i);",
        "int sum = 0; for (int i = 0; i < n; ++i) { if (i % 2) continue; sum += i; }",
        'printf("%d\\n", n);',
    ],
)
def test_what_works_on_other_memory_leaves_a_command_in_flight(between: str) -> None:
    assert early(f"{COPY} {between} use(h[0]);") == ["h"]


@pytest.mark.parametrize(
    "between",
    [
        "for (int i = 0; i < n; ++i) h = nullptr;",
        "for (int i = 0; i < n; ++i) { q.wait(); }",
        "if (b) { finish_all(); }",
        "if (b) { WAIT } else { WAIT }",
    ],
)
def test_what_sets_a_pointer_or_may_wait_does_not(between: str) -> None:
    assert early(f"{COPY} {between} use(h[0]);", "#define WAIT q.wait();\n") == []


def test_a_loop_that_reads_the_memory_is_an_act() -> None:
    assert early(f"{COPY} float sum = 0; for (int i = 0; i < n; ++i) {{ sum += h[i]; }}") == ["h"]


def test_memory_that_another_name_stands_for_is_an_act() -> None:
    assert early(f"float *alias = h; {COPY} for (int i = 0; i < n; ++i) {{ alias[i] = 0; }}") == ["h"]
