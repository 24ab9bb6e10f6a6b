"""Numbers put in place of what is unknown of a launch."""

from sycllint.launch.assign import assigned, at, free_parameters
from sycllint.values.symbolic import add, multiply, parameter, settled, symbolic
from sycllint.values.value import Known, Symbolic, Unknown, known
from tests.rules.launches import launch, place


def free(text: str) -> Symbolic:
    return parameter(text, f"{text}@", f"{text} is a parameter", place(len(text)))


def constant(number: int) -> Symbolic:
    value = symbolic(Known(number))
    assert value is not None
    return value


def test_a_polynomial_is_computed() -> None:
    n, m = free("n"), free("mm")
    value = add(multiply(constant(3), multiply(n, n)), add(m, constant(7)))
    assert at(value, {"n@": 5, "mm@": 2}) == 84
    assert at(value, {"n@": 5}) is None


def test_a_lone_parameter_and_the_product_it_is_in_get_one_number() -> None:
    n = free("n")
    of = launch((64, 64), (settled(n), 16), work_group=multiply(constant(16), n))
    assert [each.text for each in free_parameters(of)] == ["n"]
    there = assigned(of, {"n@": 4})
    assert there.local_range is not None
    assert (list(map(known, there.local_range.extents)), known(there.work_group_size)) == ([4, 16], 64)


def test_extents_that_become_known_make_the_size_known() -> None:
    first, second = Unknown("argv", place(1)), Unknown("argv", place(2))
    of = launch((64, 64), (first, second), work_group=Unknown("a product"))
    keys = [each.key for each in free_parameters(of)][:2]
    assert known(assigned(of, dict(zip(keys, (4, 8), strict=True))).work_group_size) == 32


def test_allocations_that_become_known_make_the_total_known() -> None:
    of = launch(64, 64, memory=(Unknown("argv", place(1)), 100))
    (only,) = free_parameters(of)
    there = assigned(of, {only.key: 28}).local_memory
    assert (known(there.total), there.at_least) == (128, 128)


def test_what_is_not_given_a_number_stays() -> None:
    of = launch(Unknown("argv", place(1)), 64)
    assert assigned(of, {}) == of
