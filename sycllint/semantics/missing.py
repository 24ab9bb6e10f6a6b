"""The library or setting that provides a header which clang did not find."""

_BRINGING = (
    ("oneapi/mkl", "oneMKL: intel-oneapi-mkl-devel"),
    ("oneapi/math", "oneMath: build it and name its include folder"),
    ("oneapi/dpl", "oneDPL: intel-oneapi-dpl-devel"),
    ("oneapi/tbb", "oneTBB: libtbb-dev"),
    ("oneapi/dnnl", "oneDNN: libdnnl-dev"),
    ("oneapi/ccl", "oneCCL: intel-oneapi-ccl-devel"),
    ("dpct/", "SYCLomatic's headers: intel-oneapi-dpcpp-ct"),
    ("syclcompat", "the DPC++ compiler's headers: `headers` of `[deep]`"),
    ("sycl/ext/", "the DPC++ compiler's headers: `headers` of `[deep]`"),
    ("tbb/", "oneTBB: libtbb-dev"),
    ("mkl", "oneMKL: intel-oneapi-mkl-devel"),
    ("mpi.h", "MPI: libopenmpi-dev, libmpich-dev"),
    ("cuda", "the CUDA toolkit"),
    ("cublas", "the CUDA toolkit"),
    ("hip/", "ROCm: libamdhip64-dev"),
    ("boost/", "Boost: libboost-dev"),
    ("gtest/", "GoogleTest: libgtest-dev"),
    ("opencv2/", "OpenCV: libopencv-dev"),
    ("hdf5", "HDF5: libhdf5-dev"),
    ("CL/cl", "OpenCL: opencl-headers"),
)
"""By how the name of a header begins: a library, and the package of its vendor or of Debian that has its headers."""


def package_of(header: str) -> str | None:
    """A library that has ``header``; ``None`` for a header of a library that is not known here, or of the project."""
    return next((what for beginning, what in _BRINGING if header.startswith(beginning)), None)


def bringing(header: str) -> str:
    """A library or a setting that would bring ``header``."""
    return package_of(header) or "its folder in `include`, or a compile command"
