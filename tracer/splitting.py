"""splitting: something done to numbers of several kinds, as branches, one for each."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from runtime import kinds
from runtime.ops import kind
from runtime.tensor import Tensor
from runtime.tensor_view import View
from tracer.cond import choose


def split(mixed: Sequence[Tensor], call: Callable[[Sequence[Tensor]], Any]) -> Any:
    """`call` of the mixed tensors as what they are; staged for each of their kinds."""
    # A value that stands twice is of one kind in both places.
    values = [tensor.value for tensor in mixed]
    first = [values.index(value) for value in values]
    different = sorted(set(first))

    def among(exact: dict[int, Tensor]) -> Any:
        if len(exact) == len(different):
            return call([exact[at] for at in first])
        at = different[len(exact)]
        return in_branches(mixed[at], lambda one: among({**exact, at: one}))

    return among({})


def in_branches(tensor: Tensor, function: Callable[[Tensor], Any]) -> Any:
    """`function` of the tensor as each of its kinds, the one that it is chosen."""
    options = [of_kind(tensor, which) for which in tensor.spec.kinds]
    position = position_of_kind(tensor)

    def among(index: int) -> Any:
        def only() -> Any:
            return function(options[index])

        if index == len(options) - 1:
            return only()
        return choose(position == index, only, lambda: among(index + 1))

    return among(0)


def position_of_kind(tensor: Tensor) -> Tensor:
    """A staged int: which of its kinds it is."""
    made: Tensor = kind.kind_of(tensor, kinds=tensor.spec.kinds)
    return made


def of_kind(tensor: Tensor, which: kinds.Kind) -> Tensor:
    """The tensor where it is of this kind; a write to it is one to the tensor."""
    made: Tensor = kind.as_kind(tensor, kind=which)
    if tensor.scalar:
        return made
    view = View(
        tensor,
        lambda whole: kind.as_kind(whole, kind=which),
        lambda whole, new: new,
        tensor._view is None or tensor._view.contiguous,
    )
    return Tensor(made.value, scalar=False, view=view)
