"""Names and the declarations they mean: one test for each rule of lookup."""

import pytest

from tests.symbols.program import called, classes, variables


def test_the_innermost_scope_with_the_name_hides_the_others() -> None:
    assert variables("const int n = 1; namespace a { const int n = 2; void here() { g(n); } }") == "a::n"


def test_a_name_of_a_namespace_beside_is_not_found() -> None:
    assert variables("namespace a { const int n = 2; } void here() { g(n); }") == ""


def test_a_global_name_is_meant_by_its_leading_colons() -> None:
    assert variables("const int n = 1; namespace a { const int n = 2; void here() { g(::n); } }") == "n"


@pytest.mark.parametrize("qualifier", ["a::b", "::a::b"])
def test_a_namespace_written_with_colons_is_two(qualifier: str) -> None:
    assert variables(f"namespace a::b {{ const int n = 2; }} void here() {{ g({qualifier}::n); }}") == "a::b::n"


def test_a_name_of_the_outer_of_two_is_seen_in_the_inner() -> None:
    assert variables("namespace a { const int n = 2; } namespace a::b { void here() { g(n); } }") == "a::n"


def test_all_openings_of_a_namespace_are_one() -> None:
    openings = "namespace a { const int n = 2; } const int n = 1; namespace a { void here() { g(n); } }"
    assert variables(openings) == "a::n"


def test_a_namespace_is_one_across_files() -> None:
    assert variables("namespace a { void here() { g(n); } }", "namespace a { const int n = 2; }") == "a::n"


@pytest.mark.parametrize("name", ["lib::n", "lib::v2::n"])
def test_an_inline_namespace_gives_its_names_to_the_one_around(name: str) -> None:
    versions = "namespace lib { namespace v1 { const int n = 1; } inline namespace v2 { const int n = 2; } }"
    assert variables(f"{versions} void here() {{ g({name}); }}") == "lib::v2::n"


def test_a_version_that_is_not_inline_must_be_named() -> None:
    versions = "namespace lib { namespace v1 { const int n = 1; } }"
    assert variables(f"{versions} void here() {{ g(lib::n); }}") == ""
    assert variables(f"{versions} void here() {{ g(lib::v1::n); }}") == "lib::v1::n"


def test_an_anonymous_namespace_gives_its_names_to_the_one_around() -> None:
    assert variables("namespace a { namespace { const int n = 1; } } void here() { g(a::n); }") == "a::n"


def test_a_namespace_alias_stands_for_the_namespace() -> None:
    assert variables("namespace a::b { const int n = 1; } namespace ab = a::b; void here() { g(ab::n); }") == "a::b::n"


def test_a_namespace_alias_is_seen_only_in_its_scope() -> None:
    code = "namespace a { const int n = 1; } namespace z { namespace s = a; } namespace b { const int n = 2; }"
    assert variables(f"{code} namespace s = b; void here() {{ g(s::n); }}") == "b::n"


def test_a_namespace_alias_of_a_function_holds_there() -> None:
    assert variables("namespace a { const int n = 1; } void here() { namespace s = a; g(s::n); }") == "a::n"


def test_a_using_directive_opens_a_namespace() -> None:
    assert variables("namespace a { const int n = 1; } using namespace a; void here() { g(n); }") == "a::n"


def test_a_using_directive_of_another_scope_opens_nothing_here() -> None:
    code = "namespace a { const int n = 1; } namespace b { using namespace a; }"
    assert variables(f"{code} void here() {{ g(n); }}") == ""
    assert variables(f"{code} void here() {{ g(b::n); }}") == "a::n"


def test_a_using_directive_of_a_function_holds_there() -> None:
    code = "namespace a { const int n = 1; }"
    assert variables(f"{code} void here() {{ using namespace a; g(n); }}") == "a::n"
    assert variables(f"{code} void other() {{ using namespace a; }} void here() {{ g(n); }}") == ""


def test_what_is_declared_hides_what_a_directive_opens() -> None:
    code = "namespace a { const int n = 1; } namespace b { using namespace a; const int n = 2; void here() { g(n); } }"
    assert variables(code) == "b::n"


def test_a_using_directive_works_through_another() -> None:
    code = "namespace a { const int n = 1; } namespace b { using namespace a; } using namespace b;"
    assert variables(f"{code} void here() {{ g(n); }}") == "a::n"


def test_a_using_declaration_brings_in_one_name() -> None:
    code = "namespace a { const int n = 1; const int m = 2; } using a::n;"
    assert variables(f"{code} void here() {{ g(n); }}") == "a::n"
    assert variables(f"{code} void here() {{ g(m); }}") == ""


def test_a_using_declaration_names_a_version() -> None:
    code = "namespace lib { namespace v1 { int f(int); int f(int) { return 1; } } using v1::f; }"
    assert called(f"{code} void here() {{ lib::f(2); }}") == "lib::v1::f(int)"


def test_an_alias_stands_for_its_class_as_a_qualifier() -> None:
    code = "template <typename T> struct Kernel { static int rows() { return 4; } }; using K = Kernel<float>;"
    assert called(f"{code} void here() {{ K::rows(); }}") == "Kernel::rows()"


def test_an_alias_of_a_function_stands_for_its_class() -> None:
    code = "template <typename T> struct Kernel { static int rows() { return 4; } };"
    assert called(f"{code} void here() {{ using K = Kernel<float>; K::rows(); }}") == "Kernel::rows()"
    assert called(f"{code} void here() {{ typedef Kernel<int> K; K::rows(); }}") == "Kernel::rows()"


def test_a_template_parameter_as_a_qualifier_is_no_class_of_that_name() -> None:
    code = "struct P { static const int n = 1; };"
    assert variables(f"{code} template <typename P> void here() {{ g(P::n); }}") == ""


def test_a_class_has_the_members_of_its_bases() -> None:
    code = "struct A { static const int n = 1; }; struct B : A {}; struct C : B { void here() { g(n); } };"
    assert variables(f"const int n = 0; {code}") == "A::n"


def test_a_member_hides_that_of_a_base() -> None:
    code = "struct A { static const int n = 1; }; struct C : A { static const int n = 2; void here() { g(n); } };"
    assert variables(code) == "C::n"


def test_a_base_that_is_an_instance_of_a_template_has_members() -> None:
    code = "template <typename T> struct A { static const int n = 1; };"
    assert variables(f"{code} template <typename T> struct B : A<T> {{ void here() {{ g(n); }} }};") == "A::n"


def test_a_member_that_is_defined_outside_its_class_sees_the_class() -> None:
    code = "namespace a { struct A { static const int n = 1; void here(); }; }"
    assert variables(f"{code} void a::A::here() {{ g(n); }}") == "a::A::n"


def test_a_member_of_a_class_template_that_is_defined_outside_sees_the_class() -> None:
    code = "template <typename T> struct A { static const int n = 1; void here(); };"
    assert variables(f"{code} template <typename T> void A<T>::here() {{ g(n); }}") == "A::n"


def test_another_class_is_not_looked_into() -> None:
    assert variables("struct A { static const int n = 1; }; struct B { void here() { g(n); } };") == ""


def test_enumerators_are_in_the_scope_around_unless_theirs_is_an_enum_class() -> None:
    assert variables("namespace a { enum E { N }; void here() { g(N); } }") == "a::E::N"
    assert variables("enum E { N }; void here() { g(E::N); }") == "E::N"
    assert variables("enum class E { N }; void here() { g(E::N); }") == "E::N"
    assert variables("enum class E { N }; void here() { g(N); }") == ""


def test_a_class_is_that_of_the_nearest_scope() -> None:
    code = "struct A {}; namespace n { struct A {}; void here() { g<A>(); } }"
    assert classes(code) == "n::A"
    assert classes("struct A {}; namespace n { struct A {}; } void here() { g<A>(); }") == "A"


def test_a_class_of_a_function_is_seen_in_it() -> None:
    code = "struct A {}; void other() { struct A {}; } void here() { g<A>(); }"
    assert classes(code) == "A"
    assert classes("struct A {}; void here() { struct A { int x; }; g<A>(); }") == "A"


def test_a_class_of_sycl_is_none_of_the_project() -> None:
    assert classes("namespace a { struct range {}; } void here() { g<sycl::range>(); }") == "?"


def test_a_class_without_a_visible_declaration_is_the_only_one_of_the_name() -> None:
    assert classes("namespace a { struct A {}; } void here() { g<A>(); }") == "a::A?"
    assert classes("namespace a { struct A {}; } namespace b { struct A {}; } void here() { g<A>(); }") == ""


def test_a_definition_that_is_not_compiled_declares_nothing() -> None:
    code = "#define ON 0\n#if ON\nconst int n = 1;\n#else\nconst int m = 2;\n#endif\n"
    assert variables(f"{code} void here() {{ g(n); }}") == ""
    assert variables(f"{code} void here() {{ g(m); }}") == "m"


@pytest.mark.parametrize(
    "members",
    [
        "using traits = traits::traits;",
        "using traits = typename View<T>::traits;",
        "using first = View::second; using second = View::first; using traits = first;",
        "using traits = View::inner::next; struct inner { using next = View::traits; };",
    ],
)
def test_an_alias_that_leads_back_to_itself_means_no_scope(members: str) -> None:
    code = f"template <class T> struct View {{ {members} }}; const int n = 1;"
    assert variables(f"{code} void here() {{ g(View<int>::traits::n); }}") == ""


def test_the_other_names_of_a_class_with_such_an_alias_are_found() -> None:
    code = "struct View { using traits = traits::traits; static constexpr int n = 1; };"
    assert variables(f"{code} void here() {{ g(View::n); }}") == "View::n"
