"""The findings of rules on the language of device code: where something stands, and how it is reached."""

from collections.abc import Iterator

from sycllint.device_code.checks.restrictions import Forbidden, Restriction
from sycllint.diagnostic import Related
from sycllint.launch.kernel import KernelLaunch
from sycllint.rule import Finding


def forbidden(launch: KernelLaunch, restriction: Restriction, verdict: str) -> Iterator[Finding]:
    """A finding for each use of what ``restriction`` keeps out of kernels; ``{}`` in the verdict is where it stands."""
    for seen in launch.seen.of(Forbidden):
        if seen.restriction is restriction:
            inside = seen.function is None
            is_described = restriction is Restriction.CONSTRUCT and " " in seen.what
            yield Finding(
                location=seen.location,
                subject=seen.what if is_described else f"`{seen.what}`",
                verdict=verdict.format("in a kernel" if inside else f"in `{seen.function}`, which a kernel calls"),
                device_specific=False,
                related=() if inside else (Related("reached from this kernel", launch.location),),
            )
