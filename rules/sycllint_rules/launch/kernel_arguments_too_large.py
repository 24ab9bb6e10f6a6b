"""The arguments of a kernel are larger than a device accepts.

The captures by value of a kernel's lambda, or the members of its function object, are the kernel's arguments. An Intel
GPU accepts 2,048 bytes of arguments; a kernel with more does not build or does not launch. An array of a few hundred
elements on the host's stack is enough.

Bad::

    void filter(sycl::queue &q, float *y) {
      float coefficient[600];
      load(coefficient);
      q.parallel_for(sycl::range<1>(4096), [=](sycl::id<1> i) { y[i] *= coefficient[i % 600]; });
    }

Good::

    void filter(sycl::queue &q, float *y) {
      float *coefficient = sycl::malloc_shared<float>(600, q);
      load(coefficient);
      q.parallel_for(sycl::range<1>(4096), [=](sycl::id<1> i) { y[i] *= coefficient[i % 600]; }).wait();
      sycl::free(coefficient, q);
    }

Only a C++ front end knows the sizes of classes: the rule runs with ``--deep``. Accessors and other objects of SYCL's
own classes are not counted.

For a function object, the members that its call operator uses are counted; for a template, the smallest visible
instantiation.

Silent when ``--deep`` is off; when the call operator is not visible; on AMD and NVIDIA, where the limit depends on the
driver.

Source: SYCL 2020, ``info::device::max_parameter_size``; compute-runtime, device capabilities, maxParameterSize = 2048
(amrex#4952 and warpx#5994 met the limit).
"""

from collections.abc import Iterator

from sycllint.diagnostic import Severity
from sycllint.hardware.device import Vendor
from sycllint.launch.arguments import KernelArguments
from sycllint.launch.kernel import KernelLaunch
from sycllint.rule import Finding, Outcome, Silent, rule
from sycllint.target import Target
from sycllint_rules.wording import number

_INTEL = 2048
"""Bytes: maxParameterSize of compute-runtime."""


@rule("SYC110", Severity.ERROR, on=KernelLaunch, seen=KernelArguments)
def kernel_arguments_too_large(launch: KernelLaunch, target: Target) -> Iterator[Outcome]:
    """Compare the bytes of the kernel's arguments with the limit of the device."""
    if target.device.vendor is not Vendor.INTEL:
        yield Silent("the limit is Intel's")
        return
    for each in launch.kernel.seen.of(KernelArguments):
        if each.bytes > _INTEL:
            largest = each.parts[0]
            yield Finding(
                location=each.location,
                subject=f"kernel arguments of {number(each.bytes)} B",
                verdict=f"exceed the maximum of {number(_INTEL)} B",
                help=f"`{largest.name}` (`{largest.type}`) takes {number(largest.bytes)} B; pass a pointer instead.",
            )
        yield Silent(f"the kernel holds {number(each.bytes)} B at least, of at most {number(_INTEL)} B")
