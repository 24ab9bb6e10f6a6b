"""Fixes made round by round: until none is left, never for the worse, and not for ever."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from sycllint.config import Config
from sycllint.pipeline.fixing import FixRun, apply_fixes, write_files
from sycllint.registry import all_rules

OLD = b"#include <CL/sycl.hpp>\ncl::sycl::queue q(cl::sycl::gpu_selector{});\n"
MEDDLING = '''\
"""A launch is met."""

from sycllint.diagnostic import Severity
from sycllint.launch.kernel import KernelLaunch
from sycllint.rule import Finding, rule
from sycllint.source.edit import Applicability, Edit, Fix


def met(launch, text, way=Applicability.SAFE):
    return Finding(launch.location, "launch", "is met", fix=Fix("meddle", (Edit(launch.location, text),), way))


@rule("MED1", Severity.WARNING, on=KernelLaunch)
def never_ending(launch, target):
    yield met(launch, "parallel_for ")


@rule("MED2", Severity.WARNING, on=KernelLaunch)
def breaking(launch, target):
    yield met(launch, "parallel_for((((")


@rule("MED3", Severity.WARNING, on=KernelLaunch)
def careful(launch, target):
    if launch.kernel.name is None:
        yield met(launch, "parallel_for<class k>", Applicability.UNSAFE)
'''
NEW = b"#include <sycl/sycl.hpp>\nsycl::queue q(sycl::gpu_selector_v);\n"


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / ".git").mkdir()
    monkeypatch.chdir(tmp_path)
    return tmp_path


def fixed(*paths: str, select: tuple[str, ...] = (), unsafe: bool = False) -> FixRun:
    return apply_fixes(paths or ["."], Config(targets=("tgl",), select=select), unsafe=unsafe)


def after(run: FixRun) -> dict[str, bytes]:
    return {each.path: each.after for each in run.files}


def test_fixes_are_made_in_memory(project: Path) -> None:
    (project / "a.cpp").write_bytes(OLD)
    run = fixed()
    assert after(run) == {"a.cpp": NEW}
    assert run.result.diagnostics == ()
    assert (project / "a.cpp").read_bytes() == OLD


def test_what_one_fix_covers_is_mended_in_the_next_round(project: Path) -> None:
    (project / "a.cpp").write_bytes(
        b"void f(sycl::nd_item<1> it) { it.barrier(cl::sycl::access::fence_space::global_and_local); }\n"
    )
    assert after(fixed()) == {"a.cpp": b"void f(sycl::nd_item<1> it) { sycl::group_barrier(it.get_group()); }\n"}


def test_a_header_is_mended_before_the_file_that_leans_on_it(project: Path) -> None:
    (project / "queue.hpp").write_bytes(b"inline cl::sycl::queue made();\n")
    (project / "main.cpp").write_bytes(b'#include <CL/sycl.hpp>\n#include "queue.hpp"\nauto q = made();\n')
    assert after(fixed())["main.cpp"].startswith(b"#include <sycl/sycl.hpp>\n")
    assert after(fixed("main.cpp")) == {}


def test_what_can_be_fixed_once_a_header_is_does_not_count_against_what_was(project: Path) -> None:
    (project / "queue.hpp").write_bytes(b"using namespace cl::sycl;\nqueue made();\n")
    old = b'#include <CL/sycl.hpp>\n#include "queue.hpp"\nusing namespace cl::sycl;\nauto q = made();\n'
    (project / "main.cpp").write_bytes(old)
    assert after(fixed())["main.cpp"] == old.replace(b"CL/", b"sycl/").replace(b"cl::", b"")


def test_byte_order_mark_line_ends_and_foreign_bytes_survive(project: Path) -> None:
    around = b"\xef\xbb\xbf// caf\xe9\r\n%s\n\r\n"
    (project / "a.cpp").write_bytes(around % b"cl::sycl::queue q;")
    assert after(fixed()) == {"a.cpp": around % b"sycl::queue q;"}


def test_only_the_files_named_are_changed(project: Path) -> None:
    (project / "a.cpp").write_bytes(OLD)
    (project / "b.cpp").write_bytes(OLD)
    assert list(after(fixed("b.cpp"))) == ["b.cpp"]


def test_written_files_are_as_they_were_announced(project: Path) -> None:
    (project / "a.cpp").write_bytes(OLD)
    write_files(fixed())
    assert (project / "a.cpp").read_bytes() == NEW
    assert fixed().files == ()


def test_a_file_that_changed_meanwhile_is_not_written(project: Path) -> None:
    (project / "a.cpp").write_bytes(OLD)
    run = fixed()
    (project / "a.cpp").write_bytes(OLD + b"// more\n")
    written = write_files(run)
    assert (written.files, written.result.complete) == ((), False)
    assert "a.cpp: not changed: it was edited since it was read" in written.result.notices


class TestFixesThatDoNotHold:
    """A pack of rules whose fixes are no good: each looks at the launches of a file."""

    @pytest.fixture(autouse=True)
    def pack(self, project: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
        site = project / ".site"
        (site / "meddling.dist-info").mkdir(parents=True)
        (site / "meddling.dist-info" / "entry_points.txt").write_text("[sycllint.rules]\nmeddling = meddling_rules\n")
        (site / "meddling_rules").mkdir()
        (site / "meddling_rules" / "__init__.py").write_text('"""Rules that meddle."""\n')
        (site / "meddling_rules" / "launches.py").write_text(MEDDLING)
        monkeypatch.syspath_prepend(str(site))
        all_rules.cache_clear()
        (project / "a.cpp").write_bytes(
            b"void f(sycl::queue q, int *p) {\n  q.parallel_for(64, [=](auto i) { p[i] = 0; });\n  q.wait();\n}\n"
        )
        yield
        all_rules.cache_clear()

    def test_that_leave_the_finding_are_taken_back(self) -> None:
        run = fixed("a.cpp", select=("MED1",))
        assert run.files == ()
        assert run.fixed == 0
        assert "a.cpp: the fixes of MED1 were not made: they do not settle its findings" in run.result.notices

    def test_that_break_the_file_are_not_made(self) -> None:
        run = fixed("a.cpp", select=("MED2",))
        assert run.files == ()
        assert "a.cpp: the fixes of MED2 were not made: the file would not parse with them" in run.result.notices

    def test_that_are_unsafe_are_made_when_asked_for(self) -> None:
        assert fixed("a.cpp", select=("MED3",)).files == ()
        (file,) = fixed("a.cpp", select=("MED3",), unsafe=True).files
        assert b"q.parallel_for<class k>(64" in file.after

    def test_do_not_keep_the_good_ones_from_being_made(self, project: Path) -> None:
        (project / "a.cpp").write_bytes((project / "a.cpp").read_bytes() + b"cl::sycl::queue q;\n")
        (file,) = fixed("a.cpp", select=("MED2", "SYC902")).files
        assert file.after.endswith(b"}\nsycl::queue q;\n")
