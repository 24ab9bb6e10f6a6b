"""Lint repositories on a Dask cluster: python lint_repositories.py SCHEDULER REPORTS < addresses.txt

Each address becomes REPORTS/COMMIT.json, once; REPORTS is a folder that all workers see.
"""

import subprocess
import sys
import tempfile
from pathlib import Path


def lint(address: str, reports: str) -> str:
    """Clone a repository and keep the report on its newest commit; what became of it."""
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run(["git", "clone", "--quiet", "--depth=1", address, folder], check=True, timeout=600)
        commit = subprocess.check_output(["git", "rev-parse", "HEAD"], cwd=folder, text=True).strip()
        report = Path(reports, f"{commit}.json").absolute()
        if report.exists():
            return "known"
        written = Path(folder, ".git", "report.json")
        options = ["--isolated", "--jobs=1", "--no-cache", "--quiet", "--fail-on=never", f"--format=json:{written}"]
        code = subprocess.run(["sycllint", "check", *options], cwd=folder, check=False, timeout=3600).returncode
        if code not in (0, 3):
            raise RuntimeError(f"sycllint ended with {code}")
        report.with_suffix(".part").write_bytes(written.read_bytes())
        report.with_suffix(".part").replace(report)
        return "linted" if code == 0 else "linted in part"


if __name__ == "__main__":
    from dask.distributed import Client, as_completed

    cluster = Client(sys.argv[1])
    tasks = {cluster.submit(lint, each, sys.argv[2], retries=2): each for each in sys.stdin.read().split()}
    for task in as_completed(tasks):
        print(tasks[task], task.exception() or task.result(), sep="\t", flush=True)
