"""The pages of the rules as a folder of Markdown: one file each, and an index by family and severity."""

from collections.abc import Iterator, Mapping, Sequence

from sycllint.diagnostic import Severity
from sycllint.heads import AnyRule
from sycllint.report.rule_pages.page import markdown

INDEX = "README.md"
_MADE = "<!-- Made from the rules by `sycllint rules --docs`; the text is the docstring of the rule's module. -->"


def catalogue(rules: Sequence[AnyRule]) -> Mapping[str, str]:
    """File name to text, the index first."""
    addresses = {rule.code: _file(rule) for rule in rules}
    return {INDEX: _index(rules), **{_file(rule): _page(rule, addresses) for rule in rules}}


def _file(rule: AnyRule) -> str:
    return f"{rule.code}-{rule.name}.md"


def _page(rule: AnyRule, addresses: Mapping[str, str]) -> str:
    facts = [f"family [{rule.family}]({INDEX}#{rule.family})", rule.severity.label]
    facts.append("on by default" if rule.enabled else "off by default")
    if rule.muted_in_tests:
        facts.append("silent in test trees")
    others = {code: address for code, address in addresses.items() if code != rule.code}
    return "\n".join([_MADE, "", f"# {rule.code} {rule.name}", "", ", ".join(facts), "", markdown(rule.page, others)])


def _index(rules: Sequence[AnyRule]) -> str:
    return "\n".join([_MADE, "", "# Rules", "", *_by_family(rules), "## By severity", "", *_by_severity(rules), ""])


def _by_family(rules: Sequence[AnyRule]) -> Iterator[str]:
    for family in dict.fromkeys(rule.family for rule in rules):
        yield from (f"## {family}", "", "| rule | severity | finds |", "|---|---|---|")
        for rule in rules:
            if rule.family == family:
                summary = markdown(rule.summary).strip().replace("|", "\\|")
                off = "" if rule.enabled else ", off by default"
                yield f"| [{rule.code} {rule.name}]({_file(rule)}) | {rule.severity.label}{off} | {summary} |"
        yield ""


def _by_severity(rules: Sequence[AnyRule]) -> Iterator[str]:
    for severity in sorted(Severity, reverse=True):
        links = [f"[{rule.code}]({_file(rule)})" for rule in rules if rule.severity is severity]
        if links:
            yield f"- {severity.label}: {', '.join(links)}"
