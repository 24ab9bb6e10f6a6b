"""Queues that are data members: those that every object of a class makes for itself, by what its constructors say."""

from __future__ import annotations

import re
from collections.abc import Sequence

from sycllint.cpp.expression import Call, Expr, Lambda, Member, Name, Type
from sycllint.cpp.statement import Function, Struct, Variable
from sycllint.facts.file import Declared, FileFacts
from sycllint.host.scopes.classes import field_of
from sycllint.host.scopes.queues import NameLookup, order_by
from sycllint.host.scopes.things import QueueOrder
from sycllint.memoized import memoized
from sycllint.symbols.scope import Scope as ClassScope
from sycllint.symbols.scope import ScopeKind
from sycllint.values.evaluate import Evaluator
from sycllint.values.memory import Memo

_SET = (
    rb"(?<![\w*&])(?<!\w\s)%b\s*=(?!=)|[(,={]\s*&\s*(?:this\s*->\s*)?%b\b(?!\s*[.\[-])"
    rb"|\b(?i:swap|tie|exchange|create|init|set|reset)\w*\s*\([^;()]*\b%b\b(?!\s*[.(-])"
)
"""A member is assigned, or may be by its address or a function that it is handed."""
_NOT_WRITTEN = re.compile(rb"[^;{}]*\)\s*(?:noexcept\s*)?=\s*(default|delete)\s*;")
_MOST_BEFORE = 40
"""Bytes before a name in which it is said of which object it is a member."""
_ACCESS = re.compile(rb"\b(public|protected|private)\s*:(?!:)")


class MemberQueues:
    """Answers for one evaluator, each found once."""

    def __init__(self, evaluator: Evaluator) -> None:
        self._unit = evaluator.facts
        self._symbols = evaluator.symbols
        self._types = evaluator.types

    def order(self, around: ClassScope, name: str) -> QueueOrder | None:
        """The order of the queue that each object of a class around has made for itself; ``None`` for another's."""
        for scope in around.outwards():
            if scope.kind is ScopeKind.CLASS and (struct := self._symbols.definition(scope)) is not None:
                field = field_of(struct.node, name)
                if field is not None:
                    return self._made(struct, scope, field)
        return None

    @memoized
    def _made(self, struct: Declared[Struct], scope: ClassScope, field: Variable) -> QueueOrder | None:
        declared = self._symbols.methods(struct.node.name, scope)
        if field.type.reference or field.type.pointers or self._is_set(struct, field, ()):
            return None
        written = [each.node for each in declared if self._marked(each) is None]
        bodies = [each for each in written if each.body is not None]
        if any(all(len(each.parameters) != len(one.parameters) for one in bodies) for each in written):
            # The body of a constructor is not visible.
            return None
        orders = {self._by(each, struct.node, field) for each in bodies}
        if any(self._marked(each) == b"default" and not each.node.parameters for each in declared):
            orders.add(self._by(None, struct.node, field))
        if not declared and self._is_private(struct, field):
            orders.add(self._by(None, struct.node, field))
        return orders.pop() if len(orders) == 1 else None

    def _marked(self, constructor: Declared[Function]) -> bytes | None:
        """``default`` or ``delete``, of a constructor that is declared so."""
        node, content = constructor.node, self._unit.file_at(constructor.place).content
        found = _NOT_WRITTEN.match(content, node.end) if node.body is None else None
        return found[1] if found is not None else None

    def _is_private(self, struct: Declared[Struct], field: Variable) -> bool:
        """Whether only the class itself can set a member when an object is constructed."""
        content = self._unit.file_at(struct.place).content
        access = _ACCESS.findall(content, struct.node.start, field.start)
        return (access[-1] == b"private") if access else struct.node.keyword == "class"

    @memoized
    def is_kept(self, struct: Declared[Struct], field: Variable) -> bool:
        """Whether a queue stays the one that a constructor of its class has made it."""
        return field.type.reference or not self._is_set(struct, field, self._symbols.constructors(struct))

    def _is_set(self, struct: Declared[Struct], field: Variable, constructors: Sequence[Declared[Function]]) -> bool:
        """Whether a member may be set anywhere but in some constructors."""
        name = field.name.encode()
        is_set = re.compile(_SET % ((re.escape(name),) * 3))
        inside = [(self._unit.file_at(each.place), each.node) for each in constructors]
        return any(
            not any(file is around and _is_in(found, node) for around, node in inside)
            and self._may_be_of(struct.node, field, file, found)
            for file in self._unit.files
            if name in file.content
            for found in is_set.finditer(file.content)
        )

    def _may_be_of(self, struct: Struct, field: Variable, file: FileFacts, found: re.Match[bytes]) -> bool:
        """Whether what is set by its name alone may be a member of a class: another class has one of its own."""
        before = file.content[max(found.start() - _MOST_BEFORE, 0) : found.start()].rstrip().removesuffix(b"this->")
        if before.endswith((b".", b"->")):
            return True
        classes = (each.node for declared in file.structs.values() for each in declared if _is_in(found, each.node))
        around = max(classes, key=lambda each: each.start, default=None)
        return around is None or around is struct or field_of(around, field.name) is None

    def _by(self, constructor: Function | None, struct: Struct, field: Variable) -> QueueOrder | None:
        """How one constructor, or that of a class which declares none, makes the queue."""
        given = dict(constructor.initializers) if constructor is not None else {}
        arguments = given.get(field.name, field.arguments)
        types = {each.name: each.type for each in constructor.parameters} if constructor is not None else {}

        def type_of(expression: Expr) -> Type | None:
            match expression:
                case Name(text=text) | Member(object=Name(text="this"), name=text):
                    member = field_of(struct, text)
                    return types.get(text) or (member.type if member is not None else None)
                case _:
                    return None

        if struct.name in given or (len(arguments) == 1 and not self._makes(arguments[0], type_of(arguments[0]))):
            return None
        return order_by(arguments, NameLookup(type_of, lambda _: QueueOrder.UNKNOWN))

    def _makes(self, argument: Expr, written: Type | None) -> bool:
        """Whether the only argument of a queue is none that it is a copy of."""
        match argument:
            case Lambda() | Call(function=Member(name="get_device" | "get_context")):
                return True
            case Name() if "selector" in argument.last:
                return True
            case Call(function=Name() as kind):
                return "selector" in kind.last or self._is_of_device(kind)
            case _:
                return written is not None and self._is_of_device(written.name)

    def _is_of_device(self, name: Name) -> bool:
        return self._types.kind(name).sycl in ("device", "context", "property_list")


def _is_in(found: re.Match[bytes], node: Function | Struct) -> bool:
    return node.start <= found.start() < (node.extent_end if isinstance(node, Function) else node.end)


member_queues = Memo(MemberQueues)
