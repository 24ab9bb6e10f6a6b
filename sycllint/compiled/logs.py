"""What compilers for NVIDIA and AMD GPUs print of each kernel when they are asked to.

``ptxas -v`` (``-Xcuda-ptxas -v``, ``-Xptxas -v``) and ``-Rpass-analysis=kernel-resource-usage``. Source: CUDA Compiler
Driver NVCC, "Printing Code Generation Statistics"; llvm, clang/test/Frontend/amdgcn-machine-analysis-remarks.cl.
Other lines of a build log are passed over.
"""

import re
from collections.abc import Iterator
from typing import Any

from sycllint.errors import SycllintError
from sycllint.hardware.device import Vendor
from sycllint.launch.compiled import CompiledKernel
from sycllint.record import replace

_ENTRY = re.compile(r"ptxas info\s*: Compiling entry function '([^']+)' for '(\w+)'")
_PROPERTIES = re.compile(r"Function properties for '?([^'\s]+)")
_FRAME = re.compile(r"(?<!\d)(\d++) bytes stack frame(?:, (\d+) bytes spill stores)?")
_USED = re.compile(r"ptxas info\s*: Used (\d+) registers")
_BARRIERS = re.compile(r"used (\d+) barriers")
_SHARED = re.compile(r"(?<!\d)(\d++)(?:\+(\d++))? bytes smem")

_REMARK = re.compile(r"remark: (?:\S+:\d+:\d+:)?\s*+(.*)")
_OF_REMARK = "[-Rpass-analysis=kernel-resource-usage]"
"""How clang ends the lines of a remark."""
_REGISTER = 4
"""Bytes that a spilled VGPR takes of each work-item's scratch memory."""
_FIELDS = {
    "VGPRs": "registers",
    "AGPRs": "accumulators",
    "VGPRs Spill": "spills",
    "ScratchSize [bytes/lane]": "private_memory",
    "ScratchSize [bytes/thread]": "private_memory",
    "LDS Size [bytes/block]": "local_memory",
}
"""Lines of a remark, and what they say of a kernel."""
_COLOUR = re.compile(r"\x1b\[[0-9;]*m")


def is_log(text: str) -> bool:
    """Whether a text holds such lines."""
    return "ptxas info" in text or "kernel-resource-usage" in text


def read_log(text: str, path: str) -> Iterator[CompiledKernel]:
    """The kernels that a build log reports. Raises ``SycllintError`` with the line of a report that breaks off."""
    lines = list(enumerate(_COLOUR.sub("", text).splitlines(), 1))
    yield from _ptxas(lines, path)
    yield from _remarks(lines, path)


def _ptxas(lines: list[tuple[int, str]], path: str) -> Iterator[CompiledKernel]:
    entry: CompiledKernel | None = None
    about: str | None = None
    for number, line in lines:
        if found := _ENTRY.search(line):
            if entry is not None:
                raise _unfinished(entry)
            about = found[1]
            entry = CompiledKernel(found[1], Vendor.NVIDIA, found[2], path, number)
        elif found := _PROPERTIES.search(line):
            about = found[1]
        elif entry is None or about != entry.name:
            continue
        elif found := _FRAME.search(line):
            # The bytes of spills are those of all stores; how much of the frame they share is not said.
            frame, spills = int(found[1]), int(found[2] or 0)
            entry = replace(entry, private_memory=frame, spills=spills, private_arrays=None if spills else frame)
        elif found := _USED.search(line):
            yield _with_usage(entry, int(found[1]), line)
            entry = None
    if entry is not None:
        raise _unfinished(entry)


def _with_usage(entry: CompiledKernel, registers: int, line: str) -> CompiledKernel:
    shared, barriers = _SHARED.search(line), _BARRIERS.search(line)
    return replace(
        entry,
        sub_group_size=32,
        registers=registers,
        local_memory=sum(int(each) for each in shared.groups("0")) if shared else 0,
        barriers=int(barriers[1]) if barriers else None,
    )


def _unfinished(entry: CompiledKernel) -> SycllintError:
    return SycllintError(f"the report on {entry.name} ends without its registers", path=entry.path, line=entry.line)


def _remarks(lines: list[tuple[int, str]], path: str) -> Iterator[CompiledKernel]:
    kernel: CompiledKernel | None = None
    for number, line in lines:
        text, mark, _ = line.partition(_OF_REMARK)
        found = _REMARK.search(text) if mark else None
        if found is None:
            continue
        field, _, value = found[1].rstrip().rpartition(": ")
        if field in {"Function Name", "Kernel Name"}:
            if kernel is not None:
                yield _settled(kernel)
            kernel = CompiledKernel(value, Vendor.AMD, None, path, number)
        elif kernel is None:
            raise SycllintError(f"{field} of no kernel: `Function Name` is missing", path=path, line=number)
        elif value.isdecimal() and field in _FIELDS:
            numbers: dict[str, Any] = {_FIELDS[field]: int(value) * (_REGISTER if field == "VGPRs Spill" else 1)}
            kernel = replace(kernel, **numbers)
        elif field == "Dynamic Stack":
            kernel = replace(kernel, dynamic_stack=value == "True")
    if kernel is not None:
        yield _settled(kernel)


def _settled(kernel: CompiledKernel) -> CompiledKernel:
    """``kernel`` with what its remarks say together: memory that is neither spilled nor assumed is that of arrays."""
    if kernel.dynamic_stack or kernel.spills != 0:
        return kernel
    return replace(kernel, private_arrays=kernel.private_memory)
