"""`sycllint doctor`: what is found, and what would bring what is missing."""

import json
from pathlib import Path

import pytest

from sycllint.cli import main
from sycllint.errors import SycllintError
from sycllint.semantics import library
from sycllint.version import __version__


@pytest.fixture(autouse=True)
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, planted_error: str) -> Path:
    (tmp_path / ".git").mkdir()
    (tmp_path / "a.cpp").write_text(planted_error)
    (tmp_path / "b.cpp").write_text(planted_error)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def page(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    assert main(["doctor", *arguments]) == 0
    return capsys.readouterr().out


def facts(capsys: pytest.CaptureFixture[str], *arguments: str) -> dict[str, tuple[str, str | None]]:
    found = json.loads(page(capsys, "--json", *arguments))
    return {each["subject"]: (each["found"], each["missing"]) for section in found.values() for each in section}


def test_a_bare_project_gets_advice(capsys: pytest.CaptureFixture[str]) -> None:
    found = facts(capsys)
    assert found["version"] == (__version__, None)
    assert found["files"] == ("2 C++ files", None)
    assert found["settings"] == ("none", "`sycllint init` writes them")
    assert found["targets"][0].endswith(", assumed")
    assert found["compile_commands.json"][0] == "none"


def test_settings_and_compile_commands_are_named(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (project / "sycllint.toml").write_text('targets = ["pvc"]\n')
    entry = {"directory": str(project), "file": "a.cpp", "arguments": ["icpx", "-fsycl", "-DN=4", "a.cpp"]}
    (project / "compile_commands.json").write_text(json.dumps([entry]))
    found = facts(capsys)
    assert found["settings"] == ("sycllint.toml", None)
    assert found["targets"] == ("pvc, from the settings", None)
    assert found["compile_commands.json"][0] == "entries for 1 of 2 C++ files, 1 in all"
    assert "files without an entry, 1," in str(found["compile_commands.json"][1])


def test_targets_follow_from_the_compile_commands(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    entry = {
        "directory": str(project),
        "file": "a.cpp",
        "arguments": ["icpx", "-fsycl", "-fsycl-targets=intel_gpu_pvc", "a.cpp"],
    }
    (project / "compile_commands.json").write_text(json.dumps([entry]))
    assert facts(capsys, "a.cpp")["targets"] == ("pvc, from the compile commands", None)


def test_the_folder_of_the_standard_library_is_there(capsys: pytest.CaptureFixture[str]) -> None:
    value, _ = facts(capsys)["C++ standard library"]
    assert (Path(str(value)) / "vector").is_file()


def test_without_libclang_it_is_said_how_to_get_it(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def none(path: str | None = None) -> None:
        raise SycllintError("--deep needs libclang (pip install 'sycllint[deep]')")

    monkeypatch.setattr(library, "load", none)
    out = page(capsys)
    assert "  libclang: --deep needs libclang (pip install 'sycllint[deep]')" in out.partition("\nmissing\n")[2]


def test_the_page_has_a_section_for_each_matter(capsys: pytest.CaptureFixture[str]) -> None:
    titles = [line for line in page(capsys).splitlines() if line and not line.startswith(" ")]
    assert titles == [
        "sycllint",
        "project",
        "build",
        "C++ front end (--deep)",
        "compilers' reports (--kernel-info)",
        "GPUs of this machine",
        "missing",
    ]
