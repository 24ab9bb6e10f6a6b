"""Tables and texts that stand beside the module that uses them, in a TOML file of its name."""

from functools import cache
from typing import Any


@cache
def beside(module: str) -> dict[str, Any]:
    """The tables and texts of a module, named by its ``__file__``, read when they are first asked for."""
    import tomllib

    with open(module.removesuffix(".py") + ".toml", "rb") as stream:
        return tomllib.load(stream)
