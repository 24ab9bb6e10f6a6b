"""How long an edit takes until its diagnostics are there, and how much memory a folder takes.

    python -m benchmarks.server latency FILE ... --edits 100
    python -m benchmarks.server memory FOLDER --open 40

Both use a real ``sycllint server`` through its pipes. An edit is a key: it is timed from the moment it is sent to
the moment the diagnostics of its version are read. Between two edits there is a pause, as between a typist's thoughts.
Beside that stands the processor time of the server, which other work on the machine does not lengthen as much.
"""

import argparse
import json
import os
import random
import re
import subprocess
import sys
import time
from pathlib import Path
from statistics import median
from typing import Any

from sycllint.source.files import EXTENSIONS

PAUSE = 0.05
"""Seconds between an answer and the next edit."""


class Client:
    """As little of an editor as will do."""

    def __init__(self, folder: Path, *arguments: str) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-m", "sycllint", "server", *arguments],
            cwd=folder,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
        )
        self._number = 0
        self.request("initialize", {"processId": None, "rootUri": folder.as_uri(), "capabilities": {}})
        self.notify("initialized", {})

    def notify(self, method: str, params: object) -> None:
        """Send a notification."""
        self._send({"jsonrpc": "2.0", "method": method, "params": params})

    def request(self, method: str, params: object) -> Any:
        """Send a request; the answer."""
        self._number += 1
        self._send({"jsonrpc": "2.0", "id": self._number, "method": method, "params": params})
        while True:
            message = self.read()
            if message.get("id") == self._number and "method" not in message:
                return message.get("result")

    def published(self, uri: str, version: int) -> list[Any]:
        """Wait for the diagnostics of one version of one file."""
        while True:
            message = self.read()
            params = message.get("params", {})
            named = message.get("method") == "textDocument/publishDiagnostics" and params["uri"] == uri
            if named and params.get("version") == version:
                found: list[Any] = params["diagnostics"]
                return found

    def read(self) -> Any:
        """The next message."""
        assert self.process.stdout is not None
        length = 0
        while (line := self.process.stdout.readline()) != b"\r\n":
            if not line:
                raise EOFError("the server ended")
            name, _, value = line.partition(b":")
            if name.lower() == b"content-length":
                length = int(value)
        return json.loads(self.process.stdout.read(length))

    def open(self, path: Path) -> str:
        """Open a file; its text."""
        text = path.read_bytes().decode(errors="replace")
        item = {"uri": path.as_uri(), "languageId": "cpp", "version": 1, "text": text}
        self.notify("textDocument/didOpen", {"textDocument": item})
        return text

    def change(self, path: Path, version: int, text: str) -> None:
        """Put a new text in place of an open one."""
        document = {"uri": path.as_uri(), "version": version}
        self.notify("textDocument/didChange", {"textDocument": document, "contentChanges": [{"text": text}]})

    def memory(self) -> tuple[float, float]:
        """Megabytes resident now, and at most."""
        status = Path(f"/proc/{self.process.pid}/status").read_text()
        now, most = (re.search(rf"{name}:\s+(\d+)", status) for name in ("VmRSS", "VmHWM"))
        return (int(now[1]) / 1024 if now else 0.0, int(most[1]) / 1024 if most else 0.0)

    def seconds(self) -> float:
        """Processor time that the server has taken."""
        fields = Path(f"/proc/{self.process.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def stop(self) -> None:
        """Say goodbye."""
        self.request("shutdown", None)
        self.notify("exit", None)
        self.process.wait()

    def _send(self, message: object) -> None:
        content = json.dumps(message).encode()
        assert self.process.stdin is not None
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n%b" % (len(content), content))
        self.process.stdin.flush()


def latency(path: Path, edits: int, chance: random.Random) -> tuple[list[float], list[float]]:
    """Milliseconds of each of so many edits of a file, ascending: those that passed, and those of the processor."""
    client = Client(path.parent, "--no-cache")
    text = client.open(path)
    client.published(path.as_uri(), 1)
    client.request("textDocument/codeLens", {"textDocument": {"uri": path.as_uri()}})
    taken, processor = [], []
    for version in range(2, edits + 2):
        text = typed(text, chance)
        start, busy = time.perf_counter(), client.seconds()
        client.change(path, version, text)
        client.published(path.as_uri(), version)
        taken.append(1000 * (time.perf_counter() - start))
        processor.append(1000 * (client.seconds() - busy))
        time.sleep(PAUSE)
    client.stop()
    return sorted(taken), sorted(processor)


def typed(text: str, chance: random.Random) -> str:
    """``text`` after one key: a digit, a letter of a name, a space or a new line, anywhere in it."""
    numbers = list(re.finditer(r"\b\d+\b", text))
    at = chance.randrange(len(text) + 1)
    match chance.randrange(4):
        case 0 if numbers:
            number = chance.choice(numbers)
            return text[: number.end()] + chance.choice("0248") + text[number.end() :]
        case 1:
            line = text.find("\n", at) + 1
            return text[:line] + "\n" + text[line:]
        case 2:
            return text[:at] + " " + text[at:]
    names = list(re.finditer(r"\b[a-z]\w*\b", text))
    name = chance.choice(names)
    return text[: name.end()] + "x" + text[name.end() :]


def memory(folder: Path, count: int, chance: random.Random) -> tuple[float, float, int]:
    """Megabytes at the end and at most, with so many files of a folder open, each edited five times."""
    sources = sorted(each for each in folder.rglob("*") if each.name.lower().endswith(EXTENSIONS))
    client = Client(folder, "--no-cache")
    chosen = chance.sample(sources, min(count, len(sources)))
    for path in chosen:
        text = client.open(path)
        client.published(path.as_uri(), 1)
        for version in range(2, 7):
            text = typed(text, chance)
            client.change(path, version, text)
            client.published(path.as_uri(), version)
    client.request("textDocument/codeLens", {"textDocument": {"uri": chosen[-1].as_uri()}})
    now, most = client.memory()
    client.stop()
    return now, most, len(chosen)


def main() -> int:
    """Measure, and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=("latency", "memory"))
    parser.add_argument("paths", nargs="+", type=Path)
    parser.add_argument("--edits", type=int, default=100)
    parser.add_argument("--open", type=int, default=40)
    arguments = parser.parse_args()
    chance = random.Random(1)
    for path in map(Path.resolve, arguments.paths):
        if arguments.what == "memory":
            now, most, count = memory(path, arguments.open, chance)
            print(f"{now:.0f} MB, at most {most:.0f} MB, with {count} files of {path} open")
            continue
        lines = path.read_bytes().count(b"\n")
        figures = "; ".join(
            f"{name}: median {median(each):.0f} ms, p95 {each[int(0.95 * len(each))]:.0f} ms"
            for name, each in zip(("passed", "processor"), latency(path, arguments.edits, chance), strict=True)
        )
        print(f"{figures}: {path} ({lines} lines)")
    return 0


if __name__ == "__main__":
    sys.exit(main())
