"""Numbers that are not in the file with the launch: headers, includers, call sites, templates, build files."""

import gc
import weakref
from collections.abc import Mapping
from itertools import permutations
from pathlib import Path
from typing import Any, ClassVar

import pytest

from sycllint.config import Config
from sycllint.cpp.expression import Lambda
from sycllint.cpp.place import Place
from sycllint.cpp.statement import Function
from sycllint.device_code.scanning.scan import Scan
from sycllint.device_code.scanning.scanner import Scanner
from sycllint.facts.file import FileFacts
from sycllint.garbage import collect_rarely
from sycllint.launch.kernel import KernelLaunch
from sycllint.launch.merge import merged
from sycllint.observation import EVERYTHING, LAUNCHES_ALONE
from sycllint.pipeline import check
from sycllint.pipeline.kept_facts import KeptFacts, concerning
from sycllint.pipeline.project import Project, SourceAnalysis
from sycllint.source.text import SourceFile
from sycllint.values.evaluate import Evaluator
from sycllint.values.value import Value, possible

LAUNCH = "q.parallel_for(sycl::nd_range<1>(1024 * BLOCK, BLOCK), [=](sycl::nd_item<1> it) {});"


def launches(folder: Path, files: Mapping[str, str], file: str = "main.cpp") -> list[KernelLaunch]:
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    path = folder / file
    return merged(Project({}).analyze(SourceFile(str(path), path.read_bytes()), EVERYTHING).launches)


def numbers(value: Value | None) -> set[int]:
    return set() if value is None else {each.value for each in possible(value)}


def sizes(folder: Path, files: Mapping[str, str], file: str = "main.cpp") -> list[set[int]]:
    return [numbers(launch.work_group_size) for launch in launches(folder, files, file)]


CASES: dict[str, tuple[dict[str, str], str, list[set[int]]]] = {
    "a macro of a header": (
        {"main.cpp": f'#include "sizes.h"\nvoid f(sycl::queue &q) {{ {LAUNCH} }}', "sizes.h": "#define BLOCK 128\n"},
        "main.cpp",
        [{128}],
    ),
    "a constant of a header's header": (
        {
            "main.cpp": f'#include "a.h"\nvoid f(sycl::queue &q) {{ {LAUNCH} }}',
            "a.h": '#include "b.h"\n',
            "b.h": "constexpr int BLOCK = 32 * 4;\n",
        },
        "main.cpp",
        [{128}],
    ),
    "headers that include each other": (
        {
            "main.cpp": f'#include "a.h"\nvoid f(sycl::queue &q) {{ {LAUNCH} }}',
            "a.h": '#include "b.h"\n',
            "b.h": '#include "a.h"\n#define BLOCK 64\n',
        },
        "main.cpp",
        [{64}],
    ),
    "a constant that only the includer sees": (
        {
            "main.cpp": '#define BLOCK 96\n#include "wrapper.h"\n',
            "wrapper.h": f"inline void f(sycl::queue &q) {{ {LAUNCH} }}",
        },
        "wrapper.h",
        [{96}],
    ),
    "the definition that stands before the include": (
        {
            "main.cpp": '#define BLOCK 256\n#include "sizes.h"\n' + f"void f(sycl::queue &q) {{ {LAUNCH} }}",
            "sizes.h": "#ifndef BLOCK\n#define BLOCK 64\n#endif\n",
        },
        "main.cpp",
        [{256}],
    ),
    "two definitions of which none is known to be compiled": (
        {
            "main.cpp": "#ifdef WIDE\n#define BLOCK 512\n#else\n#define BLOCK 64\n#endif\n"
            f"void f(sycl::queue &q) {{ {LAUNCH} }}",
        },
        "main.cpp",
        [{64, 512}],
    ),
    "a macro of the makefile": (
        {"main.cpp": f"void f(sycl::queue &q) {{ {LAUNCH} }}", "Makefile": "CFLAGS = -DBLOCK=160\n"},
        "main.cpp",
        [{160}],
    ),
    "a branch that the makefile does not ask for": (
        {
            "main.cpp": "#ifdef WIDE\n#define BLOCK 512\n#else\n#define BLOCK 64\n#endif\n"
            f"void f(sycl::queue &q) {{ {LAUNCH} }}",
            "Makefile": "CFLAGS = -O3\n",
        },
        "main.cpp",
        [{64}],
    ),
    "a folder of the makefile": (
        {
            "app/main.cpp": f'#include "sizes.h"\nvoid f(sycl::queue &q) {{ {LAUNCH} }}',
            "app/Makefile": "CFLAGS = -I../shared\n",
            "shared/sizes.h": "#define BLOCK 48\n",
        },
        "app/main.cpp",
        [{48}],
    ),
    "call sites": (
        {
            "main.cpp": f"static void f(sycl::queue &q, int BLOCK) {{ {LAUNCH} }}\n"
            "int main() { sycl::queue q; f(q, 64); f(q, 128); }"
        },
        "main.cpp",
        [{64}, {128}],
    ),
    "a call of a caller": (
        {
            "main.cpp": f"static void f(sycl::queue &q, int BLOCK) {{ {LAUNCH} }}\n"
            "static void g(sycl::queue &q, int n) { f(q, n * 2); }\n"
            "int main() { sycl::queue q; g(q, 64); }"
        },
        "main.cpp",
        [{128}],
    ),
    "a default argument": (
        {
            "main.cpp": f"static void f(sycl::queue &q, int BLOCK = 192) {{ {LAUNCH} }}\n"
            "int main() { sycl::queue q; f(q); }"
        },
        "main.cpp",
        [{192}],
    ),
    "a call in another file of the program": (
        {
            "kernels.cpp": f'#include "kernels.h"\nvoid f(sycl::queue &q, int BLOCK) {{ {LAUNCH} }}',
            "kernels.h": "void f(sycl::queue &q, int BLOCK);\n",
            "main.cpp": '#include "kernels.h"\nint main() { sycl::queue q; f(q, 224); }',
            "Makefile": "all:\n",
        },
        "kernels.cpp",
        [{224}],
    ),
    "template arguments": (
        {
            "main.cpp": f"template <int BLOCK> void f(sycl::queue &q) {{ {LAUNCH} }}\n"
            "int main() { sycl::queue q; f<64>(q); f<320>(q); }"
        },
        "main.cpp",
        [{64}, {320}],
    ),
    "a default template argument": (
        {
            "main.cpp": f"template <typename T, int BLOCK = 96> void f(sycl::queue &q, T x) {{ {LAUNCH} }}\n"
            "int main() { sycl::queue q; f(q, 1.0f); }"
        },
        "main.cpp",
        [{96}],
    ),
    "a member of a template": (
        {
            "main.cpp": "template <int N> struct Shape { static constexpr int lanes = N * 2; };\n"
            "void f(sycl::queue &q) { constexpr int BLOCK = Shape<24>::lanes; " + LAUNCH + " }"
        },
        "main.cpp",
        [{48}],
    ),
    "traits handed on": (
        {
            "main.cpp": "template <int N> struct Traits { static constexpr int block = N; };\n"
            "template <int N> void f(sycl::queue &q) { using T = Traits<N>; constexpr int BLOCK = T::block; "
            + LAUNCH
            + " }\nint main() { sycl::queue q; f<16>(q); f<32>(q); }"
        },
        "main.cpp",
        [{16}, {32}],
    ),
    "what a function returns": (
        {
            "main.cpp": "constexpr int round_up(int n, int step) { return (n + step - 1) / step * step; }\n"
            "void f(sycl::queue &q) { const int BLOCK = round_up(100, 32); " + LAUNCH + " }"
        },
        "main.cpp",
        [{128}],
    ),
    "a counter": (
        {"main.cpp": "void f(sycl::queue &q) { for (int BLOCK = 32; BLOCK <= 256; BLOCK *= 2) { " + LAUNCH + " } }"},
        "main.cpp",
        [{32, 64, 128, 256}],
    ),
    "a loop over a list": (
        {"main.cpp": "void f(sycl::queue &q) { int all[] = {64, 96}; for (int BLOCK : all) { " + LAUNCH + " } }"},
        "main.cpp",
        [{64, 96}],
    ),
    "a parameter without calls": (
        {"main.cpp": f"void f(sycl::queue &q, int BLOCK) {{ {LAUNCH} }}"},
        "main.cpp",
        [set()],
    ),
    "a header of a library beside the program": (
        {
            "CMakeLists.txt": "",
            "core/CMakeLists.txt": "",
            "core/src/sizes/Block.hpp": "constexpr int BLOCK = 64;\n",
            "app/CMakeLists.txt": "",
            "app/main.cpp": f"#include <sizes/Block.hpp>\nvoid f(sycl::queue &q) {{ {LAUNCH} }}",
        },
        "app/main.cpp",
        [{64}],
    ),
    "a call in another folder of the project": (
        {
            "CMakeLists.txt": "",
            "include/lib/run.hpp": f"inline void run(sycl::queue &q, int BLOCK) {{ {LAUNCH} }}",
            "include/lib/CMakeLists.txt": "",
            "apps/CMakeLists.txt": "",
            "apps/one.cpp": '#include "lib/run.hpp"\nvoid one(sycl::queue &q) { run(q, 32); }',
            "apps/two.cpp": '#include "lib/run.hpp"\nvoid two(sycl::queue &q) { run(q, 96); }',
        },
        "include/lib/run.hpp",
        [{32}, {96}],
    ),
    "no header of another program": (
        {
            "CMakeLists.txt": "",
            "one/Makefile": "",
            "one/main.cpp": "int main() {}",
            "one/sizes.h": "constexpr int BLOCK = 64;\n",
            "two/Makefile": "",
            "two/main.cpp": f'#include "sizes.h"\nint main() {{ sycl::queue q; {LAUNCH} }}',
        },
        "two/main.cpp",
        [set()],
    ),
    "a lambda called by name": (
        {"main.cpp": "void f(sycl::queue &q) { auto go = [&](int BLOCK) { " + LAUNCH + " }; go(64); go(72); }"},
        "main.cpp",
        [{64}, {72}],
    ),
}


@pytest.mark.parametrize("case", CASES)
def test_the_work_group_size_comes_from(case: str, tmp_path: Path) -> None:
    files, file, expected = CASES[case]
    assert sizes(tmp_path, files, file) == expected


@pytest.mark.parametrize("outside", ["", "#include <cmath>\n", '#include <vector>\n#include "body.sycl"\n'])
def test_a_kernel_in_an_included_file_has_its_barriers(outside: str, tmp_path: Path) -> None:
    files = {
        "main.cpp": outside
        + "void f(sycl::queue &q) { q.parallel_for(sycl::nd_range<1>(64, 64), [=](sycl::nd_item<1> it) {\n"
        '#include "body.sycl"\n}); }',
        "body.sycl": "int i = it.get_local_id(0);\nit.barrier();\n",
    }
    (launch,) = launches(tmp_path, files)
    assert launch.barrier is True
    assert launch.kernel.barriers[0].path.endswith("body.sycl")


def test_a_type_parameter_has_a_size_in_each_instantiation(tmp_path: Path) -> None:
    files = {
        "main.cpp": "template <typename T> void f(sycl::queue &q, T *x) { q.submit([&](sycl::handler &h) {\n"
        "sycl::local_accessor<T, 1> tile(sycl::range<1>(64), h);\n"
        "h.parallel_for(sycl::nd_range<1>(64, 64), [=](sycl::nd_item<1> it) { tile[0] = *x; }); }); }\n"
        "int main() { sycl::queue q; f<float>(q, nullptr); f<double>(q, nullptr); }"
    }
    (launch,) = launches(tmp_path, files)
    assert numbers(launch.local_memory.total) == {256, 512}


def test_a_web_of_headers_ends(tmp_path: Path) -> None:
    everyone = "".join(f'#include "h{number}.h"\n' for number in range(120))
    files = {f"h{number}.h": everyone + f"#define N{number} {number}\n" for number in range(120)}
    files["main.cpp"] = '#include "h0.h"\n#define BLOCK 64\n' + f"void f(sycl::queue &q) {{ {LAUNCH} }}"
    assert sizes(tmp_path, files) == [{64}]


def test_an_attribute_means_what_it_says_where_it_is_written(tmp_path: Path) -> None:
    header = """
        template <typename Kernel> void run(sycl::queue &q, Kernel kernel) {
          q.parallel_for(sycl::nd_range<1>(1024, 64), kernel);
        }
    """
    main = """
        #include "run.h"
        constexpr int WIDTH = 16;
        void start(sycl::queue &q) {
          auto kernel = [=](sycl::nd_item<1>) [[sycl::reqd_sub_group_size(WIDTH)]] {};
          run(q, kernel);
        }
    """
    for launch in launches(tmp_path, {"run.h": header, "main.cpp": main}, "run.h"):
        required = launch.sub_group_size
        assert required is None or Path(required.location.path).name == "main.cpp"
        assert required is None or numbers(required.value) == {16}


def test_where_launches_alone_are_asked_for_a_header_without_one_is_read_for_those_that_include_it(
    tmp_path: Path,
) -> None:
    header, main = tmp_path / "sizes.h", tmp_path / "main.cpp"
    header.write_text("#define BLOCK 128\nvoid wait(sycl::queue &q) { q.wait(; }\n")
    main.write_text(f'#include "sizes.h"\nvoid f(sycl::queue &q) {{ {LAUNCH} }}')
    project = Project({})

    sources = [SourceFile(str(each), each.read_bytes()) for each in (header, main)]
    alone, found = (project.analyze(each, LAUNCHES_ALONE) for each in sources)

    assert (alone.launches, alone.parse_errors) == ((), 0)
    assert [numbers(each.work_group_size) for each in found.launches] == [{128}]


@pytest.mark.parametrize(("name", "is_read"), [("a.cpp", False), ("a.hpp", True)])
def test_a_file_that_can_show_nothing_is_read_where_another_includes_it(
    name: str, is_read: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("Makefile").touch()
    Path("main.cpp").write_text('#include "a.hpp"\n')
    Path(name).write_text("// sycl\nint f( {\nint g();\n")
    facts, source = KeptFacts(), SourceFile(name, Path(name).read_bytes())
    damaged = len(facts.make(name, source.content, {}).damaged)
    make, read = facts.make, list[str]()

    def counted(path: str, content: bytes, defines: Mapping[str, str]) -> FileFacts:
        read.append(path)
        return make(path, content, defines)

    facts.make = counted
    assert Project({}, facts=facts).analyze(source, EVERYTHING).parse_errors == damaged > 0
    assert read == [name] * is_read


def test_more_headers_than_300_are_one_unit(tmp_path: Path) -> None:
    files = {f"lib/part{number}/h{number}.hpp": f"#define N{number} {number}\n" for number in range(350)}
    includes = "".join(f"#include <h{number}.hpp>\n" for number in range(350))
    files |= {"CMakeLists.txt": "", "main.cpp": f"{includes}void f(sycl::queue &q) {{ {LAUNCH} }}"}
    files["lib/part349/h349.hpp"] = "#define BLOCK 64\n"
    assert sizes(tmp_path, files) == [{64}]


WRAPPER = """
inline void scale(sycl::queue &q, float *x, int n, int group) {
  q.parallel_for(sycl::nd_range<1>(n, %s), [=](sycl::nd_item<1> it) { x[it.get_global_id(0)] *= 2; });
}
"""


@pytest.mark.parametrize(("size", "scans"), [("64", 0), ("group", 1)])
def test_a_kernel_of_another_file_is_looked_into_where_this_file_decides_its_size(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, size: str, scans: int
) -> None:
    scanned: list[object] = []
    original = Scanner.kernel

    def counted(scanner: Scanner, function: Lambda | Function, place: Place) -> Scan:
        scanned.append(function)
        return original(scanner, function, place)

    monkeypatch.setattr(Scanner, "kernel", counted)
    main = '#include "scale.hpp"\nint main() { sycl::queue q; float *x = get(); scale(q, x, 1 << 20, 128); }\n'
    files = {"scale.hpp": WRAPPER % size, "main.cpp": main}
    assert len(launches(tmp_path, files)) == scans
    assert len(scanned) == scans
    assert [numbers(each.work_group_size) for each in launches(tmp_path, files, "scale.hpp")] == [
        {64} if size == "64" else {128}
    ]


def test_programs_share_the_facts_of_a_header_that_names_none_of_their_macros() -> None:
    facts, header = KeptFacts(), SourceFile("a.h", b"#ifdef WIDE\nint n = WIDTH;\n#endif\n")
    plain = facts.of("a.h", header, {"OTHER": "1"})
    assert facts.of("a.h", header, {"ELSE": "2"}) is plain
    assert facts.of("a.h", header, {"WIDE": "1"}) is not plain
    assert concerning(header.content, {"WIDE": "LANES", "LANES": "8", "REST": "1"}) == {"WIDE": "LANES", "LANES": "8"}


def test_of_more_headers_than_are_kept_a_unit_reads_those_again_that_the_last_one_had_not() -> None:
    facts, made = KeptFacts(most=10), list[str]()
    make = facts.make

    def counted(path: str, content: bytes, defines: Mapping[str, str]) -> FileFacts:
        made.append(path)
        return make(path, content, defines)

    facts.make = counted
    reader = facts.under({})
    for names in ("abcdefgh01", "23abcdefgh", "abcd45efgh", "abcdefgh01"):
        reader.about_to_be_asked(names)
        for each in names:
            reader.of(each, SourceFile(each, b";"))
    assert "".join(made) == "abcdefgh01234501"


HANDED = {
    "run.h": "template <class K> void run(sycl::queue &q, int n, K k)"
    " { q.parallel_for(sycl::nd_range<1>(n, 2048), k); }\n",
    "main.cpp": '#include "run.h"\nvoid f(sycl::queue &q, int n, float *x) {\n'
    "  run(q, n, [=](sycl::nd_item<1> it) { x[it.get_global_id(0)] = 1; });\n"
    "  run(q, n, [=](sycl::nd_item<1> it) {\n"
    "    if (it.get_local_id(0) < 3) sycl::group_barrier(it.get_group());\n"
    "  });\n}\n",
}

CALLED = {
    "body.h": "inline void body(sycl::nd_item<1> it) {\n"
    "  if (it.get_local_id(0) < 3) sycl::group_barrier(it.get_group());\n}\n",
    "solve.h": '#include "body.h"\ninline void solve(sycl::queue &q, int n, int local)'
    " { q.parallel_for(sycl::nd_range<1>(n, local), [=](sycl::nd_item<1> it) { body(it); }); }\n",
    "main.cpp": '#include "solve.h"\nvoid f(sycl::queue &q, int n) { solve(q, n, 2048); }\n',
}


@pytest.mark.parametrize(
    ("files", "given", "found"),
    [
        (HANDED, ["main.cpp"], [("main.cpp", "SYC501")]),
        (HANDED, ["run.h"], [("main.cpp", "SYC501"), ("run.h", "SYC101")]),
        (HANDED, ["main.cpp", "run.h"], [("main.cpp", "SYC501"), ("run.h", "SYC101")]),
        (CALLED, ["main.cpp"], [("main.cpp", "SYC101")]),
        (CALLED, ["solve.h"], [("body.h", "SYC501")]),
        (CALLED, [*CALLED], [("body.h", "SYC501"), ("main.cpp", "SYC101")]),
    ],
)
def test_kernels_that_a_header_launches_are_judged_where_they_are_written(
    files: dict[str, str],
    given: list[str],
    found: list[tuple[str, str]],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    (tmp_path / ".git").mkdir()
    for name, text in files.items():
        (tmp_path / name).write_text(f"#include <sycl/sycl.hpp>\n{text}")
    monkeypatch.chdir(tmp_path)
    diagnostics = check(given, Config(targets=("tgl",))).diagnostics
    assert sorted((each.location.path, each.code) for each in diagnostics if each.code != "SYC607") == found


def test_what_was_read_is_no_matter_of_the_collector(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "sizes.h").write_text("#define BLOCK 64\n")
    content = f'#include "sizes.h"\nvoid f(sycl::queue &q) {{ {LAUNCH} }}'.encode()
    project, made = Project({}), evaluators_made(monkeypatch)
    before = gc.get_threshold()
    collect_rarely()
    try:
        project.analyze(SourceFile(str(tmp_path / "main.cpp"), content), EVERYTHING)
        (evaluator,) = made
        facts = evaluator.facts.files
        assert not any(each is other for each in gc.get_objects() for other in facts)
        seen = weakref.ref(evaluator.lookup)
        made.clear()
        del evaluator, facts
        project.analyze(SourceFile(str(tmp_path / "other.cpp"), content), EVERYTHING)
        assert seen() is None
    finally:
        gc.set_threshold(*before)
        gc.unfreeze()


def evaluators_made(monkeypatch: pytest.MonkeyPatch) -> list[Evaluator]:
    """Those that are made from now on."""
    made: list[Evaluator] = []
    init = Evaluator.__init__

    def noted(self: Evaluator, *arguments: Any) -> None:
        init(self, *arguments)
        made.append(self)

    monkeypatch.setattr(Evaluator, "__init__", noted)
    return made


class TestFilesOfOneUnit:
    """What is known of a unit serves the next file in it, and says of that what it says by itself."""

    FILES: ClassVar = {
        "main.cpp": '#include "kernels.h"\n#include "sizes.h"\nvoid f(sycl::queue &q) { fill(q, 128); run<64>(q); }\n'
        "int main() {}\n",
        "kernels.h": "inline void fill(sycl::queue &q, int n) {\n"
        "  q.parallel_for(sycl::nd_range<1>(4096, n), [=](sycl::nd_item<1> it) { it.barrier(); });\n}\n",
        "sizes.h": "template <int N> void run(sycl::queue &q) {\n"
        "  q.parallel_for(sycl::nd_range<1>(4096, N), [=](sycl::nd_item<1> it) {});\n}\n",
    }

    @pytest.fixture(autouse=True)
    def _files(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        for name, text in self.FILES.items():
            (tmp_path / name).write_text(text)
        monkeypatch.chdir(tmp_path)

    def analyze(self, project: Project, name: str) -> SourceAnalysis:
        return project.analyze(SourceFile(name, self.FILES[name].encode()), EVERYTHING)

    @pytest.mark.parametrize("order", list(permutations(FILES)))
    def test_each_is_said_to_be_what_it_is_alone(self, order: tuple[str, ...], monkeypatch: pytest.MonkeyPatch) -> None:
        made = evaluators_made(monkeypatch)
        together = Project({})
        found = {name: self.analyze(together, name) for name in order}
        assert len(made) == 1
        for name in order:
            alone = self.analyze(Project({}), name)
            assert found[name].launches
            assert (found[name].launches, found[name].seen) == (alone.launches, alone.seen)

    def test_what_was_left_in_the_middle_is_used_no_more(self, monkeypatch: pytest.MonkeyPatch) -> None:
        made, project = evaluators_made(monkeypatch), Project({})
        with monkeypatch.context() as given_up:
            given_up.setattr("sycllint.pipeline.project.analyze_unit", lambda *_, **__: 1 / 0)
            with pytest.raises(ZeroDivisionError):
                self.analyze(project, "main.cpp")
        assert self.analyze(project, "kernels.h").launches
        assert len(made) == 2
