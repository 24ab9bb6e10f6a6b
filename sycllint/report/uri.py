"""Paths as URI references (RFC 3986), percent-encoded."""

import os
from urllib.parse import quote

from sycllint.source.span import Location

_WINDOWS_DRIVE = 2  # "C:"


def reference(location: Location) -> str:
    """A relative reference for a relative path, a ``file:`` URI for an absolute one."""
    path = location.path
    return file_uri(path) if is_absolute(path) else quote(path, errors="surrogateescape")


def is_absolute(path: str) -> bool:
    """Whether a path with forward slashes starts at a root: ``/src/a.cpp`` or ``C:/src/a.cpp``."""
    return path.startswith("/") or path[1:3] == ":/"


def file_uri(path: str) -> str:
    """The ``file:`` URI of a path, a relative one taken from the working directory."""
    absolute = (path if is_absolute(path) else os.path.abspath(path)).replace(os.sep, "/")
    if absolute.startswith("/"):
        return "file://" + quote(absolute, errors="surrogateescape")
    drive, rest = absolute[:_WINDOWS_DRIVE], absolute[_WINDOWS_DRIVE:]
    return f"file:///{drive}" + quote(rest, errors="surrogateescape")


def directory_uri(path: str = ".") -> str:
    """The ``file:`` URI of a directory; it ends in a slash, so that relative references resolve inside it."""
    return file_uri(path).rstrip("/") + "/"
