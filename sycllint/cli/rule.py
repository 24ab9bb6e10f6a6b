"""Print the page of a rule: what it finds, why that matters, code that fires and code that does not, its sources."""

import argparse
import sys
import textwrap
from collections.abc import Iterator

from sycllint.cli.parser import CommandParser
from sycllint.cli.terminal import width_of, write
from sycllint.heads import AnyRule
from sycllint.registry import find_rule

READABLE_WIDTH = 100
"""Columns beyond which prose is not stretched."""


def add_arguments(parser: CommandParser) -> None:
    """The arguments of ``sycllint rule``."""
    parser.add_argument("rule", metavar="CODE|NAME", help="as SYC101 or work-group-exceeds-max")


def run(arguments: argparse.Namespace) -> int:
    """Print the page."""
    write(page(find_rule(arguments.rule), min(width_of(sys.stdout), READABLE_WIDTH)))
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
