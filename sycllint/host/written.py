"""Which names are written in code, by its text alone, without name lookup."""

from collections.abc import Callable, Iterator

from sycllint.cpp.expression import Assign, Call, Character, Increment, Lambda, Member, Name, Number, Text, Unary
from sycllint.cpp.node import Node, children, walk
from sycllint.cpp.statement import Function, Include, Variable
from sycllint.host.vocabulary import ALLOCATORS
from sycllint.memoized import memoized
from sycllint.record import NamedTuple


class Named(NamedTuple):
    """What is written in a node."""

    names: frozenset[str]
    """Unqualified and whole."""
    includes: bool
    """A file is included there, of whose names nothing is known."""


class WrittenNames:
    """What is written in nodes, worked out once for each."""

    @memoized
    def assigned(self, function: Function) -> frozenset[str]:
        """Names of what a function assigns, or takes the address of."""
        nodes = walk(function.body) if function.body is not None else ()
        targets = [_changed(each) for each in nodes if type(each) in _CHANGES]
        return frozenset(each.text for each in targets if isinstance(each, Name))

    @memoized
    def passed_on(self, function: Function) -> frozenset[str]:
        """Names of what a function hands to others, which may set it: ``std::swap(p, other)``."""
        nodes = walk(function.body) if function.body is not None else ()
        found: set[str] = set()
        for each in nodes:
            match each:
                case Call(function=Name(last=last), arguments=arguments) if last != "free":
                    found |= {argument.text for argument in arguments if isinstance(argument, Name)}
                case _:
                    pass
        return frozenset(found)

    @memoized
    def calls(self, function: Lambda) -> list[Call]:
        """The calls in a lambda."""
        return [each for each in walk(function.body) if type(each) is Call]

    def of(self, node: Node) -> frozenset[str]:
        """The names in ``node``."""
        if type(node) is Name and node.is_plain:
            return frozenset((node.text,))
        if type(node) in _LITERALS:
            return frozenset()
        return self.written(node).names

    @memoized
    def handed(self, node: Node) -> frozenset[str]:
        """The names in ``node`` but those that stand only in calls that give no reference to what is named.

        Those of objects whose methods are called, and what memory is allocated with.
        """
        return _named(node, receivers=False).names

    @memoized
    def written(self, node: Node) -> Named:
        """The names in ``node``, and whether it includes more."""
        return _named(node, inside=self.written)


_CHANGES = (Assign, Unary, Increment)
_LITERALS = frozenset({Character, Number, Text})


def _changed(node: Node) -> Node | None:
    """What is assigned, or has its address taken."""
    match node:
        case Assign(left=left):
            return left
        case Unary(operator="&", operand=operand) | Increment(operand=operand):
            return operand
        case _:
            return None


def changed_in(node: Node) -> Iterator[str]:
    """Names of what is declared or assigned in ``node``."""
    for each in walk(node):
        match each:
            case Variable(name=name) | Assign(left=Name(text=name)) | Increment(operand=Name(text=name)):
                yield name


def names_in(node: Node) -> frozenset[str]:
    """Every name written in ``node``, unqualified and whole."""
    return _named(node).names


def _named(node: Node, *, receivers: bool = True, inside: Callable[[Lambda], Named] | None = None) -> Named:
    """What is written in ``node``; ``inside`` says it of a lambda in it."""
    found: set[str] = set()
    includes = False
    stack = [node]
    while stack:
        current = stack.pop()
        kind = type(current)
        if kind is Name:
            assert isinstance(current, Name)
            found.add(current.text)
            if current.scope is None and current.arguments is None and "::" not in current.text:
                # Half of all nodes are such names.
                continue
            found.add(current.last)
        elif kind is Member:
            assert isinstance(current, Member)
            found.add(current.name)
        elif kind is Include:
            includes = True
        elif kind is Lambda and inside is not None and current is not node:
            assert isinstance(current, Lambda)
            written = inside(current)
            found |= written.names
            includes = includes or written.includes
            continue
        elif kind is Call and not receivers:
            assert isinstance(current, Call)
            callee = current.function
            if type(callee) is Member and type(callee.object) is Name:
                stack += [*(callee.arguments or ()), *current.arguments]
                continue
            if type(callee) is Name and callee.last in ALLOCATORS:
                continue
        stack += children(current)
    return Named(frozenset(found), includes)
