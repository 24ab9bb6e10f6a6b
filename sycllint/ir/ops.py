"""The instructions of a body, as numbers, and what stands in their columns.

The position of an instruction is the number of the value it makes. ``a``, ``b`` and ``extra`` hold positions of earlier
instructions (values), slots of ``Body.locals``, or numbers of entries in ``Body.names`` and ``Body.lists``; ``NONE``
where there is nothing. A *place* is a value that says where something is stored: it is what ``READ``, ``WRITE`` and
``UPDATE`` take. The base of ``FIELD`` and ``ELEM`` is an object as written: of a pointer, or of a class with operators,
what its type means for it is left to code that knows the type.
"""

NONE = -1
"""Nothing in this column."""

# Values.
CONST = 0
"""A literal, ``sizeof``, or a type among the arguments."""
PARAM = 1
"""Slot ``a`` gets what the caller passes, or what an init-capture holds."""
CAPTURE = 2
"""The variable ``names[extra]`` of a function around this lambda."""
GLOBAL = 3
"""The entity of ``names[extra]`` outside all functions: a variable, a function, a member of the class around."""
THIS = 4

# Locals.
DECL = 5
"""Slot ``a`` begins, with the value ``b``."""
LOAD = 6
"""The value in slot ``a``; for a reference, the place it refers to."""
STORE = 7
"""Slot ``a`` gets the value ``b``."""
ADDR_LOCAL = 8
"""The address of slot ``a``."""

# Places.
FIELD = 9
"""The member ``names[extra]`` of ``a``."""
ELEM = 10
"""The element of ``a`` at ``b``; of several indices, at ``lists[extra]``."""
DEREF = 11
"""The place that the pointer ``a`` points to."""
ADDR = 12
"""The address of the place ``a``."""
READ = 13
"""The value at the place ``a``."""
WRITE = 14
"""The place ``a`` gets the value ``b``."""
UPDATE = 15
"""The place ``a`` is changed by ``names[extra]`` (``+=``, ``++``) and the value ``b``."""

# Arithmetic.
UNARY = 16
"""``names[extra]`` of ``a``."""
BINARY = 17
"""``names[extra]`` of ``a`` and ``b``; the right side of ``&&`` and ``||`` stands in an ``IF``."""
CAST = 18
"""``a`` as another type."""
SELECT = 19
"""``a`` or ``b``, as the ``IF`` before it decided."""

# Calls.
CALL = 20
"""A call with the arguments ``lists[extra]``.

Of the member ``names[b]`` of ``a``; of the function ``names[b]`` where ``a`` is ``NONE``; of what the value ``a`` is
otherwise. ``Body.callee`` has the callee as written."""
CONSTRUCT = 21
"""An object made of ``lists[extra]``, by parentheses or braces."""
NEW = 22
"""``new`` with the arguments and extents ``lists[extra]``; ``a`` is the place of a placement ``new``."""
DELETE = 23
"""``delete`` of what is in ``lists[extra]``."""
LAMBDA = 24
"""A closure; its body is ``lambdas[extra]``."""

# Control.
IF = 25
"""What follows runs where ``a`` holds; ``b`` is the position of the ``ELSE``, ``extra`` that of the ``END``.

Conditional expressions, ``&&`` and ``||`` have one, too; that of ``||`` asks for the opposite of its left side."""
ELSE = 26
LOOP = 27
"""A loop; ``b`` is the position of its ``TEST``, ``extra`` that of its ``END``."""
TEST = 28
"""The loop goes on where ``a`` holds; always, or as the elements of a range say, where that is ``NONE``."""
NEXT = 29
"""The target of ``continue``."""
SWITCH = 30
"""A ``switch`` over ``a``; ``extra`` is the position of the ``END``."""
CASE = 31
"""``case a:``, or ``default:``; the code before it falls through."""
TRY = 32
"""``extra`` is the position of the ``END``."""
CATCH = 33
SCOPE = 34
"""A block among the statements; ``extra`` is the position of the ``END``."""
END = 35
"""The end of what begins at ``a``."""
BREAK = 36
CONTINUE = 37
RETURN = 38
"""The function returns ``a``."""
THROW = 39
GOTO = 40
"""A jump to a label that is not known: the order of the instructions after it is not that of execution."""

# Text.
VARIANT = 41
"""An arm of ``#if``: ``a`` is ``YES``, ``NO`` (its text is left out) or ``PERHAPS`` compiled.

``b`` is the position of the arm before, ``extra`` that of the ``END``."""
UNSEEN = 42
"""Something that is not understood: ``extra`` is a ``Reason``, ``a`` the sum of what it may do."""
DROP = 43
"""A statement that evaluates ``a`` and drops it."""

NAMES = (
    *("const", "param", "capture", "global", "this", "decl", "load", "store", "addr_local", "field", "elem"),
    *("deref", "addr", "read", "write", "update", "unary", "binary", "cast", "select", "call", "construct", "new"),
    *("delete", "lambda", "if", "else", "loop", "test", "next", "switch", "case", "try", "catch", "scope", "end"),
    *("break", "continue", "return", "throw", "goto", "variant", "unseen", "drop"),
)
"""The name of each."""

NO, YES, PERHAPS = 0, 1, 2
"""Whether an arm of ``#if`` is compiled."""

MAY_SYNC = 1
"""The code may synchronise work-items."""
MAY_WRITE = 2
"""The code may change any variable."""
MAY_LEAVE = 4
"""The code may leave the function, or the loop around it."""
ANYTHING = MAY_SYNC | MAY_WRITE | MAY_LEAVE

DAMAGED, MACRO_TEXT, UNKNOWN_NAME, INCLUDED, ASSEMBLER, SYNTAX = range(6)
"""Why something is not understood.

Text that does not parse; a macro's text that is no code, or one of several; a name as a statement that has no
declaration; an included file; assembler; an expression that ``cpp`` has no class for."""
REASONS = ("damaged", "macro", "unknown name", "include", "assembler", "syntax")
