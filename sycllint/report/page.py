"""A rule's page, written as a docstring, in the Markdown of code hosts."""

from textwrap import dedent


def markdown(page: str) -> str:
    """The page with its indented blocks as fenced C++ and its double backquotes single."""
    lines = page.splitlines()
    out: list[str] = []
    index = 0
    while index < len(lines):
        line = lines[index].rstrip()
        index += 1
        block, after = _literal_block(lines, index) if line.endswith("::") else ([], index)
        if not block:
            out.append(line.replace("``", "`"))
            continue
        lead = line.removesuffix("::").rstrip()
        out.extend([f"{lead}:".replace("``", "`"), ""] if lead else [])
        out.extend(["```cpp", *block, "```", ""])
        index = after
    return "\n".join(out).strip() + "\n"


def description(page: str) -> str:
    """The first paragraph after the summary line, on one line; the summary when there is none."""
    summary, _, rest = page.strip().partition("\n")
    paragraph = rest.strip().partition("\n\n")[0]
    text = " ".join(paragraph.split())
    return text.replace("``", "`") if text and not text.endswith("::") else summary


def _literal_block(lines: list[str], start: int) -> tuple[list[str], int]:
    """The indented lines from ``start`` on, without their indentation, and the line after them."""
    end = start
    while end < len(lines) and (not lines[end].strip() or lines[end][0].isspace()):
        end += 1
    return dedent("\n".join(lines[start:end])).strip("\n").splitlines(), end
