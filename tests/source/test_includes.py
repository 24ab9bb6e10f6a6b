"""Include directives and the files they mean."""

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


def test_a_quoted_path_is_looked_for_beside_the_includer_first(project: Path) -> None:
    found = resolve("beside.h", True, str(project / "main.cpp"), [str(project / "include")])
    assert found == str(project / "beside.h")


def test_an_angled_path_is_looked_for_in_the_folders_only(project: Path) -> None:
    main, folder = str(project / "main.cpp"), str(project / "include")
    assert resolve("beside.h", False, main, [folder]) == str(project / "include" / "beside.h")
    assert resolve("beside.h", False, main, []) is None


def test_dots_in_a_path_are_resolved(project: Path) -> None:
    found = resolve("include/../beside.h", True, str(project / "main.cpp"), [])
    assert found == str(project / "beside.h")


def test_headers_of_the_system_are_not_the_project_s() -> None:
    assert resolve("stdio.h", False, "main.cpp", ["/usr/include"]) is None
