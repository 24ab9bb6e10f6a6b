"""Operators: how tightly binary ones bind, and the words that some are written as."""

PRECEDENCE = {
    operator: level
    for level, operators in enumerate(
        ("||", "&&", "|", "^", "&", "== !=", "< <= > >=", "<=>", "<< >>", "+ -", "* / %"), start=1
    )
    for operator in operators.split()
}
"""The level of each binary operator below assignment, loosest first (C++20, [expr.mul] to [expr.log.or])."""

ALTERNATIVE_TOKENS = {
    "and": "&&",
    "and_eq": "&=",
    "bitand": "&",
    "bitor": "|",
    "compl": "~",
    "not": "!",
    "not_eq": "!=",
    "or": "||",
    "or_eq": "|=",
    "xor": "^",
    "xor_eq": "^=",
}
"""What words mean among operators (C++20, [lex.digraph]). An expression has the symbol."""
