"""Whether a kernel in a report is the one of a launch: by its whole name, as far as the source says it.

A name in the source is looked up as C++ does it: in the scopes around it from the inside out, and in namespaces of
using directives. What is not known of a template argument fits any; what is known has to be the same.
"""

from collections.abc import Sequence

from sycllint.compiled.mangled import LIBRARY, KernelName
from sycllint.compiled.mangling import Part, Type
from sycllint.launch.names import Argument, Naming
from sycllint.values.arithmetic import FLOATING_TYPES, INTEGER_TYPES

_ANONYMOUS = "(anonymous)"
_APART = frozenset({"char", "signed char", "wchar_t", "long long", "unsigned long long"})
"""Builtin types that are as wide as others and are not the same."""


def key_of(name: KernelName) -> tuple[bool, str]:
    """What all names that may be this one share: whether it is a lambda, and its own name or its function's."""
    function = name.function
    return (True, function.name if function is not None else "") if name.is_lambda else (False, name.last.name)


def key_in_source(naming: Naming) -> tuple[bool, str]:
    """The same of a launch."""
    return (False, naming.written[-1]) if naming.written else (True, naming.function or "")


def fits(naming: Naming, name: KernelName) -> bool:
    """Whether the kernel that the source calls ``naming`` may be the one that a compiler calls ``name``."""
    if key_of(name) != key_in_source(naming) or not _same_function(naming, name):
        return False
    around = _scope(name)
    if not naming.written:
        return name.function is not None and around == naming.scope
    if not _same_arguments(naming.arguments, name.last):
        return False
    if naming.is_declared:
        return around == naming.scope
    if not naming.written[0]:
        return around == naming.written[1:-1]
    qualifier = naming.written[:-1]
    if around[len(around) - len(qualifier) :] != qualifier:
        return False
    outer = around[: len(around) - len(qualifier)]
    return outer == naming.scope[: len(outer)] or "::".join(outer) in naming.using


def _scope(name: KernelName) -> tuple[str, ...]:
    """The namespaces and classes around a kernel, or around the function in which it is local."""
    found = []
    for part in name.scope:
        if part.is_function:
            break
        if part.name != _ANONYMOUS:
            found.append(part.name)
    return tuple(found)


def _same_function(naming: Naming, name: KernelName) -> bool:
    """Whether a local name is of the function, and of its instantiation, as far as the source knows it."""
    function = name.function
    if function is None:
        return True
    return function.name == naming.function and _fit(naming.given, function.arguments or ())


def _same_arguments(written: tuple[Argument, ...] | None, last: Part) -> bool:
    if written is None:
        return True
    return last.arguments is not None and len(written) <= len(last.arguments) and _fit(written, last.arguments)


def _fit(written: Sequence[Argument], actual: Sequence[Type]) -> bool:
    """Whether no argument is known to be another; defaults follow those that are written."""
    return all(_may_be(mine, its) for mine, its in zip(written, actual, strict=False))


def _may_be(written: Argument, actual: Type) -> bool:
    if written.number is not None:
        number = _number(actual.text)
        return number is None or number == written.number
    if written.type is None:
        return True
    name = written.type.removeprefix("::").removeprefix("std::")
    mine, its = _builtin(name), _builtin(actual.text)
    if mine is not None:
        return mine == its
    if its is not None:
        return True  # an alias out of sight, as `real_t`
    if not actual.parts:
        return True
    if written.naming is None or actual.parts[0].name in LIBRARY:  # which has namespaces that nobody writes
        return actual.parts[-1].name == name.rpartition("::")[2]
    return fits(written.naming, KernelName(actual.parts))


def _number(text: str) -> int | None:
    """The value of a literal: ``64``, ``true``, ``(ns::Mode)2``."""
    if text in {"true", "false"}:
        return int(text == "true")
    digits = text.rpartition(")")[2]
    return int(digits) if digits.removeprefix("-").isdecimal() else None


def _builtin(name: str) -> object:
    """What tells builtin types apart, however they are spelled; ``None`` for others."""
    name = "signed char" if name == "int8_t" else name
    if name in _APART:
        return name
    if name in INTEGER_TYPES:
        return INTEGER_TYPES[name]
    return name if name in FLOATING_TYPES else None
