"""Why a rule is silent on a launch: what the rule itself says, else what the analyses did not see in the kernel."""

from collections.abc import Sequence

from sycllint.launch.kernel import KernelLaunch
from sycllint.rule import Rule
from sycllint.target import Target

_LISTED = 3


def why_silent(rule: Rule[KernelLaunch], launches: Sequence[KernelLaunch], targets: Sequence[Target]) -> str:
    """In words that follow ``silent:``; of several launches and targets each reason once. Empty when none is known."""
    if rule.seen and not any(rule.concerns(launch.kernel.seen.kinds) for launch in launches):
        return _unseen(rule, launches)
    reasons = dict.fromkeys(rule.silence(launch, target) for launch in launches for target in targets)
    known = [each for each in reasons if each]
    if known:
        more = f"; and {len(known) - _LISTED} more reasons" if len(known) > _LISTED else ""
        return "; ".join(known[:_LISTED]) + more
    if rule.seen:
        return f"what the kernel has of the kind is not what this rule reports: {_summary(rule)}"
    return ""


def _unseen(rule: Rule[KernelLaunch], launches: Sequence[KernelLaunch]) -> str:
    """That the kernel has nothing of what the rule judges, as far as it is visible."""
    kernel = launches[0].kernel
    if not kernel.body_found:
        return "the kernel is not visible, and this rule judges what a kernel does"
    where = "not found in the visible part of the kernel" if kernel.calls_unknown else "not found in the kernel"
    return f"{where}: {_summary(rule)}"


def _summary(rule: Rule[KernelLaunch]) -> str:
    """The first line of the rule's page, as the end of a sentence."""
    text = rule.summary.removesuffix(".").replace("``", "`")
    return text[:1].lower() + text[1:]
