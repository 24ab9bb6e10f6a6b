"""Private data members that no code but their class's constructors sets: what they are holds for every object."""

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
from sycllint.values.objects import Result
from sycllint.values.value import Known, OneOf, Unknown

if TYPE_CHECKING:
    from sycllint.values.interface import Evaluation

_ACCESS = re.compile(rb"\b(public|protected|private)\s*:(?!:)")


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
        fields = self._classes.fields(struct)
        if fields is None or member not in fields.variables or member in fields.disturbed:
            return None
        variable = fields.variables[member]
        if variable.type.reference or variable.type.pointers or not self._is_private(struct, fields, variable):
            return None
        if not all(self._leaves(each, struct, member, fields) for each in self._methods.all(struct)):
            return None
        evaluator = self._evaluator
        way, free, evaluator.frame, evaluator.free = evaluator.frame, evaluator.free, None, {}
        made = self._making.in_any(struct, fields, member)
        hangs, evaluator.frame, evaluator.free = bool(evaluator.free), way, free
        known: list[Result] = [each for each in made if each is not None and _is_evident(each, hangs)]
        return (
            evaluator.joined(known)
            if known and len(known) == len(made) and not any(each is UNSET for each in made)
            else None
        )

    def _leaves(self, method: Function, struct: Declared[Struct], member: str, fields: Fields) -> bool:
        """Whether a method sets the member of no object but, in a constructor, of the one it makes."""
        if method.name.startswith("~"):
            return True
        is_constructor = method.name == named_last(struct)
        if is_constructor and method not in fields.constructors:
            # Defaulted, or deleted.
            return True
        found = self._methods.defined(method, struct)
        if found is None:
            return not is_constructor and self._methods.only_reads(method, struct)
        if any(_is_of_another(each, member) for each in walk(found.node)):
            return False
        return is_constructor or bool(method.flags & STATIC) or self._methods.keeps(method, struct, member)

    def _is_private(self, struct: Declared[Struct], fields: Fields, variable: Variable) -> bool:
        """Whether only the class's own functions may name a data member."""
        members = struct.node.members
        content = self._evaluator.facts.content_at(fields.place)
        if content is None or b"friend" in content[members.start : members.end]:
            return False
        name = variable.name.encode()
        inner = (each for each in members.statements if isinstance(each, Struct))
        if any(name in content[each.start : each.end] for each in inner):
            return False
        access, end = (b"private" if struct.node.keyword == "class" else b"public"), members.start
        for each in members.statements:
            written = _ACCESS.findall(content, end, max(each.start, end))
            access = written[-1] if written else access
            if each.start <= variable.start < each.end:
                return access == b"private"
            end = max(end, each.end)
        return False


def _is_of_another(node: Node, member: str) -> bool:
    """Whether a node is a member of this name of an object that is written."""
    return (
        isinstance(node, Member)
        and node.name == member
        and not (isinstance(node.object, Name) and node.object.text == "this")
    )


def _is_evident(made: Result, hangs: bool) -> bool:
    """Whether a value says something of each object, where it may depend on what a constructor is given."""
    if not hangs:
        return not isinstance(made, Unknown)
    return isinstance(made, Scalar) and isinstance(made.value, Known | OneOf)
