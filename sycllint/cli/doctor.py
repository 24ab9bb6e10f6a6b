"""Report what sycllint finds here, on one page for bug reports; nothing is linted.

Which settings, build files and compile commands, which targets follow from them, which C++ front end, headers and
libraries there are, and what is missing.
"""

import argparse

from sycllint.cli.parser import configs_of, paths_of
from sycllint.cli.terminal import write
from sycllint.pipeline.examination import DoctorSection, examination
from sycllint.report.json import Json, written
from sycllint.report.terminal.display import aligned, printable


def run(arguments: argparse.Namespace) -> int:
    """Print the page; whatever is wrong with the settings is an error, as it would be for ``check``."""
    found = examination(paths_of(arguments), configs_of(arguments))
    document: Json = {
        section.title: [
            {"subject": each.subject, "found": each.found, "missing": each.missing or None} for each in section.facts
        ]
        for section in found
    }
    write(written(document) if arguments.json else _page(found))
    return 0


def _page(sections: tuple[DoctorSection, ...]) -> str:
    """The facts by section, then what is missing."""
    blocks = []
    for section in sections:
        rows = aligned([(f"  {each.subject}", each.found) for each in section.facts])
        blocks.append([section.title, *rows])
    missing = [f"  {each.subject}: {each.missing}" for section in sections for each in section.facts if each.missing]
    blocks.append(["missing", *(missing or ["  nothing"])])
    return "\n\n".join("\n".join(printable(line) for line in block) for block in blocks) + "\n"
