"""Our own C++ as text again, every operation in parentheses: what tests of the parsing floors compare with."""

from collections.abc import Iterable
from typing import assert_never

from sycllint.cpp.expression import (
    Assign,
    Attribute,
    Binary,
    Brace,
    Call,
    Capture,
    Cast,
    Character,
    Conditional,
    Expr,
    Increment,
    Index,
    Lambda,
    Member,
    Name,
    New,
    Number,
    Opaque,
    SizeOf,
    Text,
    Type,
    Unary,
)
from sycllint.cpp.statement import (
    CONST,
    CONSTEXPR,
    EXTERN,
    STATIC,
    VOLATILE,
    Alias,
    Block,
    Case,
    Damaged,
    Declaration,
    Enum,
    Evaluate,
    Forward,
    Friend,
    Function,
    FunctionParameter,
    If,
    Include,
    Instantiation,
    Jump,
    Loop,
    Macro,
    Namespace,
    NamespaceAlias,
    Pragma,
    RangeLoop,
    Return,
    Statement,
    Struct,
    Switch,
    TemplateParameter,
    Try,
    Undefine,
    UsingName,
    UsingNamespace,
    Variable,
    Variants,
)

_FLAGS = {CONST: "const", CONSTEXPR: "constexpr", STATIC: "static", EXTERN: "extern", VOLATILE: "volatile"}


def expression(node: Expr | None) -> str:
    """An expression; ``∅`` for none."""
    match node:
        case None:
            return "∅"
        case Number(text=text) | Text(text=text) | Character(text=text):
            return text
        case Name(text=text, arguments=arguments, scope=scope):
            return (f"{expression(scope)}::" if scope is not None else "") + text + _template(arguments)
        case Type():
            return _type(node)
        case Member(object=whole, name=name, arguments=arguments):
            return f"{expression(whole)}.{name}{_template(arguments)}"
        case Call(function=function, arguments=arguments):
            return f"{expression(function)}({_listed(arguments)})"
        case Brace(type=kind, elements=elements):
            return f"{expression(kind) if kind is not None else ''}{{{_listed(elements)}}}"
        case Unary(operator=operator, operand=operand):
            return f"({operator}{expression(operand)})"
        case Increment(operator=operator, operand=operand, prefix=prefix):
            return f"({operator}{expression(operand)})" if prefix else f"({expression(operand)}{operator})"
        case Binary(operator=operator, left=left, right=right) | Assign(operator=operator, left=left, right=right):
            return f"({expression(left)} {operator} {expression(right)})"
        case Conditional(condition=condition, then=then, otherwise=otherwise):
            return f"({expression(condition)} ? {expression(then)} : {expression(otherwise)})"
        case Index(object=whole, indices=indices):
            return f"{expression(whole)}[{_listed(indices)}]"
        case Cast(type=kind, operand=operand):
            return f"<{_type(kind)}>({expression(operand)})"
        case SizeOf(operator=operator, operand=operand):
            return f"{operator}({expression(operand)})"
        case New(type=kind, arguments=arguments):
            return f"new {_type(kind)}({_listed(arguments)})"
        case Lambda():
            return _lambda(node)
        case Opaque(kind=kind, parts=parts):
            return f"⟨{kind}: {_listed(parts)}⟩"
        case _:
            assert_never(node)


def statement(node: Statement) -> str:
    """A statement on one line."""
    match node:
        case Declaration(variables=variables):
            return ", ".join(_variable(each) for each in variables) + ";"
        case Evaluate(expression=value):
            return f"{expression(value)};"
        case Block():
            return f"{{ {block(node)} }}" if node.statements else "{}"
        case If(initializer=first, condition=condition, then=then, otherwise=otherwise):
            rest = f" else {statement(otherwise)}" if otherwise is not None else ""
            return f"if ({_before(first)}{expression(condition)}) {statement(then)}{rest}"
        case Loop(keyword=keyword, initializer=first, condition=condition, update=update, body=body, pragma=pragma):
            head = f"{_before(first)}{expression(condition)}; {expression(update)}"
            return (f"{pragma} " if pragma else "") + f"{keyword} ({head}) {statement(body)}"
        case RangeLoop(variable=variable, range=over, body=body):
            return f"for ({_variable(variable)} : {expression(over)}) {statement(body)}"
        case Switch(condition=condition, body=body):
            return f"switch ({expression(condition)}) {statement(body)}"
        case Case(value=value, body=body):
            return f"case {expression(value)}: {block(body)}"
        case Return(value=value):
            return f"return {expression(value)};"
        case Jump(keyword=keyword, value=value):
            return f"{keyword} {expression(value)};" if value is not None else f"{keyword};"
        case Try(body=body, handlers=handlers):
            return f"try {statement(body)}" + "".join(f" catch {statement(each)}" for each in handlers)
        case Variants(arms=arms):
            return " ".join(f"#{arm.keyword} {arm.condition} {block(arm.body)}" for arm in arms) + " #endif"
        case Include(path=path, quoted=quoted):
            return f'#include "{path}"' if quoted else f"#include <{path}>"
        case Macro(name=name, parameters=parameters, text=text, value=value, body=body):
            head = name + (f"({', '.join(parameters)})" if parameters is not None else "")
            meaning = expression(value) if value is not None else statement(body) if body is not None else f"‹{text}›"
            return f"#define {head} {meaning}"
        case Undefine(name=name):
            return f"#undef {name}"
        case Pragma(text=text):
            return f"#pragma {text}"
        case Alias(name=name, type=kind, template_parameters=templates):
            return f"{_templates(templates)}using {name} = {_type(kind)};"
        case UsingNamespace(name=name):
            return f"using namespace {name};"
        case UsingName(name=name):
            return f"using {name};"
        case NamespaceAlias(name=name, target=target):
            return f"namespace {name} = {target};"
        case Enum(name=name, scoped=scoped, underlying=underlying, enumerators=enumerators):
            head = f"enum {'class ' if scoped else ''}{name}" + (f" : {_type(underlying)}" if underlying else "")
            listed = ", ".join(f"{each.name} = {expression(each.value)}" for each in enumerators)
            return f"{head} {{ {listed} }};"
        case Function():
            return _function(node)
        case Struct(name=name, keyword=keyword, template_parameters=templates, specialization=special):
            bases = f" : {_listed(node.bases)}" if node.bases else ""
            return f"{_templates(templates)}{keyword} {name}{_template(special)}{bases} {statement(node.members)};"
        case Namespace(name=name, body=body):
            return f"{'inline ' if node.inline else ''}namespace {name} {statement(body)}"
        case Friend(function=function):
            return f"friend {_function(function)}"
        case Forward(struct=struct):
            return f"{_templates(struct.template_parameters)}{struct.keyword} {struct.name};"
        case Instantiation(name=name):
            return f"template {expression(name)};"
        case Damaged(body=body):
            return f"⟨damaged: {block(body)}⟩"
        case _:
            assert_never(node)


def block(node: Block) -> str:
    """The statements of a block, without braces."""
    return " ".join(statement(each) for each in node.statements)


def _listed(nodes: Iterable[Expr]) -> str:
    return ", ".join(expression(each) for each in nodes)


def _template(arguments: tuple[Expr, ...] | None) -> str:
    return "" if arguments is None else f"<{_listed(arguments)}>"


def _templates(parameters: tuple[TemplateParameter, ...]) -> str:
    if not parameters:
        return ""
    listed = ", ".join(
        f"{_type(each.type) if each.type is not None else 'typename'}{'...' * each.pack} {each.name}".strip()
        + (f" = {expression(each.default)}" if each.default is not None else "")
        for each in parameters
    )
    return f"template <{listed}> "


def _type(node: Type) -> str:
    extents = "".join(f"[{expression(each) if each is not None else ''}]" for each in node.extents)
    marks = "*" * node.pointers + "&" * node.reference
    return ("const " if node.constant else "") + expression(node.name) + marks + extents


def _variable(node: Variable) -> str:
    flags = "".join(f"{word} " for flag, word in _FLAGS.items() if node.flags & flag and flag != CONST)
    attributes = "".join(f"{_attribute(each)} " for each in node.attributes)
    listed = _listed(node.arguments)
    initializer = {"": "", "=": f" = {listed}", "(": f"({listed})", "{": f"{{{listed}}}", "[": f" [= {listed}]"}
    return f"{attributes}{flags}{_type(node.type)} {node.name}{initializer[node.style]}"


def _attribute(node: Attribute) -> str:
    return f"[[{node.name}({_listed(node.arguments)})]]"


def _parameter(node: FunctionParameter) -> str:
    default = f" = {expression(node.default)}" if node.default is not None else ""
    return f"{_type(node.type)} {node.name}".strip() + default


def _capture(node: Capture) -> str:
    value = f" = {expression(node.value)}" if node.value is not None else ""
    return ("&" if node.by_reference else "") + node.name + value


def _lambda(node: Lambda) -> str:
    captures = ", ".join([node.default] * bool(node.default) + [_capture(each) for each in node.captures])
    parameters = ", ".join(_parameter(each) for each in node.parameters)
    attributes = "".join(f" {_attribute(each)}" for each in node.attributes)
    damaged = "⟨damaged⟩" if node.damaged else ""
    templates = _templates(node.template_parameters).removeprefix("template ").strip()
    return f"{damaged}[{captures}]{templates}({parameters}){attributes} {statement(node.body)}"


def _function(node: Function) -> str:
    flags = "".join(f"{word} " for flag, word in _FLAGS.items() if node.flags & flag and flag != CONST)
    attributes = "".join(f"{_attribute(each)} " for each in node.attributes)
    returns = f"{_type(node.returns)} " if node.returns is not None and node.returns.name.text else ""
    parameters = ", ".join(_parameter(each) for each in node.parameters)
    first = ", ".join(f"{name}({_listed(arguments)})" for name, arguments in node.initializers)
    body = f" {statement(node.body)}" if node.body is not None else ";"
    head = f"{_templates(node.template_parameters)}{attributes}{flags}{returns}{node.name}({parameters})"
    return head + (f" : {first}" if first else "") + body


def _before(node: Statement | None) -> str:
    return "" if node is None else f"{statement(node).removesuffix(';')}; "
