"""A translation unit: a file and the files it includes, with one index over all their declarations."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property
from types import MappingProxyType
from typing import Generic, TypeVar, cast

from sycllint.builds.settings import Choice
from sycllint.cpp.node import Node
from sycllint.cpp.place import Place, macros_around
from sycllint.cpp.statement import (
    Alias,
    Block,
    Enum,
    Enumerator,
    Function,
    If,
    Include,
    Macro,
    Namespace,
    NamespaceAlias,
    Struct,
    UsingName,
    Variable,
)
from sycllint.facts.file import Declared, FileFacts
from sycllint.facts.leading import sycl_aliases
from sycllint.facts.postings import FileSet, Postings
from sycllint.record import replace
from sycllint.source.span import Location

Kind = TypeVar("Kind", bound=Node)
Made = TypeVar("Made")

_WORD = re.compile(r"[A-Za-z_]\w*")
_CONSTEXPR = re.compile(rb"if\s+constexpr\b")


class DeclarationIndex(Generic[Kind]):
    """Declarations by unqualified name, over several files in order."""

    def __init__(self, kind: str, files: FileSet) -> None:
        """``kind``: the mapping of ``FileFacts`` that holds the declarations."""
        self._kind = kind
        self._files = files
        self._names = files.declared(kind)
        """Those of other files of the run among them: most that are asked for are not even there."""
        self._found: dict[str, tuple[Declared[Kind], ...]] = {}

    def get(self, name: str) -> tuple[Declared[Kind], ...]:
        """Every declaration of ``name``; empty when there is none."""
        if name not in self._names:
            return ()
        found = self._found.get(name)
        if found is None:
            holding = self._files.declaring(self._kind, name)
            found = self._found[name] = tuple([each for facts in holding for each in getattr(facts, self._kind)[name]])
        return found

    def __contains__(self, name: str) -> bool:
        return name in self._names and bool(self.get(name))

    def values(self) -> Iterator[tuple[Declared[Kind], ...]]:
        """The declarations of each name of each file."""
        for facts in self._files.files:
            yield from getattr(facts, self._kind).values()


class Unit:
    """One file with what it includes. ``positions`` orders the files as the preprocessor meets them.

    A position is the offsets of the include directives that lead to a place, then the offset in its file; compared
    element by element, positions follow the order of the preprocessed text.
    """

    def __init__(
        self,
        files: Sequence[FileFacts],
        positions: Mapping[str, tuple[int, ...]] | None = None,
        included: Callable[[Include], FileFacts | None] = lambda _: None,
        *,
        settings_known: bool = False,
        whole_program: bool = False,
        choices: Mapping[str, Choice] = MappingProxyType({}),
        postings: Postings | None = None,
        outside: Callable[[str], Sequence[bytes] | None] = lambda _: (),
    ) -> None:
        """``postings``: of the run."""
        self.named = FileSet(files, postings)
        """The files by the names they hold."""
        self.files = self.named.files
        self.main = self.files[0]
        """The file that is looked at."""
        self.settings_known = settings_known
        """The build's own macros are known, so that a macro without a visible definition is not defined."""
        self.whole_program = whole_program
        """The unit holds ``main``: its functions have no callers elsewhere."""
        self.choices = choices
        """Macros that the build defines in one way or another."""
        self.outside = outside
        """The contents of files of the project that include a file of the unit, given its path, and are not in it.

        ``None`` where there are too many.
        """
        self._positions = dict(positions or {})
        self._included = included
        self._put_in_place: dict[Include, FileFacts] = {}
        self._made: dict[object, object] = {}
        self._of_blocks: dict[Node, FileFacts] = {each.unit: each for each in self.files}
        """Files by their own block and by blocks in them."""
        self.functions: DeclarationIndex[Function] = DeclarationIndex("functions", self.named)
        self.structs: DeclarationIndex[Struct] = DeclarationIndex("structs", self.named)
        self.templates: DeclarationIndex[Struct] = DeclarationIndex("templates", self.named)
        self.variables: DeclarationIndex[Variable] = DeclarationIndex("variables", self.named)
        self.enumerators: DeclarationIndex[Enumerator] = DeclarationIndex("enumerators", self.named)
        self.aliases: DeclarationIndex[Alias] = DeclarationIndex("aliases", self.named)
        self.macros: DeclarationIndex[Macro] = DeclarationIndex("macros", self.named)
        self.enums: DeclarationIndex[Enum] = DeclarationIndex("enums", self.named)
        self.spaces: DeclarationIndex[Namespace] = DeclarationIndex("spaces", self.named)
        self.renamed: DeclarationIndex[NamespaceAlias] = DeclarationIndex("renamed", self.named)
        self.introduced: DeclarationIndex[UsingName] = DeclarationIndex("introduced", self.named)

    @cached_property
    def namespaces(self) -> Mapping[str, str]:
        """Namespace aliases of all files."""
        return {name: target for each in self.files for name, target in each.namespaces.items()}

    @property
    def using(self) -> frozenset[str]:
        """Namespaces named by using directives."""
        return self.once(_using)

    @cached_property
    def is_settled(self) -> bool:
        """Whether each branch of conditionals that split statements is known."""
        return not any(each.unsettled for each in self.files)

    @cached_property
    def has_goto(self) -> bool:
        """Whether statements may run in another order than they are written in."""
        return self.spells(b"goto")

    def once(self, make: Callable[["Unit"], Made]) -> Made:
        """What ``make``, a function of a module, makes of the files whichever is looked at: once for all of them."""
        if make not in self._made:
            self._made[make] = make(self)
        return cast("Made", self._made[make])

    def spells(self, word: bytes) -> bool:
        """Whether these bytes stand anywhere in the text of the files."""
        spelled = self.once(_nothing_spelled)
        found = spelled.get(word)
        if found is None:
            found = spelled[word] = self.named.spells(word)
        return found

    @cached_property
    def _macro_files(self) -> Mapping[int, FileFacts]:
        return {id(each.node): facts for facts in self.files for declared in facts.macros.values() for each in declared}

    def file_at(self, place: Place | None) -> FileFacts:
        """The file in which the innermost code around ``place`` is written."""
        if len(self.files) == 1:
            return self.main
        innermost: Node | None = None
        current, found = place, None
        while current is not None:
            node = current.node
            kind = type(node)
            if kind is Block:
                found = self._of_blocks.get(node)
                if found is not None:
                    break
                innermost = innermost or node
            elif kind is Macro:
                found = self._macro_files.get(id(node))
                if found is not None:
                    break
                innermost = None  # the text of a macro stands in several places
            current = current.outer
        found = self.main if found is None else found
        if innermost is not None and current is not None and type(current.node) is Block:
            self._of_blocks[innermost] = found
        return found

    def location(self, node: Node, place: Place) -> Location:
        """Where ``node``, in the code at ``place``, is written."""
        start = getattr(node, "start", 0)
        return self.file_at(place).location(start, getattr(node, "end", start))

    def content_at(self, place: Place) -> bytes | None:
        """The text of that file; ``None`` inside the body of a macro, which may be written in no file."""
        is_repeated = place.enclosing.is_repeated
        is_of_macro = is_repeated and any(macros_around(place))
        return None if is_of_macro else self.file_at(place).content

    @property
    def macro_words(self) -> frozenset[str]:
        """Names that the macros of the unit write where they are used."""
        return self.once(_macro_words)

    def defines(self, function: str) -> bool:
        """Whether the body of a function of this unqualified name is visible."""
        return any(each.node.body is not None for each in self.functions.get(function))

    def is_constexpr(self, branch: If, place: Place) -> bool:
        """Whether an ``if`` at ``place`` is one that the compiler decides; unknown in a macro's text, so not there."""
        content = self.content_at(place)
        return content is not None and _CONSTEXPR.match(content, branch.start) is not None

    def calls(self, name: str) -> bool:
        """Whether a function of this name, qualified or not, is called anywhere in the unit."""
        last = name.rpartition("::")[2]
        return any(last in each.calls for each in self.named.may_call(last))

    def position(self, facts: FileFacts, offset: int) -> tuple[int, ...]:
        """Where a place stands in the order of the whole unit."""
        return (*self._positions.get(facts.path, ()), offset)

    def included(self, node: Include) -> FileFacts | None:
        """The file an include directive brings in, when it belongs to the project."""
        return self._put_in_place.get(node) or self._included(node)

    def put_in_place(self, node: Include, block: Block, facts: FileFacts) -> None:
        """Read ``block``, of the file of ``facts``, where the text of a macro has ``node``."""
        self._put_in_place[node] = replace(facts, unit=block, damaged=())
        self._of_blocks[block] = facts


def _nothing_spelled(_: Unit) -> dict[bytes, bool]:
    return {}


def _using(unit: Unit) -> frozenset[str]:
    return frozenset().union(*(each.using for each in unit.files))


def _macro_words(unit: Unit) -> frozenset[str]:
    return frozenset().union(*(each.once(_written_by_macros) for each in unit.files))


def _written_by_macros(facts: FileFacts) -> frozenset[str]:
    words: set[str] = set()
    for declared in facts.macros.values():
        for each in declared:
            words.update(set(_WORD.findall(each.node.text)).difference(each.node.parameters or ()))
    return frozenset(words)


def sycl_names(unit: Unit) -> frozenset[str]:
    """The names by which a unit may call functions of SYCL's namespaces (see ``sycl_aliases``)."""
    return sycl_aliases(unit.files)
