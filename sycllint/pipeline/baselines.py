"""Which baseline holds for which file: the one that was named, or the nearest above it."""

import os
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sycllint.pipeline.baseline import Baseline

NAME = ".sycllint-baseline.json"
"""What is used without being asked for, from a file's folder upwards to the root of the repository."""


class Baselines:
    """The baselines of one run: ``named`` for all files, or each file's nearest; none without ``search``."""

    def __init__(self, named: "Baseline | None" = None, *, search: bool = True) -> None:
        self._named = named
        self._search = search
        self._read: dict[str, Baseline | None] = {}
        self._near: dict[str, Baseline | None] = {}

    def of(self, path: str) -> "Baseline | None":
        """The baseline for a file."""
        if self._named is not None or not self._search:
            return self._named
        folder = os.path.dirname(path)
        if folder not in self._near:
            self._near[folder] = self._nearest(os.path.abspath(folder))
        return self._near[folder]

    def _nearest(self, folder: str) -> "Baseline | None":
        while True:
            path = os.path.join(folder, NAME)
            if folder not in self._read:
                self._read[folder] = _read_baseline(path) if os.path.isfile(path) else None
            parent = os.path.dirname(folder)
            found = self._read[folder]
            if found is not None or parent == folder or os.path.exists(os.path.join(folder, ".git")):
                return found
            folder = parent


def _read_baseline(path: str) -> "Baseline":
    from sycllint.pipeline.baseline import read_baseline

    return read_baseline(path)
