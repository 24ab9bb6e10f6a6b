"""What headers that many files include cost: a generated project, checked at one number of files and at twice that.

``python benchmarks/headers.py [FILES] [HEADERS]`` writes a project of ``FILES`` sources (200) that each launch a
kernel and include the same ``HEADERS`` headers (100), and one of twice as many sources, lints both in one
process without the cache, and prints processor seconds, their ratio, and what they are of a parse of the same bytes.
A header that is lowered once for all its users keeps the ratio near two.
"""

import argparse
import os
import resource
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

PARSE = """
import pathlib, sys
import tree_sitter, tree_sitter_cpp
parser = tree_sitter.Parser(tree_sitter.Language(tree_sitter_cpp.language()))
for path in sorted(pathlib.Path(sys.argv[1]).iterdir()):
    parser.parse(path.read_bytes())
"""

HEADER = """#pragma once
namespace layer{number} {{
constexpr int group{number} = {size};
template <typename T> struct Block{number} {{
  T values[4];
  T sum() const {{ T found = 0; for (int i = 0; i < 4; ++i) found += values[i] * {number}; return found; }}
  void scale(T by) {{ for (int i = 0; i < 4; ++i) {{ values[i] *= by; if (values[i] > {number}) values[i] = 0; }} }}
}};
inline int rounded{number}(int n) {{ return (n + group{number} - 1) / group{number} * group{number}; }}
}}  // namespace layer{number}
"""

SOURCE = """#include <sycl/sycl.hpp>
{includes}
void run{number}(sycl::queue &q, float *values, int n) {{
  constexpr int local = layer{used}::group{used};
  q.parallel_for(sycl::nd_range<1>(layer{used}::rounded{used}(n), local), [=](sycl::nd_item<1> item) {{
    int i = item.get_global_id(0);
    if (i < n) values[i] *= 2.0f;
  }});
}}
"""


def generate(folder: Path, files: int, headers: int) -> None:
    """Write a project of ``files`` sources and ``headers`` headers."""
    for number in range(headers):
        (folder / f"layer{number}.hpp").write_text(HEADER.format(number=number, size=64 << number % 3))
    includes = "\n".join(f'#include "layer{number}.hpp"' for number in range(headers))
    for number in range(files):
        text = SOURCE.format(includes=includes, number=number, used=number % headers)
        (folder / f"source{number}.cpp").write_text(text)


def seconds(command: Sequence[str], folder: Path) -> float:
    """Processor seconds of a command over ``folder``."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run([*command, os.fspath(folder)], capture_output=True, check=False)
    if done.returncode not in {0, 1}:
        sys.exit(done.stderr.decode(errors="replace"))
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime


def measured(files: int, headers: int) -> tuple[float, float]:
    """Processor seconds of ``sycllint check`` and of a raw parse over one generated project."""
    check = [sys.executable, "-m", "sycllint", "check", "--isolated", "--no-cache", "-j1", "--target", "tgl"]
    with tempfile.TemporaryDirectory() as name:
        generate(Path(name), files, headers)
        return seconds(check, Path(name)), seconds([sys.executable, "-c", PARSE], Path(name))


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="?", type=int, default=200)
    parser.add_argument("headers", nargs="?", type=int, default=100)
    arguments = parser.parse_args()
    cost: list[float] = []
    for files in (arguments.files, 2 * arguments.files):
        check, parse = measured(files, arguments.headers)
        cost.append(check)
        print(f"{files} files, {arguments.headers} headers: check {check:.1f} s, {check / parse:.1f} x the raw parse")
    print(f"twice the files: {cost[1] / cost[0]:.2f} x the cost")


if __name__ == "__main__":
    main()
