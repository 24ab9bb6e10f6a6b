"""A file without a launch of its own is seen with what it includes where it takes part in a launch there."""

from collections.abc import Mapping
from pathlib import Path

import pytest

from sycllint.config import Config, Configs
from sycllint.facts.file import FileFacts
from sycllint.pipeline import check, kernels
from sycllint.pipeline.kept_facts import FactsUnder
from sycllint.source.text import SourceFile
from sycllint.values.value import known

HELPER = """\
#include <sycl/sycl.hpp>
template <class Kernel> void run(sycl::queue &q, size_t group, Kernel kernel) {
  q.parallel_for(sycl::nd_range<1>(4096, group), kernel);
}
"""
CALL = "void go(sycl::queue &q, float *y) { run(q, 128, [=](auto it) { y[it.get_global_id(0)] = 1; }); }\n"
GROUPS: dict[str, tuple[dict[str, str], list[int | None]]] = {
    "a header": ({"main.cpp": '#include "run.hpp"\n' + CALL, "run.hpp": HELPER}, [128]),
    "a header that gathers others": (
        {"main.cpp": '#include "all.hpp"\n' + CALL, "all.hpp": '#include "run.hpp"\n', "run.hpp": HELPER},
        [128],
    ),
    "a macro's function, with a pasted name": (
        {
            "main.cpp": '#include "run.hpp"\nDEFINE(go);\nvoid all(sycl::queue &q) { go_all(q); }\n',
            "run.hpp": "#define DEFINE(name) \\\n  void name##_all(sycl::queue &q) { \\\n"
            "    q.parallel_for(sycl::nd_range<1>(64, 32), [=](sycl::nd_item<1> it) {}); \\\n  }\n",
        },
        [32],
    ),
    "a macro of a macro's header": (
        {
            "main.cpp": '#include "all.hpp"\nvoid go(sycl::queue &q) { RUN(q, 64) }\n',
            "all.hpp": '#include "run.hpp"\n#define RUN(q, group) EACH(q, 1024, group)\n',
            "run.hpp": "#define EACH(q, n, group) run_all(q, n, group);\n"
            "inline void run_all(sycl::queue &q, int n, int group) {\n"
            "  q.parallel_for(sycl::nd_range<1>(n, group), [=](sycl::nd_item<1> it) {});\n}\n",
        },
        [64],
    ),
    "a header that is included by a macro, which is not followed": (
        {"main.cpp": '#define RUN "run.hpp"\n#include RUN\n' + CALL, "run.hpp": HELPER},
        [],
    ),
    "a function of the project's with a name of SYCL's": (
        {
            "main.cpp": '#include "run.hpp"\nvoid go(float *y) { each::parallel_for(8, [=](int i) { y[i] = 1; }); }\n',
            "run.hpp": "namespace each { template <class F> void parallel_for(int n, F f) { f(n); } }\n",
        },
        [],
    ),
    "a free function under another name of SYCL's namespace": (
        {
            "main.cpp": '#include "names.hpp"\n'
            "void go(sycl::queue &q) { syclex::parallel_for(q, sycl::nd_range<1>(64, 16), K()); }\n",
            "names.hpp": "namespace syclex = sycl::ext::oneapi::experimental;\n",
        },
        [16],
    ),
}


def write(folder: Path, files: Mapping[str, str]) -> None:
    for name, text in files.items():
        (folder / name).write_text(text)


@pytest.mark.parametrize(("files", "groups"), GROUPS.values(), ids=GROUPS)
def test_the_work_group_size_is_decided_by_way_of(
    files: Mapping[str, str], groups: list[int | None], tmp_path: Path
) -> None:
    write(tmp_path, files)
    found = kernels([str(tmp_path / "main.cpp")], Config())
    assert [known(each.launch.work_group_size) for each in found.launches] == groups


@pytest.mark.parametrize(
    ("main", "facts_of"),
    [
        ("void go(int n) { each::run(n); }", []),
        ("void go(int n) { each::parallel_for(n, [](int) {}); }", []),
        ("void go(int n) { q.single_task([=] {}); }", ["main.cpp", "run.hpp"]),
        ("void go(int n) { each::run(n); }  // sycl", []),
        ("void go(int n) { each::run(n); q.parallel_for(n, K()); }", ["main.cpp", "run.hpp"]),
    ],
    ids=["says nothing", "calls by SYCL's names", "launches alone", "is reported when it does not parse", "launches"],
)
def test_what_is_read_of_a_file_that(
    main: str, facts_of: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(
        tmp_path,
        {
            "main.cpp": f'#include "run.hpp"\n{main}\n',
            "run.hpp": "namespace each { inline void run(int n) { each::parallel_for(n, [](int) {}); } }\n",
        },
    )
    read: list[str] = []
    of = FactsUnder.of

    def noted(self: FactsUnder, path: str, source: SourceFile) -> FileFacts:
        read.append(Path(path).name)
        return of(self, path, source)

    monkeypatch.setattr(FactsUnder, "of", noted)
    check([str(tmp_path / "main.cpp")], Configs(Config()))
    assert read == facts_of
