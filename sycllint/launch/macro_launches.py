"""The launches written in a file, with those that macros write inside its functions, wherever these are defined."""

from collections.abc import Mapping, Sequence

from sycllint.cpp.names import LAUNCHING, LAUNCHING_FREELY
from sycllint.cpp.place import Place, used_at
from sycllint.cpp.statement import Block, Function, Macro, Struct
from sycllint.facts.file import FileFacts
from sycllint.facts.submissions import Submission, may_be_sycl_launch, submission
from sycllint.launch.braced_arguments import with_braced_arguments
from sycllint.launch.call_places import call_places
from sycllint.symbols.unit import Unit, sycl_names
from sycllint.values.evaluate import Evaluator


def possible_launches(facts: FileFacts, evaluator: Evaluator) -> list[Submission]:
    """The calls in a file that may launch a kernel of SYCL's, in the order of the file."""
    known = evaluator.facts.once(_PossibleLaunches)
    if known.written is None:
        known.written = _written_by_macros(evaluator)
    found = known.by_file.get(facts.unit)
    if found is None:
        aliases = evaluator.facts.once(sycl_names)
        every = [*facts.submissions, *known.written.get(facts.unit, ())]
        launches = (each for each in every if may_be_sycl_launch(each, aliases))
        found = [each if each.use is None else with_braced_arguments(each, evaluator.facts) for each in launches]
        found.sort(key=offset)
        known.by_file[facts.unit] = found
    return found


class _PossibleLaunches:
    """Those of a unit, as far as they were asked for: kept as long as what is known of it by identity."""

    def __init__(self, _: Unit) -> None:
        self.written: Mapping[Block, Sequence[Submission]] | None = None
        """What macros write, by file of the outermost use."""
        self.by_file: dict[Block, list[Submission]] = {}


def offset(launch: Submission) -> int:
    """Where a launch stands in its file: one that a macro writes, where the macro is used."""
    use = used_at(launch.use).node if launch.use is not None else None
    return launch.start if use is None else getattr(use, "start", launch.start)


def _written_by_macros(evaluator: Evaluator) -> Mapping[Block, Sequence[Submission]]:
    """By file of the outermost use, the launches that macros write but those of a file's own facts.

    These are of a macro that is used in the file that defines it.
    """
    found: dict[Block, list[Submission]] = {}
    file_at = evaluator.facts.file_at
    for name in sorted(LAUNCHING | LAUNCHING_FREELY):
        for place in call_places.of(evaluator).in_macros(name):
            use = next(each.outer for each in place.within() if isinstance(each.node, Macro))
            outermost = used_at(place)
            home = file_at(outermost)
            if (use is outermost and home is file_at(place)) or _is_in_function_written(place, outermost):
                continue
            made = submission(place, False, use)
            if made is not None:
                found.setdefault(home.unit, []).append(made)
    return found


def _is_in_function_written(place: Place, outermost: Place) -> bool:
    """Whether a macro that is used outside all functions writes the function around a launch: see ``generated``."""
    if any(isinstance(node, Struct | Function) for node in outermost.chain()):
        return False
    return any(isinstance(node, Function) for node in place.chain())
