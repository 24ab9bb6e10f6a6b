"""FileFacts: all that later stages need to know of one file."""

from collections.abc import Callable, Mapping
from typing import Generic, TypeVar, cast

from sycllint.cpp.node import Node
from sycllint.cpp.place import Place
from sycllint.cpp.statement import (
    Alias,
    Block,
    Enum,
    Enumerator,
    Function,
    Include,
    Macro,
    Namespace,
    NamespaceAlias,
    Struct,
    UsingName,
    UsingNamespace,
    Variable,
)
from sycllint.facts.regions import TargetRegion
from sycllint.facts.submissions import Submission
from sycllint.record import field, record
from sycllint.source.span import Location, Span
from sycllint.syntax.conditionals import Unsettled

Kind = TypeVar("Kind", bound=Node, covariant=True)
Made = TypeVar("Made")


@record
class Declared(Generic[Kind]):
    """A declaration outside function bodies, and what is around it."""

    node: Kind
    place: Place
    """The place of ``node`` itself."""

    @property
    def scope(self) -> tuple[str, ...]:
        """Names of the namespaces, classes and enumerations around it, outermost first; anonymous ones are left out."""
        outer = self.place.outer
        if outer is None:
            return ()
        names = [each.name for each in outer.chain() if isinstance(each, Namespace | Struct | Enum) and each.name]
        names.reverse()
        return tuple(name for name in names if name != "extern")


@record
class MacroUse:
    """The use of a macro outside all functions, which looks like a call."""

    name: str
    span: Span
    place: Place


@record
class FileFacts:
    """One file as written. The mappings go from an unqualified name to its declarations, in source order."""

    path: str
    content: bytes
    unit: Block
    submissions: tuple[Submission, ...]
    macros: Mapping[str, tuple[Declared[Macro], ...]]
    functions: Mapping[str, tuple[Declared[Function], ...]]
    structs: Mapping[str, tuple[Declared[Struct], ...]]
    templates: Mapping[str, tuple[Declared[Struct], ...]]
    """Class templates that are declared and not defined, in each of their declarations."""
    variables: Mapping[str, tuple[Declared[Variable], ...]]
    enumerators: Mapping[str, tuple[Declared[Enumerator], ...]]
    aliases: Mapping[str, tuple[Declared[Alias], ...]]
    enums: Mapping[str, tuple[Declared[Enum], ...]]
    spaces: Mapping[str, tuple[Declared[Namespace], ...]]
    """Each opening of each namespace; anonymous ones have the empty name."""
    renamed: Mapping[str, tuple[Declared[NamespaceAlias], ...]]
    """Namespace aliases outside function bodies."""
    introduced: Mapping[str, tuple[Declared[UsingName], ...]]
    """Using declarations outside function bodies, by the last component of what they name."""
    directives: tuple[Declared[UsingNamespace], ...]
    """Using directives outside function bodies."""
    namespaces: Mapping[str, str]
    """Namespace aliases anywhere in the file."""
    using: frozenset[str]
    """Namespaces named by a using directive anywhere in the file."""
    includes: tuple[Include, ...]
    uses: tuple[MacroUse, ...]
    """Calls that are statements outside all functions, and calls among their arguments."""
    calls: Mapping[str, tuple[Span, ...]]
    """Calls of functions, by unqualified name."""
    damaged: tuple[Span, ...]
    """The places that do not parse."""
    unsettled: tuple[Unsettled, ...]
    """Conditionals of which one branch had to be chosen to parse the file, and the names that depend on the choice."""
    regions: tuple[TargetRegion, ...] = ()
    """OpenMP target regions."""
    origin: Span | None = None
    """The use of a macro that wrote this text; ``None`` for a file as it is on the disk."""
    made: dict[object, object] = field(default_factory=dict, init=False, compare=False, repr=False)
    """Results of ``once``."""

    def once(self, make: Callable[["FileFacts"], Made]) -> Made:
        """What ``make``, a function of a module, makes of the file alone: once, however many units hold the file."""
        if make not in self.made:
            self.made[make] = make(self)
        return cast("Made", self.made[make])

    def location(self, start: int, end: int) -> Location:
        """A span of the file; what a macro wrote is where the macro is used."""
        return Location(self.path, self.origin or Span(start, end))
