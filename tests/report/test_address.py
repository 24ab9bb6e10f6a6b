"""Where a rule can be read about: on the documentation's site, in the repository, or nowhere but in the terminal."""

from pathlib import Path

import pytest

from sycllint.report import address, render
from tests.report.sample import SWEEP, exceeds, files, result

SITE = "https://docs.example/sycllint"


@pytest.mark.parametrize(
    ("documentation", "page"),
    [
        (SITE, f"{SITE}/rules/SYC101-work-group-exceeds-max/"),
        (f"{SITE}/", f"{SITE}/rules/SYC101-work-group-exceeds-max/"),
        (
            "https://a.example/b/blob/v1.0/docs",
            "https://a.example/b/blob/v1.0/docs/rules/SYC101-work-group-exceeds-max.md",
        ),
    ],
)
def test_a_page_is_below_the_documentation(documentation: str, page: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(address, "_own", lambda: {"documentation": documentation})
    assert address.rule_page("SYC101", "work-group-exceeds-max") == page


def test_a_rule_of_another_pack_has_no_page_there(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(address, "_own", lambda: {"documentation": SITE})
    assert address.rule_page("ACME101", "warp-size-in-name") is None


def test_the_homepage_is_the_best_address(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(address, "_own", lambda: {"changelog": "c", "source": "s", "documentation": "d"})
    assert address.homepage() == "d"
    monkeypatch.setattr(address, "_own", dict)
    assert (address.homepage(), address.rule_page("SYC101", "x")) == (None, None)


def test_addresses_are_those_of_the_installed_metadata(tmp_path: Path) -> None:
    place = tmp_path / "sycllint-1.2.dist-info"
    place.mkdir()
    (place / "METADATA").write_text(
        "Metadata-Version: 2.4\nName: sycllint\nProject-URL: Source, https://a.example\n\nProject-URL: Issues, no\n"
    )
    search = [str(tmp_path / "nowhere"), str(tmp_path)]
    assert address.project_urls("sycllint", search) == {"source": "https://a.example"}
    assert address.project_urls("other", search) == {}


@pytest.mark.parametrize(("urls", "start"), [({"documentation": SITE}, "error[\x1b]8;;"), ({}, "error[SYC101]: ")])
def test_the_code_is_a_link_on_a_terminal_that_shows_links(
    urls: dict[str, str], start: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(address, "_own", lambda: urls)
    text = render("full", result(exceeds()), color=False, width=80, hyperlinks=True, sources=files(a_cpp=SWEEP))
    assert text.startswith(start)
    page = f"\x1b]8;;{SITE}/rules/SYC101-work-group-exceeds-max/\x1b\\SYC101\x1b]8;;\x1b\\"
    assert (page in text) == bool(urls)
    assert "sycllint rule SYC101" in text
