"""What attributes and properties demand of a launch, wherever they stand."""

import pytest

from sycllint.launch.kernel import KernelLaunch, Required
from sycllint.values.value import known
from tests.launch.snippet import extents, in_queue, launches, with_kernel
from tests.values.program import spelled

X = "namespace x = sycl::ext::oneapi::experimental; namespace intelx = sycl::ext::intel::experimental;\n"


def number(required: Required | None) -> str:
    return "none" if required is None else spelled(required.value)


def demanded(launch: KernelLaunch) -> tuple[str, str, str]:
    """Sub-group size, work-group, registers."""
    return number(launch.sub_group_size), extents(launch.required_work_group), number(launch.register_count)


@pytest.mark.parametrize(
    ("attribute", "sub_group", "work_group"),
    [
        ("", "none", "none"),
        ("[[sycl::reqd_sub_group_size(16)]]", "16", "none"),
        ("[[intel::reqd_sub_group_size(8)]]", "8", "none"),
        ("[[cl::intel_reqd_sub_group_size(8)]]", "8", "none"),
        ("__attribute__((intel_reqd_sub_group_size(8)))", "8", "none"),
        ("[[sycl::reqd_work_group_size(64)]]", "none", "64"),
        ("[[cl::reqd_work_group_size(1, 2, 32)]]", "none", "1x2x32"),
        ("[[sycl::reqd_sub_group_size(16), sycl::reqd_work_group_size(64)]]", "16", "64"),
        ("[[sycl::reqd_sub_group_size(16)]] [[sycl::reqd_work_group_size(64)]]", "16", "64"),
        ("[[sycl::reqd_sub_group_size(2 * 8)]]", "16", "none"),
        ("[[sycl::reqd_sub_group_size(WIDTH)]]", "32", "none"),
        ("[[sycl::work_group_size_hint(64)]]", "none", "none"),
        ("[[intel::max_work_group_size(1, 1, 16)]]", "none", "none"),
        ("[[intel::named_sub_group_size(primary)]]", "unknown", "none"),
        ("[[intel::kernel_args_restrict]]", "none", "none"),
        ("[[other::reqd_sub_group_size(16)]]", "none", "none"),
        ("[[sycl::reqd_sub_group_size(Unseen)]]", "unknown", "none"),
    ],
)
def test_attributes_of_a_lambda(attribute: str, sub_group: str, work_group: str) -> None:
    launch = with_kernel("", "#define WIDTH 32", attribute)
    assert demanded(launch) == (sub_group, work_group, "none")


def arms(text: str) -> str:
    """``#`` begins a line of the preprocessor, ``;`` ends it; ``W(n)`` is a sub-group size, ``S(n)`` a work-group's."""
    spelled_out = text.replace("W(", "sycl::reqd_sub_group_size(").replace("S(", "sycl::reqd_work_group_size(")
    return spelled_out.replace("#", "\n#").replace(";", "\n") + "\n"


@pytest.mark.parametrize(
    ("attributes", "sub_group", "work_group"),
    [
        ("#ifdef A;[[W(64)]]#else;[[W(32)]]#endif;", "32 | 64", "none"),
        ("#if A;[[W(8)]]#elif B;[[W(32)]]#else;[[intel::reqd_sub_group_size(16)]]#endif;", "8 | 16 | 32", "none"),
        ("#ifdef A;[[cl::reqd_sub_group_size(16)]] // old#else;[[W(16)]]#endif;", "16", "none"),
        ("#ifdef A;[[W(16), S(32)]]#else;[[W(32)]] [[S(64)]]#endif;", "16 | 32", "?"),
        ("#ifdef A;[[W(16)]]#else;[[W(32)]]#endif;[[S(64)]]", "16 | 32", "64"),
        ("#ifdef A;[[W(16)]]#else;[[S(64)]]#endif;", "unknown", "?"),
        ("#ifdef A;[[W(16)]]#endif;", "unknown", "none"),
        ("#ifdef A;[[W(16)]]#else;#endif;", "unknown", "none"),
        ("#ifdef A;[[W(16)]]#elif B;[[W(32)]]#endif;", "unknown", "none"),
        ("#ifdef A;[[W(Unseen)]]#else;[[W(32)]]#endif;", "unknown", "none"),
        ("#if 1;[[W(16)]]#else;[[W(32)]]#endif;", "16", "none"),
        ("#if A;[[W(16)]]#elif 1;[[W(32)]]#else;[[W(64)]]#endif;", "16 | 32", "none"),
        ("#ifdef A;[[W(16)]]#else;[[W(32)]]#endif;#ifdef B;[[W(16)]]#else;[[W(32)]]#endif;", "16 | 32", "none"),
    ],
)  # fmt: skip
def test_attributes_in_arms_of_a_conditional(attributes: str, sub_group: str, work_group: str) -> None:
    assert demanded(with_kernel("", "", arms(attributes))) == (sub_group, work_group, "none")


@pytest.mark.parametrize(
    ("properties", "sub_group", "work_group", "registers"),
    [
        ("x::properties{}", "none", "none", "none"),
        ("x::properties{x::sub_group_size<16>}", "16", "none", "none"),
        ("x::properties{x::work_group_size<4, 16>}", "none", "4x16", "none"),
        ("x::properties{x::work_group_size_hint<64>}", "none", "none", "none"),
        ("x::properties{x::sub_group_size<16>, intelx::grf_size<256>}", "16", "none", "256"),
        ("x::properties{intelx::grf_size_automatic}", "none", "none", "none"),
        ("x::properties(x::sub_group_size<8>)", "8", "none", "none"),
    ],
)
def test_properties_of_a_launch(properties: str, sub_group: str, work_group: str, registers: str) -> None:
    launch = in_queue(f"q.parallel_for(sycl::nd_range<1>(64, 16), {properties}, [=](sycl::nd_item<1> it) {{}});", X)
    assert demanded(launch) == (sub_group, work_group, registers)


def test_properties_with_a_name() -> None:
    launch = in_queue(
        "constexpr x::properties wanted{x::sub_group_size<16>};"
        "q.parallel_for(sycl::nd_range<1>(64, 16), wanted, [=](sycl::nd_item<1> it) {});",
        X,
    )
    assert demanded(launch) == ("16", "none", "none")


@pytest.mark.parametrize(
    "kernel",
    [
        "struct K { [[sycl::reqd_sub_group_size(16)]] void operator()(sycl::nd_item<1> it) const {} };",
        (
            "struct K { [[sycl::reqd_sub_group_size(16)]] void operator()(sycl::nd_item<1> it) const; };"
            "void K::operator()(sycl::nd_item<1> it) const {}"
        ),
        (
            f"{X}struct K {{ void operator()(sycl::nd_item<1> it) const {{}}"
            " auto get(x::properties_tag) const { return x::properties{x::sub_group_size<16>}; } };"
        ),
    ],
)
def test_a_function_object_demands(kernel: str) -> None:
    launch = in_queue("q.parallel_for(sycl::nd_range<1>(64, 16), K{});", kernel)
    assert demanded(launch)[0] == "16"


def test_a_lambda_with_a_name_demands() -> None:
    launch = in_queue(
        "auto kernel = [=](sycl::nd_item<1> it) [[sycl::reqd_sub_group_size(16)]] {};"
        "q.parallel_for(sycl::nd_range<1>(64, 16), kernel);"
    )
    assert demanded(launch) == ("16", "none", "none")


def test_one_kernel_s_attribute_says_nothing_of_the_next() -> None:
    first, second = launches(
        """void f(sycl::queue &q) {
  q.parallel_for(sycl::nd_range<1>(64, 16), [=](sycl::nd_item<1> it) [[sycl::reqd_sub_group_size(16)]] {});
  q.parallel_for(sycl::nd_range<1>(64, 16), [=](sycl::nd_item<1> it) {});
}"""
    )
    assert (demanded(first)[0], demanded(second)[0]) == ("16", "none")


WIDE_OR_NARROW = """#ifdef A
#define WIDE [[sycl::reqd_sub_group_size(16)]]
#else
#define WIDE [[sycl::reqd_sub_group_size(8)]]
#endif"""
WIDTH_IN_ONE_BUILD = """#ifdef __SYCL_DEVICE_ONLY__
#define REQUIRE_WIDTH(n) [[sycl::reqd_sub_group_size(n)]]
#else
#define REQUIRE_WIDTH(n)
#endif"""


@pytest.mark.parametrize(
    ("macro", "use", "sub_group", "work_group"),
    [
        ("#define WIDE [[sycl::reqd_sub_group_size(32)]]", "WIDE", "32", "none"),
        ("#define WIDE [[sycl::reqd_sub_group_size(32)]]", "WIDE -> void", "32", "none"),
        ("#define WIDE [[sycl::reqd_sub_group_size(32)]]", "mutable WIDE", "32", "none"),
        ("#define WIDE sycl::reqd_sub_group_size(32)", "[[WIDE]]", "32", "none"),
        ("#define REQUIRE_WIDTH(n) [[intel::reqd_sub_group_size(2 * (n))]]", "REQUIRE_WIDTH(16)", "32", "none"),
        ("#define REQUIRE_WIDTH(n) __attribute__((reqd_sub_group_size(n)))", "REQUIRE_WIDTH(16)", "16", "none"),
        ("#define SHAPE(a, b) [[sycl::reqd_work_group_size(a, b)]]", "SHAPE(4, (8 * 2))", "none", "4x16"),
        ("#define W(n) [[sycl::reqd_sub_group_size(n)]]\n#define WIDE W(32)", "WIDE", "32", "none"),
        (
            "#define W8 [[sycl::reqd_sub_group_size(8)]]\n#define G64 [[sycl::reqd_work_group_size(64)]]",
            "W8 G64",
            "8",
            "64",
        ),
        ("#define NOTHING", "NOTHING", "none", "none"),
        ("#define ALWAYS __attribute__((always_inline))", "ALWAYS", "none", "none"),
        ("#define LOOP LOOP", "LOOP", "unknown", "none"),
        ("", "OUT_OF_SIGHT(32)", "unknown", "none"),
        ("#define TWO(a, b) [[sycl::reqd_sub_group_size(a)]]", "TWO(8)", "unknown", "none"),
        (WIDTH_IN_ONE_BUILD, "REQUIRE_WIDTH(32)", "unknown", "none"),
        (WIDE_OR_NARROW, "WIDE", "8 | 16", "none"),
    ],
)
def test_a_macro_in_place_of_an_attribute_is_what_it_stands_for(
    macro: str, use: str, sub_group: str, work_group: str
) -> None:
    assert demanded(with_kernel("", macro, use))[:2] == (sub_group, work_group)


@pytest.mark.parametrize(
    "head", ["WIDE void operator()(sycl::nd_item<1> it) const", "void operator()(sycl::nd_item<1> it) const WIDE"]
)
def test_a_macro_before_or_after_a_call_operator_is_its_attribute(head: str) -> None:
    kernel = f"#define WIDE [[sycl::reqd_sub_group_size(32)]]\nstruct K {{ int x; {head} {{}} }};"
    launch = in_queue("q.parallel_for(sycl::nd_range<1>(64, 16), K{});", kernel)
    assert demanded(launch)[0] == "32"


def test_a_macro_in_place_of_an_attribute_inside_a_macro_that_launches() -> None:
    run = (
        "#define WIDE [[sycl::reqd_sub_group_size(32)]]\n"
        "#define RUN(q) q.parallel_for(sycl::nd_range<1>(64, 16), \\\n  [=](sycl::nd_item<1> it) \\\n WIDE {})"
    )
    assert demanded(in_queue("RUN(q);", run))[0] == "32"


def test_two_definitions_of_a_macro_make_two_sizes() -> None:
    widths = "#ifdef WIDE\n#define WIDTH 32\n#else\n#define WIDTH 16\n#endif"
    assert demanded(with_kernel("", widths, "[[sycl::reqd_sub_group_size(WIDTH)]]"))[0] == "16 | 32"


def test_an_attribute_under_an_undecided_macro_is_not_certain() -> None:
    launch = with_kernel("", "", "\n#ifdef WIDE\n[[sycl::reqd_sub_group_size(32)]]\n#endif\n")
    assert demanded(launch)[0] in ("none", "unknown")


def test_an_attribute_in_two_variants_is_one_of_both() -> None:
    variants = "\n#ifdef A\n[[sycl::reqd_sub_group_size(32)]]\n#else\n[[sycl::reqd_sub_group_size(16)]]\n#endif\n"
    assert demanded(with_kernel("", "", variants))[0] in ("16 | 32", "unknown")


TEMPLATED = """
template <int N, typename T = float> struct K {
  T *p;
  static constexpr int width = N / 2;
  [[sycl::reqd_sub_group_size(width), sycl::reqd_work_group_size(N)]] void operator()(sycl::nd_item<1> it) const {
    T tile[N];
    p[it.get_global_id(0)] = tile[0];
  }
};
using K32 = K<32>;
template <int N> using Wide = K<2 * N, double>;
template <int N> auto made(float *p) { return K<N>{p}; }
template <int N> auto closure(float *p) {
  return [=](sycl::nd_item<1> it) [[sycl::reqd_sub_group_size(N)]] { p[it.get_global_id(0)] = N; };
}
template <typename Kernel> void launch(sycl::queue &q, Kernel kernel) {
  q.parallel_for(sycl::nd_range<1>(1024, 32), kernel);
}
void other(sycl::queue &q, float *p) { auto kernel = closure<8>(p); auto more = made<64>(p); }
template <int N> void width(sycl::queue &q, float *p) { q.parallel_for(sycl::nd_range<1>(1024, 32), K<N>{p}); }
"""


@pytest.mark.parametrize(
    ("kernel", "sub_group", "work_group", "private"),
    [
        ("K<32>{p}", "16", "32", 128),
        ("K<16, double>{p}", "8", "16", 128),
        ("K32{p}", "16", "32", 128),
        ("Wide<16>{p}", "16", "32", 256),
        ("made<16>(p)", "8", "16", 64),
        ("std::move(K32{p})", "16", "32", 128),
        ("closure<16>(p)", "16", "none", 0),
        ("K<N>{p}", "unknown", "?", None),
    ],
)
def test_attributes_name_the_arguments_of_templates(
    kernel: str, sub_group: str, work_group: str, private: int | None
) -> None:
    body = f"{TEMPLATED} void f(sycl::queue &q, float *p) {{ q.parallel_for(sycl::nd_range<1>(1024, 32), {kernel}); }}"
    launch = launches(body)[-1]
    assert demanded(launch) == (sub_group, work_group, "none")
    assert known(launch.private_memory.total) == private


@pytest.mark.parametrize(
    ("body", "sub_groups"),
    [
        ("K<16> kernel{p}; launch(q, kernel);", ["8"]),
        ("launch(q, K<16>{p}); launch(q, K<64>{p});", ["8", "32"]),
        ("auto kernel = made<16>(p); launch(q, kernel);", ["8"]),
        ("width<16>(q, p);", ["8"]),
        ("width<16>(q, p); width<32>(q, p);", ["8", "16"]),
    ],
)
def test_attributes_of_instances_on_every_way_to_a_launch(body: str, sub_groups: list[str]) -> None:
    found = launches(f"{TEMPLATED} void f(sycl::queue &q, float *p) {{ {body} }}")
    assert [number(each.sub_group_size) for each in found if number(each.sub_group_size) != "unknown"] == sub_groups


def test_a_specialisation_has_attributes_of_its_own() -> None:
    text = """
    template <typename T> struct K { T *p;
      [[sycl::reqd_sub_group_size(16)]] void operator()(sycl::nd_item<1> it) const { *p = 1; } };
    template <> struct K<double> { double *p;
      [[sycl::reqd_sub_group_size(32)]] void operator()(sycl::nd_item<1> it) const { *p = 1; } };
    template <typename T> void run(sycl::queue &q, T *p) { q.parallel_for(sycl::nd_range<1>(64, 32), K<T>{p}); }
    void f(sycl::queue &q, float *a, double *b, Hidden *c) { run<float>(q, a); run<double>(q, b); run<Hidden>(q, c); }
    """
    assert sorted(number(each.sub_group_size) for each in launches(text)) == ["16", "32", "unknown"]


def test_a_call_operator_outside_its_class_template() -> None:
    text = """
    template <int N> struct K { float *p; [[sycl::reqd_work_group_size(N)]] void operator()(sycl::nd_item<1>) const; };
    template <int N> void K<N>::operator()(sycl::nd_item<1> it) const { float tile[N]; p[0] = tile[0]; }
    void f(sycl::queue &q, float *p) { q.parallel_for(sycl::nd_range<1>(64, 32), K<32>{p}); }
    """
    (launch,) = launches(text)
    assert (extents(launch.required_work_group), known(launch.private_memory.total)) == ("32", 128)


PLACES = {
    "between the name and the parameters of the operator": "void operator(){0}(sycl::nd_item<1> it) const {{}}",
    "there, with blanks": "void operator() {0} (sycl::nd_item<1> it) const {{}}",
    "before the operator": "{0} void operator()(sycl::nd_item<1> it) const {{}}",
    "after the qualifiers": "void operator()(sycl::nd_item<1> it) const {0} {{}}",
    "before the type that follows": "auto operator()(sycl::nd_item<1> it) const {0} -> void {{}}",
}
LAMBDAS = {
    "after the parameters": "[=](sycl::nd_item<1> it) {0} {{}}",
    "before them": "[=] {0} (sycl::nd_item<1> it) {{}}",
    "before them, with a type": "[=] {0} (sycl::nd_item<1> it) mutable -> void {{}}",
    "before mutable": "[=](sycl::nd_item<1> it) {0} mutable {{}}",
    "after mutable": "[=](sycl::nd_item<1> it) mutable {0} {{}}",
    "after noexcept": "[=](sycl::nd_item<1> it) noexcept {0} -> void {{}}",
}
WIDE = "[[sycl::reqd_sub_group_size(16)]]"
WRITTEN = {
    WIDE: ("16", "none"),
    "[[sycl::reqd_sub_group_size(16)]] [[sycl::reqd_work_group_size(16)]]": ("16", "16"),
    "[[sycl::reqd_sub_group_size(16), sycl::reqd_work_group_size(8, 2)]]": ("16", "8x2"),
    "[[using sycl: reqd_sub_group_size(16)]]": ("16", "none"),
    "[[sycl::work_group_size_hint(64)]]": ("none", "none"),
    "WIDTH_16": ("16", "none"),
}
MACRO = f"#define WIDTH_16 {WIDE}\n"


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("attribute", WRITTEN)
def test_attributes_of_a_function_object(place: str, attribute: str) -> None:
    kernel = MACRO + f"struct K {{ {PLACES[place].format(attribute)} }};"
    launch = in_queue("q.parallel_for(sycl::nd_range<1>(64, 16), K());", kernel)
    assert demanded(launch)[:2] == WRITTEN[attribute]


@pytest.mark.parametrize(
    ("place", "attribute"),
    [(place, each) for place in LAMBDAS for each in WRITTEN if "[[" in each or place != "before mutable"],
)
def test_attributes_of_a_lambda_wherever_they_stand(place: str, attribute: str) -> None:
    launch = in_queue(f"q.parallel_for(sycl::nd_range<1>(64, 16), {LAMBDAS[place].format(attribute)});", MACRO)
    assert demanded(launch)[:2] == WRITTEN[attribute]


def test_an_attribute_of_a_template_s_operator() -> None:
    kernel = "template <int N> struct K { void operator()[[sycl::reqd_sub_group_size(N)]](sycl::nd_item<1>) const {} };"
    assert demanded(in_queue("q.parallel_for(sycl::nd_range<1>(64, 16), K<8>());", kernel))[0] == "8"


@pytest.mark.parametrize(
    ("condition", "size"),
    [
        ("#ifdef __SYCL_DEVICE_ONLY__", "16"),
        ("#if defined(__SYCL_DEVICE_ONLY__)", "16"),
        ("#if defined __SYCL_DEVICE_ONLY__", "16"),
        ("#if __SYCL_DEVICE_ONLY__", "16"),
        ("#ifndef __SYCL_DEVICE_ONLY__", "none"),
        ("#if !defined(__SYCL_DEVICE_ONLY__)", "none"),
        ("#ifdef WIDE", "unknown"),
        ("#if defined(__SYCL_DEVICE_ONLY__) && defined(WIDE)", "unknown"),
    ],
)
def test_an_attribute_that_only_the_device_s_code_has(condition: str, size: str) -> None:
    kernel = f"[=](sycl::nd_item<1> it)\n{condition}\n{WIDE}\n#endif\n{{ }}"
    launch = in_queue(f"q.parallel_for(sycl::nd_range<1>(64, 16), {kernel});")
    assert demanded(launch)[0] == size
