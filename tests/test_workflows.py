"""The workflows of the code host: pinned, with few rights, and with what they call; and the papers beside them."""

import re
from pathlib import Path
from typing import Any

import pytest
import yaml

from sycllint.version import __version__
from tools.release import notes

NAMES = ("action", "release", "tests")


@pytest.fixture(scope="module")
def workflows(repository: Path) -> dict[str, Any]:
    return {path.stem: yaml.safe_load(path.read_text()) for path in (repository / ".github/workflows").glob("*.yml")}


def steps(workflow: Any) -> list[Any]:
    return [step for job in workflow["jobs"].values() for step in job.get("steps", ())]


def test_there_are_these(workflows: dict[str, Any]) -> None:
    assert sorted(workflows) == sorted(NAMES)


@pytest.mark.parametrize("name", NAMES)
def test_each_action_is_pinned_to_a_commit(name: str, workflows: dict[str, Any]) -> None:
    used = [step["uses"] for step in steps(workflows[name]) if "uses" in step]
    assert used
    assert [each for each in used if each != "./" and not re.fullmatch(r"[\w.-]+/[\w.-]+@[0-9a-f]{40}", each)] == []


@pytest.mark.parametrize("name", NAMES)
def test_rights_are_reading_alone_until_a_job_asks(name: str, workflows: dict[str, Any]) -> None:
    assert workflows[name]["permissions"] == {"contents": "read"}


@pytest.mark.parametrize("name", NAMES)
def test_nothing_is_spliced_into_a_script(name: str, workflows: dict[str, Any]) -> None:
    assert all("${{" not in step.get("run", "") for step in steps(workflows[name]))


def test_every_system_meets_every_python(workflows: dict[str, Any]) -> None:
    matrix = workflows["tests"]["jobs"]["test"]["strategy"]["matrix"]
    assert {each.partition("-")[0] for each in matrix["os"]} == {"ubuntu", "windows", "macos"}
    assert matrix["python"] == ["3.11", "3.12", "3.13", "3.14"]


def test_only_the_job_that_publishes_may_ask_for_an_identity(workflows: dict[str, Any]) -> None:
    jobs = workflows["release"]["jobs"]
    assert [name for name, job in jobs.items() if "id-token" in job.get("permissions", {})] == ["pypi"]
    assert jobs["pypi"]["needs"] == ["tests", "build"]


def test_the_action_tests_itself_with_inputs_and_outputs_that_it_has(
    workflows: dict[str, Any], repository: Path
) -> None:
    action = yaml.safe_load((repository / "action.yml").read_text())
    own = [step for step in steps(workflows["action"]) if step.get("uses") == "./"]
    assert own
    assert {name for step in own for name in step["with"]} <= set(action["inputs"])
    text = (repository / ".github/workflows/action.yml").read_text()
    assert set(re.findall(r"outputs\.([\w-]+)", text)) <= set(action["outputs"])


class TestRelease:
    CHANGELOG = "# Log\n\n## [Unreleased]\n\n## [1.2.0] - 2027-01-31\n\n- New.\n\n## [1.1.0] - 2026-12-01\n\n- Old.\n"

    def test_notes_are_the_section_of_the_version(self) -> None:
        assert notes("v1.2.0", "1.2.0", self.CHANGELOG) == "- New.\n"
        assert notes("v1.1.0", "1.1.0", self.CHANGELOG) == "- Old.\n"

    @pytest.mark.parametrize(("tag", "version"), [("v1.2.1", "1.2.0"), ("1.2.0", "1.2.0"), ("v1.3.0", "1.3.0")])
    def test_another_tag_or_a_missing_section_is_no_release(self, tag: str, version: str) -> None:
        with pytest.raises(ValueError, match=r"the tag is|no section"):
            notes(tag, version, self.CHANGELOG)


def test_the_citation_is_of_this_version(repository: Path) -> None:
    citation = yaml.safe_load((repository / "CITATION.cff").read_text())
    assert str(citation["version"]) == __version__
    assert citation["license"] == "MIT"
