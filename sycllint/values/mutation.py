"""Which names a piece of code may change, as far as one file tells.

A name handed to a function counts as changed when the function takes it by reference to non-const, or when the function
is written elsewhere and is not one of the C++ library's. Lambdas that capture by copy change nothing outside.
"""

from sycllint.cpp.expression import (
    Assign,
    Binary,
    Call,
    Expr,
    Increment,
    Index,
    Lambda,
    Member,
    Name,
    Unary,
)
from sycllint.cpp.node import Node, children
from sycllint.cpp.statement import (
    Block,
    Declaration,
    Function,
    Loop,
    Macro,
    RangeLoop,
    Struct,
    TemplateParameter,
)
from sycllint.values.unit import Unit

_NOTHING: frozenset[str] = frozenset()
_LIBRARY = frozenset(
    ["printf", "fprintf", "sprintf", "snprintf", "puts", "fputs", "fflush", "exit", "abort", "assert", "malloc", "calloc", "realloc", "free", "memcpy", "memset", "memcmp", "memmove", "aligned_alloc", "posix_memalign", "atoi", "atol", "atoll", "atof", "strtol", "strtoul", "strtod", "strcmp", "strncmp", "strcpy", "strlen", "rand", "srand", "time", "clock", "fopen", "fclose", "fwrite", "fseek", "ftell", "feof", "sqrt", "sqrtf", "pow", "powf", "fabs", "fabsf", "abs", "labs", "ceil", "ceilf", "floor", "floorf", "round", "roundf", "exp", "expf", "log", "logf", "log2", "log2f", "log10", "sin", "sinf", "cos", "cosf", "tan", "min", "max", "fmin", "fminf", "fmax", "fmaxf", "sizeof", "usleep", "sleep", "omp_get_wtime", "static_assert", "malloc_device", "malloc_shared", "malloc_host", "range", "id", "nd_range", "queue", "buffer"]
)
_STREAMS = ("cin", "stream", "file", "ifs", "iss", "input", "infile")


def root(expression: Expr) -> str | None:
    """The variable an lvalue belongs to: ``a`` of ``a[i].b``."""
    while True:
        match expression:
            case Name(text=text):
                return text
            case Index(object=inner) | Member(object=inner):
                expression = inner
            case _:
                return None


class Mutations:
    """Answers, remembered per node, for one file."""

    def __init__(self, facts: Unit) -> None:
        self._facts = facts
        self._memo: dict[int, frozenset[str]] = {}

    def of(self, node: Node) -> frozenset[str]:
        """Names of the surroundings that ``node`` may change; names it declares itself are left out."""
        found = self._memo.get(id(node))
        if found is None:
            found = self._memo[id(node)] = self._compute(node)
        return found

    def _inside(self, node: Node) -> set[str]:
        names: set[str] = set()
        for child in children(node):
            names |= self.of(child)
        return names

    def _compute(self, node: Node) -> frozenset[str]:
        match node:
            case Name() | Macro() | Struct() | Function() | TemplateParameter():
                return _NOTHING
            case Assign(left=target) | Increment(operand=target):
                return frozenset(self._inside(node) | _named(target))
            case Unary(operator="&", operand=target):
                return frozenset(self._inside(node) | _named(target))
            case Binary(operator=">>", right=target) if _reads_stream(node):
                return frozenset(self._inside(node) | _named(target))
            case Call():
                return frozenset(self._inside(node) | self._arguments(node))
            case Lambda():
                return self._lambda(node)
            case Block(statements=statements):
                names: set[str] = set()
                declared: set[str] = set()
                for statement in statements:
                    names |= self.of(statement) - declared
                    if isinstance(statement, Declaration):
                        declared |= {variable.name for variable in statement.variables}
                return frozenset(names)
            case Declaration(variables=variables):
                names = self._inside(node)
                for variable in variables:
                    if variable.type.reference and not variable.type.constant:
                        for argument in variable.arguments:
                            names |= _named(argument)
                return frozenset(names)
            case Loop(initializer=Declaration(variables=variables)):
                return frozenset(self._inside(node) - {variable.name for variable in variables})
            case RangeLoop(variable=variable, range=over):
                names = self._inside(node) - {variable.name}
                if variable.type.reference and not variable.type.constant:
                    names |= _named(over)
                return frozenset(names)
            case _:
                names = self._inside(node)
                return frozenset(names) if names else _NOTHING

    def _lambda(self, node: Lambda) -> frozenset[str]:
        by_reference = {capture.name for capture in node.captures if capture.by_reference and capture.value is None}
        if node.default != "&" and not by_reference:
            return _NOTHING
        names = self.of(node.body) - {parameter.name for parameter in node.parameters}
        if node.default == "&":
            copied = {capture.name for capture in node.captures if not capture.by_reference}
            return frozenset(names - copied)
        return frozenset(names & by_reference)

    def _arguments(self, call: Call) -> set[str]:
        """Names that the callee takes by reference, or may."""
        names: set[str] = set()
        plain = [
            (index, argument)
            for index, argument in enumerate(call.arguments)
            if isinstance(argument, Name | Index | Member)
        ]
        if not plain:
            return names
        match call.function:
            case Name() as callee:
                last, known = (
                    callee.last,
                    callee.qualifier.partition("::")[0] in ("std", "sycl", "cl", "oneapi", "dpct"),
                )
                if callee.text in ("std::swap", "swap", "std::tie", "std::exchange"):
                    return {name for _, argument in plain for name in _named(argument)}
            case Member(name=last):
                known = True
            case _:
                return names
        candidates = self._facts.functions.get(last)
        if not candidates:
            if known or last in _LIBRARY or last in self._facts.structs or last in self._facts.macros:
                return names
            # A constructor or a function written elsewhere: by convention types start with a capital.
            if last[:1].isupper():
                return names
            return {name for _, argument in plain for name in _named(argument)}
        for index, argument in plain:
            for candidate in candidates:
                parameters = candidate.node.parameters
                if index < len(parameters) and parameters[index].type.reference and not parameters[index].type.constant:
                    names |= _named(argument)
        return names


def _named(expression: Expr) -> set[str]:
    name = root(expression)
    return {name} if name is not None else set()


def _reads_stream(node: Binary) -> bool:
    left: Expr = node.left
    while isinstance(left, Binary) and left.operator == ">>":
        left = left.left
    return isinstance(left, Name) and left.last.lower().endswith(_STREAMS)
