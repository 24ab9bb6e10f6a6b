"""The aspect of integrations/bazel, with a real workspace and no network."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from sycllint.cli import main

RULES = Path("/usr/share/bazel")
"""Where Debian's packages bazel-rules-java, bazel-rules-proto and bazel-platforms have what Bazel would download."""

OTHERS = {"rules_java": RULES / "rules/java", "rules_proto": RULES / "rules/proto", "platforms": RULES / "platforms"}

pytestmark = pytest.mark.skipif(
    shutil.which("bazel") is None or not all(each.is_dir() for each in OTHERS.values()),
    reason="there is no bazel here, or not the repositories that it loads",
)

RULES_CC = """\
cc_binary = native.cc_binary
cc_library = native.cc_library
cc_test = native.cc_test
cc_toolchain = native.cc_toolchain
cc_toolchain_suite = native.cc_toolchain_suite

def _nothing(ctx):
    return []

compiler_flag = rule(implementation = _nothing)
cc_flags_supplier = rule(implementation = _nothing)
"""
"""As much of rules_cc as Bazel 4 asks for: that of Debian is for a newer one."""

KERNEL = """\
void {name}(sycl::queue &q, float *data) {{
  q.parallel_for(sycl::nd_range<1>(64000, {size}), [=](sycl::nd_item<1> item) {{ data[item.get_global_id(0)] = 1; }});
}}
"""

WORKSPACE = {
    "sycllint.toml": 'targets = ["tgl"]\n',
    "BUILD": 'exports_files(["sycllint.toml"])\n',
    "lib/BUILD": (
        'package(default_visibility = ["//visibility:public"])\n'
        'cc_library(name = "fill", hdrs = ["fill.hpp"], defines = ["BLOCK=640"])\n'
        'cc_library(name = "fine", srcs = ["fine.cpp"], copts = ["-DGROUP=256"])\n'
        'cc_library(name = "left_out", srcs = ["bad.cpp"], tags = ["no-sycllint"])\n'
    ),
    "lib/fill.hpp": KERNEL.format(name="fill", size="BLOCK"),
    "lib/fine.cpp": KERNEL.format(name="fine", size="GROUP"),
    "lib/bad.cpp": KERNEL.format(name="bad", size="1024"),
    "app/BUILD": 'cc_library(name = "app", srcs = ["app.cpp"], deps = ["//lib:fill"])\n',
    "app/app.cpp": '#include "lib/fill.hpp"\nconst int size = 2 * BLOCK;\n' + KERNEL.format(name="scale", size="size"),
}


@pytest.fixture
def workspace(repository: Path, tmp_path: Path) -> Path:
    """A workspace of three targets that are linted and one that is not."""
    place = tmp_path / "workspace"
    for name, text in WORKSPACE.items():
        (place / name).parent.mkdir(parents=True, exist_ok=True)
        (place / name).write_text(text)
    rules_cc = tmp_path / "rules_cc"
    (rules_cc / "cc").mkdir(parents=True)
    (rules_cc / "WORKSPACE").touch()
    (rules_cc / "cc" / "BUILD").touch()
    (rules_cc / "cc" / "defs.bzl").write_text(RULES_CC)
    (place / "WORKSPACE").write_text(f'local_repository(name = "sycllint", path = "{repository}/integrations/bazel")\n')
    programs = tmp_path / "bin"
    programs.mkdir()
    program = programs / "sycllint"
    paths = f"{repository}:{repository / 'rules'}"
    program.write_text(f'#!/bin/sh\nPYTHONPATH="{paths}" exec "{sys.executable}" -m sycllint "$@"\n')
    program.chmod(0o755)
    return place


def build(workspace: Path, *options: str) -> "subprocess.CompletedProcess[str]":
    """Lint every target, in one process that ends with the build."""
    here = workspace.parent
    others = [f"--override_repository={name}={path}" for name, path in OTHERS.items()]
    return subprocess.run(
        [
            "bazel",
            "--batch",
            f"--output_user_root={here / 'output'}",
            "build",
            "//...",
            *others,
            f"--override_repository=rules_cc={here / 'rules_cc'}",
            "--aspects=@sycllint//:sycllint.bzl%sycllint_aspect",
            "--@sycllint//:configuration=//:sycllint.toml",
            f"--action_env=PATH={here / 'bin'}{os.pathsep}{os.environ['PATH']}",
            *options,
        ],
        cwd=workspace,
        capture_output=True,
        text=True,
        check=False,
        timeout=600,
    )


def test_each_target_is_an_action_with_a_report_of_its_own(workspace: Path, capsys: pytest.CaptureFixture[str]) -> None:
    ran = build(workspace, "--output_groups=sycllint", "--keep_going")
    assert ran.returncode != 0
    assert "lib/fill.hpp:2:43: error[SYC101] work-group 640 exceeds max 512 on tgl" in ran.stdout + ran.stderr
    reports = sorted((workspace / "bazel-bin").glob("*/*.sycllint.json"))
    assert [each.name for each in reports] == ["app.sycllint.json", "fill.sycllint.json", "fine.sycllint.json"]
    assert main(["merge", *map(str, reports)]) == 0
    merged = json.loads(capsys.readouterr().out)
    assert [(each["path"], each["message"]) for each in merged["diagnostics"]] == [
        ("app/app.cpp", "work-group 1280 exceeds max 512 on tgl"),
        ("lib/fill.hpp", "work-group 640 exceeds max 512 on tgl"),
    ]
    assert merged["files"]["checked"] == 3

    again = build(workspace, "--output_groups=sycllint_reports")
    assert again.returncode == 0, again.stderr
    assert "Linting" not in again.stderr  # out of Bazel's own cache
