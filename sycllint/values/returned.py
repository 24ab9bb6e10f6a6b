"""The return statements of a function."""

from collections.abc import Iterator

from sycllint.cpp.expression import Lambda
from sycllint.cpp.node import children
from sycllint.cpp.place import Place
from sycllint.cpp.statement import Block, Function, Return, Struct


def returned(body: Block, place: Place) -> Iterator[tuple[Return, Place]]:
    """Those of ``body``, whose own place is ``place``, not of lambdas in it, with what is around each."""
    stack: list[Place] = [place]
    while stack:
        current = stack.pop()
        for child in children(current.node):
            if isinstance(child, Return):
                yield child, current
            elif not isinstance(child, Lambda | Struct | Function):
                stack.append(Place(child, current))
