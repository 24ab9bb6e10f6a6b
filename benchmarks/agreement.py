"""Numbers that sycllint works out by itself against those that clang folds at the same places.

``python -m benchmarks.agreement [--headers DIR] FILE...``: every expression and every type whose number or size comes
up while files are analysed without clang, and every private array of a kernel, is put to clang as well. Where both know
it and differ, one of them is wrong; 1 when there is such a place.
"""

import argparse
import os
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from benchmarks.ground_truth import Verdict, admits, spelled_one
from sycllint.config import Deep
from sycllint.cpp.expression import Character, Expr, Name, Number
from sycllint.cpp.node import walk
from sycllint.launch.kernel import KernelLaunch
from sycllint.observation import EVERYTHING
from sycllint.pipeline.front_end import FrontEnd
from sycllint.pipeline.project import Project
from sycllint.pipeline.units import Compilation
from sycllint.semantics.unit import ParsedUnit
from sycllint.source.disk import Disk
from sycllint.source.text import SourceFile
from sycllint.symbols.unit import Unit
from sycllint.values.arithmetic import Scalar
from sycllint.values.deep import DeepEvaluator, DeepOracle
from sycllint.values.evaluate import Evaluator
from sycllint.values.objects import Point, Result
from sycllint.values.sizes import Layout, Sizes
from sycllint.values.value import Unknown, Value


@dataclass
class Agreement:
    """What was compared, each place once for each way to it."""

    agreeing: dict[str, int] = field(default_factory=dict)
    """How many, by what they are."""
    differing: dict[tuple[object, ...], str] = field(default_factory=dict)
    """In words, by place."""
    _seen: set[tuple[object, ...]] = field(default_factory=set)

    def compare(self, what: str, place: tuple[object, ...], said: Value, number: int) -> None:
        """Note that sycllint says ``said`` where clang says ``number``."""
        if isinstance(said, Unknown) or (what, *place) in self._seen:
            return
        self._seen.add((what, *place))
        if admits(said, number) is Verdict.WRONG:
            self.differing[what, *place] = f"{what} {spelled_one(said)}, {number} says clang"
        else:
            self.agreeing[what] = self.agreeing.get(what, 0) + 1


class ComparingEvaluator(DeepEvaluator):
    """What the evaluator knows by itself, held against the front end."""

    def __init__(self, unit: Unit, defines: Mapping[str, str], asked: DeepOracle, agreement: Agreement) -> None:
        super().__init__(unit, defines, asked)
        self._asked = asked
        self._agreement = agreement
        self.sizes = _ComparingSizes(self, agreement)

    def _evaluate(self, expression: Expr, point: Point) -> Result:
        result = Evaluator._evaluate(self, expression, point)
        if self._asked.settings_known and self._is_asked(expression) and isinstance(result, Scalar):
            found = self.folded(expression, point.place)
            if found is not None:
                number = int(bool(found.value)) if found.bits == 1 else found.value
                place = (self.path(point.place), expression.start, expression.end, self.way(point.place))
                self._agreement.compare("value", place, result.value, number)
        return result

    def _is_asked(self, expression: Expr) -> bool:
        """Whether clang can evaluate it by itself: the parts of a macro all stand where the macro is named."""
        if isinstance(expression, Number | Character):
            return False
        return not any(isinstance(each, Name) and each.text in self.facts.macros for each in walk(expression))


class _ComparingSizes(Sizes):
    def __init__(self, evaluator: ComparingEvaluator, agreement: Agreement) -> None:
        super().__init__(evaluator, evaluator.macros)
        self._deep = evaluator
        self._agreement = agreement

    def _of_name(self, name: Name, point: Point) -> Layout:
        layout = super()._of_name(name, point)
        found = self._deep.layout_of(name, point.place)
        if found is not None:
            place = (self._deep.path(point.place), name.start, name.end, self._deep.way(point.place))
            self._agreement.compare("size", place, layout.size, found[0])
        return layout


class ComparingProject(Project):
    """Units whose numbers are compared."""

    def __init__(self, front_end: FrontEnd, disk: Disk, agreement: Agreement) -> None:
        super().__init__({}, disk=disk)
        self._clang = front_end
        self._agreement = agreement
        self.parsed: Callable[[], ParsedUnit | None] = lambda: None
        """The unit that was made last."""

    def _evaluator(self, root: str, unit: Unit, compiled: Compilation) -> Evaluator:
        asked = self._clang.asked(unit, root, compiled.defines, compiled.searched, lambda: self._is_settled(unit))
        if asked is None:
            return Evaluator(unit, compiled.defines)
        self.parsed = asked.parsed
        return ComparingEvaluator(unit, compiled.defines, asked, self._agreement)


def compared(files: Sequence[Path], headers: str | None) -> tuple[Agreement, list[str]]:
    """What both say of the launches of ``files``; why clang was of no use for some."""
    disk, agreement = Disk(), Agreement()
    front_end = FrontEnd(Deep("on", headers=headers), disk)
    notices: list[str] = []
    project = ComparingProject(front_end, disk, agreement)
    for file in files:
        path = os.path.relpath(file)
        analysis = project.analyze(SourceFile(path, file.read_bytes()), EVERYTHING)
        notices += front_end.notices(os.path.normpath(path))
        for launch in analysis.launches:
            _compare_arrays(launch, project.parsed(), agreement)
    return agreement, notices


def _compare_arrays(launch: KernelLaunch, unit: ParsedUnit | None, agreement: Agreement) -> None:
    for array in launch.private_memory.arrays:
        place = (array.location.path, array.location.span.start)
        found = unit.size_of_variable(*place) if unit is not None else None
        if found is not None:
            agreement.compare("array", place, array.bytes, found)


def lines(agreement: Agreement) -> Iterator[str]:
    """Each difference with its place."""
    for (_, path, start, *_), text in sorted(agreement.differing.items(), key=lambda each: each[0][1:3]):
        before = Path(str(path)).read_bytes()[: int(str(start))]
        yield f"{path}:{len(before.splitlines())}: {text}"


def main() -> int:
    """Print what differs."""
    parser = argparse.ArgumentParser(description="sycllint's numbers against clang's.")
    parser.add_argument("files", nargs="+", type=Path)
    parser.add_argument("--headers", help="the folder with sycl/sycl.hpp")
    arguments = parser.parse_args()
    agreement, notices = compared(arguments.files, arguments.headers)
    for line in (*notices, *lines(agreement)):
        print(line)
    counts = ", ".join(f"{count} {what}s" for what, count in sorted(agreement.agreeing.items()))
    print(f"{len(arguments.files)} files: {counts or 'nothing'} agree, {len(agreement.differing)} differ")
    return 1 if agreement.differing else 0


if __name__ == "__main__":
    sys.exit(main())
