"""The index of a project: its files, who includes whom, and what an include means without an include path."""

from pathlib import Path

import pytest

from sycllint.source import index
from sycllint.source.closure import Closures
from sycllint.source.disk import Disk, DiskCache
from sycllint.source.index import QUESTIONS, SourceIndex, leading_in, nearby, users_of
from sycllint.source.names import Mentions, NameUses, names_of
from sycllint.source.projects import program_folder, project_folder


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Its working directory; a repository."""
    (tmp_path / ".git").mkdir()
    monkeypatch.chdir(tmp_path)
    return tmp_path


def write(folder: Path, **files: str) -> None:
    """Files by path, with ``__`` for ``/`` and ``_`` before the extension."""
    for name, text in files.items():
        stem, _, extension = name.replace("__", "/").rpartition("_")
        path = folder / f"{stem}.{extension}"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)


# ------------------------------------------------------------------- projects


def test_a_project_is_the_repository(project: Path) -> None:
    write(project, lib__src__a_cpp="")
    (project / "lib" / "CMakeLists.txt").touch()
    assert project_folder("lib/src", Disk()) == ""
    assert program_folder("lib/src", Disk()) == "lib"


def test_without_a_repository_it_is_the_outermost_folder_with_a_build_file(project: Path) -> None:
    (project / ".git").rmdir()
    write(project, all__lib__src__deep__a_cpp="")
    for folder in ("all", "all/lib"):
        (project / folder / "CMakeLists.txt").touch()
    assert project_folder("all/lib/src/deep", Disk()) == "all"
    assert project_folder("other", Disk()) == "other"


def test_a_project_is_the_same_from_any_working_directory(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(project, lib__a_h="", src__b_cpp="")
    monkeypatch.chdir(project / "src")
    root = project_folder("", Disk())
    assert root == ".."
    assert SourceIndex(root, Disk()).files == ("../lib/a.h", "b.cpp")
    assert SourceIndex(root, Disk()).nearby("", "a.h") == "../lib/a.h"


# --------------------------------------------------------------------- nearby


def test_a_header_is_found_from_a_folder_above_the_includer(project: Path) -> None:
    write(project, core__base__types_hpp="", other__core__base__types_hpp="", core__matrix__dense__a_cpp="")
    assert SourceIndex("", Disk()).nearby("core/matrix/dense", "core/base/types.hpp") == "core/base/types.hpp"


def test_a_header_is_found_in_an_include_folder_above_the_includer(project: Path) -> None:
    write(project, include__lib__a_hpp="", src__x__include__lib__a_hpp="", src__y__b_cpp="")
    assert SourceIndex("", Disk()).nearby("src/y", "lib/a.hpp") == "include/lib/a.hpp"


def test_the_only_file_that_ends_in_the_path_is_meant(project: Path) -> None:
    write(project, one__lib__a_hpp="", two__b_cpp="", two__alib__b_hpp="")
    index = SourceIndex("", Disk())
    assert index.nearby("two", "lib/a.hpp") == "one/lib/a.hpp"
    assert index.nearby("one", "lib/b.hpp") == "", "`alib` is another folder than `lib`"


def test_among_several_the_nearest_by_folders_is_meant_and_a_tie_stays_open(project: Path) -> None:
    write(project, a__x__inc__v_h="", a__y__inc__v_h="", b__inc__v_h="", a__x__s__f_cpp="")
    index = SourceIndex("", Disk())
    assert index.nearby("a/x/s", "v.h") == "a/x/inc/v.h"
    assert index.nearby("a/z", "v.h") == "", "two share as many folders"


def test_headers_of_another_program_are_not_looked_at(project: Path) -> None:
    write(project, one__main_cpp="int main() {}", one__inc__sizes_h="", two__main_cpp="int main() {}")
    for program in ("one", "two"):
        (project / program / "Makefile").touch()
    assert SourceIndex("", Disk()).nearby("two", "sizes.h") == ""
    assert SourceIndex("", Disk()).nearby("one/src", "sizes.h") == "one/inc/sizes.h"


def test_headers_of_a_library_with_a_build_file_are(project: Path) -> None:
    write(project, lib__inc__sizes_h="", two__main_cpp="int main() {}")
    for program in ("lib", "two"):
        (project / program / "CMakeLists.txt").touch()
    assert SourceIndex("", Disk()).nearby("two", "sizes.h") == "lib/inc/sizes.h"


@pytest.mark.parametrize("written", ["sycl/sycl.hpp", "CL/sycl.hpp", "math.h", "vector"])
def test_standard_headers_are_not_the_project_s(project: Path, written: str) -> None:
    place = project / "stubs" / written
    place.parent.mkdir(parents=True)
    place.touch()
    write(project, src__a_cpp=f"#include <{written}>\n")
    assert Closures(Disk()).includes("src/a.cpp", ()) == ()


@pytest.mark.parametrize("written", ["sycl/sycl.hpp", "CL/sycl.hpp"])
def test_sycl_s_own_header_is_not_the_project_s_even_where_an_include_path_leads_to_it(
    project: Path, written: str
) -> None:
    """An implementation of SYCL: in its tests, too, ``sycl::queue`` is what the specification says."""
    place = project / "include" / written
    place.parent.mkdir(parents=True)
    place.touch()
    write(project, tests__a_cpp=f"#include <{written}>\n", tests__b_cpp=f'#include "{written}"\n')
    for name in ("tests/a.cpp", "tests/b.cpp"):
        assert Closures(Disk()).includes(name, ("include",)) == ()
    assert users_of("", f"include/{written}", ("include",), Disk())[1] == ()


def test_more_than_300_files_are_one_project(project: Path) -> None:
    for number in range(400):
        write(project, **{f"lib__part{number}__h{number}_hpp": "#pragma once\n"})
    write(project, src__a_cpp="".join(f'#include "h{number}.hpp"\n' for number in range(400)))
    assert len(Closures(Disk()).of("src/a.cpp", ())) == 401


def test_a_folder_that_nothing_marks_as_a_project_is_not_searched_to_its_end(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(index, "MOST_UNMARKED", 3)
    write(project, **{f"near{number}__a_h": "" for number in range(4)}, near0__far__b_h="", c_cpp="")
    assert len(SourceIndex("", Disk()).files) == 6
    (project / ".git").rmdir()
    assert SourceIndex("", Disk()).files == ("c.cpp", "near0/a.h", "near1/a.h")
    (project / "Makefile").touch()
    assert len(SourceIndex("", Disk()).files) == 6
    monkeypatch.setenv("HOME", str(project))
    assert len(SourceIndex("", Disk()).files) == 3


def test_a_closure_is_in_the_preprocessor_s_order(project: Path) -> None:
    write(project, a_cpp='#include "b.h"\n#include "d.h"\n', b_h='#include "c.h"\n', c_h='#include "b.h"\n', d_h="")
    members = Closures(Disk()).of("a.cpp", ())
    assert [each.path for each in members] == ["a.cpp", "b.h", "c.h", "d.h"]
    assert [each.position for each in members] == [(), (0,), (0, 0), (15,)]


# ---------------------------------------------------------------------- users


def test_users_of_a_header_are_found_all_over_the_project(project: Path) -> None:
    write(
        project,
        include__lib__a_hpp="",
        src__b_hpp='#include "lib/a.hpp"\n',
        src__c_cpp='#include "b.hpp"\n',
        tests__d_cpp="#include <lib/a.hpp>\n",
        other__a_hpp="",
        other__e_cpp='#include "a.hpp"\n',
    )
    ancestors, roots = users_of("", "include/lib/a.hpp", (), Disk())
    assert ancestors == {"src/b.hpp", "src/c.cpp", "tests/d.cpp"}
    assert roots == ("src/c.cpp", "tests/d.cpp")


# ------------------------------------------------------------------ questions


def test_what_an_answer_rests_on_is_one_question(project: Path) -> None:
    write(project, a_h="", b_cpp='#include "a.h"\n', c_cpp="")
    disk = Disk(memory=DiskCache())
    with disk.asking() as asked:
        users_of("", "a.h", (), disk)
    assert (len(asked.answers), asked.outlines, asked.listings) == (1, {}, {})
    assert Disk().confirms(asked)
    write(project, b_cpp='// the same includes\n#include "a.h"\n', d_cpp="")
    assert Disk().confirms(asked), "files that do not include it may come"
    write(project, c_cpp='#include "a.h"\n')
    assert not Disk().confirms(asked)


def test_a_header_that_comes_is_another_answer(project: Path) -> None:
    write(project, lib__a_h="", src__b_cpp="")
    disk = Disk(memory=DiskCache())
    with disk.asking() as asked:
        assert nearby("", "src/b.cpp", "a.h", disk) == "lib/a.h"
    assert Disk().confirms(asked)
    write(project, include__a_h="")
    assert not Disk().confirms(asked)
    assert nearby("", "src/b.cpp", "a.h", Disk()) == "include/a.h"


def test_every_question_can_be_kept_by_its_name() -> None:
    assert all(name == work.__name__ for name, work in QUESTIONS.items())


# ---------------------------------------------------------------------- names


def test_names_lead_to_a_launch_over_files(project: Path) -> None:
    write(
        project,
        launch_hpp="template <class F> void submit(F f) { q.parallel_for(n, f); }\nint size() { return 3; }\n",
        layer_hpp="#define RUN(f) \\\n  submit(f)\nstruct Runner { void operator()(int n) { RUN(n); } };\n",
        app_cpp='void app() { Runner()(size()); /* submit( */ puts("submit("); }\n',
    )
    found = {each: leading_in("", each, ("parallel_for",), Disk()) for each in ("launch.hpp", "layer.hpp", "app.cpp")}
    assert found == {
        "launch.hpp": {"parallel_for", "submit"},
        "layer.hpp": {"submit", "RUN"},
        "app.cpp": {"app", "Runner"},
    }


def test_files_are_looked_through_for_names_where_one_that_matters_stands_in_their_text() -> None:
    texts = {
        "launch": b"void submit() { q.parallel_for(n, f); }",
        "layer": b"void layer() { submit(); }",
        "apart": b"void apart() { print(); }",
        **{f"caller{number}": f"void caller{number}() {{ layer(); }}".encode() for number in range(40)},
        "last": b"void last() { caller39(); }",
    }
    asked: list[str] = []

    def names(path: str) -> NameUses:
        asked.append(path)
        return names_of(texts[path])

    mentions = Mentions([*texts], texts.get, names)
    assert mentions.leading_in("last", ("parallel_for",)) == {"last", "caller39"}
    assert asked[:2] == ["launch", "layer"]
    assert mentions.leading_in("layer", ("parallel_for",)) == {"layer", "submit"}
    # With forty names that matter, all that is left is looked through.
    assert mentions.leading_in("apart", ("parallel_for",)) == frozenset()
    asked.clear()
    few = Mentions(["launch", "layer", "apart"], texts.get, names)
    assert few.leading_in("layer", ("parallel_for",)) == {"layer", "submit"}
    assert few.leading_in("apart", ("parallel_for",)) == frozenset()
    assert "apart" not in asked


def test_what_leads_to_a_launch_is_asked_again_when_a_file_changes(project: Path) -> None:
    write(project, a_hpp="void a() {}\n", b_cpp="void b() { a(); }\n")
    disk = Disk(memory=DiskCache())
    with disk.asking() as asked:
        assert leading_in("", "b.cpp", ("parallel_for",), disk) == frozenset()
    write(project, a_hpp="void a() { }\n")
    assert Disk().confirms(asked)
    write(project, a_hpp="void a() { q.parallel_for(n, k); }\n")
    assert not Disk().confirms(asked)
