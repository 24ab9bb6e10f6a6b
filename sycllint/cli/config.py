"""Print the effective settings of a file, and the file and line that set each.

With --schema: the JSON schema of sycllint.toml, which editors use to check and complete it.
"""

import argparse

from sycllint.cli.parser import configs_of
from sycllint.cli.terminal import write
from sycllint.config import Config
from sycllint.config.display import settings
from sycllint.pipeline.baselines import Baselines
from sycllint.pipeline.parts import Parts
from sycllint.report.json import Json, written
from sycllint.report.terminal.display import aligned, printable
from sycllint.source.files import shown


def run(arguments: argparse.Namespace) -> int:
    """Print the settings; whatever is wrong in them is an error, as it would be for ``check``."""
    if arguments.schema:
        write(_schema())
        return 0
    path: str = arguments.path
    config = configs_of(arguments, [path]).of_place(path)
    parts = Parts(config, [config])
    choice = parts.of(config).targets.of(shown(path))
    on = ", ".join(device.name for device in choice.devices) + (" (assumed)" if choice.assumed else "")
    baseline = Baselines().of(path)
    facts = (
        ("path", shown(path)),
        ("root", shown(config.root)),
        ("file", config.file or "none"),
        ("baseline", baseline.file if baseline else "none"),
        ("checked for", on),
        ("rules", str(len(parts.codes))),
    )
    if arguments.json:
        write(_as_json(facts, config))
        return 0
    rows = [(each.key, each.text, ", ".join(map(str, each.origins)) or "default") for each in settings(config)]
    lines = [*aligned(facts), "", *aligned(rows)]
    write("".join(f"{printable(line)}\n" for line in lines))
    return 0


def _schema() -> str:
    """The schema with the rules of all packs that are installed."""
    from sycllint.hardware.profiles import devices
    from sycllint.registry import all_rules
    from sycllint.report.schema import schema

    return schema(all_rules(), devices())


def _as_json(facts: tuple[tuple[str, str], ...], config: Config) -> str:
    found: dict[str, Json] = {
        each.key: {
            "value": each.text,
            "origins": [origin._asdict() for origin in each.origins],
        }
        for each in settings(config)
    }
    return written({**{name.replace(" ", "_"): value for name, value in facts}, "settings": found})
