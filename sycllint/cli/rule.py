"""Print the page of a rule: what it finds, why that matters, code that fires and code that does not, its sources.

A word that is no rule's code or name is looked for in all of them: ``sycllint rule LDS`` lists those on local memory.
"""

import argparse
import sys
import textwrap
from collections.abc import Iterator

from sycllint.cli.parser import CommandParser
from sycllint.cli.rules import columns, table
from sycllint.cli.search import about
from sycllint.cli.terminal import width_of, write
from sycllint.heads import AnyRule

READABLE_WIDTH = 100
"""Columns beyond which prose is not stretched."""


def add_arguments(parser: CommandParser) -> None:
    """The arguments of ``sycllint rule``."""
    parser.add_argument(
        "rule", nargs="+", metavar="CODE|NAME|WORD",
        help="as SYC101 or work-group-exceeds-max; or a word to search for, as LDS or register pressure",
    )  # fmt: skip


def run(arguments: argparse.Namespace) -> int:
    """Print the page, or the list of the rules that a word is about where it is about several."""
    matches = about(" ".join(arguments.rule))
    if len(matches) > 1:
        write(table(matches, columns()))
    else:
        write(page(matches[0], min(width_of(sys.stdout), READABLE_WIDTH)))
    return 0


def page(rule: AnyRule, width: int) -> str:
    """The page as plain text: paragraphs filled to ``width``, code as it stands."""
    state = rule.severity.label if rule.enabled else f"{rule.severity.label}, off by default"
    title = f"{rule.code} {rule.name} ({state})"
    return "\n".join([title, "=" * len(title), "", *_filled(rule.page, width), ""])


def _filled(text: str, width: int) -> Iterator[str]:
    for number, block in enumerate(text.split("\n\n")):
        if number:
            yield ""
        if block.startswith((" ", "\t")):
            yield block
        else:
            # `Bad::` introduces code; the second colon is markup.
            prose = " ".join(block.split()).replace("``", "`")
            yield from textwrap.wrap(prose.removesuffix(":") if prose.endswith("::") else prose, width)
