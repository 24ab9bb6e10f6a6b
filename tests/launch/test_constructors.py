"""Launches written in constructors: each object that is made is a call."""

import pytest

from tests.launch.test_class_templates import sizes

MEMBER = "struct C { int B; C(@PARAMETERS, int v) : B(v) { @LAUNCH } };"
PLAIN = "struct C { C(@PARAMETERS, int B = 64) { @LAUNCH } };"


@pytest.mark.parametrize(
    ("classes", "body", "found"),
    [
        (PLAIN, "C c(@ARGUMENTS, 32);", ["32"]),
        (PLAIN, "C c(@ARGUMENTS);", ["64"]),
        (PLAIN, "C{@ARGUMENTS, 32};", ["32"]),
        (PLAIN, "C(@ARGUMENTS, 32);", ["32"]),
        (PLAIN, "C *c = new C(@ARGUMENTS, 32); delete c;", ["32"]),
        (PLAIN, "auto c = std::make_unique<C>(@ARGUMENTS, 32);", ["32"]),
        (f"{PLAIN} struct D {{ C c; D(@PARAMETERS) : c(@ARGUMENTS, 16) {{}} }};", "D d(@ARGUMENTS);", ["16"]),
        (f"{PLAIN} struct D : C {{ D(@PARAMETERS) : C(@ARGUMENTS, 16) {{}} }};", "D d(@ARGUMENTS);", ["16"]),
        (f"{PLAIN} struct D : C {{ D(@PARAMETERS, int v) : C(@ARGUMENTS, v / 2) {{}} }};",
         "D d(@ARGUMENTS, 64);", ["32"]),
        ("struct C { C(@PARAMETERS, int B); }; C::C(@PARAMETERS, int B) { @LAUNCH }", "C c(@ARGUMENTS, 32);", ["32"]),
        ("template <int B> struct C { C(@PARAMETERS) { @LAUNCH } };",
         "C<64> c(@ARGUMENTS); C<16>{@ARGUMENTS};", ["64", "16"]),
        (MEMBER, "int B = 7; C c(@ARGUMENTS, 32);", ["32"]),
        ("struct C { int B = 128; C(@PARAMETERS) { @LAUNCH } };", "int B = 7; C c(@ARGUMENTS);", ["128"]),
        ("struct C { int B; C(@PARAMETERS, int v) { B = v * 2; @LAUNCH } };", "C c(@ARGUMENTS, 32);", ["64"]),
        ("struct C { int B; C(@PARAMETERS, int v) : B(v) { go(@ARGUMENTS); } void go(@PARAMETERS) { @LAUNCH } };",
         "C c(@ARGUMENTS, 32);", ["32"]),
        ("struct C { int B; C(@PARAMETERS, int v) : B(v) { tune(B); @LAUNCH } void tune(int &); };",
         "C c(@ARGUMENTS, 32);", ["?"]),
        ("struct C { int B; C(@PARAMETERS, int v) : B(v) { set(); @LAUNCH } void set() { B = 8; } };",
         "C c(@ARGUMENTS, 32);", ["?"]),
    ],
)  # fmt: skip
def test_an_object_that_is_made_decides_what_its_constructor_launches(
    classes: str, body: str, found: list[str]
) -> None:
    assert sizes(classes, body) == found


HELPER = "void launch(@PARAMETERS, int B) { @LAUNCH }"


@pytest.mark.parametrize(
    ("macros", "body", "found"),
    [
        ("#define GO(q, ...) launch(q, __VA_ARGS__)", "GO(q, x, n, k, 64); GO(q, x, n, k, 32);", ["64", "32"]),
        ("#define GO(w) launch(@ARGUMENTS, w)", "GO(64);", ["64"]),
        ("#define GO(w) do { launch(@ARGUMENTS, 2 * (w)); } while (0)", "GO(16); GO(k ? 32 : 64);", ["32", "64 | 128"]),
        ("#define GO(w) launch(@ARGUMENTS, w)\n#define WIDE() GO(512)", "WIDE();", ["512"]),
        ("#define GO(w) if (n > 0) { launch(@ARGUMENTS, w); }", "const int width = 8; GO(width)", ["8"]),
        ("#define GO(w) launch(@ARGUMENTS, w)\n#undef GO\n#define GO(w) launch(@ARGUMENTS, 2 * w)", "GO(8);", ["16"]),
        ("#define GO(f, w) f(@ARGUMENTS, w)", "GO(launch, 8);", ["?"]),
        ("#define GO(w) other(@ARGUMENTS, w)", "GO(8);", ["?"]),
    ],
)
def test_a_call_that_a_macro_writes_stands_where_the_macro_is_used(macros: str, body: str, found: list[str]) -> None:
    assert sizes(f"{HELPER}\n{macros}\n", body) == found
