"""Variable: an array that outlives a call, shared by the functions that use it.

Outside of a trace it is read and assigned at once. Inside, a read and an assignment are
nodes with effects, which keep the program's order.
"""

from __future__ import annotations

import operator
from functools import partial
from operator import is_not
from typing import Any

import numpy as np

from runtime import build
from runtime.errors import StagingTypeError, located
from runtime.ops.state import assign_variable, read_variable
from runtime.spec import PYTHON_NUMBERS, TensorSpec
from runtime.structs import struct
from runtime.tensor import READS, Tensor, tensor


def text_of(name: str, array: Any) -> str:
    """The text of a Variable that holds `array`."""
    return f"Variable({f'{name!r}, ' if name else ''}{np.asarray(array)!r})"


@struct
class Shown:
    """What stands for a Variable where a run makes text of it: what it holds then."""

    name: str
    array: Any

    def __repr__(self) -> str:
        return text_of(self.name, self.array)

    def __format__(self, wanted: str) -> str:
        return format(np.asarray(self.array)[()], wanted) if wanted else repr(self)


# An error of a format names its class.
Shown.__name__ = Shown.__qualname__ = "Variable"


class VariableMade(build.OperatorsWanted):
    """A Variable is made while tracing: the call is run as Python instead.

    Not for users to catch. error: what they are told where that has been done before
    """

    def __init__(self, error: Exception) -> None:
        self.error = error


class Variable(np.lib.mixins.NDArrayOperatorsMixin):
    """State: one array of a fixed dtype and shape, assigned as a whole.

    initial: anything np.asarray takes; copied
    dtype:   the array's dtype; by default that of `initial`
    shape:   the shape that later values must fit; None in it allows any size there

    >>> v = Variable(1.5)
    >>> v.assign_add(2.0)
    np.float64(3.5)
    >>> v + 1
    np.float64(4.5)
    """

    def __init__(
        self, initial: Any, dtype: Any = None, shape: Any = None, name: str = ""
    ) -> None:
        if build.current() is not None:
            error = StagingTypeError("a Variable is made here at each call")
            error.is_final = True
            remedy = (
                "Make it outside of the function, or at the first call only, and keep "
                "it: `if self.v is None: self.v = ag.Variable(...)`."
            )
            raise VariableMade(located(error, remedy))
        self._array = np.array(initial, dtype=dtype)
        self.spec = TensorSpec(
            self._array.shape if shape is None else shape, self._array.dtype
        )
        if not self.spec.accepts(self._array):
            raise ValueError(f"{initial!r} does not fit the shape {shape!r}")
        self.name = name

    @property
    def __name__(self) -> str:
        """What a graph's text calls it: `@weights`."""
        return self.name

    @property
    def dtype(self) -> np.dtype[Any]:
        """The dtype, fixed."""
        return self._array.dtype

    @property
    def shape(self) -> Any:
        """The present shape (of the traced value inside a trace)."""
        return self.value.shape

    @property
    def ndim(self) -> int:
        """The number of dims."""
        return self._array.ndim

    @property
    def value(self) -> Any:
        """The present value: an array of its own, a NumPy scalar for 0-d."""
        if build.current() is not None:
            return read_variable(variable=self)
        return self._array.copy()[()]

    def read(self) -> Any:
        """The same as `.value`."""
        return self.value

    def assign(self, content: Any) -> Any:
        """Give it another value, cast to its dtype; returns the new value.

        ValueError: the shape does not fit. TypeError: the dtype would lose information
        of another kind (a float into an int).
        """
        if build.current() is not None:
            return assign_variable(tensor(content), variable=self)
        self.store(content)
        return self.value

    def store(self, content: Any) -> None:
        """Keep a copy of `content` now; what `assign` does when it is run."""
        array = np.asarray(content)
        weak = type(content) in PYTHON_NUMBERS
        if not weak and not np.can_cast(array.dtype, self.dtype, "same_kind"):
            raise TypeError(
                f"a Variable of dtype {self.dtype.name} cannot take a value of dtype "
                f"{array.dtype.name}; cast it with .astype({self.dtype.name!r})"
            )
        if weak and np.result_type(self.dtype, content) != self.dtype:
            raise TypeError(
                f"a Variable of dtype {self.dtype.name} cannot take the "
                f"{type(content).__name__} {content!r}"
            )
        # A Python int that the dtype cannot hold is an OverflowError, as in NumPy.
        array = np.array(content if weak else array, dtype=self.dtype)
        if not self.spec.accepts(array):
            raise ValueError(
                f"a Variable that is {self.spec!r} cannot take a value of shape "
                f"{array.shape}"
            )
        self._array = array

    def assign_add(self, content: Any) -> Any:
        """`v.assign(v.value + content)`."""
        return self.assign(self.value + content)

    def assign_sub(self, content: Any) -> Any:
        """`v.assign(v.value - content)`."""
        return self.assign(self.value - content)

    def __repr__(self) -> str:
        return text_of(self.name, self._array)

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Any:
        return np.array(self._array, dtype=dtype)

    def __array_ufunc__(
        self, ufunc: np.ufunc, method: str, *inputs: Any, **kwargs: Any
    ) -> Any:
        writes = "out" in kwargs or method == "at"
        return read_by(getattr(ufunc, method), inputs, kwargs, writes)

    def __array_function__(
        self, function: Any, types: Any, args: Any, kwargs: Any
    ) -> Any:
        writes = "out" in kwargs or function in WRITERS
        return read_by(function, args, kwargs, writes or None)

    def __getattr__(self, name: str) -> Any:
        if name in CHANGING:
            return partial(self._changed_by, name)
        if name not in READING:
            kind = type(self).__name__
            raise AttributeError(f"{kind!r} object has no attribute {name!r}")
        return getattr(self.value, name)

    def _changed_by(self, name: str, *args: Any, **kwargs: Any) -> Any:
        """A method of arrays that changes what the Variable holds."""
        return read_by(_method(name), (self, *args), kwargs, writes=True)

    def __dir__(self) -> list[str]:
        return sorted({*super().__dir__(), *READING, *CHANGING})

    def __getitem__(self, key: Any) -> Any:
        return self.value[key]

    def __setitem__(self, key: Any, content: Any) -> None:
        """`v[key] = content`: the whole is assigned, with this part changed."""
        changed = _own_array(self)
        changed[key] = content
        self.assign(changed)

    def _ag_put_into(self, operation: Any, target: Any) -> Any:
        """`target += self` in a graph: the target is changed in place."""
        return operation(target, self.value)

    def __index__(self) -> int:
        return operator.index(self.value)

    def __complex__(self) -> complex:
        return complex(self.value)

    def __len__(self) -> int:
        return len(self._array)

    def __iter__(self) -> Any:
        return iter(self.value)

    def __bool__(self) -> bool:
        return bool(self.value)

    def __int__(self) -> int:
        return int(self.value)

    def __float__(self) -> float:
        return float(self.value)

    def __round__(self, digits: int | None = None) -> Any:
        return round(self.value) if digits is None else round(self.value, digits)

    def __format__(self, wanted: str) -> str:
        return format(self.value, wanted) if wanted else str(self)

    __hash__ = object.__hash__


READS[Variable] = Variable.read
# NumPy's functions that write into their first argument.
WRITERS = frozenset(
    [
        *(np.copyto, np.place, np.put, np.put_along_axis, np.putmask),
        np.fill_diagonal,
    ]
)


# What arrays have and a Variable is asked for: it answers for what it holds.
READING = frozenset(
    "T all any argmax argmin argpartition argsort astype choose clip compress conj"
    " conjugate copy cumprod cumsum diagonal dot flatten imag item itemsize mT max"
    " mean min nbytes nonzero prod ravel real repeat reshape round searchsorted size"
    " squeeze std sum swapaxes take tobytes tolist trace transpose var".split()
)
CHANGING = frozenset("fill partition put sort".split())


def _method(name: str) -> Any:
    return lambda array, *args, **kwargs: getattr(array, name)(*args, **kwargs)


def _own_array(variable: Variable) -> Any:
    """What it holds, as an array or a tensor that may be written into."""
    held = variable.value
    if isinstance(held, Tensor):
        return Tensor(held.value, scalar=False) if held.scalar else held
    return np.array(held)


def read_by(function: Any, args: Any, kwargs: Any, writes: bool | None = None) -> Any:
    """A call on what Variables hold; what it writes there, they are assigned.

    writes: whether the call writes into an argument; None: not known, so what is
            written is seen of arrays, and single numbers are NumPy's scalars
    """
    read: dict[int, tuple[Variable, Any, Any]] = {}

    def content(argument: Any) -> Any:
        if isinstance(argument, Variable):
            if not (writes or (writes is None and argument.ndim)):
                return argument.value
            if id(argument) not in read:
                held = _own_array(argument)
                before = held.value if isinstance(held, Tensor) else argument._array
                read[id(argument)] = argument, held, before
            return read[id(argument)][1]
        if type(argument) in (list, tuple):
            return type(argument)(map(content, argument))
        return argument

    named = {name: content(argument) for name, argument in kwargs.items()}
    result = function(*content(tuple(args)), **named)
    own = {}
    for variable, held, before in read.values():
        is_changed = _is_changed(held, before)
        if is_changed:
            variable.assign(held)
        if writes or is_changed:
            own[id(held)] = variable
    if type(result) is tuple:
        return tuple(own.get(id(part), part) for part in result)
    return own.get(id(result), result)


def _is_changed(held: Any, before: Any) -> bool:
    if isinstance(held, Tensor):
        return held.value is not before
    if held.dtype.kind == "O":
        return any(map(is_not, held.flat, before.flat))
    return bool(held.tobytes() != before.tobytes())


def holds_variable(parts: Any) -> bool:
    """Whether a Variable is among these arguments, or in a list or tuple of them."""
    if isinstance(parts, (list, tuple)):
        return any(map(holds_variable, parts))
    return isinstance(parts, Variable)
