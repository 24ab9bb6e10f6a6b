"""The extension for VS Code names what there is, and is built from what the registry is asked for, wherever that is."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from sycllint.hardware.profiles import devices
from sycllint.server.actions import OPEN_PAGE, SUPPRESS


@pytest.fixture(scope="module")
def extension(repository: Path) -> Path:
    return repository / "editors" / "vscode"


def test_its_settings_offer_every_device(extension: Path) -> None:
    manifest: Any = json.loads((extension / "package.json").read_text())
    targets = manifest["contributes"]["configuration"]["properties"]["sycllint.targets"]
    assert targets["items"]["anyOf"][0]["enum"] == [each.name for each in devices()]


def test_it_waits_for_the_commands_that_the_server_has(extension: Path) -> None:
    code = (extension / "src" / "extension.ts").read_text()
    assert f'SUPPRESS = "{SUPPRESS}"' in code
    assert f'OPEN_PAGE = "{OPEN_PAGE}"' in code


def test_its_lock_file_names_no_registry(extension: Path) -> None:
    lock = (extension / "package-lock.json").read_text()
    assert '"resolved"' not in lock
    assert not re.search(r'"https?://[^"]*\.tgz"', lock)


def test_what_it_bundles_is_where_it_looks(extension: Path, repository: Path) -> None:
    bundle = (extension / "bundle.mjs").read_text()
    for path in re.findall(r'copyFileSync\("([^"]+)"', bundle):
        assert (extension / path).resolve().is_relative_to(repository)
        assert (extension / path).exists()
