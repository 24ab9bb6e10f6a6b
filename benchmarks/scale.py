"""What linting a folder costs: ``python benchmarks/scale.py DIR...`` prints a line for each.

Files and bytes of C++, processor time of one process without the cache, bytes a second, peak memory, findings. The
processor's time, not the clock's, so that other work on the machine weighs little.
"""

import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from sycllint.source.files import find_files


def main(folders: list[str]) -> None:
    """Measure each folder and print its line."""
    print(
        f"{'folder':<32} {'files':>6} {'MB':>7} {'CPU s':>7} {'clock s':>7} {'kB/s':>7} {'peak MB':>7} {'findings':>8}"
    )
    for folder in folders:
        paths = [each.path for each in find_files([folder]).files]
        size = sum(os.stat(each).st_size for each in paths)
        with tempfile.TemporaryDirectory() as place:
            report = Path(place, "report.json")
            options = ["--isolated", "--no-cache", "--jobs=1", "--quiet", "--target=tgl", f"--format=json:{report}"]
            before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
            subprocess.run([sys.executable, "-m", "sycllint", "check", *options, folder], check=False)
            after, end = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
            findings = len(json.loads(report.read_text())["diagnostics"])
        taken = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        print(
            f"{Path(folder).name:<32} {len(paths):>6} {size / 1e6:>7.1f} {taken:>7.1f} {end - start:>7.1f} "
            f"{size / 1e3 / taken:>7.0f} {after.ru_maxrss / 1e3:>7.0f} {findings:>8}",
            flush=True,
        )


if __name__ == "__main__":
    main(sys.argv[1:])
