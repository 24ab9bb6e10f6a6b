"""Explain one line: the launch there and the findings.

Of a launch, each number and where it comes from, its occupancy, and why each rule reported or was silent; of a finding,
its places, what it depends on, what to do, and what its rule is about.
"""

import argparse
import os
import re
import sys

from sycllint.cli.parser import cache_of, configs_of
from sycllint.cli.terminal import has_color, has_hyperlinks, width_of, write
from sycllint.errors import SycllintError
from sycllint.pipeline.explanation import explain
from sycllint.report.explain import render
from sycllint.report.place import read_file

READABLE_WIDTH = 120
"""Columns beyond which the page is not stretched."""


def run(arguments: argparse.Namespace) -> int:
    """Print the page."""
    path, line = place_of(arguments.place)
    arguments.paths = [path]
    configs = configs_of(arguments)
    explanation = explain(path, line, configs, cache=cache_of(arguments, configs))
    color = has_color(arguments.color, sys.stdout)
    page = render(
        explanation,
        read_file,
        color=color,
        width=min(width_of(sys.stdout), READABLE_WIDTH),
        hyperlinks=has_hyperlinks(color, sys.stdout),
        every=arguments.all,
    )
    write(page)
    return 0


def place_of(text: str) -> tuple[str, int]:
    """``src/a.cpp:12`` or ``src/a.cpp:12:5``, as compilers and editors write it, as path and line."""
    found = re.fullmatch(r"(.+?):(\d+)(?::\d+)?", text)
    if found is None or int(found[2]) < 1:
        raise SycllintError(f"{text}: not FILE:LINE, as src/a.cpp:12")
    if os.path.isdir(found[1]):
        raise SycllintError(f"{found[1]}: a directory, not a file")
    return found[1], int(found[2])
