"""What all tests share: the place of the repository, a planted error, and hypothesis without a clock."""

from pathlib import Path

import pytest
from hypothesis import settings

settings.register_profile("sycllint", deadline=None)
settings.load_profile("sycllint")

PLANTED_ERROR = """\
#include <sycl/sycl.hpp>

void scale(sycl::queue &q, float *data) {
  q.parallel_for(sycl::nd_range<1>(64000, 640), [=](sycl::nd_item<1> item) {
    data[item.get_global_id(0)] *= 2.0f;
  });
}
"""


@pytest.fixture(autouse=True)
def own_cache(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The cache of one test, and of no other."""
    place = tmp_path_factory.mktemp("cache")
    monkeypatch.setenv("SYCLLINT_CACHE_DIR", str(place))
    return place


@pytest.fixture(autouse=True)
def outside_of_github(monkeypatch: pytest.MonkeyPatch) -> None:
    """In a job of GitHub Actions the default format is another."""
    monkeypatch.delenv("GITHUB_ACTIONS", raising=False)


@pytest.fixture(scope="session")
def repository() -> Path:
    """The root of this repository."""
    return Path(__file__).resolve().parent.parent


@pytest.fixture(scope="session")
def planted_error() -> str:
    """C++ whose work-group of 640 is more than Tiger Lake's 512 (SYC101)."""
    return PLANTED_ERROR
