"""Offsets: every node lies where its text stands in the file as it is on disk."""

import pytest

from sycllint.cpp.expression import Call, Name, Number
from sycllint.cpp.node import walk
from sycllint.cpp.statement import Declaration, Function, Macro, Variable
from sycllint.syntax.lower import macro_body
from sycllint.syntax.reading import readings

CODE = "constexpr int size = 256;\nvoid f(queue &q) { q.parallel_for(range<1>(size), k); }\n"


@pytest.mark.parametrize(
    "content",
    [
        CODE.encode(),
        b"\xef\xbb\xbf" + CODE.encode(),
        CODE.replace("\n", "\r\n").encode(),
        "// Größe – 大\n".encode() + CODE.encode(),
        b"// \xff\xfe\xe9 latin-1\n" + CODE.encode(),
        b"\x00" + CODE.encode(),
        CODE.replace("void", "SYCL_EXTERNAL void").encode(),
        b"#if A\n}\n#endif\n" + CODE.encode(),
    ],
    ids=["plain", "byte order mark", "CRLF", "UTF-8", "no UTF-8", "NUL", "decorated", "damaged"],
)
def test_names_and_numbers_are_where_the_file_has_them(content: bytes) -> None:
    found = set()
    for reading in readings(content, {}):
        for node in walk(reading.unit) if reading is not None else ():
            if isinstance(node, Name | Number) and node.text:
                found.add(node.text)
                written = content[node.start : node.end].decode()
                assert written.startswith(node.text), (node, written)
    assert {"256", "size", "q", "k", "range"} <= found


@pytest.mark.parametrize("ending", [b"\n", b"\r\n"])
def test_the_body_of_a_macro_keeps_its_offsets_over_continued_lines(ending: bytes) -> None:
    content = b"\xef\xbb\xbf// \xff\n#define L(q) q.parallel_for( \\\n  range<1>(64), /* why */ \\\n  kernel);\n"
    content = content.replace(b"\n", ending)
    (macro,) = (node for node in walk(readings(content, {})[0].unit) if isinstance(node, Macro))
    (call,) = (node for node in walk(macro) if isinstance(node, Call) and len(node.arguments) == 2)
    texts = [content[node.start : node.end] for node in walk(call) if isinstance(node, Name | Number)]
    assert content[call.start : call.end].startswith(b"q.parallel_for(")
    assert content[call.start : call.end].endswith(b"kernel)")
    assert texts == [b"q", b"range<1>", b"1", b"64", b"kernel"]


def test_a_declaration_spans_from_its_type_to_its_semicolon() -> None:
    content = b"/* a */ int a = 1; // b"
    (node,) = readings(content, {})[0].unit.statements
    assert isinstance(node, Declaration)
    assert content[node.start : node.end] == b"int a = 1;"
    assert content[node.variables[0].start : node.variables[0].end] == b"a"


def test_a_macro_given_on_the_command_line_is_an_expression_too() -> None:
    value, body = macro_body(b"16", 0)
    assert isinstance(value, Number)
    assert (value.text, value.start, body) == ("16", 0, None)


@pytest.mark.parametrize("guard", ["", "#ifndef A_H\n#define A_H\n"], ids=["plain", "guarded"])
@pytest.mark.parametrize("decoration", ["", "__restrict__"], ids=["as it is", "rewritten"])
def test_a_body_that_waits_is_read_where_it_stands(guard: str, decoration: str) -> None:
    lines = "  total += size;\n" * 16
    function = f"int f(int n, int *x) {{\n  int *{decoration} p = x;\n  int size = count(n);\n{lines}}}\n"
    content = f"{guard}{function * 2}{'#endif' if guard else ''}\n".encode()
    reading, _ = readings(content, {})
    first, second = (each.body for each in reading.unit.statements if isinstance(each, Function))
    assert first is not None
    assert second is not None
    assert [each.is_read for each in (first, second)] == [False, False]
    (call,) = (each for each in walk(second) if isinstance(each, Call))
    assert [each.is_read for each in (first, second)] == [False, True]
    assert content[call.start : call.end] == b"count(n)"
    assert second.start < call.start < second.end
    assert [content[each.start : each.end] for each in reading.calls["count"]] == [b"count(n)"] * 2
    assert content[second.start : second.end] == function.partition(") ")[2].strip().encode()
    (pointer,) = (each for each in walk(second) if isinstance(each, Variable) and each.name == "p")
    assert content[pointer.start : pointer.end] == b"p"


def test_equal_names_of_different_files_are_one_object() -> None:
    content = b"namespace a { int value(sycl::queue &q); }"
    first, second = (
        [each.text for each in walk(readings(text, {})[0].unit) if isinstance(each, Name)]
        for text in (content, b"// another file\n" + content)
    )
    assert "sycl::queue" in first
    assert all(each is other for each, other in zip(first, second, strict=True))
