"""Changes to files as a unified diff, which ``patch`` and ``git apply`` take."""

from collections.abc import Iterator, Sequence

from sycllint.pipeline.fixing import FixedFile
from sycllint.report.terminal.display import printable
from sycllint.report.terminal.style import Ink, Style

_INKS = {"+": Ink.HELP, "-": Ink.ERROR, "@": Ink.SECONDARY}
_NO_LINE_END = "\n\\ No newline at end of file\n"


def patch(files: Sequence[FixedFile], *, color: bool) -> bytes:
    """One diff for each file; its lines are the bytes of the files, whatever their encoding and line ends."""
    style = Style(color=color)
    text = "".join(_inked(line, style) for file in files for line in _diff(file))
    return text.encode("utf-8", errors="surrogateescape")


def _diff(file: FixedFile) -> Iterator[str]:
    from difflib import unified_diff

    for line in unified_diff(
        _lines(file.before), _lines(file.after), _named(f"a/{file.path}"), _named(f"b/{file.path}")
    ):
        yield line if line.endswith("\n") else line + _NO_LINE_END


def _named(path: str) -> str:
    """A path as git writes it: in quotes with escapes where a byte of it would end the line or steer a terminal.

    Source: git-diff documentation, "core.quotePath".
    """
    if printable(path) == path and not {'"', "\\"} & set(path):
        return path
    return '"' + "".join(map(_escaped, path.encode("utf-8", errors="surrogateescape"))) + '"'


def _escaped(byte: int) -> str:
    if byte in b'"\\':
        return f"\\{chr(byte)}"
    return chr(byte) if 0x20 <= byte < 0x7F else f"\\{byte:03o}"


def _lines(content: bytes) -> list[str]:
    """Split at line feeds only, as a diff is: a carriage return is text."""
    *whole, last = content.decode("utf-8", errors="surrogateescape").split("\n")
    return [f"{line}\n" for line in whole] + ([last] if last else [])


def _inked(line: str, style: Style) -> str:
    ink = _INKS.get(line[:1])
    return line if ink is None else f"{style.ink(line.removesuffix(chr(10)), ink)}\n"
