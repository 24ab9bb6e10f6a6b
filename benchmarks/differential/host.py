"""Random host code: queues, commands and events, wrappers around them, and uses of parts of their memory."""

from pathlib import Path

from benchmarks.differential.execution import Program
from benchmarks.differential.sentences import Sentences
from benchmarks.grammar import grammar

GRAMMAR = grammar(Path(__file__).with_suffix(".txt"))


def commands(made: Sentences, name: str) -> Program:
    """A function that submits commands on some arrays, uses and frees these, and waits in between or does not."""
    chance = made.chance
    count = chance.choice((64, 128))
    made.let(count_of=count, half_of=count // 2)
    is_given = chance.random() < 0.25
    lines = [made.text("  <count>\n" if is_given else "  <queue>\n  <count>\n")]
    arrays = "abc"[: chance.choice((2, 3))]
    for array in arrays:
        kind = chance.choice(("device", "device", "shared", "host"))
        made.declare("device" if kind == "device" else "visible", array)
        lines.append(made.text(f"  <pointer_type>{array} = sycl::malloc_{kind}<int>(n, q);\n"))
    for array in "gh"[: chance.choice((1, 2))]:
        is_vector = chance.random() < 0.5
        lines.append(f"  std::vector<int> {array}(n);\n" if is_vector else f"  int {array}[{count}];\n")
        made.declare("host", array)
        made.declare("host_pointer", f"{array}.data()" if is_vector else array)
    lines.append(made.text("<helpers><statements><last_wait><last_access>"))
    lines += [f"  sycl::free({array}, q);\n" for array in arrays if chance.random() < 0.9]
    parameters, arguments = ("sycl::queue &q, int argc", "q, 1") if is_given else ("int argc", "1")
    text = "".join((*made.top, f"void {name}({parameters}) {{\n", *lines, "}\n"))
    return Program(text, (f"{name}({arguments})",))
