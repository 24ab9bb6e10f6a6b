"""Devices that a project describes itself: a known one, but for the numbers that its configuration gives.

In a configuration a number may stand bare where its unit is plain, and needs no source: the user is the source::

    [devices.mine]
    base = "tgl"
    cores = 5
    local_memory_per_core = { kib = 96 }
"""

from collections.abc import Mapping
from math import prod

from sycllint.errors import SycllintError
from sycllint.hardware.assemble import assemble
from sycllint.hardware.device import Device
from sycllint.hardware.profile import BYTES, Entry, Numbers, Section, derived, fact_of, stated_fields
from sycllint.hardware.profiles import entry, is_known
from sycllint.nearest import suggestion

_MAY_BE_ZERO = frozenset({"local_memory_reserved", "local_memory_carve_outs"})

_THREADS = "threads_per_core"
_FACTORS_OF_THREADS = ("engines_per_core", "threads_per_engine")
"""On Intel a change of a factor changes the product, unless that is given too."""


def custom_device(name: str, table: Mapping[str, object], section: Section) -> Device:
    """The device ``name`` as ``table`` describes it.

    Raises ``SycllintError`` with file and line for a name that is taken, a base that is missing or unknown, and for
    whatever is wrong with a number.
    """
    if is_known(name):
        raise section.error(f"{name} is the name of a device already")
    if not isinstance(table.get("base"), str):
        raise section.error(f'{name} has no base; write base = "tgl", the device that it resembles', "base")
    try:
        base = entry(str(table["base"]))
    except SycllintError as error:
        raise section.error(error.message, "base") from None
    words = {"name": name, "title": table.get("title", f"{base.title}, as {section.path} describes it")}
    facts = {key: _stated(key, value, base, section) for key, value in table.items() if key not in {"base", "title"}}
    return assemble(derived({**words, **_products(facts, base, section)}, section, base))


def _stated(key: str, value: object, base: Entry, section: Section) -> Mapping[str, object]:
    """``value`` as a profile would state it, with the configuration as its source."""
    if key not in stated_fields(base.vendor):
        hint = suggestion(key, stated_fields(base.vendor), f"`sycllint devices {base.name}` lists those of its base")
        raise section.error(f"unknown field {key!r}; {hint}", key)
    if isinstance(value, dict):
        stated: Mapping[str, object] = {"source": _source(section, key), **value}
    elif key in BYTES:  # a bare number would leave open whether it counts bytes or KiB
        raise section.error(f"{key} needs a unit: {{ kib = 64 }}, or {{ value = 65536 }} for bytes", key)
    else:
        stated = {"value": value, "source": _source(section, key)}
    if _least(fact_of(key, stated, section).value) < 1 and key not in _MAY_BE_ZERO:
        raise section.error(f"{key} is below 1", key)
    return stated


def _least(value: Numbers) -> int:
    """The smallest of all numbers in ``value``; 1 when there is none."""
    if isinstance(value, tuple):
        return min(map(_least, value), default=1)
    return 1 if value is None else value


def _products(
    facts: Mapping[str, Mapping[str, object]], base: Entry, section: Section
) -> Mapping[str, Mapping[str, object]]:
    """``facts``, and the threads of a core where a factor of theirs is among them."""
    if _THREADS in facts or not any(each in facts for each in _FACTORS_OF_THREADS):
        return facts
    stated = [
        fact_of(each, facts[each], section) if each in facts else base.facts[each] for each in _FACTORS_OF_THREADS
    ]
    numbers = [each.value for each in stated if isinstance(each.value, int)]
    known = {"value": prod(numbers)} if len(numbers) == len(stated) else {"unknown": True}
    return {**facts, _THREADS: {**known, "source": " x ".join(_FACTORS_OF_THREADS)}}


def _source(section: Section, key: str) -> str:
    return f"{section.path}:{section.lines.get(key, section.line)}"
