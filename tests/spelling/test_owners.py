"""Which files are no SYCL code of the project's own."""

import pytest

from sycllint.spelling.owners import is_foreign

SYCL = b"#include <sycl/sycl.hpp>\n"


@pytest.mark.parametrize(
    ("path", "content", "foreign"),
    [
        ("src/backends/cuda/reduce.cpp", b"", True),
        ("core/Cuda/Instance.hpp", b"// cl::sycl is elsewhere", True),
        ("gpu/hip/launch.cpp", b"#include <hip/hip_runtime.h>", True),
        ("rocm/spmv.cpp", b"", True),
        ("src/backends/cuda/interop.cpp", SYCL, False),
        ("from/hip/to/sycl/reduce.cpp", b"", False),
        ("cuda/dpcpp/reduce.cpp", b"", False),
        ("src/cuda_helpers/reduce.cpp", b"", False),
        ("src/cuda.cpp", b"", False),
    ],
)
def test_files_of_backends_in_other_languages_are_foreign(path: str, content: bytes, foreign: bool) -> None:
    assert is_foreign(path, content) is foreign
