"""Kernels whose names depend on templates: a report belongs to the way that leads to its instantiation only."""

from pathlib import Path

import pytest

from sycllint.compiled.reading import read_kernel_info
from sycllint.config import Config, Configs
from sycllint.observation import LAUNCHES_ALONE
from sycllint.pipeline.run import Run
from sycllint.values.value import known

HEAD = """\
#include <sycl/sycl.hpp>
namespace mine { class Foo; }
namespace theirs { class Foo; }
"""
LAUNCH = "(sycl::nd_range<1>(4096, n), [=](sycl::nd_item<1> it) { x[it.get_global_id(0)] = 1; });"
MINE, THEIRS, OTHER = "N4mine3FooE", "N6theirs3FooE", "N5other3FooE"


@pytest.fixture(autouse=True)
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / ".git").mkdir()
    monkeypatch.chdir(tmp_path)
    return tmp_path


def joined(source: str, *kernels: str) -> dict[int | None, list[str]]:
    """By the size of the work-group, the kernels that are joined to each way to the launch."""
    Path("kernels.cpp").write_text(HEAD + source.replace("LAUNCH", LAUNCH))
    entries = (f"  - name: {each}\n    execution_env:\n      grf_count: 128\n      simd_size: 16\n" for each in kernels)
    Path("kernels.yaml").write_text("kernels:\n" + "".join(entries))
    configs = Configs(Config(targets=("tgl",)))
    configs.kernel_info = read_kernel_info(("kernels.yaml",))
    run = Run(configs)
    launches = [each for file in run.files(run.listed(["."]), None, LAUNCHES_ALONE) for each in file.launches]
    return {known(each.work_group_size): [report.name for report in each.compiled] for each in launches}


BY_TYPE = {
    "a pack": """\
template <class... Names> class Wrapper;
template <class... Names> void run(sycl::queue &q, float *x, int n) { q.parallel_for<Wrapper<Names...>>LAUNCH }
void all(sycl::queue &q, float *x) { run<mine::Foo>(q, x, 64); run<theirs::Foo>(q, x, 32); }
""",
    "a pack that is handed on": """\
template <class... Names> class Wrapper {};
template <class... Names> void run(sycl::queue &q, float *x, int n) { q.parallel_for<Wrapper<Names...>>LAUNCH }
template <class... Others> void through(sycl::queue &q, float *x, int n) { run<Others...>(q, x, n); }
void all(sycl::queue &q, float *x) { through<mine::Foo>(q, x, 64); through<theirs::Foo>(q, x, 32); }
""",
    "an alias template": """\
template <class Name> class Wrapper;
template <class Each> using Short = Wrapper<Each>;
template <class Name> void run(sycl::queue &q, float *x, int n) { q.parallel_for<Short<Name>>LAUNCH }
void all(sycl::queue &q, float *x) { run<mine::Foo>(q, x, 64); run<theirs::Foo>(q, x, 32); }
""",
    "an alias in the function": """\
template <class Name> class Wrapper;
template <class Name> void run(sycl::queue &q, float *x, int n) {
  using Here = Wrapper<Name>;
  q.parallel_for<Here>LAUNCH
}
void all(sycl::queue &q, float *x) { run<mine::Foo>(q, x, 64); run<theirs::Foo>(q, x, 32); }
""",
    "a default argument": """\
template <class Name> class Wrapper;
template <class Name = theirs::Foo> void run(sycl::queue &q, float *x, int n) { q.parallel_for<Wrapper<Name>>LAUNCH }
void all(sycl::queue &q, float *x) { run<mine::Foo>(q, x, 64); run(q, x, 32); }
""",
    "a using declaration": """\
template <class Name> class Wrapper;
using theirs::Foo;
template <class Name> void run(sycl::queue &q, float *x, int n) { q.parallel_for<Wrapper<Name>>LAUNCH }
void all(sycl::queue &q, float *x) { run<mine::Foo>(q, x, 64); run<Foo>(q, x, 32); }
""",
    "a template as an argument": """\
template <class Name> class Wrapper;
template <template <class> class Of, class Name> void run(sycl::queue &q, float *x, int n) {
  q.parallel_for<Of<Name>>LAUNCH
}
void all(sycl::queue &q, float *x) { run<Wrapper, mine::Foo>(q, x, 64); run<Wrapper, theirs::Foo>(q, x, 32); }
""",
    "a class template around the function": """\
template <class Name> class Wrapper;
template <class Name> struct Solver {
  void run(sycl::queue &q, float *x, int n) { q.parallel_for<Wrapper<Name>>LAUNCH }
};
void all(sycl::queue &q, float *x) {
  Solver<mine::Foo> first;
  first.run(q, x, 64);
  Solver<theirs::Foo> second;
  second.run(q, x, 32);
}
""",
    "a tag that is given": """\
namespace mine { struct Foo {}; }
namespace theirs { struct Foo {}; }
template <class Name> class Wrapper;
template <class Name> void run(Name, sycl::queue &q, float *x, int n) { q.parallel_for<Wrapper<Name>>LAUNCH }
void all(sycl::queue &q, float *x) { run(mine::Foo{}, q, x, 64); run(theirs::Foo(), q, x, 32); }
""",
}


@pytest.mark.parametrize("wording", BY_TYPE)
def test_the_type_in_a_name_is_whole(wording: str) -> None:
    mine, theirs, other = (f"_ZTS7WrapperI{each}E" for each in (MINE, THEIRS, OTHER))
    assert joined(BY_TYPE[wording], mine, theirs, other) == {64: [mine], 32: [theirs]}


BY_NUMBER = {
    "a parameter": """\
template <int N> class Tpl;
template <int N> void run(sycl::queue &q, float *x, int n) { q.parallel_for<Tpl<N>>LAUNCH }
void all(sycl::queue &q, float *x) { run<64>(q, x, 64); run<128>(q, x, 32); }
""",
    "a computed argument": """\
constexpr int Width = 32;
template <int N> class Tpl;
template <int N> void run(sycl::queue &q, float *x, int n) { q.parallel_for<Tpl<2 * N>>LAUNCH }
void all(sycl::queue &q, float *x) { run<Width>(q, x, 64); run<Width * 2>(q, x, 32); }
""",
    "a pack": """\
template <int... N> class Tpl {};
template <int... N> void run(sycl::queue &q, float *x, int n) { q.parallel_for<Tpl<N...>>LAUNCH }
void all(sycl::queue &q, float *x) { run<64>(q, x, 64); run<128>(q, x, 32); }
""",
    "the default argument of a class": """\
template <int N = 64> class Tpl;
void run(sycl::queue &q, float *x, bool first) {
  const int n = 64;
  q.parallel_for<Tpl<>>LAUNCH
}
void other(sycl::queue &q, float *x) {
  const int n = 32;
  q.parallel_for<Tpl<128>>LAUNCH
}
""",
    "a default argument that another declaration has": """\
template <int N = 64> class Tpl;
template <int N> class Tpl {};
template <int... N> void run(sycl::queue &q, float *x, int n) { q.parallel_for<Tpl<N...>>LAUNCH }
void all(sycl::queue &q, float *x) { run(q, x, 64); run<128>(q, x, 32); }
""",
    "the default argument of a function object": """\
template <int N = 64> struct Tpl {
  float *x;
  void operator()(sycl::nd_item<1> it) const { x[it.get_global_id(0)] = N; }
};
void all(sycl::queue &q, float *x) {
  q.parallel_for(sycl::nd_range<1>(4096, 64), Tpl<>{x});
  q.parallel_for(sycl::nd_range<1>(4096, 32), Tpl<128>{x});
}
""",
    "the size of a type": """\
struct Large { float of[16]; };
struct Larger { float of[32]; };
template <unsigned long N> class Tpl;
template <class T> void run(sycl::queue &q, float *x, int n) { q.parallel_for<Tpl<sizeof(T)>>LAUNCH }
void all(sycl::queue &q, float *x) { run<Large>(q, x, 64); run<Larger>(q, x, 32); }
""",
}


@pytest.mark.parametrize("wording", BY_NUMBER)
def test_the_number_in_a_name_is_the_same(wording: str) -> None:
    first, second, third = (f"_ZTS3TplILi{each}EE" for each in (64, 128, 256))
    assert joined(BY_NUMBER[wording], first, second, third) == {64: [first], 32: [second]}


AROUND = {
    "N6SolverILi{}EE4nameE": "template <int N> struct Solver { class name; BODY };",
    "ZN6SolverILi{}EE3runERN4sycl3_V15queueEPfiEUlNS1_7nd_itemILi1EEEE_": "template <int N> struct Solver { LAMBDA };",
    "N2in6SolverILi{}EfE4nameE": """\
namespace in { template <int N, class T = float> struct Solver { class name; BODY }; }
using in::Solver;
""",
}


@pytest.mark.parametrize("mangled", AROUND)
def test_the_instance_around_a_kernel_is_part_of_its_name(mangled: str) -> None:
    body = "void run(sycl::queue &q, float *x, int n) { q.parallel_forNAMELAUNCH }"
    source = AROUND[mangled].replace("BODY", body.replace("NAME", "<name>")).replace("LAMBDA", body.replace("NAME", ""))
    calls = "void all(sycl::queue &q, float *x) { Solver<64> a; a.run(q, x, 64); Solver<128> b; b.run(q, x, 32); }\n"
    first, second, third = ("_ZTS" + mangled.replace("{}", str(each)) for each in (64, 128, 256))
    assert joined(source + calls, first, second, third) == {64: [first], 32: [second]}


@pytest.mark.parametrize("call", ["run(q, x, 64);", "this->run(q, x, 64);"])
def test_a_member_function_is_called_by_another_one(call: str) -> None:
    source = f"""\
template <int N> struct Solver {{
  class name;
  void run(sycl::queue &q, float *x, int n) {{ q.parallel_for<name>LAUNCH }}
  void all(sycl::queue &q, float *x) {{ {call} }}
}};
void use(sycl::queue &q, float *x) {{ Solver<64> a; a.all(q, x); }}
"""
    own, other = "_ZTSN6SolverILi64EE4nameE", "_ZTSN6SolverILi128EE4nameE"
    assert joined(source, own, other) == {64: [own]}


DECLARATORS = """\
template <class T> class Wrapper;
template <class T> void run(sycl::queue &q, float *x, int n) {{ q.parallel_for<Wrapper<{}>>LAUNCH }}
void all(sycl::queue &q, float *x) {{ run<mine::Foo>(q, x, 64); run<theirs::Foo>(q, x, 32); }}
"""


@pytest.mark.parametrize(("written", "mangled"), [("T *", "P"), ("const T", "K"), ("const T &", "RK"), ("T &", "R")])
def test_pointers_references_and_constants_are_of_the_type(written: str, mangled: str) -> None:
    mine, theirs = f"_ZTS7WrapperI{mangled}{MINE}E", f"_ZTS7WrapperI{mangled}{THEIRS}E"
    bare = f"_ZTS7WrapperI{MINE}E"
    assert joined(DECLARATORS.format(written), mine, theirs, bare) == {64: [mine], 32: [theirs]}


@pytest.mark.parametrize("given", ["float *", "const float", "const float *"])
def test_an_argument_is_bound_with_its_declarators(given: str) -> None:
    source = DECLARATORS.format("T").replace("mine::Foo", given).replace("theirs::Foo", "float")
    mangled = {"float *": "Pf", "const float": "Kf", "const float *": "PKf"}[given]
    first, second = f"_ZTS7WrapperI{mangled}E", "_ZTS7WrapperIfE"
    assert joined(source, first, second, "_ZTS7WrapperIPdE") == {64: [first], 32: [second]}


def test_lambdas_without_names_belong_to_the_instantiation_around_them() -> None:
    source = """\
template <class T> void run(sycl::queue &q, float *x, int n) {
  q.submit([&](sycl::handler &h) { h.parallel_forLAUNCH });
}
void all(sycl::queue &q, float *x) { run<mine::Foo>(q, x, 64); run<theirs::Foo>(q, x, 32); }
"""
    mine, theirs = (
        f"_ZTSZZ3runI{each}EvRN4sycl3_V15queueEPfiENKUlRNS2_7handlerEE_clES6_EUlNS2_7nd_itemILi1EEEE_"
        for each in (MINE, THEIRS)
    )
    assert joined(source, mine, theirs) == {64: [mine], 32: [theirs]}


def test_what_is_deduced_may_follow_what_is_given() -> None:
    source = """\
template <class... Names> class Wrapper {};
template <class First, class... Rest> void run(sycl::queue &q, float *x, int n, Rest... rest) {
  q.parallel_for<Wrapper<First, Rest...>>LAUNCH
}
void all(sycl::queue &q, float *x) { run<mine::Foo>(q, x, 64, 1.0f); run<theirs::Foo>(q, x, 32, 1); }
"""
    mine, theirs = f"_ZTS7WrapperIJ{MINE}fEE", f"_ZTS7WrapperIJ{THEIRS}iEE"
    assert joined(source, mine, theirs) == {64: [mine], 32: [theirs]}


@pytest.mark.parametrize("end", [";", " {};"])
def test_a_list_of_another_length_is_another_kernel(end: str) -> None:
    source = f"""\
template <class... Names> class Wrapper{end}
void all(sycl::queue &q, float *x) {{ const int n = 64; q.parallel_for<Wrapper<mine::Foo>>LAUNCH }}
"""
    own, longer, none = f"_ZTS7WrapperIJ{MINE}EE", f"_ZTS7WrapperIJ{MINE}iEE", "_ZTS7WrapperIJEE"
    assert joined(source, longer) == {64: []}
    assert joined(source, own, longer, none) == {64: [own]}
