"""Two versions of sycllint compared by all they know of programs: launches, records of analyses, notices.

``python benchmarks/records.py compare BASE PATH...`` checks the commit ``BASE`` out aside, lets each version write down
what it sees below each path, and prints the differences file by file; the exit code is 1 where there are any.
``snapshot FILE PATH...`` writes the account of this version alone: one line of JSON for each source file.

Findings say less: a record that no rule words today is compared, too. Both versions read the same files in the same
order, each in a process of its own; the processor seconds they took stand under the differences.
"""

import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from enum import Enum
from pathlib import Path
from typing import Any

from sycllint.config import Config, Configs
from sycllint.cpp.node import Node
from sycllint.launch.circumstances import Circumstance
from sycllint.launch.kernel import KernelLaunch
from sycllint.observation import EVERYTHING, NOTHING
from sycllint.pipeline.run import Run
from sycllint.record import replace

HERE = Path(__file__).resolve()
ROOT = HERE.parent.parent
SHOWN = 40
"""Differences that are printed in full; the others are counted."""
SECTIONS = ("launches", "records", "notices")


def account(paths: Sequence[str]) -> Iterator[dict[str, Any]]:
    """What is known of each C++ file below ``paths``."""
    run = Run(Configs(Config()))
    for candidate, config in run.listed(paths):
        own = run.apart()
        for file in own.files([(candidate, config)], None, EVERYTHING):
            yield {
                "path": candidate.path,
                "launches": [described(each) for each in file.launches],
                "records": [plain(each) for each in file.unit.seen.records]
                + [
                    f"{each.location.span.start}: {plain(record)}"
                    for each in file.launches
                    for record in each.kernel.seen.records
                ],
                "notices": [*own.notices, f"parse errors: {own.with_parse_errors}"],
            }
            break
        else:
            yield {"path": candidate.path, "launches": [], "records": [], "notices": list(own.notices)}


def described(launch: KernelLaunch) -> str:
    """A launch without the records of its kernel, and under which circumstances it is made."""
    bare = replace(launch, kernel=replace(launch.kernel, seen=NOTHING))
    held = [each.name for each in Circumstance if launch.circumstances.hold(each)]
    return f"{plain(bare)} {' '.join(held)}".rstrip()


def plain(value: object) -> str:
    """A value in words that are the same in each process: no address, no order of a set.

    Nodes of the source stand as their class and place; what a record leaves out of comparisons is left out here.
    """
    fields = getattr(value, "__record_fields__", None)
    if isinstance(value, Node):
        return f"{type(value).__name__}@{getattr(value, 'start', '')}-{getattr(value, 'end', '')}"
    if fields is not None:
        inside = ", ".join(f"{each.name}={plain(getattr(value, each.name))}" for each in fields if each.compare)
        return f"{type(value).__name__}({inside})"
    match value:
        case Enum():
            return value.name
        case None | bool() | int() | float() | str() | bytes():
            return repr(value)
        case frozenset() | set():
            return "{" + ", ".join(sorted(map(plain, value))) + "}"
        case Mapping():
            return "{" + ", ".join(sorted(f"{plain(key)}: {plain(each)}" for key, each in value.items())) + "}"
        case Sequence():
            return "(" + ", ".join(map(plain, value)) + ")"
    return f"<{type(value).__name__}>"


@dataclass(frozen=True, slots=True)
class Difference:
    """One line of one file's account that only one version has."""

    path: str
    section: str
    sign: str
    """``-`` only the base has it, ``+`` only this version."""
    text: str

    def __str__(self) -> str:
        return f"{self.sign} {self.path} {self.section}: {self.text}"


def differences(base: Iterable[Mapping[str, Any]], now: Iterable[Mapping[str, Any]]) -> Iterator[Difference]:
    """What the accounts differ in, file by file; the order within a file does not count."""
    before = {each["path"]: each for each in base}
    after = {each["path"]: each for each in now}
    for path in sorted(before.keys() | after.keys()):
        for section in SECTIONS:
            old = Counter(before.get(path, {}).get(section, ()))
            new = Counter(after.get(path, {}).get(section, ()))
            yield from (Difference(path, section, "-", each) for each in (old - new).elements())
            yield from (Difference(path, section, "+", each) for each in (new - old).elements())


@contextmanager
def checked_out(commit: str) -> Iterator[Path]:
    """The tree of a commit of this repository, as long as it is needed."""
    with tempfile.TemporaryDirectory() as folder:
        tree = Path(folder, "base")
        subprocess.run(["git", "-C", ROOT, "worktree", "add", "--quiet", "--detach", tree, commit], check=True)
        try:
            yield tree
        finally:
            subprocess.run(["git", "-C", ROOT, "worktree", "remove", "--force", tree], check=True)


def written(tree: Path, paths: Sequence[str], out: Path) -> tuple[list[dict[str, Any]], float]:
    """The account by the version in ``tree``, and the processor seconds it took."""
    script = tree / "benchmarks" / HERE.name
    if not script.is_file():
        sys.exit(f"records.py: the base has no benchmarks/{HERE.name}: choose a later commit")
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(tree), str(tree / "rules")]), "PYTHONHASHSEED": "0"}
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([sys.executable, script, "snapshot", out, *paths], env=environment, check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    seconds = after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime
    return [json.loads(line) for line in out.read_text(encoding="utf-8").splitlines()], seconds


def snapshot(out: str, paths: Sequence[str]) -> None:
    """Write this version's account of ``paths`` to the file ``out``."""
    with open(out, "w", encoding="utf-8") as stream:
        stream.writelines(json.dumps(each) + "\n" for each in account(paths))


def compare(commit: str, paths: Sequence[str]) -> int:
    """Print what this version knows otherwise than the one of ``commit``; 1 where there is anything."""
    with tempfile.TemporaryDirectory() as folder:
        now, ours = written(ROOT, paths, Path(folder, "now"))
        with checked_out(commit) as tree:
            base, theirs = written(tree, paths, Path(folder, "base"))
    found = list(differences(base, now))
    for each in found[:SHOWN]:
        print(each)
    if len(found) > SHOWN:
        print(f"and {len(found) - SHOWN} more")
    lines = sum(len(each[section]) for each in now for section in SECTIONS)
    print(f"{len(now)} files, {lines} lines: {len(found)} differences in {len({each.path for each in found})} files")
    print(f"processor time {ours / theirs:.2f} x that of {commit}")
    return 1 if found else 0


def main() -> int:
    """Run the command line; the exit code."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    for name, first in (("compare", "base"), ("snapshot", "out")):
        command = commands.add_parser(name)
        command.add_argument(first)
        command.add_argument("paths", nargs="+")
    arguments = parser.parse_args()
    if arguments.command == "compare":
        return compare(arguments.base, arguments.paths)
    snapshot(arguments.out, arguments.paths)
    return 0


if __name__ == "__main__":
    sys.exit(main())
