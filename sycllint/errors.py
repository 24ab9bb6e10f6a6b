"""Errors that the user can mend; each says what is wrong, where, and what would be right."""


class SycllintError(Exception):
    """A usage or configuration error. Printed as one line on stderr, exit code 2."""

    def __init__(self, message: str, *, path: str | None = None, line: int | None = None) -> None:
        self.message = message
        self.path = path
        self.line = line
        place = "" if path is None else f"{path}: " if line is None else f"{path}:{line}: "
        super().__init__(place + message)
