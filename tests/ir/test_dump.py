"""What functions are lowered to, as text beside their source: ``bodies/*.cpp`` and ``*.ir``.

``python -m tests.ir.test_dump`` writes the texts again; review them before they are committed.
"""

from pathlib import Path

import pytest

from sycllint.facts.collect import file_facts
from sycllint.ir.bodies import bodies
from sycllint.symbols.unit import Unit
from sycllint.values.evaluate import Evaluator
from tests.ir.dump import dump

FOLDER = Path(__file__).parent / "bodies"
SOURCES = sorted(FOLDER.glob("*.cpp"))


def dumped(source: Path) -> str:
    """The functions of one file, in order, one under the other."""
    facts = file_facts(source.name, source.read_bytes(), {})
    evaluator = Evaluator(Unit((facts,)), {})
    declared = sorted((each for found in facts.functions.values() for each in found), key=lambda each: each.node.start)
    made = [
        f"{each.node.name}\n{dump(bodies.of(evaluator).of(each.node, each.place))}\n"
        for each in declared
        if each.node.body is not None
    ]
    return "\n".join(made)


@pytest.mark.parametrize("source", SOURCES, ids=lambda each: each.stem)
def test_a_body_is_lowered_to_the_text_beside_it(source: Path) -> None:
    assert dumped(source) == source.with_suffix(".ir").read_text()


if __name__ == "__main__":
    for each in SOURCES:
        each.with_suffix(".ir").write_text(dumped(each))
