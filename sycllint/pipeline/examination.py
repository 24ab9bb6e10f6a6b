"""What sycllint finds on this machine and around the files it is asked about: the page of ``sycllint doctor``."""

import os
import platform
import shutil
import sys
from collections.abc import Iterator, Sequence
from importlib import metadata, util

from sycllint.builds.database import by_source, database_of
from sycllint.builds.reading import build_settings
from sycllint.builds.settings import BuildSettings
from sycllint.config import Configs
from sycllint.errors import SycllintError
from sycllint.pipeline.parts import Parts
from sycllint.pipeline.run import Run
from sycllint.record import record
from sycllint.source.disk import Disk
from sycllint.source.files import shown
from sycllint.version import __version__

_PROBE = "sycllint-doctor.cpp"
"""The name of a unit that is only in memory."""


@record
class DoctorCheck:
    """One thing that was looked for."""

    subject: str
    found: str
    missing: str = ""
    """What to do where it was not found, or what is not known without it; empty where nothing is missing."""


@record
class DoctorSection:
    """Facts about one matter."""

    title: str
    facts: tuple[DoctorCheck, ...]


def examination(paths: Sequence[str], configs: Configs) -> tuple[DoctorSection, ...]:
    """What was found for a run over ``paths``; nothing is linted. Errors as in ``find_files``."""
    run = Run(configs)
    listed = run.listed(paths)
    files = [candidate.path for candidate, _ in listed]
    return (
        DoctorSection("sycllint", tuple(_program())),
        DoctorSection("project", tuple(_project(run, files))),
        DoctorSection("build", tuple(_build(files, configs))),
        DoctorSection("C++ front end (--deep)", tuple(_front_end(configs))),
        DoctorSection("compilers' reports (--kernel-info)", tuple(_reports())),
        DoctorSection("GPUs of this machine", tuple(_gpus())),
    )


def _program() -> Iterator[DoctorCheck]:
    yield DoctorCheck("version", __version__)
    yield DoctorCheck("Python", f"{platform.python_version()} on {platform.system()} {platform.machine()}")
    for package in ("tree-sitter", "tree-sitter-cpp"):
        yield DoctorCheck(package, metadata.version(package))


def _project(run: Run, files: Sequence[str]) -> Iterator[DoctorCheck]:
    config = run.configs.project
    yield DoctorCheck(
        "settings", shown(config.file) if config.file else "none", "" if config.file else "`sycllint init` writes them"
    )
    yield DoctorCheck("files", _files(len(files)), "" if files else "no file to lint under these paths")
    parts = Parts(config, (run.configs.of(each) for each in files))
    for path in files or ["."]:
        parts.of(run.configs.of(path)).targets.of(path)
    names = ", ".join(each.name for each in parts.devices)
    if parts.assumed:
        yield DoctorCheck("targets", f"{names}, assumed", "name the GPUs with `--target` or `targets` in sycllint.toml")
    else:
        origin = "from the settings" if config.targets else "from the compile commands"
        yield DoctorCheck("targets", f"{names}, {origin}")
    for notice in run.notices:
        yield DoctorCheck("notice", notice)


def _files(count: int) -> str:
    return "1 C++ file" if count == 1 else f"{count} C++ files"


def _build(files: Sequence[str], configs: Configs) -> Iterator[DoctorCheck]:
    disk, given = Disk(), configs.project.deep.database
    folders = sorted({os.path.dirname(os.path.abspath(each)) for each in files})
    databases = {folder: database_of(folder, disk, given) for folder in folders}
    found = sorted({each for each in databases.values() if each is not None})
    if not found:
        yield DoctorCheck(
            "compile_commands.json",
            "none",
            "CMake writes it with -DCMAKE_EXPORT_COMPILE_COMMANDS=ON; `-p DIR` names it",
        )
    for place in found:
        entries = {os.path.abspath(file) for file in by_source(place, disk)}
        listed = sum(os.path.abspath(each) in entries for each in files)
        left = len(files) - listed
        missing = f"files without an entry, {left}, have the macros and folders of other build files" if left else ""
        yield DoctorCheck(shown(place), f"entries for {listed} of {_files(len(files))}, {len(entries)} in all", missing)
    known = sum(_says_something(build_settings(folder, None, disk, given)) for folder in folders)
    missing = (
        ""
        if known == len(folders)
        else "no compile_commands.json, CMakeLists.txt or makefile that sets macros in the others"
    )
    yield DoctorCheck("folders with build files", f"{known} of {len(folders)}", missing if folders else "")


def _says_something(settings: BuildSettings) -> bool:
    return settings.known or bool(settings.defines or settings.choices)


def _front_end(configs: Configs) -> Iterator[DoctorCheck]:
    from sycllint.semantics.commands import command_of
    from sycllint.semantics.library import load
    from sycllint.semantics.unit import parse

    deep = configs.project.deep
    yield DoctorCheck("--deep", deep.use)
    try:
        library = load(deep.library)
    except SycllintError as error:
        yield DoctorCheck("libclang", "none", str(error))
        return
    yield DoctorCheck("libclang", library.version)
    command = command_of(_PROBE, database=None, defines={}, folders=(), headers=deep.headers, disk=Disk())
    own = "of sycllint itself, as none are installed"
    yield DoctorCheck("SYCL headers", own if command.own_headers else command.headers)
    probe = b"#include <cstddef>\n#include <vector>\n#include <cmath>\n"
    unit = parse(_PROBE, command, {_PROBE: probe}, deep.library)
    if unit is None or not unit.is_understood:
        yield DoctorCheck(
            "C++ standard library", "none", "install a C++ compiler's headers, as Debian's g++ or libc++-dev"
        )
        return
    # Clang goes there by way of its own folder, which may be a link.
    places = sorted(
        os.path.dirname(os.path.realpath(each)) for each in unit.includes if os.path.basename(each) == "vector"
    )
    yield DoctorCheck("C++ standard library", places[0] if places else "found")


def _reports() -> Iterator[DoctorCheck]:
    module = "compression.zstd" if sys.version_info >= (3, 14) else "backports.zstd"
    has_zstd = util.find_spec(module.partition(".")[0]) is not None and util.find_spec(module) is not None
    yield DoctorCheck(
        "zstd", module if has_zstd else "none", "" if has_zstd else "pip install 'sycllint[zstd]' for compressed images"
    )
    for tool, use in (
        ("ocloc", "compiles for Intel GPUs"),
        ("icpx", "compiles SYCL ahead of time"),
        ("ptxas", "reports registers on NVIDIA"),
    ):
        yield DoctorCheck(tool, shutil.which(tool) or f"none ({use}; not needed)")


def _gpus() -> Iterator[DoctorCheck]:
    from sycllint.hardware.detect import detected

    found = detected()
    if not found:
        yield DoctorCheck("GPUs", "none")
    for each in found:
        name = each.device.name if each.device is not None else f"{each.vendor} 0x{each.pci_id:04x}, not known here"
        yield DoctorCheck(each.address, name)
