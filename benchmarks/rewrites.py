"""Programs in other words: does sycllint still say of them what it said?

``python benchmarks/rewrites.py [--rewrite NAME] PATH...`` rewrites the C++ files below each path in ways that leave
their meaning alone, checks them again and counts, by file and rule, what is newly said and what is not said any more.
What is new is false, or was missed before; what is lost was known by its wording. A rewrite is a rough one: it knows
no types, so that a few of its programs would not compile, and suppressions may lose their line.
"""

import argparse
import shutil
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path

from tree_sitter import Node

from sycllint.config import Config
from sycllint.diagnostic import Severity
from sycllint.pipeline import check
from sycllint.syntax.parser import parse

TARGETS = ("tgl", "pvc")
SUFFIXES = frozenset({".cpp", ".cc", ".cxx", ".hpp", ".h", ".hxx"})
LARGEST = 300_000
"""Bytes of a file; a larger one is a table."""

Render = Callable[[Node], str]
"""The text of a node, what is inside it rewritten."""
Rewrite = Callable[[Node, Render], str | None]
"""The new text of a node; ``None`` where it stays as it is."""

MIRRORED = {"<": ">", ">": "<", "<=": ">=", ">=": "<=", "==": "==", "!=": "!="}
FUNCTIONS = frozenset({"function_definition", "lambda_expression"})
FIXED = frozenset(
    {"array_declarator", "attribute", "attribute_declaration", "case_statement", "enumerator", "template_argument_list"}
)
"""Where a number must be a literal, or a comparison would end a list of template arguments."""
SIMPLE = frozenset({"call_expression", "field_expression", "identifier", "number_literal", "subscript_expression"})


def _text(node: Node) -> str:
    return (node.text or b"").decode(errors="replace")


def _part(node: Node, field: str) -> Node:
    part = node.child_by_field_name(field)
    assert part is not None
    return part


def _is_inside(node: Node, kinds: frozenset[str]) -> bool:
    around = node.parent
    while around is not None and around.type not in kinds:
        around = around.parent
    return around is not None


def _enclosed(node: Node, render: Render) -> str:
    return render(node) if node.type in SIMPLE else f"({render(node)})"


def _is_step(node: Node) -> bool:
    """Whether a statement of a function calls something or sets something."""
    expression = node.named_children[0] if node.type == "expression_statement" and node.named_children else None
    steps = ("assignment_expression", "call_expression")
    return expression is not None and expression.type in steps and _is_inside(node, FUNCTIONS)


def _is_plain_loop(node: Node) -> bool:
    """Whether a ``for`` has a condition, no ``continue`` and no pragma that applies to it."""
    if node.type != "for_statement" or node.child_by_field_name("condition") is None:
        return False
    before = node.prev_sibling
    return not (before is not None and "pragma" in _text(before)) and "continue" not in _text(node)


def _head(node: Node, render: Render) -> str:
    """What a ``for`` starts with, with its semicolon."""
    first = node.child_by_field_name("initializer")
    if first is None:
        return ";"
    return render(first) if first.type == "declaration" else f"{render(first)};"


def _update(node: Node, render: Render) -> str:
    update = node.child_by_field_name("update")
    return render(update) if update is not None else ""


def mirrored(node: Node, render: Render) -> str | None:
    """``a < b`` is ``b > a``."""
    if node.type != "binary_expression" or _is_inside(node, FIXED):
        return None
    operator = MIRRORED.get(_text(_part(node, "operator")))
    return f"{render(_part(node, 'right'))} {operator} {render(_part(node, 'left'))}" if operator else None


def exchanged(node: Node, render: Render) -> str | None:
    """``a + b`` is ``b + a``, and ``a * b`` is ``b * a``."""
    if node.type != "binary_expression" or _text(_part(node, "operator")) not in "+*" or _is_inside(node, FIXED):
        return None
    left, right = _part(node, "left"), _part(node, "right")
    if "string" in left.type or "string" in right.type:
        return None
    return f"{_enclosed(right, render)} {_text(_part(node, 'operator'))} {_enclosed(left, render)}"


def negated(node: Node, render: Render) -> str | None:
    """``if (c) a; else b;`` is ``if (!(c)) b; else a;``."""
    condition = node.child_by_field_name("condition") if node.type == "if_statement" else None
    value = condition.child_by_field_name("value") if condition is not None else None
    if value is None or value.type == "declaration" or any(each.type == "constexpr" for each in node.children):
        return None
    alternative = node.child_by_field_name("alternative")
    otherwise = render(alternative.named_children[-1]) if alternative is not None else "{}"
    return f"if (!({render(value)})) {{ {otherwise} }} else {render(_part(node, 'consequence'))}"


def enclosed(node: Node, render: Render) -> str | None:
    """Each step is a block of its own."""
    return f"{{ {_inside(node, render)} }}" if _is_step(node) else None


def expanded(node: Node, render: Render) -> str | None:
    """Each step is the argument of a macro that stands for it."""
    return f"DO_({_inside(node.named_children[0], render)});" if _is_step(node) and "#" not in _text(node) else None


def spelled_out(node: Node, render: Render) -> str | None:
    """``a += b`` is ``a = a + (b)``."""
    if node.type != "assignment_expression" or len(_text(_part(node, "operator"))) != 2:
        return None
    target, operator = render(_part(node, "left")), _text(_part(node, "operator"))
    return f"{target} = {target} {operator[0]} ({render(_part(node, 'right'))})"


def summed(node: Node, render: Render) -> str | None:
    """``64`` is ``(64 + 0)``."""
    is_number = node.type == "number_literal" and _text(node).isdigit() and not _text(node).startswith("0")
    return f"({_text(node)} + 0)" if is_number and not _is_inside(node, FIXED) else None


def looped(node: Node, render: Render) -> str | None:
    """``for (a; b; c) d;`` is ``{ a; while (b) { d; c; } }``."""
    if not _is_plain_loop(node):
        return None
    inside = f"{render(_part(node, 'body'))} {_update(node, render)};"
    return f"{{ {_head(node, render)} while ({render(_part(node, 'condition'))}) {{ {inside} }} }}"


def left(node: Node, render: Render) -> str | None:
    """``for (a; b; c) d;`` is ``for (a;; c) { if (!(b)) break; d; }``."""
    if not _is_plain_loop(node):
        return None
    inside = f"if (!({render(_part(node, 'condition'))})) break; {render(_part(node, 'body'))}"
    return f"for ({_head(node, render)}; {_update(node, render)}) {{ {inside} }}"


REWRITES: dict[str, Rewrite] = {
    each.__name__.replace("_", "-"): each
    for each in (mirrored, exchanged, negated, enclosed, expanded, spelled_out, summed, looped, left)
}
MACRO = "#define DO_(...) __VA_ARGS__\n"


def _inside(node: Node, render: Render) -> str:
    """The text of a node by itself, what is inside it rewritten."""
    text, start = node.text or b"", node.start_byte
    pieces, at = list[str](), start
    for child in node.children:
        pieces += (text[at - start : child.start_byte - start].decode(errors="replace"), render(child))
        at = child.end_byte
    return "".join((*pieces, text[at - start :].decode(errors="replace")))


def rewritten(source: bytes, rewrite: Rewrite) -> bytes:
    """The file in other words; directives stay as they are."""

    def render(node: Node) -> str:
        if node.type in ("preproc_def", "preproc_function_def", "preproc_include"):
            return _text(node)
        text = rewrite(node, render)
        return _inside(node, render) if text is None else text

    root = parse(source).root_node
    return source[: root.start_byte] + render(root).encode() + source[root.end_byte :]


def said(root: Path) -> Counter[tuple[str, str]]:
    """The number of errors and warnings of each rule in each file below ``root``."""
    found = check([root.as_posix()], Config(root=root.as_posix(), targets=TARGETS)).diagnostics
    loud = (each for each in found if each.severity is not Severity.NOTE)
    return Counter((Path(each.location.path).resolve().relative_to(root).as_posix(), each.code) for each in loud)


def in_other_words(root: Path, rewrite: Rewrite, place: Path) -> None:
    """Copy what is below ``root`` to ``place``, its C++ files rewritten."""
    shutil.copytree(root, place)
    for file in place.rglob("*"):
        if file.suffix in SUFFIXES and file.is_file() and file.stat().st_size <= LARGEST:
            text = rewritten(file.read_bytes(), rewrite)
            file.write_bytes(MACRO.encode() + text if rewrite is expanded else text)


def main(arguments: Sequence[str] | None = None) -> int:
    """Print what is new and what is lost, and the totals of each rewrite."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("paths", nargs="+", type=Path)
    parser.add_argument("--rewrite", choices=tuple(REWRITES), action="append")
    given = parser.parse_args(arguments)
    roots = [each.resolve() for each in given.paths]
    usual = [said(each) for each in roots]
    for name in given.rewrite or REWRITES:
        new, lost = Counter[str](), Counter[str]()
        for root, before in zip(roots, usual, strict=True):
            with tempfile.TemporaryDirectory() as folder:
                place = Path(folder).resolve() / root.name
                in_other_words(root, REWRITES[name], place)
                after = said(place)
            for what, counted, total in (("new", after - before, new), ("lost", before - after, lost)):
                for (file, code), times in sorted(counted.items()):
                    print(f"{name}: {what} {code} in {file}, {times} times")
                    total[code] += times
        shares = (f"{sum(each.values())} {what}" for each, what in ((new, "new"), (lost, "lost")))
        print(f"{name}: of {sum(map(Counter.total, usual))} findings {', '.join(shares)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
