"""Merge the JSON reports, or the baselines, of several runs into one.

For runs that were split with --shard, or that were about parts of a repository. A finding of several reports, such as
one in a header, is listed once. SARIF logs need no merge: code hosts take a log per shard, each with its own category.
"""

import argparse
import json
from collections.abc import Mapping, Sequence

from sycllint.cli.check import THRESHOLDS
from sycllint.cli.terminal import complain, write
from sycllint.errors import SycllintError
from sycllint.pipeline.baseline import baseline_text, merged_entries, read_baseline
from sycllint.report.json import Json, written
from sycllint.report.merged import Report, is_report, merged
from sycllint.source.files import shown


def run(arguments: argparse.Namespace) -> int:
    """Merge; 1 for a finding from ``--fail-on`` up, 3 when something was not linted or a shard is missing."""
    documents = {shown(path): _read(path) for path in arguments.files}
    reports = {path: each for path, each in documents.items() if is_report(each)}
    if not reports:
        entries = merged_entries([read_baseline(path).entries for path in documents])
        write(baseline_text(entries), arguments.output)
        return 0
    for path in documents:
        if path not in reports:
            raise SycllintError("this is no report of -f json", path=path)
    report, complete = merged(reports)
    write(written(report), arguments.output)
    notices = report["notices"]
    for notice in notices if isinstance(notices, list) and not complete else ():
        complain(f"notice: {notice}")
    return 3 if not complete else _code(report, arguments.fail_on)


def _read(path: str) -> object:
    try:
        with open(path, "rb") as stream:
            return json.loads(stream.read())
    except OSError as error:
        raise SycllintError(f"not read: {error.strerror}", path=shown(path)) from None
    except (ValueError, RecursionError):
        raise SycllintError("this is not JSON", path=shown(path)) from None


def _code(report: Report, fail_on: str) -> int:
    threshold = THRESHOLDS[fail_on]
    levels = {each.label for each in THRESHOLDS.values() if each and threshold and each >= threshold}
    found = report["diagnostics"]
    objects: Sequence[Json] = found if isinstance(found, list) else ()
    return 1 if any(isinstance(each, Mapping) and each.get("severity") in levels for each in objects) else 0
