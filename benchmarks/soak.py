"""Whether any input makes sycllint crash or take long: ``python benchmarks/soak.py [COUNT] [--seconds S] [--seed N]``.

Lints mutants, in this process, one after another: damaged parts of the fixtures (``benchmarks/mutants.py``), programs
made from a grammar (``benchmarks/grammar.py``), and damaged settings, baselines, reports, diffs and caches
(``benchmarks/hostile.py``). Every mutant is made from the seed and its number alone: ``--only NUMBER`` makes it again.

An input fails when it raises anything but the errors that are shown to users, or takes more than ``PATIENCE`` seconds
of processor time. Each kind of failure is shrunk and written to ``build/soak`` once. Prints counts; exit code 1 for a
failure.
"""

import argparse
import contextlib
import io
import os
import random
import re
import shutil
import signal
import sys
import tempfile
import time
import traceback
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path

from benchmarks import grammar, hostile
from benchmarks.mutants import Sources
from sycllint.cli import main as sycllint
from sycllint.cli.terminal import settle_in
from sycllint.config import Config, Configs
from sycllint.errors import SycllintError
from sycllint.pipeline import Result, check, kernels
from sycllint.pipeline.fixing import apply_fixes
from sycllint.report import FORMATS, render
from sycllint.report.kernels import kernels_json, kernels_table
from sycllint.source.text import SourceFile

ROOT = Path(__file__).resolve().parent.parent
PATIENCE = 10
"""Seconds of processor time for one mutant, which is a few kilobytes."""
TELLING = 10_000
"""Mutants after which a line says how far it is."""
SHRINKING = 400
"""Inputs that are tried to make one failure small."""

_TARGETS = ((), ("tgl",), ("pvc", "a100", "mi250x"), ("tgl", "h100"))
_SWEEP = "SYC210"
"""The rule that tries each value of a parameter: what it says follows from numbers, hardly from what damage does."""
_HOSTILE, _EXPLAINED, _DAMAGED = 0.06, 0.07, 0.9
"""Parts of all mutants, summed up: other files than sources, lines to be explained, damaged parts of fixtures.

The rest are sentences of the grammar, of which each costs three times as much.
"""
_WRITTEN, _LISTED, _FIXED = 0.1, 0.17, 0.2
"""Parts of sources, summed up, that are reported in one of the formats; whose launches are listed; that are fixed."""
_CONTROLS = re.compile("[\\x00-\\x08\\x0b\\x0c\\x0e-\\x1f\\x7f\\x9b]")
"""Characters that no report may hold."""


class TooSlow(BaseException):
    """``PATIENCE`` is over. No ``Exception``: what the program recovers from must not catch it."""


class FailedError(Exception):
    """What went wrong, in words by which the same failure is known again."""


def program_failure(error: BaseException) -> FailedError:
    """Of what was raised: its type, and the innermost line of ours."""
    if isinstance(error, FailedError):
        return error
    frames = [each for each in traceback.extract_tb(error.__traceback__) if "sycllint" in each.filename]
    if isinstance(error, TooSlow):
        names = [each.filename for each in frames if "/soak" not in each.filename]
        return FailedError(f"takes more than {PATIENCE} s, in {os.path.relpath(names[-1], ROOT) if names else '?'}")
    last = frames[-1] if frames else None
    place = f"{os.path.relpath(last.filename, ROOT)}:{last.lineno}" if last is not None else "?"
    return FailedError(f"{type(error).__name__} at {place}: {str(error)[:120]}")


@contextlib.contextmanager
def bounded() -> Iterator[None]:
    """Ends in ``TooSlow`` when the processor time is used up; other processes do not count."""

    def end(*_: object) -> None:
        raise TooSlow

    signal.signal(signal.SIGVTALRM, end)
    signal.setitimer(signal.ITIMER_VIRTUAL, PATIENCE)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)


# -------------------------------------------------------------------- trials


class Trials:
    """What is done with one mutant, in the working directory, which is a folder of its own."""

    def __init__(self) -> None:
        self.counts: Counter[str] = Counter()
        self._configs = [
            Configs(Config(targets=targets, select=("ALL",), ignore=ignore))
            for targets in _TARGETS
            for ignore in ((), (_SWEEP,), (_SWEEP,), (_SWEEP,))
        ]
        self._one_target = Configs(Config(targets=("tgl",), select=("ALL",)))

    def source(self, text: bytes, chance: random.Random) -> None:
        """Lint a text, and every few times list its launches, fix it, and write what was found in some format."""
        texts = {"a.cpp": text}
        configs = chance.choice(self._configs)
        result = check(["a.cpp"], configs, texts=texts, raise_rule_errors=True)
        self.counts["findings"] += len(result.diagnostics)
        further = chance.random()
        if further < _WRITTEN:
            self._written(result, text, FORMATS[chance.randrange(len(FORMATS))])
        elif further < _LISTED:
            found = kernels(["a.cpp"], configs, texts=texts, raise_errors=True)
            kernels_json(found, lambda path: SourceFile(path, text))
            kernels_table(found, lambda path: SourceFile(path, text), color=False, width=80, wide=True)
            self.counts["launches"] += len(found.launches)
        elif further < _FIXED:
            self._fixed(text, configs)

    def _written(self, result: Result, text: bytes, name: str) -> None:
        written = render(
            name, result, color=False, width=80, hyperlinks=False, sources=lambda path: SourceFile(path, text)
        )
        if left := _CONTROLS.search(written):
            raise FailedError(f"control characters in {name}: {left[0]!r}")

    def _fixed(self, text: bytes, configs: Configs) -> None:
        run = apply_fixes(["a.cpp"], configs, texts={"a.cpp": text})
        for each in run.result.notices:
            if "internal error" in each:
                raise FailedError(f"--fix: {each}")
        for file in run.files:
            again = apply_fixes(["a.cpp"], configs, texts={"a.cpp": file.after})
            if again.files and again.fixed:
                self.counts["fixed twice"] += 1
        self.counts["fixes"] += run.fixed

    def explained(self, text: bytes, chance: random.Random) -> None:
        """Ask about a line that has something to say."""
        found = check(["a.cpp"], self._one_target, texts={"a.cpp": text}, raise_rule_errors=True).diagnostics
        lines = [SourceFile("a.cpp", text).line_of(each.location.span.start) for each in found] or [1]
        self.command(({"a.cpp": text}, ["explain", f"a.cpp:{chance.choice(lines)}", "--target", "tgl"]))

    def command(self, trial: hostile.Trial) -> None:
        """Write the files of a trial, and run the program in this process."""
        files, arguments = trial
        for name, content in files.items():
            Path(name).parent.mkdir(parents=True, exist_ok=True)
            Path(name).write_bytes(content)
        said, complained = io.StringIO(), io.StringIO()
        try:
            with contextlib.redirect_stdout(said), contextlib.redirect_stderr(complained):
                code = sycllint([*arguments])
        finally:
            _emptied(files)
        self.counts[f"exit code {code}"] += 1
        text = said.getvalue() + complained.getvalue()
        if "too deeply" in text or "internal error" in text or " crashed" in text or "Traceback" in text:
            raise FailedError(f"{arguments[0]}: {_telling(text)}")
        if left := {each for each in complained.getvalue() if each < " " and each not in "\n\t"}:
            raise FailedError(f"control characters in {arguments[0]}: {sorted(left)}")


def _telling(text: str) -> str:
    """The line that says what went wrong, without the numbers of its place."""
    marks = ("internal error", " crashed", "too deeply", "Traceback")
    return next(each for each in text.splitlines() if any(mark in each for mark in marks))[:150]


def _emptied(files: Mapping[str, bytes]) -> None:
    for name in files:
        top = name.split("/")[0]
        if os.path.isdir(top):
            shutil.rmtree(top)
        elif os.path.exists(top):
            os.unlink(top)


def cache_of(source: bytes) -> Mapping[str, bytes]:
    """The files of the cache after a run over a source, and of the settings that name it."""
    Path("a.cpp").write_bytes(source)
    with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
        sycllint(["check", "a.cpp"])
    place = Path(os.environ["SYCLLINT_CACHE_DIR"])
    found = {os.path.relpath(path): path.read_bytes() for path in sorted(place.rglob("*")) if path.is_file()}
    shutil.rmtree(place, ignore_errors=True)
    return found


# ---------------------------------------------------------------------- soak


class Soak:
    """Mutants by number."""

    def __init__(self, seed: int) -> None:
        self.seed = seed
        self.trials = Trials()
        self.sources = Sources([ROOT / "fixtures"])
        self._hostile: Sequence[Callable[[bytes, random.Random], hostile.Trial]] = (
            hostile.settings,
            hostile.build_files,
            hostile.baseline,
            hostile.reports,
            hostile.diffs,
            hostile.CompilerReports(ROOT / "tests/data/compiled"),
            hostile.Caches(cache_of),
        )

    def work(self, number: int) -> tuple[str, "bytes | hostile.Trial", Callable[[bytes], None] | None]:
        """What mutant ``number`` is: its kind, the text or files, and for a text what is done with it."""
        chance = random.Random(f"{self.seed}:{number}")
        kind = chance.random()
        then = chance.random()
        if kind < _HOSTILE:
            make = chance.choice(self._hostile)
            return "hostile", make(self.sources.any(chance), chance), None
        text = self.sources.mutant(chance) if kind < _DAMAGED else grammar.program(chance)
        if kind < _EXPLAINED:
            return "explain", text, lambda text: self.trials.explained(text, random.Random(then))
        name = "mutant" if kind < _DAMAGED else "grammar"
        return name, text, lambda text: self.trials.source(text, random.Random(then))

    def failure(self, number: int) -> tuple[FailedError, "bytes | hostile.Trial"] | None:
        """What mutant ``number`` fails by, and the smallest input that was found to do so."""
        kind, made, done = self.work(number)
        self.trials.counts[kind] += 1
        if done is None:
            assert not isinstance(made, bytes)
            failed = self.tried(lambda: self.trials.command(made))
            return None if failed is None else (failed, made)
        assert isinstance(made, bytes)
        failed = self.tried(lambda: done(made))
        if failed is None:
            return None
        same = str(failed)
        if "takes more" in same:
            return failed, made
        return failed, shrunk(made, lambda text: str(self.tried(lambda: done(text))) == same)

    def tried(self, work: Callable[[], None]) -> FailedError | None:
        """The failure of ``work``, if it has one. An error that is reported to users is none."""
        try:
            with bounded():
                work()
        except SycllintError:
            self.trials.counts["refused"] += 1
        except BaseException as error:  # whatever is raised is what is looked for
            if isinstance(error, KeyboardInterrupt):
                raise
            return program_failure(error)
        return None


def shrunk(text: bytes, fails: Callable[[bytes], bool]) -> bytes:
    """The text without lines, then without bytes, that it fails without; ``SHRINKING`` tries at most."""
    tries = 0
    for cut in (
        lambda each: each.splitlines(keepends=True),
        lambda each: [each[at : at + 4] for at in range(0, len(each), 4)],
    ):
        parts: list[bytes] = cut(text)
        size = max(1, len(parts) // 2)
        while size and tries < SHRINKING:
            at = 0
            while at < len(parts) and tries < SHRINKING:
                rest = parts[:at] + parts[at + size :]
                tries += 1
                if fails(b"".join(rest)):
                    parts = rest
                else:
                    at += size
            size //= 2
        text = b"".join(parts)
    return text


def write_failure(place: Path, number: int, failed: FailedError, made: "bytes | hostile.Trial") -> Path:
    """Put an input into a folder of its own, with what it fails by."""
    folder = place / str(number)
    files, arguments = ({"a.cpp": made}, ["check", "a.cpp"]) if isinstance(made, bytes) else made
    for name, content in {**files, "failure.txt": f"{failed}\nsycllint {' '.join(arguments)}\n".encode()}.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(content)
    return folder


def soak(count: int, seconds: float, seed: int, place: Path, first: int = 0) -> tuple[Counter[str], Mapping[str, Path]]:
    """Counts of what was tried, and the folder of the first input for each kind of failure."""
    work = Soak(seed)
    failures: dict[str, Path] = {}
    began, home = time.monotonic(), os.getcwd()
    outside = {name: os.environ.get(name) for name in ("SYCLLINT_DEBUG", "SYCLLINT_CACHE_DIR")}
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        os.environ.update(SYCLLINT_DEBUG="1", SYCLLINT_CACHE_DIR=os.path.join(os.path.realpath(folder), "cache"))
        try:
            for number in range(first, first + count):
                if time.monotonic() - began > seconds:
                    break
                work.trials.counts["mutants"] += 1
                if number and number % TELLING == 0:
                    print(f"{number - first} mutants in {time.monotonic() - began:.0f} s", flush=True)
                found = work.failure(number)
                if found is None:
                    continue
                work.trials.counts["failed"] += 1
                if str(found[0]) not in failures:
                    failures[str(found[0])] = write_failure(place, number, *found)
                    print(f"{found[0]}\n  {failures[str(found[0])]}", flush=True)
        finally:
            os.chdir(home)
            for name, value in outside.items():
                if value is None:
                    os.environ.pop(name, None)
                else:
                    os.environ[name] = value
    return work.trials.counts, failures


def main(argv: Sequence[str] | None = None) -> int:
    """Soak, and print the result; 1 when anything failed."""
    parser = argparse.ArgumentParser(description="Whether any input makes sycllint crash or take long.")
    parser.add_argument("count", nargs="?", type=int, default=20_000, help="mutants at most (20,000)")
    parser.add_argument("--seconds", type=float, default=600, help="seconds at most (600)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--first", type=int, default=0, metavar="NUMBER", help="the number of the first mutant")
    parser.add_argument("--only", type=int, metavar="NUMBER", help="make this mutant again")
    options = parser.parse_args(argv)
    place = ROOT / "build/soak"
    count, first = (1, options.only) if options.only is not None else (options.count, options.first)
    settle_in()
    began = time.monotonic()
    counts, failures = soak(count, options.seconds, options.seed, place, first)
    hours = (time.monotonic() - began) / 3600
    done, busy = counts["mutants"], time.process_time()
    rate = f"{done / hours:,.0f} an hour, {done / busy:.0f} a second of processor time"
    print(f"seed {options.seed}, mutants {first} to {first + done - 1}: {rate}")
    print(", ".join(f"{each} {number}" for each, number in sorted(counts.items())))
    print(f"{len(failures)} kinds of failures")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
