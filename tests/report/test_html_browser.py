"""The page of ``-f html`` in a browser: Chromium, as Debian has it. Where there is none, nothing here runs."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from selenium.common.exceptions import TimeoutException
from selenium.webdriver import Chrome, ChromeOptions
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.remote.command import Command
from selenium.webdriver.remote.webelement import WebElement
from selenium.webdriver.support.ui import Select, WebDriverWait

from sycllint.cli import main
from tests.report.report_page import many, page_of
from tests.report.sample import at, files, finding, result

CHROMIUM, DRIVER = shutil.which("chromium"), shutil.which("chromedriver")

pytestmark = pytest.mark.skipif(
    CHROMIUM is None or DRIVER is None, reason="needs chromium and chromedriver (Debian: chromium-driver)"
)

GUIDE = ("local_memory", "reduction", "sub_groups", "vec_add_gen9", "vector_add_groups", "work_item_synchronization")
"""Programs with findings of each severity, which one page of the list holds."""

SECOND = 1000
"""Milliseconds."""

OPENED = """
const [entry] = performance.getEntriesByType("navigation");
return {ready: "ready" in document.documentElement.dataset, time: entry.loadEventEnd};
"""

TIMED = """
const done = arguments[arguments.length - 1];
const box = document.getElementById("finding-search");
const start = performance.now();
box.value = "tile_17";
box.dispatchEvent(new Event("input"));
requestAnimationFrame(() => setTimeout(() => done(performance.now() - start)));
"""


@pytest.fixture(scope="module")
def browser() -> Iterator[Chrome]:
    options = ChromeOptions()
    options.binary_location = CHROMIUM or ""
    for each in ("--headless=new", "--no-sandbox", "--disable-dev-shm-usage", "--window-size=1280,900"):
        options.add_argument(each)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    driver = Chrome(options=options, service=Service(DRIVER))
    yield driver
    driver.quit()


@pytest.fixture(scope="module")
def guide(repository: Path, tmp_path_factory: pytest.TempPathFactory) -> str:
    """The address of the page for the guide's programs on three devices."""
    page = tmp_path_factory.mktemp("guide") / "report.html"
    files = [str(repository / "fixtures/guide" / f"{name}.cpp") for name in GUIDE]
    main(["check", "--no-cache", "--target", "tgl,pvc,sm_90", *files, "-f", f"html:{page}"])
    return page.as_uri()


@pytest.fixture(scope="module")
def large(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The address of a page with 5,000 findings."""
    page = tmp_path_factory.mktemp("large") / "report.html"
    page.write_text(page_of(*many(5000)), encoding="utf-8")
    return page.as_uri()


def opened(browser: Chrome, address: str) -> Chrome:
    """The page, loaded again, without an error."""
    browser.get("about:blank")
    browser.get(address)
    assert browser.execute(Command.GET_LOG, {"type": "browser"})["value"] == []
    return browser


def rows(browser: Chrome, kind: str = "finding") -> list[WebElement]:
    return browser.find_elements(By.CSS_SELECTOR, f".{kind}")


def texts(browser: Chrome, selector: str) -> list[str]:
    return [each.text for each in browser.find_elements(By.CSS_SELECTOR, selector)]


def is_shown(browser: Chrome, name: str) -> bool:
    """Whether the element is seen, by itself or soon: a view follows its address when the browser gets to it."""
    try:
        return bool(WebDriverWait(browser, 10).until(lambda found: found.find_element(By.ID, name).is_displayed()))
    except TimeoutException:
        return False


def press(browser: Chrome, *keys: str) -> None:
    browser.switch_to.active_element.send_keys(*keys)


class TestFindings:
    def test_they_are_sorted_by_severity_and_by_rule_and_by_file(self, browser: Chrome, guide: str) -> None:
        opened(browser, f"{guide}#findings")
        badges = texts(browser, ".badge")
        assert badges == sorted(badges, key=["error", "warning", "note"].index)
        assert {*badges} == {"error", "warning", "note"}
        browser.find_element(By.CSS_SELECTOR, "#view-findings [data-sort=rule]").click()
        codes = texts(browser, ".finding .meta code")
        assert codes == sorted(codes)
        browser.find_element(By.CSS_SELECTOR, "#view-findings [data-sort=rule]").click()
        assert texts(browser, ".finding .meta code") == sorted(codes, reverse=True)
        browser.find_element(By.CSS_SELECTOR, "#view-findings [data-sort=file]").click()
        paths = [
            (each.get_attribute("title") or "").rpartition(":")[0]
            for each in browser.find_elements(By.CSS_SELECTOR, ".where")
        ]
        assert paths == sorted(paths)

    def test_they_are_filtered_by_severity_rule_file_and_words(self, browser: Chrome, guide: str) -> None:
        opened(browser, f"{guide}#findings")
        browser.find_element(By.CSS_SELECTOR, "[data-severity=note]").click()
        browser.find_element(By.CSS_SELECTOR, "[data-severity=warning]").click()
        assert {*texts(browser, ".badge")} == {"error"}
        assert "severity=error" in browser.current_url
        Select(browser.find_element(By.ID, "finding-rule")).select_by_value("SYC301")
        assert {*texts(browser, ".finding .meta code")} == {"SYC301"}
        before = len(rows(browser))
        browser.find_element(By.ID, "finding-search").send_keys("reduction PVC")
        assert 0 < len(rows(browser)) < before or texts(browser, ".nothing")
        browser.find_element(By.ID, "finding-reset").click()
        assert len(rows(browser)) > before

    def test_an_address_says_what_is_shown(self, browser: Chrome, guide: str) -> None:
        opened(browser, f"{guide}#findings?severity=error&rule=SYC401")
        assert texts(browser, ".finding .message") == ["local memory 98,304 B exceeds max 65,536 B on tgl"]

    def test_filters_that_leave_nothing_can_be_taken_back(self, browser: Chrome, guide: str) -> None:
        opened(browser, f"{guide}#findings?q=nothing+is+called+so")
        assert texts(browser, ".nothing b") == ["Nothing matches these filters"]
        browser.find_element(By.CSS_SELECTOR, ".nothing button").click()
        assert rows(browser)

    def test_a_row_opens_to_its_source_and_its_rule(self, browser: Chrome, guide: str) -> None:
        opened(browser, f"{guide}#findings?rule=SYC201")
        head = browser.find_element(By.CSS_SELECTOR, ".finding .head")
        head.click()
        assert head.get_attribute("aria-expanded") == "true"
        assert texts(browser, ".finding mark.main")
        browser.find_element(By.XPATH, "//button[text()='About SYC201']").click()
        assert browser.find_element(By.ID, "rule-title").text == "SYC201 occupancy-quantised"
        assert browser.find_element(By.CSS_SELECTOR, "#rule-text pre").text
        press(browser, Keys.ESCAPE)
        assert not browser.find_element(By.ID, "rule-page").is_displayed()

    def test_source_with_tabs_and_wide_characters_is_marked_where_it_should_be(
        self, browser: Chrome, tmp_path: Path
    ) -> None:
        source = "\tint \U0001f600 = 1; // \u202e</pre>\n"
        page = tmp_path / "report.html"
        page.write_text(page_of(result(finding(at("a.cpp", source, "= 1"))), files(a_cpp=source)), encoding="utf-8")
        opened(browser, f"{page.as_uri()}#findings")
        assert texts(browser, "mark.main") == ["= 1"]
        assert texts(browser, ".source .text")[0].strip() == "int \U0001f600 = 1; // \ufffd</pre>"


class TestLaunches:
    def test_a_card_has_sizes_devices_and_charts(self, browser: Chrome, guide: str) -> None:
        opened(browser, f"{guide}#launches")
        browser.find_element(By.CSS_SELECTOR, ".launch .head").click()
        assert "1x4x128" in texts(browser, ".card dd")
        assert texts(browser, ".option b") == ["57.1%"]
        assert texts(browser, ".refusal")[0] == "pvc: sub-group size 8 is not supported on pvc (16, 32)"
        captions = [each.partition("\n")[0] for each in texts(browser, "figcaption")]
        assert captions == ["By work-group size", "By local memory", "Rounds of dispatch"]
        assert len(browser.find_elements(By.CSS_SELECTOR, "figure:first-of-type .bar")) == 64

    def test_another_device_redraws_the_charts(self, browser: Chrome, guide: str) -> None:
        opened(browser, f"{guide}#launches?q=vec")
        browser.find_element(By.CSS_SELECTOR, ".launch .head").click()
        assert "on tgl, sub-group 32" in texts(browser, "figcaption small")[0]
        browser.find_elements(By.CSS_SELECTOR, ".option")[1].click()
        assert "on pvc, sub-group 32" in texts(browser, "figcaption small")[0]
        press(browser, Keys.ARROW_DOWN)
        assert "on sm_90, sub-group 32" in texts(browser, "figcaption small")[0]

    def test_arrow_keys_read_a_chart(self, browser: Chrome, guide: str) -> None:
        opened(browser, f"{guide}#launches")
        browser.find_element(By.CSS_SELECTOR, ".launch .head").click()
        chart = browser.find_element(By.CSS_SELECTOR, ".chart")
        browser.execute_script("arguments[0].focus()", chart)
        assert texts(browser, "output")[0] == "512 work-items: 57.1%, 1 group per core"
        press(browser, Keys.ARROW_LEFT)
        assert texts(browser, "output")[0].startswith("504 work-items: ")

    def test_the_least_busy_come_first_when_asked(self, browser: Chrome, guide: str) -> None:
        opened(browser, f"{guide}#launches?sort=occupancy&band=part")
        shares = [int(each.removesuffix("%")) for each in texts(browser, ".share:first-child b")]
        assert shares == sorted(shares)
        assert all(50 <= each < 100 for each in shares)


class TestPage:
    def test_keys_lead_through_it(self, browser: Chrome, guide: str) -> None:
        opened(browser, guide)
        press(browser, "2")
        assert is_shown(browser, "view-findings")
        press(browser, "j", "j", "k", Keys.ENTER)
        assert browser.find_element(By.CSS_SELECTOR, ".finding .head").get_attribute("aria-expanded") == "true"
        press(browser, "3")
        assert is_shown(browser, "view-launches")
        press(browser, "?")
        assert is_shown(browser, "keys-page")

    def test_it_is_dark_where_the_reader_wants_it(self, browser: Chrome, guide: str) -> None:
        backgrounds = {}
        for scheme in ("light", "dark"):
            features = [{"name": "prefers-color-scheme", "value": scheme}]
            browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": features})
            opened(browser, guide)
            body = browser.find_element(By.TAG_NAME, "body")
            backgrounds[scheme] = body.value_of_css_property("background-color")
        assert backgrounds == {"light": "rgba(245, 246, 248, 1)", "dark": "rgba(13, 16, 21, 1)"}
        browser.find_element(By.ID, "theme").click()
        assert (
            browser.find_element(By.TAG_NAME, "body").value_of_css_property("background-color") == backgrounds["light"]
        )
        browser.execute_script("localStorage.clear()")

    def test_a_narrow_window_needs_no_scrolling_sideways(self, browser: Chrome, guide: str) -> None:
        metrics = {"width": 390, "height": 800, "deviceScaleFactor": 1, "mobile": False}
        browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)
        try:
            for view in ("overview", "findings", "launches", "devices"):
                opened(browser, f"{guide}#{view}")
                assert browser.execute_script("return document.documentElement.scrollWidth") <= 390, view
        finally:
            browser.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})

    def test_all_that_is_shown_is_printed(self, browser: Chrome, large: str) -> None:
        opened(browser, f"{large}#findings?rule=SYC101")
        assert len(rows(browser)) < 1250
        browser.execute_script("window.dispatchEvent(new Event('beforeprint'))")
        assert len(rows(browser)) == 1250

    def test_a_report_without_findings_says_so(self, browser: Chrome, tmp_path: Path) -> None:
        page = tmp_path / "report.html"
        page.write_text(page_of(result(), files()), encoding="utf-8")
        opened(browser, f"{page.as_uri()}#findings")
        assert texts(browser, ".nothing b") == ["No findings"]


def test_five_thousand_findings_open_and_filter_within_a_second(browser: Chrome, large: str) -> None:
    opening, filtering = [], []
    for _ in range(3):
        opened(browser, f"{large}#findings")
        state = browser.execute_script(OPENED)
        assert state["ready"]
        opening.append(state["time"])
        filtering.append(browser.execute_async_script(TIMED))
        assert 0 < len(rows(browser)) < 100
    assert min(opening) <= SECOND
    assert min(filtering) <= SECOND
