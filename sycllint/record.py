"""Classes of fields, as ``dataclasses`` makes them, that cost next to nothing until the first instance is made.

A run over one file loads some 250 such classes and makes instances of a third of them. ``dataclasses.dataclass``
compiles up to six functions for each, half a millisecond a class; here ``__init__`` is made when it is first called,
out of what those with as many fields share, and the rest is shared by all. ``dataclasses.fields``, ``replace`` and
``is_dataclass`` take these classes for their own. ``NamedTuple`` is that of ``typing`` on the same terms.
"""

from collections import _tuplegetter  # type: ignore[attr-defined] # unlisted: how namedtuple reads its fields
from collections.abc import Callable, Mapping
from functools import cache
from operator import attrgetter
from types import CodeType, FunctionType
from typing import TYPE_CHECKING, Any, NoReturn, TypeVar, cast, dataclass_transform, overload

if TYPE_CHECKING:
    from dataclasses import field, replace
    from typing import NamedTuple

__all__ = ["NamedTuple", "field", "field_names", "mutable", "record", "replace", "singular", "unique"]

Made = TypeVar("Made")
Content = dict[str, Any]
"""What a class is made of, by name."""

_MISSING = object()


class _Field:
    """One field, with what we use of ``dataclasses.field``."""

    __slots__ = ("compare", "default", "factory", "hash", "init", "name", "repr")

    def __init__(
        self,
        *,
        default: object = _MISSING,
        default_factory: Callable[[], object] | None = None,
        init: bool = True,
        repr: bool = True,  # noqa: A002 - as in `dataclasses`
        compare: bool = True,
        hash: bool | None = None,  # noqa: A002
    ) -> None:
        self.name = ""
        self.default = default
        self.factory = default_factory
        self.init = init
        self.repr = repr
        self.compare = compare
        self.hash = compare if hash is None else hash

    @property
    def parameter(self) -> str:
        """As one of the parameters of ``__init__``."""
        if self.factory is not None:
            return f"{self.name}=MISSING"
        return self.name if self.default is _MISSING else f"{self.name}=default_{self.name}"

    @property
    def value(self) -> str:
        """The expression that ``__init__`` assigns to the field; ``""`` when it assigns none."""
        if self.factory is not None:
            made = f"make_{self.name}()"
            return f"{made} if {self.name} is MISSING else {self.name}" if self.init else made
        if self.init:
            return self.name
        return "" if self.default is _MISSING else f"default_{self.name}"


if not TYPE_CHECKING:
    field = _Field

    def replace(made, /, **changes):
        """A copy with other values for some fields, as by ``dataclasses.replace``."""
        cls, names = type(made), made.__record_parameters__
        values = map(changes.pop, names, cls.__record_values__(made))
        copy = cls(*values) if cls.__match_args__ else cls(**dict(zip(names, values, strict=True)))
        if changes:
            raise TypeError(f"{cls.__qualname__} has no field {', '.join(changes)}")
        return copy


def field_names(cls: type) -> tuple[str, ...]:
    """The names of the fields of a class made here, those of its bases first."""
    fields: tuple[_Field, ...] = getattr(cls, "__record_fields__", ())
    return tuple(each.name for each in fields)


@overload
@dataclass_transform(frozen_default=True, field_specifiers=(field,))
def record(cls: type[Made], /) -> type[Made]: ...
@overload
@dataclass_transform(frozen_default=True, field_specifiers=(field,))
def record(*, kw_only: bool = False, guarded: bool = False) -> Callable[[type[Made]], type[Made]]: ...
def record(
    cls: type[Made] | None = None, /, *, kw_only: bool = False, guarded: bool = False
) -> type[Made] | Callable[[type[Made]], type[Made]]:
    """A class with slots, equal and hashed by its fields, that is never changed once made.

    The type checker holds us to that, not the interpreter, which would make each instance twice as expensive; where
    ``guarded``, as in classes that other people's programs hold, the interpreter does, too.
    """
    if cls is not None:
        return _made(cls, _by_value)
    return lambda plain: _made(plain, _by_value, kw_only=kw_only, guarded=guarded)


@dataclass_transform(frozen_default=True, eq_default=False, field_specifiers=(field,))
def unique(cls: type[Made]) -> type[Made]:
    """As ``record``, but an instance is equal only to itself."""
    return _made(cls)


@dataclass_transform(field_specifiers=(field,))
def mutable(cls: type[Made]) -> type[Made]:
    """A class with slots, equal by its fields, that may change and so has no hash."""
    return _made(cls, _by_content)


@dataclass_transform(eq_default=False, field_specifiers=(field,))
def singular(cls: type[Made]) -> type[Made]:
    """A class with slots that may change, where two instances are equal only if they are one."""
    return _made(cls)


def _made(
    cls: type[Made],
    equality: Callable[[tuple[_Field, ...], Content], None] | None = None,
    *,
    kw_only: bool = False,
    guarded: bool = False,
) -> type[Made]:
    content: Content = dict(vars(cls))
    inherited = {each.name: each for each in getattr(cls, "__record_fields__", ())}
    own = {name: _own_field(name, content) for name in cls.__annotations__}
    fields = tuple({**inherited, **own}.values())
    for name in ("__dict__", "__weakref__"):
        content.pop(name, None)
    content["__slots__"] = tuple(name for name in own if name not in inherited)
    content["__record_fields__"] = fields
    content["__dataclass_fields__"] = _DataclassFields()
    content["__record_parameters__"] = names = tuple(each.name for each in fields if each.init)
    content["__record_values__"] = staticmethod(attrgetter(*names) if len(names) > 1 else _values_of(names))
    content["__match_args__"] = () if kw_only else content["__record_parameters__"]
    if cls.__repr__ is object.__repr__:
        content["__repr__"] = _repr
    if cls.__reduce__ is object.__reduce__:
        content["__reduce__"] = _reduce
    if equality is not None:
        equality(fields, content)
    if guarded:
        content["__setattr__"] = content["__delattr__"] = _refuse
    if "__init__" not in content:
        content["__init__"] = _first_init(kw_only=kw_only, guarded=guarded)
    metaclass: Callable[..., Any] = type(cls)
    made: type[Made] = metaclass(cls.__name__, cls.__bases__, content)
    made.__qualname__ = cls.__qualname__
    return made


def _values_of(names: tuple[str, ...]) -> Callable[[object], tuple[object, ...]]:
    """As ``attrgetter`` of several names."""
    return lambda made: tuple(getattr(made, each) for each in names)


def _own_field(name: str, content: Content) -> _Field:
    """The field of that name; its default leaves the class, where a slot takes its place."""
    stated = content.pop(name, _MISSING)
    found = stated if isinstance(stated, _Field) else _Field(default=stated)
    found.name = name
    return found


# ------------------------------------------------------------------- equality


def _reader(names: list[str]) -> Callable[[Any], object]:
    return attrgetter(*names) if names else lambda _: ()


def _by_content(fields: tuple[_Field, ...], content: Content) -> None:
    if "__eq__" in content:
        return
    read = _reader([each.name for each in fields if each.compare])

    def equal(self: object, other: object) -> bool:
        return read(self) == read(other) if type(self) is type(other) else NotImplemented

    content["__eq__"] = equal
    content.setdefault("__hash__", None)


def _by_value(fields: tuple[_Field, ...], content: Content) -> None:
    if content.get("__hash__") is None:
        read = _reader([each.name for each in fields if each.hash])
        content["__hash__"] = lambda self: hash(read(self))
    _by_content(fields, content)


# ----------------------------------------------------------------- instances


def _first_init(*, kw_only: bool, guarded: bool) -> Callable[..., None]:
    """An ``__init__`` that puts the real one in its place."""

    def first(self: object, *values: object, **named: object) -> None:
        cls: Any = next(each for each in type(self).__mro__ if vars(each).get("__init__") is first)
        cls.__init__ = _init(cls, kw_only=kw_only, guarded=guarded)
        cls.__init__.__qualname__ = f"{cls.__qualname__}.__init__"
        cls.__init__(self, *values, **named)

    return first


def _init(cls: Any, *, kw_only: bool, guarded: bool) -> Callable[..., None]:
    fields: tuple[_Field, ...] = cls.__record_fields__
    has_default = [each.default is not _MISSING for each in fields]
    only_stores = all(each.init and each.factory is None for each in fields) and not hasattr(cls, "__post_init__")
    if only_stores and not (kw_only or guarded) and has_default == sorted(has_default):
        return _storing(fields)
    known: Content = {"MISSING": _MISSING, "put": object.__setattr__}
    known |= {f"make_{each.name}": each.factory for each in fields} | {
        f"default_{each.name}": each.default for each in fields
    }
    parameters = ["self", *(["*"] if kw_only else []), *(each.parameter for each in fields if each.init)]
    line = "put(self, {0!r}, {1})" if guarded else "self.{0} = {1}"
    lines = [line.format(each.name, each.value) for each in fields if each.value]
    if hasattr(cls, "__post_init__"):
        lines.append("self.__post_init__()")
    body = "\n ".join(lines or ["pass"])
    exec(f"def __init__({', '.join(parameters)}):\n {body}", known)
    init: Callable[..., None] = known["__init__"]
    return init


def _storing(fields: tuple[_Field, ...]) -> Callable[..., None]:
    """An ``__init__`` that only puts what it is given into the fields, as most do."""
    names = tuple(each.name for each in fields)
    defaults = tuple(each.default for each in fields if each.default is not _MISSING)
    code = _shared("__init__", len(names)).replace(co_varnames=("self", *names), co_names=names)
    return FunctionType(code, {}, "__init__", defaults)


@cache
def _shared(name: str, count: int) -> CodeType:
    """What the ``__init__`` or the ``__new__`` of classes with as many fields share: they differ in names only.

    Most of the time of making one is compiling.
    """
    stand_ins = [f"field{number}" for number in range(count)]
    stored = "\n ".join(f"self.{each} = {each}" for each in stand_ins) or "pass"
    body = stored if name == "__init__" else f"return new(self, ({''.join(f'{each}, ' for each in stand_ins)}))"
    made: Content = {}
    exec(f"def {name}({', '.join(['self', *stand_ins])}):\n {body}", made)
    code: CodeType = made[name].__code__
    return code


def _repr(self: Any) -> str:
    shown = (f"{each.name}={getattr(self, each.name)!r}" for each in self.__record_fields__ if each.repr)
    return f"{type(self).__qualname__}({', '.join(shown)})"


def _reduce(self: Any) -> tuple[object, ...]:
    return _restored, (type(self), *(getattr(self, each.name) for each in self.__record_fields__))


def _restored(cls: Any, *values: object) -> object:
    made = object.__new__(cls)
    for each, value in zip(cls.__record_fields__, values, strict=True):
        object.__setattr__(made, each.name, value)
    return made


def _refuse(self: object, name: str, *_: object) -> NoReturn:
    from dataclasses import FrozenInstanceError

    raise FrozenInstanceError(f"cannot assign to field {name!r}")


class _DataclassFields:
    """What ``dataclasses`` looks for in a class, made when it does."""

    def __get__(self, instance: object, owner: Any) -> Mapping[str, object]:
        from dataclasses import dataclass

        annotations: dict[str, object] = {}
        for cls in reversed(owner.__mro__):
            if "__record_fields__" in vars(cls):
                annotations |= cls.__annotations__
        fields = {each.name: _dataclass_field(each) for each in owner.__record_fields__}
        shadow: Any = type(owner.__name__, (), {"__annotations__": annotations, **fields})
        found: Mapping[str, object] = dataclass(init=False, repr=False, eq=False)(shadow).__dataclass_fields__
        return found


def _dataclass_field(each: _Field) -> object:
    from dataclasses import field

    stated: Content = {"init": each.init, "repr": each.repr, "compare": each.compare, "hash": each.hash}
    if each.factory is not None:
        stated["default_factory"] = each.factory
    elif each.default is not _MISSING:
        stated["default"] = each.default
    return field(**stated)


# -------------------------------------------------------------------- tuples


class _TupleType(type):
    """Makes a class of tuples out of a class statement with ``NamedTuple`` among its bases."""

    def __new__(cls, name: str, bases: tuple[type, ...], content: Content) -> type:
        if not bases:
            return super().__new__(cls, name, bases, content)
        names = tuple(content["__annotations__"])
        defaults = tuple(content[each] for each in names if each in content)
        content |= {each: _tuplegetter(number, "") for number, each in enumerate(names)}
        content |= {
            "__slots__": (),
            "__match_args__": names,
            "_fields": names,
            "__repr__": _tuple_repr,
            "__getnewargs__": _values,
            "_replace": _with_other,
            "_asdict": _by_name,
        }

        def first(cls: type, *values: object, **named: object) -> object:
            made.__new__ = staticmethod(_gathering(names, defaults))
            return made.__new__(cls, *values, **named)

        content["__new__"] = first
        made: Any = type(name, tuple(tuple if type(each) is _TupleType else each for each in bases), content)
        return cast(type, made)


def _gathering(names: tuple[str, ...], defaults: tuple[object, ...]) -> Callable[..., object]:
    """A ``__new__`` that makes a tuple of what it is given."""
    code = _shared("__new__", len(names)).replace(co_varnames=("_cls", *names))
    return FunctionType(code, {"new": tuple.__new__}, "__new__", defaults)


def _tuple_repr(self: Any) -> str:
    shown = (f"{name}={value!r}" for name, value in zip(self._fields, self, strict=True))
    return f"{type(self).__qualname__}({', '.join(shown)})"


def _by_name(self: Any) -> Content:
    return dict(zip(self._fields, self, strict=True))


def _values(self: tuple[object, ...]) -> tuple[object, ...]:
    return tuple(self)


def _with_other(self: Any, /, **changes: object) -> object:
    made = tuple.__new__(type(self), map(changes.pop, self._fields, self))
    if changes:
        raise TypeError(f"{type(self).__qualname__} has no field {', '.join(changes)}")
    return made


if not TYPE_CHECKING:

    class NamedTuple(metaclass=_TupleType):
        """A base that makes a class one of tuples with named elements."""
