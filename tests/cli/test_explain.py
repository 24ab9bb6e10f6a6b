"""``sycllint explain``: what is known of one launch, and what each rule makes of it."""

from pathlib import Path

import pytest

from sycllint.cli import main

RELAX = """\
#include <sycl/sycl.hpp>

void relax(sycl::queue &q, float *grid, size_t R) {
  q.submit([&](sycl::handler &h) {
    sycl::local_accessor<float, 1> line(128, h);
    h.parallel_for(sycl::nd_range<3>({64, 60, 128}, {1, R, 128}),
                   [=](sycl::nd_item<3> it) [[sycl::reqd_sub_group_size(8)]] {
                     line[it.get_local_id(2)] = grid[it.get_global_linear_id()];
                     sycl::group_barrier(it.get_group());
                     grid[it.get_global_linear_id()] = line[127 - it.get_local_id(2)];
                   });
  });
}

void fill(sycl::queue &q, float *grid, size_t n) {
  constexpr size_t group = 256;
  q.parallel_for<class fill_kernel>(sycl::nd_range<1>((n + group - 1) / group * group, group),
                                    [=](sycl::nd_item<1> it) { grid[it.get_global_id(0)] = 0; });
}
"""

SCAN = """\
#include <sycl/sycl.hpp>

template <int WG>
void scan(sycl::queue &q, float *data) {
  q.parallel_for(sycl::nd_range<1>(WG * 100, WG), [=](sycl::nd_item<1> it) { data[it.get_global_id(0)] += 1; });
}

int main() {
  sycl::queue q;
  float *data = sycl::malloc_device<float>(1 << 20, q);
  scan<128>(q, data);
  scan<768>(q, data);
}
"""


@pytest.fixture(autouse=True)
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / ".git").mkdir()
    (tmp_path / "a.cpp").write_text(RELAX)
    (tmp_path / "scan.cpp").write_text(SCAN)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "120")
    return tmp_path


def page(capsys: pytest.CaptureFixture[str], place: str, *options: str) -> str:
    assert main(["explain", place, "--target", "tgl", "--all", *options]) == 0
    return capsys.readouterr().out


def opinion(text: str, code: str) -> str:
    """What is said under a rule, on one line."""
    lines = text.partition("rules\n")[2].splitlines()
    start = next(number for number, line in enumerate(lines) if line.startswith(f"  {code}"))
    said = []
    for line in lines[start + 1 :]:
        if not line.startswith("      "):
            break
        said.append(line.strip())
    return " ".join(said)


def test_each_number_is_printed_with_what_it_depends_on(capsys: pytest.CaptureFixture[str]) -> None:
    assert (
        page(capsys, "a.cpp:6").partition("\nrules")[0]
        == """\
a.cpp:6: a kernel without a name: nd_range, 3 dimensions, in relax

Calls that are not visible may reach it with other sizes.
  global          64x60x128, a.cpp:6
  local           1xRx128, a.cpp:6
                  R: at least 0
                  R: R is a parameter of relax: a.cpp:3
  work-group      128*R
                  128*R: a multiple of 128, at least 0
                  R: R is a parameter of relax: a.cpp:3
  sub-group       8, a.cpp:7
  local memory    512 B
                  line: 128 x float, 512 B: a.cpp:5
  barriers        a.cpp:9
  on tgl
    R <= 4 launches on tgl; R=1 100%, 2 86%, 3 86%, 4 57%
      R  work-items  threads  of Xe-core  groups  occupancy
      1  128         16       14%         7       100%
      2  256         32       29%         3       86%
      3  384         48       43%         2       86%
      4  512         64       57%         1       57%
      R > 4 fails to launch: work-group 640 exceeds max 512
"""
    )


def sweep_of(capsys: pytest.CaptureFixture[str], place: str, target: str = "tgl") -> list[str]:
    """The table under the target, without its first sentence."""
    assert main(["explain", "--isolated", place, "--target", target]) == 0
    lines = capsys.readouterr().out.partition("\nrules\n")[0].splitlines()
    return [line.strip() for line in lines if line.startswith("      ") and not line.startswith(" " * 10)]


def test_a_value_that_does_not_divide_the_global_range_has_its_row(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    # The table of Intel's guide has R=3, which its global range of 64x64x128 does not let launch.
    (project / "a.cpp").write_text(RELAX.replace("{64, 60, 128}", "{64, 64, 128}"))
    assert sweep_of(capsys, "a.cpp:6") == [
        "R  work-items  threads  of Xe-core  groups  occupancy",
        "1  128         16       14%         7       100%",
        "2  256         32       29%         3       86%",
        "3  384         48       43%         2       86%        fails to launch: does not divide 64",
        "4  512         64       57%         1       57%",
        "R > 4 fails to launch: work-group 640 exceeds max 512",
    ]


def test_each_sub_group_size_of_the_compilers_choice_has_its_table(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (project / "a.cpp").write_text(RELAX.replace(" [[sycl::reqd_sub_group_size(8)]]", ""))
    lines = sweep_of(capsys, "a.cpp:6")
    assert [line for line in lines if line.endswith(":")] == ["SIMD8:", "SIMD16:", "SIMD32:"]
    assert lines.count("R  work-items  threads  of Xe-core  groups  occupancy") == 3
    assert "4  512         16       14%         7       100%" in lines


def test_the_words_of_the_table_are_the_vendors(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (project / "a.cpp").write_text(RELAX.replace(" [[sycl::reqd_sub_group_size(8)]]", ""))
    assert sweep_of(capsys, "a.cpp:6", "gfx90a")[0] == "R  work-items  waves  of compute unit  groups  occupancy"


def test_of_many_values_the_powers_of_two_have_a_row_and_local_memory_may_be_the_limit(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (project / "a.cpp").write_text(
        """\
void rows(sycl::queue &q, float *out, size_t n, size_t m) {
  q.submit([&](sycl::handler &h) {
    sycl::local_accessor<float, 1> tile(n * 64, h);
    h.parallel_for(sycl::nd_range<1>(n * m, n), [=](sycl::nd_item<1> it) [[sycl::reqd_sub_group_size(8)]] {
      tile[it.get_local_id(0)] = 1;
      sycl::group_barrier(it.get_group());
      out[it.get_global_id(0)] = tile[0];
    });
  });
}
"""
    )
    lines = sweep_of(capsys, "a.cpp:4")
    assert [line.split()[0] for line in lines[1:-2]] == [str(1 << power) for power in range(9)]
    assert lines[-2:] == ["… 247 more values", "n > 256 fails to launch: local memory 65792 B exceeds 65536 B"]


WHY = """\
void scale(sycl::queue &q, float *data, int steps) {
  q.parallel_for(sycl::nd_range<1>(GROUPS * 512, 512), [=](sycl::nd_item<1> it) [[sycl::reqd_sub_group_size(32)]] {
    LOOP data[it.get_global_id(0)] *= 0.99f;
  });
}
"""
LOOP = "for (int i = 0; i < steps; ++i)"


@pytest.mark.parametrize(
    ("groups", "loop", "code", "reason"),
    [
        (1, LOOP, "SYC202", "1 work-group of 512: a single work-group finishes what others began"),
        (4, "", "SYC202", "fill 9.5% of the device, and the kernel has no loop, so there is little to spread"),
        (30, LOOP, "SYC202", "30 work-groups of 512 fill 71% of the device, and less than 50% is reported"),
        (42, LOOP, "SYC202", "42 work-groups of 512 fill the device"),
        (42, LOOP, "SYC203", "the launch fills 100% of the device in 1 round"),
        (84, "", "SYC203", "the kernel has no loop"),
        (84, LOOP, "SYC101", "work-group 512 is within max 512 on tgl"),
        (84, LOOP, "SYC102", "each global extent is a multiple of the local one: global 43008, local 512"),
        (84, LOOP, "SYC107", "no number of registers is demanded or reported"),
        (84, LOOP, "SYC201", "neither a barrier nor local memory ties a work-group to a core"),
        (84, LOOP, "SYC205", "the kernel has no second barrier, and none in a loop"),
        (84, LOOP, "SYC206", "the kernel has no local memory"),
        (84, LOOP, "SYC301", "tgl has sub-groups of 32"),
        (84, LOOP, "SYC302", "512 is a multiple of 32"),
        (84, LOOP, "SYC401", "the kernel has no local memory"),
        (84, LOOP, "SYC501", "not found in the kernel: a work-group barrier or collective is in a divergent branch"),
    ],
)
def test_a_silent_rule_says_why(
    groups: int, loop: str, code: str, reason: str, project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (project / "a.cpp").write_text(WHY.replace("GROUPS", str(groups)).replace("LOOP", loop))
    assert reason in opinion(page(capsys, "a.cpp:2"), code)


def test_a_kernel_that_is_not_visible_is_the_reason_of_rules_on_bodies(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (project / "a.cpp").write_text(
        '#include "k.h"\nvoid f(sycl::queue &q) { q.parallel_for(sycl::nd_range<1>(4096, 256), kernel); }\n'
    )
    text = page(capsys, "a.cpp:2")
    assert opinion(text, "SYC503") == "silent: the kernel is not visible, and this rule judges what a kernel does"


@pytest.mark.parametrize("place", ["a.cpp:6", "a.cpp:17", "scan.cpp:5"])
def test_no_silent_rule_is_without_a_reason(place: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert "condition is not met" not in page(capsys, place)


def test_a_silent_rule_says_what_it_would_have_to_know(capsys: pytest.CaptureFixture[str]) -> None:
    text = page(capsys, "a.cpp:6")
    unknown = "undecided: R is a parameter of relax: a.cpp:3."
    assert (
        opinion(text, "SYC101") == f"{unknown} With R = 5 it reports: work-group 1x5x128 = 640 exceeds max 512 on tgl"
    )
    assert opinion(text, "SYC201").startswith(f"{unknown} With R = 4 it reports: ")
    assert opinion(text, "SYC210") == "silent: off by default; --select turns it on"
    assert opinion(text, "SYC401") == "silent: local memory 512 B of max 65,536 B"


def test_a_multiple_is_enough_for_a_rule_to_be_silent(capsys: pytest.CaptureFixture[str]) -> None:
    text = page(capsys, "a.cpp:17")
    assert "a multiple of 256" in text
    assert "group is 256: a.cpp:16" in text
    assert opinion(text, "SYC102").startswith("silent: no number that is known contradicts it: global ")


def test_occupancy_has_its_arithmetic(capsys: pytest.CaptureFixture[str]) -> None:
    text = page(capsys, "a.cpp:17")
    assert "  sub-group 8   85.7%: 3 groups of 32 threads for 112 contexts;" in text


def test_each_call_path_to_a_launch_is_printed(capsys: pytest.CaptureFixture[str]) -> None:
    text = page(capsys, "scan.cpp:5")
    assert "call path 1 of 2: scan (scan.cpp:11)" in text
    assert "call path 2 of 2: scan (scan.cpp:12)" in text
    assert "it does not fit tgl" in text
    assert opinion(text, "SYC101") == "error: work-group 768 exceeds max 512 on tgl"


SOLVER = """\
#include <sycl/sycl.hpp>
class solver;
void solve(sycl::queue &q, float *bodies) {
  q.submit([&](sycl::handler &h) {
    sycl::local_accessor<float, 1> state(8192, h);
    h.parallel_for<solver>(sycl::nd_range<1>(1 << 20, 1024), [=](sycl::nd_item<1> it) {
      state[it.get_local_id(0)] = bodies[it.get_global_id(0)];
      sycl::group_barrier(it.get_group());
      bodies[it.get_global_id(0)] += state[1023 - it.get_local_id(0)];
    });
  });
}
"""


def test_registers_have_their_staircase_and_a_report_what_they_leave(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (project / "solver.cpp").write_text(SOLVER)
    (project / "build.log").write_text(
        "s.cpp:6:1: remark: Function Name: _ZTS6solver [-Rpass-analysis=kernel-resource-usage]\n"
        "s.cpp:6:1: remark:     VGPRs: 40 [-Rpass-analysis=kernel-resource-usage]\n"
    )
    stairs = "    registers     2 groups up to 32 VGPRs (80%), then 1 up to 64 (40%)\n"
    main(["explain", "solver.cpp:6", "--target", "gfx900"])
    text = capsys.readouterr().out
    assert "  sub-group 64  80.0%: 2 groups of 16 threads for 40 contexts;" in text
    assert stairs in text
    assert "unused" not in text
    main(["explain", "solver.cpp:6", "--target", "gfx900", "--kernel-info", "build.log"])
    text = capsys.readouterr().out
    assert "  sub-group 64  40.0%: 1 group of 16 threads for 40 contexts;" in text
    assert stairs in text
    assert "    unused        37.5% of the VGPRs and 50% of the LDS, with 40 VGPRs per work-item\n" in text


def test_a_register_mode_has_its_own_share(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (project / "solver.cpp").write_text(
        SOLVER.replace("1024), [=]", "320), large, [=]")
        .replace("8192", "320")
        .replace("1 << 20", "320 * 4096")
        .replace("(sycl::nd_item<1> it) {", "(sycl::nd_item<1> it) [[sycl::reqd_sub_group_size(16)]] {")
        .replace("  q.submit", "  sycl::ext::oneapi::experimental::properties large{sycl::ext::intel::experimental::"
                 "grf_size<256>};\n  q.submit")
    )  # fmt: skip
    main(["explain", "solver.cpp:7", "--target", "pvc"])
    text = " ".join(capsys.readouterr().out.split())
    assert "1 group of 20 threads for 64 contexts (62.5% of the 32 threads that 256 registers leave);" in text
    assert "registers 3 groups up to 128 registers (93.8%), then 1 up to 256 (31.2%)" in text


@pytest.mark.parametrize("line", [4, 5, 6, 9, 12])
def test_every_line_of_the_submission_will_do(line: int, capsys: pytest.CaptureFixture[str]) -> None:
    assert page(capsys, f"a.cpp:{line}").startswith("a.cpp:6: ")


def test_a_column_may_follow_as_compilers_write_it(capsys: pytest.CaptureFixture[str]) -> None:
    assert page(capsys, "a.cpp:17:5").startswith("a.cpp:17: fill_kernel: nd_range, 1 dimension, in fill\n")


def test_a_rule_that_is_not_chosen_or_muted_says_so(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert opinion(page(capsys, "a.cpp:6", "--ignore", "SYC101"), "SYC101") == "silent: not enabled"
    (project / "tests").mkdir()
    (project / "tests" / "a.cpp").write_text(RELAX)
    assert opinion(page(capsys, "tests/a.cpp:6"), "SYC201") == "silent: muted in test trees"


@pytest.mark.parametrize(
    ("place", "message"),
    [
        (
            "a.cpp:14",
            (
                "a.cpp:14: no launch and no finding here; "
                "the nearest are on line 7 (SYC301), line 17 (fill_kernel), line 18 (SYC802)"
            ),
        ),
        (
            "scan.cpp:1",
            "scan.cpp:1: no launch and no finding here; the nearest are on line 5, line 11, line 12 (SYC101, SYC1103)",
        ),
        ("a.cpp", "a.cpp: not FILE:LINE, as src/a.cpp:12"),
        ("a.cpp:0", "a.cpp:0: not FILE:LINE, as src/a.cpp:12"),
        ("b.cpp:3", "b.cpp: no such file or directory"),
        (".:3", ".: a directory, not a file"),
    ],
)
def test_a_place_without_a_launch_is_an_error(place: str, message: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["explain", place]) == 2
    out, err = capsys.readouterr()
    assert (out, err) == ("", f"sycllint: {message}\n")


def test_a_file_without_launches_says_so(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (project / "none.cpp").write_text("int main() {}\n")
    assert main(["explain", "none.cpp:1"]) == 2
    assert (
        capsys.readouterr().err == "sycllint: none.cpp:1: no launch and no finding here, nor elsewhere in this file\n"
    )


def test_a_suppression_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "a.cpp").write_text(
        "void f(sycl::queue &q) {\n"
        "  // sycllint: ignore[SYC101] the lab's GPU takes 1024\n"
        "  q.parallel_for(sycl::nd_range<1>(64000, 640), [=](sycl::nd_item<1> item) {});\n"
        "}\n"
    )
    monkeypatch.chdir(tmp_path)
    assert main(["explain", "--target", "tgl", "a.cpp:3"]) == 0
    assert "a.cpp:2: SYC101 is suppressed: the lab's GPU takes 1024" in capsys.readouterr().out


HOST = """\
#include <sycl/sycl.hpp>

void clear(sycl::queue &q) {
  float *cells = sycl::malloc_device<float>(1 << 20, q);
  q.memset(cells, 0, 4 << 20);
  sycl::free(cells, q);
}

void halve(sycl::queue &q, float *cells) {
  q.parallel_for(sycl::nd_range<1>(64000, 640), [=](sycl::nd_item<1> item) { cells[item.get_global_id(0)] /= 2; });
}

void twice(cl::sycl::queue &q);
"""


@pytest.fixture
def host(project: Path) -> Path:
    """A project with findings of the host rules, of a launch and of a spelling."""
    (project / "host.cpp").write_text(HOST)
    return project


def explained(capsys: pytest.CaptureFixture[str], place: str, *options: str) -> str:
    assert main(["explain", place, "--target", "tgl", *options]) == 0
    return capsys.readouterr().out


@pytest.mark.usefixtures("host")
def test_a_finding_where_no_launch_is_has_its_places_and_its_rule(capsys: pytest.CaptureFixture[str]) -> None:
    text = explained(capsys, "host.cpp:6")
    assert text.startswith("host.cpp:6: 1 finding, no launch\n\nerror[SYC1106]: ")
    assert "`q.memset` returns before it is done" in text  # the related place, line 5
    assert "= fix: wait for q.memset (--fix)" in text
    assert "  evidence        proved: nothing it depends on is assumed\n  targets         tgl\n" in text
    assert "  about the rule  `sycl::free` takes memory of `malloc_device`" in text
    assert text.endswith("  its page        sycllint rule SYC1106\n")


@pytest.mark.usefixtures("host")
def test_the_help_of_a_finding_is_printed(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (project / "index.cpp").write_text(RELAX.replace("{1, R, 128}", "{1, 2, 128}"))
    assert "= help: `get_local_linear_id()` is unique to each work-item." in explained(capsys, "index.cpp:8")


@pytest.mark.usefixtures("host")
def test_a_spelling_is_explained_too(capsys: pytest.CaptureFixture[str]) -> None:
    assert "note[SYC902]: `cl::sycl` is outdated" in explained(capsys, "host.cpp:13")


@pytest.mark.usefixtures("host")
def test_a_launch_is_followed_by_the_findings_on_the_line(capsys: pytest.CaptureFixture[str]) -> None:
    launch, _, findings = explained(capsys, "host.cpp:10").partition("\n\nerror[SYC101]: ")
    assert "  work-group      640\n" in launch
    assert "  SYC101 work-group-exceeds-max\n      error: work-group 640 exceeds max 512 on tgl\n" in launch
    assert "  targets         tgl\n" in findings


@pytest.mark.usefixtures("host")
def test_a_page_has_its_address_where_documentation_is_configured(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sycllint.report.address._own", lambda: {"documentation": "https://docs.example/"})
    text = " ".join(explained(capsys, "host.cpp:6").split())
    assert "its page https://docs.example/rules/SYC1106-usm-free-mismatch/, or sycllint rule SYC1106" in text


@pytest.mark.usefixtures("host")
def test_a_line_with_neither_names_findings_and_launches(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["explain", "host.cpp:2", "--target", "tgl"]) == 2
    assert capsys.readouterr().err == (
        "sycllint: host.cpp:2: no launch and no finding here; "
        "the nearest are on line 6 (SYC1106), line 10 (SYC101), line 13 (SYC902)\n"
    )


def test_a_suppressed_finding_without_a_launch_is_named(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (project / "host.cpp").write_text(HOST.replace("(cells, q);", "(cells, q);  // sycllint: ignore[SYC1106] at exit"))
    text = explained(capsys, "host.cpp:6")
    assert text.startswith("host.cpp:6: 0 findings, no launch\n")
    assert "host.cpp:6: SYC1106 is suppressed: at exit" in text


def test_silent_rules_are_folded_by_reason_and_family(capsys: pytest.CaptureFixture[str]) -> None:
    rules = explained(capsys, "a.cpp:17").partition("\nrules\n")[2].splitlines()
    silent = [line for line in rules if " silent: " in line]
    assert any(line.endswith(" rules are silent: off by default; --select turns it on") for line in silent)
    assert any(line.endswith(" rules are silent: not found in the kernel") for line in silent)
    assert any(line.startswith("  1 rule on registers is silent: SYC601") for line in silent)
    assert "  (--all lists each with its reason)" in rules
    assert len(silent) < 12


@pytest.mark.parametrize("place", ["a.cpp:6", "a.cpp:17", "scan.cpp:5"])
def test_folded_rules_and_those_that_are_listed_are_all_rules(place: str, capsys: pytest.CaptureFixture[str]) -> None:
    folded = explained(capsys, place).partition("\nrules\n")[2].partition("\n\n")[0].splitlines()
    listed = page(capsys, place).partition("\nrules\n")[2].partition("\n\n")[0].splitlines()
    counted = sum(int(line.split()[0]) for line in folded if " silent: " in line and line.startswith("  "))
    headed = sum(line.startswith("  SYC") for line in folded)
    assert counted + headed == sum(line.startswith("  SYC") for line in listed)
    assert "--all" not in "\n".join(listed)


def test_a_finding_in_a_header_is_seen_in_the_files_that_include_it(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (project / "lanes.hpp").write_text(
        "#pragma once\n"
        "#include <sycl/sycl.hpp>\n"
        "inline void lead(sycl::nd_item<1> it, float *cells) {\n"
        "  if (it.get_local_id(0) % 32 == 0)\n"
        "    cells[it.get_global_id(0)] = sycl::reduce_over_group(it.get_sub_group(), 1.0f, sycl::plus<>());\n"
        "}\n"
    )
    (project / "main.cpp").write_text(
        '#include "lanes.hpp"\n'
        "void run(sycl::queue &q, float *cells) {\n"
        "  q.parallel_for(sycl::nd_range<1>(4096, 256), [=](sycl::nd_item<1> it) { lead(it, cells); });\n"
        "}\n"
    )
    text = explained(capsys, "lanes.hpp:5")
    assert text.startswith("lanes.hpp:5: 1 finding, no launch\n\nwarning[SYC308]: ")
