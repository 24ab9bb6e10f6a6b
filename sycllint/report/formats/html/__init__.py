"""One page for a browser: findings, launches and devices, in one file that loads nothing from elsewhere.

What changes on the page while it is read (rows, cards, charts) is drawn by its own script from JSON that the page
holds; the rest comes from templates. The page runs no other script and asks no network: its Content-Security-Policy
names the hashes of its one script and its one style sheet.
"""

import json
from base64 import b64encode
from functools import cache
from hashlib import sha256
from importlib.resources import files
from typing import TYPE_CHECKING
from urllib.parse import quote

from sycllint.pipeline import Result
from sycllint.pipeline.result import NO_LAUNCHES
from sycllint.report import require
from sycllint.report.formats.html.answers import DeviceAnswers
from sycllint.report.formats.html.findings import AROUND, TALLEST, Excerpts, findings_data, pages_data
from sycllint.report.formats.html.launches import judged, launches_data
from sycllint.report.formats.html.overview import BANDS, overview
from sycllint.report.formats.html.pool import Interned
from sycllint.report.json import Json
from sycllint.report.place import Sources
from sycllint.report.terminal.display import printable
from sycllint.version import __version__

if TYPE_CHECKING:
    from jinja2 import Environment

_SCRIPTS = ("data.js", "dom.js", "charts.js", "source.js", "findings.js", "launches.js", "page.js")
"""Parts of the page's one script, in order."""


def render(result: Result, sources: Sources) -> str:
    """The page. Raises ``SycllintError`` when Jinja2 is not installed."""
    require("html")
    from markupsafe import Markup

    texts, rules = Interned(), Interned()
    excerpts, answers = Excerpts(sources), DeviceAnswers(texts)
    kernels = NO_LAUNCHES if result.interrupted else result.launches()
    launches = judged(kernels, answers)
    data: dict[str, Json] = {
        "findings": findings_data(result.diagnostics, excerpts, texts, rules),
        "launches": launches_data(launches, excerpts, answers),
        "devices": [[texts.of(device.name), texts.of(device.title)] for device in kernels.devices],
        "pages": pages_data(result.rules(), result.diagnostics),
        "answers": answers.answers.all,
        "curves": answers.curves.all,
        "sweeps": answers.sweeps.all,
        "rules": rules.all,
        "files": excerpts.files.all,
        "lines": excerpts.lines,
        "texts": texts.all,
        "around": AROUND,
        "tallest": TALLEST,
    }
    style = _part("page.css")
    script = "".join(_part(name) for name in _SCRIPTS)
    page = _environment().get_template("page.html.j2")
    return page.render(
        result=result,
        view=overview(result, launches, kernels.devices, sources),
        notices=list(dict.fromkeys(result.notices)),
        bands=BANDS,
        most_rows=8,
        version=__version__,
        style=Markup(style),
        script=Markup(script),
        data=Markup(embedded(data)),
        policy=_policy(style, script),
    )


def embedded(data: Json) -> str:
    """JSON that can stand in a ``script`` element: nothing in it ends the element or opens a comment."""
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    for character in "<>&\u2028\u2029":
        text = text.replace(character, f"\\u{ord(character):04x}")
    return text


def _policy(style: str, script: str) -> str:
    """What the page may do: show itself and run its own script."""
    return "; ".join(
        [
            "default-src 'none'",
            f"script-src '{_hash(script)}'",
            f"style-src '{_hash(style)}'",
            "img-src data:",
            "base-uri 'none'",
            "form-action 'none'",
        ]
    )


def _hash(text: str) -> str:
    return f"sha256-{b64encode(sha256(text.encode()).digest()).decode()}"


def _part(name: str) -> str:
    return (files(__package__) / "templates" / name).read_text(encoding="utf-8")


@cache
def _environment() -> "Environment":
    """Templates in which every text that is put in is escaped, and none can reorder or control what is shown."""
    from jinja2 import Environment, FunctionLoader, StrictUndefined

    environment = Environment(
        loader=FunctionLoader(_part),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        finalize=lambda value: printable(value) if type(value) is str else value,
    )
    environment.filters["query"] = lambda text: quote(printable(text), safe="")
    return environment
