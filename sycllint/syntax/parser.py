"""tree-sitter with the C++ grammar: one parser for the process."""

from functools import cache

from tree_sitter import Language, Node, Parser, Point, Range, Tree


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
    """The syntax tree of ``source``. Never fails: text that is not C++ becomes error nodes."""
    return _parser().parse(source)


@cache
def _parser_of_ranges() -> Parser:
    return Parser(cpp())


def parse_block(source: bytes, start: int, end: int) -> Node:
    """The node of the braced text from ``start`` to ``end``, parsed by itself; its offsets are those in ``source``.

    Where the text is no block by itself, the node of all that it was parsed to.
    """
    parser = _parser_of_ranges()
    parser.included_ranges = [Range(Point(0, start), Point(0, end), start, end)]
    root = parser.parse(source).root_node
    return root.named_children[0] if root.named_child_count == 1 else root
