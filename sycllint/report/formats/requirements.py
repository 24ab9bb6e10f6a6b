"""Packages that a format needs beside sycllint's own."""

from sycllint.errors import SycllintError


def require(format: str) -> None:  # noqa: A002
    """Raise ``SycllintError`` when a package that the format needs is not installed."""
    from importlib.util import find_spec

    if format == "html" and find_spec("jinja2") is None:
        raise SycllintError("-f html needs Jinja2, which is not installed: pip install 'sycllint[html]'")
