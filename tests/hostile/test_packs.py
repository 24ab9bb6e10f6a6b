"""Rule packs come from the installed environment, and a broken one costs its own rules only."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from sycllint.__main__ import without_working_directory
from sycllint.cli import main
from sycllint.errors import SycllintError
from sycllint.packs import installed, leave_out, left_out
from sycllint.registry import all_rules, loaded

PACK = """\
from sycllint.diagnostic import Severity
from sycllint.launch.kernel import KernelLaunch
from sycllint.rule import rule

@rule("{code}", Severity.WARNING, on=KernelLaunch)
def {name}(launch, target):
    {body}
    yield from ()
"""

Environment = dict[str, str]


@pytest.fixture(autouse=True)
def as_installed() -> Iterator[None]:
    """The packs of the environment after each test."""
    yield
    leave_out(())
    all_rules.cache_clear()


@pytest.fixture
def tree(tmp_path: Path, planted_error: str) -> Path:
    """Sources to be linted."""
    place = tmp_path / "tree"
    place.mkdir()
    (place / "a.cpp").write_text(planted_error)
    return place


def put(folder: Path, name: str, text: str) -> None:
    """A pack as if it were installed in ``folder``."""
    folder.mkdir(exist_ok=True)
    (folder / f"{name}.py").write_text(text)
    info = folder / f"{name}-1.0.dist-info"
    info.mkdir()
    (info / "entry_points.txt").write_text(f"[sycllint.rules]\n{name} = {name}\n")


def linted(tree: Path, *options: str, path: str = "", start: tuple[str, ...] = ("-m", "sycllint")) -> tuple[int, str]:
    """Exit code and stderr of a run in ``tree``; its report is JSON whatever happens."""
    home = Path(__file__).resolve().parents[2]
    search = os.pathsep.join(filter(None, [path, str(home), str(home / "rules")]))
    environment = {**os.environ, "PYTHONPATH": search}
    command = [sys.executable, *start, "check", "-f", "json", "--target", "tgl", *options]
    done = subprocess.run(command, cwd=tree, env=environment, capture_output=True, text=True, timeout=120, check=False)
    if done.returncode in (0, 1, 3):
        assert "SYC101" in [each["code"] for each in json.loads(done.stdout)["diagnostics"]]
    return done.returncode, done.stderr


WITNESS = "import pathlib\npathlib.Path('run').touch()\n"


class TestWherePacksComeFrom:
    @pytest.mark.parametrize("path", ["", "."])
    def test_the_working_directory_is_not_where_packs_are_installed(self, tree: Path, path: str) -> None:
        put(tree, "evil_rules", WITNESS)
        code, _ = linted(tree, path=path)
        assert code == 1
        assert not (tree / "run").exists()

    def test_modules_beside_the_sources_are_not_taken_for_ours(self, tree: Path) -> None:
        for name in ("sycllint_rules", "tree_sitter", "tree_sitter_cpp", "pathspec", "rich", "tomllib", "_blake2"):
            (tree / f"{name}.py").write_text(WITNESS)
        code, _ = linted(tree)
        assert code == 1
        assert not (tree / "run").exists()

    def test_with_p_nothing_beside_the_sources_is_imported_at_all(self, tree: Path) -> None:
        for name in ("typing", "argparse", "json", "sycllint"):
            (tree / f"{name}.py").write_text(WITNESS)
        code, _ = linted(tree, start=("-P", "-m", "sycllint"))
        assert code == 1
        assert not (tree / "run").exists()

    def test_installed_directories_are_absolute_and_not_the_one_we_are_in(self, tmp_path: Path) -> None:
        inside = str(tmp_path / ".venv/lib/site-packages")
        link = tmp_path.parent / "link"
        link.symlink_to(tmp_path)
        search = ["", ".", "lib", str(tmp_path), str(link), inside, inside, "/usr/lib"]
        assert installed(search, str(tmp_path)) == (inside, "/usr/lib")

    def test_only_the_first_entry_goes_and_only_when_it_is_where_we_are(self) -> None:
        assert without_working_directory(["/src", "/lib"], "/src", "/lib") == ["/lib"]
        assert without_working_directory(["/src", "/lib"], "/src", "/src") == ["/src", "/lib"]
        assert without_working_directory(["/bin", "/src"], "/src", "/lib") == ["/bin", "/src"]


BROKEN = {
    "raises": "raise RuntimeError('no \\x1b[2J')",
    "exits": "import sys\nsys.exit(0)",
    "does_not_parse": "def (",
    "takes_our_letters": PACK.format(code="SYC999", name="mine", body=""),
    "takes_our_name": PACK.format(code="ACME1", name="work_group_exceeds_max", body=""),
}


class TestBrokenPacks:
    @pytest.mark.parametrize("kind", BROKEN)
    def test_the_rules_of_others_run(self, tree: Path, tmp_path: Path, kind: str) -> None:
        site = tmp_path / "site"
        put(site, "acme_broken", BROKEN[kind])
        put(site, "acme_sound", PACK.format(code="ACME101", name="sound", body=""))
        (tree / "sycllint.toml").write_text('extend-select = ["ACME", "ACME101", "acme-of-the-broken-one"]\n')
        for _ in range(2):  # what a run without a pack found is not kept for one with it
            code, said = linted(tree, path=str(site))
            assert code == 3
            assert "; linted without its rules" in said
            assert "\x1b" not in said

    def test_a_rule_that_crashes_or_exits_is_left_out(self, tree: Path, tmp_path: Path) -> None:
        site = tmp_path / "site"
        put(site, "acme_exits", PACK.format(code="ACME1", name="exits", body="raise SystemExit"))
        put(site, "acme_fails", PACK.format(code="ACME2", name="fails", body="1 / 0"))
        code, said = linted(tree, path=str(site))
        assert code == 3
        assert "ACME1 crashed" in said
        assert "ACME2 crashed" in said

    def test_our_own_pack_is_needed(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setitem(sys.modules, "sycllint_rules", None)
        with pytest.raises(SycllintError, match="the rule pack sycllint_rules cannot be imported"):
            loaded(["sycllint_rules"])

    def test_nothing_is_said_of_sound_packs(self, tree: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.chdir(tree)
        assert main(["check", "a.cpp", "--target", "tgl"]) == 1
        assert left_out() == ()
