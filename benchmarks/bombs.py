"""What inputs cost that are made to cost much: ``python benchmarks/bombs.py [NAME ...] [--megabytes 1] [--markdown]``.

Each bomb is a text of a given size, or a few files, that could make a regular expression, a loop over text or an
analysis quadratic, or worse. A run of sycllint over it is a process of its own. Prints processor time and memory; the
exit code is 1 when one takes more than the limit of sycllint for a file of its size, or ``MEMORY`` bytes.
"""

import argparse
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from sycllint.patience import seconds_for
from sycllint.record import NamedTuple

ROOT = Path(__file__).resolve().parent.parent
PATIENCE = 10
"""Seconds of processor time for each megabyte."""
MEMORY = 2_300_000_000
"""Bytes that a run may have at most: those of the limit for a file, of the program, and of half a second's work."""
START = 2
"""Seconds that every run takes: the interpreter, the rules."""

Files = Mapping[str, bytes]
Bomb = Callable[[int], Files]

HEAD = b"#include <sycl/sycl.hpp>\n"
LAUNCH = (
    b"void run(sycl::queue &q, float *data, int n) {\n"
    b"  q.parallel_for(sycl::nd_range<1>(n, 256), [=](sycl::nd_item<1> item) {\n    %s\n  });\n}\n"
)


def filled(unit: bytes, size: int, before: bytes = b"", after: bytes = b"") -> bytes:
    """``unit`` again and again, ``size`` bytes in all."""
    return before + unit * max(1, (size - len(before) - len(after)) // len(unit)) + after


def numbered(unit: str, size: int, before: bytes = b"", after: bytes = b"") -> bytes:
    """``unit`` with the numbers from 0 on in place of ``{n}``, and the one before in place of ``{m}``."""
    parts: list[bytes] = []
    length = number = 0
    while length < size - len(before) - len(after):
        part = unit.replace("{n}", str(number)).replace("{m}", str(number - 1)).encode()
        parts.append(part)
        length += len(part)
        number += 1
    return before + b"".join(parts) + after


def text(unit: bytes, before: bytes = HEAD, after: bytes = b"\n" + LAUNCH % b"data[0] = 1;") -> Bomb:
    """One source of ``unit`` repeated, with a launch behind it."""
    return lambda size: {"a.cpp": filled(unit, size, before, after)}


def lines(unit: str, before: bytes = HEAD, after: bytes = b"\n" + LAUNCH % b"data[0] = 1;") -> Bomb:
    """One source of numbered ``unit``, with a launch behind it."""
    return lambda size: {"a.cpp": numbered(unit, size, before, after)}


def body(unit: bytes) -> Bomb:
    """A kernel with ``unit`` repeated in its body."""
    before, after = (HEAD + LAUNCH).split(b"%s")
    return lambda size: {"a.cpp": filled(unit, size, before, after)}


def body_lines(unit: str) -> Bomb:
    """A kernel with numbered ``unit`` in its body."""
    before, after = (HEAD + LAUNCH).split(b"%s")
    return lambda size: {"a.cpp": numbered(unit, size, before, after)}


def host(unit: str) -> Bomb:
    """A host function with numbered ``unit`` in its body."""
    return lines(unit, HEAD + b"void host(sycl::queue &q, float *a, float *b, int n) {\n", b"}\n")


def nested(opening: bytes, closing: bytes, before: bytes = HEAD, after: bytes = b"\n" + LAUNCH % b"") -> Bomb:
    """Half of the text opens what the other half closes."""

    def made(size: int) -> Files:
        count = (size - len(before) - len(after)) // (len(opening) + len(closing))
        return {"a.cpp": before + opening * count + closing * count + after}

    return made


def doubling(size: int) -> Files:
    """A macro that doubles itself 60 times, used as a size."""
    macros = b"".join(b"#define D%d (D%d + D%d)\n" % (n, n - 1, n - 1) for n in range(1, 61))
    use = (
        b"void run(sycl::queue &q) { q.parallel_for(sycl::nd_range<1>(D60, D59), [=](sycl::nd_item<1> i) { D60; }); }\n"
    )
    return {"a.cpp": filled(use, size, HEAD + b"#define D0 1\n" + macros)}


def templates(size: int) -> Files:
    """Templates that each call the one before twice with other arguments."""
    unit = "template <int A, int B> void f{n}(sycl::queue &q) {{ f{m}<A, B + 1>(q); f{m}<A + 1, B>(q); }}\n"
    launch = b"q.parallel_for(sycl::nd_range<1>(A * 64, B), [=](sycl::nd_item<1>) {});"
    before = HEAD + b"template <int A, int B> void f0(sycl::queue &q) { %s }\n" % launch
    parts = "".join(unit.format(n=n, m=n - 1) for n in range(1, 61))
    calls = filled(b"f60<1, 1>(q);\n", size, b"int main() { sycl::queue q;\n", b"}\n")
    return {"a.cpp": before + parts.encode() + calls}


def chain(size: int) -> Files:
    """Functions that each call the one before twice, around a launch whose size is a parameter."""
    before = HEAD + b"void f0(sycl::queue &q, int n) { q.parallel_for(sycl::nd_range<1>(n * 64, n), [=](auto) {}); }\n"
    unit = "void f{n}(sycl::queue &q, int n) { f{m}(q, n + 1); f{m}(q, 2 * n); }\n"
    return {
        "a.cpp": before
        + numbered(unit, size)[len("void f0(sycl::queue &q, int n) { f-1(q, n + 1); f-1(q, 2 * n); }\n") :]
    }


def include_cycle(size: int) -> Files:
    """1,000 files that all include the next two of the circle."""
    count = 1000
    filler = b"// " + b"x" * max(0, size // count - 80) + b"\n"
    files = {
        f"h{n}.h": b'#include "h%d.h"\n#include "h%d.h"\nint v%d;\n' % ((n + 1) % count, (n + 7) % count, n) + filler
        for n in range(count)
    }
    return {"a.cpp": HEAD + b'#include "h0.h"\n' + LAUNCH % b"data[v0] = v999;", **files}


def makefile(unit: bytes) -> Bomb:
    """A makefile of ``unit`` beside a small source."""
    return lambda size: {"a.cpp": HEAD + LAUNCH % b"", "Makefile": filled(unit, size)}


def beside(name: str, unit: bytes, before: bytes = b"", after: bytes = b"") -> Bomb:
    """Another file of ``unit`` beside a small source."""
    return lambda size: {"a.cpp": HEAD + LAUNCH % b"", name: filled(unit, size, before, after)}


BOMBS: Mapping[str, Bomb] = {
    # comments, strings, lines
    "comments that open in comments": text(b"/*/*/*"),
    "comments without an end": text(b"/* ", after=b""),
    "slashes": text(b"/"),
    "stars after slashes": text(b"/*\\\n"),
    "quotes": text(b'"'),
    "apostrophes": text(b"1'"),
    "backslashes": text(b"\\"),
    "strings with escapes": text(b'"\\"'),
    "raw strings without an end": text(b'R"x('),
    "raw strings with many marks": lines('R"a{n}('),
    "spliced lines": text(b"\\\n"),
    "blanks": text(b" "),
    "line ends": text(b"\n"),
    "carriage returns": text(b"\r"),
    "tabs before hashes": text(b"\t#"),
    "one line": text(b"int a; "),
    "one word": text(b"a"),
    "one number": text(b"1"),
    "one word of a kernel": body(b"a"),
    "one word of host code": host("a"),
    "blanks of host code": host(" "),
    "stars of host code": host("*"),
    "assignments of host code": host("a="),
    "casts of host code": host("(a)"),
    "words before comments without an end": text(b"a /*", after=b""),
    "hashes": text(b"#", after=b""),
    "strings without an end": text(b'\\"', HEAD + b'const char *a = "', after=b"\n" + LAUNCH % b""),
    "invalid UTF-8": text(b"\xff\xfe"),
    "suppressions": text(b"// sycllint: ignore[SYC101]\n"),
    "suppressions of many words": text(b"SYC101,", HEAD + b"// sycllint: ignore["),
    "suppressions that open": text(b"// sycllint: ignore-start[SYC101]\n"),
    "NOLINT": text(b"// NOLINT(", after=b""),
    "NOLINT in words": text(b"NOLINTa", HEAD + b"// "),
    # preprocessor
    "#if without an end": text(b"#if A\n"),
    "#if nested": nested(b"#if A\n", b"#endif\n"),
    "#if in a row": text(b"#if A\nint a;\n#else\nint b;\n#endif\n"),
    "#if that cut statements": text(b"#if A\nif (a) {\n#else\nif (b) {\n#endif\n}\n"),
    "#if of attributes and slashes": text(
        b"/",
        HEAD + b"#if B\nvoid g() {\n#else\nvoid g(int) {\n#endif\n}\n#if A\n[[nodiscard]]\n//",
        b"\nint a;\n#endif\n" + LAUNCH % b"data[0] = 1;",
    ),
    "#elif": text(b"#elif A\n", HEAD + b"#if A\n", b"#endif\n" + LAUNCH % b""),
    "#if of one long condition": text(b"A && ", HEAD + b"#if ", b"A\n#endif\n" + LAUNCH % b""),
    "#endif": text(b"#endif\n"),
    "#define": lines("#define M{n} M{m}\n", after=b"#define M0 64\n" + LAUNCH % b"data[M999] = M1999;"),
    "#define that name each other": lines("#define M{n} (M{m} + M0)\n", after=LAUNCH % b"data[M4999] = M4999;"),
    "#define of one name": lines("#define M {n}\n", after=LAUNCH % b"data[M] = M;"),
    "#if of attributes and comments": text(
        b"/* a */ // b\n",
        before=HEAD + b"#if A\n[[intel::reqd_sub_group_size(16)]]\n",
        after=b"\nvoid f(\n#endif\n" + LAUNCH % b"data[0] = 1;",
    ),
    "#define and #undef": text(b"#define M 1\n#undef M\n", after=LAUNCH % b"data[M] = M;"),
    "#define on many lines": text(b"x \\\n", HEAD + b"#define M \\\n"),
    "#define with parameters": text(b"a,", HEAD + b"#define M(", b"z) z\n" + LAUNCH % b"data[0] = M(1);"),
    "macros that double": doubling,
    "macro calls in macro calls": nested(b"M(", b")", HEAD + b"#define M(x) (x + x)\nint a = ", b";\n" + LAUNCH % b""),
    "#include": lines('#include "h{n}.h"\n'),
    "#include of itself": text(b'#include "a.cpp"\n'),
    "#include in a circle": include_cycle,
    "#pragma omp": text(b"#pragma omp target teams distribute parallel for num_teams(8)\nfor (;;);\n"),
    "#pragma omp of many clauses": text(b"map(to: a) ", HEAD + b"void f() {\n#pragma omp target ", b"\n;}\n"),
    "pushed macros": text(b'#pragma push_macro("A")\n'),
    # nesting
    "braces that open": text(b"{", after=b""),
    "braces nested": nested(b"{", b"}", HEAD + b"void f() ", b"\n" + LAUNCH % b""),
    "braces that close": text(b"}"),
    "parentheses": nested(b"(", b")", HEAD + b"int a = ", b";\n" + LAUNCH % b""),
    "parentheses that open": text(b"(", after=b""),
    "brackets": nested(b"[", b"]"),
    "angles": text(b"a<"),
    "angles and commas": text(b"a<b,", after=b""),
    "templates nested": nested(b"a<", b">", HEAD, b" x;\n" + LAUNCH % b""),
    "lambdas nested": nested(b"[=] { ", b"; }", HEAD + b"auto f = ", b";\n" + LAUNCH % b""),
    "blocks nested in a kernel": lambda size: {
        "a.cpp": HEAD + LAUNCH % (b"if (n) { " * (size // 10) + b"}" * (size // 10))
    },
    "conditionals nested": nested(b"n ? 1 : (", b"1)", HEAD + b"int n, a = ", b";\n" + LAUNCH % b""),
    "else if": text(b"else if (n) n++; ", HEAD + b"void f(int n) { if (n) n--; ", b"}\n" + LAUNCH % b""),
    "namespaces nested": nested(b"namespace a { ", b"}"),
    "initialisers nested": nested(b"{1,", b"}", HEAD + b"int a[] = ", b";\n" + LAUNCH % b""),
    # long lists and expressions
    "a sum": text(b"1+", HEAD + b"const int n = ", b"1;\n" + LAUNCH % b""),
    "a sum of names in a kernel": lambda size: {"a.cpp": HEAD + LAUNCH % filled(b"n+", size, b"data[0] = ", b"n;")},
    "a table": text(b"1,2.5f,-3,", HEAD + b"int t[] = {", b"0};\n" + LAUNCH % b""),
    "a table of rows": text(b"{1, 2},", HEAD + b"int t[][2] = {", b"{}};\n" + LAUNCH % b""),
    "arguments": lambda size: {"a.cpp": HEAD + LAUNCH % filled(b"n,", size, b"f(", b"n);")},
    "parameters": text(b"int,", HEAD + b"void f(", b"int);\n" + LAUNCH % b""),
    "members of members": text(b"a.", HEAD + b"int x = ", b"a;\n" + LAUNCH % b""),
    "qualified names": text(b"a::", HEAD, b"b x;\n" + LAUNCH % b""),
    "pointers": text(b"*", HEAD + b"int ", b"x;\n" + LAUNCH % b""),
    "attributes": text(b"[[a]] ", HEAD, b"int x;\n" + LAUNCH % b""),
    "words in capitals": text(b"ABC ", HEAD, b"int x;\n" + LAUNCH % b""),
    "words in capitals with parentheses": text(b"ABC(x) ", HEAD, b"int x;\n" + LAUNCH % b""),
    "commas": text(b","),
    "semicolons": text(b";"),
    "assignments": text(b"a=", HEAD + b"void f(int a) { ", b"1; }\n" + LAUNCH % b""),
    "operator": text(b"operator()"),
    "templates without an end": text(b"template <"),
    "const": text(b"const "),
    "= {}": text(b"= {"),
    # declarations
    "overloads": lines("void f(int a{n}, float b) { f(a{n}, b); }\n", after=LAUNCH % b"f(1, 2.0f);"),
    "overloads of types": lines("struct T{n} {}; void f(T{n} a) {}\n", after=LAUNCH % b"f(T0{});"),
    "variables": lines("const int v{n} = v{m} + 1;\n", after=LAUNCH % b"data[v999] = v1000;"),
    "classes": lines("struct S{n} : S{m} { int a = S{m}::a; };\n", after=LAUNCH % b"S999 s; data[s.a] = 1;"),
    "aliases": lines("using T{n} = T{m};\n", after=LAUNCH % b"T999 t;"),
    "enumerators": lines("e{n},", HEAD + b"enum {", b"};\n" + LAUNCH % b"data[e99] = e999;"),
    "namespace aliases": lines("namespace n{n} = n{m};\n"),
    "calls in a chain": chain,
    "templates in a chain": templates,
    # kernels
    "launches": lines(
        "void r{n}(sycl::queue &q, float *d) { q.parallel_for(sycl::nd_range<1>(64, 32), [=](sycl::nd_item<1> i) "
        "{ d[i.get_global_id(0)] = {n}; }); }\n",
        after=b"",
    ),
    "launches in one function": host("q.parallel_for(sycl::range<1>(n), [=](sycl::id<1> i) { a[i] = b[i]; });\n"),
    "barriers": body(b"item.barrier();\n"),
    "barriers in branches": body(b"if (n) item.barrier();\n"),
    "branches": body(b"if (n) data[0] += 1;\n"),
    "loops": body(b"for (int i = 0; i < n; i++) data[i] += i;\n"),
    "loops nested": lambda size: {"a.cpp": HEAD + LAUNCH % (b"for (;;) { " * (size // 12) + b"}" * (size // 12))},
    "assignments in a kernel": body(b"n = n + 1;\n"),
    "variables of a kernel": body_lines("int v{n} = item.get_local_id(0) + {n}; data[v{n}] = v{n};\n"),
    "variables that grow": body_lines("int v{n} = v{m} + v{m}; data[v{n}] = 0;\n"),
    "arrays of a kernel": body_lines("float a{n}[64]; a{n}[n] = data[{n}];\n"),
    "accesses": body(b"data[item.get_global_id(0)] = data[n] + data[n + 1];\n"),
    "functions of a kernel": lambda size: {
        "a.cpp": numbered("int f{n}(int a) { return f{m}(a) + f{m}(a + 1); }\n", size, HEAD + b"int f0(int a);\n")
        + LAUNCH % b"data[f60(n)] = f999(n);"
    },
    "atomics": body(b"sycl::atomic_ref<float, sycl::memory_order::relaxed> r(data[0]); r += 1;\n"),
    # host code
    "commands": host("q.memcpy(a, b, n);\n"),
    "commands that wait": host("q.memcpy(a, b, n).wait();\n"),
    "allocations": host("float *p{n} = sycl::malloc_device<float>(n, q); q.fill(p{n}, 0, n); sycl::free(p{n}, q);\n"),
    "allocations without an end": host("a = sycl::malloc_device<float>(n, q);\n"),
    "queues": host("sycl::queue q{n}; q{n}.memcpy(a, b, n);\n"),
    "buffers": host("sycl::buffer<float> b{n}(a, n);\n"),
    "events": host("auto e{n} = q.memcpy(a, b, n, e{m});\n"),
    "host branches": host("if (n) q.memcpy(a, b, n); else q.wait();\n"),
    "host loops": host("for (int i = 0; i < n; i++) q.memcpy(a, b, n);\n"),
    "pointers handed on": host("float *p{n} = p{m} + 1; q.memcpy(p{n}, a, n);\n"),
    "command groups": host("q.submit([&](sycl::handler &h) { h.memcpy(a, b, n); });\n"),
    # other files
    "makefile": makefile(b"A := $(A) $(A)\n"),
    "makefile of conditions": makefile(b"ifeq ($(A), 1)\n"),
    "makefile of one line": makefile(b"-DA=1 "),
    "makefile of spliced lines": makefile(b"A \\\n"),
    "makefile of variables that grow": lambda size: {
        "a.cpp": HEAD + LAUNCH % b"",
        "Makefile": b"A0 = -DX\n"
        + b"".join(b"A%d = $(A%d) $(A%d)\n" % (n, n - 1, n - 1) for n in range(1, 60))
        + filled(b"CFLAGS += $(A59)\n", size),
    },
    "CMakeLists of definitions": beside("CMakeLists.txt", b"add_definitions(-DA=1)\n"),
    "CMakeLists of conditions": beside("CMakeLists.txt", b"if(A)\n"),
    "CMakeLists of parentheses": beside("CMakeLists.txt", b"add_definitions("),
    "compile_commands.json": beside(
        "compile_commands.json", b'{"directory": ".", "file": "b.cpp", "command": "c++ -DA b.cpp"},', b"[", b"{}]"
    ),
    "compile_commands.json nested": beside("compile_commands.json", b"["),
    "script": beside("run.sh", b"export OMP_NUM_TEAMS=4\nfor i in 1; do\n"),
    ".gitignore": beside(".gitignore", b"*a*\n"),
    ".gitignore of stars": beside(".gitignore", b"*a"),
    "settings": beside("sycllint.toml", b'[[a]]\n"b" = "c"\n'),
    "settings nested": beside("sycllint.toml", b"[", b"a = "),
    "settings of dots": beside("sycllint.toml", b"a.", b"", b"a = 1"),
    "baseline nested": beside(".sycllint-baseline.json", b"["),
    "baseline": beside(
        ".sycllint-baseline.json",
        b'{"path": "a.cpp", "code": "SYC101", "severity": "error", "text": "0", "context": "0", "message": ""},',
        b'{"version": 1, "findings": [',
        b'{"path": "a.cpp", "code": "SYC101", "severity": "error", "text": "0", "context": "0", "message": ""}]}',
    ),
}
"""Every bomb by what is in it."""


class Cost(NamedTuple):
    """The result of one run."""

    size: int
    """Bytes of all its files."""
    seconds: float
    """Of processor time."""
    memory: int
    """Bytes, at most at one time."""
    code: int
    """The exit code; negative for a signal."""
    said: str
    """The notices."""

    @property
    def bound(self) -> float:
        """Seconds that it may take."""
        return bound_of(self.size)


def bound_of(size: int) -> float:
    """Seconds of processor time that ``size`` bytes may take: those of the limit, and those of the interpreter."""
    return START + max(PATIENCE * size / 1e6, seconds_for(size))


def cost(files: Files) -> Cost:
    """Lint ``files`` in a process of its own, which is ended after three times the processor time that it may take."""
    size = sum(map(len, files.values()))
    limit = int(3 * bound_of(size)) + 1

    with tempfile.TemporaryDirectory() as folder:
        for name, content in files.items():
            (Path(folder) / name).write_bytes(content)
        program = "import sys; from sycllint.cli import main; sys.exit(main())"
        run_bounded = (
            f"import resource; resource.setrlimit(resource.RLIMIT_CPU, ({limit}, {limit}));"
            f"resource.setrlimit(resource.RLIMIT_AS, ({3 * MEMORY}, {3 * MEMORY})); {program}"
        )
        options = ["check", "--no-cache", "--select", "ALL", "-f", "concise", "a.cpp"]
        paths = os.pathsep.join((str(ROOT), str(ROOT / "rules")))
        with (Path(folder) / "said").open("w+b") as said:
            run = subprocess.Popen(
                [sys.executable, "-P", "-c", run_bounded, *options],
                cwd=folder, stdout=subprocess.DEVNULL, stderr=said, env={**os.environ, "PYTHONPATH": paths},
            )  # fmt: skip
            _, status, usage = os.wait4(run.pid, 0)
            run.returncode = os.waitstatus_to_exitcode(status)
            said.seek(0)
            words = said.read().decode(errors="replace")
    notices = " ".join(each for each in words.splitlines() if each.startswith("notice"))
    return Cost(size, usage.ru_utime + usage.ru_stime, usage.ru_maxrss * 1024, run.returncode, notices)


def row(name: str, found: Cost) -> str:
    """A line of the table."""
    given_up = found.said.removeprefix("notice: a.cpp: ")[:90] or "–"
    return f"| {name} | {found.size / 1e6:.1f} | {found.seconds:.1f} | {found.memory / 1e6:.0f} | {given_up} |"


def main(argv: Sequence[str] | None = None) -> int:
    """Run the bombs; 1 when one is over the bound."""
    parser = argparse.ArgumentParser(description="What inputs cost that are made to cost much.")
    parser.add_argument("names", nargs="*", help="these bombs only")
    parser.add_argument("--megabytes", type=float, default=1.0, help="size of each (1)")
    parser.add_argument("--slow", action="store_true", help="print only those over the bound")
    options = parser.parse_args(argv)
    print("| input | MB | seconds | MB of memory | notice |\n|---|---|---|---|---|")
    over = 0
    began = time.monotonic()
    for name, bomb in BOMBS.items():
        if options.names and name not in options.names:
            continue
        found = cost(bomb(int(options.megabytes * 1e6)))
        bad = found.code not in (0, 1, 2, 3) or found.seconds > found.bound or found.memory > MEMORY
        over += bad
        if bad or not options.slow:
            print(row(name, found) + (f" OVER, exit code {found.code}" if bad else ""), flush=True)
    print(f"\n{over} over the bound, {time.monotonic() - began:.0f} s", file=sys.stderr)
    return 1 if over else 0


if __name__ == "__main__":
    sys.exit(main())
