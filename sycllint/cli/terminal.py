"""The edge to the terminal: where output goes, whether it has colours and how wide it is, and the progress bar."""

import os
import sys
import time
from collections.abc import Sequence
from typing import TYPE_CHECKING, Self, TextIO

from sycllint.errors import SycllintError
from sycllint.garbage import collect_rarely

if TYPE_CHECKING:
    from rich.progress import Progress, TaskID

DEFAULT_WIDTH = 100
"""Columns assumed where there is no terminal to ask."""

PATIENCE = 1.0
"""Seconds a run may take before its progress is shown."""


def has_color(choice: str, stream: TextIO) -> bool:
    """Whether to write colours to ``stream``; ``choice`` is auto, always or never. See no-color.org."""
    if choice != "auto":
        return choice == "always"
    if os.environ.get("NO_COLOR"):
        return False
    if os.environ.get("FORCE_COLOR", "0") not in ("", "0"):
        return True
    return stream.isatty() and os.environ.get("TERM") != "dumb"


def has_hyperlinks(color: bool, stream: TextIO) -> bool:
    """Whether OSC 8 links are shown as links: on a colour terminal, and not in a CI log."""
    return color and stream.isatty() and not os.environ.get("CI")


def width_of(stream: TextIO) -> int:
    """Columns of the terminal behind ``stream``."""
    if os.environ.get("COLUMNS", "").isdecimal():
        return max(40, int(os.environ["COLUMNS"]))
    try:
        return max(40, os.get_terminal_size(stream.fileno()).columns)
    except (OSError, ValueError):
        return DEFAULT_WIDTH


def shows_blocks(stream: TextIO) -> bool:
    """Whether ``stream`` can carry the block characters that charts are drawn with."""
    try:
        "▁│".encode(stream.encoding or "ascii")
    except (UnicodeEncodeError, LookupError):
        return False
    return True


def write(text: str, file: str | None = None, *, option: str = "-o") -> None:
    """Write the output, to ``file`` or else to stdout; a reader that has gone away is not an error.

    ``option`` is how the user named the file, which has its old text or its new one, never a part of it.
    """
    if file is not None:
        _write_file(text.encode("utf-8", "backslashreplace"), file, option)
        return
    try:
        sys.stdout.write(text)
        sys.stdout.flush()
    except BrokenPipeError:
        close_output()


def write_bytes(content: bytes, file: str | None = None, *, option: str = "-o") -> None:
    """``write`` for output that is not text of ours: it goes out as it is, in no encoding."""
    if file is not None:
        _write_file(content, file, option)
        return
    try:
        sys.stdout.flush()
        sys.stdout.buffer.write(content)
        sys.stdout.buffer.flush()
    except BrokenPipeError:
        close_output()


def _write_file(content: bytes, file: str, option: str) -> None:
    """Raises ``SycllintError`` when it cannot be written."""
    from sycllint.source.replace import write_over

    try:
        write_over(file, content)
    except BrokenPipeError:
        close_output()
    except OSError as error:
        named = f"{option}{file}" if option.endswith(":") else f"{option} {file}"
        raise SycllintError(f"{named}: not written: {error.strerror}") from None


def complain(text: str) -> None:
    """Write one line to stderr, whatever ``text`` holds.

    Names of files and what stands in them cannot steer a terminal, nor begin a line of their own, which in a job of
    GitHub Actions may be a command.
    """
    if not (text.isascii() and text.isprintable()):
        from sycllint.report.terminal.display import printable

        text = printable(text)
    write_aside(f"{text}\n")


def complain_of(notices: Sequence[str]) -> None:
    """The notices on stderr, for output that has no place for them."""
    from sycllint.report.terminal.summary import shown_notices

    for notice in shown_notices(notices):
        complain(f"notice: {notice}")


def write_aside(page: str) -> None:
    """Write lines to stderr that were laid out for a terminal."""
    try:
        print(page, end="", file=sys.stderr)
    except BrokenPipeError:
        close_output()


def close_output() -> None:
    """Let the interpreter's own last flush go nowhere, after the reader of a pipe has gone."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except BrokenPipeError:
            os.dup2(nowhere, stream.fileno())


def flushed() -> bool:
    """Send off what was written; whether it could be. A reader that has gone away is no failure."""
    done = True
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except BrokenPipeError:
            continue
        except OSError:
            done = False
    return done


def settle_in() -> None:
    """Make the process ours: text that the terminal cannot show is escaped, and garbage is collected rarely."""
    for stream in (sys.stdout, sys.stderr):
        stream.reconfigure(errors="backslashreplace")  # type: ignore[union-attr]
    collect_rarely()


class ProgressBar:
    """A bar on stderr, when that is a terminal and the run takes longer than a second."""

    def __init__(self, *, quiet: bool) -> None:
        self._silent = quiet or not sys.stderr.isatty()
        self._start = time.monotonic()
        self._bar: Progress | None = None
        self._task: TaskID | None = None

    def __enter__(self) -> Self:
        return self

    def __call__(self, done: int, total: int) -> None:
        """Files done, files in all."""
        if self._silent or (self._bar is None and time.monotonic() - self._start < PATIENCE):
            return
        if self._bar is None:
            self._bar = _bar()
            self._task = self._bar.add_task("linting", total=total)
            self._bar.start()
        if self._task is not None:
            self._bar.update(self._task, completed=done)

    def __exit__(self, *_: object) -> None:
        if self._bar is not None:
            self._bar.stop()


def _bar() -> "Progress":
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    return Progress(
        TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn(),
        console=Console(stderr=True), transient=True,
    )  # fmt: skip
