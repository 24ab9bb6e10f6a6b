"""Words by which programs call what a device is, and what it can do."""

import re

from sycllint.cpp.expression import Member, Name

_WORD = re.compile(r"[a-z]+|[A-Z][a-z]+|[A-Z]+(?![a-z])")
_OF_KINDS = frozenset(
    {
        *("amd", "arch", "architecture", "backend", "backends", "capability", "cpu", "cuda", "fpga", "gpu", "hip"),
        *("intel", "nvidia", "supported", "supports", "vendor"),
    }
)
"""Words for what a device is or can do. Whoever chooses by one, be it by an option, chooses among devices."""
_OF_MEASURES = frozenset({"simd", "subgroup", "subgroups", "warp", "warps", "wave", "wavefront", "waves"})
_OF_MEASURES_IN_TWO = re.compile(
    r"\b(?:sub groups?|device (?:info|kind|name|prop|properties|props|type)"
    r"|max (?:block|group|local|shared|slm|threads?|wg|work|workgroup))\b"
)
"""Words by which programs call a device property that code elsewhere queried, but also what they count in units of it.

So they say something only of a value of which nothing else is known.
"""
_OF_CHOICES = frozenset({"count", "id", "idx", "index", "n", "num", "number", "selector"})
"""Words of names that count devices or choose among them."""


def names_kind(node: Name | Member) -> bool:
    """Whether a name refers to kinds of devices."""
    return not _OF_KINDS.isdisjoint(_words(node))


def names_measure(node: Name | Member) -> bool:
    """Whether a name refers to a size or number that devices have."""
    words = _words(node)
    return not _OF_MEASURES.isdisjoint(words) or bool(_OF_MEASURES_IN_TWO.search(" ".join(words)))


def _words(node: Name | Member) -> list[str]:
    """The words of a name; none where it counts something or chooses among devices."""
    text = node.last if isinstance(node, Name) else node.name
    words = [each.lower() for each in _WORD.findall(text)]
    return words if _OF_CHOICES.isdisjoint(words) else []
