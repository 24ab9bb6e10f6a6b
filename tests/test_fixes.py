"""Fixes are whole: what one of them fixes is fixed, nothing else breaks, and nothing is left for a second time."""

from collections import Counter
from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher
from pathlib import Path

import pytest

from sycllint.diagnostic import Diagnostic, Severity
from sycllint.facts.collect import file_facts
from sycllint.pipeline import check
from sycllint.pipeline.fixing import apply_fixes
from sycllint.source.edit import Applicability, applied, compatible, edits_of
from tests.test_fixtures import FILES, FIXTURES, RESIDENT, configured


def _id(path: Path) -> str:
    return path.relative_to(FIXTURES).as_posix()


@pytest.mark.parametrize("path", FILES, ids=_id)
def test_a_round_of_fixes_settles_what_it_fixes_and_the_last_leaves_nothing_new(path: Path) -> None:
    configs, before = configured(path)
    fixes, _ = compatible(each.fix for each in before if each.fix is not None and _is_safe(each))
    if not fixes:
        return
    name, text = fixes[0].edits[0].location.path, path.read_bytes()
    once = applied(text, edits_of(fixes, name))
    after = check([name], configs, texts={name: once}, resident=RESIDENT).diagnostics
    fixed = [each for each in before if each.fix in fixes]
    assert list(_still_there(_Text(text, before), _Text(once, after), _Text(text, fixed))) == []
    assert _damage(name, once) <= _damage(name, text)

    end = once
    if any(map(_is_safe, after)):
        rest = apply_fixes([name], configs, texts={name: once}, resident=RESIDENT)
        end, after = rest.files[0].after, rest.result.diagnostics
        assert [each for each in after if _is_safe(each)] == []
        assert apply_fixes([name], configs, texts={name: end}, resident=RESIDENT).files == ()
    assert list(_new(_Text(text, before), _Text(end, after))) == []


def _is_safe(diagnostic: Diagnostic) -> bool:
    fix = diagnostic.fix
    return fix is not None and bool(fix.edits) and fix.applicability is Applicability.SAFE


def _damage(path: str, content: bytes) -> int:
    return len(file_facts(path, content, {}).damaged)


class _Text:
    """A text and what is found in it."""

    def __init__(self, content: bytes, diagnostics: Sequence[Diagnostic]) -> None:
        self.lines = content.split(b"\n")
        self._found = [(content.count(b"\n", 0, each.location.span.start), each) for each in diagnostics]

    def at(self, lines: range) -> list[Diagnostic]:
        return [each for line, each in self._found if line in lines]

    def codes(self, lines: range) -> Counter[str]:
        return Counter(each.code for each in self.at(lines))


def _pairs(one: _Text, other: _Text) -> Iterator[tuple[range, range]]:
    """Lines that stand for each other, as few together as possible."""
    for _, start, end, from_, to in SequenceMatcher(None, one.lines, other.lines, autojunk=False).get_opcodes():
        if end - start == to - from_:
            yield from ((range(start + k, start + k + 1), range(from_ + k, from_ + k + 1)) for k in range(end - start))
        else:
            yield range(start, end), range(from_, to)


def _still_there(before: _Text, after: _Text, fixed: _Text) -> Iterator[str]:
    """Rules that say as much of a place as before they were fixed there."""
    for old, new in _pairs(before, after):
        had, has = before.codes(old), after.codes(new)
        for code, count in fixed.codes(old).items():
            if has[code] > had[code] - count:
                yield f"{old.start + 1}: {code} {[each.message for each in after.at(new) if each.code == code]}"


def _new(before: _Text, after: _Text) -> Iterator[str]:
    """Warnings and errors of rules that had none at the place."""
    for old, new in _pairs(before, after):
        had, has = before.codes(old), after.codes(new)
        for each in after.at(new):
            if each.severity is not Severity.NOTE and has[each.code] > had[each.code]:
                yield f"{new.start + 1}: {each.code} {each.message}"
