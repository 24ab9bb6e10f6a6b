"""The arguments of a compiler: split, with their response files read, and what they say of macros and folders."""

import os
from collections.abc import Iterator, Sequence

from sycllint.builds.predefined import predefined
from sycllint.builds.settings import BuildSettings
from sycllint.source.disk import Disk

MAX_NESTED = 10
"""Response files inside one another."""
_RESPONSE_BYTES = 4_000_000


def settings_of(words: Sequence[str], folder: str, *, known: bool) -> BuildSettings:
    """The settings in the arguments of a compiler that runs in ``folder``; its own name, if given, comes first."""
    defines: dict[str, str] = {}
    folders: list[str] = []
    pending = ""
    for each in words:
        word, pending = pending + each, ""
        if word in ("-I", "-D", "-U", "-isystem", "-iquote"):
            pending = "-I" if word.startswith("-i") else word
        elif word.startswith("-I"):
            folders.append(os.path.normpath(os.path.join(folder, word[2:])))
        elif word.startswith("-D"):
            name, _, value = word[2:].partition("=")
            if name.isidentifier() and "$" not in value:
                defines[name] = value if "=" in word else "1"
        elif word.startswith("-U"):
            defines.pop(word[2:], None)
    plain = dict.fromkeys(path for path in folders if "$" not in path)
    own = predefined(words)
    choices = {name: each for name, each in own.choices.items() if name not in defines}
    return BuildSettings({**own.defines, **defines}, tuple(plain), known, choices)


def split(text: str) -> list[str]:
    """The words of a command line, as a shell splits them."""
    if not any(each in text for each in "'\"\\"):
        return text.split()
    try:
        import shlex

        return shlex.split(text, comments=False)
    except ValueError:
        return text.split()


def unfolded(words: Sequence[str], folder: str, disk: Disk, depth: int = MAX_NESTED) -> Iterator[str]:
    """``words`` with what the files named by ``@file`` hold in their place; a file that is not there stays a word."""
    for word in words:
        held = _response(word, folder, disk) if word.startswith("@") and depth else None
        if held is None:
            yield word
        else:
            yield from unfolded(held, folder, disk, depth - 1)


def _response(word: str, folder: str, disk: Disk) -> list[str] | None:
    path = os.path.normpath(os.path.join(folder, word[1:]))
    return split(read(path, disk, _RESPONSE_BYTES)) if len(word) > 1 and disk.is_file(path) else None


def read_json(path: str, disk: Disk, most: int) -> object:
    """The document in a file of at most ``most`` characters; ``None`` for what is none."""
    import json

    try:
        document: object = json.loads(read(path, disk, most))
    except (ValueError, RecursionError):
        return None
    return document


def read(path: str, disk: Disk, most: int = 1_000_000) -> str:
    """The text of a build file with plain line ends, at most ``most`` characters; empty when it cannot be read."""
    text = (disk.content(path) or b"").decode("utf-8", errors="replace")
    return text.replace("\r\n", "\n").replace("\r", "\n")[:most]
