"""How many arguments a function takes: defaults, parameter packs and ``...`` count."""

from sycllint.cpp.statement import Function


def accepts(function: Function, count: int) -> bool:
    """Whether a function can be called with ``count`` arguments."""
    parameters = function.parameters
    if parameters and parameters[-1].pack:
        return count >= sum(parameter.default is None for parameter in parameters[:-1])
    required = sum(parameter.default is None for parameter in parameters)
    return required <= count <= len(parameters)
