"""Rules applied to a fact: what each finds on each target, and how far it holds where no target was named."""

from collections.abc import Sequence

from sycllint.diagnostic import Diagnostic, Severity
from sycllint.launch.device_numbers import answers
from sycllint.launch.kernel import KernelLaunch
from sycllint.pipeline.join import TargetFinding, as_note, join, severity, weakened
from sycllint.pipeline.run import Run
from sycllint.pipeline.targets import FileTargets
from sycllint.record import record
from sycllint.rule import Fact, Finding, Rule
from sycllint.target import Target


@record
class Judge:
    """What one run asks of its rules."""

    run: Run
    targets: tuple[Target, ...]
    decisive: frozenset[str]
    """Where no targets were named: those on all of which a finding has to hold to be more than a note."""

    @classmethod
    def on(cls, run: Run, choice: FileTargets) -> "Judge":
        """With nothing worked out yet for the devices of ``choice``."""
        named = () if choice.assumed else choice.devices
        return cls(run, tuple(Target(device, named) for device in choice.devices), choice.decisive)

    def diagnostics(self, rule: Rule[Fact], fact: Fact, place: str) -> list[Diagnostic]:
        """What ``rule`` says of ``fact``; ``place`` names it, should the rule crash."""
        what = f"{place}: {rule.code} crashed"
        found = self._found(rule, fact, what)
        # Most rules have nothing to say of most facts.
        return join(rule, self._verdicts(rule, fact, found, what)) if found else []

    def _found(self, rule: Rule[Fact], fact: Fact, what: str) -> list[tuple[Target, Finding]]:
        """The findings on each target; a rule that did not look at the first says the same on all."""
        first, *others = self.targets
        first.asked = False
        findings = self._findings(rule, fact, first, what)
        found = [(first, finding) for finding in findings]
        if first.asked or findings:
            for target in others:
                here = self._findings(rule, fact, target, what) if first.asked else findings
                if here:
                    found += [(target, finding) for finding in here]
        return found

    def _verdicts(
        self, rule: Rule[Fact], fact: Fact, found: Sequence[tuple[Target, Finding]], what: str
    ) -> list[TargetFinding]:
        if not self.decisive:
            return [TargetFinding(target.name, finding) for target, finding in found]
        said: dict[object, dict[str, Severity]] = {}
        for target, finding in found:
            said.setdefault(_subject(finding), {})[target.name] = severity(rule, finding)

        def carried(finding: Finding) -> Finding | None:
            """What is left of a finding on a device that was not named."""
            if not finding.device_specific:
                return finding
            on = said[_subject(finding)]
            weights = [on.get(name) for name in self.decisive]
            if all(each is not None and each > Severity.NOTE for each in weights):
                return finding if self._everywhere(rule, fact, finding, what) else weakened(finding)
            # A mere note about older GPUs that were not named is of no use.
            return as_note(finding) if any(weights) or max(on.values()) > Severity.NOTE else None

        verdicts = ((target, carried(finding)) for target, finding in found)
        return [TargetFinding(target.name, finding) for target, finding in verdicts if finding is not None]

    def _everywhere(self, rule: Rule[Fact], fact: Fact, finding: Finding, what: str) -> bool:
        """Whether it is an error on every GPU we know."""
        if severity(rule, finding) is not Severity.ERROR:
            return False
        from sycllint.hardware.profiles import devices

        return all(
            any(
                other.location == finding.location and severity(rule, other) is Severity.ERROR
                for other in self._findings(rule, fact, Target(device), what)
            )
            for device in devices()
        )

    def _findings(self, rule: Rule[Fact], fact: Fact, target: Target, what: str) -> Sequence[Finding]:
        found = self.run.guarded(what, rule.check, fact, target) or ()
        if not found or not isinstance(fact, KernelLaunch) or not any(each.device_specific for each in found):
            return found
        if fact.elsewhere or fact.circumstances.keep_out(answers(target.device)):
            return [each for each in found if not each.device_specific]
        return found


def _subject(finding: Finding) -> object:
    """What a finding is about, whatever the device."""
    return finding.location, finding.subject
