"""Launches made by hand, for what a rule says when the numbers are not spelled in one place."""

from collections.abc import Iterator
from math import prod

from sycllint.hardware.profiles import device
from sycllint.launch.kernel import Kernel, KernelLaunch, LaunchKind, Range, Required
from sycllint.launch.memory import LocalAllocation, LocalMemory, PrivateMemory
from sycllint.rule import Finding, Rule
from sycllint.source.span import Location, Span
from sycllint.target import Target
from sycllint.values.value import Known, OneOf, Step, Unknown, Value, known

UNKNOWN = Unknown("read from argv")


def place(line: int) -> Location:
    """Somewhere; another number is somewhere else."""
    return Location("kernel.cpp", Span(100 * line, 100 * line + 10))


LAUNCH, GLOBAL, LOCAL, WIDTH, REQUIRED, MEMORY, BODY = map(place, range(1, 8))


def step(name: str, value: int) -> Step:
    return Step(name, value, place(20 + len(name)))


def named(name: str, value: int) -> Known:
    """A number that one constant stands for."""
    return Known(value, (step(name, value),))


def one_of(*numbers: int, others: bool = False) -> OneOf:
    return OneOf(tuple(map(Known, numbers)), others)


def launch(
    whole: Value | int | tuple[Value | int, ...] | None = None,
    local: Value | int | tuple[Value | int, ...] | None = None,
    *,
    work_group: Value | None = None,
    width: Value | int | None = None,
    required: tuple[Value | int, ...] | None = None,
    registers: int | None = None,
    memory: tuple[Value | int, ...] = (),
    barrier: bool = False,
    loop: bool = False,
    kind: LaunchKind | None = None,
) -> KernelLaunch:
    """A launch of ``whole`` work-items in groups of ``local``; the group's size is their product when all are known."""
    extents, part = _extents(whole), _extents(local)
    exact = [known(each) for each in part]
    product = prod(each for each in exact if each is not None)
    size = Known(product) if part and None not in exact else part[0] if len(part) == 1 else UNKNOWN
    return KernelLaunch(
        location=LAUNCH,
        kind=kind or (LaunchKind.ND_RANGE if part else LaunchKind.RANGE),
        dims=len(extents),
        function="main",
        kernel=Kernel(None, body_found=True, barriers=(BODY,) * barrier, loops=(BODY,) * loop),
        global_range=Range(extents, GLOBAL) if extents else None,
        local_range=Range(part, LOCAL) if part else None,
        work_group_size=work_group or (size if part else None),
        sub_group_size=Required(_value(width), WIDTH) if width is not None else None,
        required_work_group=Range(_extents(required), REQUIRED) if required else None,
        register_count=Required(Known(registers), BODY) if registers else None,
        local_memory=_memory(memory),
        private_memory=PrivateMemory((), Known(0)),
    )


def findings(rule: Rule[KernelLaunch], of: KernelLaunch, on: str = "tgl") -> list[Finding]:
    return list(rule.check(of, Target(device(on))))


def sentence(found: Finding) -> str:
    return f"{found.subject} {found.verdict}"


def _value(value: Value | int) -> Value:
    return Known(value) if isinstance(value, int) else value


def _extents(values: Value | int | tuple[Value | int, ...] | None) -> tuple[Value, ...]:
    if values is None:
        return ()
    return tuple(map(_value, values)) if isinstance(values, tuple) else (_value(values),)


def _memory(sizes: tuple[Value | int, ...]) -> LocalMemory:
    allocations = tuple(
        LocalAllocation(f"tile{number}", "char", _value(size), _value(size), place(MEMORY.span.start // 100 + number))
        for number, size in enumerate(sizes)
    )
    total = Known(sum(_known(allocations))) if len(list(_known(allocations))) == len(allocations) else UNKNOWN
    if len(allocations) == 1:
        return LocalMemory(allocations, allocations[0].bytes, sum(_known(allocations)))
    return LocalMemory(allocations, total, sum(_known(allocations)))


def _known(allocations: tuple[LocalAllocation, ...]) -> Iterator[int]:
    for each in allocations:
        size = known(each.bytes)
        if size is not None:
            yield size
