"""The links of README.md in a build: absolute, or plain text where the repository has no address."""

import pytest

from hatch_build import Addresses, absolute

HERE = Addresses("https://a.example/b", "", "v1.0")
NOWHERE = Addresses("", "", "v1.0")


@pytest.mark.parametrize(
    ("text", "with_address", "without"),
    [
        ("[CI](docs/ci.md#gitlab)", "[CI](https://a.example/b/blob/v1.0/docs/ci.md#gitlab)", "CI"),
        ("![a chart](docs/c.png)", "![a chart](https://a.example/b/raw/v1.0/docs/c.png)", "a chart"),
        ("[x](https://c.example)", "[x](https://c.example)", "[x](https://c.example)"),
        ("[up](#top)", "[up](#top)", "[up](#top)"),
        ("`a[i](docs)`", "`a[i](docs)`", "`a[i](docs)`"),
        ("```cpp\n[&](auto) {}\n```", "```cpp\n[&](auto) {}\n```", "```cpp\n[&](auto) {}\n```"),
    ],
)
def test_relative_links_lead_into_the_repository(text: str, with_address: str, without: str) -> None:
    assert absolute(text, HERE) == with_address
    assert absolute(text, NOWHERE) == without


def test_without_a_site_the_documentation_is_in_the_repository() -> None:
    assert HERE.project_urls()["Documentation"] == "https://a.example/b/blob/v1.0/docs"
    assert NOWHERE.project_urls() == {}
