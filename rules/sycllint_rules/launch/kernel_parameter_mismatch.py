"""A kernel takes another kind of item, or one of other dimensions, than its launch passes.

An ``nd_range`` passes an ``nd_item`` of as many dimensions; a ``range`` passes an ``item``, or an ``id`` made from it.
Anything else does not compile, in templates only when they are instantiated.

Bad::

    void clear(sycl::queue &q, float *a) {
      q.parallel_for(sycl::nd_range<1>(4096, 256), [=](sycl::id<1> i) { a[i] = 0.0f; });
    }

Good::

    void clear(sycl::queue &q, float *a) {
      q.parallel_for(sycl::range<1>(4096), [=](sycl::id<1> i) { a[i] = 0.0f; });
    }

Silent when the parameter is ``auto`` or of a type that is not SYCL's; when the dimensions of either are not known;
in a branch of an ``if constexpr`` whose condition is not known.

Source: SYCL 2020, "parallel_for invoke".
"""

from collections.abc import Iterator

from sycllint.device_code.checks.dimensions import KernelParameter
from sycllint.diagnostic import Related, Severity
from sycllint.launch.kernel import KernelLaunch, LaunchKind
from sycllint.rule import Finding, Outcome, Silent, rule
from sycllint.target import Target
from sycllint.values.value import Unknown
from sycllint_rules.wording import plural

_TAKEN = {
    LaunchKind.ND_RANGE: ("nd_item",),
    LaunchKind.RANGE: ("item", "id"),
}


@rule("SYC112", Severity.ERROR, on=KernelLaunch, seen=KernelParameter)
def kernel_parameter_mismatch(launch: KernelLaunch, _target: Target) -> Iterator[Outcome]:
    """Compare the launch with the first parameter of its kernel."""
    taken = _TAKEN.get(launch.kind)
    whole = launch.global_range
    if taken is None or whole is None:
        yield Silent("the launch has no range whose item the kernel takes")
        return
    for seen in launch.kernel.seen.of(KernelParameter):
        if seen.kind not in taken:
            verdict = (
                f"but is launched over {'an' if launch.kind is LaunchKind.ND_RANGE else 'a'} `{launch.kind.value}`"
            )
        elif seen.dims is not None and (dims := _dimensions(launch)) is not None and seen.dims != dims:
            verdict = f"but is launched in {plural(dims, 'dimension')}"
        else:
            yield Silent(f"the kernel takes {seen.kind}, as it is launched")
            continue
        if launch.may_be_discarded:
            return
        spelled = f"<{seen.dims}>" if seen.dims is not None else ""
        yield Finding(
            location=seen.location,
            subject=f"kernel takes `{seen.kind}{spelled}`",
            verdict=verdict,
            device_specific=False,
            related=(Related("the range", whole.location),),
            help=f"This launch passes an `{taken[0]}` of as many dimensions.",
        )


def _dimensions(launch: KernelLaunch) -> int | None:
    """How many extents are written, where every one of them was found."""
    whole, local = launch.global_range, launch.local_range
    if whole is None or any(isinstance(each, Unknown) for each in whole.extents):
        return None
    if local is not None and len(local.extents) != len(whole.extents):
        return None
    return len(whole.extents)
