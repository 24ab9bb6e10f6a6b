"""How a run goes about its work: in how many processes, and whether it may take up what an earlier one found."""

import argparse
from typing import TYPE_CHECKING

from sycllint.config import Configs

if TYPE_CHECKING:
    from sycllint.pipeline.cache import Cache


def cache_of(arguments: argparse.Namespace, configs: Configs) -> "Cache | None":
    """The cache, in the root of the project or in the folder that the environment names."""
    if arguments.no_cache:
        return None
    from sycllint.pipeline.cache import Cache
    from sycllint.pipeline.cache_folder import place_of

    return Cache(place_of(configs.project.root))


def processes_of(text: str) -> int:
    """A number of processes as it is written."""
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"{text} is not a number of processes")
    return int(text)
