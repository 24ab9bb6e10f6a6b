"""The last lines of a run: what was not seen, how much was found, and what was assumed."""

from collections import Counter
from collections.abc import Iterator, Sequence

from sycllint.diagnostic import Severity
from sycllint.pipeline import Result
from sycllint.pipeline.unnamed import UNNAMED
from sycllint.report.terminal.display import printable
from sycllint.report.terminal.style import Ink, Style

NOTICES_SHOWN = 10


def summary(result: "Result") -> str:
    """One sentence: files, findings by severity, whether no target was named, and whether the run is complete."""
    part = f"shard {result.shard}: " if result.shard else ""
    parts = [part + _files(result) + ", " + _findings(result)]
    if result.hidden:
        parts.append(_hidden(result))
    if result.absent:
        entries = "an entry" if len(result.absent) == 1 else f"{len(result.absent)} entries"
        parts.append(f"{entries} of the baseline no longer found (`sycllint baseline prune`)")
    if result.targets_assumed:
        parts.append(assumed(result.targets))
    if result.interrupted:
        parts.append("interrupted: the rest was not linted")
    elif not result.complete:
        parts.append("incomplete: not everything could be linted")
    return "; ".join(parts)


def assumed(targets: Sequence[str]) -> str:
    """The note that no target is configured, and for which devices the run judged instead."""
    what = "judged for all Intel GPUs" if set(targets) == set(UNNAMED) else f"assumed {', '.join(targets)}"
    return f"no target configured: {what} (set targets in sycllint.toml or --target)"


def shown_notices(notices: Sequence[str], *, all_with: str | None = "--format json") -> Iterator[str]:
    """Each notice once, the first ten, then how many more there are and which option shows them."""
    distinct = list(dict.fromkeys(notices))
    yield from distinct[:NOTICES_SHOWN]
    if len(distinct) > NOTICES_SHOWN:
        hint = f" (all of them with {all_with})" if all_with else ""
        yield f"… {len(distinct) - NOTICES_SHOWN} more{hint}"


def notice_lines(notices: Sequence[str], style: Style) -> list[str]:
    """The shown notices, one on a line, for formats that hold them between findings and summary."""
    return [f"{style.ink('notice', Ink.STRONG)}: {printable(notice)}" for notice in shown_notices(notices)]


def sentence(text: str) -> str:
    """``text`` with a full stop, unless it ends as a sentence does."""
    return text if text.endswith((".", "!", "?")) else f"{text}."


def plural(count: int, word: str, words: str = "") -> str:
    """``1 file``, ``2 files``; ``words`` where an s does not make the plural."""
    return f"{count} {word}" if count == 1 else f"{count} {words or word + 's'}"


def listed(names: Sequence[str], most: int) -> str:
    """``a, b, c and 2 more``: of many names the first ``most``."""
    more = f" and {len(names) - most} more" if len(names) > most else ""
    return ", ".join(names[:most]) + more


def _hidden(result: "Result") -> str:
    """``14 hidden: 2 suppressed, 12 in the baseline``."""
    from sycllint.pipeline import Hiding

    words = {
        Hiding.SUPPRESSED: "suppressed",
        Hiding.BASELINE: "in the baseline",
        Hiding.UNCHANGED: "on unchanged lines",
    }
    counts = Counter(each.why for each in result.hidden)
    counted = ", ".join(f"{counts[why]} {word}" for why, word in words.items() if counts[why])
    return f"{len(result.hidden)} hidden: {counted}"


def _files(result: "Result") -> str:
    parts = [f"{plural(result.checked, 'file')} checked"]
    if result.skipped:
        parts.append(f"{result.skipped} skipped")
    if result.with_parse_errors:
        parts.append(f"{result.with_parse_errors} with parse errors")
    return ", ".join(parts)


def _findings(result: "Result") -> str:
    if not result.diagnostics:
        return "no findings"
    by_severity = Counter(diagnostic.severity for diagnostic in result.diagnostics)
    counts = [plural(by_severity[each], each.label) for each in sorted(Severity, reverse=True) if by_severity[each]]
    return f"{plural(len(result.diagnostics), 'finding')} ({', '.join(counts)})"
