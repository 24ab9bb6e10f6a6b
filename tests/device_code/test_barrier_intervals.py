"""Conflicts in local memory: which pairs of accesses two work-items meet in."""

from sycllint.device_code.races.barrier_intervals import Conflict, Order
from sycllint.launch.build import analyze_source
from sycllint.source.text import SourceFile

HEAD = "#include <sycl/sycl.hpp>\n"


def _conflicts(body: str, *, local: str = "64", extra: str = "", elements: int = 256) -> list[tuple[str, str, str]]:
    """Order and both accesses of each conflict in a kernel with the local memory ``s`` and the local id ``lid``."""
    text = (
        f"{HEAD}{extra}\nvoid f(sycl::queue &q, const int *a, int *b, int n, int wg) {{\n"
        "  q.submit([&](sycl::handler &h) {\n"
        f"    sycl::local_accessor<int, 1> s({elements}, h);\n"
        f"    h.parallel_for(sycl::nd_range<1>(n, {local}), [=](sycl::nd_item<1> it) {{\n"
        "      const int lid = it.get_local_id(0);\n"
        f"      {body}\n    }});\n  }});\n}}\n"
    )
    (launch,) = analyze_source(SourceFile("k.cpp", text.encode()), {}).launches
    return [(each.order.value, each.first_text, each.second_text) for each in launch.kernel.seen.of(Conflict)]


RAW, WAR = Order.READ_AFTER_WRITE.value, Order.WRITE_AFTER_READ.value


def test_a_neighbour_reads_what_was_written() -> None:
    assert _conflicts("s[lid] = 1; b[lid] = s[lid + 1];") == [(RAW, "s[lid]", "s[lid + 1]")]


def test_each_place_that_reads_has_one_conflict() -> None:
    twice = "s[lid] = 1; s[lid + 64] = 2; b[lid] = s[lid ^ 1] + s[lid ^ 2];"
    assert _conflicts(twice) == [(RAW, "s[lid]", "s[lid ^ 1]"), (RAW, "s[lid]", "s[lid ^ 2]")]
    assert _conflicts("s[lid] = 1; s[lid] = 2; b[lid] = s[lid ^ 1];") == [(RAW, "s[lid]", "s[lid ^ 1]")]


def test_a_work_item_that_does_not_divide_keeps_none_from_it() -> None:
    assert _conflicts("s[lid] = 1; if (lid > 0) b[lid] = s[64 / lid];") == [(RAW, "s[lid]", "s[64 / lid]")]


def test_one_conflict_is_found_however_wide_the_group() -> None:
    assert _conflicts("s[lid] = 1; b[lid] = s[0];", local="wg") == [(RAW, "s[lid]", "s[0]")]


def test_an_offset_that_may_be_half_of_the_buffer_is_left_alone() -> None:
    assert _conflicts("s[lid] = 1; s[lid + 64] = 2; b[lid] = s[lid + 64];", local="wg") == []


def test_an_argument_as_offset_may_lead_anywhere() -> None:
    assert _conflicts("s[lid] = 1; b[lid] = s[lid + n];") == []


def test_halves_of_the_group_do_not_meet() -> None:
    assert _conflicts("if (lid < 32) s[lid] = 1; if (lid >= 32) b[lid] = s[lid];") == []


def test_any_work_item_may_find_a_condition_on_data_so() -> None:
    assert _conflicts("s[lid] = 1; if (a[lid]) b[lid] = s[lid ^ 1];") == [(RAW, "s[lid]", "s[lid ^ 1]")]
    assert _conflicts("s[lid] = 1; if (a[lid] > n && lid > 4) b[lid] = s[0];") == [(RAW, "s[lid]", "s[0]")]


def test_a_condition_on_data_and_ids_holds_for_those_ids_alone() -> None:
    assert _conflicts("s[lid] = 1; if (lid < 1 && a[lid]) b[lid] = s[0];") == []
    assert _conflicts("int v = 0; if (lid == 0) v = a[n]; if (v) s[0] = 1; if (lid == 0) b[lid] = s[0];") == []


def test_a_condition_that_is_not_understood_says_nothing() -> None:
    extra = "bool chosen(int, const int *);"
    assert _conflicts("s[lid] = 1; if (chosen(lid, a)) b[lid] = s[lid ^ 1];", extra=extra) == []


def test_what_is_written_where_it_was_read_may_be_what_decides() -> None:
    assert _conflicts("if (s[n] > s[lid]) s[lid] = a[lid];") == []


def test_an_index_that_was_read_may_be_that_of_any_element() -> None:
    assert _conflicts("s[a[lid]] = 1; b[lid] = s[lid];") == [(RAW, "s[a[lid]]", "s[lid]")]
    assert _conflicts("s[64 + lid] = 1; b[lid] = s[a[lid]];") == []
    assert _conflicts("s[a[lid]] = 1; b[lid] = s[a[lid]];") == []


def test_an_element_is_set_before_others_add_to_it() -> None:
    add = "sycl::atomic_ref<int, sycl::memory_order::relaxed, sycl::memory_scope::work_group>(s[a[lid]]).fetch_add(1);"
    assert _conflicts(f"s[lid] = 0; {add} it.barrier(); b[lid] = s[lid];") == [(RAW, "s[lid]", "s[a[lid]]")]
    assert _conflicts(f"s[lid] = 0; it.barrier(); {add} b[lid] = s[lid];") == [(RAW, "s[a[lid]]", "s[lid]")]
    assert _conflicts(f"s[lid] = 0; it.barrier(); {add} it.barrier(); b[lid] = s[lid];") == []


def test_a_look_before_an_atomic_spares_it() -> None:
    highest = "sycl::atomic_ref<int, sycl::memory_order::relaxed, sycl::memory_scope::work_group>(s[0]).fetch_max(t);"
    loop = f"for (int t = lid; t < n; t += 64) if (a[t] > s[0]) {highest}"
    assert _conflicts(f"if (lid == 0) s[0] = 0; it.barrier(); {loop} it.barrier(); b[lid] = s[0];") == []


def test_a_fence_is_no_barrier() -> None:
    fence = "sycl::atomic_fence(sycl::memory_order::acq_rel, sycl::memory_scope::work_group);"
    assert _conflicts(f"s[lid] = 1; {fence} b[lid] = s[127 - lid];", local="128") == [(RAW, "s[lid]", "s[127 - lid]")]


def test_a_fence_beside_flags_may_order() -> None:
    fence = "sycl::atomic_fence(sycl::memory_order::acq_rel, sycl::memory_scope::work_group);"
    assert _conflicts(f"volatile int *v = b; s[lid] = 1; {fence} b[lid] = s[127 - lid];", local="128") == []


def test_bytes_used_as_numbers_are_counted_in_those() -> None:
    cast = "float *p = reinterpret_cast<float *>(s.get_pointer().get()); float *r = p + 64; p[lid] = 1; r[lid] = 2;"
    assert _conflicts(f"{cast} b[lid] = r[lid ^ 1];", elements=512) == [(RAW, "r[lid]", "r[lid ^ 1]")]
    assert _conflicts(f"{cast} b[lid] = p[lid] + r[lid];", elements=512) == []


def test_an_object_keeps_the_memory_it_is_made_from() -> None:
    extra = (
        "struct Row { int *data; int lid; void put(int v) { data[lid] = v; } "
        "int other() const { return data[lid ^ 1]; } };"
    )
    row = "Row row{&s[0], lid}; row.put(a[lid]);"
    assert _conflicts(f"{row} b[lid] = row.other();", extra=extra) == [(RAW, "data[lid]", "data[lid ^ 1]")]
    assert _conflicts(f"{row} it.barrier(); b[lid] = row.other();", extra=extra) == []


def test_a_member_that_a_loop_moves_is_not_followed() -> None:
    extra = "struct Row { int *data; };"
    body = "Row row{&s[0]}; for (int t = 0; t < n; t++) { row.data[lid] = 1; b[lid] = row.data[lid]; row.data += 1; }"
    assert _conflicts(body, extra=extra) == []


def test_only_groups_that_get_there_are_tried() -> None:
    body = "s[lid] = 1; if (it.get_local_range(0) > 512 && lid < 256) b[lid] = s[lid + 256];"
    assert _conflicts(body, local="wg", elements=1024) == [(RAW, "s[lid]", "s[lid + 256]")]


def test_the_end_of_what_is_read_is_after_its_start() -> None:
    body = (
        "const int first = a[n], last = a[n + 1]; for (int t = first; t < last; t += 64) {"
        " const int count = sycl::min(64, last - t); if (lid < count) s[lid] = b[t + lid]; it.barrier();"
        " for (int k = 0; k < count; k++) b[lid] += s[k]; }"
    )
    assert _conflicts(body) == [(WAR, "s[k]", "s[lid]")]


def test_an_early_return_keeps_work_items_apart() -> None:
    assert _conflicts("if (lid >= 32) return; s[lid] = 1; b[lid] = s[lid + 32];") == []


def test_a_barrier_on_some_way_orders() -> None:
    assert _conflicts("s[lid] = 1; if (n > 4) it.barrier(); b[lid] = s[lid ^ 1];") == []


def test_a_barrier_of_the_sub_group_orders_its_own_work_items() -> None:
    sync = "sycl::group_barrier(it.get_sub_group());"
    assert _conflicts(f"s[lid] = 1; {sync} b[lid] = s[lid ^ 1];") == []
    assert _conflicts(f"s[lid] = 1; {sync} b[lid] = s[127 - lid];", local="128") == [(RAW, "s[lid]", "s[127 - lid]")]


def test_the_end_of_one_iteration_conflicts_with_the_beginning_of_the_next() -> None:
    loop = "for (int t = 0; t < n; t++) {{ s[lid] = t; it.barrier(); b[t] += s[lid ^ 1]; {0} }}"
    assert _conflicts(loop.format("")) == [(WAR, "s[lid ^ 1]", "s[lid]")]
    assert _conflicts(loop.format("it.barrier();")) == []


def test_two_halves_in_turn_do_not_meet() -> None:
    assert (
        _conflicts("for (int t = 0; t < n; t++) { s[t % 2 * 64 + lid] = t; it.barrier(); b[t] += s[t % 2 * 64]; }")
        == []
    )


def test_a_pointer_that_moves_is_followed() -> None:
    assert _conflicts("int *p = &s[0]; p += 64; p[lid] = 1; b[lid] = s[lid];") == []
    assert _conflicts("int *p = &s[0]; p += 1; p[lid] = 1; b[lid] = s[lid];") == [(RAW, "p[lid]", "s[lid]")]


def test_a_pointer_swapped_in_code_that_is_not_visible_is_not() -> None:
    assert _conflicts("int *p = &s[0], *q2 = &s[64]; std::swap(p, q2); p[lid] = 1; b[lid] = s[lid + 1];") == []


def test_functions_and_macros_are_looked_through() -> None:
    extra = "void put(int *p, int i) { p[i] = i; }\n#define GET(i) s[(i)]\n"
    found = _conflicts("put(s.get_pointer(), lid); b[lid] = GET(lid ^ 1);", extra=extra)
    assert [each[0] for each in found] == [RAW]


def test_a_macro_that_falls_apart_says_nothing() -> None:
    assert _conflicts("s[lid] = 1; b[lid] = s[TWICE(lid + 1)];", extra="#define TWICE(x) x * 2\n") == []


def test_a_function_without_a_visible_definition_may_hold_a_barrier() -> None:
    assert _conflicts("s[lid] = 1; meet(it); b[lid] = s[lid ^ 1];", extra="void meet(sycl::nd_item<1>);") == []


def test_alternatives_of_the_preprocessor_exclude_each_other() -> None:
    assert _conflicts("\n#ifdef A\ns[lid] = 1;\n#else\nb[lid] = s[lid ^ 1];\n#endif\n") == []


def test_two_buffers_in_turn_need_a_wait_in_every_step() -> None:
    head = "int to = 0, from = 1; s[lid] = a[lid]; it.barrier(); for (int t = 0; t < n; t++) {"
    step = "to = 1 - to; from = 1 - to; s[to * 64 + lid] = s[from * 64 + (lid + 1) % 64];"
    assert _conflicts(f"{head} {step} it.barrier(); }}") == []
    assert (RAW, "s[to * 64 + lid]", "s[from * 64 + (lid + 1) % 64]") in _conflicts(f"{head} {step} }} it.barrier();")


def test_a_remainder_that_all_share_cancels_whatever_it_is() -> None:
    assert _conflicts("s[lid + n] = 1; b[lid] = s[lid + n + 1];") == [(RAW, "s[lid + n]", "s[lid + n + 1]")]
    assert _conflicts("s[lid + n * wg] = 1; b[lid] = s[lid + wg * n + 1];") != []
    assert _conflicts("s[lid + n] = 1; b[lid] = s[lid + wg];") == []
    assert _conflicts("s[lid + wg] = 1; b[lid] = s[lid + n];") == []


def test_a_pitch_may_be_any_number() -> None:
    rows = "const int x = lid % 8, y = lid / 8; s[y * n + x] = 1; b[lid] = s[{}];"
    assert _conflicts(rows.format("(y + 1) * n + x")) != []
    assert _conflicts(rows.format("y * n + x + 1")) != []
    assert _conflicts(rows.format("y * n + x")) == []
    assert _conflicts(rows.format("y * wg + x")) == []


def test_a_stride_that_is_given_may_be_wider_than_the_group() -> None:
    loop = "for (int i = lid; i < 4096; i += n) "
    assert _conflicts(f"{loop} s[i] = 1; {loop} b[i] = s[i];") == []
    assert _conflicts(f"{loop} s[i] = 1; {loop} b[i] = s[i + 1];") != []


def test_what_a_condition_asks_of_an_offset_does_not_decide_whether_it_cancels() -> None:
    assert _conflicts("if (n < 64) { s[lid + n] = 1; b[lid] = s[lid + n + 1]; }") != []
    assert _conflicts("if (lid < n) { s[lid] = 1; b[lid] = s[lid + n]; }") == []


def test_names_do_not_decide() -> None:
    for one, other in (("n", "wg"), ("wg", "n")):
        assert _conflicts(f"s[lid + {one} % 8] = 1; b[lid] = s[lid + {other} % 8];") == []
        assert _conflicts(f"if (lid >= {one} && lid < {other}) {{ s[lid] = 1; b[lid] = s[lid ^ 1]; }}") != []


def test_parts_of_a_buffer_in_turn_may_be_selected_by_a_number_that_is_read() -> None:
    turns = "for (int k = 0; k < n; ++k) {{ int part = a[k]; s[lid + (part & 1) * 64] = 1; {} b[lid] = s[lid]; }}"
    assert _conflicts(turns.format("sycl::group_barrier(it.get_group());")) == []


def test_what_is_read_may_tell_what_to_do_in_each_of_many_turns() -> None:
    turns = "for (int k = 0; k < n; ++k) {{ if (a[k] == 0) b[lid] = s[lid ^ 1]; {} s[lid] = k; }}"
    assert _conflicts("s[lid] = 0; " + turns.format("sycl::group_barrier(it.get_group());"))[0][0] == RAW
    assert _conflicts(turns.format(""))[0][0] == WAR
