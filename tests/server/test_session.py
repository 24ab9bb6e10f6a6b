"""Open documents to what is known of them, without a client."""

import asyncio
import shutil
from collections.abc import Callable, Sequence
from pathlib import Path
from threading import Event

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lsprotocol import types

from benchmarks.edits import play
from sycllint.config import load_all
from sycllint.pipeline import Filters
from sycllint.pipeline.baselines import Baselines
from sycllint.pipeline.cache import Cache
from sycllint.server.documents import Document, Documents
from sycllint.server.launch_text import hints, hover, lenses
from sycllint.server.place import offset_at, position_at
from sycllint.server.scheduler import Scheduler
from sycllint.server.session import Session, Setup, Snapshot
from sycllint.source.text import SourceFile
from sycllint.supersession import Superseded, checkpoint, superseding

UTF16 = types.PositionEncodingKind.Utf16

KERNEL = """#include <sycl/sycl.hpp>
#include "sizes.h"
void launch(sycl::queue &q, float *out, int n) {
  q.parallel_for(sycl::nd_range<1>(sycl::range<1>(kBlocks * kGroup), sycl::range<1>(kGroup)), [=](sycl::nd_item<1> i) {
    out[i.get_global_id(0)] = 0;
  });
}
"""


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / ".git").mkdir()
    (tmp_path / "sycllint.toml").write_text('targets = ["tgl"]\n')
    (tmp_path / "sizes.h").write_text("constexpr int kGroup = 256;\nconstexpr int kBlocks = 64;\n")
    (tmp_path / "kernel.cpp").write_text(KERNEL)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def settings(paths: Sequence[str]) -> Setup:
    return Setup(load_all(paths), Filters(Baselines()), None)


def opened(folder: Path, **texts: str) -> Documents:
    documents = Documents()
    for name, text in texts.items():
        path = folder / name.replace("_h", ".h").replace("_cpp", ".cpp")
        documents = documents.with_(Document(str(path), path.as_uri(), 1, text.encode()))
    return documents


def codes(snapshot: Snapshot, path: str) -> list[str]:
    return [each.code for each in snapshot.diagnostics.get(path, ())]


# ------------------------------------------------------------------ agreement


@pytest.mark.parametrize("seed", [1, 2])
def test_every_open_document_agrees_with_a_fresh_check(repository: Path, tmp_path: Path, seed: int) -> None:
    project = tmp_path / "project"
    project.mkdir()
    for name in ("guide", "SYC101", "SYC001"):
        shutil.copytree(repository / "fixtures" / name, project / name)
    (project / "guide" / "sizes.h").write_text("constexpr int kRows = 4;\nconstexpr int R = 4;\n")
    for each in (project / "guide").glob("*.cpp"):
        each.write_text('#include "sizes.h"\n' + each.read_text())
    tally = play(project, 60, seed)
    assert not tally.wrong
    assert tally.findings > 60


def test_a_header_that_was_never_saved_is_found(project: Path) -> None:
    text = KERNEL.replace("sizes.h", "new.h")
    alone = opened(project, kernel_cpp=text)
    session = Session(settings)
    assert titles(session.look(alone))[0].startswith("tgl ?")
    header = project / "new.h"
    both = alone.with_(Document(str(header), header.as_uri(), 1, b"constexpr int kGroup = 1024, kBlocks = 2;\n"))
    assert "SYC101" in codes(session.look(both), "kernel.cpp")
    assert "SYC101" not in codes(session.look(both.without(str(header))), "kernel.cpp")


def test_a_header_is_found_by_any_path_that_leads_to_it(project: Path) -> None:
    (project / "include").mkdir()
    (project / "sizes.h").rename(project / "include" / "sizes.h")
    (project / "linked").symlink_to("include", target_is_directory=True)
    (project / "sycllint.toml").write_text(f'targets = ["tgl"]\ninclude = ["{project}/linked"]\n')
    header = project / "include" / "sizes.h"
    documents = opened(project, kernel_cpp=KERNEL)
    session = Session(settings)
    assert "SYC101" not in codes(session.look(documents), "kernel.cpp")
    edited = header.read_bytes().replace(b"256", b"1024")
    documents = documents.with_(Document(str(header), header.as_uri(), 2, edited))
    assert "SYC101" in codes(session.look(documents), "kernel.cpp")


def test_a_byte_order_mark_that_editors_leave_out_is_no_edit(project: Path) -> None:
    (project / "kernel.cpp").write_bytes(b"\xef\xbb\xbf" + KERNEL.encode())
    snapshot = Session(settings).look(opened(project, kernel_cpp=KERNEL))
    assert not snapshot.texts


def test_what_an_earlier_run_found_is_shown_before_anything_is_parsed(project: Path) -> None:
    def with_cache(paths: Sequence[str]) -> Setup:
        return settings(paths)._replace(cache=Cache(str(project / ".cache")))

    (project / "kernel.cpp").write_text(KERNEL.replace("kGroup)", "1024)"))
    documents = opened(project, kernel_cpp=(project / "kernel.cpp").read_text())
    first = Session(with_cache).look(documents)
    assert not first.unknown
    session = Session(with_cache)
    second = session.look(documents)
    assert second.unknown == {"kernel.cpp"}
    assert second.diagnostics == first.diagnostics
    third = session.look(documents, second.unknown)
    assert not third.unknown
    assert third.diagnostics == first.diagnostics


def test_records_of_unsaved_texts_are_not_left_on_the_disk(project: Path) -> None:
    def with_cache(paths: Sequence[str]) -> Setup:
        return settings(paths)._replace(cache=Cache(str(project / ".cache")))

    Session(with_cache).look(opened(project, kernel_cpp=KERNEL.replace("kGroup)", "1024)")))
    assert not list((project / ".cache").rglob("p*.json")) if (project / ".cache").exists() else True


# ------------------------------------------------------------------- launches


def titles(snapshot: Snapshot) -> list[str]:
    return [each.command.title for each in lenses(snapshot, "kernel.cpp", UTF16) if each.command is not None]


def page_at(snapshot: Snapshot, offset: int) -> str:
    found = hover(snapshot, "kernel.cpp", offset, UTF16)
    assert found is not None
    assert isinstance(found.contents, types.MarkupContent)
    return found.contents.value


def test_the_lens_says_occupancy_groups_and_limiter(project: Path) -> None:
    (project / "sycllint.toml").write_text('targets = ["tgl", "sm_90"]\n')
    snapshot = Session(settings).look(opened(project, kernel_cpp=KERNEL.replace("kGroup)", "320)")))
    first, second = lenses(snapshot, "kernel.cpp", UTF16)
    assert first.range.start == second.range.start == types.Position(3, 4)
    first_title, second_title = titles(snapshot)
    assert first_title.startswith("tgl ")
    assert second_title == "sm_90 94 % · 6 groups · threads"


@pytest.mark.parametrize(
    ("local", "title"),
    [
        ("n", "tgl ? · depends on n"),
        ("1024", "tgl · does not fit"),
        ("kUndeclared", "tgl ? · depends on kUndeclared"),
    ],
)
def test_the_lens_says_why_there_is_no_occupancy(project: Path, local: str, title: str) -> None:
    snapshot = Session(settings).look(
        opened(project, kernel_cpp=KERNEL.replace("range<1>(kGroup)", f"range<1>({local})"))
    )
    assert titles(snapshot) == [title]


def test_hints_stand_after_ranges_that_names_are_written_for(project: Path) -> None:
    documents = opened(project, kernel_cpp=KERNEL.replace("sycl::range<1>(kGroup))", "sycl::range<1>(64))"))
    snapshot = Session(settings).look(documents)
    (hint,) = hints(snapshot, "kernel.cpp", UTF16)
    assert hint.label == "= 16384"
    line = KERNEL.splitlines()[3]
    assert hint.position == types.Position(3, line.index(", sycl::range<1>(kGroup)"))


def test_the_hover_names_steps_occupancy_and_better_sizes(project: Path) -> None:
    text = KERNEL.replace("kBlocks * kGroup", "1 << 20").replace("range<1>(kGroup)", "range<1>(kGroup + 64)")
    snapshot = Session(settings).look(opened(project, kernel_cpp=text.replace("1 << 20", "320 * 4096")))
    page = page_at(snapshot, text.index("parallel_for"))
    assert "| local range | `320` | kGroup is 256: sizes.h:1 |" in page
    assert "| target | sub-group | occupancy | groups | limiter | better sizes |" in page
    assert "| tgl | " in page


def test_names_of_the_program_are_no_markdown(project: Path) -> None:
    text = KERNEL.replace("range<1>(kGroup)", "range<1>(__n_a__ | 1)").replace("int n)", "int __n_a__)")
    snapshot = Session(settings).look(opened(project, kernel_cpp=text))
    page = page_at(snapshot, text.index("parallel_for"))
    assert "\\_\\_n\\_a\\_\\_" in page
    for row in page.splitlines():
        assert not row.startswith("|") or row.replace("\\|", "").count("|") in (4, 7)


# --------------------------------------------------------------------- places


@given(st.text(st.characters(codec="utf-8"), max_size=60), st.integers(0, 200))
def test_places_of_an_editor_and_bytes_are_the_same_places(text: str, index: int) -> None:
    source = SourceFile("a.cpp", text.encode())
    offset = len(text[: index % (len(text) + 1)].encode())
    if source.content[:offset].endswith(b"\r") and source.content[offset : offset + 1] == b"\n":
        return  # no place: between the two halves of a line end
    for units in types.PositionEncodingKind:
        assert offset_at(source, position_at(source, offset, units), units) == offset


# -------------------------------------------------------------------- scheduler


class BrokenError(Exception):
    """A bug of ours."""


def scheduled(scenario: Callable[[Scheduler, list[Snapshot], list[BaseException]], object], folder: Path) -> None:
    """Run a scenario; the settings crash while a file ``crash`` is there, and wait while ``wait`` is."""

    async def run() -> None:
        published: list[Snapshot] = []
        failed: list[BaseException] = []
        subject = Scheduler(moody, published.append, failed.append)
        try:
            result = scenario(subject, published, failed)
            assert asyncio.iscoroutine(result)
            async with asyncio.timeout(60):
                await result
        finally:
            subject.stop()

    def moody(paths: Sequence[str]) -> Setup:
        if (folder / "crash").exists():
            raise BrokenError("as planted")
        while (folder / "wait").exists():
            checkpoint()
        return settings(paths)

    asyncio.run(run())


def test_a_crash_costs_one_publication_and_no_more(project: Path) -> None:
    async def scenario(subject: Scheduler, published: list[Snapshot], failed: list[BaseException]) -> None:
        documents = opened(project, kernel_cpp=KERNEL.replace("kGroup)", "1024)"))
        subject.change(documents)
        assert codes(await subject.current(), "kernel.cpp")
        (project / "crash").touch()
        subject.change(documents.again())
        crashed = await subject.current()
        assert [str(each) for each in failed] == ["as planted"]
        assert codes(crashed, "kernel.cpp")  # what was said still stands
        assert not crashed.launches
        (project / "crash").unlink()
        subject.change(documents.again().again())
        assert codes(await subject.current(), "kernel.cpp")

    scheduled(scenario, project)


def test_a_look_at_an_old_text_is_given_up(project: Path) -> None:
    async def scenario(subject: Scheduler, published: list[Snapshot], failed: list[BaseException]) -> None:
        old = opened(project, kernel_cpp=KERNEL)
        (project / "wait").touch()
        subject.change(old)
        await asyncio.sleep(0.1)
        new = old.again()
        subject.change(new)
        (project / "wait").unlink()
        assert (await subject.current()).documents is new
        assert [each.documents for each in published] == [new]
        assert not failed

    scheduled(scenario, project)


def test_work_is_given_up_only_at_checkpoints_and_only_while_someone_asks() -> None:
    stale = Event()
    checkpoint()
    with superseding(stale.is_set):
        checkpoint()
        stale.set()
        with pytest.raises(Superseded):
            checkpoint()
    checkpoint()
