"""Rules that are silent, folded: one line for those with the same reason, one for the others of each family."""

from collections.abc import Iterator, Sequence

from sycllint.grouping import grouped
from sycllint.heads import AnyRule
from sycllint.report.terminal.summary import plural

HINT = "(--all lists each with its reason)"


def folded(silences: Sequence[tuple[AnyRule, str]]) -> Iterator[str]:
    """``12 rules are silent: off by default``, the most frequent reason first; then the families.

    ``silences``: each rule with its reason. What follows a colon in a reason are the numbers of one rule.
    """
    by_reason = grouped((reason.partition(":")[0], rule) for rule, reason in silences)
    shared = {reason: rules for reason, rules in by_reason.items() if len(rules) > 1}
    for reason, rules in sorted(shared.items(), key=lambda each: -len(each[1])):
        yield f"{plural(len(rules), 'rule')} are silent: {reason}"
    families: dict[str, list[AnyRule]] = {}
    for rules in by_reason.values():
        if len(rules) == 1:
            families.setdefault(rules[0].family, []).extend(rules)
    for family, rules in families.items():
        codes = ", ".join(sorted(rule.code for rule in rules))
        are = "is" if len(rules) == 1 else "are"
        yield f"{plural(len(rules), 'rule')} on {family} {are} silent: {codes}"
