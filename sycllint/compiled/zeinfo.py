"""What Intel's offline compiler says of each kernel: the zeinfo of a device binary, or the text of one.

Source: zebin/spec/zeinfo.md of intel-graphics-compiler; what ocloc of intel-compute-runtime 22.43.24595 (zeinfo 1.20)
and binaries of vllm-xpu-kernels 0.1.16.2 (1.70) have. Sizes are of a hardware thread unless a buffer says otherwise.
"""

import re
from collections.abc import Iterator

from sycllint.compiled.yaml import YamlCollection, YamlScalar, read_yaml
from sycllint.errors import SycllintError
from sycllint.hardware.device import Vendor
from sycllint.launch.compiled import CompiledKernel

_KERNELS = re.compile(r"^kernels:[ \t]*$", re.MULTILINE)
_NEXT = re.compile(r"^[A-Za-z_]", re.MULTILINE)
_ARRAYS, _SPILLS, _BOTH = "private_space", "spill_fill_space", "single_space"
"""Uses of a buffer in memory: private arrays, spilled registers, and where one buffer has both."""
_PROGRAM = "Intel_Symbol_Table_Void_Program"
"""What the compiler calls a program's exported functions."""


def is_zeinfo(text: str) -> bool:
    """Whether a text looks like one."""
    return "kernels:" in text and "execution_env:" in text


def read_zeinfo(text: str, path: str, *, device: str | None, binary: bool) -> Iterator[CompiledKernel | SycllintError]:
    """The kernels of a zeinfo, or in place of one what is wrong with it, with its line where the zeinfo is a text.

    Raises ``SycllintError`` when the whole cannot be taken apart.
    """
    kernels, first_line = _kernels(text)
    for kernel in read_yaml(kernels, path, first_line).block("kernels").elements:
        name = kernel.child("name")
        if isinstance(name, YamlScalar) and name.text == _PROGRAM:
            continue
        try:
            yield _kernel(kernel, path, device, binary=binary)
        except SycllintError as error:
            yield error


def _kernels(text: str) -> tuple[str, int]:
    """The part of a zeinfo from ``kernels`` to the next key, and its first line: what follows is far more text."""
    start = _KERNELS.search(text)
    if start is None:
        return text, 1
    end = _NEXT.search(text, start.end())
    return text[start.start() : end.start() if end else None], text.count("\n", 0, start.start()) + 1


def _kernel(kernel: YamlCollection, path: str, device: str | None, *, binary: bool) -> CompiledKernel:
    name = kernel.child("name")
    if not isinstance(name, YamlScalar):
        raise SycllintError("a kernel without `name`", path=path, line=kernel.line)
    environment = kernel.block("execution_env")
    width = _number(environment, "simd_size", path)
    if width is None:
        raise SycllintError(f"kernel {name.text} has no simd_size", path=path, line=kernel.line)
    arguments = kernel.block("payload_arguments").elements
    more = any(_text(each, "addrspace") == "local" for each in arguments)
    arrays, spills, whole = _in_memory(kernel, environment, width, path)
    return CompiledKernel(
        name=name.text,
        vendor=Vendor.INTEL,
        device=device,
        path=path,
        line=None if binary else name.line,
        sub_group_size=width,
        registers=_number(environment, "grf_count", path),
        local_memory=_number(environment, "slm_size", path) or 0,
        local_memory_whole=not more,
        barriers=_number(environment, "barrier_count", path) or 0,
        private_memory=whole,
        private_arrays=arrays,
        spills=spills,
    )


def _in_memory(
    kernel: YamlCollection, environment: YamlCollection, width: int, path: str
) -> tuple[int | None, int | None, int]:
    """Bytes of each work-item in memory: its arrays, its spilled registers, and both.

    What is stated goes before the buffers, which are rounded up. Arrays and spills are ``None`` where one buffer has
    both and nothing else is said.
    """
    buffers = dict.fromkeys((_ARRAYS, _SPILLS, _BOTH), 0)
    for buffer in kernel.block("per_thread_memory_buffers").elements:
        use = _text(buffer, "usage")
        if use in buffers:
            size = _number(buffer, "size", path) or 0
            buffers[use] += size if _text(buffer, "is_simt_thread") == "true" else -(-size // width)
    stated = [_number(environment, key, path) for key in ("private_size", "spill_size")]
    if any(each is not None for each in stated):
        arrays, spills = (-(-(each or 0) // width) for each in stated)
        return arrays, spills, arrays + spills
    if buffers[_BOTH]:
        return None, None, sum(buffers.values())
    return buffers[_ARRAYS], buffers[_SPILLS], sum(buffers.values())


def _number(block: YamlCollection, key: str, path: str) -> int | None:
    found = block.child(key)
    if found is None:
        return None
    if isinstance(found, YamlScalar) and found.text.isdecimal():
        return int(found.text)
    raise SycllintError(f"{key} is not a number", path=path, line=found.line)


def _text(block: YamlCollection, key: str) -> str:
    found = block.child(key)
    return found.text if isinstance(found, YamlScalar) else ""
