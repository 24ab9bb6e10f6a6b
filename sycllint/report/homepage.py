"""Where sycllint says it can be read about: what the installed package's metadata names."""

from functools import cache

_WORDS = ("homepage", "documentation", "repository", "source")
"""Labels of ``project.urls`` in ``pyproject.toml`` that mean the project as a whole, the best first."""


@cache
def homepage() -> str | None:
    """The address, for readers of reports; ``None`` while the metadata names none."""
    from importlib.metadata import PackageNotFoundError, metadata

    try:
        entries = metadata("sycllint").get_all("Project-URL") or []
    except PackageNotFoundError:  # run from a source tree
        return None
    return chosen(entries)


def chosen(entries: list[str]) -> str | None:
    """The address among entries of the metadata as ``Homepage, https://…``."""
    addresses = {label.strip().lower(): address.strip() for label, _, address in (e.partition(",") for e in entries)}
    return next((addresses[word] for word in _WORDS if word in addresses), None)
