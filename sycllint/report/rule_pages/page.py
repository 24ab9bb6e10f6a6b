"""A rule's page, written as a docstring, in the Markdown of code hosts and site builders."""

import re
from collections.abc import Iterator, Mapping
from textwrap import dedent

from sycllint.record import NamedTuple

_LEADS = {
    "Silent when": ("When it is silent", ""),
    "Known problem:": ("Known problems", "Known problem:"),
    "Known problems:": ("Known problems", "Known problems:"),
    "Source:": ("Sources", "Source:"),
}
"""How a part of a page begins: its heading, and what of the beginning the heading says."""

_EXAMPLE = re.compile(r"(?:Bad|Good)\b.*::")
_CODE = re.compile(r"\b[A-Z]+\d{3,4}\b|`[^`]*`")


class _Block(NamedTuple):
    """A paragraph, and the code after it where the paragraph ends in two colons."""

    text: str
    code: str = ""


def markdown(page: str, addresses: Mapping[str, str] | None = None) -> str:
    """The page with a heading for each part, C++ in fences, and its sources as links.

    ``addresses`` of rules, by code: where the page names one of these, it is a link.
    """
    blocks = list(_blocks(page))
    examples = [index for index, block in enumerate(blocks) if _EXAMPLE.fullmatch(block.text)]
    parts: list[str] = []
    for index, block in enumerate(blocks):
        heading, text = _part(block)
        if not heading and examples and index == examples[-1] + 1:
            heading = "Details"
        parts.extend([f"## {heading}"] if heading else [])
        text = text.replace("``", "`")
        if heading == "Sources":
            from sycllint.report.rule_pages.documents import linked

            text = linked(text)
        parts.extend([_CODE.sub(lambda found: _reference(found[0], addresses or {}), text)] if text else [])
        parts.extend([f"```cpp\n{block.code}\n```"] if block.code else [])
    return "\n\n".join(parts) + "\n"


def description(page: str) -> str:
    """The first paragraph after the summary line, on one line; the summary when there is none."""
    summary, _, rest = page.strip().partition("\n")
    paragraph = rest.strip().partition("\n\n")[0]
    text = " ".join(paragraph.split())
    return text.replace("``", "`") if text and not text.endswith("::") else summary


def _part(block: _Block) -> tuple[str, str]:
    """The heading that the block begins a part under, ``""`` when it begins none; and its text."""
    if _EXAMPLE.fullmatch(block.text):
        return block.text.removesuffix("::").replace("``", "`"), ""
    for lead, (heading, said) in _LEADS.items():
        if block.text.startswith(lead):
            return heading, _capitalised(block.text.removeprefix(said).lstrip())
    return "", f"{block.text.removesuffix('::')}:" if block.code else block.text


def _capitalised(text: str) -> str:
    """A sentence with a capital; a name as ``intel/llvm`` is none."""
    return text[0].upper() + text[1:] if re.match(r"[a-z]+ ", text) else text


def _reference(word: str, addresses: Mapping[str, str]) -> str:
    return f"[{word}]({addresses[word]})" if word in addresses else word


def _blocks(page: str) -> Iterator[_Block]:
    """The paragraphs of a page in order."""
    text = ""
    code: list[str] = []
    for each in page.strip().split("\n\n"):
        if text.endswith("::") and each.startswith((" ", "\t")):
            code.append(each)
            continue
        if text:
            yield _Block(text, dedent("\n\n".join(code)).strip("\n"))
        text, code = each.strip("\n"), []
    if text:
        yield _Block(text, dedent("\n\n".join(code)).strip("\n"))
