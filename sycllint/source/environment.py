"""Environment variables that scripts set for a program: job scripts, container files, workflows beside the sources.

Nothing is run. Only settings of plain numbers that hold for the rest of the script are read; one inside a loop, or
before a single command, is an experiment.
"""

import os
import re
from collections.abc import Iterator

from sycllint.source.disk import Disk
from sycllint.source.glance import SCRIPT_NAMES, SCRIPTS
from sycllint.source.setting import Setting
from sycllint.source.span import Location, Span

VARIABLES = ("OMP_THREAD_LIMIT", "OMP_NUM_TEAMS")
_LIMIT = 200_000
"""Bytes of a script that are read."""
_NAME = b"|".join(each.encode() for each in VARIABLES)
_SETTING = re.compile(
    rb"^[ \t]*(?:(?:export|ENV|-)[ \t]+(?:%(name)s)(?:=|[ \t]+)|set[ \t]*\([ \t]*ENV\{(?:%(name)s)\}[ \t]+"
    rb"|(?:%(name)s)[ \t]*:[ \t]*)[\"']?(?P<value>\d{1,9})[\"']?[ \t]*\)?[ \t]*(?:;|#.*|\r)?$" % {b"name": _NAME},
    re.MULTILINE,
)
_VARIABLE = re.compile(_NAME)
_LOOP = re.compile(rb"^[ \t]*(?:for|while|until|foreach)\b|^[ \t]*(?P<end>done\b|end(?:foreach|while)\b)", re.MULTILINE)


def environment(folder: str, disk: Disk | None = None) -> tuple[Setting, ...]:
    """The settings in the scripts of one folder, in the order of their names."""
    disk = disk or Disk()
    found: list[Setting] = []
    for name in disk.listing(folder).files:
        if name in SCRIPT_NAMES or name.lower().endswith(SCRIPTS):
            path = os.path.normpath(os.path.join(folder, name))
            found.extend(_settings(path, (disk.content(path) or b"")[:_LIMIT]))
    return tuple(found)


def _settings(path: str, content: bytes) -> Iterator[Setting]:
    for match in _SETTING.finditer(content):
        if not _in_loop(content, match.start()):
            name = _VARIABLE.search(content, match.start())
            assert name is not None
            place = Location(path.replace(os.sep, "/"), Span(name.start(), match.end("value")))
            yield Setting(name[0].decode(), int(match["value"]), place)


def _in_loop(content: bytes, offset: int) -> bool:
    depth = 0
    for match in _LOOP.finditer(content, 0, offset):
        depth += -1 if match["end"] else 1
    return depth > 0
