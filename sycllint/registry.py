"""The rules there are, and those a configuration chooses.

Every rule comes in by one door: the entry point group ``sycllint.rules``, whose value is a package. Each ``Rule`` in
the modules of that package is a rule, those of sycllint's own pack like any other's. Those in a table of the package
(``heads``) are loaded one by one, when they are asked.
"""

import os
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from types import ModuleType
from typing import cast

from sycllint.config import Config
from sycllint.diagnostic import Severity
from sycllint.errors import SycllintError
from sycllint.heads import AnyRule, read_table
from sycllint.nearest import near, suggestion
from sycllint.packs import OWN_LETTERS, OWN_PACK, installed, leave_out, left_out, pack_names
from sycllint.record import record
from sycllint.rule import Fact, Rule

FAMILIES_END = 2
"""A code's last two digits number it within its family: SYC1 stands for SYC1xx, SYC10 for SYC10xx."""


@cache
def all_rules() -> tuple[AnyRule, ...]:
    """Every rule of the packs installed, by code, without those of broken packs (``packs.left_out``).

    Raises ``SycllintError`` when our own pack is broken.
    """
    rules, broken = loaded(pack_names(installed(sys.path, os.getcwd())))
    leave_out(broken)
    return rules


def loaded(names: Iterable[str]) -> tuple[tuple[AnyRule, ...], tuple[str, ...]]:
    """The rules of the packages ``names``, and a sentence for each that does not load or takes another's code.

    One that is broken costs its own rules, unless it is ours: then ``SycllintError`` is raised.
    """
    found: dict[str, Sequence[AnyRule]] = {}
    broken: list[str] = []
    for name in names:
        try:
            more = {**found, name: listed_rules(imported(name))}
            collect(more)
        except SycllintError as error:
            if name == OWN_PACK:
                raise
            broken.append(f"{error.message}; linted without its rules")
        else:
            found = more
    return collect(found), tuple(broken)


def collect(packs: dict[str, Sequence[AnyRule]]) -> tuple[AnyRule, ...]:
    """The rules of ``packs`` (by package name) in one list, by code; no two may share a code or a name."""
    owners: dict[str, str] = {}
    for pack, rules in packs.items():
        for rule in rules:
            if rule.code.startswith(OWN_LETTERS) and pack != OWN_PACK:
                raise SycllintError(f"{pack} uses the code {rule.code}: codes in {OWN_LETTERS} are sycllint's own")
            for word in (rule.code, rule.name):
                if word in owners:
                    raise SycllintError(f"{word} is claimed by two rules, in {owners[word]} and in {rule.module}")
                owners[word] = rule.module
    return tuple(sorted((rule for rules in packs.values() for rule in rules), key=_code_order))


def listed_rules(package: ModuleType) -> tuple[AnyRule, ...]:
    """The rules of ``package``: those in its table unloaded, and those in modules that are not in it, loaded."""
    found: dict[int, AnyRule] = {}
    table: dict[str, AnyRule | None] = {}
    for folder in getattr(package, "__path__", ()):
        table |= read_table(folder) or {}
    for name in module_names(package):
        listed = table.get(name)
        if listed is not None:
            found[id(listed)] = listed
        elif name not in table:
            found |= {id(each): each for each in _rules_in(imported(name)) if each.module not in table}
    return tuple(found.values())


def rules_of(package: ModuleType) -> tuple[AnyRule, ...]:
    """The rules in the modules of ``package``, at any depth, each once and loaded."""
    found = {id(each): each for name in module_names(package) for each in _rules_in(imported(name))}
    return tuple(found.values())


def module_names(package: ModuleType) -> Iterator[str]:
    """The names of ``package`` and of its modules, at any depth."""
    yield package.__name__
    for folder in getattr(package, "__path__", ()):
        yield from _names_below(folder, package.__name__)


def chosen_rules(config: Config) -> tuple[AnyRule, ...]:
    """The rules that ``config`` turns on. The most specific word wins; between equals, ``ignore``.

    Raises ``SycllintError``, with file and line, for a word that no rule answers to.
    """
    rules = all_rules()
    select = [_Selector.of(word, "select", config, rules) for word in config.select]
    extended = [_Selector.of(word, "extend-select", config, rules) for word in config.extend_select]
    ignore = [_Selector.of(word, "ignore", config, rules) for word in config.ignore]
    return tuple(rule for rule in rules if _is_on(rule, select, extended, ignore))


def severities(config: Config) -> Mapping[str, Severity]:
    """By code, what findings weigh instead of what their rule says. The most specific word wins; errors as above."""
    rules = all_rules()
    chosen: dict[str, tuple[int, Severity]] = {}
    for word, severity in config.severity.items():
        selector = _Selector.of(word, "severity", config, rules)
        for rule in rules:
            precision = selector.precision(rule)
            if precision and precision >= chosen.get(rule.code, (0, severity))[0]:
                chosen[rule.code] = (precision, severity)
    return {code: severity for code, (_, severity) in chosen.items()}


@cache
def codes_of(word: str) -> frozenset[str]:
    """The codes of the rules that a word means: a code, a name, a family, ALL, or a pattern with ``*``."""
    if "*" in word:
        from fnmatch import fnmatchcase

        pattern = _folded(word)
        return frozenset(
            rule.code
            for rule in all_rules()
            if fnmatchcase(_folded(rule.code), pattern) or fnmatchcase(_folded(rule.name), pattern)
        )
    selector = _Selector(_folded(word).removesuffix("xx"))
    return frozenset(rule.code for rule in all_rules() if selector.precision(rule))


def closest_word(word: str) -> str | None:
    """The code or name that ``word`` is nearly; ``None`` when it is like none."""
    known = {_folded(each): each for rule in all_rules() for each in (rule.code, rule.name)}
    return next((known[each] for each in near(_folded(word), known)), None)


def rules_on(fact: type[Fact], rules: Sequence[AnyRule]) -> tuple[Rule[Fact], ...]:
    """The ``rules`` on ``fact``."""
    return tuple(cast("Rule[Fact]", each) for each in rules if each.fact is fact)


def find_rule(word: str) -> AnyRule:
    """The rule with this code or name, in any case. Raises ``SycllintError`` with the closest ones."""
    rules = all_rules()
    wanted = _folded(word)
    for rule in rules:
        if wanted in (_folded(rule.code), _folded(rule.name)):
            return rule
    raise SycllintError(f"unknown rule {word!r}; {_closest(word, rules)}")


@record
class _Selector:
    """A word that chooses rules: ALL, a pack's letters, a family by number or by name, a code, or a name."""

    word: str

    @classmethod
    def of(cls, word: str, key: str, config: Config, rules: Sequence[AnyRule]) -> "_Selector":
        selector = cls(_folded(word).removesuffix("xx"))
        foreign = not selector.word.startswith(OWN_LETTERS.lower())
        if not any(selector.precision(rule) for rule in rules) and not (foreign and left_out()):
            raise config.mistake(key, word, f"unknown rule {word!r}; {_closest(word, rules)}")
        return selector

    def precision(self, rule: AnyRule) -> int:
        """How closely the word means ``rule``: 0 not at all, 4 it alone."""
        code = _folded(rule.code)
        family = code[:-FAMILIES_END]
        words = ("all", family.rstrip("0123456789"), family, code)
        if self.word in words:
            return words.index(self.word) + 1
        return 4 if self.word == _folded(rule.name) else 3 if self.word == rule.family else 0


def _is_on(
    rule: AnyRule, select: Sequence[_Selector], extended: Sequence[_Selector], ignore: Sequence[_Selector]
) -> bool:
    chosen = max((selector.precision(rule) for selector in select), default=1 if rule.enabled else 0)
    wanted = max(chosen, *(selector.precision(rule) for selector in extended), 0)
    unwanted = max((selector.precision(rule) for selector in ignore), default=0)
    return wanted > unwanted


def _closest(word: str, rules: Sequence[AnyRule]) -> str:
    known = [each for rule in rules for each in (rule.code, rule.name)]
    spelt = word.upper() if word.upper().startswith(OWN_LETTERS) else word
    return suggestion(spelt, known, "`sycllint rules` lists them")


def _folded(word: str) -> str:
    return word.strip().lower().replace("_", "-")


def _code_order(rule: AnyRule) -> tuple[str, int, str]:
    letters = rule.code.rstrip("0123456789")
    return letters, int(rule.code[len(letters) :] or 0), rule.code


def imported(pack: str) -> ModuleType:
    """A pack, or one of its modules. Raises ``SycllintError`` when it cannot be imported."""
    from importlib import import_module

    try:
        return import_module(pack)
    except (Exception, SystemExit) as error:  # a pack is foreign code: whatever it raises is reported to the user
        raise SycllintError(f"the rule pack {pack} cannot be imported: {type(error).__name__}: {error}") from error


def _rules_in(module: ModuleType) -> Iterator[AnyRule]:
    return (value for value in vars(module).values() if isinstance(value, Rule))


def _names_below(folder: str, package: str) -> Iterator[str]:
    """Modules and packages in a folder; ``pkgutil`` knows archives, too, and takes as long as twenty rules."""
    with os.scandir(folder) as entries:
        found = sorted((entry.name, entry.path) for entry in entries)
    for name, path in found:
        if name.endswith(".py") and name != "__init__.py":
            yield f"{package}.{name.removesuffix('.py')}"
        elif "." not in name and os.path.exists(os.path.join(path, "__init__.py")):
            yield f"{package}.{name}"
            yield from _names_below(path, f"{package}.{name}")
