"""The page of ``-f html``: one file that loads nothing, in which no text of a source can become anything but text."""

import re
import sys
from base64 import b64encode
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from sycllint.cli import main
from sycllint.config import Config
from sycllint.diagnostic import Related
from sycllint.errors import SycllintError
from sycllint.pipeline import Kernels, check
from sycllint.record import replace
from sycllint.report.formats.html import embedded
from sycllint.source.text import SourceFile
from tests.report.report_page import Elements, data_of, many, page_of
from tests.report.sample import SWEEP, at, exceeds, files, finding, result

MEGABYTE = 1_000_000
MARKUP = "</script><script>alert(1)</script><!-- \"'><img src=x onerror=alert(1)> &amp; "
HOSTILE = MARKUP + "\x1b[31m \u202etxt.exe \u2066 \x00 \ud800"


def guide(repository: Path, name: str, *targets: str) -> tuple[Any, str]:
    """The data and the page for one of the guide's programs."""
    path = str(repository / "fixtures/guide" / name)
    found = check([path], replace(Config(), targets=targets))
    page = page_of(found, lambda path: SourceFile(path, Path(path).read_bytes()))
    return data_of(page), page


class TestOneFile:
    def test_it_names_no_address(self) -> None:
        page = page_of(result(exceeds()), files(a_cpp=SWEEP))
        assert "http:" not in page
        assert "https:" not in page
        assert re.findall(r"url\(|@import|\bimport\(|fetch\(|XMLHttpRequest|WebSocket|sendBeacon", page) == []
        addresses = [
            value
            for _, attributes in Elements(page).tags
            for name, value in attributes.items()
            if name in {"src", "href"}
        ]
        assert addresses
        assert {each for each in addresses if each and not each.startswith("#")} == {"data:,"}

    def test_its_policy_allows_its_own_script_and_style_and_nothing_else(self) -> None:
        elements = Elements(page_of(result(exceeds()), files(a_cpp=SWEEP)))
        [policy] = [a["content"] for tag, a in elements.tags if a.get("http-equiv") == "Content-Security-Policy"]
        [style], [_, script] = elements.styles, elements.scripts

        def hashed(text: str) -> str:
            return b64encode(sha256(text.encode()).digest()).decode()

        assert policy == (
            f"default-src 'none'; script-src 'sha256-{hashed(script)}'; style-src 'sha256-{hashed(style)}'; "
            "img-src data:; base-uri 'none'; form-action 'none'"
        )

    def test_no_element_carries_style_or_script_that_the_policy_would_refuse(self) -> None:
        for tag, attributes in Elements(page_of(result(exceeds()), files(a_cpp=SWEEP))).tags:
            assert [name for name in attributes if name == "style" or name.startswith("on")] == [], tag

    def test_the_same_run_gives_the_same_page(self) -> None:
        assert page_of(result(exceeds()), files(a_cpp=SWEEP)) == page_of(result(exceeds()), files(a_cpp=SWEEP))

    def test_five_thousand_findings_are_at_most_five_megabytes(self) -> None:
        found, sources = many(5000)
        page = page_of(found, sources)
        assert len(data_of(page)["findings"]) == 5000
        assert len(page.encode()) <= 5 * MEGABYTE


class TestHostileText:
    @pytest.fixture
    def page(self) -> str:
        source = f"int a; // {HOSTILE}\n".encode(errors="surrogatepass")
        path = f"src/{HOSTILE.replace('/', '')}.cpp"
        place = at(path, source, "int a")
        each = finding(place, HOSTILE, name=HOSTILE, code=HOSTILE, help=HOSTILE, related=(Related(HOSTILE, place),))
        found = replace(result(each, notices=[HOSTILE]), targets=(HOSTILE,))
        return page_of(found, lambda path: SourceFile(path, source))

    def test_it_makes_no_element(self, page: str) -> None:
        elements = Elements(page)
        plain = Elements(page_of(result(exceeds(), notices=["x"]), files(a_cpp=SWEEP)))
        assert [tag for tag, _ in elements.tags] == [tag for tag, _ in plain.tags]
        assert len(elements.scripts) == 2

    def test_no_character_reorders_or_controls_what_is_shown(self, page: str) -> None:
        assert re.findall("[\x00-\x08\x0b-\x1f\x7f\u202a-\u202e\u2066-\u2069\ud800-\udfff]", page) == []
        page.encode()

    def test_what_can_be_shown_of_it_is(self, page: str) -> None:
        data = data_of(page)
        assert MARKUP + "\u241b[31m \ufffdtxt.exe \ufffd \u2400 \ufffd" in data["texts"]
        assert data["lines"][0]["1"].startswith("int a; // </script><script>alert(1)</script>")

    def test_data_in_a_script_element_cannot_end_it(self) -> None:
        text = embedded("</script><!--\u2028&")
        assert text == '"\\u003c/script\\u003e\\u003c!--\\u2028\\u0026"'


class TestFindings:
    def test_a_row_has_the_places_and_their_source(self) -> None:
        data = data_of(page_of(result(exceeds()), files(a_cpp=SWEEP)))
        [[severity, rule, message, advice, targets, _, fix, place, [related]]] = data["findings"]
        assert (severity, fix) == (3, -1)
        assert [data["texts"][each] for each in data["rules"][rule]] == ["SYC101", "work-group-exceeds-max"]
        assert data["texts"][message] == "work-group 1x5x128 = 640 exceeds max 512 on tgl"
        assert data["texts"][advice] == "The largest R that fits is 4."
        assert data["texts"][targets] == "tgl"
        assert place == [0, 6, 51, 6, 62]
        assert data["texts"][related[0]] == "R is 5 here"
        assert related[1:] == [0, 3, 15, 3, 20]
        assert data["lines"][0]["6"] == SWEEP.splitlines()[5]
        assert set(data["lines"][0]) == {str(line) for line in range(1, 9)}

    def test_tabs_stay_and_immense_lines_are_cut(self) -> None:
        source = "\tint a;" + " " * 100_000 + "\n"
        data = data_of(page_of(result(finding(at("a.cpp", source, "int"))), files(a_cpp=source)))
        assert data["lines"][0]["1"].startswith("\tint a;")
        assert len(data["lines"][0]["1"]) == 320

    def test_the_pages_of_the_rules_that_spoke_are_there(self, repository: Path) -> None:
        data, _ = guide(repository, "local_memory.cpp", "tgl")
        assert "SYC201" in data["pages"]
        assert "```cpp" in data["pages"]["SYC201"][1]
        assert set(data["pages"]) == {data["texts"][data["rules"][row[1]][0]] for row in data["findings"]}


class TestLaunches:
    def test_the_answer_is_that_of_the_calculator(self, repository: Path) -> None:
        data, _ = guide(repository, "local_memory.cpp", "tgl")
        [[number], refusals, curve, sweep] = data["launches"][0]["on"][0]
        found = data["answers"][number]
        assert (refusals, curve, sweep) == ([], -1, -1)
        assert (found["sub"], found["size"], found["threads"], found["groups"], found["ratio"]) == (8, 512, 64, 1, 571)
        assert data["texts"][found["limiter"]] == "threads"
        assert data["texts"][found["rounds"][5]] == "1024 groups: 170 full rounds of 57.1%, then 38.1%"
        sizes, groups, shares = data["curves"][found["bySize"]]
        assert (sizes[0], sizes[-1], groups[-1], shares[-1]) == (8, 512, 1, 571)
        bytes_, _, _ = data["curves"][found["byMemory"]]
        assert bytes_[0] == 0
        assert bytes_[-1] == 65536

    def test_a_launch_that_a_device_refuses_says_why(self, repository: Path) -> None:
        data, _ = guide(repository, "local_memory.cpp", "tgl", "sm_90")
        [answers, [why], _, _] = data["launches"][0]["on"][1]
        assert answers == []
        assert data["texts"][why] == "sub-group size 8 is not supported on sm_90 (32)"

    def test_a_size_with_one_free_parameter_has_what_its_values_give(self, repository: Path) -> None:
        data, _ = guide(repository, "reduction.cpp", "tgl")
        verdicts = [each["on"][0] for each in data["launches"] if each["on"][0]]
        sweep = next(sweep for _, _, _, sweep in verdicts if sweep >= 0)
        name, legal, values, least, most, last = data["sweeps"][sweep]
        assert data["texts"][name] == "work_group_size"
        assert data["texts"][legal] == "work_group_size <= 512"
        assert (values[0], last) == (1, 512)
        assert len(values) == len(least) == len(most)

    def test_what_the_runtime_chooses_has_a_curve_and_no_answer(self) -> None:
        source = (
            b"void f(sycl::queue &q, int *p) {\n"
            b"  q.parallel_for(sycl::range<1>(4096), [=](sycl::id<1> i) { p[i] = 1; });\n"
            b"}\n"
        )
        found = check(["a.cpp"], replace(Config(), targets=("tgl",)), texts={"a.cpp": source})
        data = data_of(page_of(found, lambda path: SourceFile(path, source)))
        [answers, refusals, curve, sweep] = data["launches"][0]["on"][0]
        assert (answers, refusals, sweep) == ([], [], -1)
        assert data["curves"][curve][0][-1] == 512

    def test_equal_answers_and_curves_stand_there_once(self) -> None:
        kernel = (
            b"  q.parallel_for(sycl::nd_range<1>(4096, 256), [=](sycl::nd_item<1> i) { p[i.get_global_id(0)] = 1; });\n"
        )
        source = b"void f(sycl::queue &q, int *p) {\n" + 3 * kernel + b"}\n"
        found = check(["a.cpp"], replace(Config(), targets=("sm_90",)), texts={"a.cpp": source})
        data = data_of(page_of(found, lambda path: SourceFile(path, source)))
        assert [len(data[each]) for each in ("launches", "answers", "curves")] == [3, 1, 2]

    def test_an_interrupted_run_does_not_begin_again(self) -> None:
        def surveyed() -> Kernels:
            raise AssertionError("asked for launches")

        found = replace(result(exceeds(), interrupted=True, complete=False), launches=surveyed)
        assert "it was interrupted" in page_of(found, files(a_cpp=SWEEP))


class TestOverview:
    def test_it_counts_what_was_found_and_what_is_known(self, repository: Path) -> None:
        _, page = guide(repository, "reduction.cpp", "tgl", "pvc")
        assert "Launches with known ranges" in page
        assert re.search(r"data_size / work_group_size, which depends on run-time values", page)
        assert page.count('class="bandbar"') == 2

    def test_without_findings_it_says_so(self) -> None:
        page = page_of(result(), files())
        assert "<h1>No findings</h1>" in page
        assert "Every enabled rule passed." in page
        assert "No kernel launch was found in these files." in page


class TestCommand:
    def test_it_writes_the_page_beside_another_format(
        self, planted_error: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
    ) -> None:
        monkeypatch.chdir(tmp_path)
        Path("scale.cpp").write_text(planted_error)
        assert main(["check", "--target", "tgl", "scale.cpp", "-f", "concise", "-f", "html:report.html"]) == 1
        assert "work-group 640 exceeds max 512 on tgl" in capsys.readouterr().out
        data = data_of(Path("report.html").read_text(encoding="utf-8"))
        assert [len(data[each]) for each in ("findings", "launches", "devices")] == [len(data["findings"]), 1, 1]

    def test_without_jinja_it_says_what_to_install_before_any_work(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
    ) -> None:
        monkeypatch.setitem(sys.modules, "jinja2", None)
        monkeypatch.chdir(tmp_path)
        assert main(["check", "-f", "html:report.html", "."]) == 2
        assert "-f html needs Jinja2, which is not installed: pip install 'sycllint[html]'" in capsys.readouterr().err
        assert not Path("report.html").exists()
        with pytest.raises(SycllintError, match="Jinja2"):
            page_of(result(), files())


def contrast(one: str, other: str) -> float:
    """The contrast ratio of two colours (WCAG 2.2, "contrast ratio")."""

    def luminance(colour: str) -> float:
        short = colour.removeprefix("#")
        digits = short if len(short) == 6 else "".join(2 * each for each in short)
        parts = [int(digits[at : at + 2], 16) / 255 for at in (0, 2, 4)]
        red, green, blue = (each / 12.92 if each <= 0.04045 else ((each + 0.055) / 1.055) ** 2.4 for each in parts)
        return 0.2126 * red + 0.7152 * green + 0.0722 * blue

    light, dark = sorted((luminance(one), luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


@pytest.mark.parametrize("theme", [r":root \{", r':root\[data-theme="dark"\] \{', r":root:not\(\[data-theme\]\) \{"])
def test_text_has_the_contrast_of_wcag_aa(theme: str, repository: Path) -> None:
    style = (repository / "sycllint/report/formats/html/templates/page.css").read_text(encoding="utf-8")
    block = re.search(theme + r"(.*?)\n\s*\}", style, re.DOTALL)
    assert block is not None
    colours = dict(re.findall(r"--([\w-]+): (#[0-9a-f]{3,6});", block[1]))
    surfaces = ("bg", "surface", "sunken")
    pairs = [(text, on) for text in ("ink", "muted", "accent") for on in surfaces]
    pairs += [(text, "surface") for text in ("error", "warning", "note")] + [("accent", "accent-soft")]
    pairs += [(each, f"{each}-soft") for each in ("error", "warning", "note")]
    pairs += [(token, "sunken") for token in ("keyword", "string", "comment", "number")]
    pairs += [("ink", "mark"), ("ink", "mark-also"), ("ink", "accent-soft"), ("muted", "accent-soft")]
    assert {f"{text} on {on}": contrast(colours[text], colours[on]) for text, on in pairs} == pytest.approx(
        {f"{text} on {on}": 21 for text, on in pairs}, abs=21 - 4.5
    )
