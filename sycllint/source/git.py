"""What git knows of the working tree: its root, the index, and what changed.

No hook, external diff, text conversion, file system monitor or helper of a transport that the repository's settings
name is run. A filter that they name for a file is: git compares by it.
"""

import os
from collections.abc import Iterator, Mapping
from contextlib import suppress

from sycllint.errors import SycllintError
from sycllint.record import replace
from sycllint.source.changes import Changes, read_diff
from sycllint.source.files import shown

_PLAIN = ("-c", "core.fsmonitor=false", "-c", "core.quotePath=false", "-c", "protocol.allow=never")
_DIFF = ("diff", "--no-color", "--no-ext-diff", "--no-textconv", "--unified=0", "--find-renames", "--src-prefix=a/",
         "--dst-prefix=b/", "--no-relative", "--ignore-submodules")  # fmt: skip


def work_tree(folder: str) -> str:
    """The root of the work tree around ``folder``. Raises ``SycllintError`` outside of one."""
    try:
        return os.fsdecode(_git(folder, "rev-parse", "--show-toplevel")).rstrip("\n")
    except SycllintError:
        raise SycllintError(f"{folder}: not in a git work tree") from None


def staged(root: str) -> Changes:
    """The changes of the index against the last commit."""
    diff = _git(root, *_DIFF, "--cached")
    return read_diff(diff, name="git diff --cached", roots=[root])


def changed_since(root: str, reference: str) -> Changes:
    """The changes of the files on the disk since the merge base of ``reference`` and ``HEAD``.

    Untracked files are new.
    """
    diff = _git(root, *_DIFF, _parting(root, reference), "--")
    changes = read_diff(diff, name="git diff", roots=[root])
    unknown = _git(root, "ls-files", "-z", "--others", "--exclude-standard")
    return replace(changes, new=frozenset(os.path.realpath(os.path.join(root, each)) for each in _names(unknown)))


def index_texts(root: str) -> Mapping[str, bytes]:
    """The contents, as they are in the index, of the files that differ from it on the disk; by path as shown."""
    differing = _names(_git(root, "diff-files", "-z", "--name-only", "--ignore-submodules"))
    texts: dict[str, bytes] = {}
    for name in differing:
        with suppress(SycllintError):  # a conflict: the index has no one content
            texts[shown(os.path.join(root, name))] = _git(root, "cat-file", "blob", f":0:{name}")
    return texts


def _parting(root: str, reference: str) -> str:
    """The commit from which both ``HEAD`` and ``reference`` come; ``reference`` itself when there is none."""
    if reference.startswith("-"):
        raise SycllintError(f"--diff-base {reference}: not the name of a commit")
    try:
        commit = os.fsdecode(_git(root, "rev-parse", "--verify", "--quiet", f"{reference}^{{commit}}")).strip()
    except SycllintError:
        raise SycllintError(
            f"--diff-base {reference}: no such commit here; in a shallow clone fetch it first (fetch-depth: 0)"
        ) from None
    try:
        return os.fsdecode(_git(root, "merge-base", commit, "HEAD")).strip()
    except SycllintError:
        return commit


def _names(listing: bytes) -> Iterator[str]:
    return (os.fsdecode(each) for each in listing.split(b"\0") if each)


def _git(folder: str, *words: str) -> bytes:
    """The output of one git command. Raises ``SycllintError`` with its first error message."""
    import subprocess

    environment = {**os.environ, "GIT_OPTIONAL_LOCKS": "0", "GIT_NO_LAZY_FETCH": "1", "LC_ALL": "C"}
    try:
        done = subprocess.run(
            ["git", "-C", folder or ".", *_PLAIN, *words],
            capture_output=True, check=False, env=environment, stdin=subprocess.DEVNULL,
        )  # fmt: skip
    except OSError as error:
        raise SycllintError(f"git cannot be run: {error.strerror}") from None
    if done.returncode:
        complaint = done.stderr.decode(errors="replace").strip().partition("\n")[0]
        raise SycllintError(f"git {words[0]}: {complaint or 'failed'}")
    return done.stdout
