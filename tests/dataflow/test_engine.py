"""The solver, with constant folding as its domain: what is known at each instruction of a function."""

import pytest

from sycllint.dataflow.engine import Solver, SolverFrame
from sycllint.facts.collect import file_facts
from sycllint.ir import ops
from sycllint.ir.bodies import bodies
from sycllint.ir.body import Body
from sycllint.symbols.unit import Unit
from sycllint.values.evaluate import Evaluator
from tests.dataflow.constants import Constants, State, Value, run
from tests.ir.dump import dump


def functions(text: str) -> dict[str, Body]:
    """The functions of a file by their names."""
    facts = file_facts("file.cpp", text.encode(), {})
    known = bodies.of(Evaluator(Unit((facts,)), {}))
    return {name: known.of(each.node, each.place) for name, found in facts.functions.items() for each in found}


def value(text: str, before: str = "") -> Value:
    """What ``f(int n)`` with these statements returns; ``None`` where it is not one number."""
    known = functions(f"{before} int f(int n) {{ {text} }}")
    solver, frame = run(known["f"], known, 100_000)
    assert not solver.is_lost
    values = {frame.values[frame.body.a[position]] for position, _ in frame.returned}
    return values.pop() if len(values) == 1 else None


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("int x = 2; x = x * 3; return x;", 6),
        ("int x = 2; if (n) x = 3; return x;", None),
        ("int x = 2; if (n) x = 3; else x = 3; return x;", 3),
        ("int x = 2; if (x == 2) x = 5; return x;", 5),
        ("int x = 2; if (x == 3) x = 5; else x = 6; return x;", 6),
        ("int x = 2; if (n) return 7; x = 7; return x;", 7),
        ("int x = 2; if (n) { x = 3; return 2; } return x;", 2),
        ("if (n) return 1; else return 1; return 2;", 1),
    ],
)
def test_branches_part_and_meet(text: str, expected: Value) -> None:
    assert value(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("int x = 1; for (int i = 0; i < n; i++) x = 1; return x;", 1),
        ("int x = 1; for (int i = 0; i < n; i++) x = 2; return x;", None),
        ("int x = 1; int y = 1; while (n) { x = y; y = 2; } return x;", None),
        ("int x = 1; do { x = 4; } while (n); return x;", 4),
        ("int x = 1; do { if (n) continue; x = 4; } while (n); return x;", None),
        ("int x = 1; for (;;) { x = 2; if (n) break; x = 3; } return x;", 2),
        ("int x = 1; for (;;) { if (n) { x = 2; break; } if (n < 3) { x = 3; break; } } return x;", None),
        ("int x = 1; while (n) { if (n < 2) continue; for (;;) { break; } } return x;", 1),
        ("int x = 1; for (auto e : hidden()) x = 2; return x;", None),
    ],
)
def test_a_loop_is_run_until_nothing_changes(text: str, expected: Value) -> None:
    assert value(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("int x = 0; switch (n) { case 1: x = 1; break; case 2: x = 1; break; default: x = 1; } return x;", 1),
        ("int x = 0; switch (n) { case 1: x = 1; break; case 2: x = 1; break; } return x;", None),
        ("int x = 0; switch (n) { case 1: x = 5; case 2: x = 6; break; default: x = 6; } return x;", 6),
        ("int x = 0; switch (n) { case 1: return 0; default: switch (x) { case 0: break; } } return x;", 0),
        ("int x = 0; while (n) { switch (n) { case 1: continue; } x = 1; } return x;", None),
        ("int x = 0; try { x = 1; } catch (int) { x = 1; } return x;", 1),
        ("int x = 0; try { if (n) throw 1; x = 1; } catch (int) { } return x;", None),
        ("int x = 0;\n#ifdef A\nx = 1;\n#elif B\nx = 1;\n#else\nx = 1;\n#endif\nreturn x;", 1),
        ("int x = 0;\n#if 1\nx = 1;\n#else\nx = 2;\n#endif\nreturn x;", 1),
    ],
)
def test_cases_handlers_and_arms(text: str, expected: Value) -> None:
    assert value(text) == expected


def test_a_function_is_entered_with_its_arguments_at_each_call() -> None:
    before = "int twice(int k) { if (k < 5) return k * 2; return k; }"
    assert value("return twice(4);", before) == 8
    assert value("return twice(twice(4));", before) == 8
    assert value("return twice(n);", before) is None


def test_code_behind_a_function_that_never_returns_is_not_reached() -> None:
    before = "void stop() { for (;;) {} }"
    assert value("int x = 1; if (n) { x = 2; stop(); } return x;", before) == 1


def test_calls_and_branches_are_as_deep_as_they_like() -> None:
    calls = " ".join(f"int f{each}(int k) {{ return f{each - 1}(k); }}" for each in range(1, 3000))
    assert value("return f2999(7);", f"int f0(int k) {{ return k; }} {calls}") == 7
    nested = "if (n) " * 500 + "n = 1;"
    assert value(f"int x = 3; {nested} return x;") == 3


def test_an_answer_ends_with_the_budget_wherever_it_is_spent() -> None:
    known = functions("int f(int n) { int x = 1; while (n) { x = 2; } return x; }")
    needed = next(budget for budget in range(1, 200) if not run(known["f"], known, budget)[0].is_lost)
    solver, _ = run(known["f"], known, needed)
    assert solver.left == 0


def test_a_jump_to_a_label_is_not_followed() -> None:
    known = functions("int f(int n) { if (n) goto end; n = 1; end: return n; }")
    assert run(known["f"], known)[0].is_lost


def test_a_domain_hears_of_jumps_with_what_they_leave() -> None:
    known = functions("void f(int n) { while (n) { switch (n) { case 1: continue; case 2: break; } break; } return; }")
    domain = Constants({})
    frame: SolverFrame[State, Value, int, str] = SolverFrame(known["f"], 0, None)
    Solver(domain, 1000).run(frame, {})
    assert list(dict.fromkeys(domain.jumped)) == ["continue loop", "break switch", "break loop", "return function"]


def test_what_is_known_is_shown_beside_the_instructions() -> None:
    known = functions("int f(int n) { int x = 2; if (n) { x = x + 1; } return x; }")
    _, frame = run(known["f"], known)

    def fact(body: Body, position: int) -> str:
        found = frame.values[position]
        return "" if found is None or body.op[position] == ops.DECL else str(found)

    assert dump(known["f"], fact).splitlines()[3:] == [
        "  %0 = param $0",
        "  %1 = const 2  ; 2",
        "  decl $1 %1",
        "  %3 = load $0",
        "  if %3",
        "    %5 = load $1  ; 2",
        "    %6 = const 1  ; 1",
        "    %7 = binary %5 %6 +  ; 3",
        "    store $1 %7",
        "    drop %7",
        "  end",
        "  %11 = load $1",
        "  return %11",
    ]
