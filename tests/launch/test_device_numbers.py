"""Numbers that a program asks its device for, on devices that are known."""

import pytest

from sycllint.hardware.profiles import device
from sycllint.launch.device_numbers import on_device
from tests.launch.snippet import extents, in_queue

ASKED = "q.get_device().get_info<sycl::info::device::{}>()"
MOST = ASKED.format("max_work_group_size")
WIDTHS = ASKED.format("sub_group_sizes")
CONTEXT = f"""
class Context {{
 public:
  Context(sycl::queue &q) : most_({MOST}), units_({ASKED.format("max_compute_units")}) {{}}
  size_t most() const {{ return most_; }}
  size_t groups() const {{ return units_ * 2; }}
 private:
  size_t most_, units_;
}};
size_t most(sycl::queue &q) {{ return {MOST}; }}
"""


@pytest.mark.parametrize(
    ("statements", "whole", "pvc", "tgl"),
    [
        (f"const size_t wg = {MOST};", "wg * 4, wg", "1024", "512"),
        ("size_t wg = most(q) / 2;", "1024, wg", "512", "256"),
        ("int wg = std::min<size_t>(most(q), 768);", "768, wg", "768", "512"),
        ("Context c(q);", "c.groups() * c.most(), c.most()", "1024", "512"),
        (f"auto widths = {WIDTHS};", "256, widths[0]", "16", "8"),
        (f"auto widths = {WIDTHS};", "256, widths.back()", "32", "32"),
        # What the caller hands over, and what the kernel answers, is the same on no device.
        ("size_t wg = std::min<size_t>(most(q), n);", "1024, wg", "?", "?"),
        (
            "size_t wg = k.get_info<sycl::info::kernel_device_specific::work_group_size>(q.get_device());",
            "1024, wg",
            "?",
            "?",
        ),
        (f"size_t wg = {ASKED.format('max_clock_frequency')};", "1024, wg", "?", "?"),
    ],
)
def test_the_target_answers(statements: str, whole: str, pvc: str, tgl: str) -> None:
    launch = in_queue(f"{statements} q.parallel_for(sycl::nd_range<1>({whole}), [=](auto it) {{}});", CONTEXT)
    assert extents(launch.local_range) == "?"
    decided = [on_device(launch, device(name)) or launch for name in ("pvc", "tgl")]
    assert [extents(each.local_range) for each in decided] == [pvc, tgl]


def test_vector_engines_are_compute_units_on_intel() -> None:
    launch = in_queue("Context c(q); q.parallel_for(sycl::range<1>(c.groups()), [=](auto it) {});", CONTEXT)
    on_pvc = on_device(launch, device("pvc"))
    assert on_pvc is not None
    # 64 Xe-cores of 8 vector engines, twice.
    assert extents(on_pvc.global_range) == "1024"


def test_a_launch_that_asks_for_nothing_is_decided_on_none() -> None:
    launch = in_queue("q.parallel_for(sycl::nd_range<1>(n * 64, 64), [=](auto it) {});")
    assert on_device(launch, device("pvc")) is None
