"""Random integer expressions: every number the evaluator is sure of is the one the compiler computes."""

import random
import shutil
import subprocess
from pathlib import Path

import pytest

from sycllint.values.value import Unknown
from tests.values.program import admits, returned, spelled

TYPES = ("int", "unsigned", "long", "unsigned long", "short", "unsigned char", "signed char", "bool")
LITERALS = ("0", "1", "2", "3", "7", "16", "31", "64", "255", "256", "1000", "65535", "2147483647")
SUFFIXES = ("", "", "", "u", "l", "ul")
OPERATORS = ("+", "-", "*", "/", "%", "&", "|", "^", "<<", ">>", "<", ">", "<=", ">=", "==", "!=", "&&", "||")


def _expression(source: random.Random, depth: int) -> str:
    kind = source.random()
    if depth == 0 or kind < 0.15:
        return source.choice(LITERALS) + source.choice(SUFFIXES)
    first, second = _expression(source, depth - 1), _expression(source, depth - 1)
    if kind < 0.70:
        return f"({first} {source.choice(OPERATORS)} {second})"
    if kind < 0.80:
        return f"{source.choice('-+~!')}({first})"
    return f"({source.choice(TYPES)})({first})"


@pytest.mark.skipif(shutil.which("g++") is None, reason="no g++")
def test_a_known_number_is_the_compiler_s(tmp_path: Path) -> None:
    source = random.Random(20)
    expressions = list(dict.fromkeys(_expression(source, 4) for _ in range(600)))
    # The compiler's own constant evaluator says which expressions have a value: undefined ones are no constants.
    lines = [f"SHOW({index}, ({text}))" for index, text in enumerate(expressions)]
    program = f"""#include <cstdio>
#define SHOW(i, e) if constexpr (__builtin_constant_p(e)) printf("%d %lld\\n", i, (long long)(e));
int main() {{
{chr(10).join(lines)}
}}"""
    path = tmp_path / "expressions.cpp"
    path.write_text(program, encoding="utf-8")
    subprocess.run(["g++", "-std=c++20", "-w", "-fpermissive", "-O0", path, "-o", tmp_path / "run"], check=True)
    output = subprocess.run([tmp_path / "run"], check=True, capture_output=True, text=True).stdout
    results = {int(index): int(result) for index, result in (line.split() for line in output.splitlines())}
    assert len(results) > 300
    sure = 0
    for index, text in enumerate(expressions):
        claim = returned(f"long long f() {{ return {text}; }}")
        sure += not isinstance(claim, Unknown)
        if index in results:
            # As a long long: what does not fit is printed modulo 2**64.
            wanted = results[index]
            assert admits(claim, wanted) or admits(claim, wanted % 2**64), f"{text} is {wanted}, not {spelled(claim)}"
    assert sure > 300
