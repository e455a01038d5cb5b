"""Op: what an operation means, declared once: type rule, NumPy kernel, effects.

Calling an op while a trace is on adds a node to the graph; a backend may have a faster
lowering of its own, and runs the kernel where it has none.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol

import numpy as np

from runtime.effects import PURE, Effects
from runtime.spec import TensorSpec
from runtime.structs import field, struct

Inference = TensorSpec | tuple[TensorSpec, ...]


class Emit(Protocol):
    """How a call of an op becomes a node; `runtime.build` supplies it."""

    def __call__(
        self, op: Op, inputs: tuple[Any, ...], attributes: dict[str, Any]
    ) -> Any: ...


def _no_trace(op: Op, inputs: tuple[Any, ...], attributes: dict[str, Any]) -> Any:
    raise RuntimeError(f"no trace is on, so `{op.name}` has no graph to go to")


_emit: Emit = _no_trace
OPS: dict[str, Op] = {}


@struct(eq=False)
class Op:
    """An operation.

    name:    its word in the text form
    infer:   the type rule: specs of the inputs, and attributes by keyword, to the
             output's spec (a tuple of specs for several outputs). It raises the error
             that NumPy raises, in NumPy's words, when it is certain.
    kernel:  the meaning: arrays in, array out (a tuple for several outputs),
             attributes by keyword
    source:  the kernel as a Python expression for the NumPy executor, `{0}` the first
             input; None calls the kernel
    numpy:   the NumPy function that this op is, if any
    view:    the output may share memory with the first input
    into:    the kernel, where it may write into the first input and give that back: for
             ops whose output is what an array holds from then on
    out:     the kernel takes `out`, the array that it writes the result into
    effects: fixed effects, or a function of the attributes
    graphs:  names of the sub-graphs that a node of this op holds
    """

    name: str
    infer: Callable[..., Inference]
    kernel: Callable[..., Any] | None = None
    source: str | None = None
    numpy: Callable[..., Any] | None = None
    view: bool = False
    into: Callable[..., Any] | None = None
    out: bool = False
    effects: Effects | Callable[[Mapping[str, Any]], Effects] = PURE
    graphs: tuple[str, ...] = ()
    doc: str = field(default="", repr=False)

    def __call__(self, *inputs: Any, **attributes: Any) -> Any:
        """A node of this op in the graph being traced; returns its Tensor(s)."""
        return _emit(self, inputs, attributes)

    def effects_of(self, attributes: Mapping[str, Any]) -> Effects:
        """The effects of a node with these attributes, its sub-graphs' left out."""
        return self.effects(attributes) if callable(self.effects) else self.effects

    def __repr__(self) -> str:
        return f"<op {self.name}>"


def op(
    name: str | None = None,
    *,
    kernel: Callable[..., Any] | None = None,
    numpy: Callable[..., Any] | None = None,
    source: str | None = None,
    view: bool = False,
    into: Callable[..., Any] | None = None,
    out: bool = False,
    effects: Effects | Callable[[Mapping[str, Any]], Effects] = PURE,
    graphs: tuple[str, ...] = (),
) -> Callable[[Callable[..., Inference]], Op]:
    """Declare an op; the decorated function is its type rule and gives its docstring.

    The kernel is `numpy` when no `kernel` is given, or `into` on a copy; the name is
    the function's, without a trailing underscore.
    """
    if kernel is None and numpy is None and into is not None:
        kernel = _on_a_copy(into)

    def declare(infer: Callable[..., Inference]) -> Op:
        word = name or infer.__name__.rstrip("_")
        made = Op(
            name=word,
            infer=infer,
            kernel=kernel or numpy,
            source=source,
            numpy=numpy,
            view=view,
            into=into,
            out=out,
            effects=effects,
            graphs=graphs,
            doc=infer.__doc__ or "",
        )
        return register(made)

    return declare


def _on_a_copy(into: Callable[..., Any]) -> Callable[..., Any]:
    def kernel(x: Any, *inputs: Any, **attributes: Any) -> Any:
        return into(np.array(x), *inputs, **attributes)

    return kernel


def outputs(found: Sequence[Any]) -> Any:
    """What a kernel whose outputs vary in number gives: one alone, or a tuple."""
    return found[0] if len(found) == 1 else tuple(found)


def register(made: Op) -> Op:
    """Enter an op in the table OPS; a name stands for one op only."""
    if made.name in OPS:
        raise ValueError(f"there are two ops called {made.name!r}")
    OPS[made.name] = made
    return made


def set_emit(emit: Emit) -> None:
    """Tell ops how a call of theirs becomes a node (done once by runtime.build)."""
    global _emit
    _emit = emit
