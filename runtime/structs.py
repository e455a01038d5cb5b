"""structs: classes of fields that are made quickly, as a start-up needs many.

`dataclass(slots=True)` takes 0.3 ms a class on the machine where a call takes 0.1 us:
it looks at each annotation, and writes and compiles an `__init__`. A struct is such a
class in a tenth of the time: the codes of two `__init__` of as many fields differ
in the names alone, so one is compiled for all; what `dataclasses` knows of fields is
made when it is asked for. That nobody sets a field is seen by the type checker alone.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from copy import copy
from dataclasses import (
    MISSING,
    Field,
    FrozenInstanceError,
    dataclass,
    fields,
    is_dataclass,
)
from dataclasses import field as field
from functools import cache
from operator import attrgetter
from reprlib import recursive_repr
from types import CodeType, FunctionType
from typing import Any, TypeVar, dataclass_transform, overload

T = TypeVar("T")
C = TypeVar("C", bound=type)


@overload
def struct(made: C, /) -> C: ...
@overload
def struct(
    *, eq: bool = True, frozen: bool = True, locked: bool = False
) -> Callable[[C], C]: ...
@dataclass_transform(frozen_default=True, field_specifiers=(field,))
def struct(
    made: type | None = None,
    /,
    *,
    eq: bool = True,
    frozen: bool = True,
    locked: bool = False,
) -> Any:
    """A class decorator: a dataclass with slots.

    eq:     instances are equal by their fields, else by which they are
    frozen: nobody sets a field (the type checker looks); has a hash if `eq`
    locked: setting one is an error, as with a frozen dataclass: for what users hold;
            the class has an `__init__` of its own, by `object.__setattr__`

    >>> @struct
    ... class Point:
    ...     x: int
    ...     y: int = 0
    >>> Point(1), Point(1) == Point(1, 0), len({Point(1), Point(1)})
    (Point(x=1, y=0), True, 1)
    """

    def make(bare: type) -> type:
        known = _fields_of(bare)
        namespace = {k: v for k, v in vars(bare).items() if k not in _NOT_TAKEN}
        for name in known:
            namespace.pop(name, None)
        inherited = {name for base in bare.__mro__[1:] for name in _slots(base)}
        namespace["__slots__"] = tuple(n for n in known if n not in inherited)
        namespace["__struct_fields__"] = known
        if "__init__" not in namespace:
            namespace["__init__"] = _init(bare, known)
            namespace["__signature__"] = _SIGNATURE
        namespace.setdefault("__repr__", _shown)
        namespace["__match_args__"] = tuple(n for n in known if known[n].init)
        if eq:
            _compare_by_fields(namespace, known, frozen)
        if locked:
            assert "__init__" in vars(bare), "its `__init__` would set its fields"
            _lock(namespace, known)
        # What is set on a class that is there costs more.
        namespace["__qualname__"] = bare.__qualname__
        namespace["__dataclass_fields__"] = _ASKED
        namespace["__dataclass_params__"] = _LOCKED if locked else _PARAMETERS
        of: type = type(bare)(bare.__name__, bare.__bases__, namespace)
        return of

    return make if made is None else make(made)


def replace(one: T, /, **changes: Any) -> T:
    """The struct or dataclass with other values in some fields.

    >>> @struct
    ... class Point:
    ...     x: int
    ...     y: int = 0
    >>> replace(Point(1), y=2)
    Point(x=1, y=2)
    """
    home: Any = type(one)
    values_of, places = _in_order(home)
    if not changes.keys() <= places.keys():
        home(**changes)  # raises
    values = [*values_of(one)]
    for name, value in changes.items():
        values[places[name]] = value
    again: T = home(*values)
    return again


def field_names(kind: type) -> tuple[str, ...] | None:
    """The names of a struct's or dataclass's fields; None: it is another class.

    >>> @struct
    ... class Point:
    ...     x: int
    ...     y: int = 0
    >>> field_names(Point), field_names(int)
    (('x', 'y'), None)
    """
    if "__struct_fields__" in vars(kind):
        return tuple(vars(kind)["__struct_fields__"])
    return tuple(one.name for one in fields(kind)) if is_dataclass(kind) else None


@cache
def _in_order(home: type) -> tuple[Callable[[Any], tuple[Any, ...]], dict[str, int]]:
    """What gives the fields that an instance is made of, and the place of each."""
    names: Any = home.__match_args__  # type: ignore[attr-defined] # structs have it
    key: Any = attrgetter(*names) if len(names) > 1 else _few(names)
    return key, {name: place for place, name in enumerate(names)}


# What a class has of the class statement, and would not have twice.
_NOT_TAKEN = ("__dict__", "__weakref__")


@dataclass(init=False, repr=False, eq=False)
class _Bare:
    """What `dataclasses` is told of a struct's decorator: nothing."""


_PARAMETERS = vars(_Bare)["__dataclass_params__"]
_LOCKED = copy(_PARAMETERS)
_LOCKED.frozen = True


def _fields_of(bare: type) -> dict[str, Field[Any]]:
    """Its fields by their names, those of its bases first."""
    known: dict[str, Field[Any]] = {}
    for base in bare.__mro__[:0:-1]:
        known.update(vars(base).get("__struct_fields__", ()))
    own = vars(bare)
    for name, kind in own.get("__annotations__", {}).items():
        if "ClassVar" in str(kind):
            continue
        said = own.get(name, MISSING)
        one = said if isinstance(said, Field) else field(default=said)
        one.name, one.type = name, kind
        known[name] = one
    return known


def _slots(base: type) -> tuple[str, ...]:
    slots = vars(base).get("__slots__", ())
    return (slots,) if isinstance(slots, str) else tuple(slots)


def _init(bare: type, known: Mapping[str, Field[Any]]) -> FunctionType:
    """Its `__init__`, which gets its code when it is first called: many never are."""
    given = [one for one in known.values() if one.init]
    defaults = [
        one.default if one.default_factory is MISSING else MISSING
        for one in given
        if not _is_needed(one)
    ]
    if any(_is_needed(one) for one in given[len(given) - len(defaults) :]):
        raise TypeError(f"a field of {bare.__name__} has no default, and follows one")
    module, name = bare.__module__, f"{bare.__qualname__}.__init__"
    is_followed = hasattr(bare, "__post_init__")
    # A debugger that steps over modules of ours knows this one by its name.
    outside: dict[str, Any] = {"__name__": module}
    init = FunctionType(_NO_CODE, outside, "__init__", tuple(defaults))
    init.__module__, init.__qualname__ = module, name

    def complete() -> FunctionType:
        made = {f"made_{i}": f.default_factory for i, f in enumerate(known.values())}
        outside.update({"MISSING": MISSING, **made})
        init.__code__ = _named(known, is_followed, name)
        return init

    outside["complete"] = complete
    return init


def _complete_and_call(*args: Any, **kwargs: Any) -> None:
    # Its code is that of functions that have `complete` among their globals.
    complete()(*args, **kwargs)  # type: ignore[name-defined] # noqa: F821


_NO_CODE = _complete_and_call.__code__


class _Signature:
    """The `__signature__` of a struct: none of its own, but by then it has its code."""

    def __get__(self, one: object, kind: Any) -> Any:
        init = kind.__init__
        if one is None and getattr(init, "__code__", None) is _NO_CODE:
            init.__globals__["complete"]()
        raise AttributeError("__signature__")


_SIGNATURE = _Signature()


def _named(known: Mapping[str, Field[Any]], is_followed: bool, name: str) -> CodeType:
    """The code of an `__init__`, of one that is shared but for the names."""
    code = _code(tuple(map(_way, known.values())), is_followed)
    names = {f"field_{i}": one for i, one in enumerate(known)}
    return code.replace(
        co_varnames=tuple(names.get(one, one) for one in code.co_varnames),
        co_names=tuple(names.get(one, one) for one in code.co_names),
        co_qualname=name,
    )


def _is_needed(one: Field[Any]) -> bool:
    return one.default is MISSING and one.default_factory is MISSING


# How a field gets its value, by what it says of it; an empty line: from somebody else.
_GIVEN = "    self.field_{0} = field_{0}\n"
_MADE = "    self.field_{0} = made_{0}() if field_{0} is MISSING else field_{0}\n"
_NEW = "    self.field_{0} = made_{0}()\n"


def _way(one: Field[Any]) -> str:
    is_made = one.default_factory is not MISSING
    if one.init:
        return _MADE if is_made else _GIVEN
    return _NEW if is_made else ""


@cache
def _code(ways: tuple[str, ...], is_followed: bool) -> CodeType:
    """The code of an `__init__` whose fields have numbers in place of names."""
    taken = "".join(
        f", field_{i}" for i, way in enumerate(ways) if way in (_GIVEN, _MADE)
    )
    lines = "".join(way.format(i) for i, way in enumerate(ways)) or "    pass\n"
    after = "    self.__post_init__()\n" if is_followed else ""
    outside: dict[str, Any] = {"__name__": __name__}  # a debugger steps over it
    exec(f"def __init__(self{taken}):\n{lines}{after}", outside)
    code: CodeType = outside["__init__"].__code__
    return code


class _Asked:
    """The `__dataclass_fields__` of a struct, made when somebody asks for them."""

    def __get__(self, one: object, kind: type) -> Any:
        home: Any = next(k for k in kind.__mro__ if "__struct_fields__" in vars(k))
        known: dict[str, Field[Any]] = home.__struct_fields__
        told: dict[str, Any] = {
            "__annotations__": {n: f.type for n, f in known.items()}
        }
        told |= {"__module__": home.__module__, **known}
        alike: Any = dataclass(init=False, repr=False, eq=False)(
            type(home.__name__, (), told)
        )
        home.__dataclass_fields__ = alike.__dataclass_fields__
        return home.__dataclass_fields__


_ASKED = _Asked()


def _compare_by_fields(
    namespace: dict[str, Any], known: Mapping[str, Field[Any]], is_hashed: bool
) -> None:
    """Put `__eq__`, and `__hash__` or none, unless the class has its own."""
    names = [name for name, one in known.items() if one.compare]
    # A tuple, so that what is itself is equal, as a NaN.
    key: Any = attrgetter(*names) if len(names) > 1 else _few(names)

    def __eq__(self: Any, other: object) -> bool:
        if other.__class__ is not self.__class__:
            return NotImplemented
        return key(self) == key(other)

    def __hash__(self: Any) -> int:
        return hash(key(self))

    namespace.setdefault("__eq__", __eq__)
    if namespace.get("__hash__") is None:
        namespace["__hash__"] = __hash__ if is_hashed else None


def _lock(namespace: dict[str, Any], known: Mapping[str, Field[Any]]) -> None:
    """Put what refuses to set fields, and what copies and pickles without that."""
    names = frozenset(known)

    def is_locked(self: object, name: str) -> bool:
        # A class of the user's that inherits it has attributes of its own.
        return name in names or "__struct_fields__" in vars(type(self))

    def __setattr__(self: object, name: str, value: object) -> None:
        if is_locked(self, name):
            raise FrozenInstanceError(f"cannot assign to field {name!r}")
        object.__setattr__(self, name, value)

    def __delattr__(self: object, name: str) -> None:
        if is_locked(self, name):
            raise FrozenInstanceError(f"cannot delete field {name!r}")
        object.__delattr__(self, name)

    namespace.update(__setattr__=__setattr__, __delattr__=__delattr__)
    namespace.update(__getstate__=_state, __setstate__=_set_state)


def _state(self: Any) -> list[Any]:
    return [getattr(self, name) for name in self.__struct_fields__]


def _set_state(self: Any, state: list[Any]) -> None:
    for name, value in zip(self.__struct_fields__, state, strict=True):
        object.__setattr__(self, name, value)


def _few(names: list[str]) -> Callable[[Any], tuple[Any, ...]]:
    """Gives the tuple of one field, or of none."""
    return lambda one: tuple([getattr(one, name) for name in names])


@recursive_repr()
def _shown(self: Any) -> str:
    shown = (
        f"{name}={getattr(self, name)!r}"
        for name, one in self.__struct_fields__.items()
        if one.repr
    )
    return f"{type(self).__qualname__}({', '.join(shown)})"
