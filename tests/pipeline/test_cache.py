"""What is kept from one run to the next, and when it no longer holds."""

import json
import os
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from sycllint.config import Config
from sycllint.pipeline import Result, check
from sycllint.pipeline.cache import Cache
from sycllint.pipeline.cache_folder import FOLDER, clean
from sycllint.source import disk, glance

CONFIG = Config(targets=("tgl",))

KERNEL = """\
#include <sycl/sycl.hpp>
#include <tools/clock.h>
#include "sizes.h"
int main() {
  sycl::queue q;
  q.parallel_for(sycl::nd_range<1>(64000, GROUP), [=](sycl::nd_item<1> item) {});
}
"""


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Two programs; the first takes its size from a header."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("sycllint.pipeline.validity.SETTLED", -(10**18))  # every file counts as long at rest
    (tmp_path / "one").mkdir()
    (tmp_path / "one" / "Makefile").write_text("all:\n")
    (tmp_path / "one" / "main.cpp").write_text(KERNEL)
    (tmp_path / "one" / "sizes.h").write_text("#define GROUP 640\n")
    (tmp_path / "two").mkdir()
    (tmp_path / "two" / "Makefile").write_text("all:\n")
    (tmp_path / "two" / "main.cpp").write_text(KERNEL.replace("GROUP", "1024").replace('#include "sizes.h"\n', ""))
    return tmp_path


def run(config: Config = CONFIG, paths: tuple[str, ...] = (".",)) -> Result:
    return check(paths, config, cache=Cache(FOLDER), raise_rule_errors=True)


def messages(result: Result) -> list[str]:
    return [f"{each.location.path}: {each.message}" for each in result.diagnostics if each.code == "SYC101"]


def test_what_is_known_is_not_linted_again(project: Path, linted: list[str]) -> None:
    cold = run()
    assert linted == ["one/main.cpp", "one/sizes.h", "two/main.cpp"]
    linted.clear()
    assert run() == cold
    assert linted == []


def hide_a_header(root: Path) -> None:
    """``<tools/clock.h>`` is one of the program's own from now on."""
    (root / "one" / "include" / "tools").mkdir(parents=True)
    (root / "one" / "include" / "tools" / "clock.h").write_text("")


CHANGES: dict[str, tuple[Callable[[Path], object], list[str]]] = {
    "a header": (
        lambda root: (root / "one" / "sizes.h").write_text("#define GROUP 256\n"),
        ["one/main.cpp", "one/sizes.h"],
    ),
    "a header that is touched": (lambda root: os.utime(root / "one" / "sizes.h", (1, 1)), []),
    "a file": (lambda root: (root / "two" / "main.cpp").write_text(KERNEL.replace("GROUP", "512")), ["two/main.cpp"]),
    "a makefile": (
        lambda root: (root / "two" / "Makefile").write_text("CFLAGS += -DGROUP=64\n"),
        ["two/main.cpp"],
    ),
    "a new compilation database": (
        lambda root: (root / "two" / "compile_commands.json").write_text("[]"),
        ["two/main.cpp"],
    ),
    "a compilation database above all": (
        lambda root: (root / "compile_commands.json").write_text("[]"),
        # Programs have their own makefiles; what a database above them says is what files are compiled for.
        ["one/main.cpp", "one/other.cpp", "one/sizes.h", "two/main.cpp"],
    ),
    "a header that hides another": (
        hide_a_header,
        ["one/main.cpp", "one/include/tools/clock.h"],
    ),
    "a body elsewhere in the program": (
        lambda root: (root / "one" / "other.cpp").write_text("int f() { return 2; }\n"),
        ["one/other.cpp"],
    ),
    "a picture": (lambda root: (root / "one" / "plot.png").write_bytes(b"\x89PNG"), []),
}


@pytest.mark.parametrize("name", CHANGES)
def test_a_change_is_seen_where_it_matters(project: Path, linted: list[str], name: str) -> None:
    (project / "one" / "other.cpp").write_text("int f() { return 1; }\n")
    config = replace(CONFIG, targets=())
    run(config)
    linted.clear()
    change, expected = CHANGES[name]
    change(project)
    warm = run(config)
    assert sorted(linted) == sorted(expected)
    assert warm == check(["."], config)


def test_other_settings_are_other_findings(project: Path) -> None:
    run()
    assert messages(run(replace(CONFIG, targets=("dg2",)))) == [
        each.replace("512 on tgl", "1024 on dg2") for each in messages(check(["."], replace(CONFIG, targets=("dg2",))))
    ]
    assert run(replace(CONFIG, ignore=("SYC101",))) == check(["."], replace(CONFIG, ignore=("SYC101",)))
    assert run(replace(CONFIG, defines={"GROUP": "32"})) == check(["."], replace(CONFIG, defines={"GROUP": "32"}))


def packs(root: Path) -> list[Path]:
    return sorted((root / FOLDER).glob("v1-*/p*.json"))


def shuffled(text: str) -> str:
    content = json.loads(text)
    content["nodes"].reverse()
    return json.dumps(content)


def looped(text: str) -> str:
    content = json.loads(text)
    for number, node in enumerate(content["nodes"]):
        node[-1] = [number]
    return json.dumps(content)


@pytest.mark.parametrize(
    "damage",
    [
        lambda text: "",
        lambda text: text[: len(text) // 2],
        lambda text: "[" * 100_000,
        lambda text: "[]",
        lambda text: '{"nodes": 1, "files": []}',
        lambda text: '{"nodes": [], "files": {"main.cpp": [0, []]}}',
        lambda text: text.replace('"SYC101"', "101"),
        lambda text: text.replace('"proved"', '"believed"'),
        lambda text: text.replace('"main.cpp":[', '"main.cpp":[[],'),
        shuffled,
        looped,
    ],
)
def test_a_damaged_cache_is_none(project: Path, damage: Callable[[str], str]) -> None:
    cold = run()
    assert len(packs(project)) == 2
    for pack in packs(project):
        pack.write_text(damage(pack.read_text()))
    assert run() == cold
    assert run() == cold


def test_another_version_has_a_cache_of_its_own(
    project: Path, linted: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    run()
    linted.clear()
    monkeypatch.setattr("sycllint.pipeline.cache_folder.__version__", "999")
    run()
    assert len(linted) == 3


def test_a_file_that_has_only_just_changed_is_read_again(
    project: Path, linted: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A file system may give two changes within one tick of its clock the same time."""
    cold = run()
    stamps = {path: glance.stamp_of(path) for path in ("one/sizes.h", "one/main.cpp")}
    (project / "one" / "sizes.h").write_text("#define GROUP 256\n")
    original = glance.stamp_of
    monkeypatch.setattr("sycllint.pipeline.validity.stamp_of", lambda path: stamps.get(path) or original(path))
    assert messages(run()) == messages(cold)
    monkeypatch.setattr("sycllint.pipeline.validity.SETTLED", disk.SETTLED)
    assert messages(run()) != messages(cold)


def test_what_was_not_seen_whole_is_not_kept(project: Path, linted: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    def crash(*_: object) -> None:
        raise KeyError("x")

    with monkeypatch.context() as patch:
        patch.setattr("sycllint.pipeline.project.analyze_unit", crash)
        assert not check(["."], CONFIG, cache=Cache(FOLDER)).complete
    linted.clear()
    assert run().complete
    assert "one/main.cpp" in linted


def test_a_folder_that_cannot_be_written_to_means_no_cache(project: Path) -> None:
    (project / FOLDER).write_text("a file where the folder should be")
    assert run() == check(["."], CONFIG)


def test_the_folder_says_that_it_is_a_cache(project: Path) -> None:
    run()
    assert (project / FOLDER / ".gitignore").read_text() == "*\n"
    assert (project / FOLDER / "CACHEDIR.TAG").read_text().startswith("Signature: 8a477f597d28d172789f06886806bc55")


def test_cleaning_leaves_what_is_not_ours(project: Path) -> None:
    run()
    (project / FOLDER / "mine.txt").write_text("")
    assert clean(FOLDER) > 0
    assert sorted(each.name for each in (project / FOLDER).iterdir()) == [".gitignore", "CACHEDIR.TAG", "mine.txt"]
    (project / FOLDER / "mine.txt").unlink()
    clean(FOLDER)
    assert not (project / FOLDER).exists()


def test_old_entries_are_dropped(project: Path) -> None:
    run()
    [old, _] = packs(project)
    (old.parent / "pruned").unlink()
    left = old.parent / "p0.json.1.tmp"
    left.write_text("")
    month = 40 * 86_400
    cache = Cache(FOLDER)
    cache._place.now += month * 10**9
    cache.write()
    assert not left.exists()
    assert packs(project) == []


def test_one_file_of_a_folder_leaves_what_is_known_of_the_others(project: Path, linted: list[str]) -> None:
    run()
    (project / "one" / "sizes.h").write_text("#define GROUP 128\n")
    run(paths=("one/main.cpp",))
    linted.clear()
    run()
    assert linted == ["one/sizes.h"]


def test_a_file_in_memory_is_not_looked_up(project: Path) -> None:
    run()
    text = KERNEL.replace("GROUP", "2048").encode()
    result = check(["two/main.cpp"], CONFIG, texts={"two/main.cpp": text}, cache=Cache(FOLDER))
    assert "2048" in messages(result)[0]


def test_a_suppression_works_from_the_cache(project: Path) -> None:
    text = (project / "two" / "main.cpp").read_text()
    (project / "two" / "main.cpp").write_text(text.replace("  q.par", "  // sycllint: ignore[SYC101] old GPU\n  q.par"))
    cold = run()
    assert [each.reason for each in cold.hidden] == ["old GPU"]
    assert run() == cold


WARM = """
import sys
from sycllint.cli import main
main(["check", "-q", "-f", "concise", "."])
heavy = ("tree_sitter", "sycllint_rules", "sycllint.values.evaluate")
loaded = [name for name in sys.modules if name.startswith(heavy)]
sys.exit(f"loaded: {loaded}" if loaded else 0)
"""


def test_a_warm_run_loads_neither_the_parser_nor_the_rules(project: Path, repository: Path) -> None:
    environment = {**os.environ, "PYTHONPATH": f"{repository}{os.pathsep}{repository / 'rules'}"}
    command = [sys.executable, "-c", WARM]
    cold = subprocess.run(
        command, cwd=project, env=environment, capture_output=True, text=True, check=False, timeout=60
    )
    assert "loaded: " in cold.stderr
    warm = subprocess.run(
        command, cwd=project, env=environment, capture_output=True, text=True, check=False, timeout=60
    )
    assert warm.stderr == ""
    assert warm.stdout == cold.stdout != ""


CHANGED = """
import sys
from sycllint.cli import main
main(["check", "-q", "-f", "concise", "."])
loaded = [name for name in sys.modules if name.startswith("sycllint_rules.")]
sys.exit(f"loaded: {loaded}" if loaded else 0)
"""


def test_a_changed_file_without_a_launch_loads_no_rule(project: Path, repository: Path) -> None:
    environment = {**os.environ, "PYTHONPATH": f"{repository}{os.pathsep}{repository / 'rules'}"}
    command = [sys.executable, "-c", CHANGED]
    plain = project / "two" / "plain.cpp"
    plain.write_text("#include <sycl/sycl.hpp>\nint one() { return 1; }\n")
    subprocess.run(command, cwd=project, env=environment, capture_output=True, check=False, timeout=60)
    plain.write_text("#include <sycl/sycl.hpp>\nint two() { return 2; }\n")
    changed = subprocess.run(
        command, cwd=project, env=environment, capture_output=True, text=True, check=False, timeout=60
    )
    assert changed.stderr == ""
    assert "one/main.cpp" in changed.stdout


def test_only_those_that_a_new_include_concerns_are_linted_again(project: Path, linted: list[str]) -> None:
    (project / "CMakeLists.txt").touch()
    (project / "lib").mkdir()
    (project / "lib" / "CMakeLists.txt").touch()
    (project / "lib" / "run.hpp").write_text("inline void run(sycl::queue &q, int n) { q.single_task([] {}); }\n")
    (project / "lib" / "other.hpp").write_text("inline void other(sycl::queue &q) { q.single_task([] {}); }\n")
    cold = run()
    linted.clear()
    assert run() == cold
    assert linted == []
    (project / "two" / "main.cpp").write_text('#include "run.hpp"\n' + KERNEL.replace("GROUP", "1024"))
    run()
    assert sorted(linted) == ["lib/run.hpp", "two/main.cpp"]
    linted.clear()
    run()
    assert linted == []


def test_a_header_that_comes_into_a_project_is_found_by_those_that_include_it(project: Path) -> None:
    (project / "CMakeLists.txt").touch()
    (project / "one" / "sizes.h").unlink()
    assert messages(run()) == ["two/main.cpp: work-group 1024 exceeds max 512 on tgl"]
    (project / "lib").mkdir()
    (project / "lib" / "sizes.h").write_text("#define GROUP 768\n")
    assert "one/main.cpp: work-group 768 exceeds max 512 on tgl" in messages(run())
