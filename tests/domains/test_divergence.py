"""Which controls decide over a barrier: of branches, of loops, and of the jumps by which work-items leave before it."""

import pytest

from sycllint.device_code.checks.missed_barriers import missed_barriers
from sycllint.device_code.uniformity import may_diverge, uniformity
from tests.device_code.body import kernel

B = "it.barrier();"


def controls(body: str, before: str = "") -> list[str]:
    """Of each barrier, in the order in which they are met first, the kinds of the controls that differ in a group."""
    code = kernel(f"const int lid = it.get_local_id(0); {body}", before)
    found = uniformity(code)
    assert found.is_known
    return ["+".join(control.kind for control in each.controls.values()) for each in found.reached_barriers()]


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        (f"{B}", [""]),
        (f"if (lid < 3) {B}", ["branch"]),
        (f"if (n < 3) {B}", [""]),
        (f"if (lid < 3) y[0] = 1; {B}", [""]),
        (f"if (lid < 3) return; {B}", ["return"]),
        (f"if (n < 3) return; {B}", [""]),
        (f"if (lid < 3) {{ if (n) return; }} {B}", [""]),
        (f"lid < 3 && (it.barrier(), true); {B}", ["branch", ""]),
        (f"lid < 3 ? it.barrier() : (void)0; {B}", ["branch", ""]),
        (f"switch (lid) {{ case 1: {B} break; default: break; }} {B}", ["branch", ""]),
    ],
)
def test_branches_and_returns(body: str, expected: list[str]) -> None:
    assert controls(body) == expected


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        (f"for (int i = 0; i < n; i++) {B}", [""]),
        (f"for (int i = lid; i < n; i += 64) {B}", ["loop"]),
        (f"for (int i = lid; i < 128; i += 64) {B}", [""]),
        (f"for (int i = 0; i < n; i++) {{ if (lid == i) break; {B} }} {B}", ["break+loop", ""]),
        (f"for (int i = 0; i < n; i++) {{ if (lid == i) continue; {B} }} {B}", ["continue", ""]),
        (f"for (int i = 0; i < n; i++) {{ {B} if (lid == i) continue; y[i] = 1; }}", [""]),
        (f"for (int i = 0; i < n; i++) {{ {B} if (lid == i) return; }}", ["return"]),
        (f"for (int i = 0; i < n; i++) {{ {B} if (n == i) return; }}", [""]),
        (f"do {{ {B} }} while (lid < n);", ["loop"]),
        (f"int k = n; while (k > 0) {{ if (lid < k) k = 0; {B} k--; }}", ["loop"]),
        (f"int list[2] = {{1, 2}}; for (int each : list) y[each] = 1; if (lid < 3) {B}", ["branch"]),
    ],
)
def test_loops_and_the_jumps_in_them(body: str, expected: list[str]) -> None:
    assert sorted(map(_sorted, controls(body))) == sorted(map(_sorted, expected))


def _sorted(kinds: str) -> str:
    return "+".join(sorted(kinds.split("+")))


def test_a_macro_has_a_place_and_controls_of_its_own_at_each_use() -> None:
    before = "#define SYNC_IF(c) if (c) it.barrier()\n"
    assert controls("SYNC_IF(n > 2); SYNC_IF(lid > 2);", before) == ["", "branch"]


def test_a_barrier_in_a_function_is_one_for_each_call() -> None:
    before = "void sync(sycl::nd_item<1> it) { it.barrier(); }\n"
    assert controls("if (lid < 3) sync(it); sync(it);", before) == ["branch", ""]


def test_an_early_return_in_a_function_makes_no_barrier_after_its_call_divergent() -> None:
    before = "int half(int k) { if (k < 3) return 0; return k / 2; }\n"
    assert controls(f"half(lid); {B}", before) == [""]
    assert controls(f"if (half(lid) == 1) {B}", before) == ["branch"]
    assert controls(f"if (half(n) == 1) {B}", before) == [""]


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        (f"int x = n; auto set = [&](int k) {{ x = k; }}; set(lid); if (x < 3) {B}", ["branch"]),
        (f"int x = n; auto set = [&](int k) {{ x = k; }}; set(2); if (x < 3) {B}", [""]),
        (f"int x = n; [&] {{ if (lid < 3) x = 0; }}(); if (x < 3) {B}", ["branch"]),
        (f"auto f = [from = lid] {{ return from; }}; if (f() < 3) {B}", ["branch"]),
        (f"int x = n; int &other = x; other = lid; if (x < 3) {B}", ["branch"]),
        (f"apply([&] {{ if (lid < 3) {B} }});", ["branch"]),
    ],
)
def test_lambdas_and_references_are_followed(body: str, expected: list[str]) -> None:
    assert controls(body, "template <typename F> void apply(F f) { f(); }\n") == expected


@pytest.mark.parametrize("body", ["if (n) goto end; it.barrier(); end:;", "WHATEVER"])
def test_a_kernel_that_cannot_be_followed_says_nothing(body: str) -> None:
    assert not uniformity(kernel(body)).is_known


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        (f"if (lid < 3) {B}", True),
        (f"if (lid < 3) return; {B}", True),
        (f"if (lid < 3) {B} if (n) goto end; end:;", True),
        (f"for (int i = lid; i < n; i += 64) {B}", True),
        (f"if (n < 3) {B}", False),
        (f"{B} if (lid < 3) return;", False),
        ("if (lid < 3) y[0] = 1;", False),
        (f"if (it.get_sub_group().get_group_id() < 3) {B}", True),
        (f"int k = n; if (lid < 3) k = 1; if (k) {B}", True),
        (f"int k = n, &r = k; r = lid; if (k) {B}", True),
        (f"for (int i = 0; i < n; ++i) {{ {B} if (lid) continue; y[i] = 1; }}", False),
        (f"for (int i = 0; i < n; ++i) {{ if (lid) continue; {B} }}", True),
        (f"for (int i = 0; i < n; ++i) {{ {B} if (lid) break; }}", True),
        (f"for (int i = 0; i < n; ++i) {{ if (lid) break; }} {B}", False),
        (f"for (int i = 0; i < n; ++i) {{ {B} if (lid) return; }}", True),
        (f"if (twice(n)) {B}", False),
        (f"if (twice(lid)) {B}", True),
        (f"int k = n; add(k, lid); if (k) {B}", True),
        (f"int k = n; add(k, n); if (k) {B}", False),
        (f"int k = n; filled(k, lid); if (k) {B}", True),
        ("meet(it, n);", False),
        ("meet(it, lid);", True),
        ("if (lid < 3) meet(it, n);", True),
        ("sum(it, n);", False),
        ("sum(it, lid);", True),
        (f"if (met(it, n)) {B}", False),
        (f"if (met(it, lid)) {B}", True),
        (f"int k = n; if (lid < 3) {{ k = 1; return; }} {B}", True),
        (f"switch (n) {{ case 1: if (lid) break; {B} }}", True),
        (f"switch (n) {{ case 1: {B} break; default: break; }} {B}", False),
        ("outer(it, n);", False),
        ("outer(it, lid);", True),
    ],
)
def test_a_kernel_may_diverge_where_a_barrier_may_be_missed_in_some_launch(body: str, expected: bool) -> None:
    before = (
        "int twice(int a) { return a * 2; } void add(int &to, int a) { to += a; } "
        "void filled(int &to, int a) { auto f = [&] { to = a; }; f(); } "
        "void meet(sycl::nd_item<1> it, int count) { for (int i = 0; i < count; ++i) it.barrier(); } "
        "int met(sycl::nd_item<1> it, int a) { it.barrier(); return a; } "
        "void outer(sycl::nd_item<1> it, int a) { int k = met(it, a); if (k) it.barrier(); } "
        "void sum(sycl::nd_item<1> it, int left) { if (left) { it.barrier(); sum(it, left - 1); } } "
    )
    assert may_diverge(kernel(f"const int lid = it.get_local_id(0); {body}", before)) is expected


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        (f"if (y[lid] > 0) {B} y[n] = 1;", ["branch"]),
        (f"if (d[0] > 0) {B} y[lid] = 1;", [""]),
        (f"if (y[it.get_group(0)] + lid > 0) {B} y[lid] = 1;", [""]),
        (f"if (y[0] + lid > 0) {B} sycl::atomic_ref<float> sum(y[1]); sum += 1;", [""]),
        (f"if (d[0] + lid > 0) {B} y[lid] = 1;", ["branch"]),
        (f"if (y[0] + lid > 0) {B} set(y, lid);", [""]),
        (f"if (d[0] + lid > 0) {B} set(y, lid);", ["branch"]),
    ],
)
def test_what_the_kernel_stores_to_is_not_understood_where_it_is_read_before(body: str, expected: list[str]) -> None:
    assert controls(body, "void set(float *to, int i) { to[i] = 1; }\n") == expected


@pytest.mark.parametrize(
    ("use", "text"),
    [("SYNC_BELOW(lid, 3)", "lid < 3"), ("SYNC_BELOW(lid, n + 1)", "lid < n + 1"), ("SYNC_IF(lid)", "lid < 3")],
)
def test_the_condition_of_a_barrier_has_the_arguments_of_its_macro(use: str, text: str) -> None:
    before = "#define SYNC_BELOW(x, n) if (x < n) it.barrier()\n#define SYNC_IF(x) SYNC_BELOW(x, 3)\n"
    (record,) = missed_barriers(kernel(f"const int lid = it.get_local_id(0); {use};", before))
    assert record.condition == text
