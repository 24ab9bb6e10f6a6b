"""Rules applied to a fact: what each finds on each target, and how far it holds when the target was our guess."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from sycllint.config import Config, target_devices
from sycllint.diagnostic import Diagnostic, Severity
from sycllint.hardware.device import Device
from sycllint.pipeline.join import Verdict, join, severity, weakened
from sycllint.pipeline.run import Run
from sycllint.rule import Fact, Finding, Rule
from sycllint.target import Target

ASSUMED_TARGET = "tgl"
"""What a run is checked against when no target is configured."""


def devices_of(config: Config) -> tuple[Device, ...]:
    """The configured targets, or the one that is assumed."""
    if config.targets:
        return target_devices(config)
    from sycllint.hardware.profiles import device

    return (device(ASSUMED_TARGET),)


@dataclass(frozen=True, slots=True)
class Judge:
    """What one run asks of its rules."""

    run: Run
    targets: tuple[Target, ...]

    @classmethod
    def on(cls, run: Run, devices: Sequence[Device]) -> "Judge":
        """With nothing worked out yet for ``devices``."""
        return cls(run, tuple(map(Target, devices)))

    def diagnostics(self, rule: Rule[Fact], fact: Fact, place: str) -> list[Diagnostic]:
        """What ``rule`` says of ``fact``; ``place`` names it, should the rule crash."""
        return join(rule, self._verdicts(rule, fact, place))

    def _verdicts(self, rule: Rule[Fact], fact: Fact, place: str) -> list[Verdict]:
        found = [(target, finding) for target in self.targets for finding in self._findings(rule, fact, target, place)]
        if self.run.config.targets:
            return [Verdict(target.name, finding) for target, finding in found]
        # The target is our guess, so what hangs on it is not proved, unless it is so on every Intel GPU we know.
        return [
            Verdict(target.name, finding if self._everywhere(rule, fact, finding, place) else weakened(finding))
            for target, finding in found
        ]

    def _everywhere(self, rule: Rule[Fact], fact: Fact, finding: Finding, place: str) -> bool:
        if not finding.device_specific:
            return True
        if severity(rule, finding) is not Severity.ERROR:
            return False
        from sycllint.hardware.profiles import intel_devices

        return all(
            any(
                other.location == finding.location and severity(rule, other) is Severity.ERROR
                for other in self._findings(rule, fact, Target(device), place)
            )
            for device in intel_devices()
        )

    def _findings(self, rule: Rule[Fact], fact: Fact, target: Target, place: str) -> Iterator[Finding]:
        yield from self.run.guarded(f"{place}: {rule.code} crashed", lambda: list(rule.check(fact, target))) or ()
