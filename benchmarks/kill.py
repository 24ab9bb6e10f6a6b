"""Whether the cache outlives runs that are killed, and runs at the same time: ``python benchmarks/kill.py [RUNS]``.

Each of ``RUNS`` (50) changes some files of a project, starts a run, kills it with SIGKILL at a random moment, and
compares what the next run says with what one says that knows no cache. Then pairs of runs go at the same time on one
cache. Prints a line of counts; the exit code is 1 when any run said something else. The seed is fixed, the moments are
not: they hang on the machine.
"""

import argparse
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

PROGRAMS = 24
PATIENCE = 120
"""Seconds after which a run counts as stuck."""

STUCK = b"stuck: "

KERNEL = """\
#include <sycl/sycl.hpp>
#include "../sizes.h"
void scale(sycl::queue &q, float *data) {{
  q.parallel_for(sycl::nd_range<1>(64000, GROUP * {factor}), [=](sycl::nd_item<1> item) {{
    data[item.get_global_id(0)] *= 2.0f;
  }});
}}
"""


def write_project(root: Path) -> None:
    """Programs that share a header."""
    (root / "sycllint.toml").write_text('targets = ["tgl"]\n')
    (root / "sizes.h").write_text("#define GROUP 320\n")
    for number in range(PROGRAMS):
        folder = root / f"p{number:02}"
        folder.mkdir()
        (folder / "Makefile").write_text("all:\n")
        write_program(root, number, number % 4 + 1)


def write_program(root: Path, number: int, factor: int) -> None:
    """One program, whose work-groups have ``factor`` times the header's size."""
    (root / f"p{number:02}" / "main.cpp").write_text(KERNEL.format(factor=factor))


def started(root: Path, *arguments: str) -> "subprocess.Popen[bytes]":
    """A run over the project, as the leader of its own processes."""
    command = [sys.executable, "-m", "sycllint", "check", "-f", "json", *arguments]
    environment = {**os.environ, "SYCLLINT_CACHE_DIR": str(root / "cache")}
    return subprocess.Popen(
        command,
        cwd=root,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )


def said(run: "subprocess.Popen[bytes]") -> bytes:
    """What a run said, to its end; one that is stuck is ended, with its processes."""
    try:
        return run.communicate(timeout=PATIENCE)[0]
    except subprocess.TimeoutExpired:
        with suppress(ProcessLookupError):
            os.killpg(run.pid, signal.SIGKILL)
        return STUCK + run.communicate()[0]


def change(root: Path, moments: random.Random) -> None:
    """Another size in a few programs, and every fourth time in the header of all."""
    for number in moments.sample(range(PROGRAMS), 5):
        write_program(root, number, moments.randint(1, 6))
    if moments.random() < 0.25:
        (root / "sizes.h").write_text(f"#define GROUP {moments.choice((64, 128, 256, 320))}\n")


def killed_runs(root: Path, runs: int, moments: random.Random) -> tuple[int, int]:
    """How many runs were still going when they were killed, and how many of the next ones were wrong."""
    began = time.perf_counter()
    said(started(root, "--no-cache"))
    whole = time.perf_counter() - began
    caught = wrong = 0
    for number in range(runs):
        change(root, moments)
        run = started(root, f"-j{number % 2 + 1}")
        time.sleep(moments.uniform(0, whole))
        caught += run.poll() is None
        with suppress(ProcessLookupError):
            os.kill(run.pid, signal.SIGKILL)
        wrong += said(run).startswith(STUCK)
        wrong += said(started(root)) != said(started(root, "--no-cache"))
    return caught, wrong


def runs_at_once(root: Path, pairs: int, moments: random.Random) -> int:
    """How many of the runs that shared the cache with another at the same time were wrong."""
    wrong = 0
    for _ in range(pairs):
        change(root, moments)
        both = [started(root), started(root, "-j2")]
        answers = [said(each) for each in both]
        expected = said(started(root, "--no-cache"))
        wrong += sum(each != expected for each in (*answers, said(started(root))))
    return wrong


def main(argv: Sequence[str] | None = None) -> int:
    """Run both; 1 when anything was wrong."""
    parser = argparse.ArgumentParser(description="Whether the cache outlives runs that are killed.")
    parser.add_argument("runs", nargs="?", type=int, default=50)
    runs: int = parser.parse_args(argv).runs
    moments = random.Random(6)
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        write_project(root)
        caught, wrong = killed_runs(root, runs, moments)
        pairs = max(1, runs // 10)
        shared = runs_at_once(root, pairs, moments)
    print(f"{runs} runs killed, {caught} of them at work: {wrong} of the next runs wrong")
    print(f"{pairs} pairs of runs at once: {shared} wrong")
    return 1 if wrong or shared else 0


if __name__ == "__main__":
    sys.exit(main())
