"""``--kernel-info``: a file or a folder of compilers' reports to the kernels in them, and an account of both."""

import os
from collections import Counter
from collections.abc import Iterator, Sequence

from sycllint.compiled import elf
from sycllint.compiled.devices import device_of
from sycllint.compiled.images import ARCHIVE, Image, ImageKind, images
from sycllint.compiled.logs import is_log, read_log
from sycllint.compiled.window import Window, mapped
from sycllint.compiled.zeinfo import is_zeinfo, read_zeinfo
from sycllint.errors import SycllintError
from sycllint.launch.compiled import CompiledKernel, KernelInfo, ReadReport
from sycllint.record import replace

_LARGEST_TEXT = 500_000_000
"""Bytes of a log that is still read; device binaries have no such limit."""
_CONTAINERS = (elf.MARK, ARCHIVE, b"__CLANG_OFFLOAD_BUNDLE__", b"\x10\xff\x10\xad", b"CCOB", b"\x28\xb5\x2f\xfd")
"""The first bytes of files that hold device images."""
_KINDS = "zeinfo, device binary, log of ptxas -v or remarks of -Rpass-analysis=kernel-resource-usage"
_AHEAD = "compile ahead of time, as with `-fsycl-targets=intel_gpu_pvc`"
_WHY = {
    ImageKind.SPIRV: f"SPIR-V only, which is compiled when the program runs; {_AHEAD}",
    ImageKind.FOREIGN: "binaries for {} GPUs: give the compiler's log instead",
    ImageKind.OLD: "device binaries of the form before zebin; add `-cl-intel-allow-zebin` to the options of ocloc",
}


def read_kernel_info(arguments: Sequence[str]) -> KernelInfo:
    """The kernels of all reports, in order; each of ``arguments`` is ``PATH`` or ``DEVICE=PATH``.

    Raises ``SycllintError`` for a path without a report, an unknown device, a device that a report contradicts, and a
    text that cannot be read.
    """
    found = [_argument(each) for each in arguments]
    return KernelInfo(
        tuple(kernel for each in found for kernel in each.kernels),
        tuple(file for each in found for file in each.files),
    )


def _argument(argument: str) -> KernelInfo:
    device, path = _split(argument)
    if not os.path.exists(path):
        raise SycllintError(f"--kernel-info {path}: no such file or directory")
    found = list(_folder(path) if os.path.isdir(path) else _file(path))
    files = tuple(account for account, _ in found)
    kernels = tuple(kernel for _, each in found for kernel in each)
    if not kernels:
        why = "; ".join(dict.fromkeys(reason for each in files for reason, _ in each.unread))
        empty = "its device binaries have no kernels" if files else f"holds no {_KINDS}"
        raise SycllintError(f"--kernel-info {path}: {why or empty}")
    return KernelInfo(kernels if device is None else _of_device(kernels, device, path), files)


def _split(argument: str) -> tuple[str | None, str]:
    """``DEVICE=PATH`` taken apart, the device under its short name."""
    name, equals, path = argument.partition("=")
    if not equals or os.path.exists(argument):
        return None, argument
    from sycllint.hardware.profiles import device

    return device(name).name, path


def _of_device(kernels: Sequence[CompiledKernel], device: str, path: str) -> tuple[CompiledKernel, ...]:
    """The kernels that are, or may be, for ``device``. Raises ``SycllintError`` when all are for others."""
    from sycllint.hardware.profiles import architecture

    wanted = architecture(device)
    fitting = [each for each in kernels if each.device is None or architecture(each.device) == wanted]
    if not fitting:
        others = ", ".join(dict.fromkeys(each.device for each in kernels if each.device is not None))
        raise SycllintError(f"--kernel-info {device}={path}: its device binaries are for {others}, not for {device}")
    exact = [each for each in fitting if each.device == device]
    return tuple(exact or (replace(each, device=device) for each in fitting))


def _folder(folder: str) -> Iterator[tuple[ReadReport, tuple[CompiledKernel, ...]]]:
    for parent, folders, names in os.walk(folder):
        folders[:] = sorted(each for each in folders if not each.startswith("."))
        for name in sorted(names):
            yield from _file(os.path.join(parent, name))


def _file(path: str) -> Iterator[tuple[ReadReport, tuple[CompiledKernel, ...]]]:
    """What a file reports; nothing when it is something else."""
    try:
        with mapped(path) as content:
            if any(content.begins(each) for each in _CONTAINERS):
                yield from _binary(content, path)
                return
            if content.size > _LARGEST_TEXT or b"\0" in content.part(0, 1024).copy():
                return
            text = content.copy().decode("utf-8", "replace")
    except OSError as error:
        raise SycllintError(f"not read: {error.strerror}", path=path) from None
    kernels = tuple(_text(text, path))
    if kernels:
        yield ReadReport(path, len(kernels), devices=_devices(kernels)), kernels


def _text(text: str, path: str) -> Iterator[CompiledKernel]:
    if is_log(text):
        for kernel in read_log(text, path):
            yield _known_device(kernel)
    elif is_zeinfo(text):
        for found in read_zeinfo(text, path, device=None, binary=False):
            if isinstance(found, SycllintError):
                raise found
            yield found


def _binary(content: Window, path: str) -> Iterator[tuple[ReadReport, tuple[CompiledKernel, ...]]]:
    """The kernels of all device images of a file, each once though several images have it."""
    kernels: dict[CompiledKernel, None] = {}
    unread: Counter[str] = Counter()
    forms: Counter[ImageKind] = Counter()
    count = 0
    for image in images(content):
        forms[image.form] += 1
        for found in _image(image, path):
            if isinstance(found, CompiledKernel):
                kernels.setdefault(found)
                count += 1
            else:
                unread[found] += 1
    if not forms:
        return
    present = sum(forms.values()) - forms[ImageKind.SPIRV]
    if not present:
        unread[_WHY[ImageKind.SPIRV]] = forms[ImageKind.SPIRV]
    read = forms[ImageKind.ZEBIN]
    found_kernels = tuple(kernels)
    yield ReadReport(path, count, present, read, tuple(unread.items()), _devices(found_kernels)), found_kernels


def _image(image: Image, path: str) -> Iterator[CompiledKernel | str]:
    """The kernels of one image, or why it or a kernel is not read."""
    if image.form is not ImageKind.ZEBIN:
        if image.form is not ImageKind.SPIRV:
            yield _WHY.get(image.form, "{}").format(image.detail)
        return
    device = device_of(image.content, image.member)
    for section in elf.sections(image.content):
        if section.name != ".ze_info":
            continue
        text = section.content.copy().rstrip(b"\0").decode("utf-8", "replace")
        try:
            for found in read_zeinfo(text, path, device=device, binary=True):
                yield found if isinstance(found, CompiledKernel) else found.message
        except SycllintError as error:
            yield error.message


def _devices(kernels: Sequence[CompiledKernel]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(each.device for each in kernels if each.device is not None))


def _known_device(kernel: CompiledKernel) -> CompiledKernel:
    """``sm_90a`` and its like under the short name that we have for them."""
    from sycllint.hardware.profiles import is_known

    if kernel.device is None or is_known(kernel.device):
        return kernel
    return replace(kernel, device=kernel.device.rstrip("af"))
