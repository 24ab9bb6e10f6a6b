"""tree-sitter with the C++ grammar: one parser for the process."""

from functools import cache

from tree_sitter import Language, Node, Parser, Tree

from sycllint.patience import GivenUp, check, memory, over

_LARGE = 32_768
"""Bytes of a text that may take longer to parse than it may take."""
_PIECE = 1024
"""Bytes that the parser is given at a time."""


@cache
def cpp() -> Language:
    """The C++ grammar."""
    return Language(_grammar())


def _grammar() -> object:
    """The grammar out of the package's extension module alone.

    The package itself loads ``importlib.resources`` for queries that we do not use, and with it half as much again as a
    run needs. Where the extension is not found, the package is asked.
    """
    from importlib.machinery import PathFinder
    from importlib.util import module_from_spec

    package = PathFinder.find_spec("tree_sitter_cpp")
    places = package.submodule_search_locations if package is not None else None
    binding = PathFinder.find_spec("_binding", places) if places else None
    if binding is None or binding.loader is None:
        from tree_sitter_cpp import language

        return language()
    module = module_from_spec(binding)
    binding.loader.exec_module(module)
    capsule: object = module.language()
    return capsule


@cache
def _parser() -> Parser:
    return Parser(cpp())


def parse(source: bytes) -> Tree:
    """The syntax tree of ``source``. Text that is not C++ becomes error nodes.

    Raises ``GivenUp`` where the file has had its time or its memory.
    """
    parser = _parser()
    if len(source) < _LARGE:
        return parser.parse(source)
    # Nothing ends the parser early but the end of its text, so that is where it is when the time is over.
    pieces = _Pieces(source)
    try:
        tree = parser.parse(pieces)
    except SystemError as error:
        raise _raised_inside(error) from None
    if pieces.ended is not None:
        raise pieces.ended
    check()
    return tree


class _Pieces:
    """A text as the parser asks for it, which ends where the file has had its time or its memory."""

    def __init__(self, source: bytes) -> None:
        self._source = source
        self._memory = memory()
        self.ended: GivenUp | None = None
        """Why it ended early."""

    def __call__(self, offset: int, _: object) -> bytearray:
        """The text from ``offset`` on, valid until the next call."""
        self.ended = self.ended or over(self._memory)
        piece = b"" if self.ended else self._source[offset : offset + _PIECE]
        buffer = _buffer(len(piece))
        buffer[:] = piece
        return buffer


@cache
def _buffer(size: int) -> bytearray:
    """What all pieces of this size are handed over in: tree-sitter 0.26 never frees an object that it gets here."""
    return bytearray(size)


def _raised_inside(error: BaseException) -> BaseException:
    """What a signal raised, Ctrl-C or the end of the time, while the parser asked for a piece.

    The parser goes on asking; each call then fails because of the exception that is there already.
    """
    while isinstance(error, SystemError) and (cause := error.__cause__ or error.__context__) is not None:
        error = cause
    return error


def parse_block(source: bytes) -> Node:
    """The node of a braced text; of what is no block by itself, the node of all that it was parsed to."""
    root = parse(source).root_node
    return root.named_children[0] if root.named_child_count == 1 else root
