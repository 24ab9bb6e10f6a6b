"""The library or setting that provides a header which clang did not find."""

from sycllint.beside import beside


def package_of(header: str) -> str | None:
    """A library that has ``header``; ``None`` for a header of a library that is not known here, or of the project."""
    return next((what for beginning, what in beside(__file__).items() if header.startswith(beginning)), None)


def bringing(header: str) -> str:
    """A library or a setting that would bring ``header``."""
    return package_of(header) or "its folder in `include`, or a compile command"
