"""What ``--deep`` costs: a run over files beside libclang parsing the same units alone, and the run after it.

``python benchmarks/deep.py [--headers DIR] FILE...``: processor time, file by file in turns, printed as ratios.
"""

import argparse
import os
import sys
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

from sycllint.builds.database import database_of
from sycllint.config import Config, Deep
from sycllint.pipeline import check
from sycllint.pipeline.cache import Cache
from sycllint.pipeline.project import Project
from sycllint.semantics.commands import command_of
from sycllint.semantics.library import load
from sycllint.semantics.unit import parse
from sycllint.source.disk import Disk


def seconds(work: Callable[[], object]) -> float:
    """Processor time of ``work``."""
    start = time.process_time()
    work()
    return time.process_time() - start


def parse_alone(path: str, headers: str | None) -> None:
    """What libclang does for the file under the same arguments."""
    disk = Disk()
    defines, folders = Project({}, disk=disk).compiled_with(path)
    database = database_of(os.path.dirname(path))
    command = command_of(path, database=database, defines=defines, folders=folders, headers=headers, disk=disk)
    parse(path, command, {})


def run(path: str, config: Config, folder: str) -> None:
    """One run over the file, with its results kept in ``folder``."""
    check([path], config, cache=Cache(folder))


def main() -> int:
    """Print the ratios."""
    parser = argparse.ArgumentParser(description="The cost of --deep beside libclang alone.")
    parser.add_argument("files", nargs="+", type=Path)
    parser.add_argument("--headers", help="the folder with sycl/sycl.hpp")
    arguments = parser.parse_args()
    load()
    alone = first = second = 0.0
    with tempfile.TemporaryDirectory() as folder:
        for file in arguments.files:
            path = os.path.relpath(file)
            config = Config(targets=("tgl",), deep=Deep("on", headers=arguments.headers))
            alone += seconds(partial(parse_alone, path, arguments.headers))
            first += seconds(partial(run, path, config, folder))
            second += seconds(partial(run, path, config, folder))
    print(f"{len(arguments.files)} files, libclang alone {alone:.2f} s of processor time")
    print(f"--deep / libclang alone  {first / alone:.2f}")
    print(f"again  / --deep          {second / first:.3f}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
