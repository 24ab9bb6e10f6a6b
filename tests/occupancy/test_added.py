"""Local memory that Intel's compiler is taken to add for group functions."""

from pathlib import Path

import pytest

from sycllint.config import Config
from sycllint.hardware.profiles import device
from sycllint.launch.kernel import KernelLaunch
from sycllint.occupancy.added import added_local_memory
from sycllint.occupancy.model import as_compiled
from sycllint.pipeline import kernels
from sycllint.values.value import known

TEXT = """\
#include <sycl/sycl.hpp>
void f(sycl::queue &q, VALUE *y) {
  q.submit([&](sycl::handler &h) {
    sycl::local_accessor<char, 1> tile(LOCAL, h);
    h.parallel_for(sycl::nd_range<1>(4096, 64), [=](sycl::nd_item<1> it) {
      const VALUE mine = y[it.get_global_id(0)];
      tile[it.get_local_id(0)] = 1;
      CALL;
    });
  });
}
"""
GROUP = "it.get_group()"


@pytest.fixture
def launch(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest) -> KernelLaunch:
    value, call, local = request.param
    monkeypatch.chdir(tmp_path)
    text = TEXT.replace("VALUE", value).replace("CALL", call).replace("LOCAL", str(local))
    Path("a.cpp").write_text(text)
    (found,) = kernels(["a.cpp"], Config(targets=("pvc",)), raise_errors=True).launches
    return found.launch


REDUCED = ("float", f"y[0] = sycl::reduce_over_group({GROUP}, mine, sycl::plus<>())", 64)


@pytest.mark.parametrize(
    ("launch", "added"),
    [
        (REDUCED, 4096),
        (("double", f"y[0] = sycl::reduce_over_group({GROUP}, mine, sycl::plus<>())", 64), 8192),
        (("short", f"y[0] = sycl::inclusive_scan_over_group({GROUP}, mine, sycl::plus<>())", 64), 4096),
        (("long", f"y[0] = sycl::exclusive_scan_over_group({GROUP}, mine, sycl::plus<>())", 64), 8192),
        (("float", f"y[0] = sycl::group_broadcast({GROUP}, mine)", 64), 32),
        (("float", f"y[0] = sycl::any_of_group({GROUP}, mine > 0)", 64), 32),
        (("float", f"sycl::group_barrier({GROUP})", 64), None),
        (("float", "y[0] = sycl::reduce_over_group(it.get_sub_group(), mine, sycl::plus<>())", 64), None),
        (("float", f"y[0] = sycl::reduce_over_group({GROUP}, mine, sycl::plus<>())", 128 * 1024), None),
    ],
    indirect=["launch"],
)  # fmt: skip
def test_what_is_added_depends_on_the_function_and_the_element(launch: KernelLaunch, added: int | None) -> None:
    found = added_local_memory(device("pvc"), launch)
    assert (found.bytes if found is not None else None) == added


@pytest.mark.parametrize("launch", [REDUCED], indirect=True)
def test_it_counts_on_measured_devices_once(launch: KernelLaunch) -> None:
    bytes_on = {"tgl": 64 + 1792, "dg2": 64 + 4096, "bmg": 64, "sm_80": 64, "gfx90a": 64}
    for name, wanted in bytes_on.items():
        once = as_compiled(device(name), launch)
        assert known(once.local_memory.total) == wanted
        assert as_compiled(device(name), once) == once
    found = added_local_memory(device("dg2"), launch)
    assert found is not None
    assert found.text == "assumes 4,096 B that the compiler adds for `reduce_over_group`"
