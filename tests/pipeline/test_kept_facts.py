"""The facts that a run keeps: those asked for last, and nothing of the others."""

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
