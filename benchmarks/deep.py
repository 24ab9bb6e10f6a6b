"""What ``--deep`` costs: a run over files beside the same without it, and the run after it with its cache.

``python benchmarks/deep.py [--headers DIR] FILE...``: processor time of one process, file by file in turns, printed as
ratios; and in how many of the files libclang is started. ``--alone`` also times libclang parsing each unit.
"""

import argparse
import os
import sys
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from sycllint.builds.database import database_of
from sycllint.config import Config, Deep
from sycllint.pipeline import check, front_end
from sycllint.pipeline.cache import Cache
from sycllint.pipeline.project import Project
from sycllint.semantics.commands import command_of
from sycllint.semantics.library import load
from sycllint.semantics.unit import ParsedUnit, parse
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


def _count_parsed() -> set[str]:
    """The main files of the units that are parsed from here on, as they come."""
    found: set[str] = set()

    def counting(path: str, *others: Any) -> ParsedUnit | None:
        found.add(path)
        return parse(path, *others)

    vars(front_end)["parse"] = counting
    return found


def main() -> int:
    """Print the ratios."""
    parser = argparse.ArgumentParser(description="The cost of --deep beside libclang alone.")
    parser.add_argument("files", nargs="+", type=Path)
    parser.add_argument("--headers", help="the folder with sycl/sycl.hpp")
    parser.add_argument("--alone", action="store_true", help="time libclang parsing each unit, too")
    arguments = parser.parse_args()
    load()
    parsed = _count_parsed()
    alone = plain = first = second = 0.0
    with tempfile.TemporaryDirectory() as folder, tempfile.TemporaryDirectory() as without:
        for file in arguments.files:
            path = os.path.relpath(file)
            config = Config(targets=("tgl",), deep=Deep("on", headers=arguments.headers))
            if arguments.alone:
                alone += seconds(partial(parse_alone, path, arguments.headers))
            plain += seconds(partial(run, path, Config(targets=("tgl",)), without))
            first += seconds(partial(run, path, config, folder))
            second += seconds(partial(run, path, config, folder))
    print(f"{len(arguments.files)} files, {plain:.2f} s of processor time without --deep, {first:.2f} s with it")
    print(f"--deep / plain           {first / plain:.2f}")
    print(f"again  / --deep          {second / first:.3f}")
    print(f"libclang is started in   {len(parsed)} of them")
    if arguments.alone:
        print(f"--deep / libclang alone  {first / alone:.2f}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
