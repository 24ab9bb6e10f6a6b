"""Programs are compiled with the mock of SYCL in ``mock/`` and run, and their accesses to memory show what happened.

The mock runs a command where it is submitted, and its work-items one after the other. That is one of the orders that
SYCL allows; which accesses could meet in another one follows from groups, barriers, events and waits. Control flow that
depends on memory which other work-items change is therefore not for these programs. Each run is a process of its own,
and a program with a run that crashes or does not end is left out.
"""

import os
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

MOCK = Path(__file__).parent / "mock"
STANDARD = ("-std=c++20", "-w")
INSTRUMENTED = ("-O0", "-fpermissive", "-fwrapv", "-fsanitize=thread", f"-I{MOCK}")
"""Each access of the program calls a hook of the thread sanitizer, whose runtime is not linked."""
LINKED = "-Wl,--wrap=memset"


class ExecutionError(Exception):
    """There is no compiler, or it refuses a program."""


@dataclass(frozen=True, slots=True)
class Program:
    """One function with what it needs, and the calls to run it by. Each call is one run, with memory of its own."""

    text: str
    calls: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Launch:
    """One launch that was made: extents slowest dimension first, ``local`` empty where there is no work-group size."""

    line: int
    global_: tuple[int, ...]
    local: tuple[int, ...]


@dataclass(slots=True)
class Execution:
    """What happened in the runs of each program, and the launches of all."""

    runs: dict[int, list[frozenset[str]]] = field(default_factory=dict)
    """By the number of the program, if its runs all ended: the facts of each run, as ``mock/trace.cpp`` names them."""
    launches: list[Launch] = field(default_factory=list)


class Machine:
    """A C++ compiler (``$CXX``, or g++) and a folder for what it makes."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._compile(*STANDARD, "-O1", "-c", MOCK / "trace.cpp", "-o", folder / "trace.o")

    def run(self, programs: Path, calls: Sequence[Sequence[str]]) -> Execution:
        """Run the calls of each program of a file. They are in no file themselves, where sycllint would see them."""
        made = (f"  trace::run({number}, [&] {{ {call}; }});\n" for number, each in enumerate(calls) for call in each)
        main = f'#include "{programs}"\nint main() {{\n  sycl::queue q;\n{"".join(made)}}}\n'
        self._compile(*STANDARD, *INSTRUMENTED, "-c", "-x", "c++", "-", "-o", self.folder / "main.o", text=main)
        self._compile(LINKED, self.folder / "main.o", self.folder / "trace.o", "-o", self.folder / "main")
        printed = subprocess.run([self.folder / "main"], stdout=subprocess.PIPE, text=True, check=True).stdout
        found = Execution()
        for line in printed.splitlines():
            what, number, *rest = line.split()
            if what == "program":
                found.runs.setdefault(int(number), []).append(frozenset(rest))
            else:
                dims, *extents = map(int, rest)
                found.launches.append(Launch(int(number), tuple(extents[:dims]), tuple(extents[dims:])))
        found.runs = {program: runs for program, runs in found.runs.items() if len(runs) == len(calls[program])}
        return found

    def _compile(self, *arguments: str | Path, text: str = "") -> None:
        compiler = os.environ.get("CXX", "g++")
        try:
            subprocess.run([compiler, *arguments], input=text, capture_output=True, text=True, check=True)
        except FileNotFoundError:
            raise ExecutionError(f"no C++ compiler {compiler}: install g++, or name one in CXX") from None
        except subprocess.CalledProcessError as error:
            raise ExecutionError(f"{compiler} refuses the programs:\n{error.stderr[:2000]}") from None
