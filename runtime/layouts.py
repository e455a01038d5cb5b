"""How a result lies in memory, where what it is made of does not lie in C order.

NumPy's elementwise functions keep the order of their operands, so `(x.T + 1).ravel()`
is a copy where `(x + 1).ravel()` is a view: a later write tells the two apart. A layout
is an array of bytes whose memory nobody touches.
"""

from __future__ import annotations

import enum
from typing import Any

import numpy as np

from runtime.build import suspended
from runtime.hushed import warnings_as
from runtime.op import Op
from runtime.spec import TensorSpec

Layout = np.ndarray[Any, Any]


class Unknown(enum.Enum):
    """What stands for a layout that only the run knows."""

    LAYOUT = enum.auto()


# Besides the ufuncs: what they give lies in the order of what it is made of.
KEEPING = {
    *("copy", "cast", "sort", "clip", "where", "round", "concatenate", "stack", "pad"),
    *("cumsum", "cumprod", "sum", "prod", "mean", "std", "var", "min", "max", "ptp"),
    *("any", "all", "count_nonzero", "median", "diff"),
}
# Elements of the samples that an op other than a ufunc is tried on.
SMALL = 1 << 12


def is_contiguous(array: Any) -> bool:
    """True for a tensor that certainly lies in C order, without gaps."""
    if array._view is not None:
        return bool(array._view.contiguous)
    if array._pick is not None:
        sides = array._pick.arrays()
        return array.layout is None and all(map(is_contiguous, sides))
    return array.layout is None and not array.sources


def in_memory(operand: Any) -> Layout | None:
    """The layout of a tensor that is known not to lie in C order; None for others."""
    view = getattr(operand, "_view", None)
    found = getattr(operand, "layout", None) if view is None else view.layout
    if found is None or isinstance(found, Unknown):
        return None
    return None if found.ndim < 2 or found.flags.c_contiguous else found


def lying(operand: Any) -> Layout | Unknown | None:
    """How a tensor lies, where that is not C order without gaps."""
    view = getattr(operand, "_view", None)
    if view is not None and view.layout is None and not view.contiguous:
        return Unknown.LAYOUT
    found = getattr(operand, "layout", None) if view is None else view.layout
    if found is None and view is None and hasattr(operand, "_pick"):
        return None if is_contiguous(operand) else Unknown.LAYOUT
    if found is None or isinstance(found, Unknown):
        return found
    return None if found.flags.c_contiguous else found


def sampled(x: Any, lies: Layout | Unknown | None, which: int) -> Any:
    """A sample as it lies in memory; where that is not known, in one way of some."""
    if lies is None or not isinstance(x, np.ndarray):
        return x
    if isinstance(lies, Unknown):
        return x if which == 0 else with_gaps(x, "CF"[which % 2])
    return laid_out(x, lies) if lies.shape == x.shape else with_gaps(x, "CF"[which % 2])


def with_gaps(x: Layout, order: Any) -> Layout:
    """A copy of `x` with gaps between its elements."""
    whole = np.empty([2 * dim for dim in x.shape], x.dtype, order)
    made = whole[(slice(None, None, 2),) * x.ndim]
    made[...] = x
    return made


def of_result(
    op: Op,
    specs: list[TensorSpec],
    of: list[Any],
    attributes: dict[str, Any],
    made: TensorSpec,
) -> Layout | Unknown | None:
    """The layout of what `op` gives for tensors, of which some may have a layout.

    None: C order.
    """
    turns = op.name == "copy" and attributes.get("order") == "F"
    if made.rank in (None, 0, 1) or not (turns or any(map(_may_turn, of))):
        return None
    if attributes.get("literal"):
        return None  # `np.array([x, y])`
    keeps = isinstance(op.numpy, np.ufunc) or op.name in KEEPING
    known = all(spec.is_static for spec in (*specs, made))
    if not known or (keeps and any(map(_is_unknown, of))):
        return Unknown.LAYOUT if keeps else None
    layouts = [None if one is None else in_memory(one) for one in of]
    pairs = zip(specs, layouts, strict=True)
    operands = [np.empty(_dims(s), "u1") if o is None else o for s, o in pairs]
    if isinstance(op.numpy, np.ufunc) and op.numpy.signature is None:
        flags: Any = ["zerosize_ok", "refs_ok"]
        access: Any = [*[["readonly"]] * len(operands), ["writeonly", "allocate"]]
        found: Layout | None = np.nditer((*operands, None), flags, access).operands[-1]
    else:
        found = _tried_as(op, specs, operands, attributes, made)
    return None if found is None or found.flags.c_contiguous else found


def _tried_as(
    op: Op,
    specs: list[TensorSpec],
    operands: list[Layout],
    attributes: dict[str, Any],
    made: TensorSpec,
) -> Layout | None:
    """The layout of a result by what an op gives for samples, small ones of large."""
    if all(operand.size <= SMALL for operand in operands):
        return _tried(op, specs, operands, attributes)
    small = _tried(op, specs, _as_small(operands), attributes)
    return (
        None
        if small is None or not made.is_static
        else _in_order_of(small, _dims(made))
    )


def _as_small(operands: list[Layout]) -> list[Layout]:
    """Arrays of few elements that lie as these do: axes of equal sizes stay so."""
    sizes = sorted({size for one in operands for size in one.shape if size > 1})
    known = {size: at for at, size in enumerate(sizes, 4)}
    return [
        _as_small_one(one, [known.get(n, n) for n in one.shape]) for one in operands
    ]


def _as_small_one(like: Layout, sizes: list[int]) -> Layout:
    axes = _axes_in_memory(like)
    gap = 1 if like.transpose(axes).flags.c_contiguous else 2
    # What repeats elements has one of them.
    held = [1 if like.strides[at] == 0 else sizes[at] for at in axes]
    made = np.empty([gap * size for size in held], "u1")[
        (slice(None, None, gap),) * like.ndim
    ]
    backwards = [slice(None, None, -1 if like.strides[at] < 0 else 1) for at in axes]
    return np.broadcast_to(made[tuple(backwards)].transpose(np.argsort(axes)), sizes)


def _in_order_of(small: Layout, sizes: list[int]) -> Layout | None:
    """An array of these sizes whose axes follow one another as those of a small one."""
    if small.ndim != len(sizes):
        return None
    axes = _axes_in_memory(small)
    return np.empty([sizes[at] for at in axes], "u1").transpose(np.argsort(axes))


def _axes_in_memory(array: Layout) -> list[int]:
    return sorted(range(array.ndim), key=lambda at: -abs(array.strides[at]))


def _may_turn(operand: Any) -> bool:
    """True where the order of the axes in memory is not, or may not be, C's."""
    if operand is None:
        return False
    view = operand._view
    if view is None:
        one_of = operand._pick is not None and not is_contiguous(operand)
        return one_of or operand.layout is not None
    if view.contiguous or view.layout is not None:
        return in_memory(operand) is not None
    # An index leaves the axes in their order.
    return view.key is None or _may_turn(view.base)


def _is_unknown(operand: Any) -> bool:
    """True where only the run knows in which order the axes lie in memory."""
    return _may_turn(operand) and in_memory(operand) is None


def in_fortran(made: TensorSpec) -> Layout | Unknown | None:
    """The layout of a new array in the order of Fortran."""
    if made.rank in (0, 1):
        return None
    if not made.is_static:
        return Unknown.LAYOUT
    found = np.empty(_dims(made), "u1", "F")
    return None if found.flags.c_contiguous else found


def of_constant(array: Layout) -> Layout | None:
    """The layout of a copy that keeps the order of `array`, where that is not C's."""
    found = np.empty_like(array, "u1")
    return None if found.flags.c_contiguous else found


def tried(
    op: Op, inputs: tuple[Any, ...], made: TensorSpec, **attributes: Any
) -> Layout | None:
    """The layout of what `op` gives, whatever its operands lie like."""
    specs = [one.spec for one in inputs]
    if not all(spec.is_static for spec in specs):
        return None
    layouts = [in_memory(one) for one in inputs]
    pairs = zip(specs, layouts, strict=True)
    operands = [np.empty(_dims(s), "u1") if o is None else o for s, o in pairs]
    found = _tried_as(op, specs, operands, attributes, made)
    return None if found is None or found.flags.c_contiguous else found


def axes_gone_through(found: Layout | None) -> tuple[int, ...] | None:
    """The axes as order K goes through them; None where that is C order.

    They follow one another in memory, and one that repeats elements stays where it is.
    """
    if found is None or found.flags.c_contiguous or found.ndim < 2:
        return None
    if 0 in found.strides and found.size:
        access: Any = [["readonly"], ["writeonly", "allocate"]]
        found = np.nditer((found, None), [], access).operands[-1]
    steps = [-abs(step) for step in found.strides]
    return tuple(map(int, np.argsort(steps, kind="stable")))


def lies_otherwise(target: Any, result: Any) -> bool:
    """Whether all of an array of the call's own, turned, would lie as `result` does.

    If it became that; the user's has its memory in any case, and `x += y` is written
    where x is.
    """
    view = target._view
    if view is None or view.key is not None or target.root.owner:
        return False
    wanted = axes_gone_through(in_memory(target))
    return wanted is not None and wanted != axes_gone_through(in_memory(result))


def whole_index(target: Any) -> tuple[Any, ...]:
    """The index of a store into all of an array.

    Of an Ellipsis the content may take the array's place, which lies in C order.
    """
    turned = axes_gone_through(in_memory(target)) is not None
    return (slice(None),) if turned else (Ellipsis,)


def laid_out(x: Layout, like: Layout) -> Layout:
    """A copy of `x` that lies in memory as `like`, of the same shape, does."""
    if x.size == 0 or (x.flags.c_contiguous and like.flags.c_contiguous):
        return x.copy()
    scale = x.itemsize // like.itemsize
    steps = [step * scale for step in like.strides]
    ways = [(dim - 1) * step for dim, step in zip(x.shape, steps, strict=True)]
    start = -sum(way for way in ways if way < 0)
    end = start + sum(way for way in ways if way > 0) + x.itemsize
    # Zeros, since texts of any length would free what the memory seems to hold.
    made: Layout = np.ndarray(x.shape, x.dtype, np.zeros(end, "u1").data, start, steps)
    made[...] = x
    return made


def halves(whole: Layout) -> Layout:
    """The layout of the real parts, or the imaginary ones, of complex numbers."""
    pairs = np.empty(whole.shape, [("real", "u1"), ("imag", "u1")])
    return laid_out(pairs, whole)["real"]


def _dims(spec: TensorSpec) -> list[int]:
    return [dim for dim in spec.shape or () if isinstance(dim, int)]


def _tried(
    op: Op, specs: list[TensorSpec], operands: list[Layout], attributes: dict[str, Any]
) -> Layout | None:
    if op.graphs or op.kernel is None or op.effects_of(attributes):
        return None
    # `zeros_like` would have no gaps and no steps backwards, which functions ask for.
    samples = [
        spec.python_type(1)
        if spec.weak
        else laid_out(np.zeros(operand.shape, spec.dtype), operand)
        for spec, operand in zip(specs, operands, strict=True)
    ]
    try:
        with suspended(), np.errstate(all="ignore"), warnings_as("ignore"):
            answer = op.kernel(*samples, **attributes)
    except Exception:
        return None
    is_array = isinstance(answer, np.ndarray) and answer.dtype.itemsize > 0
    return np.empty_like(answer, "u1") if is_array else None
