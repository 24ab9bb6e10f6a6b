"""Lambda expressions, with their captures."""

from collections.abc import Mapping

from tree_sitter import Node

from sycllint.cpp.expression import Attribute, Capture, Expr, Lambda
from sycllint.cpp.statement import Parameter
from sycllint.syntax.lower.attributes import collect_attributes
from sycllint.syntax.lower.types import function_parameters, template_parameters
from sycllint.syntax.lower.walk import LowerExpression, Walk


def _lambda(walk: Walk, node: Node) -> Expr:
    listed = walk.child(node, "captures")
    default, captures = _captures(walk, listed) if listed is not None else ("", ())
    parameters: tuple[Parameter, ...] = ()
    attributes: list[Attribute] = []
    declarator = walk.child(node, "declarator")
    if declarator is not None:
        listed = walk.child(declarator, "parameters")
        parameters = function_parameters(walk, listed) if listed is not None else ()
        for child in declarator.named_children:
            collect_attributes(walk, child, attributes)
    for child in node.named_children:
        collect_attributes(walk, child, attributes)
    templates = walk.child(node, "template_parameters")
    body = walk.child(node, "body")
    return Lambda(
        default,
        captures,
        template_parameters(walk, templates) if templates is not None else (),
        parameters,
        tuple(attributes),
        walk.function_body(body) if body is not None else walk.empty(node),
        node.has_error,
        node.start_byte + walk.shift,
        node.end_byte + walk.shift,
    )


def _captures(walk: Walk, listed: Node) -> tuple[str, tuple[Capture, ...]]:
    """The default capture and the captures by name."""
    default = ""
    captures: list[Capture] = []
    before = ""
    for entry in listed.children:
        kind = entry.type
        if kind == "lambda_default_capture":
            default = walk.string(entry)
        elif kind in ("identifier", "this"):
            captures.append(Capture(walk.string(entry), before == "&", None))
        elif kind == "lambda_capture_initializer":
            left = walk.child(entry, "left")
            right = walk.child(entry, "right")
            if left is not None and right is not None:
                by_reference = entry.children[0].type == "&"
                captures.append(Capture(walk.string(left), by_reference, walk.expression(right)))
        before = kind
    return default, tuple(captures)


EXPRESSIONS: Mapping[str, LowerExpression] = {
    "lambda_expression": _lambda,
}
"""Functions by the node types they lower."""
