"""Write a commented sycllint.toml for what is found here.

Targets come from the compiler options of the build (-fsycl-targets), else from the GPUs of this machine. With --print
nothing is written.
"""

import argparse
import os

from sycllint.cli.terminal import complain, write
from sycllint.config import FILE_NAMES
from sycllint.config.starter import Found, look_around, starter
from sycllint.config.toml import read_document
from sycllint.errors import SycllintError
from sycllint.hardware.detect import detected
from sycllint.source.files import shown
from sycllint.source.replace import write_new


def run(arguments: argparse.Namespace) -> int:
    """Write the file, unless the folder has a configuration already."""
    folder: str = arguments.folder
    if not os.path.isdir(folder):
        raise SycllintError(f"{shown(folder)}: no such directory")
    if not arguments.only_print:
        _refuse_second(folder)
    found = look_around(folder, [each.device for each in detected() if each.device is not None])
    text = starter(found)
    if arguments.only_print:
        write(text)
        return 0
    path = os.path.join(folder, FILE_NAMES[0])
    try:
        write_new(path, text.encode())
    except OSError as error:
        raise SycllintError(f"{shown(path)}: not written: {error.strerror}") from None
    complain(f"{shown(path)}: written, {_said(found)}")
    return 0


def _refuse_second(folder: str) -> None:
    for name in FILE_NAMES:
        path = os.path.join(folder, name)
        if read_document(path, named=False) is not None:
            raise SycllintError(f"{shown(path)} is there already; --print shows what would be written")


def _said(found: Found) -> str:
    if found.built_for:
        return f"for {', '.join(found.built_for)}, as {', '.join(found.build_files)} has it"
    if found.in_machine:
        return f"for {', '.join(found.in_machine)}, which this machine has"
    return "without targets: neither the build nor this machine names one"
