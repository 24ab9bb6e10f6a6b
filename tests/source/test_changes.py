"""Which lines a diff changes."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sycllint.errors import SycllintError
from sycllint.source.changes import Changes, read_diff

DIFF = """\
diff --git a/src/a.cpp b/src/a.cpp
--- a/src/a.cpp
+++ b/src/a.cpp
@@ -2,0 +3,2 @@ void f() {
+one
+two
@@ -10 +12 @@
-old
+new
@@ -20,3 +21,0 @@
-gone
-gone
-gone
"""


@pytest.fixture
def root(tmp_path: Path) -> Path:
    (tmp_path / "src").mkdir()
    (tmp_path / "src" / "a.cpp").touch()
    return tmp_path


def changed(diff: str | bytes, root: Path, name: str = "src/a.cpp") -> list[int]:
    content = diff.encode() if isinstance(diff, str) else diff
    changes = read_diff(content, name="x.diff", roots=[str(root)])
    return list(changes.lines.get(str((root / name).resolve()), ()))


def test_added_and_replaced_lines_are_changed_and_so_are_those_beside_removed_ones(root: Path) -> None:
    assert changed(DIFF, root) == [3, 4, 12, 21, 22]


def test_lines_around_a_change_are_not(root: Path) -> None:
    diff = "--- a/src/a.cpp\n+++ b/src/a.cpp\n@@ -1,3 +1,3 @@\n one\n-two\n+TWO\n three\n"
    assert changed(diff, root) == [2]


def test_a_removal_between_context_touches_its_neighbours(root: Path) -> None:
    diff = "--- a/src/a.cpp\n+++ b/src/a.cpp\n@@ -1,3 +1,2 @@\n one\n-two\n three\n"
    assert changed(diff, root) == [1, 2]


def test_a_line_of_the_text_that_looks_like_a_header_is_text(root: Path) -> None:
    diff = "--- a/src/a.cpp\n+++ b/src/a.cpp\n@@ -1 +1,2 @@\n--- old\n+++ new\n+three\n"
    assert changed(diff, root) == [1, 2]


def test_a_plain_diff_has_no_prefixes(root: Path) -> None:
    assert changed("--- src/a.cpp.orig\t2026-01-01\n+++ src/a.cpp\t2026-01-02\n@@ -0,0 +1 @@\n+one\n", root) == [1]


def test_a_quoted_path_is_unquoted(root: Path) -> None:
    (root / "ä b.cpp").touch()
    diff = b'--- /dev/null\n+++ "b/\\303\\244 b.cpp"\n@@ -0,0 +1 @@\n+one\n'
    assert changed(diff, root, "ä b.cpp") == [1]


def test_a_folder_called_b_is_no_prefix(root: Path) -> None:
    (root / "b").mkdir()
    (root / "b" / "c.cpp").touch()
    assert changed("--- b/c.cpp\n+++ b/c.cpp\n@@ -0,0 +1 @@\n+one\n", root, "b/c.cpp") == [1]


@pytest.mark.parametrize(
    "diff",
    [
        "",
        "\n",
        "--- a/x\n+++ b\0/x\n@@ -1 +1 @@\n-x\n+y\n",
        "diff --git a/x b/y\nrename from x\n",
        "--- a/x\n+++ /dev/null\n@@ -1 +0,0 @@\n-x\n",
    ],
)
def test_removals_and_renames_change_no_lines(diff: str, root: Path) -> None:
    assert read_diff(diff.encode(), name="x.diff", roots=[str(root)]) == Changes({})


def test_another_text_is_no_diff(root: Path) -> None:
    with pytest.raises(SycllintError, match=r"^x\.diff: not a unified diff"):
        changed("int main() {}\n", root)


def test_a_span_is_touched_by_any_of_its_lines(root: Path) -> None:
    path = str(root / "src" / "a.cpp")
    changes = read_diff(DIFF.encode(), name="x.diff", roots=[str(root)])
    assert changes.touch(path, 5, 12)
    assert not changes.touch(path, 5, 11)
    assert not changes.touch(str(root / "b.cpp"), 1, 100)


LINES = (
    "--- a/x\n", "+++ b/x\n", "@@ -1,2 +3,4 @@\n", "@@ -1 +1,99 @@\n", "+a\n", "-a\n", " a\n", "\\ No\n",
    '+++ "b/\\777\n',
)  # fmt: skip


@given(st.lists(st.sampled_from(LINES), max_size=12))
def test_any_lines_are_read_or_refused(lines: list[str]) -> None:
    try:
        changes = read_diff("".join(lines).encode(), name="x", roots=["."])
    except SycllintError:
        return
    assert all(number > 0 for numbers in changes.lines.values() for number in numbers)
