"""The table of a pack: what is known of its rules before one of them is loaded.

A run asks for a third of the rules, and to load them all takes as long as to analyse a file. So a pack may have a
table beside its modules, with the head of each rule; ``sycllint rules --table PACK`` writes it.
"""

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from importlib import import_module
from typing import Generic, TypeAlias

from sycllint.diagnostic import Severity
from sycllint.host.unit import SourceUnit
from sycllint.launch.kernel import KernelLaunch
from sycllint.rule import Fact, Finding, KernelDemand, Outcome, Rule
from sycllint.target import Target

AnyRule: TypeAlias = Rule[KernelLaunch] | Rule[SourceUnit]
"""A rule on one of the facts that rules are written on."""

TABLE = "rules.tsv"
"""The name of the table in the folder of the package. A line has a module and the head of its rule, if it has one."""

_COLUMNS = 8
"""The number of columns of a line with a rule, including its module."""
_LAUNCH, _UNIT = "launch", "unit"
_OFF, _MUTED = "off", "muted-in-tests"
_KERNELS = {f"{each}-kernels": each for each in KernelDemand if each is not KernelDemand.ALL}


def read_table(folder: str) -> Mapping[str, AnyRule | None] | None:
    """By module its rule or that it has none; ``None`` without a table that can be read.

    The rules are loaded when their check is made or their page asked for.
    """
    try:
        with open(os.path.join(folder, TABLE), encoding="utf-8") as stream:
            lines = stream.read().splitlines()
    except (OSError, UnicodeDecodeError):
        return None
    rows = (line.split("\t") for line in lines if line)
    # A line as another version writes it is left out: its rule is found by loading the module.
    return {module: _rule(module, columns) for module, *columns in rows if len(columns) in (0, _COLUMNS - 1)}


def written_table(modules: Iterable[str], rules: Iterable[AnyRule]) -> str:
    """The table of the rules in ``modules``; those with several rules are left out, and so found by loading them."""
    lines: dict[str, list[str]] = {each: [each] for each in modules}
    for rule in rules:
        lines[rule.module].append("\t".join([rule.module, *_columns(rule)]))
    return "".join(f"{found[-1]}\n" for _, found in sorted(lines.items()) if len(found) <= 2)


def _columns(rule: AnyRule) -> Iterator[str]:
    yield rule.name.replace("-", "_")
    yield rule.code
    yield rule.severity.name
    yield _LAUNCH if rule.fact is KernelLaunch else _UNIT
    words = [word for word, kernels in _KERNELS.items() if rule.kernels is kernels]
    yield ",".join([*([] if rule.enabled else [_OFF]), *([_MUTED] if rule.muted_in_tests else []), *words])
    yield ",".join(sorted(rule.seen))
    yield ",".join(sorted(rule.reads))


def _rule(module: str, columns: list[str]) -> AnyRule | None:
    if not columns:
        return None
    on_launch = columns[3] == _LAUNCH
    return _head(KernelLaunch, module, columns) if on_launch else _head(SourceUnit, module, columns)


def _head(fact: type[Fact], module: str, columns: list[str]) -> Rule[Fact]:
    function, code, severity, _, words, seen, reads = columns
    check: _Check[Fact] = _Check(module, function)
    said = words.split(",")
    return Rule(
        code=code,
        name=function.replace("_", "-"),
        severity=Severity[severity],
        fact=fact,
        check=check,
        enabled=_OFF not in said,
        muted_in_tests=_MUTED in said,
        module=module,
        seen=_kinds(seen),
        reads=_kinds(reads),
        kernels=next((_KERNELS[each] for each in said if each in _KERNELS), KernelDemand.ALL),
        outcomes=check.outcomes,
    )


def _kinds(column: str) -> frozenset[str]:
    return frozenset(column.split(",")) if column else frozenset()


class _Check(Generic[Fact]):
    """The check of a rule that is loaded when the check is first made."""

    def __init__(self, module: str, function: str) -> None:
        self._module = module
        self._function = function
        self._loaded: Rule[Fact] | None = None

    def __call__(self, fact: Fact, target: Target) -> Sequence[Finding]:
        return self._rule().check(fact, target)

    def outcomes(self, fact: Fact, target: Target) -> Sequence[Outcome]:
        """The findings, and the reasons for silence."""
        outcomes = self._rule().outcomes
        return () if outcomes is None else outcomes(fact, target)

    def _rule(self) -> Rule[Fact]:
        if self._loaded is None:
            self._loaded = getattr(import_module(self._module), self._function)
        return self._loaded
