"""Calls and the functions they may run: one test for each rule, found and rightly not found."""

import pytest

from tests.symbols.program import called, chosen, evaluator_of


@pytest.mark.parametrize(
    ("call", "target"),
    [
        ("f(1)", "f(int)"),
        ("f(1, 2)", "f(int, int)"),
        ("f()", "?"),
        ("f(1, 2, 3)", "?"),
    ],
)
def test_the_number_of_arguments_chooses(call: str, target: str) -> None:
    assert called(f"void f(int a) {{}} void f(int a, int b) {{}} void here() {{ {call}; }}") == target


def test_defaults_count_as_given() -> None:
    assert called("void f(int a, int b = 2) {} void here() { f(1); }") == "f(int, int)"


def test_a_parameter_pack_takes_any_number() -> None:
    assert called("template <class... T> void f(int a, T... t) {} void here() { f(1, 2, 3); }") == "f(int, T)"


def test_an_ellipsis_takes_any_number() -> None:
    assert called('void f(const char *text, ...) {} void here() { f("%d", 2, 3); }').startswith("f(char *")


@pytest.mark.parametrize(
    ("argument", "target"),
    [
        ("q", "f(sycl::queue)"),
        ("1", "f(int)"),
        ("2 * k", "f(int)"),
        ("k", "f(int)"),
        ("p", "f(float *)"),
        ("&x", "f(float *)"),
        ("nullptr", "f(float *)"),
        ("a", "f(A)"),
        ("A()", "f(A)"),
        ("unknown()", "f(sycl::queue) | f(int) | f(float *) | f(A)"),
        ("0", "f(int) | f(float *)"),
    ],
)
def test_the_kind_of_an_argument_chooses(argument: str, target: str) -> None:
    functions = "void f(sycl::queue &q) {} void f(int n) {} void f(float *p) {} void f(A a) {}"
    head = f"struct A {{}}; {functions} void here(sycl::queue &q, int k, float *p, A a) {{ float x;"
    assert called(f"{head} f({argument}); }}") == target


def test_a_lambda_is_neither_a_number_nor_a_queue() -> None:
    code = "void f(int n) {} void f(sycl::queue &q) {} template <typename F> void f(F each) {}"
    assert called(f"{code} void here() {{ f([](int i) {{}}); }}") == "f(F)"


def test_a_string_is_no_number() -> None:
    assert called('void f(int n) {} void f(const char *t) {} void here() { f("x"); }') == "f(char *)"


def test_an_object_of_the_standard_library_is_no_queue() -> None:
    code = "void f(sycl::queue &q) {} void f(std::string &text) {}"
    assert called(f"{code} void here(std::string text) {{ f(text); }}") == "f(std::string)"
    assert called("void f(std::any x) {} void f(int n) {} void here(sycl::queue q) { f(q); }") == "f(std::any)"


def test_an_accessor_of_no_dimension_is_a_reference_to_its_element() -> None:
    code = "void f(float &sum, sycl::nd_item<1> it) {}"
    assert called(f"{code} void here(sycl::local_accessor<float, 0> a, sycl::nd_item<1> it) {{ f(a, it); }}").endswith(
        "f(float, sycl::nd_item)"
    )


def test_ranges_of_other_dimensions_are_other_classes() -> None:
    code = "void f(sycl::range<2> r) {} void f(sycl::range<3> r) {}"
    assert called(f"{code} void here(sycl::range<3> r) {{ f(r); }}") == "f(sycl::range)"


def test_a_number_becomes_an_object_of_a_class_that_is_made_from_one() -> None:
    code = "struct D { D(int n) {} }; struct P { int n; }; void f(D d) {} void f(P p) {}"
    assert called(f"{code} void here() {{ f(1); }}") == "f(D)"


def test_an_argument_becomes_an_object_only_by_a_constructor_that_takes_it() -> None:
    code = "struct T { T(const char *t) {} }; struct D { D(int n, int m = 0) {} }; void f(T t) {} void f(D d) {}"
    assert called(f"{code} void here() {{ f(2); }}") == "f(D)"
    assert called(f'{code} void here() {{ f("2"); }}') == "f(T)"
    more = "struct S {}; struct E { E(S s) {} }; struct B : S {}; void f(E e) {}"
    assert called(f"{code} {more} void here(B b) {{ f(b); }}") == "f(E)"


def test_an_object_becomes_a_number_where_its_class_converts() -> None:
    code = "struct D { operator int() const { return 1; } }; struct P { int n; }; void f(int n) {}"
    assert called(f"{code} void here(D d) {{ f(d); }}") == "f(int)"
    assert called(f"{code} void here(P p) {{ f(p); }}") == "?"


def test_an_object_stands_for_one_of_its_base() -> None:
    code = "struct A {}; struct B : A {}; struct C {}; void f(const A &a) {} void f(const C &c) {}"
    assert called(f"{code} void here(B b) {{ f(b); }}") == "f(A)"


def test_a_class_with_a_base_that_is_not_visible_may_be_anything() -> None:
    code = "struct B : Unseen {}; struct C {}; void f(const C &c) {} void f(int n) {}"
    assert called(f"{code} void here(B b) {{ f(b); }}") == "f(C) | f(int)"


def test_a_call_is_not_bound_to_a_function_of_another_file_by_its_name_alone() -> None:
    other = "static double *filled(sycl::queue &q, size_t n) { return nullptr; }"
    assert called("void here(double side) { filled(side, 0.8); }", other) == "?"
    assert called("void here(sycl::queue &q) { filled(q, 8); }", other) == "filled(sycl::queue, size_t)"


def test_a_function_of_another_namespace_is_not_meant() -> None:
    assert called("namespace a { void f() {} } namespace b { void f() {} } void here() { f(); }") == "?"
    assert called("namespace a { void f() {} } namespace b { void f() {} } void here() { b::f(); }") == "b::f()"


def test_the_only_function_of_a_name_may_be_meant_where_nothing_names_its_namespace() -> None:
    assert called("namespace a { void f() {} } void here() { f(); }") == "a::f()?"


def test_the_namespace_of_an_arguments_class_is_looked_into() -> None:
    code = "namespace a { struct A {}; void f(A x) {} } namespace b { void f(int x) {} }"
    assert called(f"{code} void here(a::A x) {{ f(x); }}") == "a::f(A)"
    assert called(f"{code} void f(int n) {{}} void here(a::A x) {{ f(x); }}") == "a::f(A)"


def test_a_friend_is_found_by_its_class_alone() -> None:
    code = "namespace a { struct A { friend void f(A x) {} }; } void f(int n) {}"
    assert called(f"{code} void here(a::A x) {{ f(x); }}") == "a::f(A)"
    assert called(f"{code} void here(int x) {{ a::f(x); }}") == "?"


def test_a_prototype_of_another_scope_may_be_meant() -> None:
    code = "namespace a { struct A {}; void f(A x); } void f(long n) {}"
    assert called(f"{code} void here(a::A x) {{ f(x); }}") == "?"
    assert called(f"{code} template <class T> void here(T x) {{ f(x); }}") == "f(long)"


@pytest.mark.parametrize("called_on", ["a.", "(*p).", "p->", "v[0].", "u->"])
def test_a_method_is_that_of_the_objects_class(called_on: str) -> None:
    code = "struct A { void run(int n) {} }; struct B { void run(int n) {} };"
    head = "void here(A a, A *p, std::vector<A> v, std::unique_ptr<A> u)"
    assert called(f"{code} {head} {{ {called_on}run(1); }}") == "A::run(int)"


def test_a_method_is_not_called_by_a_free_call() -> None:
    assert called("struct A { void run(int n) {} }; void here() { run(1); }") == "?"


def test_a_free_function_is_no_method() -> None:
    assert called("void run(int n) {} struct A {}; void here(A a) { a.run(1); }") == "?"


def test_a_method_of_a_class_of_sycl_is_none_of_the_project() -> None:
    assert called("struct A { void submit(int n) {} }; void here(sycl::queue q) { q.submit(1); }") == "?"


def test_a_method_of_an_unknown_object_may_be_that_of_any_class() -> None:
    assert called("struct A { void run(int n) {} }; template <class T> void here(T t) { t.run(1); }") == "A::run(int)?"


def test_a_method_is_inherited_and_hidden() -> None:
    code = "struct A { void run(int n) {} void go() {} }; struct B : A { void run(int n, int m) {} };"
    assert called(f"{code} void here(B b) {{ b.go(); }}") == "A::go()"
    assert called(f"{code} void here(B b) {{ b.run(1); }}") == "?"


def test_a_using_declaration_unhides_the_methods_of_a_base() -> None:
    code = "struct A { void run(int n) {} }; struct B : A { using A::run; void run(int n, int m) {} };"
    assert called(f"{code} void here(B b) {{ b.run(1); }}") == "A::run(int)"


def test_a_method_calls_another_of_its_class() -> None:
    code = "void f(int n) {} struct A { void f(int n) {} void here() { f(1); } };"
    assert called(code) == "A::f(int)"
    assert called("struct A { void f(int n) {} void here() { this->f(1); } };") == "A::f(int)"


def test_a_member_template_is_a_method() -> None:
    code = "struct A { template <int N> void run(int n) {} };"
    assert called(f"{code} void here(A a) {{ a.run(1); }}") == "A::run(int)"


def test_a_constructor_is_called_by_its_classes_name() -> None:
    code = "namespace n { struct A { A(int x) {} A(float *p) {} }; }"
    assert called(f"{code} void here(float *p) {{ n::A(p); }}") == "n::A::A(float *)"


def test_a_variable_hides_functions_and_may_be_called() -> None:
    code = "void run(int n) {} struct A { void operator()(int n) {} };"
    assert called(f"{code} void here(A run) {{ run(1); }}") == "A::operator()(int)"
    assert called(f"{code} void here() {{ auto run = [](int n) {{}}; run(1); }}") == "?"


def test_a_method_that_is_defined_outside_its_class_is_one() -> None:
    code = "namespace a { struct A { void run(int n); }; void A::run(int n) {} }"
    assert called(f"{code} void here(a::A x) {{ x.run(1); }}") == "a::A::run(int)"


def test_one_name_is_an_argument_of_another_kind_in_each_scope_that_declares_it() -> None:
    functions = "void f(int a) {} void f(float *a) {}"
    evaluator = evaluator_of(f"{functions} void here(float *k) {{ f(k); {{ int k = 1; f(k); }} f(k); }}")
    assert chosen(evaluator) == ["f(float *)", "f(int)", "f(float *)"]
    assert chosen(evaluator) == ["f(float *)", "f(int)", "f(float *)"], "as often as it is asked"
