"""Whether the queue of a launch is made for no GPU: for a CPU, an FPGA, or what a selector of the program asks for."""

import re
from collections.abc import Callable, Iterator

from sycllint.cpp.expression import Brace, Call, Expr, Index, Lambda, Member, Name, Unary
from sycllint.cpp.node import walk
from sycllint.cpp.place import Place
from sycllint.cpp.statement import Block, Function, Include, Struct, Variable
from sycllint.launch.conditions.trail import owner, returned
from sycllint.symbols.unit import Unit
from sycllint.values.evaluate import Evaluator
from sycllint.values.objects import Point

_NO_GPU = re.compile(
    r"(?:cpu|host|fpga\w*|accelerator)_selector|\b(?:aspect|device_type)::(?:cpu|accelerator|emulated|host)\b"
)
"""Selectors and kinds of other devices (SYCL 2020, "Device selector" and "Device aspects"; Intel's FPGA extension)."""
_ASKED = frozenset({"get_info", "has", "is_accelerator", "is_cpu", "is_host"})
"""What a selector asks that takes anything but just a GPU."""
_CHOOSING = (b"_selector", b"device_type::", b"is_cpu", b"is_accelerator", b"is_host")
_OF_FPGAS = re.compile(
    rb"\bintel::(?:pipe|fpga_register|fpga_memory|numbanks|bankwidth|max_replicates|singlepump|doublepump)\b"
    rb"|\bxilinx::(?:dataflow|pipeline|partition_\w+|unroll\w*)\b|\b_ssdm_\w+\s*\("
)
"""Pipes, and attributes that lay out memory (DPC++, "SYCL_INTEL_data_flow_pipes" and the FPGA attributes of Clang).

Of Xilinx, the loops and arrays of triSYCL's ``vendor::xilinx``, and what Vitis HLS makes of its pragmas.
"""
_NAMED_BY_FPGAS = (b"intel::", b"xilinx::", b"_ssdm_")
"""What no text of them is without."""
MAX_STEPS = 4
"""How many variables, members and calls lie between a launch and the selector."""

Callers = Callable[[Function], list[Place]]


def _is_for_fpgas(unit: Unit) -> bool:
    """Whether a file of the unit lays out an FPGA, or includes headers for one however it is compiled.

    Code for GPUs may include them in an ``#if``.
    """
    is_spelled = any(map(unit.spells, _NAMED_BY_FPGAS))
    return any(
        (is_spelled and _OF_FPGAS.search(file.content))
        or any(isinstance(each, Include) and "fpga" in each.path.lower() for each in file.unit.statements)
        for file in unit.files
    )


class Whereabouts:
    """Answers for one evaluator."""

    def __init__(self, evaluator: Evaluator, callers: Callers) -> None:
        self._evaluator = evaluator
        self._callers = callers
        self._chooses: bool | None = None
        self._for_fpgas: bool | None = None

    def is_elsewhere(self, place: Place, offset: int) -> bool:
        """Whether the launch at ``place`` goes to a queue that is made for no GPU, or stands in a program for FPGAs."""
        if self._for_fpgas is None:
            self._for_fpgas = _is_for_fpgas(self._evaluator.facts)
            self._chooses = any(map(self._evaluator.facts.spells, _CHOOSING))
        if self._for_fpgas or not self._chooses:
            return self._for_fpgas
        point = Point(place, offset)
        return any(
            self._is_made(node.function.object, point, 0)
            for node in place.chain()
            if isinstance(node, Call) and isinstance(node.function, Member)
        )

    def _is_made(self, queue: Expr, point: Point, steps: int) -> bool:
        match queue:
            case Name(text=text):
                return steps <= MAX_STEPS and self._is_named(text, point, steps + 1)
            case Member(object=Name(text="this"), name=name):
                return self._is_member(name, point, steps + 1)
            case Call(function=Name(last="queue"), arguments=parts) | Brace(type=Name(last="queue"), elements=parts):
                return any(self._says(each, point, steps) for each in parts)
            case Call(function=Name(last=last)) if steps <= MAX_STEPS:
                return self._is_given(last, steps + 1)
            case Unary(operator="*", operand=inner) | Index(object=inner):
                return self._is_made(inner, point, steps)
            case _:
                return False

    def _says(self, expression: Expr, point: Point, steps: int) -> bool:
        """Whether a part of what a queue is made of names another device, or selects by something it asks."""
        for node in walk(expression):
            match node:
                case Name(text=text) if _NO_GPU.search(text):
                    return True
                case Lambda() if any(isinstance(each, Member) and each.name in _ASKED for each in walk(node.body)):
                    return True
                case Name() | Member() if self._is_made(node, point, steps):
                    return True
                case _:
                    pass
        return False

    def _is_named(self, text: str, point: Point, steps: int) -> bool:
        """Whether the nearest variable or parameter of a name is made so, in each branch of a ``#if``."""
        for place in point.place.within():
            node = place.node
            if isinstance(node, Function):
                parameter = next((at for at, each in enumerate(node.parameters) if each.name == text), None)
                if parameter is not None:
                    return self._is_handed(node, parameter, steps)
            if not isinstance(node, Block):
                continue
            if place.outer is not None and isinstance(place.outer.node, Struct):
                if self._is_member(text, point, steps):
                    return True
                continue
            found = [each for each in self._evaluator.declarations.of_block(node, text) if each.start < point.offset]
            if found:
                return all(self._is_variable(each, place, steps) for each in found)
        return self._is_member(text, point, steps)

    def _is_variable(self, variable: Variable, place: Place, steps: int) -> bool:
        if _NO_GPU.search(variable.type.name.text):
            return True
        here = Point(place, variable.start)
        return any(self._says(each, here, steps) for each in variable.arguments)

    def _is_handed(self, function: Function, index: int, steps: int) -> bool:
        """Whether each visible call, or the one by which the function is reached, hands it such a queue."""
        frame = self._evaluator.frame.of(function) if self._evaluator.frame is not None else None
        if frame is not None:
            return index < len(frame.arguments) and self._says(frame.arguments[index], frame.point, steps)
        handed = [
            (site.node.arguments, Point(site, site.node.start))
            for site in self._callers(function)
            if isinstance(site.node, Call)
        ]
        return bool(handed) and all(
            index < len(arguments) and self._says(arguments[index], point, steps) for arguments, point in handed
        )

    def _is_member(self, name: str, point: Point, steps: int) -> bool:
        """Whether a member is made so by its initialiser, or by a constructor of the class around."""
        around = owner(point.place)
        if around is None or steps > MAX_STEPS:
            return False
        return any(self._says(each, there, steps) for each, there in self._initialising(around, name, point))

    def _initialising(self, around: str, name: str, point: Point) -> Iterator[tuple[Expr, Point]]:
        for place in point.place.within():
            struct = place.node
            if isinstance(struct, Struct) and struct.name == around:
                inside = Place(struct.members, place)
                for variable in self._evaluator.declarations.of_block(struct.members, name):
                    yield from ((each, Point(inside, variable.start)) for each in variable.arguments)
        for declared in self._evaluator.facts.functions.get(around):
            for member, arguments in declared.node.initializers:
                if member == name:
                    yield from ((each, Point(declared.place, declared.node.start)) for each in arguments)

    def _is_given(self, function: str, steps: int) -> bool:
        """Whether a function gives back such a queue."""
        return any(
            self._says(value, there, steps)
            for declared in self._evaluator.facts.functions.get(function)
            if declared.node.body is not None
            for value, there in returned(Place(declared.node.body, declared.place))
        )
