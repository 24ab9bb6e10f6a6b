"""Pages of ``-f html`` for tests: what their script reads, and a report with thousands of findings."""

import json
import re
from collections.abc import Callable, Sequence
from html.parser import HTMLParser
from typing import Any

from sycllint.diagnostic import Diagnostic, Evidence, Related, Severity
from sycllint.pipeline import Result
from sycllint.record import replace
from sycllint.report import render
from sycllint.source.edit import Edit, Fix
from sycllint.source.span import Location, Span
from sycllint.source.text import SourceFile
from tests.report.sample import result

PER_FILE = 20

KERNEL = """\
void step_{0}(sycl::queue &queue, const float *input, float *output, size_t count) {{
  constexpr size_t rows_{0} = {1};
  queue.submit([&](sycl::handler &handler) {{
    sycl::local_accessor<float, 1> tile_{0}(sycl::range<1>(rows_{0} * 128), handler);
    handler.parallel_for<class Step{0}>(
        sycl::nd_range<3>({{64, 60, 128}}, {{1, rows_{0}, 128}}), [=](sycl::nd_item<3> item) {{
          const size_t index = item.get_global_linear_id();
          if (index < count) {{
            tile_{0}[item.get_local_linear_id()] = input[index];  // neighbouring work-items read neighbours
          }}
          item.barrier(sycl::access::fence_space::local_space);
          output[index] = 2.0f * tile_{0}[item.get_local_linear_id()];
        }});
  }});
}}

"""

RULES = (
    ("SYC101", "work-group-exceeds-max", Severity.ERROR, "{{1, rows_{0}, 128}}", "work-group of {2} exceeds max 512"),
    ("SYC206", "local-memory-limits-occupancy", Severity.WARNING, "tile_{0}", "`tile_{0}` leaves room for one group"),
    ("SYC901", "nd-item-barrier", Severity.NOTE, "item.barrier", "`item.barrier` is deprecated in `step_{0}`"),
    ("SYC405", "local-bank-conflict", Severity.NOTE, "2.0f * tile_{0}[", "rows of `tile_{0}` share banks"),
)
"""Code, name, severity, what it points at, and its message."""


def page_of(found: Result, sources: Callable[[str], SourceFile]) -> str:
    """The page of a result."""
    return render("html", found, color=False, width=80, hyperlinks=False, sources=sources)


def data_of(page: str) -> Any:
    """What the script of a page reads."""
    [data] = re.findall(r'<script type="application/json" id="data">(.*?)</script>', page, re.DOTALL)
    return json.loads(data)


def many(count: int) -> tuple[Result, Callable[[str], SourceFile]]:
    """``count`` findings of four rules in files of twenty, each with a place that explains it."""
    files: dict[str, SourceFile] = {}
    found: list[Diagnostic] = []
    while len(found) < count:
        path = f"src/solvers/stage_{len(files) % 12}/kernels_{len(files):03}.cpp"
        source, findings = _file(path, len(files) * PER_FILE)
        files[path] = source
        found += findings
    found = sorted(found[:count], key=lambda each: each.location)
    return replace(result(*found), checked=len(files)), files.__getitem__


def _file(path: str, first: int) -> tuple[SourceFile, list[Diagnostic]]:
    kernels = PER_FILE // len(RULES)
    text = "#include <sycl/sycl.hpp>\n\n"
    text += "".join(KERNEL.format(first + number, number + 5) for number in range(kernels))
    found = [_finding(path, text, first + number, number + 5, rule) for number in range(kernels) for rule in RULES]
    return SourceFile(path, text.encode()), found


def _finding(path: str, text: str, number: int, rows: int, rule: Sequence[Any]) -> Diagnostic:
    code, name, severity, place, message = rule
    start = text.index(f"step_{number}(")

    def at(what: str) -> Location:
        begin = text.index(what, start)
        return Location(path, Span(begin, begin + len(what)))

    place = place.format(number)
    fix = Fix("use `sycl::group_barrier`", (Edit(at(place), "sycl::group_barrier"),)) if code == "SYC901" else None
    return Diagnostic(
        code,
        name,
        severity,
        Evidence.PROVED,
        message.format(number, rows, rows * 128) + " on tgl",
        at(place),
        ("tgl",),
        (Related(f"rows_{number} is {rows} here", at(f"rows_{number} = {rows}")),),
        f"The largest `rows_{number}` that fits is 4.",
        fix,
    )


class Elements(HTMLParser):
    """The elements of a page as a browser would see them: tag, attributes; and the contents of each script."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.scripts: list[str] = []
        self.styles: list[str] = []
        self._into: list[str] | None = None
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        self._into = {"script": self.scripts, "style": self.styles}.get(tag)
        if self._into is not None:
            self._into.append("")

    def handle_endtag(self, tag: str) -> None:
        self._into = None

    def handle_data(self, data: str) -> None:
        if self._into is not None:
            self._into[-1] += data
