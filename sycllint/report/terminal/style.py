"""Colours and links of terminal output, as escape sequences; all of them empty when the output is plain."""

from enum import StrEnum

from sycllint.diagnostic import Severity
from sycllint.record import record


class Ink(StrEnum):
    """What a stretch of output is, and its SGR parameters (ECMA-48, 8.3.117)."""

    ERROR = "1;31"
    WARNING = "1;33"
    NOTE = "1;36"
    STRONG = "1"
    GUTTER = "1;34"
    SECONDARY = "34"
    HELP = "1;32"
    QUIET = "2"


INK_OF = {Severity.ERROR: Ink.ERROR, Severity.WARNING: Ink.WARNING, Severity.NOTE: Ink.NOTE}


@record
class Style:
    """What the terminal understands."""

    color: bool = False
    hyperlinks: bool = False

    def ink(self, text: str, ink: Ink) -> str:
        """``text`` in a colour."""
        return f"\x1b[{ink}m{text}\x1b[0m" if self.color and text else text

    def link(self, text: str, uri: str) -> str:
        """``text`` as a link, by the escape sequence OSC 8."""
        return f"\x1b]8;;{uri}\x1b\\{text}\x1b]8;;\x1b\\" if self.hyperlinks else text
