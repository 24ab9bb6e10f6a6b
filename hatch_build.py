"""The addresses in the metadata of a build: where the project is, and the links of its README.

The source tree does not know them. They come from the environment of the build, else from the table
``[tool.hatch.metadata.hooks.custom]``:

- ``SYCLLINT_REPOSITORY``: the repository on its code host, as ``https://code.example/team/sycllint``;
- ``SYCLLINT_DOCUMENTATION``: the site that ``make site`` builds; without one, docs/ of the repository;
- ``SYCLLINT_REF``: the tag or commit that is built; without one, ``v`` and the version.
"""

import os
import re
from pathlib import Path
from typing import Any, NamedTuple

from hatchling.metadata.plugin.interface import MetadataHookInterface

_LINK = re.compile(
    r"^```.*?^```|`[^`\n]*`|(?P<image>!?)\[(?P<text>[^\]]*)\]\((?P<path>[^)\s]+)\)", re.MULTILINE | re.DOTALL
)


class Addresses(NamedTuple):
    """Each without a slash at its end; ``""`` where it is not given."""

    repository: str
    documentation: str
    ref: str

    def file(self, path: str, *, raw: bool = False) -> str:
        """The address of a file of the repository."""
        return f"{self.repository}/{'raw' if raw else 'blob'}/{self.ref}/{path}"

    def project_urls(self) -> dict[str, str]:
        """What the package index shows, and reports link to."""
        documentation = self.documentation or (self.file("docs") if self.repository else "")
        urls = {"Homepage": self.documentation or self.repository, "Documentation": documentation}
        if self.repository:
            urls["Source"] = self.repository
            urls["Issues"] = f"{self.repository}/issues"
            urls["Changelog"] = self.file("CHANGELOG.md")
        return {label: address for label, address in urls.items() if address}


def absolute(text: str, addresses: Addresses) -> str:
    """Markdown whose relative links lead into the repository; their text alone where it has no address."""

    def target(link: re.Match[str]) -> str:
        path = link["path"]
        if path is None or "://" in path or path.startswith("#"):
            return link[0]
        if not addresses.repository:
            return link["text"]
        return f"{link['image']}[{link['text']}]({addresses.file(path, raw=bool(link['image']))})"

    return _LINK.sub(target, text)


class CustomMetadataHook(MetadataHookInterface):
    """Fills in ``urls`` and ``readme``."""

    def update(self, metadata: dict[str, Any]) -> None:
        """Called by hatchling with the table ``project``, whose version is known."""
        addresses = Addresses(
            self._configured("repository"),
            self._configured("documentation"),
            self._configured("ref") or f"v{metadata['version']}",
        )
        metadata["urls"] = addresses.project_urls()
        readme = Path(self.root, "README.md").read_text(encoding="utf-8")
        metadata["readme"] = {"content-type": "text/markdown", "text": absolute(readme, addresses)}

    def _configured(self, name: str) -> str:
        variable = f"SYCLLINT_{name.upper()}"
        found = str(os.environ.get(variable) or self.config.get(name, "")).rstrip("/")
        if name != "ref" and found and not found.startswith("https://"):
            message = f"{variable} is {found!r}; an address begins with https://"
            raise ValueError(message)
        return found
