"""Changes as a unified diff that other programs apply, whatever the bytes."""

import subprocess
from pathlib import Path

import pytest

from sycllint.pipeline.fixing import FixedFile
from sycllint.report.terminal.patch import patch


def test_a_change_reads_as_in_any_diff() -> None:
    changed = FixedFile("a.cpp", b"one\ntwo\n", b"one\n2\n")
    assert patch([changed], color=False) == b"--- a/a.cpp\n+++ b/a.cpp\n@@ -1,2 +1,2 @@\n one\n-two\n+2\n"


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (b"one\r\ntwo\r\n", b"one\r\n2\r\n"),
        (b"\xef\xbb\xbfcaf\xe9\ntwo", b"\xef\xbb\xbfcaf\xe9\n2"),
        (b"one\rtwo\nthree\n", b"one\rtwo\n3\n"),
    ],
)
def test_git_makes_of_it_what_was_meant(tmp_path: Path, before: bytes, after: bytes) -> None:
    (tmp_path / "a.cpp").write_bytes(before)
    text = patch([FixedFile("a.cpp", before, after)], color=False)
    subprocess.run(["git", "apply", "--whitespace=nowarn", "-"], input=text, cwd=tmp_path, check=True)
    assert (tmp_path / "a.cpp").read_bytes() == after
