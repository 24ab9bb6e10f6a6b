"""Variables of a kernel that somebody else may change: what is known of their uniformity ends there.

A reference or an address that is given away lets others change a variable, once or at any time from then on: functions
of the C++ library, objects of classes out of sight, lambdas that are kept, atomic references, assembly.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from sycllint.cpp.expression import Binary, Brace, Call, Conditional, Expr, Index, Lambda, Member, Name, Type
from sycllint.cpp.node import Node, walk
from sycllint.cpp.place import Place
from sycllint.cpp.statement import CONST, Variable
from sycllint.kernel.controls import Names
from sycllint.kernel.levels import UNKNOWN
from sycllint.kernel.library import is_library_type
from sycllint.values.library import KEEPERS, SETTERS
from sycllint.values.lvalues import named, read
from sycllint.values.types import plain_type

if TYPE_CHECKING:
    from sycllint.kernel.flow import Walk

_PLACES = frozenset({Conditional, Index, Member, Name})
"""What a reference may be bound to."""


class Disclosed:
    """Those of one walk."""

    def __init__(self, around: Walk) -> None:
        self._walk = around
        self.shared: set[object] = set()
        """Variables that somebody has a reference to, by their declarations."""
        self._fixed: set[object] = set()
        """Those that are const."""

    def declared(self, variable: Variable) -> None:
        """A variable of the kernel."""
        if variable.type.constant or variable.flags & CONST:
            self._fixed.add(id(variable))

    def changed(self, target: Expr, names: Names) -> None:
        """Something that is not followed writes to ``target``."""
        self._forget(named(target), names)

    def kept(self, written: Expr, names: Names) -> None:
        """Somebody may change what is written, or what a lambda changes, at any time from here on."""
        if isinstance(written, Lambda):
            self.run(written, names)
        elif isinstance(written, Name) and written.text in names.closures:
            function, _, around = names.closures[written.text]
            self.run(function, around)
        elif type(written) in _PLACES:
            self._share(named(written), names)

    def run(self, function: Lambda, names: Names) -> None:
        """A lambda that may run at any time."""
        changed = {each.lstrip("&*") for each in self._walk.evaluator.mutations.of(function)}
        self._share(changed, names)

    def given_to(self, call: Call, last: str, names: Names) -> None:
        """What a function of the C++ library takes by reference to change it, or to keep it."""
        for each in call.arguments:
            if last in KEEPERS or isinstance(each, Lambda) or (isinstance(each, Name) and each.text in names.closures):
                self.kept(each, names)
            elif last in SETTERS:
                self.changed(each, names)

    def streamed(self, expression: Binary, names: Names) -> None:
        """``in >> a >> b;``."""
        self._forget(read(expression), names)

    def inside(self, node: Node, names: Names) -> None:
        """Assembly writes to its operands."""
        self._forget((each.text for each in walk(node) if isinstance(each, Name)), names)

    def made(self, variable: Variable, place: Place, names: Names) -> bool:
        """Whether a variable is an object of a class out of sight, which may keep references to its arguments."""
        if variable.style not in ("(", "{") or not self._is_out_of_sight(variable.type, place):
            return False
        for each in variable.arguments:
            self.kept(each, names)
        return True

    def made_here(self, node: Brace, place: Place, names: Names) -> bool:
        """Likewise of a temporary object."""
        if not isinstance(node.type, Name) or not self._is_out_of_sight(plain_type(node.type), place):
            return False
        for each in node.elements:
            self.kept(each, names)
        return True

    def _is_out_of_sight(self, kind: Type, place: Place) -> bool:
        if kind.pointers or kind.reference:
            return False
        resolved = self._walk.evaluator.types.kind(kind.name, place)
        return resolved.struct is None and not is_library_type(resolved, self._walk.facts.namespaces)

    def _forget(self, texts: Iterable[str], names: Names) -> None:
        state = self._walk.state
        for text in texts:
            key = names.keys.get(text)
            if key is None or state is None or key in self._fixed:
                continue
            content = state.contents.get(key, UNKNOWN)
            if content.memory is None:
                state.contents[key] = UNKNOWN

    def _share(self, texts: Iterable[str], names: Names) -> None:
        texts = tuple(texts)
        self._forget(texts, names)
        for text in texts:
            key = names.keys.get(text)
            if key is not None and key not in self._fixed:
                self.shared.add(key)
