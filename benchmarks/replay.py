"""Defects that a project fixed later: found in the version before the commit, and gone in the one after?

``python benchmarks/replay.py REPOSITORY [LIST]``: REPOSITORY is a git repository, bare or not; LIST has one line
``commit path rules`` for each defect, rules separated by commas (``benchmarks/replay.txt``, of HeCBench, unless given).
Of each version the folder of ``path`` is checked with default settings for tgl and pvc.
"""

import argparse
import io
import os
import subprocess
import tarfile
import tempfile
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path, PurePosixPath

from sycllint.config import Config
from sycllint.pipeline import check

TARGETS = ("tgl", "pvc")
LIST = Path(__file__).with_name("replay.txt")


class Verdict(StrEnum):
    """The outcome for one defect."""

    CAUGHT = "caught"
    """Something was said of it before, and is no longer."""
    STILL = "still"
    """All that was said before is said after."""
    MISSED = "missed"
    """Nothing was said."""


@dataclass(frozen=True, slots=True)
class Defect:
    """One commit that fixed something."""

    commit: str
    path: str
    """Of the file that was fixed."""
    rules: frozenset[str]


@dataclass(frozen=True, slots=True)
class Outcome:
    """What was said of the file by the rules asked for."""

    defect: Defect
    before: tuple[str, ...]
    after: tuple[str, ...]

    @property
    def gone(self) -> tuple[str, ...]:
        """The findings that the commit took away."""
        return tuple((Counter(self.before) - Counter(self.after)).elements())

    @property
    def verdict(self) -> Verdict:
        """What the two versions say together."""
        if not self.before:
            return Verdict.MISSED
        return Verdict.CAUGHT if self.gone else Verdict.STILL


def defects(lines: Iterable[str]) -> Iterator[Defect]:
    """The defects of a list; ``#`` starts a comment. Raises ``ValueError`` on a line that is not one."""
    for number, line in enumerate(lines, 1):
        words = line.partition("#")[0].split()
        if not words:
            continue
        if len(words) != 3:
            raise ValueError(f"line {number}: not `commit path rules`: {line.strip()}")
        commit, path, rules = words
        yield Defect(commit, path, frozenset(rules.split(",")))


def replayed(repository: Path, defect: Defect) -> Outcome:
    """Check both versions. Raises ``CalledProcessError`` when the repository does not have them."""
    before = _findings(repository, f"{defect.commit}^", defect)
    return Outcome(defect, before, _findings(repository, defect.commit, defect))


def _findings(repository: Path, version: str, defect: Defect) -> tuple[str, ...]:
    folder = PurePosixPath(defect.path).parent
    archive = subprocess.run(
        ("git", "-C", os.fspath(repository), "archive", version, "--", os.fspath(folder)),
        capture_output=True,
        check=True,
    ).stdout
    with tempfile.TemporaryDirectory() as place:
        with tarfile.open(fileobj=io.BytesIO(archive)) as files:
            files.extractall(place, filter="data")
        config = Config(root=place, targets=TARGETS, select=tuple(sorted(defect.rules)))
        found = check([os.fspath(Path(place, folder))], config).diagnostics
    fixed = [each for each in found if each.location.path.endswith(defect.path)]
    return tuple(f"{each.code} {each.message}" for each in fixed)


def main(arguments: Sequence[str] | None = None) -> int:
    """Print one line for each defect and the totals."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("repository", type=Path)
    parser.add_argument("list", type=Path, nargs="?", default=LIST)
    given = parser.parse_args(arguments)
    totals: Counter[Verdict] = Counter()
    for defect in defects(given.list.read_text(encoding="utf-8").splitlines()):
        outcome = replayed(given.repository, defect)
        totals[outcome.verdict] += 1
        print(f"{outcome.verdict:7} {defect.commit} {defect.path}")
        for message in outcome.gone or outcome.before:
            print(f"        {message}")
    print(", ".join(f"{totals[verdict]} {verdict}" for verdict in Verdict))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
