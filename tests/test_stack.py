"""Room on the interpreter's stack: what runs there runs as it would anywhere."""

import sys

import pytest

from sycllint.stack import with_room

PIECE = 16 * 1024
"""Bytes of a piece of CPython's stack of frames."""


def depth_of(levels: int) -> int:
    return 1 + depth_of(levels - 1) if levels else 0


def test_gives_what_the_function_gives() -> None:
    assert with_room(lambda: depth_of(500)) == 500


def test_lets_exceptions_through() -> None:
    with pytest.raises(ZeroDivisionError):
        with_room(lambda: 1 // 0)


def test_the_frame_is_larger_than_a_piece_so_that_what_it_calls_shares_one() -> None:
    caller = with_room(lambda: sys._getframe(1).f_code)
    assert caller is with_room.__code__
    assert caller.co_stacksize * 8 > 16 * PIECE
