"""Linting again whenever something is saved: the folders of the linted files are looked at twice a second."""

import os
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Mapping

from sycllint.cli.terminal import complain
from sycllint.config import FILE_NAMES
from sycllint.errors import SycllintError
from sycllint.pipeline import Result
from sycllint.pipeline.baselines import NAME
from sycllint.report.terminal.summary import plural
from sycllint.source.files import EXTENSIONS

PERIOD = 0.5
"""Seconds from one look to the next."""

_SETTINGS = frozenset({*FILE_NAMES, NAME, ".gitignore", "compile_commands.json", "cmakelists.txt", "makefile"})
_CLEAR = "\x1b[H\x1b[2J\x1b[3J"

Stamps = Mapping[str, tuple[int, int]]
"""By path, when a file was changed, in nanoseconds, and its bytes; a folder is there or not."""


def watch(lint: Callable[[], Result], paths: Iterable[str], *, period: float = PERIOD) -> int:
    """``lint``, and again after each change, until Ctrl-C: then 0, or 130 where that cut a run short.

    A mistake in the configuration is reported and waited out.
    """
    watched = set(_folders(paths))
    try:
        while True:
            before = stamps(watched)
            if sys.stdout.isatty():
                print(_CLEAR, end="")
            result = _linted(lint)
            if result is not None and result.interrupted:
                return 130
            new = set(_folders(result.linted if result is not None else ())) - watched
            watched |= new
            before = {**before, **stamps(new)}
            complain(f"watching {plural(len(watched), 'folder')}; Ctrl-C ends")
            # What was saved while it was linted counts: the stamps are those from before.
            while stamps(watched) == before:
                time.sleep(period)
    except KeyboardInterrupt:
        return 0


def _linted(lint: Callable[[], Result]) -> Result | None:
    try:
        return lint()
    except SycllintError as error:
        complain(f"sycllint: {error}")
        return None


def stamps(folders: Iterable[str]) -> Stamps:
    """The sources, settings and folders in ``folders`` as they are now."""
    return dict(each for folder in folders for each in _stamps(folder))


def _stamps(folder: str) -> Iterator[tuple[str, tuple[int, int]]]:
    try:
        with os.scandir(folder) as entries:
            for entry in entries:
                name = entry.name.lower()
                if name.endswith(EXTENSIONS) or name in _SETTINGS:
                    status = entry.stat()
                    yield entry.path, (status.st_mtime_ns, status.st_size)
                elif not name.startswith(".") and entry.is_dir():
                    yield entry.path, (0, 0)
    except OSError:  # it went away between two looks: that is a change, too
        return


def _folders(paths: Iterable[str]) -> Iterator[str]:
    """The folders of files, directories themselves, and those between them and the working directory."""
    for path in paths:
        folder = path if os.path.isdir(path) else os.path.dirname(path)
        folder = os.path.normpath(folder or os.curdir)
        yield folder
        while not os.path.isabs(folder) and (folder := os.path.dirname(folder)):
            yield folder
