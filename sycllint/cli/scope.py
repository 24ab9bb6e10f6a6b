"""Which files and which of their lines a run is about: paths, lists of files, stdin, the index, changed lines."""

import argparse
import os
import sys
from collections.abc import Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING

from sycllint.errors import SycllintError
from sycllint.pipeline.shards import MOST, Shard
from sycllint.record import NamedTuple
from sycllint.report.place import read_file
from sycllint.source.files import shown
from sycllint.source.text import SourceFile

if TYPE_CHECKING:
    from sycllint.pipeline.baselines import Baselines
    from sycllint.source.changes import Changes

STDIN = "-"
STDIN_NAME = "stdin.cpp"
"""The name of stdin without ``--stdin-filename``."""


class RunScope(NamedTuple):
    """What a run is about."""

    paths: tuple[str, ...]
    texts: Mapping[str, bytes] = MappingProxyType({})
    """Texts that replace the contents of files on the disk, by path as shown."""
    changes: "Changes | None" = None
    """Only findings on these lines are reported."""

    def source(self, path: str) -> SourceFile:
        """The file again as it was linted, to show its lines."""
        text = self.texts.get(path)
        return read_file(path) if text is None else SourceFile(path, text)


def shard_of(text: str) -> Shard:
    """A part of a whole as it is written."""
    shard = Shard.of(text)
    if shard is None:
        raise argparse.ArgumentTypeError(f"{text} is not a part of a whole, as 1/4 to 4/4; {MOST:,} parts at most")
    return shard


def scope_of(arguments: argparse.Namespace) -> RunScope:
    """What ``arguments`` ask for. Raises ``SycllintError`` for what cannot be, or cannot be read."""
    _check(arguments)
    paths = [*arguments.paths]
    if arguments.files_from is not None:
        paths += _listed(arguments.files_from)
        if not paths:
            return RunScope(())
    texts: dict[str, bytes] = {}
    if STDIN in paths:
        name = shown(arguments.stdin_filename or STDIN_NAME)
        texts[name] = sys.stdin.buffer.read()
        paths = [name if each == STDIN else each for each in paths]
    paths = paths or ["."]
    if arguments.staged:
        from sycllint.source.git import index_texts, staged, work_tree

        root = work_tree(os.curdir)
        return RunScope(tuple(paths), {**index_texts(root), **texts}, staged(root))
    return RunScope(tuple(paths), texts, _changes(arguments))


def baselines_of(arguments: argparse.Namespace) -> "Baselines":
    """The baselines that ``arguments`` ask for: a named one, none, or each file's nearest."""
    from sycllint.pipeline.baselines import Baselines

    if arguments.no_baseline:
        return Baselines(search=False)
    if arguments.baseline is not None:
        from sycllint.pipeline.baseline import read_baseline

        return Baselines(read_baseline(arguments.baseline))
    return Baselines()


def _check(arguments: argparse.Namespace) -> None:
    on_stdin = [
        option
        for option, used in (
            ("PATH -", STDIN in arguments.paths),
            ("--files-from -", arguments.files_from == STDIN),
            ("--diff-file -", arguments.diff_file == STDIN),
        )
        if used
    ]
    if len(on_stdin) > 1:
        raise SycllintError(f"{' and '.join(on_stdin)} cannot both be read from stdin")
    if arguments.stdin_filename is not None and STDIN not in arguments.paths:
        raise SycllintError("--stdin-filename names the text on stdin; give the path - for it")
    if arguments.stdin_filename is not None and os.path.isdir(arguments.stdin_filename):
        raise SycllintError(f"--stdin-filename {arguments.stdin_filename}: a directory, not a file")


def _changes(arguments: argparse.Namespace) -> "Changes | None":
    if arguments.diff_base is not None:
        from sycllint.source.git import changed_since, work_tree

        return changed_since(work_tree(os.curdir), arguments.diff_base)
    if arguments.diff_file is not None:
        from sycllint.source.changes import read_diff

        name = "stdin" if arguments.diff_file == STDIN else arguments.diff_file
        return read_diff(_content(arguments.diff_file, "--diff-file"), name=name, roots=_roots())
    return None


def _roots() -> list[str]:
    """The folders that paths of a diff may be relative to: the root of the work tree, or the working directory."""
    from sycllint.source.git import work_tree

    try:
        return [work_tree(os.curdir), os.getcwd()]
    except SycllintError:
        return [os.getcwd()]


def _listed(file: str) -> list[str]:
    content = _content(file, "--files-from")
    names = content.split(b"\0") if b"\0" in content else content.splitlines()
    return [os.fsdecode(each) for each in names if each.strip()]


def _content(file: str, option: str) -> bytes:
    if file == STDIN:
        return sys.stdin.buffer.read()
    try:
        with open(file, "rb") as stream:
            return stream.read()
    except OSError as error:
        raise SycllintError(f"{option} {file}: not read: {error.strerror}") from None
