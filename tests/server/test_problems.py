"""A finding as an editor shows it."""

import pytest
from lsprotocol.types import PositionEncodingKind

from sycllint.diagnostic import Diagnostic, Evidence, Severity
from sycllint.report import address
from sycllint.server.problems import problem
from sycllint.server.session import Snapshot
from sycllint.source.span import Location, Span

PLACE = Location("a.cpp", Span(0, 0))
FINDING = Diagnostic("SYC101", "work-group-exceeds-max", Severity.ERROR, Evidence.PROVED, "too large", PLACE, ("tgl",))


@pytest.mark.parametrize(
    ("urls", "page"),
    [
        ({"documentation": "https://docs.example"}, "https://docs.example/rules/SYC101-work-group-exceeds-max/"),
        ({}, None),
    ],
)
def test_its_code_leads_to_the_page_of_the_rule_where_that_has_an_address(
    urls: dict[str, str], page: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(address, "_own", lambda: urls)
    described = problem(FINDING, Snapshot(), PositionEncodingKind.Utf16).code_description
    assert (described and described.href) == page
