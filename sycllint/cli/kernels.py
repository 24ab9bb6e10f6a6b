"""List every kernel launch, and what is known of it: ranges, sub-group size, local memory, barriers, occupancy."""

import argparse
import sys

from sycllint.cli.parser import cache_of, configs_of, paths_of
from sycllint.cli.terminal import ProgressBar, complain_of, has_color, width_of, write
from sycllint.pipeline import LaunchReport, kernels
from sycllint.record import replace
from sycllint.report.kernels import kernels_json, kernels_table, unknown_numbers
from sycllint.report.place import read_file
from sycllint.report.schemas import published


def run(arguments: argparse.Namespace) -> int:
    """List the launches; 3 when a file could not be read."""
    if arguments.schema:
        write(published("kernels"), arguments.output)
        return 0
    config = configs_of(arguments)
    with ProgressBar(quiet=arguments.quiet) as progress:
        found = kernels(paths_of(arguments), config, on_progress=progress, cache=cache_of(arguments, config))
    if arguments.sort == "occupancy":
        found = replace(found, launches=tuple(sorted(found.launches, key=_least)))
    file: str | None = arguments.output
    color = file is None and has_color(arguments.color, sys.stdout)
    if arguments.format == "json":
        write(kernels_json(found, read_file), file)
        if not (arguments.quiet and found.complete):
            complain_of(found.notices)
    elif arguments.unknown:
        write(unknown_numbers(found, read_file, color=color, width=width_of(sys.stdout)), file)
    else:
        write(kernels_table(found, read_file, color=color, width=width_of(sys.stdout), wide=arguments.wide), file)
    if found.interrupted:
        return 130
    return 0 if found.complete else 3


def _least(report: LaunchReport) -> float:
    """The least share of a core on any target, at any sub-group size; beyond all of them when none is known."""
    return min((each.ratio for found in report.occupancies.values() for each in found), default=float("inf"))
