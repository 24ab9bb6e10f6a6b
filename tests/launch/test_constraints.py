"""Launching templates of one name that ``std::enable_if`` tells apart, at their calls and in templates around these."""

import pytest

from tests.launch.test_class_templates import sizes

CLASSES = """
struct Config {}; struct Wide : Config {}; template <class T> struct Deep : Wide { T *x; }; struct Plain {};
struct Odd : other::Base {}; template <class T> struct Is { static constexpr bool value = sizeof(T) == 8; };
"""
FORMS = [
    "template <class K> std::enable_if_t<@, void> go(@PARAMETERS, K o, int b) { int B = b * #; @LAUNCH }",
    "template <class K> typename std::enable_if<@>::type go(@PARAMETERS, K o, int b) { int B = b * #; @LAUNCH }",
    "template <class K, std::enable_if_t<@, int> = 0> void go(@PARAMETERS, K o, int b) { int B = b * #; @LAUNCH }",
    "template <class K> auto go(@PARAMETERS, K o, int b) -> std::enable_if_t<(@)> { int B = b * #; @LAUNCH }",
]


def _both(form: str, condition: str) -> str:
    pairs = ((condition, "2"), (f"!({condition})", "4"))
    return CLASSES + "".join(form.replace("@,", f"{one},").replace("<@>", f"<{one}>").replace("<(@)>", f"<({one})>")
                             .replace("#", size) for one, size in pairs)  # fmt: skip


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize(
    ("condition", "body", "found"),
    [
        ("std::is_base_of_v<Config, K>", "Wide w; go(@ARGUMENTS, w, 32);", ["64"]),
        (
            "std::is_base_of_v<Config, K>",
            "Plain p; go(@ARGUMENTS, p, 32); go(@ARGUMENTS, Config(), 32);",
            ["128", "64"],
        ),
        (
            "std::is_base_of<Config, K>::value",
            "go(@ARGUMENTS, Deep<float>{x}, 32); go(@ARGUMENTS, 1, 32);",
            ["64", "?"],
        ),
        ("std::is_same_v<K, float>", "go(@ARGUMENTS, 1.0f, 32); go(@ARGUMENTS, 1, 32);", ["64", "128"]),
        ("std::is_integral_v<K> && sizeof(K) == 4", "go(@ARGUMENTS, n, 32); go(@ARGUMENTS, 1.0, 32);", ["64", "128"]),
        ("Is<K>::value", "double d = 1; go(@ARGUMENTS, d, 32);", ["64"]),
        ("std::is_base_of_v<Config, K>", "Odd o; go(@ARGUMENTS, o, 32);", ["?"]),
        ("other::fits<K>", "Wide o; go(@ARGUMENTS, o, 32);", ["?"]),
    ],
)
def test_the_one_whose_condition_holds_is_called(form: str, condition: str, body: str, found: list[str]) -> None:
    known = [each for each in sizes(_both(form, condition), body) if each != "?"]
    assert sorted(known) == sorted(each for each in found if each != "?")


@pytest.mark.parametrize("form", FORMS)
def test_in_a_template_it_depends_on_the_instance(form: str) -> None:
    helper = "template <class T> void run(@PARAMETERS, T o) { go(@ARGUMENTS, o, 32); }"
    code = _both(form, "std::is_base_of_v<Config, K>") + helper
    assert sizes(code, "Wide w; Plain p; run(@ARGUMENTS, w); run(@ARGUMENTS, p);") == ["64", "128"]
    assert set(sizes(code, "Odd o; run(@ARGUMENTS, o);")) == {"?"}


RANGES = """template <class K> void go(long global, long local, sycl::queue q, K o) {
  q.parallel_for(sycl::nd_range<1>(global, local), [=](sycl::nd_item<1> it) {}); }
template <class K, int D> void go(sycl::range<D> global, sycl::range<D> local, sycl::queue q, K o) {
  q.parallel_for(sycl::nd_range<D>(global, local), [=](sycl::nd_item<D> it) {}); }
struct Sizes { static constexpr int group = 96; }; template <class T> T up(T n, T by) { return (n + by - 1) / by; }
"""


@pytest.mark.parametrize(
    ("body", "found"),
    [
        ("go(Sizes::group * 4, Sizes::group, q, x);", ["96"]),
        ("using S = Sizes; go(up<long>(n, S::group) * S::group, S::group, q, x);", ["96"]),
        ("auto groups = up<int>(n, 32); go(groups * 32, 32, q, x);", ["32"]),
        ("sycl::range<1> l(64); go(sycl::range<1>(n), l, q, x);", ["64"]),
    ],
)
def test_what_is_a_number_is_no_range(body: str, found: list[str]) -> None:
    assert [each for each in sizes(RANGES, body) if each != "?"] == found
