"""Include directives and the files they mean."""

import os
from pathlib import Path

import pytest

from sycllint.source.includes import IncludeDirective, directives, resolve


def test_directives_are_found_in_order_wherever_they_stand() -> None:
    content = b'#include <sycl/sycl.hpp>\n#pragma once\nvoid f() {\n  # include "body.sycl"\n}\n// #include "no.h"\n'
    assert list(directives(content)) == [
        IncludeDirective("sycl/sycl.hpp", False, 0),
        IncludeDirective("body.sycl", True, content.index(b"  # include")),
    ]


@pytest.fixture
def project(tmp_path: Path) -> Path:
    for name in ("main.cpp", "beside.h", "include/listed.h", "include/beside.h"):
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.touch()
    return tmp_path


def _found(written: str, folder: Path | str, *folders: Path | str, quoted: bool = True) -> str | None:
    directive = IncludeDirective(written, quoted, 0)
    return resolve(directive, str(folder), tuple(map(str, folders)), lambda *path: os.path.isfile(os.path.join(*path)))


def test_a_quoted_path_is_looked_for_beside_the_includer_first(project: Path) -> None:
    assert _found("beside.h", project, project / "include") == str(project / "beside.h")


def test_an_angled_path_is_looked_for_in_the_folders_only(project: Path) -> None:
    folder = project / "include"
    assert _found("beside.h", project, folder, quoted=False) == str(folder / "beside.h")
    assert _found("beside.h", project, quoted=False) is None


def test_dots_in_a_path_are_resolved(project: Path) -> None:
    assert _found("include/../beside.h", project) == str(project / "beside.h")


def test_folders_from_the_working_directory_give_paths_from_there(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(project)
    assert _found("include/beside.h", "") == os.path.join("include", "beside.h")
    assert _found("../beside.h", "include", ".") == "beside.h"


def test_headers_of_the_system_are_not_the_project_s() -> None:
    assert _found("stdio.h", "", "/usr/include", quoted=False) is None
