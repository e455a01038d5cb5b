"""Tensor: while tracing, a mutable reference to one immutable value of a graph.

As an ndarray refers to memory, a Tensor refers to a value: `x += 1` and `x[i] = v` make
the same reference refer to a new value, and every alias sees it. A basic index gives a
view: it reads its base again when the base has changed, and writing to it writes the
base. Tensors exist only while tracing; results of a call are ndarrays.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, NoReturn

import numpy as np

from runtime import build, kinds, operators, scalar_operators, shapes
from runtime.aliases import make_stale, mark_aliases, stale_error
from runtime.branched import write_each, write_part
from runtime.errors import (
    LeakedTensorError,
    ObjectArrayError,
    PythonTypeError,
    StagingTypeError,
    located,
)
from runtime.foreign import is_array_like
from runtime.graph import Graph, Value
from runtime.layouts import Unknown, of_result
from runtime.library_spec import LibrarySpec
from runtime.op import Op, set_emit
from runtime.operators import refuse
from runtime.ops.basic import constant, dim
from runtime.picked import Pick, require_items, require_writable
from runtime.spec import PYTHON_NUMBERS, TensorSpec, holds_objects, is_wide
from runtime.tensor_slot import TensorSlot
from runtime.tensor_view import View, reshaped_error
from runtime.written import note_written, refuse_write


class Tensor(operators.Operators):
    """A value of the graph being traced, used like an ndarray or a Python number."""

    __slots__ = (
        "__weakref__",
        "_cache",
        "_frame",
        "_pick",
        "_value",
        "_view",
        "_written",
        "layout",
        "owner",
        "scalar",
        "sources",
    )

    def __init__(
        self,
        value: Value,
        *,
        scalar: bool | None = None,
        view: View | None = None,
        sources: tuple[Tensor, ...] = (),
    ) -> None:
        self._value = value
        self._view = view
        self._cache: Value | None = None
        # Of a view, what was written by it last, which lies elsewhere.
        self._written: Value | None = None
        self._frame = build.current()
        # Which of several arrays it is, where that depends on data.
        self._pick: Pick | None = None
        self.scalar = value.spec.shape == () if scalar is None else scalar
        # Arrays from outside a branch or loop that this may be the same memory as.
        self.sources = sources
        # The user's own array (an argument, a global), which sees every change.
        self.owner = ""
        # How it lies in memory, where that is known not to be C order.
        self.layout: np.ndarray[Any, Any] | Unknown | None = None

    @property
    def spec(self) -> TensorSpec:
        """What is known of the value: dtype and shape."""
        # A view's base may have changed since, so a view looks again.
        if self._view is not None and build.current() is not None:
            return self.value.spec
        return self._value.spec

    @property
    def value(self) -> Value:
        """The value that the tensor refers to now, as the current frame sees it."""
        frame = build.current() or self._refuse_leaked()
        view = self._view
        if view is None:
            if not self.scalar and frame.is_stale(self):
                raise stale_error()
            if self._pick is not None:
                return frame.use(self._pick.value(self._value))
            return frame.use(self._value)
        base = view.base.value
        if base is not self._cache or not frame.sees(self._value):
            frame.trace.asks_layout |= view.by_layout and base is not self._cache
            if shapes.differ(view.shape, base.spec.shape):
                raise reshaped_error()
            is_late = base is not self._cache and self._value is not self._written
            self._value = view.again(frame, self._value if is_late else None)
            self._cache = base
        return frame.use(self._value)

    def write(self, value: Value) -> None:
        """Refer to `value` from now on, and so do the base and every alias."""
        frame, view = build.current() or self._refuse_leaked(), self._view
        if view is None:
            refuse_write(frame, self)
            pick = self._pick
            for source in self.sources if pick is None else pick.unknown(self.sources):
                make_stale(source)
            mark_aliases(frame, self)
            note_written(frame, before := self._value, value)
            if self.owner:
                frame.trace.written[id(self)] = self
            each = None if pick is None else write_each(frame, pick, value)
            frame.change(TensorSlot(self), each or value)
            if pick is not None and each is None:
                pick.write(value, before)
                pick.note(value)
            return
        if write_part(frame, self, value):
            return
        frame.trace.asks_layout |= view.by_layout
        view.base.write(view.write(view.base, Tensor(value)).value)
        self._value = self._written = value
        self._cache = view.base.value

    def looked_up(self) -> Value:
        """The value, of a view what was read from its base: in the base's memory."""
        # Read again it would raise here, and not where it was taken, if it cannot be.
        is_read, tensor = self.is_read, self
        while tensor._view is not None:
            build.require_current("a view").trace.asks_layout |= tensor._view.by_layout
            tensor._cache = tensor._cache if is_read else None
            tensor = tensor._view.base
        if tensor._pick is not None and not is_read:
            tensor._pick.forget()
        return self.value

    @property
    def is_read(self) -> bool:
        """Whether the value lies in the memory of the array that it is, or a part of.

        False for what was written by it, or by what it is a view of.
        """
        tensor = self
        while tensor._view is not None:
            if tensor._value is tensor._written:
                return False
            tensor = tensor._view.base
        return tensor._pick is None or tensor._pick.is_read

    def view_state(self) -> tuple[Value, View | None, Value | None]:
        """What a view refers to: its value, how it was taken, and its base's value."""
        return self._value, self._view, self._cache

    def set_view_state(self, state: tuple[Value, View | None, Value | None]) -> None:
        """Refer to what another one refers to."""
        self._value, self._view, self._cache = state

    def _refuse_leaked(self) -> NoReturn:
        raise LeakedTensorError.outside(f"a {self._value.spec!r} tensor")

    @property
    def root(self) -> Tensor:
        """The tensor whose value holds the memory: itself, or a view's base."""
        tensor = self
        while tensor._view is not None:
            tensor = tensor._view.base
        return tensor

    @property
    def dtype(self) -> np.dtype[Any]:
        """The dtype. TypeError when it is found only at run time."""
        operators.require_attribute(self, "dtype")
        if isinstance(self.spec, LibrarySpec):
            return operators.numpy_api.attribute(self, "dtype")
        if self.spec.kinds or self.spec.weak:
            return kinds.split(kinds.attribute, self, "dtype")
        if is_wide(self.spec):
            raise PythonTypeError("the width of a text is known only at run time")
        if self.spec.dtype is None:
            raise located(
                PythonTypeError("the dtype of this tensor is known only at run time"),
                "Cast it first, for example with `.astype(np.float64)`.",
            )
        return self.spec.dtype

    @property
    def ndim(self) -> int:
        """The number of dims. TypeError when it is found only at run time."""
        if isinstance(self.spec, LibrarySpec):
            return operators.numpy_api.attribute(self, "ndim")
        return len(self._dims("ndim"))

    @property
    def shape(self) -> tuple[Any, ...]:
        """The sizes: an int each, or a staged int where a dim is unknown."""
        if isinstance(self.spec, LibrarySpec):
            return operators.numpy_api.attribute(self, "shape")
        dims = self._dims("shape")
        known = enumerate(dims)
        return tuple(s if isinstance(s, int) else dim(self, axis=a) for a, s in known)

    def _dims(self, what: str) -> tuple[Any, ...]:
        operators.require_attribute(self, what)
        if self.spec.may_be_weak:
            return kinds.split(kinds.dims, self, what)
        if self.spec.shape is None:
            build.note_varying()  # where all reads are converted they ask the run
            raise located(
                StagingTypeError(
                    f"`.{what}` of this tensor is known only at run time, "
                    "since its number of dims is"
                ),
                "Reshape it first, for example with `.reshape(-1)`.",
            )
        return self.spec.shape

    def __len__(self) -> int:
        length = self.length()
        if isinstance(length, Tensor):
            refuse("the length of this tensor", "an int")
        return int(length)

    def length(self) -> Any:
        """`len(x)`: an int, or a staged int when the first dim is unknown."""
        if isinstance(self.spec, LibrarySpec):
            return operators.numpy_api.attribute(self, "__len__")()
        if self.scalar and getattr(self.spec.dtype, "names", None):
            return len(self.dtype.names or ())
        if not self.spec.shape:
            return operators.numpy_api.length(self)
        return self.shape[0]

    def __iter__(self) -> Iterator[Any]:
        if self.spec.shape == () and not getattr(self.spec.dtype, "names", None):
            raise TypeError(operators.no_items(self))
        if isinstance(self.spec, LibrarySpec) and isinstance(self.spec.example, tuple):
            return map(self.__getitem__, range(len(self.spec.example)))
        if isinstance(length := self.length(), Tensor):
            refuse("the length of this tensor", "iterated over here")
        return (self[index] for index in range(length))

    def __repr__(self) -> str:
        return f"Tensor({self.spec!r})"

    def __reduce__(self) -> NoReturn:
        raise located(
            PythonTypeError("a tensor of a trace cannot be pickled or copied to disk"),
            "Pickle what the decorated function returns, or use ag.py_function.",
        )

    def __copy__(self) -> Any:
        return self if self.scalar else self.copy(order="K")

    def __deepcopy__(self, memo: dict[int, Any]) -> Any:
        return self.__copy__()

    # Indexing; views and stores.

    def __getitem__(self, key: Any) -> Any:
        return operators.numpy_api.getitem(self, key)

    @property
    def is_locked(self) -> bool:
        """True for a read-only view, and for views of it."""
        tensor = self
        while tensor._view is not None and not tensor._view.locked:
            tensor = tensor._view.base
        return tensor._view is not None

    def require_writable(self, words: str = "assignment destination") -> None:
        """Raise NumPy's ValueError for a read-only view; `words` name it."""
        require_writable(self, words)

    def __setitem__(self, key: Any, content: Any) -> None:
        if self._pick is not None:
            require_items(self)
        operators.numpy_api.set_item(self, key, content)

    def __array_ufunc__(
        self, ufunc: np.ufunc, method: str, *inputs: Any, **kwargs: Any
    ) -> Any:
        if any(type(x) in READS for x in inputs):
            return NotImplemented  # a Variable reads itself and asks again
        return scalar_operators.call_ufunc(ufunc, method, inputs, kwargs)

    def __array_function__(
        self,
        function: Callable[..., Any],
        types: Any,
        args: tuple[Any, ...],
        kwargs: dict[str, Any],
    ) -> Any:
        if any(kind in READS for kind in types):
            return NotImplemented
        return operators.numpy_api.call_function(function, args, kwargs)

    def __getattr__(self, name: str) -> Any:
        # Only called for names that are no attribute above: ndarray's methods.
        return operators.numpy_api.attribute(self, name)


# Calls of ops become nodes.

# How operands of other types are read; runtime.variable enters Variable.
READS: dict[type, Callable[[Any], Tensor]] = {}
# What stands in a list for all that it holds, as an array; the tracer enters them.
STANDS: dict[type, Callable[[Any], Tensor]] = {}


def value_of(operand: Any) -> Value:
    """The value in the current frame of a tensor, array, number or nested list."""
    if isinstance(operand, Tensor):
        return operand.value
    if type(operand) in PYTHON_NUMBERS or isinstance(operand, np.generic):
        frame = build.require_current("a constant")
        return frame.add(constant, (), {"value": operand})[0]
    if isinstance(operand, np.ndarray):
        return tensor_of_array(operand).value
    if isinstance(operand, (list, tuple, range)) or is_array_like(operand):
        return value_of(operators.numpy_api.array(operand))
    if type(operand) in READS:
        return READS[type(operand)](operand).value
    if isinstance(operand, (int, float, complex, str, bytes)):
        # Text, or a number of a subclass, an IntEnum say, which is not weak for NumPy.
        return value_of(np.asarray(operand)[()])
    raise located(
        StagingTypeError(f"a {type(operand).__name__} cannot be an operand in a graph"),
        "Use arrays and numbers, or call the function by ag.py_function.",
    )


def tensor(operand: Any) -> Tensor:
    """`operand` as a Tensor: itself, an array's one, or a constant of the graph."""
    if isinstance(operand, np.ndarray):
        return tensor_of_array(operand)
    return operand if isinstance(operand, Tensor) else Tensor(value_of(operand))


def tensor_of_array(array: np.ndarray[Any, Any]) -> Tensor:
    """The one reference that stands for an array throughout the trace.

    The user's own is captured by reference: its content is read at each call, and a
    change is written back. One that plain NumPy made during the trace is a constant
    that each call starts from.
    """
    frame = build.require_current("an array")
    trace = frame.trace
    known = trace.arrays.get(id(array)) or operators.numpy_api.part_made(array)
    if known is not None:
        made: Tensor = known[1]
        return made
    if holds_objects(array.dtype):
        raise ObjectArrayError.located()
    while frame.parent is not None:
        frame = frame.parent
    shared = id(array) in trace.users or id(array.base) in trace.users
    attributes = {"value": array, "shared": True} if shared else {"value": array}
    with build.building(frame):
        value = frame.add_array(constant, attributes)
        made = Tensor(value, scalar=False)
    made.owner = "an array from outside of the function" if shared else ""
    trace.arrays[id(array)] = (array, made, value if shared else None)
    return made


def emit(
    op: Op,
    inputs: tuple[Any, ...],
    attributes: dict[str, Any],
    graphs: tuple[Graph, ...] = (),
) -> Any:
    """A node of `op` in the current graph; its outputs, one alone as it is."""
    frame = build.current() or build.require_current(_named(op, inputs))
    values = [value_of(operand) for operand in inputs]
    outputs = frame.add(op, values, attributes, graphs)
    if len(outputs) == 1:
        made = Tensor(outputs[0])
        specs = [value.spec for value in values]
        of = [x if isinstance(x, Tensor) else None for x in inputs]
        made.layout = of_result(op, specs, of, attributes, outputs[0].spec)
        return made
    return tuple(Tensor(value) for value in outputs)


def _named(op: Op, inputs: tuple[Any, ...]) -> str:
    tensors = (f"a {x.spec!r} tensor" for x in inputs if isinstance(x, Tensor))
    return next(tensors, f"`{op.name}`")


set_emit(emit)
