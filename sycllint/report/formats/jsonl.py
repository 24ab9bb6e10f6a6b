"""The fields of the JSON format, one finding a line, for programs that read as they go."""

import json

from sycllint.pipeline import Result
from sycllint.report.formats.json import findings
from sycllint.report.json import exact
from sycllint.report.place import Sources


def render(result: Result, sources: Sources) -> str:
    """One JSON object for each finding, each on its line."""
    objects = findings(result.diagnostics, sources)
    return "".join(f"{exact(json.dumps(each, separators=(',', ':')))}\n" for each in objects)
