"""The JSON schema of ``sycllint.toml``, for editors: what a setting may be, and which rules and devices there are."""

import json
import os
from collections.abc import Mapping, Sequence

import sycllint.config
from sycllint.hardware.device import Device
from sycllint.heads import AnyRule
from sycllint.report.json import Json

BASE = os.path.join(os.path.dirname(sycllint.config.__file__), "sycllint.schema.json")
"""The schema without names, as it is written by hand."""

VENDORS = ("intel", "amd", "nvidia")


def schema(rules: Sequence[AnyRule], devices: Sequence[Device]) -> str:
    """The schema as JSON (draft 7), with the names of rules and devices.

    Names are offered, not demanded: a project may have devices and rules of its own.
    """
    with open(BASE, encoding="utf-8") as stream:
        found = json.load(stream)
    definitions = found["definitions"]
    levels = definitions["severity"]["additionalProperties"]
    definitions["severity"]["properties"] = {
        rule.code: {"description": f"{rule.name}: {rule.summary}", **levels} for rule in rules
    }
    definitions["rule"] = _offered(_words(rules))
    definitions["device"] = _offered(_targets(devices))
    return json.dumps(found, indent=2, ensure_ascii=False) + "\n"


def _words(rules: Sequence[AnyRule]) -> Mapping[str, str]:
    """What chooses rules, and what that means."""
    families = {rule.family: f"All rules of the family {rule.family}" for rule in rules}
    prefixes = {rule.code[:-2]: f"The rules {rule.code[:-2]}xx: {rule.family}" for rule in rules}
    codes = {rule.code: f"{rule.name}: {rule.summary}" for rule in rules}
    names = {rule.name: f"{rule.code}: {rule.summary}" for rule in rules}
    return {"ALL": "Every rule", **families, **prefixes, **codes, **names}


def _targets(devices: Sequence[Device]) -> Mapping[str, str]:
    vendors = {vendor: f"All devices of {vendor}" for vendor in VENDORS}
    return {**{device.name: device.title for device in devices}, **vendors}


def _offered(names: Mapping[str, str]) -> Json:
    """Any text, with these among what an editor proposes; ``x-taplo`` documents each for Taplo."""
    known: Json = {"enum": list(names), "x-taplo": {"docs": {"enumValues": list(names.values())}}}
    return {"anyOf": [known, {"type": "string", "pattern": "\\S"}]}
