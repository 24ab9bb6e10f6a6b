"""Random kernels with local memory, barriers and arrays in global memory; their sizes are literals, or parameters."""

from collections.abc import Sequence
from math import prod
from pathlib import Path

from benchmarks.differential.execution import Program
from benchmarks.differential.sentences import Sentences
from benchmarks.grammar import grammar

GRAMMAR = grammar(Path(__file__).with_suffix(".txt"))
LOCAL_RANGES: dict[int, list[tuple[int, ...]]] = {
    1: [(8,), (16,), (32,), (64,)],
    2: [(4, 4), (8, 4), (4, 8), (8, 8), (2, 16)],
    3: [(2, 2, 4), (4, 2, 2), (2, 4, 4)],
}
ROUNDED_UP = ("(n + {last}) / {size} * {size}", "((n - 1) / {size} + 1) * {size}")
"""Global ranges that cover ``n`` work-items; the last work-group reaches past them."""


def kernel(made: Sentences, name: str) -> Program:
    """A kernel with ``n`` elements in global memory, or a few more or fewer than work-items; all sizes are literals."""
    chance = made.chance
    local = chance.choice(LOCAL_RANGES[chance.choice((1, 1, 1, 2, 2, 3))])
    extents = [each * chance.choice((1, 1, 2)) for each in local]
    many = prod(extents)
    made.let(extents=_range(extents), many=many, size_parameter="", program=name)
    made.let(size_variable=f"  {made.text('<size_type>')} n = {many + chance.choice((0, 0, 0, -3, 5))};\n")
    return Program(_kernel(made, local), (f"{name}(q)",))


def kernel_of_any_size(made: Sentences, name: str) -> Program:
    """A kernel that is launched with several ``n``, the number of elements; sycllint sees none of them."""
    chance = made.chance
    [size] = local = chance.choice(LOCAL_RANGES[1])
    extent = chance.choice((*ROUNDED_UP, ROUNDED_UP[0], "n"))
    whole, other = [size, 6 * size, 20 * size], [1, 3 * size + 3, 5 * size + size // 2, 7 * size + 1]
    made.let(extents=f"sycl::range<1>({extent.format(size=size, last=size - 1)})", many=20 * size)
    made.let(size_parameter=", int n", size_variable="", program=name)
    calls = tuple(f"{name}(q, {n})" for n in (whole if extent == "n" else [6 * size, *other]))
    return Program(_kernel(made, local), calls)


def _kernel(made: Sentences, local: tuple[int, ...]) -> str:
    chance, size = made.chance, prod(local)
    made.let(dims=len(local), local=_range(local), size=size, half=size // 2, last=size - 1, double=2 * size)
    made.let(width=local[1 % len(local)], depth=local[-1])
    body = []
    for dimension in range(len(local)):
        made.let(dimension=dimension)
        body.append(made.text(f"      <id_type> i{dimension} = <id_of>;\n"))
        made.declare("id", f"i{dimension}")
    body.append(made.text(f"      int lid = <linear{len(local)}>;\n"))
    accessors = []
    for name in ("s", "t")[: chance.choice((1, 1, 2))]:
        count = size * chance.choice((1, 1, 2)) + chance.choice((0, 0, 1, 2))
        made.let(count=count)
        accessors.append(made.text(f"    sycl::local_accessor<float, 1> {name}(<extent>, h);\n"))
        names = [name]
        if chance.random() < 0.25:
            body.append(f"      auto p{name} = {name}.get_multi_ptr<sycl::access::decorated::no>().get();\n")
            names = [f"p{name}"]
            if chance.random() < 0.3:
                body.append(made.text(f"      auto o{name} = p{name} + <offset>;\n"))
                names.append(f"o{name}")
        made.declare("memory", *names)
        made.declare("wrapped", *(f"{each}[(<expression>) % {count}]" for each in names))
    if len(local) == 2 and chance.random() < 0.5:
        made.let(rows=local[0], columns=local[1] + chance.choice((0, 1)))
        accessors.append(made.text("    sycl::local_accessor<float, 2> m(sycl::range<2>(<rows>, <columns>), h);\n"))
        made.declare("matrix", "m")
    body.append(made.text("<group_id>      <global_type> gid = it.get_global_linear_id();\n<guard>"))
    made.top.append(made.text("<helpers>"))
    body.append(made.text("<statements><ending>"))
    parts = (*made.top, made.text("<head>"), *accessors, made.text("<launch>"), *body, "    });\n  });\n}\n")
    return "".join(parts)


def _range(extents: Sequence[int]) -> str:
    return f"sycl::range<{len(extents)}>({', '.join(map(str, extents))})"
