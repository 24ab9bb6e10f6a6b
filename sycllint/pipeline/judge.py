"""Rules applied to a fact: what each finds on each target, and how far it holds when the target was our guess."""

from collections.abc import Sequence

from sycllint.diagnostic import Diagnostic, Severity
from sycllint.launch.kernel import KernelLaunch
from sycllint.pipeline.join import Verdict, join, severity, weakened
from sycllint.pipeline.run import Run
from sycllint.pipeline.targets import Choice
from sycllint.record import record
from sycllint.rule import Fact, Finding, Rule
from sycllint.target import Target


@record
class Judge:
    """What one run asks of its rules."""

    run: Run
    targets: tuple[Target, ...]
    assumed: bool
    """They are our guess."""

    @classmethod
    def on(cls, run: Run, choice: Choice) -> "Judge":
        """With nothing worked out yet for the devices of ``choice``."""
        return cls(run, tuple(Target(device, choice.devices) for device in choice.devices), choice.assumed)

    def diagnostics(self, rule: Rule[Fact], fact: Fact, place: str) -> list[Diagnostic]:
        """What ``rule`` says of ``fact``; ``place`` names it, should the rule crash."""
        found = [(target, finding) for target in self.targets for finding in self._findings(rule, fact, target, place)]
        # Most rules have nothing to say of most facts.
        return join(rule, self._verdicts(rule, fact, found, place)) if found else []

    def _verdicts(
        self, rule: Rule[Fact], fact: Fact, found: Sequence[tuple[Target, Finding]], place: str
    ) -> list[Verdict]:
        if not self.assumed:
            return [Verdict(target.name, finding) for target, finding in found]
        # The target is our guess, so what hangs on it is not proved, unless it is so on every GPU we know.
        return [
            Verdict(target.name, finding if self._everywhere(rule, fact, finding, place) else weakened(finding))
            for target, finding in found
        ]

    def _everywhere(self, rule: Rule[Fact], fact: Fact, finding: Finding, place: str) -> bool:
        if not finding.device_specific:
            return True
        if severity(rule, finding) is not Severity.ERROR:
            return False
        from sycllint.hardware.profiles import devices

        return all(
            any(
                other.location == finding.location and severity(rule, other) is Severity.ERROR
                for other in self._findings(rule, fact, Target(device), place)
            )
            for device in devices()
        )

    def _findings(self, rule: Rule[Fact], fact: Fact, target: Target, place: str) -> list[Finding]:
        found = self.run.guarded(f"{place}: {rule.code} crashed", lambda: list(rule.check(fact, target))) or []
        if found and isinstance(fact, KernelLaunch) and fact.elsewhere:
            return [each for each in found if not each.device_specific]
        return found
