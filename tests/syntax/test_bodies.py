"""Bodies that are put off: read from the tree of their file, or parsed again once that is gone."""

import pytest

from sycllint.cpp.statement import Block, Function
from sycllint.syntax.lower import walk as lowering
from sycllint.syntax.reading import readings

FILLER = "".join(f"  value += {number} * in[{number}];\n" for number in range(20))
CODE = f"#define TWICE 2\n\n{{head}}float sum(float *in) {{{{\n  float value = TWICE;\n{FILLER}  return value;\n}}}}\n"


def body(code: str) -> Block:
    """That of the last function."""
    plain, _ = readings(code.encode(), {})
    function = plain.unit.statements[-1]
    assert isinstance(function, Function)
    assert function.body is not None
    assert not function.body.is_read
    return function.body


@pytest.fixture
def no_trees(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every tree is too large to be kept."""
    monkeypatch.setattr(lowering, "_KEPT_TREES", 0)


def test_a_body_is_read_from_the_tree_of_its_file(monkeypatch: pytest.MonkeyPatch) -> None:
    found = body(CODE.format(head=""))
    monkeypatch.delattr(lowering, "parse_block")
    assert len(found.statements) == 22


@pytest.mark.usefixtures("no_trees")
def test_a_body_whose_tree_is_gone_is_parsed_again() -> None:
    assert len(body(CODE.format(head="")).statements) == 22


@pytest.mark.parametrize("head", ["", "\ufeff", "      \n\n", "HOST_DEVICE inline "])
def test_both_say_the_same(head: str, monkeypatch: pytest.MonkeyPatch) -> None:
    code = CODE.format(head=head)
    kept = repr(body(code).statements)
    monkeypatch.setattr(lowering, "_KEPT_TREES", 0)
    assert repr(body(code).statements) == kept


def test_what_was_kept_longest_goes_first(monkeypatch: pytest.MonkeyPatch) -> None:
    code = CODE.format(head="")
    monkeypatch.setattr(lowering, "_KEPT_TREES", 2 * len(code))
    bodies = [body(code) for _ in range(3)]
    kept = [each.unread.walk.tree is not None for each in bodies if isinstance(each.unread, lowering.UnreadBody)]
    assert kept == [False, True, True]
