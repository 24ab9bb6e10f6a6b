"""Damaged sources and documents: what is in the fixtures, with tokens put in, left out, doubled, moved and flipped.

Every function takes its randomness from the generator it is given, so that the same seed makes the same mutant.
"""

import json
import random
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path

PROLOGUE = b"#include <sycl/sycl.hpp>\n"

_TOKEN = re.compile(rb"[A-Za-z_]\w*|\d[\w.]*|\s+|.", re.DOTALL)
_WORD = re.compile(rb"[A-Za-z_]\w*")

_WRITTEN = tuple(
    rb"""{ } ( ) [ ] < > ; , :: : ? # ## = == += & && * -> . ... ~ ! - -- / % ^ | << >> \ " ' /* */ // R"( )" R"x(
    template<> template<class...T> typename operator operator() operator[] operator"" decltype(auto) noexcept constexpr
    requires concept co_await co_return export module import static_assert(0) new delete[] this goto case default: try
    catch(...) [[ ]] [[sycl::reqd_sub_group_size(16)]] [[sycl::reqd_work_group_size(8,8)]] [=] [&] [](auto...x)
    sycl:: nd_range<3> range<1> parallel_for single_task submit nd_item<2> local_accessor<float,1> group_barrier
    barrier() wait() malloc_device<float>(n,q) memcpy free(p,q) sub_group get_local_id(0) get_global_id(7) reduction
    atomic_ref #if #ifdef #elif #else #endif #define #undef #include #pragma #line #error #omp sizeof... __VA_ARGS__
    0 1 -1 0x 08 1e400 1e 0b2 0'0 18446744073709551616 -9223372036854775808 1.0f 'ab' 1/0 1%0 1<<64 1<<-1 0xFFFFFFFFu
    """.split()
)
_INSERTED = (
    *_WRITTEN,
    b"\n",
    b"\r",
    b"\r\n",
    b"\\\n",
    b"\\\r\n",
    b"\0",
    b"\xff",
    b"\xfe\xff",
    b"\xed\xa0\x80",
    b"\xe2\x80\xae",
    b"\x1b[2J",
    b"\xef\xbb\xbf",
    b"\xc3\xa9",
    b"\xf0\x9f\x92\xa9",
    b"\xc2\xa0",
    b"\xe2\x80\xa8",
    b"\x0c",
    b"\x7f",
    b"%s%n",
    b"::error::x",
    b"// sycllint: ignore[SYC101] ",
    b"// sycllint: ignore-file\n",
    b"/* sycllint: ignore-start[ALL] */",
    b"// NOLINT(sycllint-*)",
    b"// sycllint: ignore[until=9999-99-99]\n",
    b"// NOLINTBEGIN(sycllint-SYC101)\n",
    b"#pragma omp target teams num_teams(1/0)\n",
    b"#if 0\n",
    b"#else\n",
    b"#endif\n",
    b"#pragma pack(1)\n",
    b"\n#define\n",
    b"\n#include\n",
    b"\n#if (((\n",
    b"\n#undef sycl\n",
)
"""What is put in between tokens."""

_NUMBERS = (
    b"0",
    b"-1",
    b"1",
    b"31",
    b"32",
    b"640",
    b"1025",
    b"4294967295",
    b"4294967296",
    b"9223372036854775807",
    b"18446744073709551615",
    b"99999999999999999999999999",
    b"0x",
    b"1e308",
    b"1e-400",
    b"08",
    b"0b",
    b"1'000'000",
    b"1.5",
    b"NAN",
    b"1u",
    b"1ULL",
    b"1e9999999",
    b"0x1p-9999",
)

_SELF_REFERRING = (
    b"#define %(a)s %(a)s\n",
    b"#define %(a)s %(b)s\n#define %(b)s %(a)s\n",
    b"#define %(a)s(x) %(a)s(%(a)s(x))\n",
    b"#define %(a)s(x, ...) x __VA_OPT__(%(b)s(__VA_ARGS__))\n#define %(b)s(...) %(a)s(__VA_ARGS__, __VA_ARGS__)\n",
    b"#define %(a)s %(b)s %(b)s\n#define %(b)s %(c)s %(c)s\n#define %(c)s %(a)s + 1\n",
    b"#define %(a)s (%(b)s + %(a)s)\n",
    b"#define %(a)s %(b)s ## %(c)s\n",
    b"#define %(a)s #%(b)s\n",
    b"#define %(a)s\n",
    b"#define %(a)s {\n",
    b"#define %(a)s if (%(b)s) {\n",
    b"#include __FILE__\n",
    b'#include "a.cpp"\n',
    b'#include "a.h"\n',
    b"#ifdef %(a)s\n",
    b"#if %(a)s > %(b)s\n",
    b"using %(a)s = %(b)s;\nusing %(b)s = %(a)s;\n",
    b"using %(a)s = %(a)s;\n",
    b"const int %(a)s = %(a)s;\n",
    b"const int %(a)s = %(b)s, %(b)s = %(a)s;\n",
    b"constexpr int %(a)s(int n) { return %(a)s(n); }\n",
    b"template <int %(a)s> struct %(b)s : %(b)s<%(a)s - 1> { static const int %(c)s = %(b)s<%(a)s - 1>::%(c)s; };\n",
    b"struct %(a)s : %(a)s { %(a)s %(b)s = %(b)s; };\n",
    b"namespace %(a)s = %(a)s;\n",
    b"template <class %(a)s> void %(b)s(%(a)s %(c)s) { %(b)s(&%(c)s); }\n",
    b"auto %(a)s = [=] { return %(a)s(); };\n",
    b"void %(a)s(); void %(b)s() { %(a)s(); } void %(a)s() { %(b)s(); }\n",
)
"""Definitions that come back to themselves, of names that are in the text."""

_JSON_VALUES: Sequence[object] = (
    None,
    True,
    False,
    0,
    -1,
    1.5,
    1e308,
    10**30,
    "",
    "x",
    "\ud800",
    "\x1b[2J",
    "SYC101",
    "../../../etc/passwd",
    "a\0b",
    "%s" * 9,
    "x" * 4000,
    [],
    {},
    [[]],
    [None],
    {"": None},
    {"a": {"b": []}},
    [[[[[[[[[[]]]]]]]]]],
    "1/0",
    "0/0",
    "-1/3",
    "1/99999999999",
)


def pieces(text: bytes) -> Iterator[bytes]:
    """A source in parts that can stand alone: each ends with a brace at the start of a line."""
    lines: list[bytes] = []
    for line in text.splitlines(keepends=True):
        lines.append(line)
        if line.startswith(b"}"):
            yield b"".join(lines)
            lines.clear()
    if lines:
        yield b"".join(lines)


class Sources:
    """The parts of the sources below some folders."""

    def __init__(self, folders: Iterable[Path], largest: int = 1500) -> None:
        """``largest``: bytes; longer parts are left out, a soak is about many mutants."""
        files = sorted(path for folder in folders for path in folder.rglob("*.cpp"))
        found = dict.fromkeys(each for path in files for each in pieces(path.read_bytes()))
        self.parts: Sequence[bytes] = [each for each in found if len(each) <= largest]

    def any(self, chance: random.Random) -> bytes:
        """A part, or two parts after one another."""
        return PROLOGUE + b"".join(chance.choices(self.parts, k=1 if chance.random() < 0.8 else 2))

    def mutant(self, chance: random.Random) -> bytes:
        """A part after one to eight edits."""
        text = self.any(chance)
        for _ in range(min(8, int(chance.expovariate(0.45)) + 1)):
            text = chance.choice(_EDITS)(text, chance, self)
        return text


def damaged(text: bytes, chance: random.Random) -> bytes:
    """Any text after one to four edits that know nothing of C++."""
    for _ in range(chance.randint(1, 4)):
        text = chance.choice(_PLAIN_EDITS)(text, chance, None)
    return text


def damaged_json(document: object, chance: random.Random) -> bytes:
    """A JSON document with some of its values replaced, left out or moved, or its text damaged."""
    document = json.loads(json.dumps(document))
    for _ in range(chance.randint(1, 3)):
        document = _with_other_value(document, chance)
    text = json.dumps(document, ensure_ascii=chance.random() < 0.9).encode("utf-8", "surrogatepass")
    if chance.random() < 0.1:
        text = text.replace(b"null", b"[" * 3000, 1)
    return damaged(text, chance) if chance.random() < 0.3 else text


def _with_other_value(document: object, chance: random.Random) -> object:
    match document:
        case dict() if document and chance.random() < 0.85:
            key = chance.choice(list(document))
            if chance.random() < 0.15:
                return {other: value for other, value in document.items() if other != key}
            return {**document, key: _with_other_value(document[key], chance)}
        case list() if document and chance.random() < 0.85:
            at = chance.randrange(len(document))
            return [*document[:at], _with_other_value(document[at], chance), *document[at + 1 :]]
        case _:
            return chance.choice(_JSON_VALUES)


# ------------------------------------------------------------------- edits


def _range(tokens: Sequence[bytes], chance: random.Random, most: int = 12) -> tuple[int, int]:
    start = chance.randrange(len(tokens) + 1)
    return start, min(len(tokens), start + 1 + int(chance.expovariate(1 / 3)) % most)


def _inserted(text: bytes, chance: random.Random, _: Sources | None) -> bytes:
    at, _end = _range(tokens := _TOKEN.findall(text), chance)
    return b"".join([*tokens[:at], chance.choice(_INSERTED), *tokens[at:]])


def _deleted(text: bytes, chance: random.Random, _: Sources | None) -> bytes:
    start, end = _range(tokens := _TOKEN.findall(text), chance)
    return b"".join([*tokens[:start], *tokens[end:]])


def _doubled(text: bytes, chance: random.Random, _: Sources | None) -> bytes:
    start, end = _range(tokens := _TOKEN.findall(text), chance, 60)
    times = 1 if chance.random() < 0.95 else chance.randint(2, 60)
    return b"".join([*tokens[:end], *tokens[start:end] * times, *tokens[end:]])


def _moved(text: bytes, chance: random.Random, _: Sources | None) -> bytes:
    start, end = _range(tokens := _TOKEN.findall(text), chance, 40)
    rest = [*tokens[:start], *tokens[end:]]
    to = chance.randrange(len(rest) + 1)
    return b"".join([*rest[:to], *tokens[start:end], *rest[to:]])


def _flipped(text: bytes, chance: random.Random, _: Sources | None) -> bytes:
    if not text:
        return b"\xff"
    at = chance.randrange(len(text))
    other = chance.choice((text[at] ^ (1 << chance.randrange(8)), chance.randrange(256)))
    return text[:at] + bytes([other]) + text[at + 1 :]


def _cut(text: bytes, chance: random.Random, _: Sources | None) -> bytes:
    at = chance.randrange(len(text) + 1)
    return text[:at] if chance.random() < 0.7 else text[at:]


def _renumbered(text: bytes, chance: random.Random, _: Sources | None) -> bytes:
    return _exchanged(text, chance, rb"\b\d[\w.]*", lambda _: chance.choice(_NUMBERS))


def _renamed(text: bytes, chance: random.Random, _: Sources | None) -> bytes:
    words = _WORD.findall(text)
    return _exchanged(text, chance, rb"[A-Za-z_]\w*", lambda word: chance.choice(words or [word]))


def _exchanged(text: bytes, chance: random.Random, pattern: bytes, other: Callable[[bytes], bytes]) -> bytes:
    found = list(re.finditer(pattern, text))
    if not found:
        return text
    match = chance.choice(found)
    return text[: match.start()] + other(match[0]) + text[match.end() :]


def _joined(text: bytes, chance: random.Random, sources: Sources | None) -> bytes:
    assert sources is not None
    tokens, others = _TOKEN.findall(text), _TOKEN.findall(chance.choice(sources.parts))
    at, (start, end) = chance.randrange(len(tokens) + 1), _range(others, chance, 80)
    return b"".join([*tokens[:at], *others[start:end], *tokens[at:]])


def _self_referring(text: bytes, chance: random.Random, _: Sources | None) -> bytes:
    words = [each for each in _WORD.findall(text) if each not in (b"include", b"sycl", b"hpp")] or [b"a"]
    names = {key: chance.choice(words) for key in (b"a", b"b", b"c")}
    definition = chance.choice(_SELF_REFERRING) % names
    lines = text.splitlines(keepends=True)
    at = chance.choice((1, chance.randrange(len(lines) + 1)))
    return b"".join([*lines[:at], definition, *lines[at:]])


def _rewrapped(text: bytes, chance: random.Random, _: Sources | None) -> bytes:
    other = chance.choice((b"\r\n", b"\r", b" ", b"\\\n", b"\\\r\n", b" // \n", b"\n\n"))
    return text.replace(b"\n", other, chance.choice((1, 3, -1)))


_PLAIN_EDITS = (_inserted, _deleted, _doubled, _moved, _flipped, _cut, _renumbered, _renamed, _rewrapped)
_EDITS = (*_PLAIN_EDITS[:7], _inserted, _deleted, _renamed, _renamed, _joined, _joined, _self_referring, _rewrapped)
