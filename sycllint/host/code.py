"""What an analysis of host code is given."""

from sycllint.facts.file import FileFacts
from sycllint.launch.kernel import KernelLaunch
from sycllint.record import record
from sycllint.values.evaluate import Evaluator


@record
class HostCode:
    """One file of a translation unit, with the launches that are written in it."""

    evaluator: Evaluator
    facts: FileFacts
    launches: tuple[KernelLaunch, ...]
