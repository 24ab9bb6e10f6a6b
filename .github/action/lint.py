"""What the action runs: ``sycllint check`` with the inputs of the step, and the step's outputs."""

import json
import os
import shlex
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

SEVERITIES = ("error", "warning", "note")


def words(text: str) -> list[str]:
    """The words of an input, separated by blanks and line ends; quotes hold one together, backslashes are letters."""
    lexer = shlex.shlex(text, posix=True)
    lexer.whitespace_split = True
    lexer.commenters = lexer.escape = ""
    return list(lexer)


def main(inputs: Mapping[str, str]) -> int:
    """Lint; the exit code is that of sycllint."""
    annotations = inputs["ANNOTATIONS"]
    if annotations not in ("github", "matcher"):
        print(f"::error::annotations is github or matcher, not {annotations}")
        return 2
    report = Path(inputs["RUNNER_TEMP"], "sycllint-report.json")
    report.unlink(missing_ok=True)
    options = [*words(inputs["ARGS"]), "-f", f"json:{report}", "-f"]
    options.append("github" if annotations == "github" else "concise")
    options += ["-f", f"sarif:{inputs['SARIF']}"] if inputs["SARIF"] else []
    options += ["--summary"] if inputs["SUMMARY"] == "true" else []
    if annotations == "matcher":
        print(f"::add-matcher::{inputs['SOURCE']}/.github/sycllint-matcher.json", flush=True)
    code = subprocess.run(["sycllint", "check", *options, "--", *words(inputs["PATHS"])], check=False).returncode
    if annotations == "matcher":
        for severity in SEVERITIES:
            print(f"::remove-matcher owner=sycllint-{severity}::")
    told = {"exit-code": str(code), "sarif": inputs["SARIF"] if report.exists() else "", **counts(report)}
    with open(inputs["GITHUB_OUTPUT"], "a", encoding="utf-8") as stream:
        stream.writelines(f"{name}={value}\n" for name, value in told.items())
    return code


def counts(report: Path) -> dict[str, str]:
    """Findings by severity; empty when nothing was linted."""
    if not report.exists():
        return {f"{severity}s": "" for severity in SEVERITIES}
    found = [each["severity"] for each in json.loads(report.read_text(encoding="utf-8"))["diagnostics"]]
    return {f"{severity}s": str(found.count(severity)) for severity in SEVERITIES}


if __name__ == "__main__":
    sys.exit(main(os.environ))
