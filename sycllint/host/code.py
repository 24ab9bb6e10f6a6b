"""What an analysis of host code is given."""

from dataclasses import dataclass

from sycllint.facts.file import FileFacts
from sycllint.launch.kernel import KernelLaunch
from sycllint.values.evaluate import Evaluator


@dataclass(frozen=True, slots=True)
class HostCode:
    """One file of a translation unit, with the launches that are written in it."""

    evaluator: Evaluator
    facts: FileFacts
    launches: tuple[KernelLaunch, ...]
