"""``python -m sycllint``.

Python then looks for modules in the working directory first, which is where the analysed sources lie. From here on it
does not, unless sycllint itself was found there; ``python -P -m sycllint`` never does.
"""

import os
import sys

_HOME = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


def without_working_directory(search: list[str], here: str, home: str) -> list[str]:
    """``search``, as ``sys.path``, without its first entry where that is ``here`` and not ``home``, of sycllint."""
    first = os.path.abspath(search[0] or os.curdir) if search else ""
    return search[1:] if first == here != home else search


if __name__ == "__main__":
    sys.path[:] = without_working_directory(sys.path, os.getcwd(), _HOME)
    from sycllint.cli import program

    program()
