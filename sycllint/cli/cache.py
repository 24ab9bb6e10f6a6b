"""Delete the cache, so that the next run lints everything again.

The cache is .sycllint_cache in the root of the project, or the folder that SYCLLINT_CACHE_DIR names.
"""

import argparse

from sycllint.cli.terminal import complain
from sycllint.config import load_all
from sycllint.pipeline.cache_folder import clean, place_of
from sycllint.report.terminal.summary import plural
from sycllint.source.files import shown


def run(arguments: argparse.Namespace) -> int:
    """Remove it."""
    place = place_of(load_all().project.root)
    complain(f"{shown(place)}: {plural(clean(place), 'file')} removed")
    return 0
