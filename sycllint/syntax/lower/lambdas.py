"""Lambda expressions, with their captures."""

from collections.abc import Mapping

from tree_sitter import Node

from sycllint.cpp.expression import Attribute, Capture, Expr, Lambda, Type
from sycllint.cpp.statement import FunctionParameter
from sycllint.syntax import fields
from sycllint.syntax.kinds import kinds
from sycllint.syntax.lower.attributes import applied_macros, collect_attributes
from sycllint.syntax.lower.offsets import OFFSETS
from sycllint.syntax.lower.types import function_parameters, template_parameters, trailing_type
from sycllint.syntax.lower.walk import LowerExpression, Walk

_DEFAULT = kinds("lambda_default_capture")
_BY_NAME = kinds("identifier", "this")
_INITIALIZED = kinds("lambda_capture_initializer")
_AMPERSAND = kinds("&")


def _lambda(walk: Walk, node: Node) -> Expr:
    listed = node.child_by_field_id(fields.CAPTURES)
    default, captures = _captures(walk, listed) if listed is not None else ("", ())
    parameters: tuple[FunctionParameter, ...] = ()
    attributes: list[Attribute] = []
    returns: Type | None = None
    declarator = node.child_by_field_id(fields.DECLARATOR)
    if declarator is not None:
        listed = declarator.child_by_field_id(fields.PARAMETERS)
        parameters = function_parameters(walk, listed) if listed is not None else ()
        returns = trailing_type(walk, declarator)
        for child in declarator.named_children:
            collect_attributes(walk, child, attributes)
    for child in node.named_children:
        collect_attributes(walk, child, attributes)
    templates = node.child_by_field_id(fields.TEMPLATE_PARAMETERS)
    body = node.child_by_field_id(fields.BODY)
    if walk.applied and body is not None:
        applied_macros(walk, body, attributes)
    return Lambda(
        default,
        captures,
        template_parameters(walk, templates) if templates is not None else (),
        parameters,
        returns,
        tuple(attributes),
        walk.function_body(body) if body is not None else walk.empty(node),
        node.has_error,
        OFFSETS[node.start_byte + walk.shift],
        OFFSETS[node.end_byte + walk.shift],
    )


def _captures(walk: Walk, listed: Node) -> tuple[str, tuple[Capture, ...]]:
    """The default capture and the captures by name."""
    default = ""
    captures: list[Capture] = []
    referenced = False
    for entry in listed.children:
        kind = entry.kind_id
        if kind in _DEFAULT:
            default = walk.string(entry)
        elif kind in _BY_NAME:
            captures.append(Capture(walk.string(entry), referenced, None))
        elif kind in _INITIALIZED:
            left = entry.child_by_field_id(fields.LEFT)
            right = entry.child_by_field_id(fields.RIGHT)
            if left is not None and right is not None:
                by_reference = entry.children[0].kind_id in _AMPERSAND
                captures.append(Capture(walk.string(left), by_reference, walk.expression(right)))
        referenced = kind in _AMPERSAND
    return default, tuple(captures)


EXPRESSIONS: Mapping[str, LowerExpression] = {
    "lambda_expression": _lambda,
}
"""Functions by the node types they lower."""
