"""What a call in a kernel surely runs: the functions that are looked at with the kernel itself."""

from sycllint.cpp.statement import Function
from tests.device_code.body import kernel


def entered(body: str, before: str) -> list[str]:
    """The names of the project's functions that a kernel with this body runs."""
    return [each.function.name for each in kernel(body, before).bodies if isinstance(each.function, Function)]


FILTER = "struct Filter { float gain; float damped(float v) const { return v * gain; } };"


def test_a_member_function_of_an_object_is_entered() -> None:
    assert entered("Filter f{2.f}; y[0] = f.damped(y[1]);", FILTER) == ["damped"]


def test_behind_a_pointer_and_in_an_array_too() -> None:
    assert entered("Filter f[4]; y[0] = f[1].damped(y[1]);", FILTER) == ["damped"]
    assert entered("const Filter *f = nullptr; y[0] = f->damped(y[1]);", FILTER) == ["damped"]


def test_the_class_decides_which_of_two_is_meant() -> None:
    other = "struct Other { float damped(float v) const { return v; } };"
    (found,) = kernel("Other o; y[0] = o.damped(y[1]);", FILTER + other).bodies[1:]
    assert found.place.outer is not None
    assert getattr(found.function, "start", 0) > len(FILTER)


def test_a_member_function_enters_those_of_its_own_class() -> None:
    both = "struct Both { float one(float v) const { return this->two(v) + three(v); }"
    both += " float two(float v) const { return v; } float three(float v) const { return v; } };"
    assert entered("Both b; y[0] = b.one(y[1]);", both) == ["one", "two", "three"]


def test_an_object_that_is_called_runs_its_call_operator() -> None:
    halved = "struct Halved { float operator()(float v) const { return v / 2; } };"
    assert entered("Halved h; y[0] = h(y[1]);", halved) == ["operator()"]
    assert entered("y[0] = Halved{}(y[1]);", halved) == ["operator()"]
    assert entered("y[0] = Halved()(y[1]);", halved) == ["operator()"]


def test_an_object_of_a_class_that_is_not_visible_is_not_entered() -> None:
    assert entered("Hidden h; y[0] = h.damped(y[1]);", FILTER) == []


def test_a_virtual_function_may_be_another() -> None:
    scale = "struct Scale { virtual float of(float v) const { return v; } };"
    assert entered("Scale *s = nullptr; y[0] = s->of(y[1]);", scale) == []


def test_overloads_with_as_many_parameters_are_ambiguous() -> None:
    two = "struct Two { float of(float v) const { return v; } float of(int v) const { return v; } };"
    assert entered("Two t; y[0] = t.of(y[1]);", two) == []
