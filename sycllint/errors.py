"""Errors that the user can fix; each says what is wrong, where, and what would be right."""


class SycllintError(Exception):
    """A usage or configuration error. Printed as one line on stderr, exit code 2."""

    def __init__(self, message: str, *, path: str | None = None, line: int | None = None) -> None:
        self.message = message
        self.path = path
        self.line = line
        place = "" if path is None else f"{path}: " if line is None else f"{path}:{line}: "
        super().__init__(place + message)


def mistyped(name: str, wanted: str, got: object) -> TypeError:
    """The error for an argument of the Python interface that has another type than it should."""
    article = "an" if type(got).__name__[0] in "aeiouAEIOU" else "a"
    return TypeError(f"{name} must be {wanted}, not {article} {type(got).__name__} ({got!r:.60})")
