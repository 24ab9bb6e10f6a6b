"""Differential testing: what sycllint says of random programs against what happens when they run.

``python -m benchmarks.differential KIND [--seeds FROM:TO] [--programs N] [--tree FOLDER] [--list missed] [--show]``
makes N programs of a kind for each seed, the same again for the same seed, and runs them. For each kind of defect it
prints how often it happened and how often sycllint notices it: the one of this tree, or of another checkout. False
findings are always printed; ``--show`` prints the programs instead. ``judgement.py`` says what is false.

Needs Linux and a C++ compiler: g++, or what $CXX names. Exits with 1 when a finding is false or a size wrong, and with
2 when the programs cannot be compiled or none runs to its end.
"""

import argparse
import random
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import count
from pathlib import Path

from benchmarks.differential import host, kernels, sizes
from benchmarks.differential.execution import Execution, ExecutionError, Machine, Program
from benchmarks.differential.judgement import Judgement, judge_defects, judge_sizes
from benchmarks.differential.sentences import Sentences

INCLUDES = "".join(f"#include <{name}>\n" for name in ("algorithm", "cstring", "utility", "vector", "sycl/sycl.hpp"))


@dataclass(frozen=True, slots=True)
class Kind:
    """Programs that are made and judged in one way."""

    make: Callable[[Sentences, str], Program]
    grammar: Mapping[str, Sequence[str]]
    judge: Callable[[Path, Sequence[range], Execution], Judgement] = judge_defects

    def programs(self, seed: int, number: int) -> list[Program]:
        """The programs of one seed, the same each time."""
        chance, names = random.Random(seed), count()
        return [self.make(Sentences(self.grammar, chance, names), f"program{each}") for each in range(number)]


KINDS = {
    "kernels": Kind(kernels.kernel, kernels.GRAMMAR),
    "host": Kind(host.commands, host.GRAMMAR),
    "kernels-of-any-size": Kind(kernels.kernel_of_any_size, kernels.GRAMMAR),
    "sizes": Kind(sizes.computed, sizes.GRAMMAR, judge_sizes),
    "members": Kind(sizes.members, sizes.MEMBERS, judge_sizes),
}


def written(programs: Sequence[Program]) -> tuple[str, list[range]]:
    """The text of a file with the programs, and the lines that each has in it."""
    text, lines = INCLUDES, []
    for each in programs:
        first = text.count("\n") + 1
        text += each.text
        lines.append(range(first, text.count("\n") + 1))
    return text, lines


def judged(kind: Kind, programs: Sequence[Program], machine: Machine) -> tuple[Judgement, int]:
    """What is said of the programs against what they do, and the number of those that ran to their end."""
    text, lines = written(programs)
    file = machine.folder / "programs.cpp"
    file.write_text(text, encoding="utf-8")
    execution = machine.run(file, [each.calls for each in programs])
    return kind.judge(file, lines, execution), len(execution.runs)


def main(arguments: Sequence[str] | None = None) -> int:
    """Print what is false, a line for each kind of defect, and the totals."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("kind", choices=tuple(KINDS))
    parser.add_argument("--seeds", type=_seeds, default=range(10), metavar="FROM:TO")
    parser.add_argument("--programs", type=int, default=30, help="of one seed, in one file")
    parser.add_argument("--tree", type=Path, help="the checkout of sycllint to judge")
    parser.add_argument("--list", choices=("missed",))
    parser.add_argument("--show", action="store_true", help="print the programs, and do not run them")
    given = parser.parse_args(arguments)
    if given.tree is not None:
        sys.path[:0] = [str(given.tree), str(given.tree / "rules")]
    kind = KINDS[given.kind]
    true, noticed = Counter[str](), Counter[str]()
    false = ran = 0
    try:
        with tempfile.TemporaryDirectory() as folder:
            machine = None if given.show else Machine(Path(folder).resolve())
            for seed in given.seeds:
                programs = kind.programs(seed, given.programs)
                if machine is None:
                    print(written(programs)[0])
                    continue
                found, ended = judged(kind, programs, machine)
                for line in found.false + (found.missed if given.list else []):
                    print(f"seed {seed}, {line}", flush=True)
                true += found.true
                noticed += found.noticed
                false += len(found.false)
                ran += ended
    except ExecutionError as error:
        print(error, file=sys.stderr)
        return 2
    if given.show:
        return 0
    if not ran:
        print("no program ran to its end", file=sys.stderr)
        return 2
    for what, times in sorted(true.items()):
        print(f"{what}: {noticed[what]} of {times} noticed")
    print(f"{ran} programs: {true.total()} true, {noticed.total()} noticed, {false} false")
    return int(false > 0)


def _seeds(text: str) -> range:
    first, _, end = text.partition(":")
    return range(int(first), int(end) if end else int(first) + 1)


if __name__ == "__main__":
    sys.exit(main())
