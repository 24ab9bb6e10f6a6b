"""How a run goes about its work: in how many processes, and whether it may take up what an earlier one found."""

import argparse
from typing import TYPE_CHECKING

from sycllint.cli.parser import CommandParser
from sycllint.config import Configs

if TYPE_CHECKING:
    from sycllint.pipeline.cache import Cache


def add_effort(parser: CommandParser) -> None:
    """Processes and the cache; neither changes what is reported."""
    effort = parser.add_argument_group("effort")
    effort.add_argument(
        "-j", "--jobs", type=_count, metavar="N", help="number of processes (default: 1; for many files one per core)"
    )
    _add_no_cache(effort)


def add_cache(parser: CommandParser) -> None:
    """The cache alone, for what is done in one process."""
    _add_no_cache(parser.add_argument_group("effort"))


def _add_no_cache(effort: "argparse._ArgumentGroup") -> None:
    effort.add_argument("--no-cache", action="store_true", help="neither read nor write the cache")


def cache_of(arguments: argparse.Namespace, configs: Configs) -> "Cache | None":
    """The cache, in the root of the project or in the folder that the environment names."""
    if arguments.no_cache:
        return None
    from sycllint.pipeline.cache import Cache
    from sycllint.pipeline.cache_folder import place_of

    return Cache(place_of(configs.project.root))


def _count(text: str) -> int:
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"{text} is not a number of processes")
    return int(text)
