"""sycllint's launches against launches that real programs were seen to make.

``python benchmarks/ground_truth.py LAUNCHES CORPUS...``: LAUNCHES is a JSON-lines file, one launch site per line with
``repo file line kind dims locals globals local_mem_bytes`` (ranges slowest dimension first, each list the distinct
values recorded); each CORPUS is a checkout of one of those repositories. ``--list wrong|missing|unknown`` names sites.
``--deep`` does it once more with libclang, and names the sites on which the two differ.
"""

import argparse
import json
import sys
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import assert_never

from sycllint.launch.kernel import KernelLaunch, Range
from sycllint.observation import LAUNCHES_ALONE
from sycllint.pipeline.project import Project
from sycllint.source.disk import Disk
from sycllint.source.text import SourceFile
from sycllint.values.value import Known, OneOf, Symbolic, Unknown, Value


class Verdict(StrEnum):
    """How what was worked out stands to what was seen, best first."""

    EXACT = "exact"
    """The same numbers, all known."""
    LISTED = "listed"
    """Every number seen is among the possible ones."""
    BOUNDED = "bounded"
    """Not a number, and no multiple or bound is contradicted; or some dimensions known and right."""
    UNKNOWN = "unknown"
    WRONG = "WRONG"
    """A number was seen that sycllint rules out."""


@dataclass(frozen=True, slots=True)
class Site:
    """One recorded launch site. Ranges are distinct tuples, slowest dimension first."""

    repo: str
    file: str
    line: int
    kinds: frozenset[str]
    dims: frozenset[int]
    locals: frozenset[tuple[int, ...]]
    globals: frozenset[tuple[int, ...]]
    local_memory: frozenset[int]
    """Bytes per work-group; empty when it was not recorded."""

    def __str__(self) -> str:
        return f"{self.repo.partition('/')[2]}/{self.file}:{self.line}"


@dataclass(frozen=True, slots=True)
class Outcome:
    """One site as sycllint sees it. A verdict is ``None`` where there is nothing to compare."""

    site: Site
    found: bool
    kind_right: bool = False
    dims_right: bool = False
    local: Verdict | None = None
    global_: Verdict | None = None
    local_memory: Verdict | None = None
    seen: str = ""
    """What sycllint says, for the lists."""


def recorded(path: Path) -> Iterator[Site]:
    """The sites of a JSON-lines file."""
    for line in path.read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        yield Site(
            repo=str(row["repo"]),
            file=str(row["file"]),
            line=int(row["line"]),
            kinds=frozenset(row["kind"]),
            dims=frozenset(row["dims"]),
            locals=frozenset(map(tuple, row["locals"])),
            globals=frozenset(map(tuple, row["globals"])),
            local_memory=frozenset(row["local_mem_bytes"]),
        )


def admits(value: Value, number: int) -> Verdict:
    """What ``value`` says of a run in which the number was ``number``."""
    match value:
        case Known(value=only):
            return Verdict.EXACT if only == number else Verdict.WRONG
        case OneOf(values=values, open=more):
            if any(each.value == number for each in values):
                return Verdict.LISTED
            return Verdict.BOUNDED if more else Verdict.WRONG
        case Symbolic(multiple_of=factor, minimum=least, maximum=most):
            fits = number % factor == 0 if factor else number == 0
            inside = (least is None or least <= number) and (most is None or number <= most)
            return Verdict.BOUNDED if fits and inside else Verdict.WRONG
        case Unknown():
            return Verdict.UNKNOWN
        case _:
            assert_never(value)


def worst(verdicts: Iterable[Verdict]) -> Verdict:
    """The weakest of ``verdicts``."""
    order = list(Verdict)
    return max(verdicts, key=order.index)


def admits_extents(extents: Sequence[Value], seen: Sequence[int]) -> Verdict:
    """What a range says of a recorded range: contradicted by any dimension, as good as its weakest otherwise."""
    if len(extents) != len(seen):
        return Verdict.WRONG
    each = [admits(value, number) for value, number in zip(extents, seen, strict=True)]
    weakest = worst(each)
    partly = weakest is Verdict.UNKNOWN and any(verdict is not Verdict.UNKNOWN for verdict in each)
    return Verdict.BOUNDED if partly else weakest


def compare(alternatives: Sequence[Sequence[Value] | None], seen: frozenset[tuple[int, ...]]) -> Verdict | None:
    """Hold the union of ``alternatives`` (one per context of the launch) against all that was ``seen`` at the site."""
    if not seen:
        return None
    ranges = [extents for extents in alternatives if extents is not None]
    if not ranges:
        return Verdict.UNKNOWN
    order = list(Verdict)
    per_run = [min((admits_extents(extents, run) for extents in ranges), key=order.index) for run in seen]
    verdict = worst(per_run)
    more_than_seen = len({tuple(map(repr, extents)) for extents in ranges}) > len(seen)
    return Verdict.LISTED if verdict is Verdict.EXACT and more_than_seen else verdict


def extents_of(index_space: Range | None) -> tuple[Value, ...] | None:
    """The extents, where there is a range at all."""
    return None if index_space is None else index_space.extents


def said(launches: Sequence[KernelLaunch]) -> str:
    """What sycllint holds of a site, in one line."""
    return "; ".join(
        f"{launch.kind} local={spelled(extents_of(launch.local_range))} "
        f"global={spelled(extents_of(launch.global_range))} local memory={spelled((launch.local_memory.total,))}"
        for launch in launches
    )


def spelled(values: Sequence[Value] | None) -> str:
    """Values as a person writes them."""
    if values is None:
        return "-"
    return "x".join(map(spelled_one, values))


def spelled_one(value: Value) -> str:
    """One value as a person writes it."""
    match value:
        case Known(value=number):
            return str(number)
        case OneOf(values=values, open=more):
            return "{" + "|".join(str(each.value) for each in values) + ("|…" if more else "") + "}"
        case Symbolic(text=text, multiple_of=factor):
            return f"({text}: multiple of {factor})"
        case Unknown(reason=reason):
            return f"?[{reason}]"
        case _:
            assert_never(value)


def judge(site: Site, launches: Sequence[KernelLaunch]) -> Outcome:
    """Compare one recorded site with the launches sycllint reports on its line."""
    if not launches:
        return Outcome(site, found=False)
    kinds = {launch.kind.value for launch in launches}
    dims = {launch.dims for launch in launches}
    return Outcome(
        site,
        found=True,
        kind_right=kinds == site.kinds,
        dims_right=dims == site.dims,
        local=compare([extents_of(launch.local_range) for launch in launches], site.locals),
        global_=compare([extents_of(launch.global_range) for launch in launches], site.globals),
        local_memory=compare(
            [(launch.local_memory.total,) for launch in launches], frozenset((size,) for size in site.local_memory)
        ),
        seen=said(launches),
    )


PROJECT = Project({})
"""Units and facts shared by all files of one run."""
SHOWN_ABSENT = 3
"""Sites in missing files that are named; the others are counted."""


def launches_by_line(path: Path, project: Project = PROJECT) -> dict[int, list[KernelLaunch]]:
    """The launches of one file, keyed by the line of their call's name."""
    source = SourceFile(str(path), path.read_bytes())
    lines: dict[int, list[KernelLaunch]] = defaultdict(list)
    for launch in project.analyze(source, LAUNCHES_ALONE).launches:
        lines[source.position(launch.location.span.start).line].append(launch)
    return lines


def outcomes(
    sites: Iterable[Site], corpora: Sequence[Path], project: Project = PROJECT
) -> tuple[list[Outcome], list[Site]]:
    """Every site judged, and the sites whose file no corpus holds."""
    by_file: dict[str, list[Site]] = defaultdict(list)
    for site in sites:
        by_file[site.file].append(site)
    judged: list[Outcome] = []
    absent: list[Site] = []
    for file, group in by_file.items():
        path = next((corpus / file for corpus in corpora if (corpus / file).is_file()), None)
        if path is None:
            absent += group
            continue
        lines = launches_by_line(path, project)
        judged += [judge(site, lines.get(site.line, [])) for site in group]
    return judged, absent


def share(part: int, whole: int) -> str:
    """``part`` of ``whole`` with its percentage."""
    return f"{part}/{whole} ({part / whole:.1%})" if whole else "-"


def has_one_amount(site: Site) -> bool:
    """Whether each run of a site took the same local memory, and took some."""
    return len(site.local_memory) == 1 and min(site.local_memory) > 0


def print_repo(repo: str, results: Sequence[Outcome]) -> None:
    """The table of one repository."""
    found = [each for each in results if each.found]
    print(f"\n{repo}: {len(results)} sites")
    print(f"  found at the line    {share(len(found), len(results))}")
    print(f"  right kind           {share(sum(each.kind_right for each in found), len(found))}")
    print(f"  right dimensions     {share(sum(each.dims_right for each in found), len(found))}")
    all_right = sum(each.kind_right and each.dims_right for each in found)
    print(f"  all three            {share(all_right, len(results))}")
    columns = list(Verdict)
    print(f"  {'':20}" + "".join(f"{column:>9}" for column in columns))
    rows = {
        "local range": [each.local for each in found],
        "  one range seen": [each.local for each in found if len(each.site.locals) == 1],
        "global range": [each.global_ for each in found],
        "local memory": [each.local_memory for each in found],
        "  one amount above 0": [each.local_memory for each in found if has_one_amount(each.site)],
    }
    for name, verdicts in rows.items():
        counts = Counter(verdict for verdict in verdicts if verdict is not None)
        print(f"  {name:20}" + "".join(f"{counts[column]:9}" for column in columns))
    amounts = [each for each in results if has_one_amount(each.site)]
    exact = sum(each.local_memory is Verdict.EXACT for each in amounts)
    print(f"  one amount of local memory above 0, exact: {share(exact, len(amounts))}")


def deep_project(headers: str | None) -> Project:
    """Units and facts of a run with libclang."""
    from sycllint.config import Deep
    from sycllint.pipeline.front_end import FrontEnd

    disk = Disk()
    return Project({}, disk=disk, front_end=FrontEnd(Deep("on", headers=headers), disk))


def print_differences(fast: Sequence[Outcome], deep: Sequence[Outcome]) -> int:
    """The sites on which the tiers differ, with what the deep one says; how many got worse."""
    order = list(Verdict)
    worse = better = 0
    for before, after in zip(fast, deep, strict=True):
        for name in ("local", "global_", "local_memory"):
            old, new = getattr(before, name), getattr(after, name)
            if old == new:
                continue
            lost = old is not None and (new is None or order.index(new) > order.index(old))
            worse, better = worse + lost, better + (not lost)
            print(f"{'WORSE' if lost else 'better'}: {after.site}: {name.strip('_')} {old} -> {new}: {after.seen}")
    print(f"--deep: {better} numbers better, {worse} worse")
    return worse


def print_list(which: str, results: Sequence[Outcome]) -> None:
    """The sites of one class, with what was seen and what sycllint says."""
    for each in results:
        site = each.site
        verdicts = {"local": each.local, "global": each.global_, "local memory": each.local_memory}
        if which == "missing" and not (each.found and each.kind_right and each.dims_right):
            fault = "not found" if not each.found else "kind or dimensions"
            print(f"{site}: {fault}; seen {sorted(site.kinds)} dims {sorted(site.dims)}; sycllint: {each.seen or '-'}")
        elif which == "wrong" and (faults := [name for name, verdict in verdicts.items() if verdict is Verdict.WRONG]):
            print(
                f"{site}: {', '.join(faults)}; seen local {sorted(site.locals)} global {sorted(site.globals)} "
                f"local memory {sorted(site.local_memory)}; sycllint: {each.seen}"
            )
        elif which == "unknown" and each.local in {Verdict.UNKNOWN, Verdict.BOUNDED}:
            print(f"{site}: seen local {sorted(site.locals)}; sycllint: {each.seen}")


def main() -> int:
    """Print a table per repository; 1 when any number is wrong, 2 when there is nothing to compare."""
    parser = argparse.ArgumentParser(description="sycllint's launches against recorded ones.")
    parser.add_argument("launches", type=Path)
    parser.add_argument("corpus", type=Path, nargs="+")
    parser.add_argument("--list", choices=["wrong", "missing", "unknown"])
    parser.add_argument("--deep", action="store_true", help="and once more with libclang")
    parser.add_argument("--headers", help="the folder with sycl/sycl.hpp, for --deep")
    arguments = parser.parse_args()
    results, absent = outcomes(recorded(arguments.launches), arguments.corpus)
    worse = 0
    if arguments.deep:
        deep, _ = outcomes(recorded(arguments.launches), arguments.corpus, deep_project(arguments.headers))
        worse = print_differences(results, deep)
        results = deep
    if not results:
        print("no recorded file is in the corpus: pass the checkouts that the records refer to", file=sys.stderr)
        return 2
    if arguments.list:
        print_list(arguments.list, results)
    for repo in sorted({each.site.repo for each in results}):
        print_repo(repo, [each for each in results if each.site.repo == repo])
    if absent:
        named = [*map(str, absent[:SHOWN_ABSENT]), *["…"] * (len(absent) > SHOWN_ABSENT)]
        print(f"\n{len(absent)} sites in files that the corpus does not hold: {', '.join(named)}")
    return int(worse > 0 or any(Verdict.WRONG in {each.local, each.global_, each.local_memory} for each in results))


if __name__ == "__main__":
    sys.exit(main())
