"""Mangled C++ names to what they name: its scopes one by one, with their template arguments.

Of types it keeps what distinguishes instantiations; parameters of functions are read and dropped.
Source: Itanium C++ ABI, "External Names (a.k.a. Mangling)", with the qualifiers and builtin types of clang.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import chain
from typing import TypeVar

from sycllint.compiled.mangling import (
    BUILTINS,
    OPERANDS,
    OPERATORS,
    STANDARD,
    Beyond,
    Demangled,
    NamePart,
    Reader,
    named,
)

_QUALIFIERS = {"P": "*", "R": "&", "O": "&&", "K": " const", "V": " volatile", "r": " restrict", "C": "", "G": ""}
_DEEPEST = 200
Part = TypeVar("Part")


def demangled(text: str, *, of_type: bool) -> Demangled | None:
    """What a mangling names that has no prefix: a type, else a function or variable; ``None`` beyond this reader."""
    demangler = _Demangler(text)
    try:
        found = demangler.type() if of_type else demangler.encoding()
    except (Beyond, IndexError, ValueError):
        return None
    return found if demangler.at_end or demangler.peek() == "." else None


class _Demangler(Reader):
    """The types, names and expressions of a mangling, and what later parts of it refer back to."""

    def __init__(self, text: str) -> None:
        super().__init__(text)
        self._seen: list[Demangled] = []
        """Substitution candidates, in their order."""
        self._given: tuple[Demangled, ...] = ()
        """The template arguments of the function that is being read."""
        self._depth = 0

    def encoding(self) -> Demangled:
        """A function with its parameters, which are dropped, or a variable."""
        outside = self._given
        if self.took("T"):
            raise Beyond
        found = self._name(of_function=True)
        while not self.at_end and self.peek() not in "E.":
            self.type()
        self._given = outside
        return found

    def type(self) -> Demangled:
        """A type, remembered for substitutions unless it is a builtin or is one itself."""
        with self._deeper():
            here = self.peek()
            if here in _QUALIFIERS:
                self.take()
                inner, end = self.type(), _QUALIFIERS[here]
                return self._remembered(Demangled(inner.text + end, inner.parts, inner.declarators + end))
            if here in BUILTINS:
                return Demangled(BUILTINS[self.take()])
            match here:
                case "D" if self.ahead(1) not in "tT":
                    return self._extended()
                case "A":
                    return self._remembered(self._array())
                case "M":
                    self.take()
                    owner, member = self.type(), self.type()
                    return self._remembered(Demangled(f"{member.text} {owner.text}::*"))
                case "F":
                    return self._remembered(self._function())
                case "U":
                    return self._remembered(self._vendor_qualified())
                case "u":
                    self.take()
                    return self._remembered(Demangled(self.source_name() + _listed(self._arguments())))
                case "T" if self.ahead(1) in "sue":
                    self.take(2)
                    return self._remembered(self._name())
                case "T":
                    found = self._remembered(self._parameter())
                    return self._remembered(self._with_arguments(found)) if self.peek() == "I" else found
                case "S" if self.ahead(1) != "t":
                    found = self._substitution()
                    return self._remembered(self._with_arguments(found)) if self.peek() == "I" else found
                case _:
                    return self._remembered(self._name())

    @contextmanager
    def _deeper(self) -> Iterator[None]:
        self._depth += 1
        if self._depth > _DEEPEST:
            raise Beyond
        yield
        self._depth -= 1

    def _remembered(self, found: Demangled) -> Demangled:
        self._seen.append(found)
        return found

    def _extended(self) -> Demangled:
        """Builtin types of two letters, vectors and packs."""
        if self.took("Dp"):
            return self.type()
        if self.took("DF"):
            bits = self.digits()
            return (
                Demangled(f"_Float{bits}" if not self.took("b") else "std::bfloat16_t")
                if self.took("_") or bits
                else Demangled("")
            )
        if self.took("Dv"):
            count = self._expression().text if self.took("_") else self.digits()
            self.took("_")
            return self._remembered(Demangled(f"{self.type().text} __vector({count})"))
        if self.took("DB") or self.took("DU"):
            bits = self.digits()
            self.require("_")
            return Demangled(f"_BitInt({bits})")
        if self.took("Do") or self.took("Dx"):
            return self.type()
        name = STANDARD.get(self.take(2))
        if name is None:
            raise Beyond
        return Demangled(name)

    def _array(self) -> Demangled:
        self.take()
        extent = self.digits() if self.peek().isdigit() or self.peek() == "_" else self._expression().text
        self.require("_")
        return Demangled(f"{self.type().text}[{extent}]")

    def _function(self) -> Demangled:
        self.take()
        self.took("Y")
        types = []
        while not self.took("E"):
            if self.took("RE") or self.took("OE"):
                break
            types.append(self.type().text)
        return Demangled(f"{types[0]}({', '.join(types[1:])})")

    def _vendor_qualified(self) -> Demangled:
        """``U3AS1f``: an address space or similar, in which no two kernels differ."""
        self.take()
        self.source_name()
        self._arguments()
        return Demangled(self.type().text)

    def _parameter(self) -> Demangled:
        """``T_``, ``T0_``: of the function around it; ``auto`` where it is a generic lambda's."""
        self.require("T")
        if self.took("L"):
            self.digits()
            self.require("_")
        index = self._sequence(10)
        return self._given[index] if index < len(self._given) else Demangled("auto")

    def _sequence(self, base: int) -> int:
        """A number that starts at nothing: ``_`` is 0, ``0_`` is 1."""
        text = ""
        while self.peek() != "_":
            text += self.take()
        self.take()
        return int(text, base) + 1 if text else 0

    def _substitution(self) -> Demangled:
        self.require("S")
        standard = STANDARD.get("S" + self.peek())
        if standard is not None:
            self.take()
            return named(*standard.split("::"))
        return self._seen[self._sequence(36)]

    def _name(self, *, of_function: bool = False) -> Demangled:
        match self.peek():
            case "N":
                return self._nested(of_function=of_function)
            case "Z":
                return self._local()
            case "S" if self.ahead(1) != "t":
                found = self._substitution()
            case _:
                found = self._unscoped()
                if self.peek() == "I":
                    self._remembered(found)
        return self._with_arguments(found, of_function=of_function) if self.peek() == "I" else found

    def _unscoped(self) -> Demangled:
        scope = ("std",) if self.took("St") else ()
        self.took("L")
        return Demangled.of((*(NamePart(each) for each in scope), self._part()))

    def _with_arguments(self, found: Demangled, *, of_function: bool = False) -> Demangled:
        arguments = self._arguments()
        if of_function:
            self._given = arguments
        if not found.parts:
            return Demangled(found.text + _listed(arguments))
        return Demangled.of((*found.parts[:-1], found.parts[-1]._replace(arguments=arguments)))

    def _nested(self, *, of_function: bool = False) -> Demangled:
        self.take()
        while self.peek() in "rVKRO":
            self.take()
        found = Demangled("")
        remembered = False
        while not self.took("E"):
            remembered = True
            if self.peek() == "I":
                found = self._with_arguments(found, of_function=of_function)
            elif self.peek() == "T":
                found = self._parameter()
            elif self.took("St"):
                found, remembered = named("std"), False
                continue
            elif self.peek() == "S":
                found, remembered = self._substitution(), False
                continue
            elif self.peek() == "D" and self.ahead(1) in "tT":
                found = self._decltype()
            elif self.took("M"):
                continue
            else:
                self.took("L")
                part = self._part(found.parts[-1].name if found.parts else "")
                found = (
                    Demangled.of((*found.parts, part))
                    if found.parts or not found.text
                    else Demangled(f"{found.text}::{part}")
                )
            self._seen.append(found)
        if remembered:
            self._seen.pop()
        return found

    def _decltype(self) -> Demangled:
        self.take(2)
        text = self._expression().text
        self.require("E")
        return Demangled(f"decltype({text})")

    def _local(self) -> Demangled:
        """An entity of a function: the function's scopes and its own stand before it."""
        self.take()
        function = self.encoding()
        self.require("E")
        around = (*function.parts[:-1], function.parts[-1]._replace(is_function=True)) if function.parts else ()
        if self.took("s"):
            self._discriminator()
            return Demangled.of((*around, NamePart("")))
        if self.took("d"):
            self.digits()
            self.require("_")
        entity = self._name()
        self._discriminator()
        return Demangled.of((*around, *entity.parts))

    def _discriminator(self) -> None:
        """``_0`` or ``__12_``: which of several of a name in one function."""
        if self.took("__"):
            self.digits()
            self.took("_")
        elif self.peek() == "_" and self.ahead(1).isdigit():
            self.take(2)

    def _part(self, owner: str = "") -> NamePart:
        """One name without its scope; its tags are passed over."""
        part = self._plain(owner)
        while self.took("B"):
            self.source_name()
        return part

    def _plain(self, owner: str) -> NamePart:
        here = self.peek()
        if here.isdigit():
            name = self.source_name()
            return NamePart("(anonymous)" if name.startswith("_GLOBAL__N") else name)
        if self.took("Ul"):
            return self._lambda()
        if self.took("Ut"):
            return NamePart(f"(unnamed {self._sequence(10)})")
        if here == "C":
            self.take(3 if self.ahead(1) == "I" else 2)
            return NamePart(owner)
        if here == "D" and self.ahead(1) in "012":
            self.take(2)
            return NamePart("~" + owner)
        if self.took("DC"):
            return NamePart(f"[{', '.join(self._until_end(self.source_name))}]")
        if self.took("cv"):
            return NamePart(f"operator {self.type().text}")
        if self.took("li"):
            return NamePart('operator""' + self.source_name())
        operator = OPERATORS.get(self.take(2))
        if operator is None:
            raise Beyond
        return NamePart(f"operator{operator}", is_function=True)

    def _lambda(self) -> NamePart:
        """A closure type: which of those with these parameters it is, counted from 0 in what is around it."""
        while self.peek() == "T" and self.ahead(1) in "ynptk":
            self._template_parameter()
        shown = ", ".join(each.text for each in self._until_end(self.type) if each.text != "void")
        return NamePart("(lambda)", signature=shown, number=self._sequence(10))

    def _template_parameter(self) -> None:
        match self.take(2):
            case "Ty":
                return
            case "Tn":
                self.type()
            case "Tp":
                self._template_parameter()
            case _:
                raise Beyond

    def _arguments(self) -> tuple[Demangled, ...]:
        """The template arguments that follow, if any; packs are spread."""
        if not self.took("I"):
            return ()
        return tuple(chain.from_iterable(self._until_end(self._argument)))

    def _argument(self) -> list[Demangled]:
        if self.took("J"):
            return [*chain.from_iterable(self._until_end(self._argument))]
        if self.took("X"):
            found = self._expression()
            self.require("E")
            return [found]
        if self.peek() == "L":
            return [self._expression()]
        return [self.type()]

    def _expression(self) -> Demangled:
        with self._deeper():
            if self.took("L"):
                return self._literal()
            if self.peek() == "T":
                return self._parameter()
            if self.took("sr"):
                scope = self.type()
                return Demangled(f"{scope.text}::{self._part()}{_listed(self._arguments())}")
            if self.took("fp") or self.took("fL"):
                while not self.took("_"):
                    self.take()
                return Demangled("parameter")
            if self.took("cl") or self.took("tl") or self.took("il"):
                return self._sequence_of("cl")
            if self.took("cv"):
                return self._conversion()
            if self.took("st") or self.took("at"):
                return Demangled(f"sizeof({self.type().text})")
            count = OPERANDS.get(self.peek() + self.ahead(1))
            if count is None:
                if self.peek().isdigit():
                    return Demangled(f"{self._part()}{_listed(self._arguments())}")
                raise Beyond
            operator = OPERATORS[self.take(2)]
            operands = [self._expression().text for _ in range(count)]
            return Demangled(f"{operator}{operands[0]}" if count == 1 else f" {operator} ".join(operands))

    def _until_end(self, read: Callable[[], Part]) -> list[Part]:
        """What ``read`` gives again and again until an ``E``."""
        found = []
        while not self.took("E"):
            found.append(read())
        return found

    def _sequence_of(self, what: str) -> Demangled:
        parts = ", ".join(each.text for each in self._until_end(self._expression))
        return Demangled(f"{what}({parts})")

    def _conversion(self) -> Demangled:
        wanted = self.type().text
        if self.took("_"):
            return Demangled(f"{wanted}{self._sequence_of('').text}")
        return Demangled(f"{wanted}({self._expression().text})")

    def _literal(self) -> Demangled:
        """A number, a truth value, or the address of a function."""
        if self.took("_Z"):
            found = self.encoding()
            self.require("E")
            return found
        kind = self.type()
        text = "".join(self._until_end(self.take))
        number = "-" + text[1:] if text.startswith("n") else text
        if kind.text == "bool":
            return Demangled("true" if number == "1" else "false")
        return Demangled(f"({kind.text}){number}" if kind.parts or not number else number)


def _listed(arguments: tuple[Demangled, ...]) -> str:
    return f"<{', '.join(each.text for each in arguments)}>" if arguments else ""
