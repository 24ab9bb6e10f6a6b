"""What CMake's File API replied in a build folder, read in place of a compilation database."""

import json
from pathlib import Path

import pytest

from sycllint.builds.database import database_of
from sycllint.builds.offload import compiled_for
from sycllint.builds.reading import build_settings
from sycllint.source.disk import Disk

DEVICES = "-fsycl-targets=spir64_gen -Xs '-device pvc,bmg-g21'"


def reply(root: Path, groups: list[dict[str, object]], name: str = "index-2.json", **target: object) -> None:
    """The reply in ``root/build`` for one target with the source ``a.cpp``."""
    folder = root / "build" / ".cmake" / "api" / "v1" / "reply"
    folder.mkdir(parents=True, exist_ok=True)
    files: dict[str, object] = {
        name: {
            "objects": [
                {"kind": "codemodel", "version": {"major": 2}, "jsonFile": "model.json"},
                {"kind": "toolchains", "version": {"major": 1}, "jsonFile": "tools.json"},
            ]
        },
        "model.json": {
            "paths": {"source": str(root), "build": str(root / "build")},
            "configurations": [{"name": "Release", "targets": [{"name": "app", "jsonFile": "app.json"}]}],
        },
        "tools.json": {"toolchains": [{"language": "CXX", "compiler": {"path": "/opt/bin/icpx"}}]},
        "app.json": {"type": "EXECUTABLE", "sources": [{"path": "a.cpp"}], "compileGroups": groups, **target},
    }
    for path, content in files.items():
        (folder / path).write_text(json.dumps(content))


def group(*defines: str, language: str = "CXX") -> dict[str, object]:
    return {
        "language": language,
        "compileCommandFragments": [{"fragment": "-O2 -fsycl"}],
        "defines": [{"define": each} for each in defines],
        "includes": [{"path": "../include"}],
        "sourceIndexes": [0],
    }


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / ".git").mkdir()
    (tmp_path / "a.cpp").write_text("int a;\n")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_macros_and_folders_are_those_of_the_reply(root: Path) -> None:
    reply(root, [group("BLOCK=256", "FAST")])
    found = build_settings(".", "a.cpp", Disk())
    assert (found.defines["BLOCK"], found.defines["FAST"], found.known) == ("256", "1", True)
    assert "__INTEL_LLVM_COMPILER" in {*found.defines, *found.choices}
    assert found.folders == ("include",)


def test_the_reply_comes_before_a_compilation_database_and_the_latest_before_others(root: Path) -> None:
    reply(root, [group("BLOCK=64")], name="index-1.json")
    reply(root, [group("BLOCK=256")])
    (root / "build" / "compile_commands.json").write_text(
        json.dumps([{"directory": str(root), "file": "a.cpp", "command": "icpx -DBLOCK=32 -c a.cpp"}])
    )
    assert (database_of(".") or "").endswith("index-2.json")
    assert database_of(".", given="build") == str(Path("build/.cmake/api/v1/reply/index-2.json"))
    assert build_settings(".", "a.cpp", Disk()).defines["BLOCK"] == "256"


def test_a_source_of_two_groups_is_compiled_in_two_ways(root: Path) -> None:
    reply(root, [group("BLOCK=64"), group("BLOCK=128"), group("BLOCK=1", language="CUDA")])
    assert build_settings(".", "a.cpp", Disk()).choices["BLOCK"].texts == ("64", "128")


def test_what_a_target_is_linked_with_names_its_devices(root: Path) -> None:
    reply(root, [group()], link={"commandFragments": [{"fragment": DEVICES, "role": "flags"}]})
    assert compiled_for(database_of(".") or "") == {str(root / "a.cpp"): ("pvc", "bmg-g21")}


@pytest.mark.parametrize("text", ["", "[]", "{", '{"objects": [{"kind": "codemodel", "jsonFile": "none.json"}]}'])
def test_a_reply_that_cannot_be_read_says_nothing(root: Path, text: str) -> None:
    reply(root, [group("BLOCK=64")])
    (root / "build/.cmake/api/v1/reply/index-2.json").write_text(text)
    assert "BLOCK" not in build_settings(".", "a.cpp", Disk()).defines
