"""The door to the formats."""

import pytest

from sycllint.errors import SycllintError
from sycllint.report import FORMATS, render
from tests.report.sample import exceeds, files, result


def test_an_unknown_format_is_refused_with_the_known_ones() -> None:
    with pytest.raises(
        SycllintError, match=r"unknown format 'xml'; the formats are full, concise, grouped, json, jsonl"
    ):
        render("xml", result(), color=False, width=80, hyperlinks=False, sources=files())


@pytest.mark.parametrize("format", FORMATS)
def test_every_format_reads_each_file_once(format: str) -> None:  # noqa: A002
    asked: list[str] = []
    sources = files(a_cpp="x" * 500)
    found = result(exceeds(), exceeds())

    def counted(path: str):  # type: ignore[no-untyped-def]
        asked.append(path)
        return sources(path)

    output = render(format, found, color=False, width=80, hyperlinks=False, sources=counted)
    assert output.endswith("\n")
    assert asked == ["a.cpp"]
