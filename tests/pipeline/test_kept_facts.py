"""The facts that a run keeps: those asked for last, and nothing of the others."""

import pytest

from sycllint.pipeline import kept_facts
from sycllint.pipeline.kept_facts import KeptFacts
from sycllint.source.text import SourceFile

TEXT = b"int size() { return 3; }\n"


def test_facts_that_are_dropped_know_nothing_that_knows_them() -> None:
    kept = KeptFacts(most=len(TEXT))
    first = kept.of("a.cpp", SourceFile("a.cpp", TEXT), {})
    first.once(lambda facts: [facts])
    assert first.made
    second = kept.of("b.cpp", SourceFile("b.cpp", TEXT), {})
    second.once(lambda facts: [facts])
    assert kept.drops == 1
    assert not first.made
    assert second.made


def test_what_was_not_asked_for_in_a_long_time_goes_where_there_is_much_of_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kept_facts, "UNUSED_BYTES", 2 * len(TEXT))
    kept = KeptFacts()
    paths = ("old.cpp", "header.hpp", "new.cpp")
    old, header, _ = (kept.of(each, SourceFile(each, TEXT), {}) for each in paths)
    for _ in range(kept_facts.UNUSED_FILES + 1):
        assert kept.has_all([old, header])
        kept.next_file()
        assert kept.of("header.hpp", SourceFile("header.hpp", TEXT), {}) is header
    # The two that are left are not too much.
    assert kept.drops == 1
    assert kept.has_all([header])
    assert not kept.has_all([old])
