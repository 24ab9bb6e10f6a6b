"""Addresses of the documents that pages of rules name as their sources."""

import re

from sycllint.beside import beside

_DIAGNOSTICS = "https://oneapi-src.github.io/SYCLomatic/dev_guide/reference/diagnostic_ref"
DOCUMENTS, REPOSITORIES = beside(__file__)["documents"], beside(__file__)["repositories"]


def _any_of(names: dict[str, str]) -> str:
    """The longest name first; a name may go on in the next line."""
    return "|".join(re.escape(each).replace(r"\ ", r"\s+") for each in sorted(names, key=len, reverse=True))


_CITED = re.compile(
    rf"`[^`]*`|(?P<document>{_any_of(DOCUMENTS)})|(?<![\w/])(?P<repository>{_any_of(REPOSITORIES)})(?![\w/-])"
    r"(?:#(?P<number>\d+)|\s+(?P<kind>issue|pull\s+request)s?\s+(?P<numbers>\d+(?:\s+and\s+\d+)*))?"
    r"|\[(?P<clause>[a-z]+(?:\.[a-z]+)+)\]|(?P<diagnostic>DPCT\d{4})"
)


def linked(text: str) -> str:
    """Markdown with the documents, issues and clauses that it cites as links; code stays as it is."""
    return _CITED.sub(_link, text)


def _link(cited: re.Match[str]) -> str:
    if document := cited["document"]:
        return f"[{document}]({DOCUMENTS[_on_one_line(document)]})"
    if repository := cited["repository"]:
        return _repository(cited, repository)
    if clause := cited["clause"]:
        return f"[{clause}](https://eel.is/c++draft/{clause})"
    if diagnostic := cited["diagnostic"]:
        return f"[{diagnostic}]({_DIAGNOSTICS}/{diagnostic.lower()}.html)"
    return cited[0]


def _repository(cited: re.Match[str], name: str) -> str:
    """A repository, one issue or pull request of it, or several."""
    home = f"https://github.com/{REPOSITORIES[name]}"
    if number := cited["number"]:
        return f"[{cited[0]}]({home}/issues/{number})"
    if not cited["kind"]:
        return f"[{name}]({home})"
    place = f"{home}/{'issues' if cited['kind'] == 'issue' else 'pull'}"
    if cited["numbers"].isdecimal():
        return f"[{cited[0]}]({place}/{cited['numbers']})"
    numbers = re.sub(r"\d+", lambda each: f"[{each[0]}]({place}/{each[0]})", cited["numbers"])
    return f"{name} {_on_one_line(cited['kind'])}s {numbers}"


def _on_one_line(text: str) -> str:
    return " ".join(text.split())
