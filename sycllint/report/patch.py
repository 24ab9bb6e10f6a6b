"""Changes to files as a unified diff, which ``patch`` and ``git apply`` take."""

from collections.abc import Iterator, Sequence

from sycllint.pipeline.mend import MendedFile
from sycllint.report.style import Ink, Style

_INKS = {"+": Ink.HELP, "-": Ink.ERROR, "@": Ink.SECONDARY}
_NO_LINE_END = "\n\\ No newline at end of file\n"


def patch(files: Sequence[MendedFile], *, color: bool) -> bytes:
    """One diff for each file; its lines are the bytes of the files, whatever their encoding and line ends."""
    style = Style(color=color)
    text = "".join(_inked(line, style) for file in files for line in _diff(file))
    return text.encode("utf-8", errors="surrogateescape")


def _diff(file: MendedFile) -> Iterator[str]:
    from difflib import unified_diff

    for line in unified_diff(_lines(file.before), _lines(file.after), f"a/{file.path}", f"b/{file.path}"):
        yield line if line.endswith("\n") else line + _NO_LINE_END


def _lines(content: bytes) -> list[str]:
    """Split at line feeds only, as a diff is: a carriage return is text."""
    *whole, last = content.decode("utf-8", errors="surrogateescape").split("\n")
    return [f"{line}\n" for line in whole] + ([last] if last else [])


def _inked(line: str, style: Style) -> str:
    ink = _INKS.get(line[:1])
    return line if ink is None else f"{style.ink(line.removesuffix(chr(10)), ink)}\n"
