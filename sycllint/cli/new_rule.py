"""Write the two files of a new rule: its module, whose docstring is its page, and C++ that shows what it finds.

The module goes into the rule pack that pyproject.toml names in its entry points "sycllint.rules", or into --pack; the
fixture into fixtures/CODE beside it. Both hold an example that works; write your rule in its place.
"""

import argparse
import keyword
import os
import re
from collections.abc import Iterator
from pathlib import Path
from string import Template

from sycllint.beside import beside
from sycllint.cli.terminal import complain
from sycllint.errors import SycllintError
from sycllint.packs import ENTRY_POINTS, OWN_LETTERS, OWN_PACK
from sycllint.record import NamedTuple
from sycllint.registry import FAMILIES_END, all_rules
from sycllint.source.files import shown

_CODE = re.compile(r"[A-Z]{2,8}\d{3,5}")
_NAME = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*")
_SOURCE_ROOTS = ("", "src", "rules")


class RulePack(NamedTuple):
    """A package of rules."""

    name: str
    folder: str
    root: str
    """The root of the project that the pack belongs to; fixtures are there."""


def run(arguments: argparse.Namespace) -> int:
    """Write both files, or neither."""
    code, name = _checked(arguments.code, arguments.name)
    pack = _named(arguments.pack) if arguments.pack is not None else _nearest(os.getcwd())
    if (pack.name == OWN_PACK) != code.startswith(OWN_LETTERS):
        raise SycllintError(
            f"{code} in {pack.name}: codes in {OWN_LETTERS} are for sycllint's own pack, and for it alone"
        )
    module = os.path.join(pack.folder, *_family(code, pack), f"{name.replace('-', '_')}.py")
    example = os.path.join(pack.root, "fixtures", code, f"{name.replace('-', '_')}.cpp")
    for path in (module, example):
        if os.path.lexists(path):
            raise SycllintError(f"{shown(path)} is there already")
    for path, text in ((module, "rule"), (example, "fixture")):
        _write(path, Template(beside(__file__)[text]).substitute(code=code, function=name.replace("-", "_")))
    complain(f"{shown(module)}: the page and the check")
    complain(f"{shown(example)}: what it finds, and where it is silent")
    complain(f"try it: sycllint check {shown(example)} --select {code}")
    return 0


def _checked(code: str, name: str) -> tuple[str, str]:
    if not _CODE.fullmatch(code):
        raise SycllintError(f"{code} is not a code, as ACME101 is: two to eight letters, three to five digits")
    if not _NAME.fullmatch(name) or keyword.iskeyword(name):
        raise SycllintError(f"{name} is not a name, as work-group-exceeds-max is")
    for rule in all_rules():
        if rule.code == code:
            raise SycllintError(f"{code} is {rule.name} already")
        if rule.name == name:
            raise SycllintError(f"{name} is the name of {rule.code} already")
    return code, name


def _named(folder: str) -> RulePack:
    name = os.path.basename(os.path.abspath(folder))
    if not name.isidentifier():
        raise SycllintError(f"--pack {folder}: {name} is not the name of a package")
    return RulePack(name, folder, _project_root(os.path.dirname(os.path.abspath(folder))))


def _nearest(start: str) -> RulePack:
    """The pack of the nearest project, from a folder upwards."""
    root = _project_root(start)
    for name in _entry_points(os.path.join(root, "pyproject.toml")):
        for above in _SOURCE_ROOTS:
            folder = os.path.join(root, above, *name.split("."))
            if os.path.isdir(folder):
                return RulePack(name, folder, root)
    raise SycllintError(
        f"no rule pack here: pyproject.toml names none that is there; --pack DIR names one, and "
        f'[project.entry-points."{ENTRY_POINTS}"] makes it known'
    )


def _project_root(start: str) -> str:
    """The nearest folder upwards with a ``pyproject.toml``; else where we began."""
    upwards = (start, *map(str, Path(start).parents))
    return next((each for each in upwards if os.path.isfile(os.path.join(each, "pyproject.toml"))), start)


def _entry_points(path: str) -> Iterator[str]:
    import tomllib

    try:
        with open(path, "rb") as stream:
            document: dict[str, object] = tomllib.load(stream)
    except FileNotFoundError:
        return
    except (OSError, tomllib.TOMLDecodeError) as error:
        raise SycllintError(f"not read: {error}", path=shown(path)) from None
    table: object = document
    for key in ("project", "entry-points", ENTRY_POINTS):
        table = table.get(key) if isinstance(table, dict) else None
    if isinstance(table, dict):
        yield from (each for each in table.values() if isinstance(each, str))


def _family(code: str, pack: RulePack) -> tuple[str, ...]:
    """The folder of a code's family in our own pack, where each has one."""
    if pack.name != OWN_PACK:
        return ()
    for rule in all_rules():
        if rule.code[:-FAMILIES_END] == code[:-FAMILIES_END]:
            return (rule.family.replace("-", "_"),)
    raise SycllintError(f"no family has codes like {code}; `sycllint rules` lists them")


def _write(path: str, text: str) -> None:
    try:
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "x", encoding="utf-8", newline="\n") as stream:
            stream.write(text)
    except OSError as error:
        raise SycllintError(f"{shown(path)}: not written: {error.strerror}") from None
