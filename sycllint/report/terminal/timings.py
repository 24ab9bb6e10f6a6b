"""The time of a run by phase and by file, as a table for people."""

from sycllint.report.terminal.display import aligned, printable
from sycllint.stopwatch import Stopwatch

SLOWEST = 10
"""Files that are named."""

_REST = "everything else"


def table(timings: Stopwatch) -> str:
    """The phases, the dearest first and adding up to the whole, then the files that took longest, in wall time."""
    rest = timings.whole - sum(timings.phases.values())
    phases = sorted([*timings.phases.items(), (_REST, max(rest, 0.0))], key=lambda each: -each[1])
    files = sorted(timings.files.items(), key=lambda each: (-each[1], each[0]))[:SLOWEST]
    whole = timings.whole or 1.0
    lines = [f"{timings.whole:.2f} s in one process, without the cache"]
    lines += aligned([(f"{seconds:8.3f} s", f"{seconds / whole:4.0%}", name) for name, seconds in phases])
    if files:
        lines.append(f"the slowest of {len(timings.files)} files")
        lines += [f"{seconds:8.3f} s  {printable(path)}" for path, seconds in files]
    return "".join(f"{line}\n" for line in lines)
