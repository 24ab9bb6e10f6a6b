"""The wheel, built through the sdist, holds every module and table, and works where only it is installed."""

import os
import subprocess
import sys
import sysconfig
import venv
import zipfile
from pathlib import Path

import pytest

SHIPPED = {".css", ".h", ".hpp", ".j2", ".js", ".json", ".py", ".toml", ".tsv", ".scm", ".typed"}


def run(*command: str | Path, cwd: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(list(map(str, command)), cwd=cwd, capture_output=True, text=True, check=False)


@pytest.fixture(scope="module")
def wheel(repository: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("dist")
    built = run(sys.executable, "-m", "build", "--no-isolation", "--outdir", out, cwd=repository)
    assert built.returncode == 0, built.stdout + built.stderr
    assert len(list(out.glob("*.tar.gz"))) == 1
    [path] = out.glob("*.whl")
    return path


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The ``bin`` of an environment with the wheel and links to this one's other packages: no network, no editable."""
    home = tmp_path_factory.mktemp("installed")
    venv.create(home, with_pip=False, symlinks=os.name != "nt")
    paths = sysconfig.get_paths(scheme="venv", vars={"base": str(home), "platbase": str(home)})
    site = Path(paths["purelib"])
    for package in Path(sysconfig.get_path("purelib")).iterdir():
        if "sycllint" not in package.name and package.suffix != ".pth":
            (site / package.name).symlink_to(package)
    scripts = Path(paths["scripts"])
    pip = (sys.executable, "-m", "pip", "--python", scripts / "python")
    done = run(*pip, "install", "--no-deps", "--no-index", wheel, cwd=home)
    assert done.returncode == 0, done.stdout + done.stderr
    return scripts


def shipped_files(repository: Path) -> set[str]:
    roots = [(repository, "sycllint"), (repository / "rules", "sycllint_rules")]
    return {
        path.relative_to(root).as_posix()
        for root, package in roots
        for path in (root / package).rglob("*")
        if path.suffix in SHIPPED
    }


def test_the_wheel_holds_every_module_rule_and_table(repository: Path, wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        names = {name for name in archive.namelist() if ".dist-info/" not in name}
    assert names == shipped_files(repository)


def test_an_installed_wheel_comes_from_the_wheel(installed: Path) -> None:
    where = run(installed / "python", "-c", "import sycllint, sycllint_rules; print(sycllint.__file__)", cwd=installed)
    assert where.stdout.startswith(str(installed.parent)), where.stderr


def test_an_installed_wheel_finds_a_planted_error(installed: Path, planted_error: str, tmp_path: Path) -> None:
    planted = tmp_path / "scale.cpp"
    planted.write_text(planted_error)
    checked = run(installed / "sycllint", "check", "--isolated", "--target", "tgl", planted, cwd=tmp_path)
    assert "work-group 640 exceeds max 512 on tgl" in checked.stdout, checked.stderr
    assert checked.returncode == 1


def test_an_installed_wheel_lists_every_rule_once(repository: Path, installed: Path) -> None:
    listed = run(installed / "sycllint", "rules", cwd=installed).stdout
    modules = [
        path for path in (repository / "rules" / "sycllint_rules").glob("*/*.py") if not path.name.startswith("_")
    ]
    assert modules
    for module in modules:
        assert listed.count(f" {module.stem.replace('_', '-')} ") == 1, module


def test_the_installed_package_is_typed(installed: Path, tmp_path: Path) -> None:
    consumer = tmp_path / "consumer.py"
    consumer.write_text("import sycllint\n\nnumber: int = sycllint.__version__\n")
    mypy = (sys.executable, "-m", "mypy", "--python-executable", installed / "python", "--strict")
    assert "[assignment]" in run(*mypy, consumer, cwd=tmp_path).stdout
