"""Whether files and caches outlive runs that end badly: ``python benchmarks/kill.py [RUNS] [--seed N]``.

Each of ``RUNS`` (50) trials changes some files of a project, starts a run, and ends it with SIGKILL at a random moment:
``check`` with the cache, ``-o``, ``--fix``, ``baseline``, the language server, two or eight runs at once. Others find
the disk full after a random number of bytes, a cache that cannot be written to, one that another version wrote or that
is damaged, or a clock that jumps. Then the files are compared with what they may be, and what the next run says with
what one says that knows no cache.

Runs are copies of this process, so that a thousand of them take minutes; ``--processes`` starts each as a program.
The seed is fixed, the moments are not: they depend on the machine. The exit code is 1 when anything was wrong.
"""

import argparse
import json
import os
import random
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from contextlib import redirect_stderr, redirect_stdout, suppress
from io import StringIO
from pathlib import Path

from sycllint.cli import main as sycllint

PROGRAMS = 4
PATIENCE = 120
"""Seconds after which a run counts as stuck."""

KERNEL = """\
#include <CL/sycl.hpp>
#include "../sizes.h"
void scale(sycl::queue &q, float *data) {{
  q.parallel_for(sycl::nd_range<1>(64000, GROUP * {factor}), [=](sycl::nd_item<1> item) {{
    data[item.get_global_id(0)] *= 2.0f;
    item.barrier();
  }});
}}
"""


class Project:
    """Programs that share a header, in a folder of their own, with a cache and a baseline beside it."""

    def __init__(self, root: Path, *, processes: bool) -> None:
        self.root = root / "project"
        self.cache = root / "cache"
        self.processes = processes
        self.root.mkdir()
        (self.root / ".git").mkdir()
        (self.root / "sycllint.toml").write_text('targets = ["tgl"]\n')
        (self.root / "sizes.h").write_text("#define GROUP 320\n")
        for number in range(PROGRAMS):
            (self.root / f"p{number:02}").mkdir()
            (self.root / f"p{number:02}" / "Makefile").write_text("all:\n")
            self.write(number, number % 4 + 1)

    def write(self, number: int, factor: int) -> None:
        """One program, whose work-groups have ``factor`` times the header's size."""
        (self.root / f"p{number:02}" / "main.cpp").write_text(KERNEL.format(factor=factor))

    def change(self, chance: random.Random) -> None:
        """Another size in a few programs, and every fourth time in the header of all."""
        for number in chance.sample(range(PROGRAMS), 3):
            self.write(number, chance.randint(1, 6))
        if chance.random() < 0.25:
            (self.root / "sizes.h").write_text(f"#define GROUP {chance.choice((64, 128, 256, 320))}\n")

    def texts(self) -> Mapping[str, bytes]:
        """Every file that is no temporary one of a run that was killed, by name."""
        found = (path for path in sorted(self.root.rglob("*")) if path.is_file())
        return {
            str(path.relative_to(self.root)): path.read_bytes()
            for path in found
            if not path.name.startswith(".sycllint-") or path.name == ".sycllint-baseline.json"
        }

    def started(self, *arguments: str, before: Callable[[], None] = lambda: None, given: bytes = b"") -> "Started":
        """A run in the folder, with ``given`` on stdin; ``before`` is done in its process first."""
        environment = {"SYCLLINT_CACHE_DIR": str(self.cache)}
        if self.processes:
            return Started.program(arguments, self.root, environment, given)
        return Started.copy(arguments, self.root, environment, before, given)

    def said(self, *arguments: str) -> bytes:
        """What a whole run says."""
        return self.started("check", "-f", "json", *arguments).said()

    def is_right(self) -> bool:
        """Whether a run with the cache says what one without it says."""
        said = self.said()
        return said != b"" and said == self.said("--no-cache")


class Started:
    """A run in a process of its own."""

    def __init__(self, process: int, said: int) -> None:
        self.process = process
        self._said = said
        self._ended = False

    @classmethod
    def copy(
        cls,
        arguments: Sequence[str],
        folder: Path,
        environment: Mapping[str, str],
        before: Callable[[], None],
        given: bytes,
    ) -> "Started":
        """A copy of this process that runs the command."""
        said, giving = (os.memfd_create(name) for name in ("said", "given"))
        os.write(giving, given)
        os.lseek(giving, 0, os.SEEK_SET)
        process = os.fork()
        if process:
            os.close(giving)
            return cls(process, said)
        code = 70
        try:
            os.setpgid(0, 0)
            for ours, theirs in ((giving, 0), (said, 1), (os.open(os.devnull, os.O_WRONLY), 2)):
                os.dup2(ours, theirs)
            sys.stdout = os.fdopen(1, "w", encoding="utf-8", closefd=False)  # not what a test put in its place
            os.chdir(folder)
            os.environ.update(environment)
            before()
            code = sycllint([*arguments])
            sys.stdout.flush()
        finally:
            os._exit(code)

    @classmethod
    def program(cls, arguments: Sequence[str], folder: Path, environment: Mapping[str, str], given: bytes) -> "Started":
        """The program itself."""
        said, giving = (os.memfd_create(name) for name in ("said", "given"))
        os.write(giving, given)
        os.lseek(giving, 0, os.SEEK_SET)
        run = subprocess.Popen(
            [sys.executable, "-m", "sycllint", *arguments], cwd=folder, env={**os.environ, **environment},
            stdin=giving, stdout=said, stderr=subprocess.DEVNULL, process_group=0,
        )  # fmt: skip
        os.close(giving)
        return cls(run.pid, said)

    def kill(self) -> bool:
        """End it and its processes; whether it was still at work."""
        at_work = not self._has_ended()
        with suppress(ProcessLookupError):
            os.kill(self.process, signal.SIGKILL)
        self.said()
        return at_work

    def said(self) -> bytes:
        """What it said, to its end; a run that is stuck is ended."""
        began = time.monotonic()
        while not self._has_ended():
            if time.monotonic() - began > PATIENCE:
                os.killpg(self.process, signal.SIGKILL)
                return b"stuck"
            time.sleep(0.002)
        with os.fdopen(self._said, "rb") as stream:
            stream.seek(0)
            return stream.read()

    def _has_ended(self) -> bool:
        if not self._ended:
            self._ended = os.waitpid(self.process, os.WNOHANG)[0] != 0
        return self._ended


# -------------------------------------------------------------------- trials


class Trials:
    """The ways in which runs end badly, and what must hold after each."""

    def __init__(self, project: Project, chance: random.Random) -> None:
        self.project = project
        self.chance = chance
        self.counts: Counter[str] = Counter()
        if not project.processes:
            _load(project.root)
        project.said("--no-cache")
        began = time.perf_counter()
        project.said("--no-cache")
        self.whole = time.perf_counter() - began
        """Seconds that a run takes."""

    def killed(self, *arguments: str, before: Callable[[], None] = lambda: None, given: bytes = b"") -> None:
        """Start a run and end it at a random moment."""
        run = self.project.started(*arguments, before=before, given=given)
        time.sleep(self.chance.uniform(0, 1.2 * self.whole))
        self.counts["killed at work"] += run.kill()
        self.counts["kills"] += 1

    def cache(self) -> bool:
        """A run with the cache."""
        self.killed("check", "-f", "json", f"-j{self.chance.randint(1, 2)}")
        return self.project.is_right()

    def fix(self) -> bool:
        """Every file has its old text or its new one, and the next run makes the rest of the fixes."""
        before = self.project.texts()
        self.project.started("check", "--fix", "--unsafe-fixes", "--no-cache").said()
        after = self.project.texts()
        self._restore(before)
        self.killed("check", "--fix", "--unsafe-fixes", *(["--no-cache"] if self.chance.random() < 0.5 else []))
        between = self.project.texts()
        whole = between.keys() == before.keys() and all(
            text in (before[name], after[name]) for name, text in between.items()
        )
        self.project.started("check", "--fix", "--unsafe-fixes").said()
        right = whole and self.project.texts() == after and self.project.is_right()
        self._restore(before)
        return right

    def baseline(self) -> bool:
        """The baseline is the old one or the new one, and can be read."""
        path = self.project.root / ".sycllint-baseline.json"
        old = None
        if self.chance.random() < 0.5:
            self.project.started("baseline", "create").said()
            old = path.read_bytes()
            self.project.change(self.chance)
        action = "create" if old is None else self.chance.choice(("update", "prune"))
        self.killed("baseline", action)
        now = path.read_bytes() if path.exists() else None
        right = self.project.is_right()
        whole = True
        if now != old and now is not None:
            path.unlink()
            if old is not None:
                path.write_bytes(old)
            self.project.started("baseline", action).said()
            whole = path.read_bytes() == now
        path.unlink(missing_ok=True)
        return right and whole and self.project.is_right()

    def report(self) -> bool:
        """The report of ``-o`` is the one before, whole, or the new one; where there was none, there is none or all."""
        path = self.project.root / "report"
        made = ("check", "-f", self.chance.choice(("json", "sarif", "html")), "-o", path.name)
        old = self.chance.choice((None, b"old\n"))
        self.project.started(*made).said()
        new = path.read_bytes()
        path.unlink()
        if old is not None:
            path.write_bytes(old)
        self.killed(*made)
        whole = (path.read_bytes() if path.exists() else None) in (old, new)
        path.unlink(missing_ok=True)
        return whole and self.project.is_right()

    def server(self) -> bool:
        """A language server with a file open that is edited."""
        name = self.project.root / f"p{self.chance.randrange(PROGRAMS):02}" / "main.cpp"
        self.killed("server", given=b"".join(map(_framed, _conversation(name, self.project.root, self.chance))))
        return self.project.is_right()

    def at_once(self) -> bool:
        """Two or eight runs on one cache; half of the time some of them are ended."""
        expected = self.project.said("--no-cache")
        runs = [self.project.started("check", "-f", "json") for _ in range(self.chance.choice((2, 8)))]
        ended = self.chance.sample(runs, len(runs) // 2) if self.chance.random() < 0.5 else []
        time.sleep(self.chance.uniform(0, self.whole))
        for run in ended:
            self.counts["killed at work"] += run.kill()
            self.counts["kills"] += 1
        said = [run.said() for run in runs if run not in ended]
        return all(each == expected for each in said) and self.project.is_right()

    def full_disk(self) -> bool:
        """No file can have more than so many bytes; what cannot be written is as it was."""
        most = self.chance.randrange(1, 3000)

        def bounded() -> None:
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
            resource.setrlimit(resource.RLIMIT_FSIZE, (most, most))

        before = self.project.texts()
        self.project.started("check", "--fix", "--no-cache").said()
        after = self.project.texts()
        self._restore(before)
        action = self.chance.choice(
            (
                ["check", "-f", "concise", "--quiet"],
                ["check", "--fix", "--quiet"],
                ["baseline", "create"],
                ["check", "-f", "json", "-o", "report"],
            )
        )
        self.project.started(*action, before=bounded).said()
        report = self.project.root / "report"
        if report.exists():
            json.loads(report.read_bytes())
            report.unlink()
        now = self.project.texts()
        left = {name: text for name, text in now.items() if name != ".sycllint-baseline.json"}
        whole = all(text in (before[name], after[name]) for name, text in left.items()) and left.keys() == before.keys()
        made = self.project.root / ".sycllint-baseline.json"
        if made.exists():
            whole = whole and isinstance(json.loads(made.read_bytes()), dict)
            made.unlink()
        right = whole and self.project.is_right()
        self._restore(before)
        return right

    def no_cache_place(self) -> bool:
        """The cache is where nothing can be made, as on a disk that can only be read."""
        cache, self.project.cache = self.project.cache, Path("/proc/sycllint")
        try:
            return self.project.is_right()
        finally:
            self.project.cache = cache

    def foreign_cache(self) -> bool:
        """What another version left, under its name and under ours, and what is cut off.

        With a byte changed it may be another valid record, as anyone may make who writes there: then the run only ends.
        """
        self.project.said()
        flips = self.chance.random() < 0.3
        other = self.project.cache / "v1-00000000000000ff"
        files = [path for path in self.project.cache.rglob("*.json") if path.parent != other]
        for path in files:
            text = path.read_bytes()
            at = self.chance.randrange(len(text))
            if flips:
                path.write_bytes(text[:at] + bytes([self.chance.randrange(256)]) + text[at + 1 :])
            elif self.chance.random() < 0.5:
                path.write_bytes(text[:at])
            else:
                path.write_bytes(b'{"nodes": [[1, 2, 3]], "files": {"main.cpp": [0, ["another", "version"]]}}')
        for path in files[:2]:
            other.mkdir(exist_ok=True)
            shutil.copy(path, other / path.name)
        if not flips:
            return self.project.is_right()
        said = self.project.said()
        shutil.rmtree(self.project.cache)
        return isinstance(json.loads(said), dict) and self.project.is_right()

    def clock(self) -> bool:
        """The clock of a run is years before or after that of the next."""
        jump = self.chance.choice((-1, 1)) * self.chance.choice((3, 90_000, 86_400 * 40, 86_400 * 4000)) * 10**9
        real = time.time_ns

        def jumped() -> None:
            time.time_ns = lambda: real() + jump

        self.project.started("check", "-f", "json", before=jumped).said()
        self.project.change(self.chance)
        return self.project.is_right()

    def _restore(self, texts: Mapping[str, bytes]) -> None:
        for name, text in texts.items():
            (self.project.root / name).write_bytes(text)


def _load(folder: Path) -> None:
    """Have this process load what its copies need."""
    home = os.getcwd()
    os.chdir(folder)
    with redirect_stdout(StringIO()), redirect_stderr(StringIO()):
        for arguments in (["check", "-f", "json", "--no-cache"], ["check", "--diff", "--unsafe-fixes", "--no-cache"]):
            sycllint(arguments)
    os.chdir(home)


def _conversation(path: Path, root: Path, chance: random.Random) -> Sequence[object]:
    """What an editor says that opens a file and types in it."""
    uri, text = path.as_uri(), path.read_text()

    def message(method: str, parameters: object, **more: object) -> object:
        return {"jsonrpc": "2.0", "method": method, "params": parameters, **more}

    document = {"uri": uri, "languageId": "cpp", "version": 1, "text": text}
    edits = [
        message(
            "textDocument/didChange",
            {
                "textDocument": {"uri": uri, "version": number},
                "contentChanges": [{"text": text.replace("64000", str(64 * chance.randint(1, 999)))}],
            },
        )
        for number in range(2, 6)
    ]
    return [
        message("initialize", {"processId": None, "rootUri": root.as_uri(), "capabilities": {}}, id=1),
        message("initialized", {}),
        message("textDocument/didOpen", {"textDocument": document}),
        *edits,
    ]


def _framed(message: object) -> bytes:
    content = json.dumps(message).encode()
    return b"Content-Length: %d\r\n\r\n" % len(content) + content


WAYS = (
    *("cache", "cache", "fix", "fix", "baseline", "report", "server", "at_once"),
    *("full_disk", "no_cache_place", "foreign_cache", "clock"),
)


def main(argv: Sequence[str] | None = None) -> int:
    """Run the trials; 1 when anything was wrong."""
    parser = argparse.ArgumentParser(description="Whether files and caches outlive runs that end badly.")
    parser.add_argument("runs", nargs="?", type=int, default=50, help="kills (50)")
    parser.add_argument("--seed", type=int, default=6)
    parser.add_argument("--processes", action="store_true", help="start each run as a program of its own")
    options = parser.parse_args(argv)
    chance = random.Random(options.seed)
    wrong: Counter[str] = Counter()
    done: Counter[str] = Counter()
    with tempfile.TemporaryDirectory() as folder:
        trials = Trials(Project(Path(folder), processes=options.processes), chance)
        while trials.counts["kills"] < options.runs:
            trials.project.change(chance)
            way = chance.choice(WAYS)
            done[way] += 1
            if not getattr(trials, way)():
                wrong[way] += 1
                print(f"wrong after {way}, trial {done.total()}", flush=True)
        strays = len(list(Path(folder).rglob(".sycllint-*")))
    kills, at_work = trials.counts["kills"], trials.counts["killed at work"]
    print(f"{kills} runs killed, {at_work} of them at work; {strays} temporary files left")
    print(", ".join(f"{way} {count}: {wrong[way]} wrong" for way, count in sorted(done.items())))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
