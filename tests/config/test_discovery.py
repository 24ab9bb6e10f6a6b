"""Which settings hold for which file: nearest file, what it extends, tables for some files, the command line."""

from pathlib import Path

import pytest

from sycllint.config import Config, Configs, Overrides, load, load_all
from sycllint.diagnostic import Severity
from sycllint.errors import SycllintError


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A repository that is the working directory."""
    (tmp_path / ".git").mkdir()
    monkeypatch.chdir(tmp_path)
    return tmp_path


def write(project: Path, **files: str) -> None:
    for name, text in files.items():
        path = project / (name.replace("__", "/") + ".toml")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)


class TestEachFile:
    def test_has_the_settings_nearest_to_it(self, project: Path) -> None:
        write(project, sycllint='targets = ["pvc"]', src__sycllint='targets = ["tgl"]')
        configs = load_all(["src/a.cpp", "b.cpp"])
        assert configs.of("src/deep/a.cpp").targets == ("tgl",)
        assert configs.of("b.cpp").targets == ("pvc",)

    def test_shares_them_with_its_neighbours(self, project: Path) -> None:
        write(project, sycllint='targets = ["pvc"]')
        configs = load_all(["."])
        assert configs.of("a.cpp") is configs.of("src/b.cpp")

    def test_has_its_mistakes_reported_when_it_is_its_turn(self, project: Path) -> None:
        write(project, src__sycllint="targts = []")
        configs = load_all(["b.cpp"])
        assert configs.of("b.cpp").targets == ()
        with pytest.raises(SycllintError, match=r"^src/sycllint\.toml:1: unknown setting 'targts'; did you mean"):
            configs.of("src/a.cpp")

    def test_is_left_out_by_the_file_above_the_folder_of_its_own_configuration(self, project: Path) -> None:
        """Named or found: the answer does not depend on how the list of files is split."""
        write(project, sycllint='exclude = ["vendor/"]', vendor__lib__sycllint='targets = ["tgl"]')
        assert load_all(["."]).excluded(str(project / "vendor" / "lib" / "a.cpp"), False)


class TestExtend:
    def test_takes_what_the_file_itself_does_not_set(self, project: Path) -> None:
        write(project, shared='targets = ["pvc"]\nignore = ["SYC2"]', sycllint='extend = "shared.toml"\nignore = []')
        config = load()
        assert (config.targets, config.ignore, config.file) == (("pvc",), (), "sycllint.toml")

    def test_adds_tables_up_key_by_key(self, project: Path) -> None:
        write(
            project,
            shared='defines = ["A=1", "B=1"]\n[severity]\nSYC101 = "note"\nSYC2 = "note"\n',
            sycllint='extend = "shared.toml"\ndefines = { B = 2 }\n[severity]\nSYC101 = "warning"\n',
        )
        config = load()
        assert config.defines == {"A": "1", "B": "2"}
        assert config.severity == {"SYC101": Severity.WARNING, "SYC2": Severity.NOTE}

    def test_names_the_line_of_the_file_that_says_so(self, project: Path) -> None:
        write(project, shared='\ntargets = ["pvc"]', sycllint='extend = "shared.toml"')
        assert str(load().origins["targets",]) == "shared.toml:2"

    def test_keeps_patterns_relative_to_the_file_that_extends(self, project: Path) -> None:
        write(project, shared__base='exclude = ["/gen/"]', sycllint='extend = "shared/base.toml"')
        assert load_all(["."]).excluded(str(project / "gen" / "a.cpp"), False)

    def test_may_go_through_several_files(self, project: Path) -> None:
        write(project, a='targets = ["pvc"]', b='extend = "a.toml"', sycllint='extend = "b.toml"')
        assert load().targets == ("pvc",)

    @pytest.mark.parametrize(
        ("value", "message"),
        [
            ('"nowhere.toml"', r"^sycllint\.toml:1: extend: nowhere\.toml: no such file$"),
            ('"sycllint.toml"', r"^sycllint\.toml:1: extend: sycllint\.toml extends this file in turn$"),
            ("3", r'^sycllint\.toml:1: extend is the path of one file; write extend = "\.\./sycllint\.toml"$'),
            ('"pyproject.toml"', r"^sycllint\.toml:1: extend: pyproject\.toml has no \[tool\.sycllint\]$"),
        ],
    )
    def test_that_leads_nowhere_is_a_mistake(self, project: Path, value: str, message: str) -> None:
        write(project, sycllint=f"extend = {value}", pyproject="[tool.other]\n")
        with pytest.raises(SycllintError, match=message):
            load()


class TestPerPath:
    @pytest.fixture
    def configs(self, project: Path) -> Configs:
        write(
            project,
            sycllint="""\
targets = ["tgl"]
ignore = ["SYC101"]
[per-path."bench/**/*.cpp"]
targets = ["pvc"]
ignore = ["SYC2"]
defines = { WG = "512" }
[per-path."*.hpp"]
severity = { SYC102 = "note" }
[per-path."bench/last.cpp"]
targets = ["dg2"]
""",
        )
        return load_all(["."])

    def test_targets_replace_and_rules_to_ignore_add_up(self, configs: Configs) -> None:
        config = configs.of("bench/deep/a.cpp")
        assert (config.targets, config.ignore, config.defines) == (("pvc",), ("SYC101", "SYC2"), {"WG": "512"})

    def test_other_files_have_the_settings_of_the_project(self, configs: Configs) -> None:
        config = configs.of("src/bench.cpp")
        assert (config.targets, config.ignore, config.defines, config.severity) == (("tgl",), ("SYC101",), {}, {})

    def test_the_last_table_that_matches_wins(self, configs: Configs) -> None:
        assert configs.of("bench/last.cpp").targets == ("dg2",)

    def test_a_mistake_has_its_line(self, project: Path) -> None:
        write(project, sycllint='[per-path."tests/"]\ntargets = ["tgk"]\n')
        assert str(load_all(["."]).of("tests/a.cpp").mistake("targets", "tgk", "no")) == "sycllint.toml:2: no"

    @pytest.mark.parametrize(
        ("text", "message"),
        [
            ('per-path = ["tests"]', "per-path is a list; write"),
            ('[per-path]\n"tests/" = 1', r"per-path of 'tests/' is a number; write"),
            ('[per-path."tests/"]\nexclude = []', "'exclude' is a setting of the whole project, not of 'tests/'"),
            ('[per-path."tests/"]\nignored = []', r"unknown setting 'ignored'; did you mean 'ignore'\?"),
        ],
    )
    def test_what_cannot_be_there_is_named(self, project: Path, text: str, message: str) -> None:
        write(project, sycllint=text)
        with pytest.raises(SycllintError, match=message):
            load()


class TestCommandLine:
    def test_wins_over_tables_for_some_files(self, project: Path) -> None:
        write(project, sycllint='[per-path."a.cpp"]\ntargets = ["pvc"]\n')
        assert load_all(["."], Overrides(targets=("tgl",))).of("a.cpp").targets == ("tgl",)

    def test_sets_what_a_file_can(self, project: Path) -> None:
        write(project, sycllint='targets = ["pvc"]\nignore = ["SYC1"]')
        config = load(overrides=Overrides(settings=('targets=["tgl"]', 'severity.SYC101 = "note"')))
        assert (config.targets, config.ignore, config.severity) == (("tgl",), ("SYC1",), {"SYC101": Severity.NOTE})

    @pytest.mark.parametrize(
        ("setting", "message"),
        [
            (
                "targets=tgl",
                r'^--config targets=tgl: this is not TOML: .*; write it as in a file, as targets=\["tgl"\]$',
            ),
            ("targts=[]", r"^--config targts=\[\]: unknown setting 'targts'; did you mean 'targets'\?$"),
            ('extend="a.toml"', r"^--config extend=\"a\.toml\": extend is only allowed in a file$"),
        ],
    )
    def test_has_mistakes_that_name_the_option(self, project: Path, setting: str, message: str) -> None:
        with pytest.raises(SycllintError, match=message):
            load(overrides=Overrides(settings=(setting,)))

    def test_says_severities(self, project: Path) -> None:
        assert load(overrides=Overrides(severity=("SYC2=note",))).severity == {"SYC2": Severity.NOTE}
        with pytest.raises(SycllintError, match=r"^--severity: 'SYC2=loud' is not RULE=LEVEL"):
            load(overrides=Overrides(severity=("SYC2=loud",)))

    def test_narrows_when_it_leaves_out_targets_of_the_project(self, project: Path) -> None:
        write(project, sycllint='targets = ["pvc", "tgl"]')
        assert load(overrides=Overrides(targets=("tgl",))).narrowed
        assert not load(overrides=Overrides(targets=("tgl", "pvc", "dg2"))).narrowed


class TestRequiredVersion:
    def test_lets_this_one_pass(self, project: Path) -> None:
        write(project, sycllint='required-version = ">=0.0.1"')
        assert load() == Config(root=str(project), file="sycllint.toml")

    def test_stops_another(self, project: Path) -> None:
        write(project, sycllint='targets = []\nrequired-version = ">=9,<10"')
        with pytest.raises(SycllintError, match=r"^sycllint\.toml:2: sycllint >=9,<10 is required; this is \d"):
            load()

    @pytest.mark.parametrize("value", ["3", '"three"', '">= "', '""'])
    def test_that_is_none_is_a_mistake(self, project: Path, value: str) -> None:
        write(project, sycllint=f"required-version = {value}")
        with pytest.raises(SycllintError, match=r"^sycllint\.toml:1: required-version"):
            load()
