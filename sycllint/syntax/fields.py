"""The fields of the C++ grammar, as the numbers that ``Node.child_by_field_id`` takes."""

from sycllint.syntax.parser import cpp


def _number(name: str) -> int:
    number = cpp().field_id_for_name(name)
    if number is None:
        raise LookupError(f"the grammar has no field {name}")
    return number


ALTERNATIVE = _number("alternative")
ARGUMENT = _number("argument")
ARGUMENTS = _number("arguments")
BASE = _number("base")
BODY = _number("body")
CAPTURES = _number("captures")
CONDITION = _number("condition")
CONSEQUENCE = _number("consequence")
DECLARATOR = _number("declarator")
DEFAULT_TYPE = _number("default_type")
DEFAULT_VALUE = _number("default_value")
DIRECTIVE = _number("directive")
FIELD = _number("field")
FUNCTION = _number("function")
INDICES = _number("indices")
INITIALIZER = _number("initializer")
LEFT = _number("left")
LENGTH = _number("length")
PLACEMENT = _number("placement")
NAME = _number("name")
OPERATOR = _number("operator")
PARAMETERS = _number("parameters")
PATH = _number("path")
PREFIX = _number("prefix")
RIGHT = _number("right")
SCOPE = _number("scope")
SIZE = _number("size")
TEMPLATE_PARAMETERS = _number("template_parameters")
TYPE = _number("type")
UPDATE = _number("update")
VALUE = _number("value")
