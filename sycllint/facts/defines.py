"""Macros read once more: those given from outside, and those that stand for attributes."""

from functools import lru_cache

from sycllint.cpp.expression import Attribute
from sycllint.cpp.statement import Macro
from sycllint.syntax.lower import attributes_of, macro_body


@lru_cache(maxsize=1024)
def configured_macro(name: str, text: str) -> Macro:
    """The object-like macro ``name`` with the body ``text``. Its offsets mean nothing."""
    value, body = macro_body(text.encode(), 0)
    return Macro(name, None, text, value, body, 0, 0)


@lru_cache(maxsize=1024)
def attributes_in(macro: Macro) -> tuple[Attribute, ...] | None:
    """The attributes that a macro stands for; ``None`` when it stands for anything else."""
    return attributes_of(macro.text, macro.end - len(macro.text.encode())) if macro.text.strip() else ()
