"""Which files a file includes, and where on disk they are: text and paths, nothing of C++ beyond the directive."""

import os
import re
from collections.abc import Callable, Iterator, Sequence

from sycllint.record import NamedTuple

_INCLUDE = re.compile(rb'#[ \t]*include[ \t]*(?:"([^"\n]+)"|<([^>\n]+)>)')
FOREIGN = ("/usr/", "/opt/", "/lib/")
"""Where headers lie that are no project's."""


class Directive(NamedTuple):
    """One include directive: the path as written, whether in quotes, and the offset of the line's ``#``."""

    path: str
    quoted: bool
    offset: int


def directives(content: bytes) -> Iterator[Directive]:
    """The include directives of a file, in order, wherever they stand."""
    for match in _INCLUDE.finditer(content):
        line = content.rfind(b"\n", 0, match.start()) + 1
        if not content[line : match.start()].strip(b" \t"):
            quoted = match[1] is not None
            yield Directive((match[1] or match[2]).decode(errors="replace"), quoted, line)


def resolve(
    directive_path: str,
    quoted: bool,
    includer: str,
    folders: Sequence[str],
    is_file: Callable[[str], bool] = os.path.isfile,
) -> str | None:
    """The file an include means: beside the includer when quoted, else in ``folders``; ``None`` outside the project."""
    tried = [os.path.dirname(includer), *folders] if quoted else folders
    for folder in tried:
        path = os.path.normpath(os.path.join(folder, directive_path))
        if path.startswith(FOREIGN):
            continue
        if is_file(path):
            return path
    return None
