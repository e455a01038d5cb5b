"""Functions of numbers: int, round, math.*, cmath.*: Python's own, called by each run.

Their kernels are Python's functions, so errors, types and roundings are Python's; the
table NUMBERS says what type of number, or numbers, each gives.
"""

from __future__ import annotations

import cmath
import math
import operator
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from autograph.operators.made_types import made_type
from runtime import kinds
from runtime.errors import PythonTypeError
from runtime.library_spec import LibrarySpec
from runtime.objects import is_object
from runtime.ongoing import Ongoing
from runtime.ops import world
from runtime.ops.template import encode
from runtime.picked import may_be_number
from runtime.spec import (
    PYTHON_NUMBERS,
    TensorSpec,
    object_type,
    of_kinds,
)
from runtime.tensor import Tensor
from runtime.unknown import require_class
from tracer import caught, caught_parts, for_loop
from tracer.list_objects import wholes
from tracer.staged_range import StagedRange

Numbers = Callable[..., Any]


def number(function: Callable[..., Any], *types: type) -> Numbers:
    """`function` of staged numbers, giving a number of this type, or several."""
    results = tuple(TensorSpec((), kind, weak=True) for kind in types)

    def call(*args: Any, **kwargs: Any) -> Any:
        if len(results) == 1 and not kwargs and not any(map(_is_whole, args)):
            return world.python_call(*args, function=function, result=results[0])
        return called(function, args, kwargs, results)

    return call


def _is_whole(argument: Any) -> bool:
    """True for what is no operand of its own: a list, text, a generator."""
    return not isinstance(argument, (Tensor, np.generic, *PYTHON_NUMBERS))


def called(
    function: Callable[..., Any],
    args: Sequence[Any],
    kwargs: dict[str, Any],
    results: tuple[TensorSpec, ...],
) -> Any:
    """A node that calls `function`, which is pure, with what the arguments hold."""
    template, inputs = encode(wholes((tuple(args), kwargs)), _is_tensor)
    positional, named = template
    return world.host_call(
        *inputs,
        function=function,
        args=positional,
        kwargs=named,
        results=results,
        writes=False,
    )


def _is_tensor(part: Any) -> bool:
    return isinstance(part, Tensor)


def fsum(items: Any, /) -> Any:
    """`math.fsum`."""
    whole = isinstance(items, (Tensor, list, tuple))
    return _fsum(items if whole else list(items))


_fsum = number(math.fsum, float)
int_ = number(int, int)

# The staged forms of other Python objects, and what they are the staged forms of.
STANDS_FOR: dict[type, type] = {
    StagedRange: range,
    caught_parts.ArgumentsOfCaught: tuple,
    for_loop.Enumerated: enumerate,
    for_loop.Zipped: zip,
    for_loop.Reversed: reversed,
    for_loop.Mapped: map,
}
for _ours, _theirs in STANDS_FOR.items():
    # Python's messages name the type (`unsupported operand type(s) for +: ...`).
    _ours.__name__ = _theirs.__name__


def type_(x: Any, /, *others: Any, **named: Any) -> Any:
    """`type(x)` of what `x` will be when the graph runs."""
    if caught.is_open(x) and not others:
        return caught.type_of(x)
    if others or named:
        return made_type(x, *others, **named)
    if not isinstance(x, Tensor):
        own = x.stands_for if isinstance(x, Ongoing) else None
        return own or STANDS_FOR.get(type(x)) or type(x)
    if isinstance(x.spec, LibrarySpec):
        return x.spec.kind
    if x.spec.kinds:
        return kinds.split(type_, x)
    require_class(x)
    if x.spec.weak:
        return x.spec.python_type
    if is_object(x):
        return object_type(x.spec)
    if may_be_number(x):
        raise PythonTypeError("whether this is an array or a number depends on data")
    return x.dtype.type if x.scalar else np.ndarray


def kind_name(x: Any) -> str:
    """The name of its type, as Python's messages write it."""
    kind = type_(x)
    own = issubclass(kind, (np.generic, np.ndarray))
    return f"{kind.__module__}.{kind.__name__}" if own else str(kind.__name__)


def round_(number: Any, ndigits: Any = None) -> Any:
    """`round(x)`: an int without digits, else x's own kind."""
    if ndigits is None:
        return _rounded(number)
    if not isinstance(number, Tensor):
        return called(round, (number, ndigits), {}, (_spec_of(number),))
    if number.scalar:
        found = [(o.dtype, o.weak) for o in number.spec.options if o.dtype is not None]
        spec = of_kinds((), [_INT if kind == _BOOL else kind for kind in found])
        return called(round, (number, ndigits), {}, (spec,))
    raise TypeError("type numpy.ndarray doesn't define __round__ method")


_rounded = number(round, int)
_BOOL, _INT = (np.dtype(bool), True), (np.dtype(int), True)


def _spec_of(plain: Any) -> TensorSpec:
    return TensorSpec((), type(round(plain, 0)), weak=True)


def pow_(base: Any, exp: Any, mod: Any = None) -> Any:
    """`pow`, with Python's own three-argument form."""
    if mod is None:
        return base**exp
    return _pow(base, exp, mod)


_pow = number(pow, int)


def truth(x: Any) -> Any:
    """`bool(x)`; of a container, whether it is empty."""
    return number(bool, bool)(x) if isinstance(x, Tensor) else bool(x)


def _of(module: Any, names: str) -> list[Any]:
    """The functions of these names; a Python may have fewer."""
    return [getattr(module, name) for name in names.split() if hasattr(module, name)]


_KINDS: dict[tuple[type, ...], list[Any]] = {
    (int,): [
        *_of(math, "floor ceil trunc gcd lcm isqrt comb perm factorial"),
        hash,
        operator.index,
    ],
    (bool,): [
        *_of(math, "isnan isinf isfinite isclose"),
        *_of(cmath, "isnan isinf isfinite isclose"),
    ],
    (float,): [
        *_of(
            math, "sqrt exp log log2 log10 log1p expm1 pow sin cos tan asin acos atan"
        ),
        *_of(math, "atan2 sinh cosh tanh asinh acosh atanh hypot fabs fmod copysign"),
        *_of(math, "erf erfc gamma lgamma degrees radians ldexp remainder nextafter"),
        *_of(math, "ulp exp2 cbrt dist fma"),
        cmath.phase,
    ],
    (complex,): [
        *_of(cmath, "acos acosh asin asinh atan atanh cos cosh exp log log10 rect sin"),
        *_of(cmath, "sinh sqrt tan tanh"),
    ],
    (float, float): [math.modf, cmath.polar],
    (float, int): [math.frexp],
}

NUMBERS: dict[Any, Numbers] = {
    abs: operator.abs,
    round: round_,
    divmod: divmod,
    pow: pow_,
    int: int_,
    float: number(float, float),
    bool: truth,
    complex: number(complex, complex),
    operator.truth: truth,
    **{
        function: number(function, *kinds)
        for kinds, functions in _KINDS.items()
        for function in functions
    },
}
