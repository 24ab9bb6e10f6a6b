"""Addresses of the project and of its documentation, from the metadata of the installed package.

They are configured when the package is built (``hatch_build.py``); a source tree has none.
"""

import os
import sys
from collections.abc import Iterable, Mapping
from functools import cache

from sycllint.packs import OWN_LETTERS, distributions, installed

_HOMEPAGE = ("homepage", "documentation", "repository", "source")
"""Labels of ``project.urls`` that mean the project as a whole, the best first."""

_IN_REPOSITORY = "/blob/"
"""What an address of documentation has that is a folder of a repository, where a page is a file."""


def homepage() -> str | None:
    """The address of the project; ``None`` while the metadata names none."""
    found = _own()
    return next((found[label] for label in _HOMEPAGE if label in found), None)


def rule_page(code: str, name: str) -> str | None:
    """The address of the page of a rule; ``None`` for rules of other packs, and while none is configured."""
    documentation = _own().get("documentation")
    if documentation is None or not code.startswith(OWN_LETTERS):
        return None
    end = ".md" if _IN_REPOSITORY in documentation else "/"
    return f"{documentation.rstrip('/')}/rules/{code}-{name}{end}"


@cache
def _own() -> Mapping[str, str]:
    return project_urls("sycllint", installed(sys.path, os.getcwd()))


def project_urls(project: str, search: Iterable[str]) -> Mapping[str, str]:
    """The addresses of an installed project, found in the directories ``search``, by label in lower case.

    Reads the file itself, which takes a millisecond where ``importlib.metadata`` takes forty.
    """
    for folder in distributions(search):
        name = os.path.basename(folder)
        if name.startswith(f"{project}-") and name.endswith(".dist-info"):
            return _read(os.path.join(folder, "METADATA"))
    return {}


def _read(path: str) -> Mapping[str, str]:
    found: dict[str, str] = {}
    try:
        with open(path, encoding="utf-8") as stream:
            for line in stream:
                if not line.strip():  # the description begins
                    break
                if line.startswith("Project-URL:"):
                    label, _, address = line.partition(":")[2].partition(",")
                    found[label.strip().lower()] = address.strip()
    except (OSError, UnicodeDecodeError):
        return {}
    return found
