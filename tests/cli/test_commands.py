"""The commands beside ``check``, and what the program does with wrong arguments."""

import json
from pathlib import Path

import pytest

import sycllint
from sycllint.cli import COMMANDS, main
from sycllint.hardware.profiles import devices, resolve
from sycllint.registry import all_rules


class TestHelp:
    @pytest.mark.parametrize("arguments", [[], ["--help"], ["-h"]])
    def test_names_every_command(self, arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
        assert main(arguments) == 0
        out = capsys.readouterr().out
        assert all(f"\n  {name} " in out for name in COMMANDS)

    @pytest.mark.parametrize("command", COMMANDS)
    def test_every_command_has_its_own(self, command: str, capsys: pytest.CaptureFixture[str]) -> None:
        assert main([command, "--help"]) == 0
        assert capsys.readouterr().out.startswith(f"usage: sycllint {command} ")

    def test_version(self, capsys: pytest.CaptureFixture[str]) -> None:
        assert main(["--version"]) == 0
        assert capsys.readouterr().out == f"sycllint {sycllint.__version__}\n"


class TestWrongArguments:
    @pytest.mark.parametrize(
        ("arguments", "message"),
        [
            (["check", "--targt", "tgl"], "unknown argument --targt; did you mean '--target'?"),
            (["check", "--xyzzy"], "unknown argument --xyzzy; `sycllint check --help` lists what there is"),
            (["chekc"], "chekc: no such file, directory or command; did you mean 'check'?"),
            (["rule", "SYC1O1"], "unknown rule 'SYC1O1'; did you mean 'SYC101'?"),
            (["rule", "SYC9999"], "unknown rule 'SYC9999'; `sycllint rules` lists them"),
            (["check", "--select", "SYC9999"], "--select: unknown rule 'SYC9999'; `sycllint rules` lists them"),
            (["check", "--frobnicate"], "unknown argument --frobnicate; `sycllint check --help` lists what there is"),
            (["occupancy", "--target"], "unknown argument --target; `sycllint occupancy --help` lists what there is"),
            (
                ["check", "--config", "banana=1"],
                "--config banana=1: unknown setting 'banana'; `sycllint config --schema`",
            ),
            (["check", "-f", "banana"], "-f/--format: unknown format 'banana'; the formats are full, concise, "),
            (["check", "-f", "jsno"], "-f/--format: unknown format 'jsno'; did you mean 'json'?"),
            (["help", "kernel"], "help kernel: no such command; did you mean 'kernels'?"),
            (["help", "foo"], "help foo: no such command; `sycllint help` lists them"),
            (["devices", "foo"], "unknown device 'foo'; 'sycllint devices' lists all"),
            (["devices", "tgk"], "unknown device 'tgk'; close: tgl"),
            (["check", "--config", "a.toml", "--isolated"], "--config and --isolated exclude each other"),
        ],
        ids=lambda value: " ".join(value) if isinstance(value, list) else "",
    )
    def test_are_answered_in_one_line(
        self, arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]
    ) -> None:
        assert main(arguments) == 2
        out, err = capsys.readouterr()
        assert out == ""
        assert err.startswith(f"sycllint: {message}")
        assert err.count("\n") == 1

    def test_options_and_paths_come_in_any_order(self, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
        for name in ("a.cpp", "b.cpp"):
            (tmp_path / name).touch()
        code = main([str(tmp_path / "a.cpp"), "-f", "json", str(tmp_path / "b.cpp"), "--target", "tgl"])
        assert code == 0
        assert json.loads(capsys.readouterr().out)["files"]["checked"] == 2


class TestRules:
    def test_one_line_for_each(self, capsys: pytest.CaptureFixture[str]) -> None:
        assert main(["rules"]) == 0
        lines = capsys.readouterr().out.splitlines()
        assert [line.split()[0] for line in lines[: len(all_rules())]] == [rule.code for rule in all_rules()]

    def test_as_json(self, capsys: pytest.CaptureFixture[str]) -> None:
        assert main(["rules", "--json"]) == 0
        rules = json.loads(capsys.readouterr().out)["rules"]
        (first,) = (each for each in rules if each["code"] == "SYC101")
        assert (first["code"], first["name"], first["severity"]) == ("SYC101", "work-group-exceeds-max", "error")

    @pytest.mark.parametrize("word", ["SYC101", "syc101", "work-group-exceeds-max"])
    def test_a_page_opens_with_code_and_name(self, word: str, capsys: pytest.CaptureFixture[str]) -> None:
        assert main(["rule", word]) == 0
        assert capsys.readouterr().out.startswith("SYC101 work-group-exceeds-max (error)\n=====")

    def test_a_page_shows_its_code_as_it_stands(self, capsys: pytest.CaptureFixture[str]) -> None:
        main(["rule", "SYC101"])
        out = capsys.readouterr().out
        assert "\n    void smooth(sycl::queue &q, float *image) {\n      constexpr int rows = 8;\n" in out
        assert "::\n" not in out
        assert "``" not in out


class TestDevices:
    def test_one_line_for_each(self, capsys: pytest.CaptureFixture[str]) -> None:
        assert main(["devices"]) == 0
        names = [line.split()[0] for line in capsys.readouterr().out.splitlines()[1 : 1 + len(devices())]]
        assert names == [device.name for device in devices()]

    def test_every_number_of_one_comes_with_its_source(self, capsys: pytest.CaptureFixture[str]) -> None:
        assert main(["devices", "intel_gpu_tgllp"]) == 0
        blocks = capsys.readouterr().out.strip().split("\n\n")[1:]
        assert "max work group size: 512" in {block.splitlines()[0] for block in blocks}
        assert all("\n  source: " in block for block in blocks)

    def test_conflicting_sources_are_listed(self, capsys: pytest.CaptureFixture[str]) -> None:
        main(["devices", "tgl"])
        assert "\n  conflict: 64 KiB" in capsys.readouterr().out

    @pytest.mark.parametrize("group", ["intel", "amd", "NVIDIA"])
    def test_a_vendors_name_lists_its_devices(self, group: str, capsys: pytest.CaptureFixture[str]) -> None:
        assert main(["devices", group]) == 0
        rows = capsys.readouterr().out.splitlines()[1:]
        assert [row.split()[0] for row in rows[: rows.index("")]] == [each.name for each in resolve([group])]

    def test_a_mode_is_a_device_like_any_other(self, capsys: pytest.CaptureFixture[str]) -> None:
        assert main(["devices", "gfx1100:cu"]) == 0
        out = capsys.readouterr().out
        assert out.startswith("gfx1100:cu: Radeon RX 7900 XTX (RDNA3)\n")
        assert "\nsimds per core: 2\n" in out

    def test_devices_of_the_configuration_are_listed_and_shown(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
    ) -> None:
        (tmp_path / "sycllint.toml").write_text('[devices.mine]\nbase = "tgl"\ncores = 5\n')
        monkeypatch.chdir(tmp_path)
        assert main(["devices"]) == 0
        assert "\nmine " in capsys.readouterr().out
        assert main(["devices", "mine"]) == 0
        assert "\ncores: 5\n  source: sycllint.toml:3\n" in capsys.readouterr().out
        assert main(["devices", "--isolated", "mine"]) == 2

    def test_import_prints_a_table_that_the_configuration_takes(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
    ) -> None:
        lines = ["Device Name    gfx90a", "Device Vendor  AMD", "Device Type    GPU", "Max compute units    104"]
        (tmp_path / "clinfo.txt").write_text("\n".join(lines))
        monkeypatch.chdir(tmp_path)
        assert main(["devices", "import", "clinfo.txt"]) == 0
        (tmp_path / "sycllint.toml").write_text(capsys.readouterr().out)
        assert main(["devices", "this-gfx90a"]) == 0
        assert "\ncores: 104\n" in capsys.readouterr().out

    @pytest.mark.parametrize(
        ("arguments", "message"),
        [
            (["import"], "import needs a file; `clinfo > clinfo.txt` writes one"),
            (["import", "gone.txt"], "gone.txt: not read: No such file or directory"),
            (["tgl", "dg1"], "unknown argument dg1; one device at a time"),
            (["tgl:cu"], "tgl has no mode 'cu'"),
        ],
    )
    def test_what_is_wrong_is_said(
        self, arguments: list[str], message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
        capsys: pytest.CaptureFixture[str],
    ) -> None:  # fmt: skip
        monkeypatch.chdir(tmp_path)
        assert main(["devices", *arguments]) == 2
        assert message in capsys.readouterr().err


class TestKernels:
    @pytest.fixture(autouse=True)
    def planted(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, planted_error: str) -> None:
        pytest.importorskip("sycllint.launch.build")
        (tmp_path / "a.cpp").write_text(planted_error)
        monkeypatch.chdir(tmp_path)

    def test_as_json(self, capsys: pytest.CaptureFixture[str]) -> None:
        assert main(["kernels", "-f", "json", "--target", "pvc", "."]) == 0
        (launch,) = json.loads(capsys.readouterr().out)["launches"]
        assert (launch["path"], launch["line"], launch["kind"]) == ("a.cpp", 4, "nd_range")
        assert launch["local"] == [{"kind": "known", "value": 640}]
        assert list(launch["occupancy"]) == ["pvc"]

    def test_as_a_table(self, capsys: pytest.CaptureFixture[str]) -> None:
        assert main(["kernels", "--target", "tgl"]) == 0
        assert "a.cpp:4" in capsys.readouterr().out

    def test_the_least_busy_come_first_on_demand(self, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
        sizes = ("argc", "320", "64", "512")
        launch = "  q.parallel_for(sycl::nd_range<1>(n, {}), [=](sycl::nd_item<1> it) {{ d[0] = 1; }});\n"
        body = "".join(map(launch.format, sizes))
        text = "void go(sycl::queue &q, int *d, int n, int argc) {\n" + body + "}\n"
        (tmp_path / "a.cpp").write_text(text)
        assert main(["kernels", "--target", "tgl", "--sort", "occupancy"]) == 0
        rows = capsys.readouterr().out.splitlines()[1:5]
        assert [row.split()[0] for row in rows] == ["a.cpp:5", "a.cpp:3", "a.cpp:4", "a.cpp:2"]

    def test_what_is_unknown_by_reason(self, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
        text = (tmp_path / "a.cpp").read_text().replace("640)", "BLOCK)")
        (tmp_path / "a.cpp").write_text(text)
        assert main(["kernels", "--unknown", "--target", "tgl"]) == 0
        out = capsys.readouterr().out
        assert "\n    1 launch: local; at a.cpp:4\n" in out
        assert 'defines = { BLOCK = "..." }' in out

    def test_the_list_of_unknowns_is_in_the_json(self, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
        text = (tmp_path / "a.cpp").read_text().replace("640)", "BLOCK)")
        (tmp_path / "a.cpp").write_text(text)
        assert main(["kernels", "--unknown", "-f", "json"]) == 0
        (reason,) = [each for each in json.loads(capsys.readouterr().out)["unknown"] if "BLOCK" in each["reason"]]
        assert (reason["launches"], reason["numbers"]) == (1, ["local"])
        assert reason["places"] == [{"path": "a.cpp", "line": 4}]

    def test_an_unreadable_file_makes_the_list_incomplete(
        self, tmp_path: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        (tmp_path / "b.cpp").symlink_to("nowhere")
        assert main(["kernels", "-f", "json", "."]) == 3
        out, err = capsys.readouterr()
        assert len(json.loads(out)["launches"]) == 1
        assert err == "notice: b.cpp: not read: No such file or directory\n"
