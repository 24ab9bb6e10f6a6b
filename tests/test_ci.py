"""What other programs run us with: the action and its problem matcher, the snippets of docs/ci.md, the image."""

import json
import os
import re
import shutil
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
import yaml

from sycllint.diagnostic import Severity
from sycllint.report import render
from sycllint.report.formats.sarif import SCHEMA
from tests.report.sample import SWEEP, exceeds, files, result
from tests.root import needs_root

CONTAINS = ("sycllint", "rules", "docker", "hatch_build.py", "pyproject.toml", "README.md", "LICENSE")


@pytest.fixture(scope="module")
def action(repository: Path) -> Any:
    return yaml.safe_load((repository / "action.yml").read_text())


@pytest.fixture(scope="module")
def matchers(repository: Path) -> Any:
    return json.loads((repository / ".github/sycllint-matcher.json").read_text())["problemMatcher"]


@pytest.fixture(scope="module")
def snippets(repository: Path) -> list[Any]:
    """The YAML blocks of docs/ci.md."""
    text = (repository / "docs/ci.md").read_text(encoding="utf-8")
    return [yaml.safe_load(block) for block in re.findall(r"```yaml\n(.*?)```", text, re.DOTALL)]


@pytest.mark.parametrize("color", [False, True], ids=["plain", "coloured"])
@pytest.mark.parametrize("severity", Severity, ids=[each.label for each in Severity])
def test_one_matcher_reads_a_line_of_the_concise_format(matchers: Any, severity: Severity, color: bool) -> None:
    found = replace(exceeds(), severity=severity)
    line = render("concise", result(found), color=color, width=80, hyperlinks=False, sources=files(a_cpp=SWEEP))
    read = []
    for each in matchers:
        [pattern] = each["pattern"]
        if match := re.search(pattern["regexp"], line.rstrip("\n")):
            read.append(
                (each["severity"], *(match[pattern[key]] for key in ("file", "line", "column", "code", "message")))
            )
    level = "notice" if severity is Severity.NOTE else severity.label
    assert read == [(level, "a.cpp", "6", "51", "SYC101", found.message)]


def test_matchers_have_owners_of_their_own(matchers: Any) -> None:
    assert len({each["owner"] for each in matchers}) == len(matchers) == len(Severity)


class TestAction:
    def test_every_step_says_its_shell_or_uses_an_action(self, action: Any) -> None:
        assert action["runs"]["using"] == "composite"
        assert all(("shell" in step) == ("run" in step) for step in action["runs"]["steps"])

    def test_scripts_get_their_inputs_by_the_environment(self, action: Any) -> None:
        # Spliced into the script's text, a branch called `$(…)` would be run.
        assert all("${{" not in step.get("run", "") for step in action["runs"]["steps"])
        used = re.findall(r"inputs\.([\w-]+)", yaml.safe_dump(action["runs"]))
        assert set(used) == set(action["inputs"])

    def test_names_the_commit_of_every_action_that_it_uses(self, action: Any) -> None:
        used = [step["uses"] for step in action["runs"]["steps"] if "uses" in step]
        assert len(used) == 2
        assert all(re.fullmatch(r"[\w.-]+/[\w.-]+@[0-9a-f]{40}", each) for each in used)

    def test_has_a_face_in_the_marketplace(self, action: Any) -> None:
        assert set(action["branding"]) == {"icon", "color"}

    def run(self, action: Any, folder: Path, **inputs: str) -> "subprocess.CompletedProcess[str]":
        """The last step's script, with sycllint on the path as the steps before it put it there."""
        root = Path(__file__).resolve().parent.parent
        programs = folder / "bin"
        programs.mkdir()
        (programs / "sycllint").write_text(f'#!/bin/sh\nexec "{sys.executable}" -m sycllint "$@"\n')
        (programs / "sycllint").chmod(0o755)
        [*_, step] = action["runs"]["steps"]
        inputs = {name: str(each["default"]) for name, each in action["inputs"].items()} | inputs
        values = {f"inputs.{name}": text for name, text in inputs.items()} | {
            "github.action_path": str(root),
            "runner.temp": str(folder),
            "steps.install.outputs.python": sys.executable,
        }
        environment = {
            name: re.sub(
                r"\$\{\{ ([\w.-]+) \}\}",
                lambda match: values[match[1]],
                text,
            )
            for name, text in step["env"].items()
        }
        inherited = {name: text for name, text in os.environ.items() if not name.startswith("GITHUB_")}
        path = os.pathsep.join([str(programs), os.environ["PATH"]])
        return subprocess.run(
            ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", step["run"]],
            cwd=folder,
            env=inherited
            | environment
            | {
                "PATH": path,
                "PYTHONPATH": f"{root}{os.pathsep}{root}/rules",
                "RUNNER_TEMP": str(folder),
                "GITHUB_STEP_SUMMARY": str(folder / "page.md"),
                "GITHUB_OUTPUT": str(folder / "outputs"),
            },
            capture_output=True,
            text=True,
            check=False,
            timeout=120,
        )

    @pytest.fixture
    def project(self, tmp_path: Path, planted_error: str) -> Path:
        (tmp_path / "src").mkdir()
        (tmp_path / "src/bad.cpp").write_text(planted_error)
        (tmp_path / "other.cpp").write_text(planted_error)
        return tmp_path

    def test_annotates_writes_the_log_and_the_page_and_fails(self, action: Any, project: Path) -> None:
        ran = self.run(action, project, paths="src", args="--target tgl", sarif="out.sarif")
        assert ran.returncode == 1, ran.stderr
        [command] = ran.stdout.splitlines()
        assert command.startswith("::error title=sycllint (SYC101),file=src/bad.cpp,line=4,")
        assert json.loads((project / "out.sarif").read_text())["$schema"] == SCHEMA
        assert (project / "page.md").read_text().startswith("## sycllint\n")

    def test_adds_the_matcher_before_the_lines_it_reads(self, action: Any, project: Path, repository: Path) -> None:
        ran = self.run(action, project, paths="src other.cpp", args="--target tgl", annotations="matcher")
        first, *findings = ran.stdout.splitlines()
        assert first == f"::add-matcher::{repository}/.github/sycllint-matcher.json"
        assert [line.split(":")[0] for line in findings[:2]] == ["other.cpp", "src/bad.cpp"]
        assert all(line.startswith("::remove-matcher owner=sycllint-") for line in findings[2:])
        assert ran.returncode == 1

    def test_takes_paths_and_arguments_on_several_lines(self, action: Any, project: Path) -> None:
        (project / "with blank.cpp").write_text((project / "other.cpp").read_text())
        arguments = "--target\n  tgl\n--select SYC101\n"
        ran = self.run(action, project, paths='src\n"with blank.cpp"\n', args=arguments, annotations="matcher")
        findings = [line for line in ran.stdout.splitlines() if not line.startswith("::")]
        assert [line.split(":")[0] for line in findings] == ["src/bad.cpp", "with blank.cpp"]

    def test_outputs_how_many_were_found(self, action: Any, project: Path) -> None:
        ran = self.run(action, project, paths="src other.cpp", args="--target tgl", sarif="out.sarif")
        assert ran.returncode == 1, ran.stderr
        outputs = dict(line.split("=") for line in (project / "outputs").read_text().splitlines())
        assert outputs == {"exit-code": "1", "errors": "2", "warnings": "0", "notes": "0", "sarif": "out.sarif"}
        assert set(outputs) == set(action["outputs"])

    def test_outputs_no_numbers_where_nothing_was_linted(self, action: Any, project: Path) -> None:
        ran = self.run(action, project, args="--target nothing", sarif="out.sarif")
        assert ran.returncode == 2
        assert (project / "outputs").read_text() == "exit-code=2\nsarif=\nerrors=\nwarnings=\nnotes=\n"

    def test_keeps_results_where_the_cache_is_saved(self, action: Any, project: Path) -> None:
        [saved] = [step for step in action["runs"]["steps"] if step.get("uses", "").startswith("actions/cache@")]
        assert saved["with"]["path"] == action["runs"]["steps"][-1]["env"]["SYCLLINT_CACHE_DIR"]
        self.run(action, project)
        assert (project / "sycllint-cache").is_dir()

    def test_refuses_another_kind_of_annotations(self, action: Any, project: Path) -> None:
        ran = self.run(action, project, annotations="loud")
        assert (ran.returncode, ran.stdout) == (2, "::error::annotations is github or matcher, not loud\n")


class TestSnippets:
    def test_name_hooks_there_are(self, snippets: list[Any], repository: Path) -> None:
        hooks = {hook["id"] for hook in yaml.safe_load((repository / ".pre-commit-hooks.yaml").read_text())}
        named = [
            hook["id"]
            for each in snippets
            if isinstance(each, dict)
            for source in each.get("repos", ())
            for hook in source["hooks"]
        ]
        assert named
        assert set(named) <= hooks

    def test_give_the_action_inputs_it_has(self, snippets: list[Any], action: Any) -> None:
        steps = [step for each in snippets for step in _steps(each) if "/sycllint@" in step.get("uses", "")]
        assert steps
        assert {name for step in steps for name in step["with"]} <= set(action["inputs"])

    def test_run_commands_that_sycllint_takes(
        self, snippets: list[Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        from sycllint.cli import main

        monkeypatch.chdir(tmp_path)
        (tmp_path / "clean.cpp").write_text("int answer() { return 42; }\n")
        lines = [line for each in snippets for line in _commands(each)]
        assert len(lines) > 3
        for line in lines:
            words = line.partition(" |")[0].split()
            assert main(["check", "--isolated", *_without_base(words[2:])]) == 0, line

    def test_the_gitlab_report_is_the_artifact(self, snippets: list[Any]) -> None:
        jobs = [each["sycllint"] for each in snippets if isinstance(each, dict) and "sycllint" in each]
        assert len(jobs) == 2
        for job in jobs:
            [written] = re.findall(r"-f gitlab:(\S+)", " ".join(job["script"]))
            assert job["artifacts"] == {"when": "always", "reports": {"codequality": written}}


def _steps(snippet: Any) -> list[Any]:
    if isinstance(snippet, list):
        return snippet
    return [step for job in snippet.get("jobs", {}).values() for step in job["steps"]]


def _commands(snippet: Any) -> list[str]:
    scripts = [step.get("run", "") for step in _steps(snippet)]
    if isinstance(snippet, dict) and "sycllint" in snippet:
        scripts += snippet["sycllint"]["script"]
    return [line for script in scripts for line in script.splitlines() if line.startswith("sycllint check")]


def _without_base(words: list[str]) -> list[str]:
    """There is no branch to compare with in a test's folder."""
    return words[: words.index("--diff-base")] if "--diff-base" in words else words


class TestImage:
    def test_gets_every_file_that_the_package_is_built_from(self, repository: Path) -> None:
        ignored = (repository / ".dockerignore").read_text().splitlines()
        assert ignored[0] == "*"
        assert {f"!{each}" for each in CONTAINS} <= set(ignored)

    def entered(self, repository: Path, folder: Path, user: int) -> list[str]:
        """User, group, capabilities and arguments that the entry point gives sycllint in ``folder/src``."""
        program = folder / "sycllint"
        program.write_text('#!/bin/sh\nid -u\nid -g\ngrep CapEff: /proc/self/status\necho "$*"\n')
        for each in (folder, program):
            each.chmod(0o755)
        ran = subprocess.run(
            [
                "setpriv",
                "--reuid",
                str(user),
                "--clear-groups",
                "sh",
                str(repository / "docker/entrypoint.sh"),
                "check",
            ],
            cwd=folder / "src",
            env={"PATH": os.pathsep.join([str(folder), os.environ["PATH"]])},
            capture_output=True,
            text=True,
            check=False,
        )
        assert ran.returncode == 0, ran.stderr
        return ran.stdout.split()

    @needs_root
    @pytest.mark.parametrize(("owner", "group"), [(1234, 2345), (0, 0)])
    def test_runs_as_the_owner_of_the_folder_without_capabilities(
        self, repository: Path, owner: int, group: int
    ) -> None:
        with TemporaryDirectory() as folder:
            (Path(folder) / "src").mkdir()
            os.chown(Path(folder) / "src", owner, group)
            printed = self.entered(repository, Path(folder), 0)
        assert printed == [str(owner), str(group), "CapEff:", "0" * 16, "check"]

    @needs_root
    def test_stays_the_user_it_is_started_as(self, repository: Path) -> None:
        with TemporaryDirectory() as folder:
            (Path(folder) / "src").mkdir()
            assert self.entered(repository, Path(folder), 65534)[0] == "65534"

    @pytest.mark.skipif(shutil.which("docker") is None, reason="there is no docker here")
    def test_is_built_and_lints(self, repository: Path, tmp_path: Path, planted_error: str) -> None:
        if subprocess.run(["docker", "info"], capture_output=True, check=False, timeout=60).returncode:
            pytest.skip("no docker daemon answers here")
        built = subprocess.run(
            ["docker", "build", "--quiet", str(repository)], capture_output=True, text=True, check=False, timeout=900
        )
        assert built.returncode == 0, built.stderr
        (tmp_path / "bad.cpp").write_text(planted_error)
        ran = subprocess.run(
            [
                "docker",
                "run",
                "--rm",
                "--volume",
                f"{tmp_path}:/src",
                built.stdout.strip(),
                "check",
                "-f",
                "concise",
                ".",
            ],
            capture_output=True,
            text=True,
            check=False,
            timeout=120,
        )
        assert ran.stdout.startswith("bad.cpp:4:"), ran.stderr
