"""CMake files as statements of our own; the only module that imports cmake-parser."""

from collections.abc import Iterable, Iterator
from enum import Enum
from typing import TYPE_CHECKING

from sycllint.record import record

if TYPE_CHECKING:
    from cmake_parser.ast import AstNode, Token


class Quoting(Enum):
    """The quoting of an argument, which decides what is expanded in it."""

    NONE = "unquoted"
    DOUBLE = "quoted"
    BRACKET = "bracket"


@record
class CMakeArgument:
    """One argument, as it is written between its quotes."""

    text: str
    quoting: Quoting = Quoting.NONE


@record
class CMakeCommand:
    """A call of a command: its name in lower case, and the line on which it begins."""

    name: str
    arguments: tuple[CMakeArgument, ...]
    line: int


@record
class CMakeBranch:
    """The commands that run if ``condition`` is true."""

    condition: tuple[CMakeArgument, ...]
    body: "tuple[Statement, ...]"
    line: int


@record
class CMakeIf:
    """The branches of an ``if`` in order, and its ``else``."""

    branches: tuple[CMakeBranch, ...]
    otherwise: "tuple[Statement, ...]"


@record
class CMakeLoop:
    """A ``foreach`` or, with ``is_while``, a ``while``."""

    arguments: tuple[CMakeArgument, ...]
    body: "tuple[Statement, ...]"
    line: int
    is_while: bool


@record
class Routine:
    """A function, which has variables of its own, or a macro, which has none."""

    name: str
    parameters: tuple[str, ...]
    body: "tuple[Statement, ...]"
    is_macro: bool


Statement = CMakeCommand | CMakeIf | CMakeLoop | Routine


def statements(text: str) -> tuple[Statement, ...] | None:
    """The statements of a file; ``None`` where it is not CMake."""
    from cmake_parser.error import CMakeError
    from cmake_parser.parser import parse_tree

    try:
        return tuple(_lowered(parse_tree(text, skip_comments=True), text))
    except (CMakeError, RecursionError):
        return None


def _lowered(nodes: "Iterable[AstNode]", text: str) -> Iterator[Statement]:
    from cmake_parser import ast

    for node in nodes:
        match node:
            case ast.If():
                yield _conditional(node, text)
            case ast.ForEach() | ast.While():
                is_while = isinstance(node, ast.While)
                yield CMakeLoop(_arguments(node.args, text), _body(node.body, text), node.line, is_while)
            case ast.Function() | ast.Macro():
                name, *parameters = [each.text for each in _arguments(node.args, text)] or [""]
                body = _body(node.body, text)
                yield Routine(name.lower(), tuple(parameters), body, is_macro=isinstance(node, ast.Macro))
            case ast.Block():
                yield from _lowered(node.body, text)
            case ast.Command():
                if not node.identifier.lower().startswith("end"):
                    yield CMakeCommand(node.identifier.lower(), _arguments(node.args, text), node.line)
            case ast.Break() | ast.Continue():
                yield CMakeCommand(type(node).__name__.lower(), (), node.line)
            case ast.Builtin():
                yield CMakeCommand(type(node).__name__.lower(), _arguments(node.args, text), node.line)
            case _:
                pass


def _conditional(node: "AstNode", text: str) -> CMakeIf:
    from cmake_parser import ast

    branches: list[CMakeBranch] = []
    while True:
        branches.append(CMakeBranch(_arguments(node.args, text), _body(node.if_true, text), node.line))
        rest = node.if_false or []
        if len(rest) == 1 and isinstance(rest[0], ast.If) and _is_elseif(rest[0], text):
            node = rest[0]
            continue
        return CMakeIf(tuple(branches), _body(rest, text))


def _is_elseif(node: "AstNode", text: str) -> bool:
    return text[node.span.start :][:6].lower() == "elseif"


def _body(nodes: "Iterable[AstNode]", text: str) -> tuple[Statement, ...]:
    return tuple(_lowered(nodes, text))


def _arguments(tokens: "Iterable[Token]", text: str) -> tuple[CMakeArgument, ...]:
    """Arguments of tokens: those without a blank between them are one."""
    found: list[CMakeArgument] = []
    end = -1
    for token in tokens:
        if token.kind == "COMMENT":
            continue
        quoting = {"QUOTED": Quoting.DOUBLE, "BRACKETED": Quoting.BRACKET}.get(token.kind, Quoting.NONE)
        if token.kind in ("LPAREN", "RPAREN"):
            found.append(CMakeArgument(token.value))
            end = -1
            continue
        # The parser leaves out the semicolons between tokens; each ends an element of a list.
        if end >= 0 and set(text[end : token.span.start]) == {";"}:
            found[-1] = CMakeArgument(f"{found[-1].text};{token.value}")
        elif token.span.start == end and quoting is not Quoting.BRACKET:
            inner = f'"{token.value}"' if quoting is Quoting.DOUBLE else token.value
            found[-1] = CMakeArgument(found[-1].text + inner)
        else:
            found.append(CMakeArgument(token.value, quoting))
        end = token.span.stop
    return tuple(found)
