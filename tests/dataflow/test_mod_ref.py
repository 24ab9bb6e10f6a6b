"""Which pointers from outside a function reads and writes through."""

import pytest

from sycllint.dataflow.mod_ref import ModRef, Path, mod_refs
from sycllint.facts.collect import file_facts
from sycllint.ir.bodies import bodies
from sycllint.symbols.unit import Unit
from sycllint.values.evaluate import Evaluator

BEFORE = """
void elsewhere(float *p);
void put(float *to, float v) { to[0] = v; }
float first(const float *from) { return *from; }
void copy(float *to, const float *from) { put(to, first(from)); }
void down(float *p, int n) { if (n > 0) up(p, n - 1); else p[n] = 0; }
void up(float *p, int n) { down(p + 1, n); }
void swap_first(float *a, float *b, int n) { if (n) swap_first(b, a, n - 1); else a[0] = 1; }
void add(float &to, float v) { to += v; }
void pick(float *&p, float *q) { p = q; }
struct View { float *data; int size; };
void fill(View v, float x) { v.data[0] = x; }
template <class T> void either(T *p) { *p = 1; }
void either(double *p) {}
"""


def summary(statements: str, more: str = "") -> ModRef:
    """Of ``void asked(float *p, float *q, View v, int n, bool b, F f)`` with these statements."""
    before = f"{BEFORE} {more} template <class F>"
    text = f"{before} void asked(float *p, float *q, View v, int n, bool b, F f) {{ {statements} }}"
    evaluator = Evaluator(Unit((file_facts("a.cpp", text.encode(), {}),)), {})
    (declared,) = evaluator.facts.functions.get("asked")
    return mod_refs.of(evaluator).of(bodies.of(evaluator).of(declared.node, declared.place))


def shown(paths: frozenset[Path]) -> str:
    return " ".join(sorted(".".join(each) for each in paths))


@pytest.mark.parametrize(
    ("statements", "writes", "reads"),
    [
        ("p[n] = q[n];", "p", "q"),
        ("*p = *(q + 1);", "p", "q"),
        ("p[n] += 1;", "p", "p"),
        ("++*p;", "p", "p"),
        ("float *own = p + n; own[0] = 1;", "p", ""),
        ("float *own = p; own = q; own[0] = 1;", "", ""),
        ("float *own = p; own += n; own[0] = 1;", "p", ""),
        ("auto &x = p[n]; x = q[0];", "p", "q"),
        ("float *own = &p[n];", "", ""),
        ("if (b) p[0] = 1;", "p", ""),
        ("((float *)p)[0] = 1;", "p", ""),
        ("v.data[n] = 1;", "v.data", "v"),
        ("put(p, q[0]);", "p", "q"),
        ("copy(p + n, q);", "p", "q"),
        ("add(p[n], q[0]);", "p", "p q"),
        ("pick(p, q);", "", ""),
        ("fill(v, 1);", "v.data", "v"),
        ("sycl::atomic_ref<float, R, S> r(p[n]); r.fetch_add(1);", "p", "p"),
        ("auto set = [&](int k) { p[k] = 1; }; set(n);", "p", ""),
        ("auto set = [](float *to) { *to = 1; }; set(p);", "p", ""),
        ("float *own = p; auto set = [=] { own[0] = 1; };", "p", ""),
        ("n = sizeof(p[0]);", "", ""),
        ("float own[4]; own[n] = 1;", "", ""),
        ("elsewhere(p);", "", ""),
    ],
)
def test_pointers_that_are_read_and_written_through(statements: str, writes: str, reads: str) -> None:
    found = summary(statements)
    assert (shown(found.writes), shown(found.reads)) == (writes, reads)


def test_arms_that_are_perhaps_compiled_say_nothing() -> None:
    text = "\n#ifdef WIDE\np[0] = 1;\n#else\nq[0] = 1;\n#endif\n"
    assert summary(text).writes == frozenset()


def test_functions_that_call_each_other() -> None:
    assert shown(summary("down(p, n);").writes) == "p"
    assert shown(summary("up(p, n);").writes) == "p"
    assert shown(summary("swap_first(p, q, n);").writes) == "p q"


@pytest.mark.parametrize(
    "statements", ["elsewhere(p);", "elsewhere(p + n);", "v.data = p;", "float *own = p; elsewhere(own);"]
)
def test_pointers_that_escape(statements: str) -> None:
    assert shown(summary(statements).escapes) == "p"


@pytest.mark.parametrize("statements", ["put(p, 1);", "p[0] = 1;", "float *own = p;", "auto f = [=] { return *p; };"])
def test_pointers_that_do_not_escape(statements: str) -> None:
    assert shown(summary(statements).escapes) == ""


@pytest.mark.parametrize(
    ("statements", "calls"),
    [
        ("f(2);", "f()"),
        ("f(p, 2, q + n);", "f(p, , q)"),
        ("auto g = f; g(v.data);", "f(v.data)"),
        ("auto g = [=](int k) { f(2, p); }; g(n);", "f(, p)"),
        ("apply(f, p);", "f(p, )"),
        ("twice(f, p);", "f(p, )"),
        ("auto g = [=](float *to, int k) { to[k] = 1; }; g(p, n);", ""),
        ("put(p, 1);", ""),
    ],
)
def test_function_objects_from_outside_that_are_called(statements: str, calls: str) -> None:
    more = "template <class F> void apply(F f, float *p) { f(p, 1); }"
    more += "template <class F> void twice(F f, float *p) { apply(f, p); apply(f, p); }"
    found = summary(statements, more).calls
    shown = (f"{'.'.join(path)}({', '.join('.'.join(each or ()) for each in given)})" for path, given in found)
    assert " ".join(sorted(shown)) == calls


@pytest.mark.parametrize(("statement", "calls"), [("f(n);", "f"), ("this->f(n);", "f"), ("g(n);", "")])
def test_a_member_that_is_called(statement: str, calls: str) -> None:
    text = f"template <class F> struct Each {{ F f; int n; void operator()(int i) const {{ {statement} }} }};"
    evaluator = Evaluator(Unit((file_facts("a.cpp", text.encode(), {}),)), {})
    (declared,) = evaluator.facts.functions.get("operator()")
    found = mod_refs.of(evaluator).of(bodies.of(evaluator).of(declared.node, declared.place)).calls
    assert shown(frozenset(path for path, _ in found)) == calls


GRID = """
struct Grid {
  float *cells; int columns; View view; static float *shared;
  float get(int i) const { return cells[i]; }
  void set(int i, float x) const { cells[i] = x; }
  void set_all(const float *from) const { for (int i = 0; i < columns; ++i) set(i, from[i]); }
  float &at(int i) const { return this->cells[i]; }
  float &operator[](int i) const { return cells[i]; }
  float &operator()(int i, int k) const { return cells[i * columns + k]; }
  float &chosen(int i) const { if (i) return cells[i]; return view.data[i]; }
  static void put_into(float *to) { *to = 1; }
  virtual void any(int i) { cells[i] = 1; }
};
struct Both { Grid one, other; };
"""


@pytest.mark.parametrize(
    ("statements", "writes", "reads"),
    [
        ("p[n] = grid.get(n);", "p", "grid grid.cells"),
        ("grid.set(n, 1);", "grid.cells", "grid"),
        ("grid.set_all(q);", "grid.cells", "grid q"),
        ("grid.at(n) = 1;", "grid.cells", "grid"),
        ("grid.at(n) += 1;", "grid.cells", "grid grid.cells"),
        ("grid[n] = q[n];", "grid.cells", "q"),
        ("p[n] = grid[n] + grid(n, 1);", "p", "grid.cells"),
        ("grid(n, 1) = 1;", "grid.cells", ""),
        ("auto &cell = grid[n]; cell = 1;", "grid.cells", ""),
        ("Grid own = grid; own.set(n, 1);", "grid.cells", "grid"),
        ("both.other.set(n, 1);", "both.other.cells", "both"),
        ("both.one[n] = both.other[n];", "both.one.cells", "both.other.cells"),
        ("grid.chosen(n) = 1;", "", "grid grid.view"),
        ("grid.any(n);", "", "grid"),
        ("unknown.set(n, 1);", "", "unknown"),
        ("grids[n].set(n, 1);", "", "grids"),
    ],
)
def test_methods_of_objects_from_outside(statements: str, writes: str, reads: str) -> None:
    before = f"{BEFORE} {GRID} template <class F>"
    given = "float *p, float *q, int n, Grid grid, Both both, F unknown, Grid *grids"
    text = f"{before} void asked({given}) {{ {statements} }}"
    evaluator = Evaluator(Unit((file_facts("a.cpp", text.encode(), {}),)), {})
    (declared,) = evaluator.facts.functions.get("asked")
    found = mod_refs.of(evaluator).of(bodies.of(evaluator).of(declared.node, declared.place))
    assert (shown(found.writes), shown(found.reads)) == (writes, reads)
