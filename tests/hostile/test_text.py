"""Names of files and text of sources with control characters or markup: every format escapes them."""

import json
import os
import re
import subprocess
import sys
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

from sycllint.cli import main
from sycllint.report import FORMATS

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="such names are of POSIX systems")

Capture = pytest.CaptureFixture[str]

STEERING = (
    "\x1b[31m\x1b]8;;evil\x07\r\n::error::pwned\n##[group]x\u202e\u2066\u2028\x9b2J\x7f%0A%s%n$(id)`id`;'\""
    "<script>alert(1)</script>&amp;]]>|--"
)
NAME = os.fsencode(STEERING.replace("/", "∕")) + b"\xff.cpp"
SOURCE = """\
#include <sycl/sycl.hpp>
#define \u202eWG\u2066 640
// sycllint: ignore[\x1b[2J\u202e::error::] <script>alert(1)</script>
class K\u202e\u00e9<script>;
void scale\u202e(sycl::queue &q, float *data) {
  const int n = 640; /* \x1b[31m ::error:: </script><script>alert(1)</script> ]]> \u2028 \x9b */
  q.parallel_for<K>(sycl::nd_range<1>(64000, n), [=](sycl::nd_item<1> item) { data[item.get_global_id(0)] *= 2.0f; });
  q.parallel_for(sycl::nd_range<1>("\x1b[31m\u202e<script>", WG), [=](sycl::nd_item<1> item) { item.barrier(); });
}
"""
FORBIDDEN = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069\ud800-\udfff]"
)


@pytest.fixture
def tree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a source of that name and that text; further down, another with a name of 4,000 characters."""
    (tmp_path / "tree").mkdir()
    monkeypatch.chdir(tmp_path / "tree")
    Path(os.fsdecode(NAME)).write_text(SOURCE, encoding="utf-8", errors="surrogatepass")
    with open(NAME, "ab") as stream:
        stream.write(b"// \xff\xfe sycllint: ignore[SYC\xff]\n")
    (tmp_path / "tree/sycllint.toml").write_text('targets = ["tgl"]\nselect = ["ALL"]\n')
    return tmp_path / "tree"


def written(capsys: Capture, *arguments: str) -> tuple[str, str]:
    """What a command says on stdout and stderr."""
    assert main([*arguments]) in (0, 1, 3)
    captured = capsys.readouterr()
    return captured.out, captured.err


@pytest.mark.parametrize("name", FORMATS)
@pytest.mark.usefixtures("tree")
def test_no_format_says_what_steers(name: str, capsys: Capture) -> None:
    out, err = written(capsys, "check", "-f", name, ".")
    for text in (out, err):
        assert FORBIDDEN.search(text) is None, FORBIDDEN.search(text)
        text.encode()
    assert "SYC002" in out or "unknown-suppression" in out or "rules" in out
    lines = [*out.splitlines(), *err.splitlines()]
    if name == "github":
        assert all(re.match(r"::(error|warning|notice) [^\n]*\bfile=[^\n]*::", line) for line in out.splitlines())
        assert all(
            "file=" in line and "::error::pwned" not in line.partition("::")[2].partition("::")[0]
            for line in out.splitlines()
        )
    else:
        assert not any(line.startswith(("::", "##[")) for line in lines)


@pytest.mark.parametrize("name", ["json", "jsonl", "sarif", "sarif-full", "gitlab", "rdjson"])
@pytest.mark.usefixtures("tree")
def test_what_is_json_can_be_read(name: str, capsys: Capture) -> None:
    out, _ = written(capsys, "check", "-f", name, ".")
    for text in out.splitlines() if name == "jsonl" else [out]:
        json.dumps(json.loads(text), ensure_ascii=False).encode()


@pytest.mark.parametrize("name", ["junit", "checkstyle"])
@pytest.mark.usefixtures("tree")
def test_what_is_xml_can_be_read_and_has_no_tags_of_others(name: str, capsys: Capture) -> None:
    out, _ = written(capsys, "check", "-f", name, ".")
    tags = {each.tag for each in ET.fromstring(out).iter()}
    assert tags <= {
        *("testsuites", "testsuite", "testcase", "failure", "skipped", "system-out", "system-err"),
        *("checkstyle", "file", "error"),
    }


@pytest.mark.usefixtures("tree")
def test_pages_hold_no_tags_of_sources(capsys: Capture) -> None:
    html, _ = written(capsys, "check", "-f", "html", ".")
    assert "<script>alert" not in html
    markdown, _ = written(capsys, "check", "-f", "markdown", ".")
    assert re.search(r"(?<!\\)<script", markdown) is None


@pytest.mark.parametrize(
    "arguments",
    [
        ("kernels",),
        ("kernels", "-f", "json"),
        ("kernels", "--unknown"),
        ("config", "."),
        ("check", "--statistics"),
        ("check", "--summary", "-f", "json"),
        ("check", "--timings"),
        ("baseline", "create"),
        ("check", "--color", "never", "-f", "full"),
    ],
)
@pytest.mark.usefixtures("tree")
def test_no_command_says_what_steers(arguments: tuple[str, ...], capsys: Capture) -> None:
    for text in written(capsys, *arguments):
        assert FORBIDDEN.search(text) is None, FORBIDDEN.search(text)
        assert not any(line.startswith(("::", "##[")) for line in text.splitlines())


@pytest.mark.parametrize(
    "argument",
    [
        "gone\x1b[2J\n::error::x.cpp",
        "--target=\x1b[2J",
        "--select=\u202e\x9b",
        "-D\x1b=1",
        "-DN\udcff=1",
        "--config=\x1b[2J=1",
        "--baseline=\x1b",
        "--format=\x1b",
        "--\x1b[2J",
        "-DN=\udcff",
    ],
)
@pytest.mark.usefixtures("tree")
def test_no_complaint_says_what_steers(argument: str, capsys: Capture) -> None:
    assert main(["check", argument]) in (0, 1, 2)
    captured = capsys.readouterr()
    assert FORBIDDEN.search(captured.err) is None, captured.err
    assert "internal error" not in captured.err
    assert not any(line.startswith("::") for line in captured.err.splitlines())


def test_a_path_of_4000_characters_is_linted(
    tmp_path: Path, planted_error: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = tmp_path
    while len(str(place)) < 3900:
        place = place / ("d" * min(200, 3950 - len(str(place))))
    monkeypatch.chdir(tmp_path)
    home = os.open(".", os.O_RDONLY)
    for part in place.relative_to(tmp_path).parts:
        os.mkdir(part)
        os.chdir(part)
    Path("a.cpp").write_text(planted_error)
    os.fchdir(home)
    os.close(home)
    for name in FORMATS:
        assert main(["check", "-f", name, "-o", "out", "."]) in (0, 1)
        assert "SYC101" in Path("out").read_text(encoding="utf-8")


@pytest.mark.usefixtures("tree")
def test_a_diff_names_files_as_git_does_and_can_be_applied(tmp_path: Path) -> None:
    name = "a\x1b\n\u202e.cpp"
    Path(name).write_text("#include <CL/sycl.hpp>\nint main() { cl::sycl::queue q; }\n")
    command: list[str] = [sys.executable, "-m", "sycllint", "check", "--diff", "--select", "SYC902", name]
    done = subprocess.run(command, capture_output=True, check=False)
    head = [line for line in done.stdout.splitlines() if line.startswith((b"--- ", b"+++ ", b"diff "))]
    assert head
    assert not any(b"\x1b" in line for line in head)
    subprocess.run(["git", "init", "-q"], check=True)
    subprocess.run(["git", "apply", "--check", "-"], input=done.stdout, check=True)
