"""Macros that compilers define by themselves, by the name of the compiler and its options.

- ``-fsycl``: Clang, ``InitPreprocessor.cpp``: ``SYCL_LANGUAGE_VERSION`` is 202012L for SYCL 2020, not defined for
  SYCL 1.2.1, which ``-sycl-std`` chooses; earlier releases of DPC++ gave 202001. That a SYCL compiler defines it: SYCL
  2020, section "Preprocessor directives and macros".
- ``icpx``, ``icx``, ``dpcpp``: Intel oneAPI DPC++/C++ Compiler guide, "Use Predefined Macros to Specify Intel
  Compilers": ``__INTEL_LLVM_COMPILER``, which is the version, so its body is not known.
- Clang and those made from it: Clang Language Extensions, "Builtin Macros": ``__clang__``; its body is 1 in
  ``InitPreprocessor.cpp``.
- ``acpp``: AdaptiveCpp, ``doc/macros.md``: ``__ACPP__`` and ``__ADAPTIVECPP__``; no bodies are documented.
"""

import os
from collections.abc import Mapping, Sequence

from sycllint.builds.settings import WIDE_IDS, BuildSettings, Choice

LANGUAGE_VERSION = "SYCL_LANGUAGE_VERSION"
LANGUAGE_VERSIONS = ("202012L", "202001")
_INTEL = frozenset({"icpx", "icx", "icx-cl", "dpcpp", "dpcpp-cl"})
_CLANG = frozenset({"clang", "clang++", *_INTEL})
_ADAPTIVE = frozenset({"acpp"})
_LAUNCHERS = frozenset({"ccache", "sccache", "distcc", "env"})


def predefined(words: Sequence[str]) -> BuildSettings:
    """The predefined macros of the compiler in ``words``; none where they do not begin with a compiler's name."""
    name = next((each for each in map(_name, words[:3]) if each not in _LAUNCHERS), "")
    choices: dict[str, Choice] = {}
    if "-fsycl" in words and not any(each.startswith("-sycl-std=") and "2020" not in each for each in words):
        choices[LANGUAGE_VERSION] = Choice(LANGUAGE_VERSIONS, reason=f"the version of {name or 'the compiler'}")
    if WIDE_IDS in words:
        choices[WIDE_IDS] = Choice(("1",))
    version = Choice(open=True, reason=f"the version of {name}")
    if name in _INTEL:
        choices["__INTEL_LLVM_COMPILER"] = version
    if name in _ADAPTIVE:
        choices.update(dict.fromkeys(("__ACPP__", "__ADAPTIVECPP__"), version))
    return BuildSettings({"__clang__": "1"} if name in _CLANG else {}, choices=choices)


def with_language_version(defines: Mapping[str, str], choices: Mapping[str, Choice]) -> Mapping[str, str]:
    """``defines`` for a front end that is no SYCL compiler: with the version of the language, its latest."""
    if LANGUAGE_VERSION in choices and choices[LANGUAGE_VERSION].texts:
        return {**defines, LANGUAGE_VERSION: choices[LANGUAGE_VERSION].texts[0]}
    return defines


def _name(word: str) -> str:
    """The name of a program, without its folder, its version and what Windows appends."""
    name = os.path.basename(word.replace("\\", "/")).lower().removesuffix(".exe")
    stem, _, version = name.rpartition("-")
    return stem if stem and version.replace(".", "").isdigit() else name
