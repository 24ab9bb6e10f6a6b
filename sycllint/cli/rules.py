"""List the rules: code, name, severity, whether the rule is on by default, and what it is about.

With a word only those that it is about, the closest first: ``sycllint rules LDS``, ``sycllint rules register spill``.
"""

import argparse
import os
import re
import sys
import textwrap

from sycllint.cli.search import about
from sycllint.cli.terminal import width_of, write
from sycllint.errors import SycllintError
from sycllint.heads import TABLE, AnyRule, written_table
from sycllint.registry import all_rules, imported, module_names, rules_of

_PAGE = re.compile(r"[A-Z]+\d+-[\w-]+\.md")


def run(arguments: argparse.Namespace) -> int:
    """Print the list."""
    word = " ".join(arguments.word)
    if word and (arguments.table is not None or arguments.docs is not None):
        raise SycllintError(f"{word}: --docs and --table write all rules")
    if arguments.table is not None:
        write_table(arguments.table)
        return 0
    if arguments.docs is not None:
        return write_docs(arguments.docs, all_rules())
    rules = about(word) if word else all_rules()
    write(as_json(rules) if arguments.json else table(rules, columns()))
    return 0


def columns() -> int:
    """How wide a list may be: only a terminal is too narrow for a summary; a file or a pipe gets the whole line."""
    return width_of(sys.stdout) if sys.stdout.isatty() else sys.maxsize


def write_table(pack: str) -> None:
    """Put the heads of a pack's rules into a file of its folder. Raises ``SycllintError`` for what is no pack."""
    package = imported(pack)
    folder = next(iter(getattr(package, "__path__", ())), None)
    if folder is None:
        raise SycllintError(f"--table {pack}: a module has no folder for a table, only a package has")
    write(written_table(module_names(package), rules_of(package)), os.path.join(folder, TABLE))


def write_docs(folder: str, rules: tuple[AnyRule, ...]) -> int:
    """Put the pages into ``folder``; pages of rules there are no more are taken out of it."""
    from sycllint.report.rule_pages.catalogue import catalogue

    pages = catalogue(rules)
    try:
        os.makedirs(folder, exist_ok=True)
        for name in os.listdir(folder):
            if _PAGE.fullmatch(name) and name not in pages:
                os.unlink(os.path.join(folder, name))
    except OSError as error:
        raise SycllintError(f"--docs {folder}: {error.strerror}") from None
    for name, text in pages.items():
        write(text, os.path.join(folder, name))
    return 0


def table(rules: tuple[AnyRule, ...], width: int) -> str:
    """One line per rule, the summary cut to ``width``."""
    names = max((len(rule.name) for rule in rules), default=0)
    lines = []
    for rule in rules:
        off = "" if rule.enabled else "(off) "
        start = f"{rule.code:<8} {rule.name:<{names}}  {rule.severity.label:<8} "
        lines.append(start + textwrap.shorten(off + rule.summary, max(20, width - len(start)), placeholder=" …"))
    return "\n".join([*lines, "", "`sycllint rule CODE` prints a rule's page.", ""])


def as_json(rules: tuple[AnyRule, ...]) -> str:
    """The list for programs."""
    import json

    entries = [
        {
            "code": rule.code,
            "name": rule.name,
            "severity": rule.severity.label,
            "enabled": rule.enabled,
            "muted_in_tests": rule.muted_in_tests,
            "summary": rule.summary,
            "page": rule.page,
        }
        for rule in rules
    ]
    return json.dumps({"rules": entries}, indent=2, ensure_ascii=False) + "\n"
