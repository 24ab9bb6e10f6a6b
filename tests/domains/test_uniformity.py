"""How far values are the same: levels of expressions where they stand."""

import pytest

from sycllint.cpp.expression import Lambda
from sycllint.cpp.place import Place
from sycllint.cpp.statement import If
from sycllint.domains.indices import Indices
from sycllint.domains.levels import Level
from sycllint.domains.uniformity import Uniformity
from sycllint.facts.collect import file_facts
from sycllint.ir import ops
from sycllint.symbols.unit import Unit
from sycllint.values.evaluate import Evaluator
from sycllint.values.value import Known, Unknown, Value


def level(condition: str, before: str = "", *, local: Value | None = None, width: int | None = None) -> Level:
    """The level of a condition in a one-dimensional kernel over 4096 work-items."""
    text = (
        "void f(sycl::queue &q, int *a, const int *b, int n) {"
        "  q.parallel_for(sycl::nd_range<1>(4096, 64), [=](sycl::nd_item<1> it) {"
        "    const int lid = it.get_local_id(0); const int gid = it.get_global_id(0);"
        f"    auto g = it.get_group(); auto sg = it.get_sub_group(); {before} if ({condition}) {{}}"
        "  });"
        "}"
    )
    facts = file_facts("kernel.cpp", text.encode(), {})
    submission = facts.submissions[0]
    kernel = submission.call.arguments[-1]
    assert isinstance(kernel, Lambda)
    size = Known(width) if width is not None else None
    evaluator = Evaluator(Unit((facts,)), {})
    indices = Indices(1, (Known(4096),), (local if local is not None else Known(64),), size)
    frame = Uniformity(evaluator, indices).run(kernel, Place(kernel, submission.place))
    assert frame is not None
    body = frame.body
    last = [each for each in body.at(ops.IF) if isinstance(body.node[each], If)][-1]
    return frame.values[body.a[last]].level


@pytest.mark.parametrize(
    ("condition", "expected"),
    [
        ("n > 3", Level.GRID),
        ("it.get_local_range(0) > n", Level.GRID),
        ("lid < 64", Level.GRID),
        ("lid - lid == n", Level.GRID),
        ("it.get_group(0) == n", Level.GROUP),
        ("gid / 64 == n", Level.GROUP),
        ("gid < 128", Level.GROUP),
        ("b[it.get_group(0)] == 1", Level.GROUP),
        ("sg.get_group_id() == n", Level.SUB_GROUP),
        ("lid / 32 == n", Level.SPLIT),
        ("lid < 32", Level.SPLIT),
        ("lid == 0", Level.ITEM),
        ("lid % 32 == 0", Level.ITEM),
        ("gid < n", Level.ITEM),
        ("b[gid] == 1", Level.ITEM),
        ("lid == 0 && hidden(n)", Level.ITEM),
        ("hidden(lid)", Level.UNKNOWN),
        ("hidden(n)", Level.UNKNOWN),
        ("std::max(lid, n) > 7", Level.ITEM),
    ],
)
def test_levels_of_ids_and_arguments(condition: str, expected: Level) -> None:
    assert level(condition) is expected


@pytest.mark.parametrize(
    ("condition", "expected"),
    [("lid / 16 == n", Level.SUB_GROUP), ("lid < 32", Level.SUB_GROUP), ("lid < 8", Level.ITEM)],
)
def test_a_known_width_shows_whole_sub_groups(condition: str, expected: Level) -> None:
    assert level(condition, width=16) is expected


@pytest.mark.parametrize(
    ("before", "expected"),
    [
        ("int x = n; x = lid;", Level.ITEM),
        ("int x = lid; x = n;", Level.GRID),
        ("int x = lid; x = sycl::group_broadcast(g, x);", Level.GROUP),
        ("bool x = sycl::any_of_group(sg, lid > n);", Level.SUB_GROUP),
        ("int x = 0; if (lid == 0) x = n;", Level.ITEM),
        ("int x = 0; if (lid == 0) x = 2; else x = 2;", Level.GRID),
        ("int x = 0; if (n > 2) x = 1;", Level.GRID),
        ("int x = 0; for (int i = lid; i < n; ++i) x = i;", Level.ITEM),
        ("int x = 0; for (int i = 0; i < n; ++i) x += i;", Level.GRID),
        ("int x = 0; while (x < n) { if (b[gid]) break; ++x; }", Level.ITEM),
        ("int x = b[gid]; { int x = n; }", Level.ITEM),
        ("int x = lid; for (int x = 0; x < n; ++x) {}", Level.ITEM),
        ("int x[2] = {n, n}; x[0] = lid;", Level.ITEM),
        ("int x = n; auto &y = x; y = lid;", Level.ITEM),
        ("int x = n; auto f = [&](int k) { return k; }; x = f(lid);", Level.ITEM),
        ("int x = n; hidden(x);", Level.UNKNOWN),
        ("a[gid] = 1; int x = a[n];", Level.UNKNOWN),
        ("int x = sycl::select_from_group(sg, lid, n);", Level.SUB_GROUP),
    ],
)
def test_what_a_variable_was_given(before: str, expected: Level) -> None:
    condition = "x[1] == 2" if "x[2]" in before else "x == n" if "bool" not in before else "x"
    assert level(condition, before) is expected


def test_the_rounds_of_loops_in_loops_add_up_and_do_not_multiply() -> None:
    numbers = range(14)
    heads = "".join(f"int x{each} = n; for (int i{each} = 0; i{each} < n; i{each}++) {{" for each in numbers)
    ends = "".join(f"y = x{each}; x{each} = lid; }}" for each in reversed(numbers))
    nested = f"int y = n; {heads} {ends}"
    assert level("y == n", nested) is Level.ITEM
    assert level("n == 1", nested) is Level.GRID


def test_nothing_is_decided_by_a_group_of_unknown_size() -> None:
    assert level("lid < 64", local=Unknown("read from argv")) is not Level.GRID


def test_a_group_of_one_work_item_is_uniform() -> None:
    assert level("lid == n", local=Known(1)) is Level.GRID
