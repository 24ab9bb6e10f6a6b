"""The rule packs that are installed, by name: none of them is imported here."""

import os
from collections.abc import Iterable, Iterator

ENTRY_POINTS = "sycllint.rules"
OWN_PACK = "sycllint_rules"

OWN_LETTERS = "SYC"
"""Codes with these letters are sycllint's own; another pack that uses them is refused."""


def installed(search: Iterable[str], here: str) -> tuple[str, ...]:
    """The directories of ``search``, as ``sys.path``, that distributions are installed in.

    The working directory ``here`` is none, whether it is there because Python was started with ``-m`` or because a
    variable names it relatively: what is there is the code to be analysed.
    """
    place = os.path.realpath(here)
    return tuple(dict.fromkeys(each for each in search if os.path.isabs(each) and os.path.realpath(each) != place))


def left_out() -> tuple[str, ...]:
    """A sentence for each pack that this process had to leave out; none before a rule was asked for."""
    return tuple(_left_out)


def leave_out(sentences: Iterable[str]) -> None:
    """Say why packs are left out."""
    _left_out[:] = sentences


def pack_names(search: Iterable[str]) -> tuple[str, ...]:
    """Packages that installed distributions name in the entry point group, found in the directories ``search``.

    Reads the ``entry_points.txt`` files themselves, which takes a millisecond where ``importlib.metadata`` takes forty;
    distributions inside archives are not seen. Without an installation, from a source tree, there is our own pack.
    """
    found = {OWN_PACK: None}
    for folder in distributions(search):
        found.update(dict.fromkeys(_packages(os.path.join(folder, "entry_points.txt"))))
    return tuple(found)


def distributions(search: Iterable[str]) -> Iterator[str]:
    """The folders with the metadata of what is installed in the directories ``search``, in their order."""
    for directory in dict.fromkeys(search):
        try:
            names = sorted(os.listdir(directory))
        except OSError:
            continue
        yield from (os.path.join(directory, each) for each in names if each.endswith((".dist-info", ".egg-info")))


def _packages(path: str) -> Iterator[str]:
    try:
        with open(path, encoding="utf-8") as stream:
            text = stream.read()
    except (OSError, UnicodeDecodeError):
        return
    if ENTRY_POINTS not in text:
        return
    section = ""
    for line in map(str.strip, text.splitlines()):
        if line.startswith("["):
            section = line.strip("[] ")
        elif section == ENTRY_POINTS and "=" in line and not line.startswith("#"):
            yield line.partition("=")[2].partition(":")[0].partition("[")[0].strip()


_left_out: list[str] = []
