"""The wheel, built through the sdist, holds every module and table, and works where only it is installed."""

import json
import os
import re
import subprocess
import sys
import sysconfig
import tarfile
import venv
import zipfile
from email.message import Message
from email.parser import HeaderParser
from pathlib import Path

import pytest
import yaml

REPOSITORY = "https://code.example/team/sycllint"
DOCUMENTATION = "https://docs.example/sycllint"

SHIPPED = {".css", ".h", ".hpp", ".j2", ".js", ".json", ".py", ".toml", ".tsv", ".scm", ".typed"}


def run(*command: str | Path, cwd: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    inherited = {name: text for name, text in os.environ.items() if not name.startswith("SYCLLINT_")}
    return subprocess.run(
        list(map(str, command)), cwd=cwd, env=inherited | environment, capture_output=True, text=True, check=False
    )


@pytest.fixture(scope="module")
def dist(repository: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a build with addresses: an sdist, and the wheel made from it."""
    out = tmp_path_factory.mktemp("dist")
    addresses = {"SYCLLINT_REPOSITORY": REPOSITORY, "SYCLLINT_DOCUMENTATION": DOCUMENTATION + "/"}
    built = run(sys.executable, "-m", "build", "--no-isolation", "--outdir", out, cwd=repository, **addresses)
    assert built.returncode == 0, built.stdout + built.stderr
    return out


@pytest.fixture(scope="module")
def wheel(dist: Path) -> Path:
    [path] = dist.glob("*.whl")
    return path


@pytest.fixture(scope="module")
def source(dist: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The unpacked sdist."""
    [path] = dist.glob("*.tar.gz")
    folder = tmp_path_factory.mktemp("source")
    with tarfile.open(path) as archive:
        archive.extractall(folder, filter="data")
    [root] = folder.iterdir()
    return root


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


@pytest.fixture(scope="module")
def metadata(wheel: Path) -> Message:
    with zipfile.ZipFile(wheel) as archive:
        [name] = [each for each in archive.namelist() if each.endswith(".dist-info/METADATA")]
        return HeaderParser().parsestr(archive.read(name).decode())


def test_the_metadata_names_the_addresses_of_the_build(metadata: Message) -> None:
    urls = dict(each.split(", ") for each in metadata.get_all("Project-URL", []))
    assert urls == {
        "Homepage": DOCUMENTATION,
        "Documentation": DOCUMENTATION,
        "Source": REPOSITORY,
        "Issues": f"{REPOSITORY}/issues",
        "Changelog": f"{REPOSITORY}/blob/v{metadata['Version']}/CHANGELOG.md",
    }


def test_every_link_of_the_description_is_absolute(metadata: Message) -> None:
    text = re.sub(r"^```.*?^```|`[^`\n]*`", "", str(metadata.get_payload()), flags=re.MULTILINE | re.DOTALL)
    links = re.findall(r"\]\(([^)\s]+)\)", text)
    assert f"{REPOSITORY}/blob/v{metadata['Version']}/docs/ci.md" in links
    assert all(link.startswith("https://") for link in links)


def test_the_metadata_names_every_python_that_is_tested(metadata: Message, repository: Path) -> None:
    workflow = yaml.safe_load((repository / ".github/workflows/tests.yml").read_text())
    named = {each.rpartition(" ")[2] for each in metadata.get_all("Classifier", []) if "Python :: 3." in each}
    assert named == set(workflow["jobs"]["test"]["strategy"]["matrix"]["python"])


def test_tests_run_from_the_sdist(source: Path) -> None:
    ran = run(sys.executable, "-m", "pytest", "tests/source", "tests/test_record.py", cwd=source)
    assert ran.returncode == 0, ran.stdout
    assert (source / "fixtures/guide").is_dir()
    assert (source / "docs/index.md").is_file()


def test_an_installed_wheel_comes_from_the_wheel(installed: Path) -> None:
    where = run(installed / "python", "-c", "import sycllint, sycllint_rules; print(sycllint.__file__)", cwd=installed)
    assert where.stdout.startswith(str(installed.parent)), where.stderr


def test_an_installed_wheel_finds_a_planted_error(installed: Path, planted_error: str, tmp_path: Path) -> None:
    planted = tmp_path / "scale.cpp"
    planted.write_text(planted_error)
    checked = run(installed / "sycllint", "check", "--isolated", "--target", "tgl", planted, cwd=tmp_path)
    assert "work-group 640 exceeds max 512 on tgl" in checked.stdout, checked.stderr
    assert checked.returncode == 1


def test_findings_of_an_installed_wheel_link_to_the_page_of_their_rule(
    installed: Path, planted_error: str, tmp_path: Path
) -> None:
    (tmp_path / "scale.cpp").write_text(planted_error)
    checked = run(
        installed / "sycllint", "check", "--isolated", "--target", "tgl", "-f", "rdjson", "scale.cpp", cwd=tmp_path
    )
    report = json.loads(checked.stdout)
    assert report["source"] == {"name": "sycllint", "url": DOCUMENTATION}
    page = f"{DOCUMENTATION}/rules/SYC101-work-group-exceeds-max/"
    assert [each["code"] for each in report["diagnostics"]] == [{"value": "SYC101", "url": page}]


@pytest.mark.parametrize("report", ["check", "kernels"])
def test_an_installed_wheel_prints_the_schemas_of_its_reports(report: str, repository: Path, installed: Path) -> None:
    printed = run(installed / "sycllint", report, "--schema", cwd=installed).stdout
    assert printed == (repository / f"sycllint/report/schemas/{report}.json").read_text(encoding="utf-8")


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
