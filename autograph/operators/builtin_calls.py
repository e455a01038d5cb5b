"""Builtins on staged values: what `len`, `range`, `min`, `int`, `math.sqrt` ... mean.

Those in BUILTINS are always replaced; those in STAGED_BUILTINS only when an argument is
staged, and then they do what Python's does, element by element in Python's order.
"""

from __future__ import annotations

import builtins
import math
import operator
from collections.abc import Callable, Sized
from functools import partial
from itertools import islice
from typing import Any

import numpy as np

from autograph.operators import attributes, objects, stores
from autograph.operators.compare import in_
from autograph.operators.fstring import staged_or_plain
from autograph.operators.logical import and_, not_, or_
from autograph.operators.registry import staging_of
from autograph.operators.tensors import staged_iterable
from runtime import build
from runtime.errors import StagingTypeError, located
from runtime.ops import world
from runtime.ops.template import encode
from runtime.spec import TensorSpec
from runtime.staged_text import StagedText
from runtime.tensor import Tensor, tensor_of_array
from runtime.variable import Variable
from tracer import caught, for_loop, tree
from tracer.cond import choose
from tracer.exits import Exit
from tracer.state import EMPTY, Box, State, with_boxes

Numbers = Callable[..., Any]


def print_(*args: Any, **kwargs: Any) -> None:
    """Python's print, each time the graph runs (`python_effects="trace"`: once)."""
    frame = build.current()
    if frame is None or frame.trace.python_effects == "trace":
        shown = [arg.text() if isinstance(arg, StagedText) else arg for arg in args]
        builtins.print(*shown, **kwargs)
        return
    emit_print(caught.shown(args), kwargs)


def emit_print(args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
    """A print node; what holds no tensor is text already, as it is now."""
    made = tuple(map(objects.text, args))
    shown = tuple(arg if _is_run_time(arg) else str(arg) for arg in made)
    template, inputs = encode((shown, kwargs), lambda part: isinstance(part, Tensor))
    positional, named = template
    world.print_(*inputs, args=positional, kwargs=named)


def _is_run_time(arg: Any) -> bool:
    """True for what is text only when the graph runs."""
    return isinstance(arg, Variable) or tree.holds_tensor(arg)


def _getattr(of: Any, name: str, *default: Any) -> Any:
    try:
        return stores.get_attr(of, name)
    except AttributeError:
        if not default:
            raise
        return default[0]


def _hasattr(of: Any, name: str) -> bool:
    try:
        attributes.read(of, name)
    except AttributeError:
        return False
    return True


def len_(x: Any) -> Any:
    """The length: an int, or a staged int."""
    return builtins.len(x) if staging_of(x) is None else x.length()


def range_(*bounds: Any) -> for_loop.StagedRange:
    """A range with staged bounds or step."""
    start, stop, step = {1: (0, *bounds, 1), 2: (*bounds, 1)}.get(len(bounds), bounds)
    if not isinstance(step, Tensor) and step == 0:
        raise ValueError("range() arg 3 must not be zero")
    return for_loop.StagedRange(*map(_index, (start, stop, step)))


def _index(x: Any) -> Any:
    if not isinstance(x, Tensor):
        return operator.index(x)
    if x.dtype.kind not in "iub":
        raise TypeError(f"'{_type_name(x)}' object cannot be interpreted as an integer")
    return int_(x)


def _type_name(x: Tensor) -> str:
    return type_(x).__name__ if x.spec.weak else f"numpy.{type_(x).__name__}"


def enumerate_(iterable: Any, start: Any = 0) -> Any:
    """Enumerate over a tensor or another staged iterable."""
    if staging_of(iterable) is None:
        return ((start + i, item) for i, item in builtins.enumerate(iterable))
    return for_loop.Enumerated(staged_iterable(iterable), start)


def zip_(*iterables: Any, strict: bool = False) -> Any:
    """Zip tensors; plain sequences of numbers beside them are captured."""
    if all(staging_of(iterable) is None for iterable in iterables):
        return builtins.zip(*iterables, strict=strict)
    length = _least([i for i in iterables if staging_of(i) is not None])
    zipped = for_loop.Zipped([zippable(iterable, length) for iterable in iterables])
    if strict and _may_differ(zipped):
        # Python raises when it comes to the end of the shortest.
        return builtins.zip(*zipped.iterables, strict=True)
    return zipped


def _least(staged: list[Any]) -> int | None:
    """The length of the shortest one; None where that depends on data."""
    lengths = [staged_iterable(iterable).length() for iterable in staged]
    known = not any(isinstance(length, Tensor) for length in lengths)
    return min(lengths) if known else None


def _may_differ(zipped: for_loop.Zipped) -> bool:
    """Whether the lengths differ; refused where that depends on data."""
    lengths = [iterable.length() for iterable in zipped.iterables]
    if any(isinstance(length, Tensor) for length in lengths):
        raise located(
            StagingTypeError(
                "zip(strict=True) of tensors whose lengths are not known to be the same"
            ),
            "Compare the lengths first, and leave `strict` out.",
        )
    return len(set(lengths)) > 1


def zippable(iterable: Any, length: int | None = None) -> Any:
    """What gives an item for a staged index; of an endless one, `length` items."""
    if staging_of(iterable) is not None:
        return staged_iterable(iterable)
    if isinstance(iterable, range):
        return for_loop.StagedRange(iterable.start, iterable.stop, iterable.step)
    if isinstance(iterable, np.ndarray) and not iterable.dtype.hasobject:
        return for_loop.Rows(tensor_of_array(iterable))
    if length is None and not isinstance(iterable, Sized):
        raise located(
            StagingTypeError(
                f"zip of a {type(iterable).__name__} and of what has a length that "
                "depends on data"
            ),
            "Make a list or an array of it first.",
        )
    return for_loop.Listed(list(islice(iterable, length)))


def reversed_(iterable: Any) -> Any:
    """Reverse over a tensor or another staged iterable."""
    if staging_of(iterable) is None:
        return builtins.reversed(iterable)
    return for_loop.Reversed(staged_iterable(iterable))


def _fold(iterable: Any, start: Any, step: Callable[[Any, Any], Any]) -> Any:
    """Python's left fold over a staged iterable, as a loop of the graph."""
    total = Box(start)

    def body(item: Any) -> Exit:
        total.content = step(total.content, item)
        return None

    state: State = with_boxes(EMPTY, {"the result so far": total})
    for_loop.for_loop(staged_iterable(iterable), body, state)
    return total.content


def _items(args: tuple[Any, ...]) -> Any:
    return args[0] if len(args) == 1 else args


def sum_(iterable: Any, /, start: Any = 0) -> Any:
    """The sum, added from the left as Python does."""
    if staging_of(iterable) is None:
        total = start
        for item in iterable:
            total = total + item
        return total
    return _fold(iterable, start, lambda total, item: total + item)


def any_(iterable: Any) -> Any:
    """True if an item is true."""
    if staging_of(iterable) is None:
        return or_(False, *(partial(_as_bool, item) for item in iterable))
    return _fold(
        iterable, False, lambda found, item: _as_bool(or_(found, lambda: item))
    )


def all_(iterable: Any) -> Any:
    """True if no item is false."""
    if staging_of(iterable) is None:
        return and_(True, *(partial(_as_bool, item) for item in iterable))
    return _fold(
        iterable, True, lambda found, item: _as_bool(and_(found, lambda: item))
    )


def _as_bool(item: Any) -> Any:
    return not_(not_(item))


def _extreme(better: Callable[[Any, Any], Any]) -> Numbers:
    def extreme(*args: Any, key: Any = None, **default: Any) -> Any:
        if key is not None or default:
            raise located(
                StagingTypeError("min and max of tensors take no key or default"),
                "Write the comparison as a loop.",
            )
        items = _items(args)
        if staging_of(items) is None:
            best, *others = items
            for item in others:
                best = _pick(better(item, best), item, best)
            return best
        rows = staged_iterable(items)
        return _fold(
            _Rest(rows),
            rows.item(0),
            lambda best, item: _pick(better(item, best), item, best),
        )

    return extreme


class _Rest(for_loop.Rows):
    """All items of an iterable but the first."""

    def __init__(self, rows: Any) -> None:
        object.__setattr__(self, "tensor", rows)

    def length(self) -> Any:
        return self.tensor.length() - 1

    def item(self, index: Any) -> Any:
        return self.tensor.item(index + 1)


def _pick(condition: Any, a: Any, b: Any) -> Any:
    if not isinstance(condition, Tensor):
        return a if condition else b
    return choose(condition, lambda: a, lambda: b)


def _number(function: Callable[..., Any], dtype: type) -> Numbers:
    """`function` of staged numbers, giving a Python number of one type."""
    result = TensorSpec((), dtype, weak=True)

    def call(*args: Any, **kwargs: Any) -> Any:
        if kwargs:
            raise TypeError(f"{function.__name__}() takes no keyword arguments here")
        return world.python_call(*args, function=function, result=result)

    return call


int_ = _number(int, int)


def type_(x: Any) -> Any:
    """`type(x)` of what `x` will be when the graph runs."""
    if not isinstance(x, Tensor):
        if caught.is_open(x):
            return caught.type_of(x)
        return str if isinstance(x, StagedText) else type(x)
    if x.spec.weak:
        return x.spec.python_type
    return x.dtype.type if x.scalar else np.ndarray


def isinstance_(x: Any, kinds: Any) -> Any:
    """`isinstance(x, kinds)` of what `x` will be when the graph runs."""
    if caught.is_open(x):
        return caught.is_instance(x, kinds)
    return issubclass(type_(x), kinds)


def round_(x: Any, digits: Any = None) -> Any:
    """`round(x)`: an int without digits, else x's own kind."""
    if digits is None:
        return _number(round, int)(x)
    if x.spec.weak:
        return world.python_call(x, digits, function=round, result=x.spec)
    return x.round(digits)


def divmod_(a: Any, b: Any) -> Any:
    """(a // b, a % b)."""
    return a // b, a % b


def pow_(base: Any, exponent: Any, modulus: Any = None) -> Any:
    """`pow`, with Python's own three-argument form."""
    if modulus is None:
        return base**exponent
    return _number(pow, int)(base, exponent, modulus)


def sorted_(iterable: Any, *, key: Any = None, reverse: Any = False) -> Any:
    """The items of a 1-d tensor in a list, ascending (or not)."""
    if key is not None or not isinstance(iterable, Tensor) or iterable.ndim != 1:
        raise located(
            StagingTypeError("sorted of a tensor takes a 1-d one and no key"),
            "Use np.sort and np.argsort.",
        )
    ordered = np.sort(iterable)
    return list(ordered[::-1] if reverse else ordered)


def map_(function: Any, *iterables: Any) -> Any:
    """Map over staged iterables: applied as the items are asked for."""
    if all(staging_of(iterable) is None for iterable in iterables):
        return builtins.map(function, *iterables)
    return for_loop.Mapped(function, for_loop.Zipped([*map(zippable, iterables)]))


_INTS: tuple[Any, ...] = (
    math.floor,
    math.ceil,
    math.trunc,
    math.gcd,
    math.lcm,
    math.isqrt,
)
_INTS = (*_INTS, math.comb, math.perm, math.factorial)
_BOOLS = (math.isnan, math.isinf, math.isfinite, math.isclose)
_FLOATS = tuple(
    getattr(math, name)
    for name in (
        "sqrt exp log log2 log10 log1p expm1 pow sin cos tan asin acos atan atan2 "
        "sinh cosh tanh asinh acosh atanh hypot fabs fmod copysign erf erfc gamma "
        "lgamma degrees radians ldexp remainder nextafter ulp exp2 cbrt"
    ).split()
)

_TEXTS: tuple[Any, ...] = (str, repr, ascii, format)

BUILTINS: dict[Any, Callable[..., Any]] = {
    print: print_,
    setattr: lambda of, name, value: stores.set_attr(value, of, name),
    delattr: stores.del_attr,
    getattr: _getattr,
    hasattr: _hasattr,
    object.__setattr__: stores.set_own,
    object.__delattr__: stores.del_own,
    **{function: partial(staged_or_plain, function) for function in _TEXTS},
}

# They look at the argument itself, whatever it holds.
ASK_TYPES = frozenset({type, isinstance})

STAGED_BUILTINS: dict[Any, Callable[..., Any]] = {
    len: len_,
    range: range_,
    enumerate: enumerate_,
    zip: zip_,
    reversed: reversed_,
    sum: sum_,
    any: any_,
    all: all_,
    min: _extreme(operator.lt),
    max: _extreme(operator.gt),
    abs: abs,
    round: round_,
    divmod: divmod_,
    pow: pow_,
    sorted: sorted_,
    isinstance: isinstance_,
    type: type_,
    int: int_,
    float: _number(float, float),
    bool: _number(bool, bool),
    complex: _number(complex, complex),
    operator.not_: not_,
    operator.contains: lambda container, item: in_(item, container),
    **{function: _number(function, int) for function in _INTS},
    **{function: _number(function, bool) for function in _BOOLS},
    **{function: _number(function, float) for function in _FLOATS},
}
