"""Writes what docs/ and mkdocs.yml have of other files: pages of the root, the list of rules, the schema.

``make docs`` runs it after the pages of the rules were written.
"""

import re
from collections.abc import Iterator, Mapping
from pathlib import Path

from sycllint.hardware.profiles import devices
from sycllint.packs import OWN_LETTERS
from sycllint.registry import all_rules
from sycllint.report.schema import schema

GATHERED = {"CHANGELOG.md": "changelog.md", "CONTRIBUTING.md": "contributing.md"}
"""Pages that stand in the root, where code hosts look for them, and their names in docs/."""

_BEGIN, _END = "  # The rules, by family; `make docs` writes them.\n", "  # End of the rules.\n"


def written(root: Path) -> Mapping[Path, str]:
    """Each file that is made, and what it should hold."""
    pages = {root / "docs" / name: gathered(root, source) for source, name in GATHERED.items()}
    return {**pages, root / "mkdocs.yml": navigation(root), root / "docs/sycllint.schema.json": configuration_schema()}


def configuration_schema() -> str:
    """The schema of ``sycllint.toml`` with the rules of our own pack, whichever others are installed."""
    return schema([rule for rule in all_rules() if rule.code.startswith(OWN_LETTERS)], devices())


def gathered(root: Path, source: str) -> str:
    """A page of the root with its links as they are in docs/."""
    text = (root / source).read_text(encoding="utf-8")
    for other, name in GATHERED.items():
        text = text.replace(f"]({other}", f"]({name}")
    return f"<!-- Made from {source} by `make docs`. -->\n\n" + text.replace("](docs/", "](")


def navigation(root: Path) -> str:
    """``mkdocs.yml`` with the pages that docs/rules has."""
    text = (root / "mkdocs.yml").read_text(encoding="utf-8")
    before, _, rest = text.partition(_BEGIN)
    _, _, after = rest.partition(_END)
    index = (root / "docs/rules/README.md").read_text(encoding="utf-8")
    return "".join([before, _BEGIN, *_entries(index), _END, after])


def _entries(index: str) -> Iterator[str]:
    """The lines of the rules, in the order of their index."""
    yield "  - Rules:\n      - rules/README.md\n"
    for heading, title, page in re.findall(r"^## (.+)$|^\| \[(SYC\d+ [\w-]+)\]\(([^)]+)\)", index, re.MULTILINE):
        if page:
            yield f"          - {title}: rules/{page}\n"
        elif heading != "By severity":
            yield f"      - {heading}:\n"


def main() -> None:
    """Write them."""
    for path, text in written(Path(__file__).parent.parent).items():
        path.write_text(text, encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main()
