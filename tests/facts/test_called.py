"""The words of a file that may be called, and what is kept of a file."""

from sycllint.facts.called import sought, words_called
from sycllint.facts.collect import file_facts
from sycllint.facts.file import FileFacts

TEXT = b"""
void far(int n);
template <int N> void sized();
void near(int n) { far /* one */ (n); sized<8>(); int other = n; apply\n(other); }
"""


def test_a_word_before_a_parenthesis_or_an_angle_bracket_may_be_called() -> None:
    facts = file_facts("a.cpp", TEXT, {})
    assert {"far", "sized", "apply"} <= facts.once(words_called)
    assert "other" not in facts.once(words_called)


def test_names_that_are_no_words_may_be_called_anywhere() -> None:
    facts = file_facts("a.cpp", TEXT, {})
    assert sought({"far", "away", "operator()"}).may_be_in(facts) == {"far", "operator()"}


def test_what_is_made_of_a_file_is_made_once() -> None:
    made: list[FileFacts] = []

    def path(facts: FileFacts) -> str:
        made.append(facts)
        return facts.path

    facts = file_facts("a.cpp", TEXT, {})
    assert (facts.once(path), facts.once(path), len(made)) == ("a.cpp", "a.cpp", 1)
