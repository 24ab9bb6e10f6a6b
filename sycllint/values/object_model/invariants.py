"""Data members that no code but constructors sets: what they are holds for every object of a class.

They are private, or private to a class and what is derived from it.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from sycllint.cpp.expression import Member, Name
from sycllint.cpp.node import Node, walk
from sycllint.cpp.statement import STATIC, Function, Struct, Variable
from sycllint.facts.file import Declared
from sycllint.values.arithmetic import Scalar
from sycllint.values.object_model.fields import Classes, Fields, named_last
from sycllint.values.object_model.making import UNSET, Making
from sycllint.values.object_model.methods import Methods
from sycllint.values.objects import Instance, Result
from sycllint.values.value import Known, OneOf, Unknown

if TYPE_CHECKING:
    from sycllint.values.interface import Evaluation

_ACCESS = re.compile(rb"\b(public|protected|private)\s*:(?!:)")
_PUBLIC, _PRIVATE = b"public", b"private"


class Invariants:
    """Answers for one evaluator, each found once."""

    def __init__(self, evaluator: Evaluation, classes: Classes, methods: Methods, making: Making) -> None:
        self._evaluator = evaluator
        self._classes = classes
        self._methods = methods
        self._making = making
        self._known: dict[tuple[int, str], Result | None] = {}

    def of(self, struct: Declared[Struct], member: str) -> Result | None:
        """What a data member is in each object of a class, at any time; ``None`` where that is not evident.

        Where constructors differ, it is one of several.
        """
        key = (id(struct.node), member)
        if key not in self._known:
            # A member that is made from itself has no value.
            self._known[key] = None
            self._known[key] = self._found(struct, member)
        return self._known[key]

    def _found(self, struct: Declared[Struct], member: str) -> Result | None:
        home = self._making.home(struct, member)
        fields = self._classes.fields(home) if home is not None else None
        if home is None or fields is None or member in fields.disturbed:
            return None
        variable = fields.variables[member]
        if variable.type.reference or variable.type.pointers or not self._is_private(home, fields, variable):
            return None
        setting = [each for each in self._methods.all(home) if not self._leaves(each, home, member, fields)]
        is_derived = home.node is not struct.node
        if setting and not (is_derived and self._only_derived_set(setting, struct, home, fields, member)):
            return None
        evaluator = self._evaluator
        way, free, evaluator.frame, evaluator.free = evaluator.frame, evaluator.free, None, {}
        by_any = self._making.inherited_in_any(struct, home, member) if is_derived else None
        made = [self._settled(each) for each in by_any or self._making.in_any(home, fields, member)]
        hangs, evaluator.frame, evaluator.free = bool(evaluator.free), way, free
        known: list[Result] = [each for each in made if each is not None and _is_evident(each, hangs)]
        return (
            evaluator.joined(known)
            if known and len(known) == len(made) and not any(each is UNSET for each in made)
            else None
        )

    def _settled(self, made: Result | None) -> Result | None:
        """An object whose members are what they are whatever a constructor of the class around it is given."""
        fields = self._classes.fields(made.struct) if isinstance(made, Instance) else None
        if not isinstance(made, Instance) or fields is None:
            return made
        written = list[tuple[str, Result]]()
        for name in fields.variables:
            value = self._evaluator.members.value(made, name)
            unknown = Unknown(f"the member {name}, which a constructor is given")
            written.append((name, value if value is not None and _is_evident(value, True) else unknown))
        return Instance(made.struct, (), made.point, None, made.bound, written=tuple(written))

    def _leaves(self, method: Function, struct: Declared[Struct], member: str, fields: Fields) -> bool:
        """Whether a method sets the member of no object but, in a constructor, of the one it makes."""
        if method.name.startswith("~"):
            return True
        is_constructor = method.name == named_last(struct)
        if (is_constructor or method.name == "operator=") and self._classes.is_settled(method, fields.place):
            # A copy has what the other object has.
            return True
        found = self._methods.defined(method, struct)
        if found is None and self._classes.is_pure(method, fields.place):
            # A method of a derived class, which overrides it, may not name the member.
            return True
        if found is None:
            return not is_constructor and self._methods.only_reads(method, struct)
        if any(_is_of_another(each, member) for each in walk(found.node)):
            return False
        return is_constructor or bool(method.flags & STATIC) or self._methods.keeps(method, struct, member)

    def _only_derived_set(
        self,
        setting: list[Function],
        struct: Declared[Struct],
        home: Declared[Struct],
        fields: Fields,
        member: str,
    ) -> bool:
        """Whether nothing but constructors of ``struct``, which is derived from ``home``, may call these methods of it.

        No class is derived from ``struct``.
        """
        own = self._classes.fields(struct)
        if own is None or any(self._access(home, fields, each.start) == _PUBLIC for each in setting):
            return False
        last = named_last(struct)
        structs = (each.node for found in self._evaluator.facts.structs.values() for each in found)
        if any(base.last == last for each in structs for base in each.bases):
            return False
        return all(self._leaves(each, struct, member, own) for each in self._methods.all(struct))

    def _is_private(self, struct: Declared[Struct], fields: Fields, variable: Variable) -> bool:
        """Whether only the class's own functions may name a data member."""
        content, name = self._evaluator.facts.content_at(fields.place), variable.name.encode()
        inner = [each for each in struct.node.members.statements if isinstance(each, Struct)]
        if content is None or any(name in content[each.start : each.end] for each in inner):
            return False
        return self._access(struct, fields, variable.start) == _PRIVATE

    def _access(self, struct: Declared[Struct], fields: Fields, offset: int) -> bytes:
        """Who may name the member of a class that is declared at ``offset``; everybody, where it has friends."""
        members = struct.node.members
        content = self._evaluator.facts.content_at(fields.place)
        if content is None or b"friend" in content[members.start : members.end]:
            return _PUBLIC
        access, end = (_PRIVATE if struct.node.keyword == "class" else _PUBLIC), members.start
        for each in members.statements:
            written = _ACCESS.findall(content, end, max(each.start, end))
            access = written[-1] if written else access
            if each.start <= offset < each.end:
                return access
            end = max(end, each.end)
        return _PUBLIC


def _is_of_another(node: Node, member: str) -> bool:
    """Whether a node is a member of this name of an object that is written."""
    return (
        isinstance(node, Member)
        and node.name == member
        and not (isinstance(node.object, Name) and node.object.text == "this")
    )


def _is_evident(made: Result, hangs: bool) -> bool:
    """Whether a value says something of each object, where it may depend on what a constructor is given."""
    if not hangs or isinstance(made, Instance):
        return not isinstance(made, Unknown)
    return isinstance(made, Scalar) and isinstance(made.value, Known | OneOf)
