"""Sources that once made sycllint crash: what ``make soak`` found, made readable."""

from pathlib import Path

import pytest

from sycllint.config import Config, Configs
from sycllint.pipeline import check, kernels
from sycllint.pipeline.fixing import apply_fixes
from sycllint.report import FORMATS, render
from sycllint.source.text import SourceFile

FOUND = sorted((Path(__file__).parent.parent / "data/found").glob("*.cpp"))


@pytest.mark.parametrize("targets", [(), ("tgl",), ("pvc", "a100", "mi250x")], ids=["assumed", "one", "several"])
@pytest.mark.parametrize("path", FOUND, ids=lambda path: path.stem)
def test_what_once_crashed_is_linted(
    path: Path, targets: tuple[str, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)  # a project by itself
    texts = {"a.cpp": path.read_bytes()}
    configs = Configs(Config(targets=targets, select=("ALL",)))
    result = check(["a.cpp"], configs, texts=texts, raise_rule_errors=True)
    kernels(["a.cpp"], configs, texts=texts, raise_errors=True)
    run = apply_fixes(["a.cpp"], configs, texts=texts, unsafe=True)
    assert not [each for each in run.result.notices if "internal error" in each]
    for name in FORMATS:
        written = render(
            name, result, color=False, width=80, hyperlinks=False, sources=lambda _: SourceFile("a.cpp", texts["a.cpp"])
        )
        written.encode()
    assert all("\N{REPLACEMENT CHARACTER}".encode() not in file.after for file in run.files)
