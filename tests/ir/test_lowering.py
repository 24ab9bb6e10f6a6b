"""Bodies that no text beside a source shows: what is deep, what is asked twice, where instructions come from."""

from sycllint.cpp.expression import Binary, Expr, Lambda, Name, Number
from sycllint.cpp.place import Place
from sycllint.cpp.statement import Block, Evaluate, Function, Macro
from sycllint.facts.collect import file_facts
from sycllint.ir import ops
from sycllint.ir.bodies import bodies
from sycllint.ir.body import Body
from sycllint.symbols.unit import Unit
from sycllint.values.evaluate import Evaluator


def lowered(text: str, name: str = "use") -> Body:
    """The function ``use`` of this text."""
    facts = file_facts("use.cpp", text.encode(), {})
    (declared,) = facts.functions[name]
    return bodies.of(Evaluator(Unit((facts,)), {})).of(declared.node, declared.place)


def test_a_chain_of_operators_may_be_as_long_as_it_likes() -> None:
    chain: Expr = Number("1", 0, 1)
    for _ in range(5000):
        chain = Binary("+", chain, Number("1", 0, 1), 0, 1)
    for _ in range(5000):
        chain = Binary("-", Number("1", 0, 1), chain, 0, 1)
    block = Block((Evaluate(chain, 0, 1),), 0, 1)
    facts = file_facts("use.cpp", b"", {})
    function = Lambda("=", (), (), (), None, (), block, False, 0, 1)
    body = bodies.of(Evaluator(Unit((facts,)), {})).of(function, Place(function, Place(facts.unit, None)))
    assert len(body.at(ops.BINARY)) == 10000


def test_a_body_is_lowered_once() -> None:
    facts = file_facts("use.cpp", b"void use(int n) { n = 1; }", {})
    (declared,) = facts.functions["use"]
    kept = bodies.of(Evaluator(Unit((facts,)), {}))
    assert kept.of(declared.node, declared.place) is kept.of(declared.node, declared.place)


def test_text_of_a_macro_comes_from_the_macro_and_its_arguments_from_the_use() -> None:
    body = lowered("#define TWICE(x) ((x) + (x))\nvoid use(int n) { n = TWICE(n); }")
    (sum_,) = body.at(ops.BINARY)
    first, second = body.a[sum_], body.b[sum_]
    assert body.is_in_macro(sum_)
    assert not body.is_in_macro(first)
    assert first != second
    assert body.node[first] is body.node[second]
    assert any(isinstance(each, Macro) for each in body.origin(sum_).place.chain())


def test_what_stands_in_a_loop_is_between_its_ends() -> None:
    body = lowered("void use(int n) { n = 1; while (n) { n = 2; } n = 3; }")
    (loop,) = body.at(ops.LOOP)
    (store,) = body.inside(loop, ops.STORE)
    assert store == body.at(ops.STORE)[1]
    assert body.encloses(loop, ops.STORE)
    assert body.inside(loop, ops.CALL) == []


def test_a_macro_is_the_one_that_is_in_force() -> None:
    body = lowered("#define N 1\n#undef N\n#define N 7\nvoid use(int n) { n = N; }")
    (position,) = body.at(ops.CONST)
    node = body.node[position]
    assert isinstance(node, Number)
    assert node.text == "7"


def test_macros_that_double_at_each_level_stop_growing() -> None:
    lines = ["#define A0(x) f(x, x)"]
    lines += [f"#define A{level}(x) A{level - 1}(x), A{level - 1}(x)" for level in range(1, 23)]
    body = lowered("\n".join([*lines, "void use(int n) { g(A22(n)); }"]))
    assert len(body.op) < 1_000_000
    assert body.at(ops.UNSEEN)


def test_arms_of_one_conditional_declare_one_variable() -> None:
    body = lowered("void use(int n) {\n#ifdef A_\nint k = 1;\n#else\nint k = 2;\n#endif\nn = k; }")
    assert [each.name for each in body.locals] == ["n", "k"]


def test_regions_end_where_their_text_does() -> None:
    body = lowered("void use(int n) { for (int i = 0; i < n; ++i) { n = 2; } n = 3; }")
    assert [(each.begin, each.end) for each in body.regions] == [(0, 20), (1, 17), (8, 11)]
    assert isinstance(body.around_of(len(body.op) - 1).node, Block)


def test_a_prototype_has_no_instructions() -> None:
    facts = file_facts("use.cpp", b"void use(int n);", {})
    (declared,) = facts.functions["use"]
    assert isinstance(declared.node, Function)
    assert bodies.of(Evaluator(Unit((facts,)), {})).of(declared.node, declared.place).op == []


def test_what_a_name_stands_for_is_found_through_the_lambdas_around() -> None:
    body = lowered("void use(int n) { auto f = [&] { auto g = [&] { return n; }; }; }")
    inner = body.lambdas[0].lambdas[0]
    (capture,) = inner.at(ops.CAPTURE)
    local = inner.local(capture)
    assert local is body.locals[0]
    assert isinstance(local.node.name, str)
    assert not isinstance(inner.node[capture], Name) or inner.name(capture) == "n"


def test_a_lambda_by_itself_is_the_one_of_its_function() -> None:
    facts = file_facts("use.cpp", b"void use(int n) { auto f = [=] { return n; }; }", {})
    (declared,) = facts.functions["use"]
    kept = bodies.of(Evaluator(Unit((facts,)), {}))
    (inner,) = kept.of(declared.node, declared.place).lambdas
    assert kept.of(inner.function, inner.place) is inner


def test_the_variable_of_a_place_is_found_through_its_parts() -> None:
    body = lowered("struct S { int *p; }; int *out; void use(S s, int n) { s.p[n] = 1; *(out) = 2; f()[n] = 3; }")
    roots = [body.root(body.a[each]) for each in body.at(ops.WRITE)]
    assert roots == [body.locals[0], "out", None]
