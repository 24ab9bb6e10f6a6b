"""What ``.gitignore`` files leave out, without asking git: nested files, negations, ``.git/info/exclude``.

Format: gitignore documentation, "PATTERN FORMAT".
"""

import os
from collections.abc import Iterator
from typing import TYPE_CHECKING

from sycllint.record import field, mutable
from sycllint.source.regular import regular_content

if TYPE_CHECKING:
    from pathspec import GitIgnoreSpec

NAME = ".gitignore"
_LARGEST = 1_000_000
"""Bytes of an ignore file; a larger one is passed over."""


@mutable
class Ignored:
    """The ignore files around and below one directory, read when first asked for."""

    top: str
    """Absolute path of the directory that is searched."""
    _specs: "dict[str, GitIgnoreSpec | None]" = field(default_factory=dict)
    _above: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        above = tuple(_repository_above(self.top))
        # A directory that is ignored itself was named in order to look into it.
        if above and not self._judged(self.top, True, above):
            self._above = above

    def __call__(self, place: str, directory: bool) -> bool:
        """Whether an absolute path below the directory is left out."""
        return self._judged(place, directory, (*self._below(os.path.dirname(place)), *self._above))

    def _below(self, folder: str) -> Iterator[str]:
        """``folder`` and those above it, up to the directory that is searched."""
        while folder == self.top or folder.startswith(os.path.join(self.top, "")):
            yield folder
            folder, before = os.path.dirname(folder), folder
            if folder == before:
                return

    def _judged(self, place: str, directory: bool, folders: tuple[str, ...]) -> bool:
        """The nearest ignore file with a pattern for ``place`` decides."""
        for folder in folders:
            spec = self._spec(folder)
            if spec is None:
                continue
            relative = os.path.relpath(place, folder).replace(os.sep, "/")
            if relative.startswith("../"):  # reached by a link
                continue
            said = spec.check_file(relative + "/" if directory else relative).include
            if said is not None:
                return said
        return False

    def _spec(self, folder: str) -> "GitIgnoreSpec | None":
        if folder not in self._specs:
            self._specs[folder] = _read(folder)
        return self._specs[folder]


def _repository_above(folder: str) -> Iterator[str]:
    """The directories above ``folder``, nearest first, up to the root of its repository; none outside of any."""
    found: list[str] = []
    while not os.path.exists(os.path.join(folder, ".git")):
        parent = os.path.dirname(folder)
        if parent == folder:
            return
        found.append(parent)
        folder = parent
    yield from found


def _read(folder: str) -> "GitIgnoreSpec | None":
    lines: list[str] = []
    for name in (os.path.join(".git", "info", "exclude"), NAME):
        try:
            content = regular_content(os.path.join(folder, name), _LARGEST)
            lines += content.decode("utf-8", errors="surrogateescape").splitlines()
        except OSError:
            continue
    if not any(line.strip() and not line.startswith("#") for line in lines):
        return None
    from sycllint.source.patterns import is_readable, spec_of

    return spec_of(filter(is_readable, lines))  # git passes over what it cannot read, too
