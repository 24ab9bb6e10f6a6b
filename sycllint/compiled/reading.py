"""``--kernel-info``: a file or a folder of compilers' reports to the kernels in them."""

import os
from collections.abc import Iterator, Sequence

from sycllint.compiled.elf import ELF, device_binaries
from sycllint.compiled.logs import is_log, read_log
from sycllint.compiled.zeinfo import is_zeinfo, read_zeinfo
from sycllint.errors import SycllintError
from sycllint.launch.compiled import CompiledKernel
from sycllint.record import replace
from sycllint.source.regular import TooLargeError, regular_content

_LARGEST = 500_000_000
"""Bytes of a file that is still read."""
_ARCHIVE = b"!<arch>\n"
_KINDS = "zeinfo, device binary, log of ptxas -v or remarks of -Rpass-analysis=kernel-resource-usage"


def read_kernel_info(arguments: Sequence[str]) -> tuple[CompiledKernel, ...]:
    """The kernels of all reports, in order; each of ``arguments`` is ``PATH`` or ``DEVICE=PATH``.

    Raises ``SycllintError`` for a path without a report, an unknown device, and a report that cannot be read.
    """
    return tuple(kernel for each in arguments for kernel in _read(each))


def _read(argument: str) -> Iterator[CompiledKernel]:

    device, path = _split(argument)
    if not os.path.exists(path):
        raise SycllintError(f"--kernel-info {path}: no such file or directory")
    found = list(_folder(path) if os.path.isdir(path) else _file(path))
    if not found:
        raise SycllintError(f"--kernel-info {path}: holds no {_KINDS}")
    yield from (each if device is None else replace(each, device=device) for each in found)


def _split(argument: str) -> tuple[str | None, str]:
    """``DEVICE=PATH`` taken apart, the device under its short name."""
    name, equals, path = argument.partition("=")
    if not equals or os.path.exists(argument):
        return None, argument
    from sycllint.hardware.profiles import device

    return device(name).name, path


def _folder(folder: str) -> Iterator[CompiledKernel]:
    for parent, folders, names in os.walk(folder):
        folders[:] = sorted(each for each in folders if not each.startswith("."))
        for name in sorted(names):
            yield from _file(os.path.join(parent, name))


def _file(path: str) -> Iterator[CompiledKernel]:
    """What a file reports; nothing when it is something else."""
    try:
        content = regular_content(path, _LARGEST)
    except TooLargeError:
        return
    except OSError as error:
        raise SycllintError(f"not read: {error.strerror}", path=path) from None
    if content.startswith((ELF, _ARCHIVE)):
        for binary in device_binaries(content):
            yield from read_zeinfo(binary.zeinfo, path, device=binary.device, binary=True)
        return
    if b"\0" in content[:1024]:
        return
    text = content.decode("utf-8", "replace")
    if is_log(text):
        for kernel in read_log(text, path):
            yield _known_device(kernel)
    elif is_zeinfo(text):
        yield from read_zeinfo(text, path, device=None, binary=False)


def _known_device(kernel: CompiledKernel) -> CompiledKernel:
    """``sm_90a`` and its like under the short name that we have for them."""
    from sycllint.hardware.profiles import is_known

    if kernel.device is None or is_known(kernel.device):
        return kernel
    return replace(kernel, device=kernel.device.rstrip("af"))
