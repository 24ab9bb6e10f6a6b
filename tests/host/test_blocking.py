"""Whether making an object from a queue may block until its commands are finished."""

import pytest

from sycllint.cpp.expression import Name
from sycllint.cpp.place import Place
from sycllint.facts.collect import file_facts
from sycllint.host.in_flight.blocking import Blocking
from sycllint.symbols.unit import Unit
from sycllint.values.evaluate import Evaluator
from sycllint.values.types import plain_type

CLASSES = """
void elsewhere(sycl::queue &q);
void finish(sycl::queue &q) { q.wait(); }
void later(sycl::queue &q) { finish(q); }
void launch(sycl::queue &q) { q.submit([&](sycl::handler &h) { h.single_task([=] {}); }); }
struct Plain { sycl::queue q; int n; };
struct Keeps { sycl::queue &q; Keeps(sycl::queue &from) : q(from) {} };
struct Launches { Launches(sycl::queue &q) { launch(q); } };
struct Calls { Calls(sycl::queue &q) { later(q); } };
struct Unknown { Unknown(sycl::queue &q) { elsewhere(q); } };
struct Declared { Declared(sycl::queue &q); };
struct Waits { Waits(sycl::queue &q) { q.wait(); } };
struct Derived : Waits { Derived(sycl::queue &q) : Waits(q) {} };
struct Around { Waits inner; Around(sycl::queue &q) : inner(q) {} };
struct Beside { Waits *inner; Beside(sycl::queue &q) : inner(nullptr) {} };
struct Local { Local(sycl::queue &q) { Waits waits(q); } };
struct Fresh { Fresh(sycl::queue &q) { auto *p = new Waits(q); } };
struct Method { void upload(sycl::queue &q) { q.wait(); } Method(sycl::queue &q) { upload(q); this->upload(q); } };
struct Macro { Macro(sycl::queue &q) { DONE(q); } };
#define DONE(queue) queue.wait()
struct Ring { Ring(sycl::queue &q) { Ring again(q); } };
"""


def may_block(name: str, count: int = 1) -> bool:
    evaluator = Evaluator(Unit((file_facts("a.cpp", CLASSES.encode(), {}),)), {})
    place = Place(evaluator.facts.files[0].unit, None)
    return Blocking(evaluator).may_block(plain_type(Name(name, None, None, 0, 0)), count, place)


@pytest.mark.parametrize(
    "name",
    ["Calls", "Unknown", "Declared", "Waits", "Derived", "Around", "Local", "Fresh", "Method", "Macro", "Elsewhere"],
)
def test_a_constructor_may_block(name: str) -> None:
    assert may_block(name)


@pytest.mark.parametrize(
    "name", ["Plain", "Keeps", "Launches", "Beside", "Ring", "sycl::buffer", "std::vector", "handler", "float"]
)
def test_a_constructor_does_not_block(name: str) -> None:
    assert not may_block(name)
