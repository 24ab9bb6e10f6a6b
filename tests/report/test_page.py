"""A rule's docstring as Markdown."""

from sycllint.report.rule_pages.page import description, markdown

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

The fix is unsafe.

Silent when a number is unknown,
see DEV101 and ``DEV102``.

Known problems: none but DEV999.

Source: intel/llvm issue
8404; C++ standard, [expr.mul].
"""


def test_parts_have_headings_and_indented_blocks_become_fenced_code() -> None:
    assert (
        markdown(PAGE, {"DEV101": "DEV101.md", "DEV102": "DEV102.md"})
        == """\
A work-group larger than the device accepts.

The launch throws `errc::nd_range`,
and no work-item runs.

## Bad, on a small device

```cpp
q.parallel_for(
  range);

f();
```

## Good

```cpp
g();
```

## Details

The fix is unsafe.

## When it is silent

Silent when a number is unknown,
see [DEV101](DEV101.md) and `DEV102`.

## Known problems

None but DEV999.

## Sources

[intel/llvm issue
8404](https://github.com/intel/llvm/issues/8404); C++ standard, [expr.mul](https://eel.is/c++draft/expr.mul).
"""
    )


def test_a_sentence_that_ends_in_two_colons_without_a_block_stays() -> None:
    assert markdown("names in sycl::\nand oneapi") == "names in sycl::\nand oneapi\n"


def test_a_paragraph_that_introduces_other_code_keeps_its_words() -> None:
    assert markdown("First.\n\nFor example::\n\n    f();\n") == "First.\n\nFor example:\n\n```cpp\nf();\n```\n"


def test_the_description_is_the_paragraph_after_the_summary() -> None:
    assert description(PAGE) == "The launch throws `errc::nd_range`, and no work-item runs."


def test_a_page_of_one_line_describes_itself() -> None:
    assert description("Only this.") == "Only this."
    assert description("This.\n\nBad::\n\n    f();\n") == "This."
