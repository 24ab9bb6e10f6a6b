"""Compilers' reports joined to launches, and what rules make of them."""

import csv
import re
from pathlib import Path

import pytest

from sycllint.compiled.reading import read_kernel_info
from sycllint.config import Config, Configs
from sycllint.diagnostic import Diagnostic, Evidence, Severity
from sycllint.errors import SycllintError
from sycllint.hardware.profiles import device
from sycllint.observation import LAUNCHES_ALONE
from sycllint.pipeline import Kernels, Result, check, kernels
from sycllint.pipeline.cache import Cache
from sycllint.pipeline.run import Run
from sycllint.report.kernels import kernels_table
from sycllint.source.text import SourceFile
from sycllint.values.value import known

RECORDED = Path(__file__).parent.parent / "data" / "compiled"


@pytest.fixture(autouse=True)
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / ".git").mkdir()
    (tmp_path / "kernels.cpp").write_text((RECORDED / "kernels.cpp").read_text())
    monkeypatch.chdir(tmp_path)
    return tmp_path


def configs(*info: str, targets: tuple[str, ...] = ("tgl",)) -> Configs:
    found = Configs(Config(targets=targets))
    found.kernel_info = read_kernel_info(info)
    return found


def linted(*info: str, targets: tuple[str, ...] = ("tgl",)) -> Result:
    return check(["."], configs(*info, targets=targets), raise_rule_errors=True)


def listed(*info: str, targets: tuple[str, ...] = ("tgl",)) -> Kernels:
    return kernels(["."], configs(*info, targets=targets), raise_errors=True)


def of(result: Result, code: str) -> list[Diagnostic]:
    return [each for each in result.diagnostics if each.code == code]


def zeinfo(name: str, width: int = 16, slm: int = 0, registers: int = 128) -> str:
    return (
        f"kernels:\n  - name: {name}\n    execution_env:\n      grf_count: {registers}\n"
        f"      simd_size: {width}\n      slm_size: {slm}\n"
    )


@pytest.mark.parametrize("device", ["tgl", "dg2", "pvc"])
def test_every_recorded_kernel_finds_its_launch(device: str) -> None:
    found = listed(f"{device}={RECORDED}/{device}.zeinfo", targets=(device,))
    assert [each.launch.kernel.name for each in found.launches if not each.launch.compiled] == []
    assert found.notices == ()


@pytest.mark.parametrize("device", ["tgl", "dg2", "pvc"])
def test_the_source_agrees_with_the_compiler_where_both_know(device: str) -> None:
    alone = listed(targets=(device,)).launches
    for report in listed(f"{device}={RECORDED}/{device}.zeinfo", targets=(device,)).launches:
        launch = report.launch
        (compiled,) = launch.compiled
        static = 0 if launch.kernel.name == "lines" else compiled.local_memory
        assert launch.local_memory.total.value == (2048 if static == 0 and launch.barrier else static)  # type: ignore[union-attr]
        assert launch.barrier == bool(compiled.barriers)
        (before,) = [each for each in alone if each.launch.location == launch.location]
        widths = {each.sub_group_size: each for each in before.occupancies[device]}
        for now in report.occupancies[device]:
            assert now == widths[now.sub_group_size]


def test_the_compilers_width_leaves_one_occupancy_where_it_chose() -> None:
    by_name = {each.launch.kernel.name: each for each in listed(f"tgl={RECORDED}/tgl.zeinfo").launches}
    assert [each.sub_group_size for each in by_name["lines"].occupancies["tgl"]] == [32]


def test_arrays_in_memory_are_proved_and_those_in_registers_are_silent() -> None:
    estimated = {each.message.split()[1] for each in of(linted(), "SYC601")}
    assert estimated == {"384", "512", "1024"}
    found = of(linted(f"tgl={RECORDED}/tgl.zeinfo"), "SYC601")
    live = ((128, "bins"), (256, "bins"), (512, "bins"), (1024, "bins"), (256, "row"), (384, "sums"))
    assert {(each.message, each.evidence) for each in found} == {
        (f"the {size} B of `{name}` are kept in memory instead of registers on tgl", Evidence.PROVED)
        for size, name in live
    }


def by_kernel(code: str, device: str, *info: str) -> dict[str, Severity]:
    """Of the recorded kernels those that a rule reports, with its severity."""
    text = Path("kernels.cpp").read_text()
    found = {}
    for each in of(linted(*info, targets=(device,)), code):
        named = re.findall(r"parallel_for<(\w+)>", text[: each.location.span.end])
        found[named[-1]] = each.severity
    return found


@pytest.mark.parametrize("device", ["tgl", "dg2", "pvc"])
def test_the_rules_agree_with_the_compiler_on_what_lives_in_memory(device: str) -> None:
    """``rows`` is what the source alone does not say: its subscripts only count, and IGC does not unroll."""
    with (RECORDED / "kernels.csv").open() as stream:
        table = [each for each in csv.DictReader(stream) if each["device"] == device]
    in_memory = {each["kernel"] for each in table if int(each["in_memory"])}
    report = f"{device}={RECORDED}/{device}.zeinfo"
    assert in_memory == set(by_kernel("SYC601", device, report))
    assert by_kernel("SYC602", device, report) == {}
    alone = set(by_kernel("SYC601", device)) | set(by_kernel("SYC602", device))
    assert alone == in_memory - {"rows"}


@pytest.mark.parametrize(
    ("code", "device", "alone", "reported"),
    [
        ("SYC201", "tgl", {"lines": Severity.NOTE}, {}),
        ("SYC201", "dg2", {"sums_8": Severity.WARNING}, {"sums_8": Severity.WARNING}),
        ("SYC201", "pvc", {"sums_8": Severity.WARNING}, {"sums_8": Severity.WARNING}),
        ("SYC206", "tgl", {"tile_40k": Severity.WARNING}, {"tile_40k": Severity.WARNING}),
        ("SYC206", "dg2", {"tile_40k": Severity.WARNING}, {"tile_40k": Severity.WARNING}),
        ("SYC206", "pvc", {}, {}),
    ],
)
def test_what_is_said_of_occupancy_stands_with_a_report_or_is_decided_by_it(
    code: str, device: str, alone: dict[str, Severity], reported: dict[str, Severity]
) -> None:
    assert by_kernel(code, device) == alone
    assert by_kernel(code, device, f"{device}={RECORDED}/{device}.zeinfo") == reported


@pytest.mark.parametrize("device", ["tgl", "dg2", "pvc"])
def test_a_required_sub_group_size_is_the_compilers(device: str) -> None:
    found = listed(f"{device}={RECORDED}/{device}.zeinfo", targets=(device,)).launches
    required = {
        each.launch.kernel.name: (known(each.launch.sub_group_size.value), each.launch.compiled[0].sub_group_size)
        for each in found
        if each.launch.sub_group_size is not None
    }
    assert len(required) == 10
    assert all(mine == its for mine, its in required.values())


QUANTISED = """\
#include <sycl/sycl.hpp>
class wide;
void f(sycl::queue &q, float *x) {
  q.submit([&](sycl::handler &h) {
    sycl::local_accessor<float, 1> t(64, h);
    h.parallel_for<wide>(sycl::nd_range<1>(512 * 4096, 512), [=](sycl::nd_item<1> it) {
      t[it.get_local_id(0) & 63] = x[it.get_global_id(0)];
      sycl::group_barrier(it.get_group());
      x[it.get_global_id(0)] = t[0];
    });
  });
}
"""


def test_occupancy_rests_on_the_width_that_the_compiler_chose(project: Path) -> None:
    (project / "kernels.cpp").write_text(QUANTISED)
    (project / "narrow.yaml").write_text(zeinfo("_ZTS4wide", 8))
    (project / "wide.yaml").write_text(zeinfo("_ZTS4wide", 32))
    (unsure,) = of(linted(), "SYC201")
    assert unsure.severity is Severity.NOTE
    (sure,) = of(linted("narrow.yaml"), "SYC201")
    assert (sure.severity, sure.evidence) == (Severity.WARNING, Evidence.PROVED)
    assert "leaves 43% of Xe-core idle on tgl" in sure.message
    assert of(linted("wide.yaml"), "SYC201") == []


def test_kept_results_are_those_of_the_same_reports(project: Path) -> None:
    def messages(*info: str) -> list[str]:
        found = check(["."], configs(*info), cache=Cache(str(project / "cache")))
        return [each.message for each in of(found, "SYC601")]

    alone, reported = messages(), messages(f"tgl={RECORDED}/tgl.zeinfo")
    assert (len(alone), len(reported)) == (3, 6)
    assert messages() == alone
    assert messages(f"tgl={RECORDED}/tgl.zeinfo") == reported


def test_a_report_that_the_source_contradicts_is_not_joined(project: Path) -> None:
    (project / "old.yaml").write_text(zeinfo("_ZTS7bins_16", 32))
    result = linted("old.yaml")
    assert [each for each in result.notices if "not joined" in each] == [
        "old.yaml:2: kernel bins_16 is not joined: its sub-group size is 32, the source requires another"
    ]


NAMES = """\
#include <sycl/sycl.hpp>
namespace mine {
class Foo;
template <int N> class Tpl;
template <class T> struct Functor {
  T *p;
  void operator()(sycl::nd_item<1> it) const { p[it.get_global_id(0)] = 0; }
};
void run(sycl::queue &q, float *x) {
  q.parallel_for<Foo>(sycl::nd_range<1>(4096, 256), [=](sycl::nd_item<1> it) { x[it.get_global_id(0)] = 1; });
  q.parallel_for<Tpl<64>>(sycl::nd_range<1>(4096, 128), [=](sycl::nd_item<1> it) { x[it.get_global_id(0)] = 1; });
  q.parallel_for<class Local>(sycl::nd_range<1>(4096, 64), [=](sycl::nd_item<1> it) { x[it.get_global_id(0)] = 1; });
  q.parallel_for(sycl::nd_range<1>(4096, 32), Functor<float>{x});
}
}
namespace theirs {
class Foo;
void run(sycl::queue &q, float *x) {
  q.parallel_for<Foo>(sycl::nd_range<1>(8192, 256), [=](sycl::nd_item<1> it) { x[it.get_global_id(0)] = 1; });
}
}
"""


def joined(project: Path, source: str, *kernels: str, path: str = "kernels.cpp") -> dict[int, list[int | None]]:
    """The lines of launches with reports, and the widths that are reported; kernels are ``NAME`` or ``NAME=WIDTH``."""
    (project / path).write_text(source)
    parts = [each.partition("=") for each in kernels]
    text = "kernels:\n" + "".join(zeinfo(name, int(width or 16)).partition("\n")[2] for name, _, width in parts)
    (project / "all.yaml").write_text(text)
    found: dict[int, list[int | None]] = {}
    for each in listed("all.yaml").launches:
        line = source[: each.launch.location.span.start].count("\n") + 1
        found.setdefault(line, []).extend(report.sub_group_size for report in each.launch.compiled)
    return {line: widths for line, widths in found.items() if widths}


@pytest.mark.parametrize(
    ("name", "line"),
    [
        ("_ZTSN4mine3FooE", 10),
        ("_ZTSN6theirs3FooE", 19),
        ("_ZTSN5other3FooE", None),
        ("_ZTS3Foo", None),
        ("_ZTSN4mine5inner3FooE", None),
        ("_ZTSN4mine3TplILi64EEE", 11),
        ("_ZTSN4mine3TplILi128EEE", None),
        ("_ZTSN6theirs3TplILi64EEE", None),
        ("_ZTSZN4mine3runERN4sycl3_V15queueEPfE5Local", 12),
        ("_ZTSN4mine5LocalE", 12),
        ("_ZTSZN6theirs3runERN4sycl3_V15queueEPfE5Local", None),
        ("_ZTSN4mine7FunctorIfEE", 13),
        ("_ZTSN4sycl3_V16detail19__pf_kernel_wrapperIN4mine7FunctorIfEEEE", 13),
        ("_ZTSN4mine7FunctorIdEE", None),
        ("_ZTSN6theirs7FunctorIfEE", None),
        ("_ZTSN4mine3FooE_with_offset", 10),
        (
            "_ZTSN4sycl3_V16detail18RoundedRangeKernelINS0_4itemILi1ELb1EEELi1EZNS0_7handler4fillIhEEvPvRKT_mEUlNS0_2idILi1EEEE_EE",
            None,
        ),
    ],
)
def test_a_report_belongs_to_the_launch_of_its_whole_name(project: Path, name: str, line: int | None) -> None:
    assert joined(project, NAMES, name) == ({} if line is None else {line: [16]})


def test_two_kernels_of_one_name_in_two_namespaces_each_find_their_launch(project: Path) -> None:
    assert joined(project, NAMES, "_ZTSN4mine3FooE=8", "_ZTSN6theirs3FooE=32") == {10: [8], 19: [32]}


def test_of_twins_the_one_without_an_offset_counts(project: Path) -> None:
    assert joined(project, NAMES, "_ZTSN4mine3FooE_with_offset=32", "_ZTSN4mine3FooE=8") == {10: [8]}


TEMPLATES = """\
#include <sycl/sycl.hpp>
template <int N, class T> class Tpl;
template <int N, class T> void run(sycl::queue &q, T *x) {
  q.parallel_for<Tpl<N, T>>(sycl::nd_range<1>(4096, N), [=](sycl::nd_item<1> it) { x[it.get_global_id(0)] = 1; });
}
void all(sycl::queue &q, float *x, double *y) {
  run<64, float>(q, x);
  run<128, float>(q, x);
}
"""


def test_each_instantiation_has_its_own_report(project: Path) -> None:
    found = joined(project, TEMPLATES, "_ZTS3TplILi64EfE=8", "_ZTS3TplILi128EfE=32")
    assert found == {4: [8, 32]}
    run = Run(configs("all.yaml"))
    launches = [each for file in run.files(run.listed(["."]), None, LAUNCHES_ALONE) for each in file.launches]
    assert [(known(each.work_group_size), [report.name for report in each.compiled]) for each in launches] == [
        (64, ["_ZTS3TplILi64EfE"]),
        (128, ["_ZTS3TplILi128EfE"]),
    ]


def test_a_launch_for_several_instantiations_knows_what_they_agree_on(project: Path) -> None:
    source = TEMPLATES.replace("4096, N", "4096, 64").replace("run<128, float>(q, x)", "run<128, double>(q, y)")
    assert joined(project, source, "_ZTS3TplILi64EfE=8", "_ZTS3TplILi128EdE=32") == {4: [8, 32]}
    (report,) = listed("all.yaml").launches
    compiled = report.launch.compiled_for(device("tgl"))
    assert compiled is not None
    assert (compiled.sub_group_size, compiled.registers) == (None, 128)
    assert len(report.occupancies["tgl"]) == 3


WRAPPED = """\
#include <sycl/sycl.hpp>
namespace mine { class Foo; }
namespace theirs { class Foo; }
template <class Name> class Wrapper;
template <class Name, int N> class Sized;
template <class Name> void run(sycl::queue &q, float *x, int n) {
  q.parallel_for<Wrapper<Name>>(sycl::nd_range<1>(4096, n), [=](sycl::nd_item<1> it) { x[it.get_global_id(0)] = 1; });
}
template <class Name> void sized(sycl::queue &q, float *x, int n) {
  q.parallel_for<Wrapper<Sized<Name, 8>>>(sycl::nd_range<1>(4096, n), [=](sycl::nd_item<1> it) {
    x[it.get_global_id(0)] = 1;
  });
}
"""
CALLS = {
    "qualified": """\
void all(sycl::queue &q, float *x) { run<mine::Foo>(q, x, 64); run<theirs::Foo>(q, x, 32); }
""",
    "where it is declared": """\
void all(sycl::queue &q, float *x) { run<mine::Foo>(q, x, 64); }
namespace theirs { void all(sycl::queue &q, float *x) { run<Foo>(q, x, 32); } }
""",
    "of an alias": """\
using Short = theirs::Foo;
void all(sycl::queue &q, float *x) { run<::mine::Foo>(q, x, 64); run<Short>(q, x, 32); }
""",
    "through another template": """\
template <class Other> void through(sycl::queue &q, float *x, int n) { run<Other>(q, x, n); }
void all(sycl::queue &q, float *x) { through<mine::Foo>(q, x, 64); through<theirs::Foo>(q, x, 32); }
""",
}


def sizes_and_names(*info: str) -> list[tuple[int | None, list[str]]]:
    """Of each way to each launch the size of its work-group and the kernels that are joined to it."""
    run = Run(configs(*info))
    launches = [each for file in run.files(run.listed(["."]), None, LAUNCHES_ALONE) for each in file.launches]
    return [(known(each.work_group_size), [report.name for report in each.compiled]) for each in launches]


@pytest.mark.parametrize("calls", CALLS)
def test_a_name_behind_a_wrapper_is_whole_too(project: Path, calls: str) -> None:
    mine, theirs = "_ZTS7WrapperIN4mine3FooEE", "_ZTS7WrapperIN6theirs3FooEE"
    joined(project, WRAPPED + CALLS[calls], mine, theirs, "_ZTS7WrapperIN5other3FooEE")
    assert [each for each in sizes_and_names("all.yaml") if each[1]] == [(64, [mine]), (32, [theirs])]


def test_arguments_of_arguments_tell_instantiations_apart(project: Path) -> None:
    mine, theirs = "_ZTS7WrapperI5SizedIN4mine3FooELi8EEE", "_ZTS7WrapperI5SizedIN6theirs3FooELi8EEE"
    others = (mine.replace("Li8", "Li9"), mine.replace("5Sized", "5Other"))
    calls = "void all(sycl::queue &q, float *x) { sized<mine::Foo>(q, x, 64); sized<theirs::Foo>(q, x, 32); }\n"
    joined(project, WRAPPED.replace("Wrapper<Name>>", "Sized<Name, 1>>") + calls, mine, theirs, *others)
    assert [each for each in sizes_and_names("all.yaml") if each[1]] == [(64, [mine]), (32, [theirs])]


def test_an_argument_that_the_source_does_not_say_fits_any(project: Path) -> None:
    calls = """\
template <class Traits> void through(sycl::queue &q, float *x) { run<typename Traits::name>(q, x, 64); }
struct Given : Unseen {};
void all(sycl::queue &q, float *x) { through<Given>(q, x); }
"""
    mine = "_ZTS7WrapperIN4mine3FooEE"
    joined(project, WRAPPED + calls, mine)
    assert [each for each in sizes_and_names("all.yaml") if each[1]] == [(64, [mine])]


LAMBDAS = """\
#include <sycl/sycl.hpp>
namespace ns {
void scale(sycl::queue &q, float *x) {
  q.parallel_for(sycl::nd_range<1>(4096, 256), [=](sycl::nd_item<1> it) { x[it.get_global_id(0)] *= 2; });
  q.parallel_for(sycl::nd_range<1>(4096, 128), [=](sycl::nd_item<1> it) { x[it.get_global_id(0)] *= 3; });
}
}
"""
FIRST = "_ZTSZN2ns5scaleERN4sycl3_V15queueEPfEUlNS1_7nd_itemILi1EEEE_"
SECOND = FIRST.removesuffix("E_") + "E0_"
OTHER = FIRST.replace("Li1E", "Li2E")


def test_lambdas_of_one_function_are_distinguished_by_their_numbers(project: Path) -> None:
    assert joined(project, LAMBDAS, f"{SECOND}=32", f"{FIRST}=8") == {4: [8], 5: [32]}


def test_lambdas_are_not_joined_when_one_is_missing_or_they_differ_in_kind(project: Path) -> None:
    assert joined(project, LAMBDAS, FIRST) == {}
    assert joined(project, LAMBDAS, FIRST, OTHER) == {}
    assert joined(project, LAMBDAS, FIRST.replace("2ns", "2xy")) == {}
    assert any("2 launches have a lambda without a name" in each for each in notices(project, FIRST))


def notices(project: Path, *kernels: str) -> tuple[str, ...]:
    joined(project, LAMBDAS, *kernels)
    return listed("all.yaml").notices


ALIASED = """\
#include <sycl/sycl.hpp>
namespace lib {
class Real;
template <class Name, class F> void launch(sycl::queue &q, F f) { q.parallel_for<Name>(sycl::nd_range<1>(512, 64), f); }
}
using Short = lib::Real;
namespace far { class Away; }
using namespace far;
void run(sycl::queue &q, float *x) {
  q.parallel_for<Short>(sycl::nd_range<1>(4096, 256), [=](sycl::nd_item<1> it) { x[it.get_global_id(0)] = 1; });
  q.parallel_for<Away>(sycl::nd_range<1>(4096, 256), [=](sycl::nd_item<1> it) { x[it.get_global_id(0)] = 1; });
  q.parallel_for<::lib::Real>(sycl::nd_range<1>(4096, 32), [=](sycl::nd_item<1> it) { x[it.get_global_id(0)] = 1; });
}
"""


def test_aliases_and_using_directives_are_followed(project: Path) -> None:
    assert joined(project, ALIASED, "_ZTSN3far4AwayE") == {11: [16]}
    once = ALIASED.replace("::lib::Real>(", "lib::Nothing>(")
    assert joined(project, once, "_ZTSN3lib4RealE") == {10: [16]}
    assert joined(project, ALIASED, "_ZTSN3lib4RealE") == {}


def test_two_launches_of_one_name_are_not_joined(project: Path) -> None:
    (project / "other.cpp").write_text((RECORDED / "kernels.cpp").read_text())
    found = listed(f"tgl={RECORDED}/tgl.zeinfo")
    assert all(not each.launch.compiled for each in found.launches)
    assert any("kernel axpy is not joined: 2 launches are called so" in each for each in found.notices)


UNNAMED = """\
#include <sycl/sycl.hpp>
void scale(sycl::queue &q, float *x) {
  q.parallel_for(sycl::nd_range<1>(4096, 256), [=](sycl::nd_item<1> it) { x[it.get_global_id(0)] *= 2; });
}
"""


def test_a_lambda_without_a_name_is_found_by_its_function(project: Path) -> None:
    (project / "kernels.cpp").write_text(UNNAMED)
    (project / "a.yaml").write_text(zeinfo("_ZTSZ5scaleRN4sycl3_V15queueEPfEUlNS0_7nd_itemILi1EEEE_", 32))
    (report,) = listed("a.yaml").launches
    assert [each.sub_group_size for each in report.launch.compiled] == [32]


def test_a_report_for_one_of_several_devices_has_to_say_which(project: Path) -> None:
    (project / "a.yaml").write_text(zeinfo("_ZTS7bins_16"))
    with pytest.raises(SycllintError, match=r"does not say for which of tgl, pvc it is; write tgl=a\.yaml"):
        linted("a.yaml", targets=("tgl", "pvc"))


PTXAS = """\
ptxas info    : Compiling entry function '_ZTS4wide' for 'sm_80'
ptxas info    : Function properties for _ZTS4wide
    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
ptxas info    : Used REGISTERS registers, 380 bytes cmem[0]
"""


def test_registers_that_the_compiler_took_decide_the_occupancy_on_nvidia(project: Path) -> None:
    (project / "kernels.cpp").write_text(QUANTISED)
    (project / "build.log").write_text(PTXAS.replace("REGISTERS", "80"))
    (free,) = [each.occupancies["sm_80"][0] for each in listed(targets=("sm_80",)).launches]
    (held,) = [each.occupancies["sm_80"][0] for each in listed("build.log", targets=("sm_80",)).launches]
    assert (free.groups_per_core, free.registers) == (4, None)
    assert (held.groups_per_core, held.registers) == (1, 80)


def test_a_work_group_that_its_registers_cannot_hold_is_an_error(project: Path) -> None:
    (project / "kernels.cpp").write_text(QUANTISED)
    (project / "build.log").write_text(PTXAS.replace("REGISTERS", "160"))
    assert of(linted(targets=("sm_80",)), "SYC107") == []
    (found,) = of(linted("build.log", targets=("sm_80",)), "SYC107")
    assert found.severity is Severity.ERROR
    assert found.message == "work-group 512 exceeds max 384 with 160 registers at warp 32 on sm_80"
    assert found.help == (
        "160 registers leave a work-group 12 warps; 512 work-items need 16. "
        "384 work-items fit, or 512 with up to 128 registers."
    )


def test_accumulators_take_of_the_registers_of_an_amd_kernel(project: Path) -> None:
    (project / "kernels.cpp").write_text(QUANTISED)
    (found,) = of(linted(f"gfx90a={RECORDED}/gfx90a.log", targets=("gfx90a",)), "SYC107")
    assert found.message == "work-group 512 exceeds max 256 with 455 VGPRs at wave64 on gfx90a"


SOLVER = """\
#include <sycl/sycl.hpp>
class solver;
void solve(sycl::queue &q, float *bodies, size_t islands) {
  q.submit([&](sycl::handler &h) {
    sycl::local_accessor<float, 1> state(8192, h);
    h.parallel_for<solver>(sycl::nd_range<1>(islands * 1024, 1024), [=](sycl::nd_item<1> it) {
      for (int pass = 0; pass < 16; ++pass) {
        state[it.get_local_id(0)] = bodies[it.get_global_id(0)];
        sycl::group_barrier(it.get_group());
        bodies[it.get_global_id(0)] += state[8191 - it.get_local_id(0)];
        sycl::group_barrier(it.get_group());
      }
    });
  });
}
"""
REMARKS = """\
solver.cpp:6:1: remark: Function Name: _ZTS6solver [-Rpass-analysis=kernel-resource-usage]
solver.cpp:6:1: remark:     SGPRs: 24 [-Rpass-analysis=kernel-resource-usage]
solver.cpp:6:1: remark:     VGPRs: REGISTERS [-Rpass-analysis=kernel-resource-usage]
solver.cpp:6:1: remark:     LDS Size [bytes/block]: 0 [-Rpass-analysis=kernel-resource-usage]
"""


def solved(project: Path, registers: int) -> Result:
    (project / "kernels.cpp").write_text(SOLVER)
    (project / "build.log").write_text(REMARKS.replace("REGISTERS", str(registers)))
    return linted("build.log", targets=("gfx900",))


def test_every_share_of_a_compute_unit_is_of_its_40_waves(project: Path) -> None:
    # GPUOpen, "Optimizing GPU occupancy and resource usage with large thread groups", "Problem: Single thread group per
    # CU": 16 of 40 waves, 40 %, and 50 % of the LDS and 37.5 % of the registers unused; 32 VGPRs let a second group in.
    result = solved(project, 40)
    (quantised,), (single,) = of(result, "SYC201"), of(result, "SYC205")
    assert quantised.message == "work-group 1024 leaves 60% of compute unit idle on gfx900"
    assert quantised.help == (
        "work-group 1024 at wave64 is 16 waves, so the 24 of 40 contexts that 40 VGPRs leave hold 1 group; "
        "768 (2 groups, 60%) or 704 (2 groups, 55%) fills more. With up to 32 VGPRs, 2 groups of 1024 fit (80%)."
    )
    assert single.help == (
        "1024 work-items are 16 of 40 waves (40%) and take 32 KB of 64 KB local memory; 2 barriers in the kernel. "
        "512 work-items make room for 2. With up to 32 VGPRs, 2 groups of 1024 fit (80%). "
        "One group with 40 VGPRs leaves 37.5% of the VGPRs and 50% of the LDS unused."
    )


def test_48_vgprs_leave_room_for_one_group_and_32_for_two(project: Path) -> None:
    # The same article, "Solution: Two thread groups per CU".
    assert "With up to 32 VGPRs, 2 groups of 1024 fit" in str(of(solved(project, 48), "SYC205")[0].help)
    assert of(solved(project, 32), "SYC205") == []


def test_registers_are_no_cure_where_local_memory_keeps_the_second_group_out(project: Path) -> None:
    (project / "build.log").write_text(REMARKS.replace("REGISTERS", "40"))
    (project / "kernels.cpp").write_text(SOLVER.replace("8192", "12288"))
    (found,) = of(linted("build.log", targets=("gfx900",)), "SYC205")
    assert found.help == (
        "1024 work-items are 16 of 40 waves (40%) and take 48 KB of 64 KB local memory; 2 barriers in the kernel. "
        "512 work-items with 24 KB of local memory make room for 2. "
        "One group with 40 VGPRs leaves 37.5% of the VGPRs and 25% of the LDS unused."
    )


def test_registers_without_a_report_are_not_mentioned(project: Path) -> None:
    (project / "kernels.cpp").write_text(SOLVER.replace("8192", "12288"))
    (found,) = of(linted(targets=("gfx900",)), "SYC205")
    assert "VGPR" not in str(found.help)


ARRAYS = """\
#include <sycl/sycl.hpp>
class table;
void fill(sycl::queue &q, const int *in, float *out) {
  q.parallel_for<table>(sycl::nd_range<1>(4096, 256), [=](sycl::nd_item<1> it) {
    float row[64] = {};
    for (int k = 0; k < 1024; ++k) {
      row[in[4096 * k + it.get_global_id(0)] & 63] += 1.0f;
    }
    out[it.get_global_id(0)] = row[0] + row[63];
  });
}
"""
IN_MEMORY = """\
kernels:
  - name: _ZTS5table
    execution_env:
      grf_count: 128
      simd_size: 16
      {}
"""
AMD = """\
a.cpp:6:1: remark: Function Name: _ZTS5table [-Rpass-analysis=kernel-resource-usage]
a.cpp:6:1: remark:     VGPRs: 40 [-Rpass-analysis=kernel-resource-usage]
a.cpp:6:1: remark:     ScratchSize [bytes/lane]: {} [-Rpass-analysis=kernel-resource-usage]
a.cpp:6:1: remark:     Dynamic Stack: {} [-Rpass-analysis=kernel-resource-usage]
a.cpp:6:1: remark:     VGPRs Spill: {} [-Rpass-analysis=kernel-resource-usage]
"""


def said(project: Path, report: str, target: str) -> list[tuple[str, str | None]]:
    (project / "kernels.cpp").write_text(ARRAYS)
    (project / "report.txt").write_text(report)
    found = linted("report.txt", targets=(target,))
    return [(each.message, each.help) for each in (*of(found, "SYC601"), *of(found, "SYC602"))]


@pytest.mark.parametrize(
    ("facts", "message", "advice"),
    [
        (
            "private_size: 4096",
            "the 256 B of `row` are kept in memory instead of registers on tgl",
            "256 B of each work-item's arrays",
        ),
        ("spill_size: 640", "kernel table spills 40 B per work-item on tgl", "40 B of its spilled registers"),
        (
            "private_size: 1600",
            "kernel table keeps 100 B per work-item in memory instead of registers on tgl",
            "100 B of each work-item's arrays",
        ),
        (
            "private_size: 4096\n      spill_size: 64",
            "the 256 B of `row` are kept in memory instead of registers on tgl",
            "256 B of each work-item's arrays and 4 B of its spilled registers",
        ),
    ],
)
def test_spills_are_said_of_spills_only(project: Path, facts: str, message: str, advice: str) -> None:
    (found,) = said(project, IN_MEMORY.format(facts), "tgl")
    assert found == (message, f"{advice} are in memory (report.txt:2).")


def test_a_kernel_without_state_in_memory_is_silent(project: Path) -> None:
    assert said(project, IN_MEMORY.format("barrier_count: 0"), "tgl") == []


def test_an_assumed_stack_is_neither_a_spill_nor_an_array(project: Path) -> None:
    assert said(project, AMD.format(16384, "True", 0), "gfx90a") == []
    ((message, _),) = said(project, AMD.format(16384, "True", 3), "gfx90a")
    assert message == "kernel table spills 12 B per work-item on gfx90a"
    ((message, _),) = said(project, AMD.format(260, "False", 0), "gfx90a")
    assert message == "the 256 B of `row` are kept in memory instead of registers on gfx90a"


def test_the_account_says_what_was_read_what_joined_and_what_not(project: Path) -> None:
    fill = "_ZTSN4sycl3_V16detail18RoundedRangeKernelINS0_4itemILi1ELb1EEELi1EZNS0_7handler4fillIhEEvPvmEUlvE_EE"
    joined(project, NAMES, "_ZTSN4mine3FooE", "_ZTSN5other3FooE", "_ZTS3FooIXzzEE", fill)
    found = listed("all.yaml")
    assert found.joined is not None
    assert (found.joined.kernels, found.joined.joined, found.joined.launches) == (2, 1, 1)
    page = kernels_table(found, lambda path: SourceFile(path, (project / path).read_bytes()), color=False, width=120)
    assert page[page.index("compilers' reports:") :].splitlines()[:6] == [
        "compilers' reports:",
        "  all.yaml: 4 kernels",
        "  1 of 2 kernels joined to 1 launch",
        "  no visible launch of this name: 1 (other::Foo)",
        "  kernels of the SYCL runtime: 1 (sycl::handler::fill<unsigned char>::(lambda))",
        "  names that cannot be demangled: 1 (_ZTS3FooIXzzEE)",
    ]
