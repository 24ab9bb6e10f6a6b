"""Launches of a piece of C++, by what the tests ask of them."""

from sycllint.launch.build import analyze_source
from sycllint.launch.kernel import KernelLaunch, Range
from sycllint.source.text import SourceFile
from sycllint.values.value import Value
from tests.values.program import spelled


def launches(code: str, **defines: str) -> tuple[KernelLaunch, ...]:
    """All launches of a file that holds ``code``."""
    return analyze_source(SourceFile("snippet.cpp", code.encode()), defines).launches


def only(code: str, **defines: str) -> KernelLaunch:
    """The one launch of a file that holds ``code``."""
    (launch,) = launches(code, **defines)
    return launch


def in_queue(statements: str, before: str = "") -> KernelLaunch:
    """The one launch of a function ``run(sycl::queue &q, int n, bool wide)`` with these statements."""
    return only(f"{before}\nvoid run(sycl::queue &q, int n, bool wide) {{ {statements} }}")


def in_group(statements: str, before: str = "") -> KernelLaunch:
    """The launch of ``nd_range<1>(1024, 64)`` after these statements of a command group with the handler ``h``."""
    kernel = "h.parallel_for(sycl::nd_range<1>(1024, 64), [=](sycl::nd_item<1> it) {});"
    return in_queue(f"q.submit([&](sycl::handler &h) {{ {statements} {kernel} }});", before)


def with_kernel(body: str, before: str = "", attribute: str = "") -> KernelLaunch:
    """The launch of a kernel ``[=](sycl::nd_item<1> it) attribute { body }``."""
    return in_queue(
        f"q.parallel_for(sycl::nd_range<1>(1024, 64), [=](sycl::nd_item<1> it) {attribute} {{ {body} }});", before
    )


def extents(of: Range | None) -> str:
    """``4x64``, with ``?`` for what is not known; ``none`` without a range."""
    return "none" if of is None else "x".join(_extent(each) for each in of.extents)


def _extent(value: Value) -> str:
    text = spelled(value)
    return text if text.lstrip("-").isdigit() else "?"
