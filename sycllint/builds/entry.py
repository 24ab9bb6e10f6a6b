"""One way in which a source is compiled."""

from sycllint.record import record


@record
class CompileCommand:
    """The compiler's working directory, the source's name and the compiler's arguments."""

    source: str
    """Absolute, without ``..``."""
    folder: str
    words: tuple[str, ...]
