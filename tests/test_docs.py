"""The documentation as a site: every link leads somewhere, and what it shows is what sycllint prints."""

import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

from sycllint.cli import main

_LINK = re.compile(r"(?<!!)\[[^\]]*\]\(([^)\s]+)\)")
_CODE = re.compile(r"^```.*?^```|`[^`\n]+`", re.MULTILINE | re.DOTALL)


@pytest.fixture(scope="module")
def site(repository: Path) -> Any:
    return yaml.safe_load((repository / "mkdocs.yml").read_text())


def pages(repository: Path) -> list[Path]:
    return [*(repository / "docs").rglob("*.md"), *(repository / f"{name}.md" for name in ("README", "CONTRIBUTING"))]


def anchors(page: Path) -> set[str]:
    """The fragments of a page, as code hosts and site builders make them of headings."""
    prose = re.sub(r"^```.*?^```", "", page.read_text(), flags=re.MULTILINE | re.DOTALL)
    headings = re.findall(r"^#+ (.+)$", prose, re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", each.lower()).strip().replace(" ", "-") for each in headings}


def test_every_link_leads_to_a_page_and_a_heading(repository: Path) -> None:
    broken = []
    for page in pages(repository):
        for link in _LINK.findall(_CODE.sub("", page.read_text(encoding="utf-8"))):
            path, _, fragment = link.partition("#")
            if "://" in link:
                continue
            target = (page.parent / path).resolve() if path else page
            if not target.exists() or (fragment and fragment not in anchors(target)):
                broken.append(f"{page.name}: {link}")
    assert broken == []


def test_the_site_has_every_page_of_the_documentation(repository: Path, site: Any) -> None:
    listed = [page for entry in site["nav"] for page in _pages_of(entry)]
    docs = repository / "docs"
    assert sorted(listed) == sorted(page.relative_to(docs).as_posix() for page in docs.rglob("*.md"))


def _pages_of(entry: Any) -> list[str]:
    if isinstance(entry, str):
        return [entry]
    if isinstance(entry, list):
        return [page for each in entry for page in _pages_of(each)]
    return [page for each in entry.values() for page in _pages_of(each)]


def test_what_is_made_from_other_files_is_what_make_docs_writes(repository: Path) -> None:
    from tools.pages import written

    for path, text in written(repository).items():
        assert path.read_text(encoding="utf-8") == text, f"{path.name}: run `make docs`"


def test_a_fresh_clone_has_all_that_the_site_is_built_from(repository: Path, tmp_path: Path) -> None:
    shutil.copytree(repository / "docs", tmp_path / "docs")
    shutil.copy(repository / "mkdocs.yml", tmp_path)
    command: list[str | Path] = [
        Path(sys.executable).with_name("zensical"),
        "build",
        "--strict",
        "--config-file",
        "mkdocs.yml",
    ]
    ran = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False, timeout=300)
    assert ran.returncode == 0, ran.stdout + ran.stderr
    page = (tmp_path / "build/site/rules/SYC101-work-group-exceeds-max/index.html").read_text(encoding="utf-8")
    assert 'id="sources"' in page
    assert "SYC102 global-not-divisible" in page  # in the navigation


@pytest.mark.parametrize("page", ["index.md", "getting-started.md"])
def test_the_first_run_is_what_the_command_prints(
    page: str, repository: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    [source] = re.findall(r"```cpp\n(#include.*?)```", (repository / "docs/getting-started.md").read_text(), re.DOTALL)
    (tmp_path / "scale.cpp").write_text(source)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("NO_COLOR", "1")
    text = (repository / "docs" / page).read_text(encoding="utf-8")
    shown = re.search(r"```console\n\$ sycllint (check --target[^\n]+)\n(.*?)```", text, re.DOTALL)
    assert shown is not None
    assert main([*shown[1].split(), "--no-cache"]) == 1
    assert capsys.readouterr().out == shown[2]
