"""Deduction: types of expressions, arguments of templates, and which overload or specialisation they choose."""
