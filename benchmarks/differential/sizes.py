"""Random host code that computes sizes of launches: with arithmetic, functions and constants, and in members."""

from pathlib import Path

from benchmarks.differential.execution import Program
from benchmarks.differential.sentences import Sentences
from benchmarks.grammar import grammar

GRAMMAR = grammar(Path(__file__).with_suffix(".txt"))
MEMBERS = grammar(Path(__file__).with_name("members.txt"))
METHODS = 4
MEMBER_OFFSET = 1 << 20
"""Keeps a range positive whatever number is added to it."""
MEMBER_ARGUMENTS = (-3, 0, 1, 2, 5, 64)


def computed(made: Sentences, name: str) -> Program:
    """A function that computes a work-group size in steps, and launches with it."""
    made.top.append(made.text("<setup>"))
    body = made.text("  int seen = <literal>;\n<unknowns>")
    made.declare("variable", "seen")
    body += made.text("<statements><launch>")
    return Program("".join((*made.top, f"void {name}(sycl::queue &q, int argc) {{\n{body}}}\n")), (f"{name}(q, 1)",))


def members(made: Sentences, name: str) -> Program:
    """A function whose global range is a member that setters, constructors, copies and references gave a value."""
    made.let(owner=f"Shape_{name}")
    methods = []
    for number in range(METHODS):
        made.let(own_name=f"set{number}", parameter=made.chance.choice(("v", "v", "x")))
        methods.append(made.text("<method>"))
        made.declare("called", f"set{number}")
    made.let(methods="".join(methods), parameter=made.chance.choice(("p", "x")))
    text = (
        made.text("<class>")
        + f"void {name}(sycl::queue &q, int a) {{\n"
        + made.text("  <owner> c(<argument>);\n<uses>")
    )
    launch = f"  q.parallel_for(sycl::range<1>({MEMBER_OFFSET} + <result>), [=](sycl::id<1>) {{}});\n}}\n"
    return Program(text + made.text(launch), tuple(f"{name}(q, {a})" for a in MEMBER_ARGUMENTS))
