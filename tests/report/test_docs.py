"""docs/outputs.md names every format."""

import re
from pathlib import Path

from sycllint.report import FORMATS


def test_the_table_lists_every_format_in_the_order_of_the_help(repository: Path) -> None:
    text = (repository / "docs/outputs.md").read_text(encoding="utf-8")
    assert tuple(re.findall(r"^\| `([\w-]+)` \|", text, re.MULTILINE)) == FORMATS
