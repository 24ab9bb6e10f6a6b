"""``sycllint config`` and ``sycllint init``."""

import json
from pathlib import Path

import pytest

from sycllint.cli import main
from sycllint.config import load
from sycllint.config.starter import Found, look_around, starter


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty repository that is the working directory."""
    (tmp_path / ".git").mkdir()
    monkeypatch.chdir(tmp_path)
    return tmp_path


class TestConfig:
    @pytest.fixture
    def printed(self, project: Path, capsys: pytest.CaptureFixture[str]) -> dict[str, tuple[str, str]]:
        (project / "shared.toml").write_text('ignore = ["SYC301"]\ndefines = { A = "1" }\n')
        (project / "sycllint.toml").write_text(
            'extend = "shared.toml"\ntargets = ["tgl"]\n[per-path."bench/"]\nignore = ["SYC2"]\ndefines = ["B=2"]\n'
        )
        assert main(["config", "bench/a.cpp", "--ignore", "SYC102", "--config", "respect-gitignore=false"]) == 0
        rows = [line.split("  ", 1) for line in capsys.readouterr().out.splitlines() if "  " in line]
        cells = {key: rest.strip().rsplit("  ", 1) for key, rest in rows}
        return {key: (value[0].strip(), value[-1].strip()) for key, value in cells.items()}

    @pytest.mark.parametrize(
        ("key", "value", "origin"),
        [
            ("targets", '["tgl"]', "sycllint.toml:2"),
            ("ignore", '["SYC301", "SYC2", "SYC102"]', "shared.toml:1, sycllint.toml:4, --ignore"),
            ("select", "[]", "default"),
            ("respect-gitignore", "false", "--config respect-gitignore=false"),
            ("defines.A", '"1"', "shared.toml:2"),
            ("defines.B", '"2"', "sycllint.toml:5"),
        ],
    )
    def test_each_setting_has_the_place_where_it_was_written(
        self, printed: dict[str, tuple[str, str]], key: str, value: str, origin: str
    ) -> None:
        assert printed[key] == (value, origin)

    def test_a_mistake_is_found_without_linting(self, project: Path, capsys: pytest.CaptureFixture[str]) -> None:
        (project / "sycllint.toml").write_text('[severity]\n"tail-wafe" = "note"\n')
        assert main(["config"]) == 2
        assert capsys.readouterr().err == (
            "sycllint: sycllint.toml:2: unknown rule 'tail-wafe'; did you mean 'tail-wave'?\n"
        )

    def test_json_has_the_same(self, project: Path, capsys: pytest.CaptureFixture[str]) -> None:
        (project / "sycllint.toml").write_text('\ntargets = ["pvc"]\n')
        assert main(["config", "a.cpp", "--json"]) == 0
        printed = json.loads(capsys.readouterr().out)
        assert printed["checked_for"] == "pvc"
        assert printed["settings"]["targets"] == {
            "value": '["pvc"]',
            "origins": [{"source": "sycllint.toml", "line": 2}],
        }

    def test_the_schema_is_printed(self, capsys: pytest.CaptureFixture[str]) -> None:
        assert main(["config", "--schema"]) == 0
        assert json.loads(capsys.readouterr().out)["title"] == "sycllint.toml"


class TestInit:
    def test_takes_the_targets_of_the_build(self, project: Path) -> None:
        (project / "src").mkdir()
        (project / "src" / "CMakeLists.txt").write_text(
            'target_compile_options(app PRIVATE -fsycl "-fsycl-targets=intel_gpu_pvc,spir64")\n'
        )
        assert main(["init"]) == 0
        assert load().targets == ("pvc",)
        assert "# Named by src/CMakeLists.txt." in (project / "sycllint.toml").read_text()

    def test_takes_those_of_a_compilation_database(self, project: Path) -> None:
        (project / "build").mkdir()
        (project / "build" / "compile_commands.json").write_text(
            json.dumps([{"directory": str(project), "file": "a.cpp", "command": "icpx -fsycl-targets=amd_gpu_gfx90a"}])
        )
        assert look_around(str(project)).built_for == ("gfx90a",)

    def test_leaves_out_folders_of_other_people_s_code(self, project: Path) -> None:
        (project / "libs" / "third_party").mkdir(parents=True)
        (project / "external").mkdir()
        assert main(["init"]) == 0
        assert load().exclude == ("external/", "libs/third_party/")

    def test_what_is_not_known_stands_there_as_a_comment(self) -> None:
        assert '# targets = ["tgl", "pvc"]' in starter(Found())

    @pytest.mark.parametrize(
        ("found", "line"),
        [
            (Found(pre_commit=True), "# For .pre-commit-config.yaml:"),
            (Found(github=True), "# For a job in .github/workflows; only lines that the pull request changes count:"),
            (Found(gitlab=True), "# For .gitlab-ci.yml; only lines that the merge request changes count:"),
        ],
    )
    def test_the_snippets_are_those_for_what_the_project_has(self, found: Found, line: str) -> None:
        snippets = [each for each in starter(found).splitlines() if each.startswith("# For ")]
        assert snippets == [line]

    def test_every_commented_setting_is_one(self, project: Path) -> None:
        """Without its `#` each line of the file is a configuration that the loader takes."""
        text = starter(Found(in_machine=("tgl",)))
        lines = [line.removeprefix("# ") for line in text.splitlines() if " = " in line or line.startswith("# [")]
        (project.parent / "shared").mkdir(exist_ok=True)
        (project / "sycllint.toml").write_text("\n".join(lines))
        assert load().launch_helpers.keys() == {"submit_kernel"}

    def test_does_not_replace_a_configuration(self, project: Path, capsys: pytest.CaptureFixture[str]) -> None:
        (project / "pyproject.toml").write_text("[tool.sycllint]\n")
        assert main(["init"]) == 2
        assert "pyproject.toml is there already" in capsys.readouterr().err
        assert not (project / "sycllint.toml").exists()

    def test_prints_without_writing(self, project: Path, capsys: pytest.CaptureFixture[str]) -> None:
        assert main(["init", "--print"]) == 0
        assert capsys.readouterr().out.startswith("# Settings of sycllint.")
        assert not (project / "sycllint.toml").exists()
