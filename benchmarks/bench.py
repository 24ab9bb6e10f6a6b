"""Speed of sycllint on a folder of SYCL sources and of its calculator, as ratios measured in one run on one machine.

``python benchmarks/bench.py CORPUS`` (or the environment's SYCLLINT_BENCH_CORPUS). Every figure is taken from a child
process by the operating system: processor seconds, wall seconds, peak resident memory. The corpus is copied first: one
of its files is changed for a figure. ast-grep, which matches patterns on the same trees, stands beside where it is
installed (``pip install sycllint[bench]``).
"""

import argparse
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
import timeit
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TypedDict

from sycllint import device, estimate_occupancy

SUFFIXES = frozenset({".cpp", ".h", ".hpp"})
REPEATS = 3
STARTS = 15
COLD_RUNS = 2
WARM_RUNS = 7

ROUND, ROUNDS = 20_000, 5


class Arguments(TypedDict, total=False):
    """Of ``estimate_occupancy``."""

    work_group: int
    sub_group: int
    local_memory: int
    barrier: bool
    registers: int
    global_size: int


CALLS: dict[str, Arguments] = {
    "tgl": {"work_group": 512, "sub_group": 8, "local_memory": 4096, "barrier": True, "global_size": 1 << 19},
    "gfx90a": {"work_group": 256, "registers": 64, "local_memory": 4096, "barrier": True, "global_size": 1 << 19},
    "sm_90": {"work_group": 256, "registers": 64, "local_memory": 4096, "barrier": True, "global_size": 1 << 19},
}

PARSE = """
import sys
import tree_sitter, tree_sitter_cpp
parser = tree_sitter.Parser(tree_sitter.Language(tree_sitter_cpp.language()))
for path in open(sys.argv[1]).read().split("\\0"):
    with open(path, "rb") as file:
        parser.parse(file.read())
"""

STAGE = """
import gc, sys
from sycllint.facts.collect import file_facts
from sycllint.facts.relevance import can_matter
from sycllint.pipeline.project import Project
from sycllint.source.text import SourceFile
gc.disable()

def alone(source):
    # One file as if there were no other: its launches, judged by the rules on sizes.
    facts = file_facts(source.path, source.content, {})
    evaluator = Evaluator(Unit((facts,)), {})
    for launch in analyze_unit(source, facts, evaluator, looks=False).launches:
        for rule in RULES:
            list(rule.check(launch, TARGET))
    evaluator.release()

if sys.argv[2] == "alone":
    from sycllint.hardware.profiles import device
    from sycllint.launch.build import analyze_unit
    from sycllint.registry import all_rules
    from sycllint.target import Target
    from sycllint.values.evaluate import Evaluator
    from sycllint.symbols.unit import Unit

    TARGET = Target(device("tgl"))
    RULES = [each for each in all_rules() if each.code in sys.argv[3].split()]
project = Project({}, looks=False)
stage = {
    "facts": lambda source: file_facts(source.path, source.content, {}),
    "alone": alone,
    "launches": lambda source: project.analyze(source).release(),
}[sys.argv[2]]
for path in open(sys.argv[1]).read().split("\\0"):
    with open(path, "rb") as file:
        content = file.read()
    if can_matter(content):
        stage(SourceFile(path, content))
"""

CHECK = (sys.executable, "-m", "sycllint", "check", "--isolated", "--fail-on", "never")
UNCACHED = (*CHECK, "--no-cache", "-j1")
KEPT = (*CHECK, "--target", "tgl", "--quiet")

PATTERN = "$QUEUE.parallel_for($$$ARGUMENTS)"
"""What ast-grep looks for."""

ON_SIZES = "SYC101 SYC102 SYC103 SYC104 SYC105 SYC201 SYC202 SYC203 SYC206 SYC301 SYC302 SYC401"
"""Rules that need ranges, sub-group sizes, local memory and occupancy, and nothing else of a kernel."""
EACH_ALONE = "each file alone"
LIMITS = {
    EACH_ALONE: "3.00 × parse, 400 MB",
    "launches, as `kernels`": "4.00 × parse, 600 MB",
    "sycllint check": "5.00 × parse, 400 MB",
}
"""What the project has set itself: without linking, with it, and with all rules."""

COMPILED = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
"""The environment of all runs: an installed program is not compiled each time."""


@dataclass(frozen=True, slots=True)
class Cost:
    """What one child process took."""

    cpu: float
    """Seconds, user and system."""
    wall: float
    """Seconds."""
    memory: int
    """Peak resident bytes."""


def cost(command: Sequence[str], cwd: Path | None = None, environment: Mapping[str, str] = COMPILED) -> Cost:
    """Run ``command`` to its end; a figure of a run that failed would mean nothing, so that ends the benchmark.

    ``ru_maxrss`` is in KiB on Linux and in bytes on macOS.
    """
    unit = 1 if sys.platform == "darwin" else 1024
    with tempfile.TemporaryFile() as complaints:
        started = time.perf_counter()
        child = subprocess.Popen(
            command,
            cwd=cwd,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=complaints,
        )
        _, status, usage = os.wait4(child.pid, 0)
        wall = time.perf_counter() - started
        child.returncode = os.waitstatus_to_exitcode(status)
        if child.returncode:
            complaints.seek(0)
            last = complaints.read().decode(errors="replace").strip().rpartition("\n")[2]
            raise SystemExit(f"{' '.join(command[:5])[:80]} … ended with {child.returncode}: {last}")
    return Cost(usage.ru_utime + usage.ru_stime, wall, usage.ru_maxrss * unit)


def best(costs: Sequence[Cost]) -> Cost:
    """The run with the least processor time: what the others add is the machine's noise."""
    return min(costs, key=lambda each: each.cpu)


def sources(corpus: Path) -> list[Path]:
    """The C++ files of ``corpus``; only those in folders named ``*-sycl`` when there are such.

    HeCBench keeps the CUDA, HIP and OpenMP versions of each program beside the SYCL one.
    """
    roots = sorted(path for path in corpus.glob("*-sycl") if path.is_dir()) or [corpus]
    return sorted(path for root in roots for path in root.rglob("*") if path.suffix in SUFFIXES and path.is_file())


def typical(files: Sequence[Path]) -> Path:
    """The file of median size among those that launch a kernel."""
    launching = [path for path in files if path.suffix == ".cpp" and b"parallel_for" in path.read_bytes()]
    return sorted(launching or files, key=lambda path: path.stat().st_size)[len(launching or files) // 2]


def print_throughput(files: Sequence[Path]) -> None:
    """The whole corpus in one process: raw parse, analysis without rules, and ``sycllint check``."""
    names = [str(path) for path in files]
    runs: dict[str, list[Cost]] = defaultdict(list)
    with tempfile.NamedTemporaryFile("w", suffix=".list") as listed:
        listed.write("\0".join(names))
        listed.flush()
        commands = {
            "raw tree-sitter parse": [sys.executable, "-c", PARSE, listed.name],
            "facts": [sys.executable, "-c", STAGE, listed.name, "facts"],
            EACH_ALONE: [sys.executable, "-c", STAGE, listed.name, "alone", ON_SIZES],
            "launches, as `kernels`": [sys.executable, "-c", STAGE, listed.name, "launches"],
            "sycllint check": [*UNCACHED, "--target", "tgl", *names],
        }
        for _ in range(REPEATS):
            for name, command in commands.items():
                runs[name].append(cost(command))
    unit = best(runs["raw tree-sitter parse"]).cpu
    print(f"{'':26}{'CPU s':>8}{'÷ parse':>9}{'peak MB':>9}   limit")
    for name, costs in runs.items():
        limit = LIMITS.get(name, "")
        memory = max(each.memory for each in costs) / 1e6
        least = best(costs).cpu
        print(f"{name:26}{least:8.2f}{least / unit:9.2f}{memory:9.0f}   {limit}")


def print_start(file: Path) -> None:
    """Start-up: what a user waits for one file, taken in turns so that noise falls on all alike."""
    commands = {
        "bare interpreter": [sys.executable, "-c", ""],
        "sycllint --version": [sys.executable, "-m", "sycllint", "--version"],
        f"sycllint check {file.name}": [*UNCACHED, str(file)],
    }
    for command in commands.values():
        cost(command)  # compiled and read once, as on the machine of anyone who uses it
    runs: dict[str, list[Cost]] = {name: [] for name in commands}
    for _ in range(STARTS):
        for name, command in commands.items():
            runs[name].append(cost(command))
    bare = statistics.median(each.wall for each in runs["bare interpreter"])
    print(f"\n{'':26}{'wall ms':>8}{'÷ bare':>9}{'least ms':>9}   limit")
    for name, costs in runs.items():
        wall = statistics.median(each.wall for each in costs)
        least = min(each.wall for each in costs)
        limit = "150 ms" if name.startswith("sycllint check") else "60 ms" if name.startswith("sycllint") else ""
        print(f"{name:26}{wall * 1e3:8.1f}{wall / bare:9.2f}{least * 1e3:9.1f}   {limit}")


def print_runs(files: Sequence[Path], corpus: Path) -> None:
    """What the cache and a second process save, over a copy of the corpus."""
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        copies = [root / "corpus" / path.relative_to(corpus) for path in files]
        for top in sorted({path.relative_to(corpus).parts[0] for path in files}):
            if (corpus / top).is_dir():
                shutil.copytree(corpus / top, root / "corpus" / top, symlinks=True)
            else:
                (root / "corpus").mkdir(exist_ok=True)
                shutil.copy(corpus / top, root / "corpus" / top)
        runs = measured_runs(root, copies)
    walls = {name: statistics.median(each.wall for each in costs) for name, costs in runs.items()}
    print(f"\n{'':26}{'wall s':>8}{'CPU s':>8}{'ratio':>8}   {'to':24}limit")
    for name, (reference, limit) in RUNS.items():
        if name in runs:
            ratio = walls[name] / walls[reference]
            print(f"{name:26}{walls[name]:8.3f}{best(runs[name]).cpu:8.3f}{ratio:8.3f}   {reference:24}{limit}")


RUNS = {
    "bare interpreter": ("bare interpreter", ""),
    "raw tree-sitter parse": ("bare interpreter", ""),
    "ast-grep, one thread": ("raw tree-sitter parse", ""),
    "cold, one process": ("raw tree-sitter parse", "5.00"),
    "cold, two processes": ("cold, one process", "0.65"),
    "warm": ("cold, one process", "0.10, 0.6 s"),
    "one file changed": ("warm", "1.30"),
    "warm, three files": ("bare interpreter", "120 ms"),
}
"""Runs over the corpus: what each is compared with, and how much it may take."""


def measured_runs(root: Path, files: Sequence[Path]) -> Mapping[str, list[Cost]]:
    """The runs of ``RUNS`` over the copy in ``root``, the short ones in turns, so that noise falls on all alike."""
    corpus, changing = root / "corpus", typical(files)
    listed = root / "list"
    listed.write_text("\0".join(map(str, files)))
    names = sorted(os.listdir(corpus))
    bare, parse = [sys.executable, "-c", ""], [sys.executable, "-c", PARSE, str(listed)]
    places = os.pathsep.join([os.path.dirname(sys.executable), os.environ.get("PATH", "")])
    finder = shutil.which("ast-grep", path=places)
    runs: dict[str, list[Cost]] = defaultdict(list)
    for number in range(COLD_RUNS):
        runs["raw tree-sitter parse"].append(cost(parse))
        if finder:
            command = [finder, "run", "--lang", "cpp", "--threads", "1", "--pattern", PATTERN, *names]
            runs["ast-grep, one thread"].append(cost(command, corpus))
        for jobs, name in ((1, "cold, one process"), (2, "cold, two processes")):
            fresh = {**COMPILED, "SYCLLINT_CACHE_DIR": str(root / f"cache{number}{jobs}")}
            runs[name].append(cost([*KEPT, f"-j{jobs}", *names], corpus, fresh))
    warm = {**COMPILED, "SYCLLINT_CACHE_DIR": str(root / "cache01")}
    three = [str(path.relative_to(corpus)) for path in (changing, *files[:2])]
    for _ in range(WARM_RUNS):
        runs["bare interpreter"].append(cost(bare))
        runs["warm"].append(cost([*KEPT, *names], corpus, warm))
        runs["warm, three files"].append(cost([*KEPT, *three], corpus, warm))
        with changing.open("a") as stream:
            stream.write("// changed\n")
        runs["one file changed"].append(cost([*KEPT, *names], corpus, warm))
    return runs


def print_calculator() -> None:
    """Calls of the calculator per second in this process, against calls of a function that does nothing."""
    empty = seconds_per_call(lambda: None)
    print(f"\n{'':26}{'calls/s':>10}{'÷ empty':>9}   limit")
    for name, arguments in CALLS.items():
        each = seconds_per_call(partial(estimate_occupancy, device(name), **arguments))
        print(f"{'estimate_occupancy ' + name:26}{1 / each:10,.0f}{each / empty:9.0f}   50,000 calls/s")


def seconds_per_call(call: Callable[[], object]) -> float:
    """The least over a few rounds, the loop around it included."""
    return min(timeit.repeat(call, number=ROUND, repeat=ROUNDS)) / ROUND


def main() -> int:
    """Print the tables; 2 when there is no corpus."""
    parser = argparse.ArgumentParser(description="Speed of sycllint on a folder of SYCL sources.")
    parser.add_argument("corpus", nargs="?", default=os.environ.get("SYCLLINT_BENCH_CORPUS", ""))
    corpus: str = parser.parse_args().corpus
    if not corpus:
        print(
            "no corpus: name a folder of SYCL sources (HeCBench's src, for one): "
            "make bench CORPUS=DIR, or set SYCLLINT_BENCH_CORPUS",
            file=sys.stderr,
        )
        return 2
    files = sources(Path(corpus))
    if not files:
        print(f"{corpus}: no C++ file ({', '.join(sorted(SUFFIXES))}) below it", file=sys.stderr)
        return 2
    size = sum(path.stat().st_size for path in files)
    print(
        f"{len(files):,} files, {size / 1e6:.1f} MB; Python {sys.version.split()[0]}, one process, least of {REPEATS}\n"
    )
    print_throughput(files)
    print_start(typical(files))
    print_runs(files, Path(corpus))
    print_calculator()
    return 0


if __name__ == "__main__":
    sys.exit(main())
