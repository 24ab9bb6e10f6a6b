"""Where a name gets its value: in statements whose text mentions it, and in macros that do not show it."""

from sycllint.values.value import Known
from tests.values.program import returned


def _last(body: str, before: str = "") -> object:
    value = returned(f"{before}\nint f(int a) {{\n{body}\n}}")
    return value.value if isinstance(value, Known) else None


def test_a_macro_changes_a_name_that_is_not_written_where_it_is_used() -> None:
    assert _last("int n = 3;\nNEXT;\nreturn n;", "#define NEXT n = 8") != 3


def test_the_mention_nearest_before_the_question_decides() -> None:
    assert _last("int n = 3;\nn = 5;\nint m = n;\nn = 9;\nreturn m;") == 5


def test_a_name_inside_a_longer_one_says_nothing_of_it() -> None:
    assert _last("int n = 3;\nint nn = 4;\nnn = 7;\nreturn n;") == 3


def test_of_two_statements_that_begin_as_one_both_are_seen() -> None:
    assert _last("enum E { A = 6 } e;\nreturn A;") == 6


def test_a_long_block_is_read_the_same_way() -> None:
    between = "\n".join(f"int m{each} = n + {each};" for each in range(100))
    assert _last(f"int n = 3;\n{between}\nn = 5;\n{between.replace('int m', 'm')}\nreturn n + m99;") == 5 + 104
