"""Whether a kernel in a report is the one of a launch: by its whole name, as far as the source says it.

A name in the source is looked up as C++ does it: in the scopes around it from the inside out, and in namespaces of
using directives. What is not known of a template argument fits any; what is known has to be the same.
"""

import re
from collections.abc import Sequence
from itertools import takewhile

from sycllint.compiled.mangled import LIBRARY, KernelName
from sycllint.compiled.mangling import Demangled, NamePart
from sycllint.launch.names import Argument, Arguments, Component, Naming
from sycllint.values.arithmetic import FLOATING_TYPES, INTEGER_TYPES

_ANONYMOUS = "(anonymous)"
_UNSAID = re.compile(r" volatile| restrict|(?<=\*) const")
"""Qualifiers that the source's types are read without."""
_APART = frozenset({"char", "signed char", "wchar_t", "long long", "unsigned long long"})
"""Builtin types that are as wide as others and are not the same."""


def key_of(name: KernelName) -> tuple[bool, str]:
    """What all names that may be this one share: whether it is a lambda, and its own name or its function's."""
    function = name.function
    return (True, function.name if function is not None else "") if name.is_lambda else (False, name.last.name)


def key_in_source(naming: Naming) -> tuple[bool, str]:
    """The key of a launch in the source."""
    if naming.written:
        return False, naming.written[-1].name
    return True, "" if naming.function is None else naming.function.name


def fits(naming: Naming, name: KernelName) -> bool:
    """Whether the kernel that the source calls ``naming`` may be the one that a compiler calls ``name``."""
    if key_of(name) != key_in_source(naming) or not _same_function(naming, name):
        return False
    around = _scope(name)
    if not naming.written:
        return name.function is not None and _same(naming.scope, around)
    *qualifier, last = naming.written
    if not _same_arguments(last.arguments, name.last.arguments):
        return False
    if naming.is_declared:
        return _same(naming.scope, around)
    if qualifier and not qualifier[0].name:
        return _same(qualifier[1:], around)
    inner = len(around) - len(qualifier)
    if inner < 0 or not _same(qualifier, around[inner:]):
        return False
    outer = around[:inner]
    return _same(naming.scope[:inner], outer) or "::".join(each.name for each in outer) in naming.using


def _scope(name: KernelName) -> tuple[NamePart, ...]:
    """The namespaces and classes around a kernel, or around the function in which it is local."""
    around = takewhile(lambda each: not each.is_function, name.scope)
    return tuple(each for each in around if each.name != _ANONYMOUS)


def _same(written: Sequence[Component], parts: Sequence[NamePart]) -> bool:
    """Whether these are the same names, as far as the source says their template arguments."""
    return len(written) == len(parts) and all(
        mine.name == its.name and _same_arguments(mine.arguments, its.arguments)
        for mine, its in zip(written, parts, strict=True)
    )


def _same_function(naming: Naming, name: KernelName) -> bool:
    """Whether a local name is of the function, and of its instantiation, as far as the source knows it."""
    function = name.function
    if function is None:
        return True
    mine = naming.function
    return mine is not None and function.name == mine.name and _same_arguments(mine.arguments, function.arguments or ())


def _same_arguments(written: Arguments | None, actual: Sequence[Demangled] | None) -> bool:
    """Whether there may be as many, and none is known to be another."""
    if written is None:
        return True
    count = len(written.listed)
    if actual is None or count > len(actual) or (written.is_whole and count < len(actual)):
        return False
    return all(map(_may_be, written.listed, actual))


def _may_be(written: Argument, actual: Demangled) -> bool:
    if written.number is not None:
        number = _number(actual.text)
        return number is None or number == written.number
    if written.type is None:
        return True
    name = written.type.removeprefix("::").removeprefix("std::")
    mine, its = _builtin(name), _builtin(actual.bare)
    same_ends = _UNSAID.sub("", actual.declarators) == _UNSAID.sub("", written.declarators)
    if mine is not None:
        return mine == its and same_ends
    if its is not None or not actual.parts:
        return True  # an alias that is not visible, such as `real_t`
    if not same_ends:
        return False
    if actual.parts[0].name in LIBRARY:  # which has inline namespaces, left out in source
        return actual.parts[-1].name == name.rpartition("::")[2]
    return any(fits(naming, KernelName(actual.parts)) for naming in written.namings)


def _number(text: str) -> int | None:
    """The value of a literal: ``64``, ``true``, ``(ns::Mode)2``."""
    if text in {"true", "false"}:
        return int(text == "true")
    digits = text.rpartition(")")[2]
    return int(digits) if digits.removeprefix("-").isdecimal() else None


def _builtin(name: str) -> object:
    """What identifies a builtin type, however it is spelled; ``None`` for other types."""
    name = "signed char" if name == "int8_t" else name
    if name in _APART:
        return name
    if name in INTEGER_TYPES:
        return INTEGER_TYPES[name]
    return name if name in FLOATING_TYPES else None
