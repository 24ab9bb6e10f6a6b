"""Whatever bytes a file holds, reading it ends and raises nothing."""

from hypothesis import given, settings
from hypothesis import strategies as st

from sycllint.launch.build import analyze_source
from sycllint.source.text import SourceFile
from tests.conftest import PLANTED_ERROR
from tests.facts.test_file import CODE, DAMAGED

MACROS = b"""\
#define WG 256
#define LAUNCH(T, n) q.submit([&](sycl::handler &h) { \\
  sycl::local_accessor<T, 1> tile(sycl::range<1>(WG), h); \\
  h.parallel_for<class K>(sycl::nd_range<2>({n, WG}, {1, WG}), [=](sycl::nd_item<2> it) \\
    [[sycl::reqd_sub_group_size(16)]] { it.barrier(); }); });
template <int N> void run(sycl::queue &q, int n) {
  sycl::range<2> local (1, N); auto grid = sycl::range<2>(n, 2) * local; grid[0] += sizeof(float[N]) << 2;
  const int m = n > 4 ? N / 2 : N % 0; for (int i = 0; i < m; ++i) LAUNCH(float, i)
  q.parallel_for(sycl::nd_range<2>(grid, local), Kernel<N>{m}).wait();
}
void all(sycl::queue &q) { run<16>(q, 4); run<32>(q, -1); }
"""
SEEDS = (PLANTED_ERROR.encode(), CODE, DAMAGED, MACROS)
PIECES = [
    *(
        b"{",
        b"}",
        b"(",
        b")",
        b"[",
        b"]",
        b"<",
        b">",
        b";",
        b",",
        b"::",
        b"#",
        b"\\\n",
        b'"',
        b"'",
        b"/*",
        b"//",
        b"\x00",
    ),
    *(
        b"#if A\n",
        b"#else\n",
        b"#endif\n",
        b"#define N N\n",
        b"template <",
        b"operator",
        b"[[",
        b"]]",
        b"= {}",
        b"\xff",
    ),
    *(
        b"q.parallel_for(",
        b"sycl::nd_range<1>(",
        b"sycl::range<3>{",
        b"[=](",
        b"using T = ",
        b"0",
        b"-1",
        b"1e400",
        b"08",
    ),
]


def mutated(draw: st.DrawFn) -> bytes:
    """A seed with a few stretches deleted, doubled, moved, or pieces put in."""
    text = draw(st.sampled_from(SEEDS))
    for _ in range(draw(st.integers(1, 6))):
        start = draw(st.integers(0, len(text)))
        end = min(len(text), start + draw(st.integers(0, 40)))
        to = draw(st.integers(0, len(text)))
        text = draw(
            st.sampled_from(
                [
                    text[:start] + text[end:],
                    text[:end] + text[start:],
                    text[:to] + text[start:end] + text[to:],
                    text[:start] + draw(st.sampled_from(PIECES)) + text[start:],
                ]
            )
        )
    return text


@given(st.binary(max_size=200) | st.lists(st.sampled_from(PIECES), max_size=40).map(b"".join))
def test_any_bytes_can_be_analysed(content: bytes) -> None:
    unit = analyze_source(SourceFile("a.cpp", content), {})
    assert unit.parse_errors >= 0


@settings(max_examples=150)
@given(st.composite(mutated)())
def test_mutated_programs_can_be_analysed(content: bytes) -> None:
    unit = analyze_source(SourceFile("a.cpp", content), {"N": "N", "A": "1"})
    assert all(each.location.span.end <= len(content) for each in unit.launches)
