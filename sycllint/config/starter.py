"""A configuration to begin with, written for what a project has."""

import os
from collections.abc import Iterator, Sequence

from sycllint.builds.database import database_of
from sycllint.builds.offload import compiled_for, devices_in
from sycllint.config.discovery import upward
from sycllint.errors import SycllintError
from sycllint.hardware.device import Device
from sycllint.record import record
from sycllint.source.disk import LARGEST
from sycllint.source.regular import regular_content
from sycllint.version import __version__

THIRD_PARTY = ("third_party", "third-party", "3rdparty", "thirdparty", "external", "extern", "vendor", "deps", "_deps")
"""Names of folders with third-party code."""

_BUILD_FILES = ("CMakeLists.txt", "Makefile", "makefile", "GNUmakefile", "meson.build", "CMakePresets.json")
_BUILD_ENDINGS = (".cmake", ".mk")
_DEPTH = 3
_MOST = 2000  # folders that are looked into
_BYTES = 1_000_000  # of a build file that are read


@record
class Found:
    """The targets and folders that were found for a new configuration."""

    built_for: tuple[str, ...] = ()
    """Devices that the build names."""
    build_files: tuple[str, ...] = ()
    """The files that name them."""
    in_machine: tuple[str, ...] = ()
    third_party: tuple[str, ...] = ()
    """Folders, from the root, with a slash at their end."""
    pre_commit: bool = False
    github: bool = False
    gitlab: bool = False


def look_around(folder: str, in_machine: Sequence[Device] = ()) -> Found:
    """The targets, third-party folders and CI files of ``folder``; nothing is run."""
    names: dict[str, None] = {}
    files: list[str] = []
    third_party: list[str] = []
    for path, is_folder in _entries(folder):
        relative = os.path.relpath(path, folder).replace(os.sep, "/")
        if is_folder:
            third_party.append(f"{relative}/")
        elif found := _known(devices_in(_text(path))):
            names.update(dict.fromkeys(found))
            files.append(relative)
    database = database_of(folder)
    if database is not None and (listed := _known([each for all_ in compiled_for(database).values() for each in all_])):
        names.update(dict.fromkeys(listed))
        files.append(os.path.relpath(database, folder).replace(os.sep, "/"))
    return Found(
        built_for=tuple(names),
        build_files=tuple(files),
        in_machine=tuple(dict.fromkeys(device.name for device in in_machine)),
        third_party=tuple(third_party),
        pre_commit=_up(folder, ".pre-commit-config.yaml"),
        github=_up(folder, os.path.join(".github", "workflows")),
        gitlab=_up(folder, ".gitlab-ci.yml"),
    )


def starter(found: Found) -> str:
    """The text of a ``sycllint.toml``; what is not known is there as a comment."""
    return "\n".join([*_targets(found), "", *_rules(), "", *_files(found), "", *_more(), *_hooks(found), ""])


def _targets(found: Found) -> Iterator[str]:
    yield "# Settings of sycllint. `sycllint config FILE` prints the settings for a file, and the line that sets each."
    yield f"# Written by `sycllint init` {__version__}."
    yield ""
    yield "# The target devices; `sycllint devices` lists all."
    if found.built_for:
        yield f"# Named by {', '.join(found.build_files)}."
        yield f"targets = {_list(found.built_for)}"
    elif found.in_machine:
        yield "# In this machine."
        yield f"targets = {_list(found.in_machine)}"
    else:
        yield "# Neither the build nor this machine names one; without any, code is judged for all Intel GPUs."
        yield '# targets = ["tgl", "pvc"]'


def _rules() -> Iterator[str]:
    yield "# Rules by code (SYC101), family (SYC2, occupancy) or name (tail-wave); `sycllint rules` lists them."
    yield '# ignore = ["tail-wave"]'
    yield '# extend-select = ["SYC004", "SYC210"]    # suppressions need a reason; occupancy by open parameters'


def _files(found: Found) -> Iterator[str]:
    yield "# Files to exclude, as in .gitignore, from this folder. What git ignores is excluded anyway."
    yield f"exclude = {_list(found.third_party)}" if found.third_party else '# exclude = ["third_party/"]'


def _more() -> Iterator[str]:
    yield from (
        "# The -D and -I options of the compiler, where there is no compilation database.",
        '# defines = { BLOCK = "256" }',
        '# include = ["../shared"]',
        "",
        "# Override the severity of rules: error, warning or note.",
        "# [severity]",
        '# occupancy-quantised = "note"',
        "",
        "# Settings for some of the files.",
        '# [per-path."benchmarks/"]',
        '# targets = ["pvc"]',
        '# ignore = ["occupancy"]',
        "",
        "# Functions of yours that launch a kernel: the meaning of their arguments, counted from 0.",
        "# [launch-helpers]",
        "# submit_kernel = { global = 0, local = 1, kernel = 3 }",
    )


def _hooks(found: Found) -> Iterator[str]:
    nothing = not (found.pre_commit or found.github or found.gitlab)
    if found.pre_commit or nothing:
        yield from _commented(
            "For .pre-commit-config.yaml:",
            "- repo: https://example.com/sycllint   # where you keep it",
            f"  rev: v{__version__}",
            "  hooks:",
            "    - id: sycllint",
        )
    if found.github or nothing:
        yield from _commented(
            "For a job in .github/workflows; only lines that the pull request changes count:",
            "- uses: actions/checkout@v4",
            "  with: { fetch-depth: 0 }",
            "- run: pip install sycllint",
            "- run: sycllint check -f github --diff-base origin/${{ github.base_ref || github.ref_name }}",
        )
    if found.gitlab:
        yield from _commented(
            "For .gitlab-ci.yml; only lines that the merge request changes count:",
            "sycllint:",
            "  variables: { GIT_DEPTH: 0 }",
            "  script:",
            "    - pip install sycllint",
            "    - sycllint check -f full -f gitlab:gl-code-quality-report.json --diff-base origin/$CI_DEFAULT_BRANCH",
            "  artifacts:",
            "    when: always",
            "    reports: { codequality: gl-code-quality-report.json }",
        )


def _commented(*lines: str) -> Iterator[str]:
    yield ""
    yield from (f"# {line}" for line in lines)


def _entries(folder: str) -> Iterator[tuple[str, bool]]:
    """Build files, and folders of other people's code, which are not entered; the nearer ones first."""
    waiting = [(folder, 0)]
    entered = 0
    while waiting and entered < _MOST:
        here, depth = waiting.pop(0)
        entered += 1
        try:
            with os.scandir(here) as entries:
                listing = sorted(entries, key=lambda entry: entry.name)
        except OSError:
            continue
        for entry in listing:
            if entry.is_dir(follow_symlinks=False):
                if entry.name.lower() in THIRD_PARTY:
                    yield entry.path, True
                elif depth < _DEPTH and not entry.name.startswith("."):
                    waiting.append((entry.path, depth + 1))
            elif entry.name in _BUILD_FILES or entry.name.endswith(_BUILD_ENDINGS):
                yield entry.path, False


def _known(names: Sequence[str]) -> list[str]:
    """Short names of the devices that we know by ``names``."""
    from sycllint.hardware.profiles import resolve

    found: dict[str, None] = {}
    for name in names:
        try:
            found.update(dict.fromkeys(device.name for device in resolve([name])))
        except SycllintError:
            continue
    return list(found)


def _up(folder: str, name: str) -> bool:
    return any(os.path.exists(os.path.join(each, name)) for each in upward(os.path.abspath(folder)))


def _text(path: str) -> str:
    try:
        return regular_content(path, LARGEST)[:_BYTES].decode("utf-8", "replace")
    except OSError:
        return ""


def _list(words: Sequence[str]) -> str:
    import json

    return f"[{', '.join(json.dumps(each, ensure_ascii=False) for each in words)}]"
