"""Which names a piece of code may change, as far as one file tells.

A name handed to a function counts as changed when the function takes it by reference to non-const, or when the function
is written elsewhere and is not one of the C++ library's. Lambdas that capture by copy change nothing outside.

Besides names, the sets hold ``*name`` for code that may change the elements of ``name`` if that is an array, and
``&name`` for code after which something else may change ``name`` at any time: a reference, a pointer that is kept, a
lambda that is kept.
"""

import re
from collections.abc import Iterable, Iterator

from sycllint.cpp.expression import (
    Assign,
    Binary,
    Brace,
    Call,
    Cast,
    Conditional,
    Expr,
    Increment,
    Index,
    Lambda,
    Member,
    Name,
    New,
    SizeOf,
    Type,
    Unary,
)
from sycllint.cpp.node import Node, children
from sycllint.cpp.statement import (
    Block,
    Declaration,
    Evaluate,
    Function,
    If,
    Loop,
    Macro,
    RangeLoop,
    Statement,
    Struct,
    TemplateParameter,
    Variable,
)
from sycllint.values.arithmetic import FLOATING_TYPES, INTEGER_TYPES
from sycllint.values.library import BY_VALUE, COLLECTORS, KEEPERS, READERS, TRANSIENT, TRANSIENT_METHODS
from sycllint.values.unit import Unit

_NOTHING: frozenset[str] = frozenset()
_STREAMS = ("cin", "stream", "file", "ifs", "iss", "input", "infile")
_SCALARS = frozenset({"void", *INTEGER_TYPES, *FLOATING_TYPES})
_ASSIGNED = re.compile(r"\b([A-Za-z_]\w*)\s*(?:=(?!=)|[-+*/%&|^]=|<<=|>>=|\+\+|--)|(?:\+\+|--|&)\s*([A-Za-z_]\w*)")


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


def kept_lambdas(expression: Expr) -> Iterator[Lambda]:
    """Lambdas that the value of ``expression`` may hold, so that they run later. A method runs its own at once."""
    match expression:
        case Lambda():
            yield expression
        case Call(function=Name(), arguments=inside) | Brace(elements=inside) | New(arguments=inside):
            for each in inside:
                yield from kept_lambdas(each)
        case Cast(operand=inner):
            yield from kept_lambdas(inner)
        case Conditional(then=then, otherwise=otherwise):
            yield from kept_lambdas(then)
            yield from kept_lambdas(otherwise)
        case _:
            return


class Mutations:
    """Answers, remembered per node, for one file."""

    def __init__(self, facts: Unit) -> None:
        self._facts = facts
        self._memo: dict[int, frozenset[str]] = {}
        self._expanding: set[str] = set()
        self._separate: list[Node] = []
        """Bodies met that have no part in what is around them: they may still change what has static storage."""

    def of(self, node: Node) -> frozenset[str]:
        """Names of the surroundings that ``node`` may change; names it declares itself are left out."""
        found = self._memo.get(id(node))
        if found is None:
            found = self._memo[id(node)] = self._compute(node)
        return found

    def condition(self, node: Expr) -> frozenset[str]:
        """Names that ``node`` may change where a truth value is wanted: there ``in >> n`` reads a stream."""
        return self.of(node) | _read(node)

    def everywhere(self, nodes: Iterable[Node]) -> frozenset[str]:
        """Names of static storage that ``nodes`` may change, also through lambdas and classes written in them."""
        names: set[str] = set()
        for node in nodes:
            names |= self.of(node)
        # Answers are remembered, so a body set aside for one question counts for every later one.
        position = 0
        while position < len(self._separate):
            body = self._separate[position]
            position += 1
            for child in children(body):
                if isinstance(child, Function):
                    names |= self.of(child.body) if child.body is not None else _NOTHING
                else:
                    names |= self.of(child)
        return frozenset(names)

    def _inside(self, node: Node) -> set[str]:
        names: set[str] = set()
        for child in children(node):
            names |= self.of(child)
        return names

    def _compute(self, node: Node) -> frozenset[str]:
        match node:
            case Name(text=text):
                return self._object_macro(text) if text in self._facts.macros else _NOTHING
            case Struct(members=members):
                self._separate.append(members)
                return _NOTHING
            case Macro() | Function() | TemplateParameter() | SizeOf():
                return _NOTHING
            case Assign(left=target, right=right):
                return frozenset(self._inside(node) | _named(target) | self._kept(right) | _decayed(right))
            case Increment(operand=target):
                return frozenset(self._inside(node) | _named(target))
            case Unary(operator="&", operand=target):
                named = _named(target)
                return frozenset(self._inside(node) | named | _lasting(named))
            case Unary(operator="!" | "not", operand=operand):
                return self.condition(operand)
            case Binary(operator="&&" | "||" | "and" | "or", left=left, right=right):
                return self.condition(left) | self.condition(right)
            case Binary(operator="+" | "-" | ",", left=left, right=right):
                return frozenset(self._inside(node) | _decayed(left) | _decayed(right))
            case Binary(operator=">>") if _reads_stream(node):
                return frozenset(self._inside(node) | _read(node))
            case Evaluate(expression=expression):
                return self.condition(expression)
            case Call():
                return self._call(node)
            case Brace(type=Name() as kind, elements=elements):
                return frozenset(self._inside(node) | self._constructed(kind, elements))
            case New(type=kind, arguments=arguments):
                return frozenset(self._inside(node) | self._constructed(kind.name, arguments))
            case Lambda():
                return self._lambda(node)
            case Block(statements=statements):
                return self._block(statements)
            case Declaration():
                return self._declaration(node)
            case If():
                return self._if(node)
            case Loop():
                return self._loop(node)
            case RangeLoop(variable=variable, range=over):
                names = self._inside(node) - _declared((variable,))
                if variable.type.reference and not variable.type.constant:
                    names |= _named(over)
                return frozenset(names)
            case _:
                names = self._inside(node)
                return frozenset(names) if names else _NOTHING

    # ------------------------------------------------------------ statements

    def _block(self, statements: tuple[Statement, ...]) -> frozenset[str]:
        names: set[str] = set()
        declared: set[str] = set()
        for statement in statements:
            names |= self.of(statement) - declared
            if isinstance(statement, Declaration):
                declared |= _declared(statement.variables)
        return frozenset(names)

    def _declaration(self, node: Declaration) -> frozenset[str]:
        names = self._inside(node)
        for variable in node.variables:
            kind, arguments = variable.type, variable.arguments
            if kind.reference and not kind.constant:
                for argument in arguments:
                    named = _named(argument)
                    names |= named | _lasting(named)
            if kind.name.text in _SCALARS and not kind.pointers:
                continue
            for argument in arguments:
                names |= self._kept(argument)
                if not kind.constant and (kind.pointers or kind.name.text == "auto"):
                    names |= _decayed(argument)
            if variable.style in ("(", "{") and not kind.pointers:
                names |= self._constructed(kind.name, arguments)
        return frozenset(names)

    def _if(self, node: If) -> frozenset[str]:
        names = self._inside(node)
        if node.condition is not None:
            names |= _read(node.condition)
        if isinstance(node.initializer, Declaration):
            names -= _declared(node.initializer.variables)
        return frozenset(names)

    def _loop(self, node: Loop) -> frozenset[str]:
        names = self._inside(node)
        if node.condition is not None:
            names |= _read(node.condition)
        if isinstance(node.initializer, Declaration):
            names -= _declared(node.initializer.variables)
        return frozenset(names)

    # --------------------------------------------------------------- lambdas

    def _lambda(self, node: Lambda) -> frozenset[str]:
        referred = {
            capture.name: _named(capture.value) if capture.value is not None else {capture.name}
            for capture in node.captures
            if capture.by_reference
        }
        if node.default != "&" and not referred:
            self._separate.append(node.body)
            return _NOTHING
        inside = self.of(node.body) - {parameter.name for parameter in node.parameters}
        copied = {capture.name for capture in node.captures if not capture.by_reference}
        names: set[str] = set()
        for name in inside:
            bare = name.lstrip("&*")
            if bare in referred:
                names |= {name.removesuffix(bare) + each for each in referred[bare]}
            elif node.default == "&" and bare not in copied:
                names.add(name)
        if node.default != "&":
            self._separate.append(node.body)
        return frozenset(names)

    def _kept(self, expression: Expr) -> set[str]:
        """What lambdas in ``expression`` change, which may happen at any time from now on."""
        names: set[str] = set()
        for each in kept_lambdas(expression):
            names |= _lasting(self.of(each))
        return names

    # ---------------------------------------------------------------- macros

    def _object_macro(self, text: str) -> frozenset[str]:
        names: set[str] = set()
        for declared in self._facts.macros.get(text):
            if declared.node.parameters is None:
                names |= self._macro(declared.node, ())
        return frozenset(names)

    def _macro(self, macro: Macro, arguments: tuple[Expr, ...]) -> set[str]:
        """Names that the text of a macro may change where it is used."""
        if macro.name in self._expanding:
            return set()
        self._expanding.add(macro.name)
        try:
            inside = self._macro_text(macro)
        finally:
            self._expanding.discard(macro.name)
        parameters = macro.parameters or ()
        names: set[str] = set()
        for name in inside:
            bare = name.lstrip("&*")
            if bare in parameters:
                index = parameters.index(bare)
                if index < len(arguments):
                    names |= {name.removesuffix(bare) + each for each in _named(arguments[index])}
            else:
                names.add(name)
        return names

    def _macro_text(self, macro: Macro) -> frozenset[str]:
        if macro.value is not None:
            return self.of(macro.value)
        if macro.body is None:
            return frozenset(first or second for first, second in _ASSIGNED.findall(macro.text))
        here = [each for each in macro.body.statements if isinstance(each, Declaration)]
        # A macro that declares a name hides the one of the surroundings.
        return self.of(macro.body) | frozenset(name for each in here for name in _declared(each.variables))

    # ----------------------------------------------------------------- calls

    def _call(self, node: Call) -> frozenset[str]:
        names = set(self.of(node.function))
        transient = self._is_transient(node)
        for argument in node.arguments:
            target = _address(argument)
            if target is not None and transient:
                names |= self.of(target) | _named(target)
            else:
                names |= self.of(argument)
        function = node.function
        if isinstance(function, Name) and function.text in self._facts.macros:
            for declared in self._facts.macros.get(function.text):
                if declared.node.parameters is not None:
                    names |= self._macro(declared.node, node.arguments)
            return frozenset(names)
        if isinstance(function, Member) and function.name in COLLECTORS:
            for argument in node.arguments:
                names |= self._kept(argument)
        return frozenset(names | self._arguments(node))

    def _is_transient(self, call: Call) -> bool:
        """Whether a pointer given to the callee is surely not kept when the call is over."""
        match call.function:
            case Member(name=name):
                return name in TRANSIENT_METHODS
            case Name() as callee:
                candidates = self._facts.functions.get(callee.last)
                if candidates:
                    return all(_returns_scalar(each.node) for each in candidates)
                if callee.qualifier == "std":
                    return callee.last not in KEEPERS
                return callee.last in BY_VALUE or callee.last in TRANSIENT
            case _:
                return False

    def _arguments(self, call: Call) -> set[str]:
        """Names that the callee takes by reference, or may."""
        plain = [(index, each) for index, each in enumerate(call.arguments) if isinstance(each, Name | Index | Member)]
        if not plain:
            return set()
        everything = {name for _, argument in plain for name in _named(argument)}
        match call.function:
            case Name() as callee:
                last = callee.last
                known = callee.qualifier.partition("::")[0] in ("std", "sycl", "cl", "oneapi", "dpct")
                if callee.text in ("std::swap", "swap", "std::tie", "std::exchange"):
                    return everything
                if known and last in KEEPERS:
                    return everything | _lasting(everything)
                if last in self._facts.structs:
                    return self._constructed(callee, call.arguments)
            case Member(name=last):
                known = True
            case Lambda(parameters=parameters):
                return {
                    name
                    for index, argument in plain
                    if index < len(parameters) and _writable(parameters[index].type)
                    for name in _named(argument)
                }
            case _:
                return set()
        candidates = self._facts.functions.get(last)
        if candidates:
            return self._taken([each.node for each in candidates], plain)
        elements = set() if last in READERS else {f"*{name}" for name in everything}
        # A constructor or a function written elsewhere: by convention types start with a capital.
        if known or last in BY_VALUE or last in self._facts.structs or last[:1].isupper():
            return elements
        return everything | elements

    def _taken(self, candidates: list[Function], plain: list[tuple[int, Name | Index | Member]]) -> set[str]:
        """Names that one of ``candidates`` takes by reference or as a pointer to what it may change."""
        names: set[str] = set()
        for candidate in candidates:
            parameters = candidate.parameters
            if not parameters:
                continue
            for index, argument in plain:
                kind = parameters[min(index, len(parameters) - 1)].type
                if kind.constant:
                    continue
                if kind.reference:
                    names |= _named(argument)
                if kind.pointers or kind.extents:
                    names |= _decayed(argument)
        return names

    def _constructed(self, kind: Name, arguments: tuple[Expr, ...]) -> set[str]:
        """Names that an object made from ``arguments`` may change, now or later."""
        structs = self._facts.structs.get(kind.last)
        if not structs:
            return set()
        plain = [(index, each) for index, each in enumerate(arguments) if isinstance(each, Name | Index | Member)]
        constructors = [each.node for each in self._facts.functions.get(kind.last)]
        names = self._taken(constructors, plain)
        if any(_holds_reference(each.node) for each in structs):
            names |= {name for _, argument in plain for name in _named(argument)}
        return names | _lasting(names)


def _declared(variables: Iterable[Variable]) -> set[str]:
    names = {variable.name for variable in variables}
    return names | {prefix + name for name in names for prefix in ("*", "&", "&*")}


def _lasting(names: Iterable[str]) -> set[str]:
    return {f"&{name}" for name in names if not name.startswith("&")}


def _named(expression: Expr) -> set[str]:
    name = root(expression)
    return {name} if name is not None else set()


def _decayed(expression: Expr) -> set[str]:
    """An array whose elements a pointer made from ``expression`` reaches."""
    return {f"*{expression.text}"} if isinstance(expression, Name) else set()


def _address(expression: Expr) -> Expr | None:
    """``n`` of ``&n`` and ``(char *)&n``."""
    while isinstance(expression, Cast):
        expression = expression.operand
    return expression.operand if isinstance(expression, Unary) and expression.operator == "&" else None


def _writable(kind: Type) -> bool:
    return kind.reference and not kind.constant


def _holds_reference(struct: Struct) -> bool:
    return any(
        _writable(variable.type)
        for statement in struct.members.statements
        if isinstance(statement, Declaration)
        for variable in statement.variables
    )


def _returns_scalar(function: Function) -> bool:
    returns = function.returns
    return (
        function.body is not None
        and returns is not None
        and not returns.pointers
        and not returns.reference
        and returns.name.text in _SCALARS
    )


def _read(expression: Expr) -> set[str]:
    """The variables of ``in >> a >> b``."""
    names: set[str] = set()
    while isinstance(expression, Binary) and expression.operator == ">>":
        names |= _named(expression.right)
        expression = expression.left
    return names if isinstance(expression, Name | Member | Call | Index) else set()


def _reads_stream(node: Binary) -> bool:
    left: Expr = node.left
    while isinstance(left, Binary) and left.operator == ">>":
        left = left.left
    return isinstance(left, Name) and left.last.lower().endswith(_STREAMS)
