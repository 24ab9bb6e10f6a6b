"""Random edits of open documents, each compared with a fresh ``sycllint check`` of the same texts.

    python -m benchmarks.edits FOLDER --edits 2000 --seed 1

``FOLDER`` is copied twice. In one copy an editor's session edits texts, saves, opens, closes and changes settings; in
the other every text is saved as it is, and ``check`` starts from nothing. Both have to find the same.
"""

import argparse
import os
import random
import re
import shutil
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from time import perf_counter

from sycllint.config import load_all
from sycllint.diagnostic import Diagnostic
from sycllint.pipeline import Filters, check
from sycllint.pipeline.baselines import Baselines
from sycllint.pipeline.cache import Cache
from sycllint.server.documents import Document, Documents
from sycllint.server.session import Session, Setup
from sycllint.source.files import EXTENSIONS

SETTINGS = ('targets = ["tgl"]\n', 'targets = ["pvc", "sm_90"]\n', 'targets = ["tgl"]\nignore = ["SYC1"]\n', "")
SNIPPETS = (
    "constexpr int kExtra = 4;\n",
    "// sycllint: ignore[SYC101] generated\n",
    "#include <sycl/sycl.hpp>\n",
    "#define kGroup 2048\n",
    "#if 0\n",
    "#endif\n",
    "}\n",
    "q.wait();\n",
    "sycl::group_barrier(item.get_group());\n",
    "void more(sycl::queue &q, int *p) { q.parallel_for(sycl::nd_range<1>(1 << 20, 999), [=](auto) { *p = 0; }); }\n",
    "/* é 𝄞 */ int x = 0;\n",
)
_NUMBER = re.compile(r"\b\d+\b")
_OPEN = 4
"""Documents that are open at once."""


@dataclass
class Tally:
    """The result of the edits."""

    edits: int = 0
    wrong: list[str] = field(default_factory=list)
    """What was done when the answers differed, and how they did."""
    seconds: list[float] = field(default_factory=list)
    """Of each look."""
    findings: int = 0


def play(folder: Path, edits: int, seed: int) -> Tally:
    """Edit a copy of ``folder`` at random."""
    tally = Tally()
    with tempfile.TemporaryDirectory() as place, _inside(place):
        editor, saved = Path(place, "editor"), Path(place, "saved")
        for each in (editor, saved):
            shutil.copytree(folder, each)
            (each / ".git").mkdir(exist_ok=True)  # the search for settings ends here
        _Game(editor, saved, random.Random(seed), tally).play(edits)
    return tally


class _Game:
    def __init__(self, editor: Path, saved: Path, chance: random.Random, tally: Tally) -> None:
        self.editor = editor
        self.saved = saved
        self.chance = chance
        self.tally = tally
        self.names = sorted(
            str(each.relative_to(editor)) for each in editor.rglob("*") if each.name.lower().endswith(EXTENSIONS)
        )
        self.session = Session(self._setup)
        self.documents = Documents()

    def play(self, edits: int) -> None:
        while self.tally.edits < edits:
            done = self._step()
            os.chdir(self.editor)
            start = perf_counter()
            snapshot = self.session.look(self.documents)
            self.tally.seconds.append(perf_counter() - start)
            found = sorted(each for of_file in snapshot.diagnostics.values() for each in map(repr, of_file))
            expected = self._fresh()
            self.tally.edits += 1
            self.tally.findings += len(expected)
            if found != expected:
                missing, extra = set(expected) - set(found), set(found) - set(expected)
                self.tally.wrong.append(f"edit {self.tally.edits}, {done}: missing {missing}, extra {extra}")

    def _fresh(self) -> list[str]:
        os.chdir(self.saved)
        for document in self.documents:
            name = os.path.relpath(document.path, self.editor)
            Path(name).write_bytes(document.content)
        paths = sorted(os.path.relpath(each.path, self.editor) for each in self.documents)
        found: Sequence[Diagnostic] = ()
        if paths:
            found = check(paths, load_all(paths), filters=Filters(Baselines())).diagnostics
        return sorted(map(repr, found))

    def _setup(self, paths: Sequence[str]) -> Setup:
        configs = load_all(paths)
        return Setup(configs, Filters(Baselines()), Cache(str(self.editor / ".sycllint_cache")))

    # ------------------------------------------------------------------ steps

    def _step(self) -> str:
        opened = list(self.documents)
        draw = self.chance.random()
        if len(opened) < 2 or (draw < 0.05 and len(opened) < _OPEN):
            return self._open()
        document = self.chance.choice(opened)
        name = os.path.relpath(document.path, self.editor)
        if draw < 0.08 and len(opened) > 2:
            self._save(document)
            self.documents = self.documents.without(document.path)
            return f"close {name}"
        if draw < 0.15:
            self._save(document)
            self.documents = self.documents.again()
            return f"save {name}"
        if draw < 0.18:
            text = self.chance.choice(SETTINGS)
            for folder in (self.editor, self.saved):
                (folder / "sycllint.toml").write_text(text)
            self.documents = self.documents.again()
            return "change the settings"
        if draw < 0.20:
            original = (self.editor / name).read_bytes()
            self._edit(document, original)
            return f"revert {name}"
        text, done = self._edited(document.content.decode(errors="replace"))
        self._edit(document, text.encode())
        return f"{done} in {name}"

    def _open(self) -> str:
        closed = [each for each in self.names if str(self.editor / each) not in self.documents.open]
        name = self.chance.choice(closed)
        path = self.editor / name
        self.documents = self.documents.with_(Document(str(path), path.as_uri(), 1, path.read_bytes()))
        return f"open {name}"

    def _save(self, document: Document) -> None:
        Path(document.path).write_bytes(document.content)

    def _edit(self, document: Document, content: bytes) -> None:
        self.documents = self.documents.with_(document._replace(content=content))

    def _edited(self, text: str) -> tuple[str, str]:
        lines = text.splitlines(keepends=True) or ["\n"]
        at = self.chance.randrange(len(lines))
        match self.chance.randrange(7):
            case 0:
                del lines[at]
                return "".join(lines), "delete a line"
            case 1:
                lines.insert(at, self.chance.choice(SNIPPETS))
                return "".join(lines), "insert a snippet"
            case 2:
                lines.insert(at, lines[self.chance.randrange(len(lines))])
                return "".join(lines), "copy a line"
            case 3 | 4:
                numbers = list(_NUMBER.finditer(text))
                if numbers:
                    chosen = self.chance.choice(numbers)
                    number = str(self.chance.choice((0, 1, 3, 16, 64, 128, 250, 256, 512, 640, 1024, 4096)))
                    return text[: chosen.start()] + number + text[chosen.end() :], "change a number"
            case 5:
                first = self.chance.randrange(len(text) + 1)
                return text[:first] + text[first + self.chance.randrange(1, 12) :], "delete characters"
        first = self.chance.randrange(len(text) + 1)
        typed = self.chance.choice(("(", ")", "{", "}", ";", " ", "\n", "x", "//", "/*", '"', "<", "::"))
        return text[:first] + typed + text[first:], "type"


@contextmanager
def _inside(folder: str) -> Iterator[None]:
    before = os.getcwd()
    os.chdir(folder)
    try:
        yield
    finally:
        os.chdir(before)


def main() -> int:
    """Play the edits, and print the result; 1 when an answer was wrong."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--edits", type=int, default=500)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    tally = play(arguments.folder.resolve(), arguments.edits, arguments.seed)
    slowest = sorted(tally.seconds)
    p95 = slowest[int(0.95 * len(slowest))]
    print(
        f"{tally.edits} edits, {tally.findings} findings, {len(tally.wrong)} wrong; p95 of a look {1000 * p95:.0f} ms"
    )
    for each in tally.wrong[:5]:
        print(each)
    return 1 if tally.wrong else 0


if __name__ == "__main__":
    sys.exit(main())
