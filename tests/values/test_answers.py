"""What ways to the same code share: an answer is given again where the bindings agree that it was found with."""

from sycllint.cpp.node import walk
from sycllint.cpp.place import Place, descend
from sycllint.cpp.statement import Return
from sycllint.facts.collect import file_facts
from sycllint.values.answers import FrameAnswers
from sycllint.values.arithmetic import Scalar
from sycllint.values.evaluate import Evaluator
from sycllint.values.objects import Frame, Point, Result
from sycllint.values.value import Known


class Program:
    """``int f(int n, int k)`` and ``void g(int m)`` around it, on ways that calls with the constants make."""

    def __init__(self, result: str) -> None:
        source = (
            f"constexpr int a = 3; constexpr int b = 4; void g(int m) {{}} int f(int n, int k) {{ return {result}; }}"
        )
        self.facts = file_facts("program.cpp", source.encode(), {})
        self.evaluator = Evaluator(self.facts, {})
        self.answers: FrameAnswers[Result] = FrameAnswers(self.evaluator)
        self.point = Point(Place(self.facts.unit, None), 0)
        self.asked = 0

    def way(self, name: str, argument: str, outer: Frame | None = None) -> Frame:
        """A call of ``name``, both of whose arguments are what the constant ``argument`` is."""
        given = self.facts.variables[argument][0].node.arguments
        function = self.facts.functions[name][0].node
        return self.evaluator.frames.made(function, (*given, *given), (), self.point, None, outer)

    def result(self, way: Frame | None) -> int | None:
        """What ``f`` returns, asked for only where no answer is known."""
        return _number(self.evaluator.under(way, self.answers.of, "f", self.work))

    def work(self) -> Result:
        """The same, worked out."""
        self.asked += 1
        statement = next(node for node in walk(self.facts.unit) if isinstance(node, Return))
        place = descend(self.facts.unit, statement.start, statement.end, Return)
        assert place is not None
        assert statement.value is not None
        return self.evaluator.evaluate(statement.value, Point(place, statement.start))


def _number(result: Result) -> int | None:
    return result.value.value if isinstance(result, Scalar) and isinstance(result.value, Known) else None


def test_a_binding_that_was_not_looked_for_makes_no_difference() -> None:
    program = Program("n + 1")
    ways = [program.way("f", "a"), program.way("f", "a", program.way("g", "b"))]
    assert [program.result(each) for each in ways] == [4, 4]
    assert program.asked == 1


def test_a_binding_that_was_looked_for_has_to_agree() -> None:
    program = Program("n + 1")
    assert [program.result(program.way("f", each)) for each in ("a", "b", "a")] == [4, 5, 4]
    assert program.asked == 2


def test_what_uses_no_parameter_is_the_same_on_all_ways() -> None:
    program = Program("a + b")
    assert [program.result(each) for each in (None, program.way("f", "a"), program.way("f", "b"))] == [7, 7, 7]
    assert program.asked == 1


def test_a_parameter_that_nothing_binds_is_asked_for_again_where_it_is_bound() -> None:
    program = Program("n + 1")
    assert [program.result(each) for each in (None, program.way("f", "a"))] == [None, 4]


def test_what_an_answer_asks_for_is_asked_for_wherever_it_is_given() -> None:
    program = Program("n + 1")
    for _ in range(2):
        program.evaluator.free = {}
        program.result(program.way("g", "a"))
        assert list(program.evaluator.free.values()) == [program.facts.functions["f"][0].node]
    assert program.asked == 1


def test_an_answer_rests_on_what_the_answers_in_it_rest_on() -> None:
    program = Program("n + 1")
    program.result(program.way("f", "a"))
    outer: FrameAnswers[Result] = FrameAnswers(program.evaluator)
    found = []
    for each in ("a", "b"):
        program.evaluator.frame = program.way("f", each)
        found.append(_number(outer.of("twice", program.answers.of, "f", program.work)))
    assert found == [4, 5]
