"""The unit of checking: one rule, one module, one function.

A rule is a function from a fact (a launch) and a target to findings, marked with ``@rule``. Its module's docstring is
the page a user reads. It never sees a syntax node.
"""

from collections.abc import Callable, Collection, Iterator, Sequence
from enum import StrEnum
from typing import Generic, Protocol, TypeAlias, TypeVar

from sycllint.diagnostic import Evidence, Related, Severity
from sycllint.observation import Observations
from sycllint.record import record, replace
from sycllint.source.edit import Fix
from sycllint.source.span import Location
from sycllint.target import Target

Fact = TypeVar("Fact")
Record = TypeVar("Record")


class HasRecords(Protocol):
    """A fact with the records that analyses made of it."""

    @property
    def seen(self) -> Observations:
        """The records."""


Holder = TypeVar("Holder", bound=HasRecords)


@record
class Finding:
    """What a check yields; the pipeline joins equal subjects over targets into one diagnostic.

    The message reads ``{subject} {verdict}``, and for findings that depend on the device ``{subject} {verdict} on tgl,
    dg2``; where targets differ in the verdict, ``{subject} {verdict} on tgl; {verdict} on gen9``.
    """

    location: Location
    subject: str
    verdict: str
    evidence: Evidence = Evidence.PROVED
    severity: Severity | None = None
    """Only to say less than the rule's own severity."""
    device_specific: bool = True
    related: tuple[Related, ...] = ()
    help: str = ""
    fix: Fix | None = None
    tally: str = ""
    """What it counts as, in one or two words, when a file may hold hundreds of its kind: see ``Diagnostic``."""


@record
class Silent:
    """Why a check finds nothing: text that follows ``silent:`` where ``explain`` prints it.

    A check may also yield one after findings, about something else that it checked; it is then ignored.
    """

    reason: str


class KernelDemand(StrEnum):
    """The launches of which a rule asks what their kernels do: they are looked through for it."""

    ALL = "all"
    OVERSIZED = "oversized"
    """Those whose work-groups may be larger than one of the devices takes."""
    NONE = "none"


Outcome: TypeAlias = Finding | Silent
"""What a check says."""
Said = TypeVar("Said", bound=Outcome)
Check: TypeAlias = Callable[[Fact, Target], Iterator[Outcome] | Outcome | None]
"""A check says one thing, or yields several."""


@record
class Rule(Generic[Fact]):
    """A registered check and its metadata."""

    code: str
    name: str
    severity: Severity
    fact: type[Fact]
    check: Callable[[Fact, Target], Sequence[Finding]]
    enabled: bool
    muted_in_tests: bool
    module: str
    seen: frozenset[str] = frozenset()
    """The names of the kinds of records that it judges, where it has nothing to say of a fact without any of them."""
    reads: frozenset[str] = frozenset()
    """The names of other kinds of records that it looks at."""
    kernels: KernelDemand = KernelDemand.ALL
    """The launches of which it asks what their kernels do."""
    outcomes: Callable[[Fact, Target], Sequence[Outcome]] | None = None
    """The check with its reasons for silence; ``None`` where it gives none."""

    def silence(self, fact: Fact, target: Target) -> str:
        """Why it finds nothing in ``fact``; empty when it does find something, and when it gives no reason."""
        outcomes = self.outcomes(fact, target) if self.outcomes is not None else ()
        if any(isinstance(each, Finding) for each in outcomes):
            return ""
        return next((each.reason for each in outcomes if isinstance(each, Silent)), "")

    @property
    def page(self) -> str:
        """The rule's documentation: its module's docstring."""
        from importlib import import_module

        return (import_module(self.module).__doc__ or "").strip()

    @property
    def family(self) -> str:
        """The package of the rule: ``launch``, ``local-memory``."""
        return self.module.rpartition(".")[0].rpartition(".")[2].replace("_", "-")

    @property
    def summary(self) -> str:
        """The first line of the page."""
        return self.page.partition("\n")[0]

    @property
    def kinds(self) -> frozenset[str]:
        """The names of all kinds of records that it asks for."""
        return self.seen | self.reads

    def concerns(self, kinds: Collection[str]) -> bool:
        """Whether it may have something to say of a fact with records of these kinds."""
        return not self.seen or not self.seen.isdisjoint(kinds)


def rule(
    code: str,
    severity: Severity,
    *,
    on: type[Fact],
    seen: type | tuple[type, ...] = (),
    reads: type | tuple[type, ...] = (),
    kernels: KernelDemand = KernelDemand.ALL,
    enabled: bool = True,
    muted_in_tests: bool = False,
) -> Callable[[Check[Fact]], Rule[Fact]]:
    """Make a check a rule. The function's name becomes the rule's, with dashes.

    A rule that only judges what an analysis has ``seen`` names the classes of those records: it is loaded and asked
    where there is one. ``reads`` has the classes of the other records that it uses: a run computes only records of the
    kinds that its rules name. Nor does it look through kernels of which no rule asks: of other launches than those in
    ``kernels``, ``launch.kernel`` and ``launch.barrier`` say that the kernel was not found, and ``local_memory`` knows
    accessors alone. ``enabled`` is whether the rule runs when the configuration does not name it;
    ``muted_in_tests`` keeps it silent on files of test trees, where odd sizes are deliberate.
    """

    def register(check: Check[Fact]) -> Rule[Fact]:
        return Rule(
            code=code,
            name=check.__name__.replace("_", "-"),
            severity=severity,
            fact=on,
            check=_said(check, Finding),
            enabled=enabled,
            muted_in_tests=muted_in_tests,
            module=check.__module__,
            seen=_names(seen),
            reads=_names(reads),
            kernels=kernels,
            outcomes=_said(check, Finding, Silent),
        )

    return register


def record_rule(
    code: str,
    severity: Severity,
    *,
    on: type[Holder],
    seen: type[Record],
    enabled: bool = True,
    muted_in_tests: bool = False,
) -> Callable[[Callable[[Record], Finding | None]], Rule[Holder]]:
    """Make a function a rule that judges each record of one kind by itself, and so says the same for every device."""

    def register(judge: Callable[[Record], Finding | None]) -> Rule[Holder]:
        def check(fact: Holder, target: Target) -> Iterator[Finding]:
            for each in fact.seen.of(seen):
                found = judge(each)
                if found is not None:
                    yield replace(found, device_specific=False)

        check.__name__, check.__module__ = judge.__name__, judge.__module__
        return rule(code, severity, on=on, seen=seen, enabled=enabled, muted_in_tests=muted_in_tests)(check)

    return register


def _names(kinds: type | tuple[type, ...]) -> frozenset[str]:
    return frozenset(each.__name__ for each in (kinds if isinstance(kinds, tuple) else (kinds,)))


def _said(check: Check[Fact], *kinds: type[Said]) -> Callable[[Fact, Target], Sequence[Said]]:
    """What ``check`` says that is of these kinds."""

    def said(fact: Fact, target: Target) -> Sequence[Said]:
        found = check(fact, target)
        if found is None:
            return ()
        if isinstance(found, Finding | Silent):
            return (found,) if isinstance(found, kinds) else ()
        return [each for each in found if isinstance(each, kinds)]

    return said
