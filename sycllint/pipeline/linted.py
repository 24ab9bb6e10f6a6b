"""What linting one file came to, before anything is filtered: the piece of a run that is kept and handed around."""

from sycllint.diagnostic import Diagnostic
from sycllint.record import NamedTuple


class Linted(NamedTuple):
    """One file that was taken up; it holds no source text and no rule."""

    path: str
    read: bool = True
    """It was a file to lint; else its notices say why not."""
    diagnostics: tuple[Diagnostic, ...] = ()
    """As the rules found them, with the severities of the configuration."""
    devices: tuple[str, ...] = ()
    """What it was checked against."""
    assumed: bool = False
    """Nobody named those."""
    whole: bool = True
    """All of it was understood."""
    suppresses: bool = False
    """There may be a directive in it."""
    includers: tuple[str, ...] = ()
    """Files of its program that include it; only of a file with directives, which may silence what those find."""
    checked: int = 0
    skipped: int = 0
    with_parse_errors: int = 0
    notices: tuple[str, ...] = ()
    complete: bool = True
