"""A rule's docstring as Markdown."""

from sycllint.report.page import description, markdown

PAGE = """\
A work-group larger than the device accepts.

The launch throws ``errc::nd_range``,
and no work-item runs.

Bad, on a small device::

    q.parallel_for(
      range);

    f();

Good::

    g();

Silent when a number is unknown.
"""


def test_indented_blocks_become_fenced_code() -> None:
    assert (
        markdown(PAGE)
        == """\
A work-group larger than the device accepts.

The launch throws `errc::nd_range`,
and no work-item runs.

Bad, on a small device:

```cpp
q.parallel_for(
  range);

f();
```

Good:

```cpp
g();
```

Silent when a number is unknown.
"""
    )


def test_a_sentence_that_ends_in_two_colons_without_a_block_stays() -> None:
    assert markdown("names in sycl::\nand oneapi") == "names in sycl::\nand oneapi\n"


def test_the_description_is_the_paragraph_after_the_summary() -> None:
    assert description(PAGE) == "The launch throws `errc::nd_range`, and no work-item runs."


def test_a_page_of_one_line_describes_itself() -> None:
    assert description("Only this.") == "Only this."
    assert description("This.\n\nBad::\n\n    f();\n") == "This."
