"""The parser and what ends it: the time of the file, and Ctrl-C."""

import tracemalloc
from collections.abc import Callable

import pytest

from sycllint.patience import GivenUp
from sycllint.syntax import parser

TEXT = b"int a = 1;\n" * 20_000


def raising(error: BaseException, at: int) -> Callable[[int], GivenUp | None]:
    """What is raised by a signal that arrives when the parser asks for its piece number ``at``."""
    asked = 0

    def over(_: int) -> GivenUp | None:
        nonlocal asked
        asked += 1
        if asked == at:
            raise error
        return None

    return over


@pytest.mark.parametrize("at", [1, 2, 60, 200])
@pytest.mark.parametrize("error", [KeyboardInterrupt(), GivenUp()], ids=["Ctrl-C", "time"])
def test_a_signal_within_a_parse_ends_it_as_itself(
    error: BaseException, at: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(parser, "over", raising(error, at))
    with pytest.raises(type(error)):
        parser.parse(TEXT)
    monkeypatch.undo()
    assert not parser.parse(TEXT).root_node.has_error


def test_nothing_is_left_of_a_large_text() -> None:
    parser.parse(TEXT)
    tracemalloc.start()
    try:
        parser.parse(TEXT)
        left, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert left < len(TEXT) / 10
