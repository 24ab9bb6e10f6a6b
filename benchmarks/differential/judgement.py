"""How what sycllint says of programs compares with what happened when they ran.

A finding is *false* when what its rule reports happened in no run of the program. What happened in all runs of a
program is *true*, and *noticed* when a finding of its rules is on a line of the program. What happened in some of its
runs only, as an index out of range for some sizes, is neither: sycllint may report it or not.

Left out, because one execution does not show it: notes; SYC403 of an index that grows with the work-group id and stays
in range, a mistake without an effect; and races of a kernel whose barriers diverge, as the intervals between barriers
are then no longer the same for all work-items.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from benchmarks.differential.execution import Execution

TARGETS = ("pvc",)
WITHOUT_EFFECT = "grows with the work-group id, up to element"


class Defect(NamedTuple):
    """What can happen in a run, and the rules that report it."""

    fact: str
    """A name of ``mock/trace.cpp``."""
    rules: frozenset[str]
    unless: str = ""
    """A fact that makes the run no evidence."""


_RACES = frozenset({"SYC306", "SYC503", "SYC504", "SYC506"})
DEFECTS = (
    Defect("local-race", _RACES, unless="divergent-barrier"),
    Defect("local-index", frozenset({"SYC403"})),
    Defect("divergent-barrier", frozenset({"SYC501", "SYC502", "SYC509"})),
    Defect("global-race", _RACES | {"SYC511", "SYC513"}, unless="divergent-barrier"),
    Defect("global-index", frozenset({"SYC802", "SYC807", "SYC808"})),
    Defect("early-host-access", frozenset({"SYC1102"})),
    Defect("unordered-commands", frozenset({"SYC1103"})),
    Defect("device-memory-on-host", frozenset({"SYC1104"})),
    Defect("early-free", frozenset({"SYC1106"})),
    Defect("memory-out-of-scope", frozenset({"SYC1111"})),
)


@dataclass(slots=True)
class Judgement:
    """How the findings on some programs compare with their runs."""

    true: Counter[str] = field(default_factory=Counter)
    noticed: Counter[str] = field(default_factory=Counter)
    false: list[str] = field(default_factory=list)
    missed: list[str] = field(default_factory=list)


class Said(NamedTuple):
    """One error or warning."""

    line: int
    code: str
    text: str


def findings(file: Path) -> list[Said]:
    """The errors and warnings about one file."""
    from sycllint.config import Config
    from sycllint.diagnostic import Severity
    from sycllint.pipeline import check

    content = file.read_bytes()
    return [
        Said(content.count(b"\n", 0, each.location.span.start) + 1, each.code, f"{each.severity.label}: {each.message}")
        for each in check([file.as_posix()], Config(targets=TARGETS), raise_rule_errors=True).diagnostics
        if each.severity is not Severity.NOTE and WITHOUT_EFFECT not in each.message
    ]


def judge_defects(file: Path, lines: Sequence[range], execution: Execution) -> Judgement:
    """Each defect in each program; ``lines``: where each program is in the file."""
    found = Judgement()
    said = findings(file)
    for program, runs in execution.runs.items():
        here = [each for each in said if each.line in lines[program]]
        judged = [each for each in DEFECTS if not any(each.unless in run for run in runs)]
        for defect in judged:
            if all(defect.fact in run for run in runs):
                is_noticed = any(each.code in defect.rules for each in here)
                found.true[defect.fact] += 1
                found.noticed[defect.fact] += is_noticed
                found.missed += [f"program{program}: missed {defect.fact}"] * (not is_noticed)
        for each in here:
            facts = {defect.fact for defect in judged if each.code in defect.rules}
            if facts and not any(facts & run for run in runs):
                found.false.append(f"program{program}, line {each.line}: false {each.code} {each.text}")
    return found


def judge_sizes(file: Path, lines: Sequence[range], execution: Execution) -> Judgement:
    """The sizes of each launch that was made: noticed where they are the only possible ones, false where ruled out."""
    from benchmarks.ground_truth import Verdict, compare, extents_of, launches_by_line, said

    found = Judgement()
    launches = launches_by_line(file)
    for line in sorted({each.line for each in execution.launches}):
        made = [each for each in execution.launches if each.line == line]
        [program] = [number for number, place in enumerate(lines) if line in place]
        here = launches[line]
        for what, ranges, sizes in (
            ("global-range", [extents_of(each.global_range) for each in here], {each.global_ for each in made}),
            ("local-range", [extents_of(each.local_range) for each in here], {each.local for each in made} - {()}),
        ):
            verdict = compare(ranges, frozenset(sizes))
            if verdict is None:
                continue
            found.true[what] += 1
            found.noticed[what] += verdict is Verdict.EXACT
            place = f"program{program}, line {line}: {verdict} {what} {sorted(sizes)}, sycllint: {said(here)}"
            if verdict is Verdict.WRONG:
                found.false.append(place)
            elif verdict is not Verdict.EXACT:
                found.missed.append(place)
    return found
