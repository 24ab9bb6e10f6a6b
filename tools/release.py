"""Says whether a tag may be released: ``python tools/release.py v1.2.3`` prints its section of the changelog.

The tag is the version of the package, and CHANGELOG.md has a section of that version with a date.
"""

import re
import sys
from pathlib import Path
from runpy import run_path

ROOT = Path(__file__).parent.parent


def notes(tag: str, version: str, changelog: str) -> str:
    """The text of the version's section. Raises ``ValueError`` with what is wrong."""
    if tag != f"v{version}":
        message = f"the tag is {tag}, the version is {version}"
        raise ValueError(message)
    heading = rf"^## \[{re.escape(version)}\] - \d{{4}}-\d\d-\d\d\n"
    found = re.search(heading + r"(.*?)(?=^## \[|\Z)", changelog, re.MULTILINE | re.DOTALL)
    if found is None or not found[1].strip():
        message = f"CHANGELOG.md has no section `## [{version}] - YYYY-MM-DD` with a text"
        raise ValueError(message)
    return found[1].strip() + "\n"


def main() -> int:
    """Print the notes, or say why there is no release."""
    version = run_path(str(ROOT / "sycllint/version.py"))["__version__"]
    try:
        print(notes(sys.argv[1], version, (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")), end="")
    except ValueError as error:
        print(f"::error::{error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
