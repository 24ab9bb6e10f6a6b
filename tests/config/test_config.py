"""Where the configuration comes from, and how each mistake in it is reported."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sycllint.config import FILE_NAMES, Config, Overrides, load, target_devices
from sycllint.config.display import settings
from sycllint.errors import SycllintError
from sycllint.launch.helpers import LaunchHelper


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A repository that is the working directory."""
    (tmp_path / ".git").mkdir()
    monkeypatch.chdir(tmp_path)
    return tmp_path


def mistake(project: Path, text: str, name: str = "sycllint.toml") -> str:
    (project / name).write_text(text)
    with pytest.raises(SycllintError) as caught:
        load()
    return str(caught.value)


class TestDiscovery:
    def test_without_a_file_nothing_is_configured(self, project: Path) -> None:
        assert load() == Config(root=str(project))

    @pytest.mark.parametrize("name", FILE_NAMES)
    def test_each_of_three_files_will_do(self, project: Path, name: str) -> None:
        header = "[tool.sycllint]\n" if name == "pyproject.toml" else ""
        (project / name).write_text(f'{header}targets = ["pvc"]\n')
        assert load().targets == ("pvc",)

    def test_the_file_nearest_to_the_first_path_counts_alone(self, project: Path) -> None:
        (project / "src").mkdir()
        (project / "sycllint.toml").write_text('targets = ["pvc"]\nignore = ["SYC101"]\n')
        (project / "src" / "sycllint.toml").write_text('targets = ["tgl"]\n')
        config = load(["src/a.cpp"])
        assert (config.targets, config.ignore, config.root) == (("tgl",), (), str(project / "src"))

    def test_the_working_directory_serves_paths_elsewhere(
        self, project: Path, tmp_path_factory: pytest.TempPathFactory
    ) -> None:
        (project / "sycllint.toml").write_text('targets = ["pvc"]\n')
        elsewhere = tmp_path_factory.mktemp("elsewhere")
        (elsewhere / ".git").mkdir()
        assert load([str(elsewhere / "a.cpp")]).targets == ("pvc",)

    def test_the_search_ends_at_the_root_of_the_repository(
        self, project: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        (project / "sycllint.toml").write_text('targets = ["pvc"]\n')
        inner = project / "inner"
        (inner / ".git").mkdir(parents=True)
        monkeypatch.chdir(inner)
        assert load(["a.cpp"]).targets == ()

    def test_a_pyproject_of_other_tools_is_passed_by(self, project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        (project / "sycllint.toml").write_text('targets = ["pvc"]\n')
        package = project / "package"
        package.mkdir()
        (package / "pyproject.toml").write_text("[tool.other\n")
        monkeypatch.chdir(package)
        assert load().targets == ("pvc",)

    def test_isolated_reads_no_file(self, project: Path) -> None:
        (project / "sycllint.toml").write_text("this is not TOML")
        assert load(isolated=True) == Config(root=str(project))

    def test_a_named_file_replaces_the_search(self, project: Path) -> None:
        (project / "sycllint.toml").write_text('targets = ["pvc"]\n')
        (project / "ci.toml").write_text('targets = ["dg2"]\n')
        assert load(file="ci.toml").targets == ("dg2",)

    def test_a_named_file_must_exist(self, project: Path) -> None:
        with pytest.raises(SycllintError, match=r"^ci\.toml: no such configuration file$"):
            load(file="ci.toml")


class TestSettings:
    def test_all_of_them(self, project: Path) -> None:
        (project / "sycllint.toml").write_text(
            """\
targets = ["tgl", "pvc"]
select = ["SYC1"]
ignore = ["SYC103"]
exclude = ["third_party/"]
defines = { WG = "256", UNROLL = 4 }
include = ["../shared", "gen"]

[launch-helpers]
sycl_kernel_submit = { global = 0, local = 1, kernel = 3 }
"my::launch" = { local = 1, dims = 2 }
"""
        )
        (project / "gen").mkdir()
        (project.parent / "shared").mkdir(exist_ok=True)
        config = load()
        assert config.targets == ("tgl", "pvc")
        assert config.select == ("SYC1",)
        assert config.ignore == ("SYC103",)
        assert config.exclude == ("third_party/",)
        assert config.defines == {"WG": "256", "UNROLL": "4"}
        assert config.include == ("../shared", "gen")
        assert config.launch_helpers == {
            "sycl_kernel_submit": (LaunchHelper(global_=0, local=1, kernel=3),),
            "my::launch": (LaunchHelper(local=1, dims=2),),
        }
        assert config.file == "sycllint.toml"

    def test_folders_of_includes_are_relative_to_the_file(self, project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        (project / "sycllint.toml").write_text('include = ["gen"]\n')
        (project / "gen").mkdir()
        (project / "src").mkdir()
        monkeypatch.chdir(project / "src")
        assert load().include == ("../gen",)

    def test_a_launch_helper_may_have_its_own_table(self, project: Path) -> None:
        (project / "sycllint.toml").write_text("[launch-helpers.submit]\nglobal = 2\n")
        assert load().launch_helpers == {"submit": (LaunchHelper(global_=2),)}

    @pytest.mark.parametrize(
        "text",
        [
            "[launch-helpers]\nrun = [{ global = 0, arguments = 2 }, { global = 1, local = 2 }]\n",
            "[[launch-helpers.run]]\nglobal = 0\narguments = 2\n[[launch-helpers.run]]\nglobal = 1\nlocal = 2\n",
        ],
        ids=["in one line", "as tables"],
    )
    def test_a_launch_helper_may_be_a_set_of_overloads(self, project: Path, text: str) -> None:
        (project / "sycllint.toml").write_text(text)
        config = load()
        assert config.launch_helpers == {
            "run": (LaunchHelper(global_=0, arguments=2), LaunchHelper(global_=1, local=2)),
        }
        (shown,) = [each.text for each in settings(config) if each.key == "launch-helpers.run"]
        assert shown == "[{ global = 0, arguments = 2 }, { global = 1, local = 2 }]"

    def test_defines_may_be_a_list_as_for_a_compiler(self, project: Path) -> None:
        (project / "sycllint.toml").write_text('defines = ["WG=256", "FAST"]\n')
        assert load().defines == {"WG": "256", "FAST": "1"}

    def test_a_byte_order_mark_is_no_mistake(self, project: Path) -> None:
        (project / "sycllint.toml").write_bytes(b'\xef\xbb\xbftargets = ["pvc"]\n')
        assert load().targets == ("pvc",)


class TestOverrides:
    @pytest.fixture
    def configured(self, project: Path) -> Path:
        (project / "sycllint.toml").write_text(
            'targets = ["pvc"]\nselect = ["SYC1"]\nignore = ["SYC101"]\nexclude = ["gen/"]\ndefines = ["A=1", "B=2"]\n'
        )
        return project

    def test_targets_are_replaced(self, configured: Path) -> None:
        assert load(overrides=Overrides(targets=("tgl",))).targets == ("tgl",)

    def test_select_starts_afresh(self, configured: Path) -> None:
        config = load(overrides=Overrides(select=("SYC101",)))
        assert (config.select, config.ignore) == (("SYC101",), ())

    def test_ignore_exclude_and_defines_are_added(self, configured: Path) -> None:
        config = load(overrides=Overrides(ignore=("SYC102",), exclude=("*.h",), defines=("B=3", "C")))
        assert config.ignore == ("SYC101", "SYC102")
        assert config.exclude == ("gen/", "*.h")
        assert config.defines == {"A": "1", "B": "3", "C": "1"}

    def test_a_define_needs_a_name(self, project: Path) -> None:
        with pytest.raises(SycllintError, match=r"^-D: '=4' is not NAME=VALUE$"):
            load(overrides=Overrides(defines=("=4",)))


class TestMistakes:
    @pytest.mark.parametrize(
        ("text", "message"),
        [
            ('ignore = []\ntarget = ["tgl"]\n', "sycllint.toml:2: unknown setting 'target'; did you mean 'targets'?"),
            (
                '\n\ntargets = "tgl"\n',
                'sycllint.toml:3: targets is a string, not a list of strings; write targets = ["tgl"]',
            ),
            (
                "select = [101]\n",
                'sycllint.toml:1: select holds a number where a name belongs; write select = ["SYC101"]',
            ),
            (
                "defines = true\n",
                'sycllint.toml:1: defines is a boolean; write defines = { WG = "256" } or defines = ["WG=256"]',
            ),
            ("[defines]\nA = '1'\nB = [1]\n", 'sycllint.toml:3: B is a list; write B = "256", the text after #define'),
            ('defines = [\n  "A=1",\n  "2B=2",\n]\n', "sycllint.toml:3: '2B=2' is not NAME=VALUE"),
            ('targets = ["tgl"\nselect = 1\n', "sycllint.toml:2: this is not TOML: "),
            ('targets = ["tgl"', "sycllint.toml:1: this is not TOML: "),
            ('\ninclude = [\n  "gen",\n]\n', "sycllint.toml:3: include: gen: no such directory"),
            (
                "launch-helpers = [1]\n",
                "sycllint.toml:1: launch-helpers is a list; write [launch-helpers] and submit = { global = 0, ",
            ),
            ("[launch-helpers]\nf = 3\n", "sycllint.toml:2: f is a number; write f = { global = 0, local = 1, kernel"),
            ("[launch-helpers]\nf = { kernel = 3 }\n", "sycllint.toml:2: f names neither its global nor its local"),
            ("[launch-helpers]\nf = { global = 1, local = 1 }\n", "sycllint.toml:2: f names one argument twice"),
            ("[launch-helpers]\nf = []\n", "sycllint.toml:2: f is an empty list; write f = { global = 0, local = 1"),
            ("[launch-helpers]\nf = [3]\n", "sycllint.toml:2: f is a number; write f = { global = 0, local = 1"),
            (
                "[launch-helpers]\nf = [{ local = 1 }, { local = 2 }]\n",
                "sycllint.toml:2: f: several entries without `arguments`, which distinguishes overloads",
            ),
            (
                "[launch-helpers]\nf = [{ local = 1, arguments = 3 }, { local = 2, arguments = 3 }]\n",
                "sycllint.toml:2: f: several entries with arguments = 3",
            ),
            (
                "[launch-helpers]\nf = { global = 1, kernel = 3, arguments = 3 }\n",
                "sycllint.toml:2: f: argument 3, counted from 0, is not among 3 arguments",
            ),
            (
                "[launch-helpers.f]\nglobal = 0\nlocl = 1\n",
                "sycllint.toml:3: f: unknown key 'locl'; did you mean 'local'?",
            ),
            ("[launch-helpers.f]\nlocal = true\n", "sycllint.toml:2: f: local is a boolean, not a number"),
            ("[launch-helpers.f]\nlocal = -1\n", "sycllint.toml:2: f: local is -1; arguments are counted from 0"),
            (
                "[launch-helpers.f]\nlocal = 0\ndims = 4\n",
                "sycllint.toml:3: f: dims is 4; a range has 1, 2 or 3 dimensions",
            ),
            ("[launch-helpers]\n'a b' = { local = 1 }\n", "sycllint.toml:2: 'a b' is not the name of a function"),
            (
                "[tool.sycllint]\n",
                "sycllint.toml:1: in this file settings are at the top level, without [tool.sycllint]",
            ),
        ],
        ids=lambda value: value.splitlines()[-1][:40],
    )
    def test_each_names_file_line_and_what_would_be_right(self, project: Path, text: str, message: str) -> None:
        assert mistake(project, text).startswith(message)

    def test_lines_of_a_pyproject_count_from_its_top(self, project: Path) -> None:
        text = '[project]\nname = "x"\n\n[tool.sycllint]\ntargets = ["tgl"]\ncolour = true\n'
        assert mistake(project, text, "pyproject.toml").startswith("pyproject.toml:6: unknown setting 'colour'")

    def test_a_file_that_is_no_utf8_is_named_with_the_line(self, project: Path) -> None:
        (project / "sycllint.toml").write_bytes(b'targets = ["tgl"]\n# caf\xe9\n')
        with pytest.raises(SycllintError, match=r"^sycllint\.toml:2: this is not UTF-8, as TOML must be$"):
            load()


class TestTargets:
    def test_come_in_the_order_configured_each_once(self) -> None:
        devices = target_devices(Config(targets=("pvc", "tgl", "intel_gpu_pvc")))
        assert [device.name for device in devices] == ["pvc", "tgl"]

    def test_an_unknown_one_is_named_with_its_line(self, project: Path) -> None:
        (project / "sycllint.toml").write_text('targets = [\n  # "tgk" is no device\n  "tgl",\n  "tgk",\n]\n')
        with pytest.raises(SycllintError, match=r"^sycllint\.toml:4: unknown device 'tgk'.*tgl"):
            target_devices(load())

    def test_an_unknown_one_of_the_command_line_is_named_with_the_option(self) -> None:
        with pytest.raises(SycllintError, match=r"^--target: unknown device 'tgk'"):
            target_devices(load(overrides=Overrides(targets=("tgk",))))


@given(st.text(alphabet="targets select=[]\"'{}#\n.,1é\\", max_size=80))
def test_no_text_makes_more_than_a_clear_message(tmp_path_factory: pytest.TempPathFactory, text: str) -> None:
    path = tmp_path_factory.mktemp("config") / "sycllint.toml"
    path.write_text(text)
    line = 1
    try:
        load(file=str(path))
    except SycllintError as error:
        line = error.line or 0
    assert 1 <= line <= text.count("\n") + 1


class TestCodeThatIsLoaded:
    def test_is_named_by_no_file(self, project: Path) -> None:
        """A configuration comes with the code that is linted, and linting that runs nothing of it."""
        (project / "evil.so").write_bytes(b"")
        assert mistake(project, '[deep]\nlibrary = "evil.so"\n') == (
            "sycllint.toml:2: deep: library is code that is loaded, so no file may name it; "
            "use --config 'deep.library=\"evil.so\"'"
        )

    def test_may_be_named_on_the_command_line(self, project: Path) -> None:
        (project / "clang.so").write_bytes(b"")
        found = load(overrides=Overrides(settings=('deep.library="clang.so"',)))
        assert found.deep.library is not None
        assert Path(found.deep.library).name == "clang.so"
