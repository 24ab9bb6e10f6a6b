"""What Intel's offline compiler says of each kernel: the zeinfo of a device binary, or the text of one.

Source: the fields as ocloc of intel-compute-runtime 22.43.24595 writes them, zeinfo version 1.20, and zebin/spec of
intel-graphics-compiler for ``private_size`` and ``spill_size``.
"""

from collections.abc import Iterator

from sycllint.compiled.yaml import Block, Scalar, read_yaml
from sycllint.errors import SycllintError
from sycllint.hardware.device import Vendor
from sycllint.launch.compiled import CompiledKernel

_IN_MEMORY = frozenset(["private_space", "spill_fill_space", "single_space"])


def is_zeinfo(text: str) -> bool:
    """Whether a text looks like one."""
    return "kernels:" in text and "execution_env:" in text


def read_zeinfo(text: str, path: str, *, device: str | None, binary: bool) -> Iterator[CompiledKernel]:
    """The kernels of a zeinfo. Raises ``SycllintError`` with the line of what cannot be read."""
    for kernel in read_yaml(text, path).block("kernels").elements:
        name = kernel.child("name")
        if not isinstance(name, Scalar):
            raise SycllintError("a kernel without `name`", path=path, line=kernel.line)
        if name.text != "Intel_Symbol_Table_Void_Program":  # what the compiler calls a program's exported functions
            yield _kernel(kernel, name, path, device, binary=binary)


def _kernel(kernel: Block, name: Scalar, path: str, device: str | None, *, binary: bool) -> CompiledKernel:
    environment = kernel.block("execution_env")
    width = _number(environment, "simd_size", path)
    if width is None:
        raise SycllintError(f"kernel {name.text} has no simd_size", path=path, line=kernel.line)
    arguments = kernel.block("payload_arguments").elements
    more = any(_text(each, "addrspace") == "local" for each in arguments)
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
        private_memory=_private(kernel, environment, width, path),
    )


def _private(kernel: Block, environment: Block, width: int, path: str) -> int:
    """Bytes of each work-item in memory; buffers are per hardware thread unless they say otherwise."""
    bytes_of_item = 0
    for buffer in kernel.block("per_thread_memory_buffers").elements:
        if _text(buffer, "usage") in _IN_MEMORY:
            size = _number(buffer, "size", path) or 0
            bytes_of_item += size if _text(buffer, "is_simt_thread") == "true" else -(-size // width)
    stated = sum(_number(environment, key, path) or 0 for key in ("private_size", "spill_size"))
    return max(bytes_of_item, -(-stated // width))


def _number(block: Block, key: str, path: str) -> int | None:
    found = block.child(key)
    if found is None:
        return None
    if isinstance(found, Scalar) and found.text.isdecimal():
        return int(found.text)
    raise SycllintError(f"{key} is not a number", path=path, line=found.line)


def _text(block: Block, key: str) -> str:
    found = block.child(key)
    return found.text if isinstance(found, Scalar) else ""
