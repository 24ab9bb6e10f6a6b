"""Print the page of a rule: what it finds, why that matters, code that fires and code that does not, its sources.

A word that is no rule's code or name is looked for in all of them: ``sycllint rule LDS`` lists those on local memory.
"""

import argparse
import sys
import textwrap
from collections.abc import Iterator

from sycllint.cli.rules import columns, table
from sycllint.cli.search import about
from sycllint.cli.terminal import width_of, write
from sycllint.errors import SycllintError
from sycllint.heads import AnyRule
from sycllint.registry import all_rules

READABLE_WIDTH = 100
"""Columns beyond which prose is not stretched."""


def run(arguments: argparse.Namespace) -> int:
    """Print the page, or the list of the rules that a word is about where it is about several."""
    word = " ".join(arguments.rule)
    if word and arguments.all:
        raise SycllintError(f"{word}: --all prints the pages of all rules")
    if not word and not arguments.all:
        raise SycllintError("which rule? `sycllint rules` lists them, --all prints every page")
    matches = all_rules() if arguments.all else about(word)
    if len(matches) > 1 and not arguments.all:
        write(table(matches, columns()))
    else:
        width = min(width_of(sys.stdout), READABLE_WIDTH)
        write("\n".join(page(each, width) for each in matches))
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
