"""The words of a file that may be called, and what is kept of a file."""

from sycllint.facts.called import words_called
from sycllint.facts.collect import file_facts
from sycllint.facts.file import FileFacts
from sycllint.facts.postings import FileSet, Postings

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
    files = FileSet([file_facts("a.cpp", TEXT, {}), file_facts("b.cpp", b"void away() { near(1); }", {})])
    called = {name: [each.path for each in files.may_call(name)] for name in ("far", "near", "gone", "operator()")}
    assert called == {"far": ["a.cpp"], "near": ["a.cpp", "b.cpp"], "gone": [], "operator()": ["a.cpp", "b.cpp"]}


def test_files_that_declare_a_name_come_in_the_order_of_the_set() -> None:
    one, other, third = (file_facts(path, b"void each(); int n;", {}) for path in ("1.cpp", "2.cpp", "3.cpp"))
    postings = Postings()
    assert FileSet((one, other), postings).declaring("functions", "each") == [one, other]
    assert FileSet((third, other, one), postings).declaring("functions", "each") == [third, other, one]
    assert FileSet((other,), postings).declaring("functions", "each") == [other]
    assert FileSet((other,), postings).declaring("structs", "each") == []


def test_what_is_made_of_a_file_is_made_once() -> None:
    made: list[FileFacts] = []

    def path(facts: FileFacts) -> str:
        made.append(facts)
        return facts.path

    facts = file_facts("a.cpp", TEXT, {})
    assert (facts.once(path), facts.once(path), len(made)) == ("a.cpp", "a.cpp", 1)


def test_who_calls_a_name_is_found_without_reading_a_body() -> None:
    filling = b" int each = 1;" * 20
    caller = b"void caller(int n) { step<int>(n); one < n;%b }" % filling
    text = caller + b" void other() { stepped(1); step = 1;%b }" % filling
    facts = file_facts("a.cpp", text, {})
    files = FileSet([facts])
    assert (files.callers("step"), files.callers("one")) == ({"caller"}, set())
    body = facts.functions["caller"][0].node.body
    assert body is not None
    assert not body.is_read
