"""Data members that only ever hold the device's largest work-group: set in constructors, initialisers and functions."""

from __future__ import annotations

import re
from collections.abc import Iterator

from sycllint.cpp.expression import Assign, Brace, Call, Cast, Expr, Member, Name, Unary
from sycllint.cpp.node import Node, children
from sycllint.cpp.statement import Function, Return, Struct
from sycllint.facts.file import FileFacts
from sycllint.launch.kernel import KernelLaunch
from sycllint.memoized import memoized
from sycllint.record import NamedTuple
from sycllint.source.span import Location
from sycllint.symbols.unit import Unit
from sycllint.values.value import Parameter, Symbolic, Term, Unknown, Value, known

QUERY = "max_work_group_size"
MAX_FILES = 24
"""Files of a unit that are searched for what sets a member."""
_WRITING = frozenset({"++", "--", "&"})
_RESULT = re.compile(r"(\w+)\(\)@")
_OF_CLASS = re.compile(r"(\w+) is a member of (\w+)")


class _DataMember(NamedTuple):
    """A data member; ``owner`` is the name of its class, empty where that is not known."""

    name: str
    owner: str


class MemberMaxima:
    """Answers for the files of one unit, each member looked for once."""

    def __init__(self, unit: Unit) -> None:
        self._unit = unit

    def query(self, launch: KernelLaunch) -> Location | None:
        """Where the device was asked, when one extent of the local range is such a member and the others are 1."""
        extents = launch.local_range.extents if launch.local_range is not None else ()
        wide = [each for each in extents if known(each) != 1]
        if len(wide) != 1 or not self._unit.spells(QUERY.encode()):
            return None
        field = self._field(wide[0])
        return self._searched(field) if field is not None else None

    def _field(self, extent: Value) -> _DataMember | None:
        """The member that an extent is; ``None`` for what is none."""
        match extent:
            case Symbolic(terms=(Term(atoms=(Parameter(asked="", key=key, reason=reason, text=text),), factor=1),)):
                pass
            case Unknown(reason=reason):
                key = text = ""
            case _:
                return None
        of_class, returned = _OF_CLASS.fullmatch(reason), _RESULT.match(key)
        if of_class:
            return _DataMember(of_class[1], of_class[2])
        if returned:
            return self._returned(returned[1])
        name = re.split(r"\.|->", text)[-1]
        return _DataMember(name, "") if name else None

    def _returned(self, method: str) -> _DataMember | None:
        """The member that the only method of a name returns, which does nothing else."""
        found = self._unit.functions.get(method)
        body = found[0].node.body if len(found) == 1 else None
        match body.statements if body is not None else ():
            case (Return(value=Name(text=text)),) if found[0].scope:
                return _DataMember(text, found[0].scope[-1])
            case _:
                return None

    @memoized
    def _searched(self, field: _DataMember) -> Location | None:
        """The query, when each text that sets the member is one; of an unknown class, when one class has such."""
        files = [each for each in self._unit.files if field.name.encode() in each.content]
        if len(files) > MAX_FILES:
            return None
        queries: list[Location] = []
        declared = 0
        for facts in files:
            for node, owner in _owned(facts.unit, ""):
                if isinstance(node, Struct) and field.owner in ("", owner):
                    declared += any(each.name == field.name for each in node.variables)
                for value in _set_by(node, field, owner):
                    asked = _asked(value) if value is not None else None
                    if asked is None:
                        return None
                    queries.append(_location(facts, asked))
        return queries[0] if queries and declared == 1 else None


def _owned(root: Node, owner: str) -> Iterator[tuple[Node, str]]:
    """A node and those in it, each with the name of the class around it or whose method it is in."""
    waiting = [(root, owner)]
    while waiting:
        node, owner = waiting.pop()
        match node:
            case Struct(name=name):
                owner = name
            case Function(name=name) if "::" in name:
                owner = name.split("::")[-2]
            case _:
                pass
        yield node, owner
        waiting.extend((each, owner) for each in children(node))


def _location(facts: FileFacts, call: Call) -> Location:
    return facts.location(call.start, call.end)


def _set_by(node: Node, field: _DataMember, owner: str) -> Iterator[Expr | None]:
    """The values ``node`` sets the member to, matched by name and class; ``None`` for a value that is not followed."""
    is_own = field.owner in ("", owner)
    match node:
        case Function(initializers=initializers) if is_own:
            for each, arguments in initializers:
                if each == field.name:
                    yield arguments[0] if len(arguments) == 1 else None
        case Struct() if is_own:
            for variable in node.variables:
                if variable.name == field.name and variable.arguments:
                    yield variable.arguments[0] if len(variable.arguments) == 1 else None
        case Assign(operator=operator, left=left, right=right) if _names(left, field, is_own=is_own):
            yield right if operator == "=" else None
        case Unary(operator=operator, operand=operand) if operator in _WRITING:
            if _names(operand, field, is_own=is_own):
                yield None
        case _:
            return


def _names(expression: Expr, field: _DataMember, *, is_own: bool) -> bool:
    match expression:
        case Name(text=text):
            return is_own and text == field.name
        case Member(object=Name(text="this"), name=last):
            return is_own and last == field.name
        case Member(name=last):
            return last == field.name
        case _:
            return False


def _asked(value: Expr) -> Call | None:
    """The query that a value is: as it stands, converted, or made a range of one dimension."""
    match value:
        case Cast(operand=operand):
            return _asked(operand)
        case Brace(elements=(only,)):
            return _asked(only)
        case Call(function=Name(last="range"), arguments=(only,)):
            return _asked(only)
        case Call(function=Member(name="get_info", arguments=(Name() as asked,)), arguments=()):
            return value if asked.last == QUERY and asked.qualifier.rpartition("::")[2] == "device" else None
        case _:
            return None
