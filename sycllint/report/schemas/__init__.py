"""JSON schemas (draft 2020-12) of what sycllint writes as JSON: one file for each report."""

import os


def published(report: str) -> str:
    """The schema of ``check`` or of ``kernels`` with ``-f json``, as JSON text."""
    with open(os.path.join(os.path.dirname(__file__), f"{report}.json"), encoding="utf-8") as stream:
        return stream.read()
