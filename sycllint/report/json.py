"""JSON as every report writes it: its values, and its text in ASCII."""

import json
import re
from collections.abc import Mapping, Sequence
from typing import TypeAlias

Json: TypeAlias = "str | int | float | bool | Sequence[Json] | Mapping[str, Json] | None"
"""What JSON can say."""

_ESCAPED = r"\\\\|\\ud[89ab][0-9a-f]{2}\\ud[c-f][0-9a-f]{2}|(?P<half>\\ud[89a-f][0-9a-f]{2})"
"""A backslash, a pair of surrogates, or a half of one, as ``json`` writes them."""


def written(value: Json) -> str:
    """Indented JSON with a final newline, in ASCII: it survives every terminal, pipe and code page."""
    return exact(json.dumps(value, indent=2)) + "\n"


def exact(text: str) -> str:
    """JSON in ASCII without halves of surrogate pairs, as of a name that is no UTF-8: many readers refuse all of it."""
    return re.sub(_ESCAPED, _whole, text) if "\\ud" in text else text


def _whole(escaped: re.Match[str]) -> str:
    return "\\ufffd" if escaped["half"] else escaped[0]
