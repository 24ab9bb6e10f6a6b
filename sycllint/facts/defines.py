"""Macros given from outside: the configuration's ``defines`` and the command line's ``-D``."""

from functools import lru_cache

from sycllint.cpp.statement import Macro
from sycllint.syntax.lower import macro_body


@lru_cache(maxsize=1024)
def configured_macro(name: str, text: str) -> Macro:
    """The object-like macro ``name`` with the body ``text``. Its offsets mean nothing."""
    value, body = macro_body(text.encode(), 0)
    return Macro(name, None, text, value, body, 0, 0)
