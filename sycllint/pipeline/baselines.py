"""Which baseline holds for which file: the one that was named, or the nearest above it."""

import os
from typing import TYPE_CHECKING

from sycllint.memoized import memoized

if TYPE_CHECKING:
    from sycllint.pipeline.baseline import Baseline

NAME = ".sycllint-baseline.json"
"""What is used without being asked for, from a file's folder upwards to the root of the repository."""


class Baselines:
    """The baselines of one run: ``named`` for all files, or each file's nearest; none without ``search``."""

    def __init__(self, named: "Baseline | None" = None, *, search: bool = True) -> None:
        self._named = named
        self._search = search

    def of(self, path: str) -> "Baseline | None":
        """The baseline for a file."""
        if self._named is not None or not self._search:
            return self._named
        return self._nearest(os.path.abspath(os.path.dirname(path)))

    @memoized
    def _nearest(self, folder: str) -> "Baseline | None":
        """That of a folder, or of the nearest above it; of each the file is read once."""
        path, parent = os.path.join(folder, NAME), os.path.dirname(folder)
        if os.path.isfile(path):
            from sycllint.pipeline.baseline import read_baseline

            return read_baseline(path)
        return None if parent == folder or os.path.exists(os.path.join(folder, ".git")) else self._nearest(parent)
