"""What the tests of runs share."""

import pytest

from sycllint.pipeline import linter


@pytest.fixture
def linted(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The files that this process linted, and neither looked up nor had linted."""
    paths: list[str] = []
    original = linter.lint

    def lint(run, candidate, part):  # type: ignore[no-untyped-def]
        paths.append(candidate.path)
        return original(run, candidate, part)

    monkeypatch.setattr(linter, "lint", lint)
    return paths
