"""Requirements of a version."""

import pytest

from sycllint.config.requirement import satisfies


@pytest.mark.parametrize(
    ("version", "requirement", "met"),
    [
        ("0.3.1", ">=0.3,<0.4", True),
        ("0.4.0", ">=0.3,<0.4", False),
        ("0.10", ">=0.9", True),
        ("1.0", "1.0.0", True),
        ("1.0.1", "==1.0", False),
        ("1.0.1", "!=1.0", True),
        ("1.2.9", "~=1.2", True),
        ("2.0", "~=1.2", False),
        ("1.3.0", "~=1.2.1", False),
        ("0.3.0rc1", ">=0.3", True),
        ("2", "> 1 , <= 2", True),
    ],
)
def test_every_clause_has_to_be_met(version: str, requirement: str, met: bool) -> None:
    assert satisfies(version, requirement) is met
