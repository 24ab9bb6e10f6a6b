"""The formats for programs: every field of every finding, in stable names, as one document or one finding a line."""

import json
from collections.abc import Sequence
from typing import TYPE_CHECKING

from sycllint.diagnostic import Diagnostic
from sycllint.pipeline.result import Hiding
from sycllint.report.address import rule_page
from sycllint.report.formats.fingerprint import fingerprints
from sycllint.report.json import Json, exact, written
from sycllint.report.place import SourceRange, Sources, place_of
from sycllint.source.edit import Fix
from sycllint.version import __version__

if TYPE_CHECKING:
    from sycllint.pipeline import Result


def render(result: "Result", sources: Sources) -> str:
    """One JSON object: ``version``, ``targets``, ``shard``, ``complete``, ``diagnostics``, ``files``, ``notices``."""
    return written(
        {
            "version": __version__,
            "targets": result.targets,
            "shard": str(result.shard) if result.shard else None,
            "complete": result.complete,
            "diagnostics": findings(result.diagnostics, sources),
            "files": {
                "checked": result.checked,
                "skipped": result.skipped,
                "with_parse_errors": result.with_parse_errors,
                "not_parsed": list(result.not_parsed),
            },
            "hidden": {why.value: sum(each.why is why for each in result.hidden) for why in Hiding},
            "notices": list(dict.fromkeys(result.notices)),
        }
    )


def render_lines(result: "Result", sources: Sources) -> str:
    """The JSON object of each finding on its line, for programs that read as they go."""
    objects = findings(result.diagnostics, sources)
    return "".join(f"{exact(json.dumps(each, separators=(',', ':')))}\n" for each in objects)


def findings(diagnostics: Sequence[Diagnostic], sources: Sources) -> list[Json]:
    """The object of each finding."""
    prints = fingerprints(diagnostics, sources)
    return [_finding(*each, sources) for each in zip(diagnostics, prints, strict=True)]


def _finding(diagnostic: Diagnostic, fingerprint: str, sources: Sources) -> Json:
    related = [{"message": each.message, **place_of(each.location, sources)._asdict()} for each in diagnostic.related]
    return {
        "code": diagnostic.code,
        "name": diagnostic.name,
        "url": rule_page(diagnostic.code, diagnostic.name),
        "severity": diagnostic.severity.label,
        "evidence": diagnostic.evidence.value,
        "message": diagnostic.message,
        "help": diagnostic.help,
        "targets": diagnostic.targets,
        **place_of(diagnostic.location, sources)._asdict(),
        "related": related,
        "fix": _fix(diagnostic.fix, sources),
        "fingerprint": fingerprint,
    }


def _fix(fix: Fix | None, sources: Sources) -> Json:
    if fix is None:
        return None
    return {
        "applicability": fix.applicability.value,
        "description": fix.description,
        "edits": [_edit(place_of(edit.location, sources), edit.text) for edit in fix.edits],
    }


def _edit(place: SourceRange, text: str) -> Json:
    return {
        "path": place.path,
        "start": {"line": place.line, "column": place.column},
        "end": {"line": place.end_line, "column": place.end_column},
        "text": text,
    }
