"""Which names are written in code, by its text alone, without name lookup."""

from collections.abc import Callable, Iterator

from sycllint.cpp.expression import Assign, Binary, Call, Increment, Lambda, Member, Name, Unary
from sycllint.cpp.node import Node, children, walk
from sycllint.cpp.statement import Block, Declaration, Function, Include, Loop, Variable
from sycllint.memoized import memoized
from sycllint.record import NamedTuple
from sycllint.values.side_effects.library import BY_VALUE, METHODS_BY_VALUE, READERS


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
    def changed(self, function: Function) -> frozenset[str]:
        """Names of what a function does not leave the value that it was declared with."""
        return frozenset(_may_be_set(function.body) if function.body is not None else ())

    @memoized
    def calls(self, function: Lambda) -> list[Call]:
        """The calls in a lambda."""
        return [each for each in walk(function.body) if type(each) is Call]

    def of(self, node: Node) -> frozenset[str]:
        """The names in ``node``."""
        if type(node) is Name and node.is_plain:
            return frozenset((node.text,))
        return self.written(node).names

    @memoized
    def handed(self, node: Node) -> frozenset[str]:
        """The names in ``node`` but those of objects whose methods are called, and that stand nowhere else."""
        return _named(node, receivers=False).names

    @memoized
    def written(self, node: Node) -> Named:
        """The names in ``node``, and whether it includes more."""
        return _named(node, inside=self.written)


_CHANGES = (Assign, Unary, Increment)


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


def _may_be_set(body: Block) -> Iterator[str]:
    """Names of what is assigned, has its address taken, or is given to a function that may change it.

    What a loop does to its own counter after each pass is none of these.
    """
    pending: list[tuple[Node, frozenset[str]]] = [(body, frozenset())]
    while pending:
        node, counted = pending.pop()
        match node:
            case Loop(initializer=Declaration(variables=declared), update=update):
                own = frozenset(each.name for each in declared)
                pending += [(each, own if each is update else frozenset()) for each in children(node)]
                continue
            case Lambda(default="=") if not any(each.by_reference for each in node.captures):
                # What it changes are its own copies.
                continue
            case Assign(left=Name(text=text)) | Increment(operand=Name(text=text)):
                if text not in counted:
                    yield text
            case Unary(operator="&", operand=Name(text=text)) | Binary(operator=">>", right=Name(text=text)):
                yield text
            case Call(function=Name(text=text)) if text.rpartition("::")[2] in BY_VALUE | READERS:
                pass
            case Call(function=Member(name=name)) if name in METHODS_BY_VALUE:
                pass
            case Call(arguments=arguments):
                yield from (each.text for each in arguments if isinstance(each, Name))
        pending += [(each, counted) for each in children(node)]


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
        stack += children(current)
    return Named(frozenset(found), includes)
