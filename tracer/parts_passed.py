"""parts_passed: calls that are given several parts of one array.

A trace takes each argument for an array of its own (decision 16). Where some of them
overlap, as in `f(z[:-1], z[1:])`, the trace has as its input what they are parts of,
and takes them from that itself, as a function does that begins with `a, b = z[:-1],
z[1:]`: a change of one is seen in the others (decision 55).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import combinations, pairwise
from operator import is_not
from typing import TYPE_CHECKING, Any

import numpy as np

from runtime.errors import StagingError
from runtime.spec import ListSpec
from runtime.structs import replace, struct
from tracer import again
from tracer.forms import Unsettled
from tracer.identities import is_met_twice
from tracer.memory import lies_unlike
from tracer.parameters import Bound, code_of
from tracer.placeholders import taken
from tracer.signature import Signature, Whole, signature_of

if TYPE_CHECKING:
    from tracer.concrete import ConcreteFunction

# Ways in which parts lie in one array that get a trace each, of one Function; and calls
# whose trace is remembered by how all of their arrays lie.
MOST_WAYS, MOST_CALLS = 8, 256
Trace = Callable[[Signature, list[Any]], "ConcreteFunction"]


@struct
class Cut:
    """What is cut of the array that holds the memory of the leaf `leaf`.

    shape: which it is given first, None: its own
    """

    leaf: int
    shape: tuple[int, ...] | None
    index: tuple[slice, ...]

    def of(self, leaves: Sequence[Any]) -> Any:
        """That array."""
        return _shaped(_holder(leaves[self.leaf]), self.shape)[self.index]


class PassedParts:
    """What a Function has learned of calls that are given parts of one array."""

    def __init__(self) -> None:
        # For each way in which they lie whether there is a trace.
        self._ways: dict[tuple[Whole, ...], bool] = {}
        # By how all arguments lie, the trace, and what to cut of whose memory.
        self._calls: dict[Any, tuple[ConcreteFunction, Sequence[Cut]]] = {}

    def clear(self) -> None:
        """Forget all traces: one has gone."""
        self._calls.clear()

    def known(self, args: Sequence[Any]) -> tuple[ConcreteFunction, list[Any]] | None:
        """The trace of a call like one before, and its leaves, by a short look."""
        if not self._calls:
            return None
        found = self._calls.get(_key(args))
        if found is None:
            return None
        concrete, cuts = found
        is_of_code = code_of(concrete.parameters.function) is concrete.code
        if not (is_of_code and concrete.holds()):
            return None
        return concrete, [*args, *(cut.of(args) for cut in cuts)]

    def _remember(
        self,
        args: Sequence[Any],
        leaves: Sequence[Any],
        concrete: ConcreteFunction,
        cuts: Sequence[Cut],
    ) -> None:
        """Let calls like this one find their trace so, if that tells all of them.

        leaves: of the arguments
        """
        traced = concrete.traced
        asked = concrete.outer_arrays or traced.asks_identity or traced.asks_dtype
        if asked or len(leaves) != len(args) or any(map(is_not, args, leaves)):
            return
        if (key := _key(args)) is None:
            return
        if len(self._calls) >= MOST_CALLS:
            self._calls.clear()
        self._calls[key] = concrete, cuts

    def found(
        self,
        concrete: ConcreteFunction,
        call: Bound,
        bound: Bound,
        found: list[Any],
        trace: Trace,
    ) -> tuple[ConcreteFunction, list[Any]] | None:
        """The trace of such a call, and its leaves, those they are parts of at the end.

        concrete: the trace for arrays that do not overlap
        call:     the arguments as they were passed
        found:    the containers of the arguments
        trace:    gives one that is known, or makes it
        None: nothing overlaps, or there is no such trace
        """
        of = concrete.signature
        if concrete.outer is not None or any(type(x) is ListSpec for x in of.leaves):
            return None
        signature, leaves = signature_of(*bound)
        wholes, cuts = wholes_of(leaves, signature.aliases)
        if not wholes or not self._is_tried(wholes):
            return None
        whole = [*leaves, *(cut.of(leaves) for cut in cuts)]
        try:
            made = trace(replace(signature, wholes=wholes), whole)
        except (StagingError, Unsettled):
            made = None
        # Of any class, as the program may raise any; what is not its own goes on.
        except Exception as error:
            if not again.is_raised(error):
                raise
            again.let_go()
            made = None
        if made is None:
            # Python says whether it is an error.
            self._ways[wholes] = False
            return None
        if made.outer is not None or is_met_twice(made, bound):
            return None
        if lies_unlike(made, whole, found):
            return None
        if not call[1]:
            self._remember(call[0], leaves, made, cuts)
        return made, whole

    def _is_tried(self, wholes: tuple[Whole, ...]) -> bool:
        if wholes not in self._ways and len(self._ways) >= MOST_WAYS:
            return False
        return self._ways.setdefault(wholes, True)


def wholes_of(
    leaves: Sequence[Any], aliases: Sequence[int]
) -> tuple[tuple[Whole, ...], list[Cut]]:
    """How the arguments that overlap lie in others, and how those are cut: small.

    >>> z = np.arange(5.0)
    >>> wholes, cuts = wholes_of([z[1:4], z[2:]], [0, 1])
    >>> wholes
    (Whole(parts=((0, ((0, 1, 1),)), (1, ((1, 0, 1),)))),)
    >>> cuts[0].of([z[1:4], z[2:]])
    array([1., 2., 3., 4.])
    """
    groups: dict[int, list[int]] = {}
    for i, leaf in enumerate(leaves):
        if type(leaf) is np.ndarray and aliases[i] == i and leaf.ndim and leaf.size:
            groups.setdefault(id(_holder(leaf)), []).append(i)
    wholes, cuts = [], []
    for group in groups.values():
        parts = {i: leaves[i] for i in group}
        pairs = combinations(parts.values(), 2)
        if not any(np.may_share_memory(one, other) for one, other in pairs):
            continue
        found = (_whole(shape, parts) for shape in _shapes(parts.values()))
        made = next(filter(None, found), None)
        # A trace would not know which of them is read-only.
        if made is None or not all(part.flags.writeable for part in parts.values()):
            return (), []
        wholes.append(made[0])
        cuts.append(made[1])
    return tuple(wholes), cuts


def with_wholes(signature: Signature, leaves: list[Any]) -> list[Any] | None:
    """A strict call's leaves, with what they are parts of; None: they are not so."""
    if not signature.wholes:
        return leaves
    wholes, cuts = wholes_of(leaves, signature.aliases)
    return (
        [*leaves, *(cut.of(leaves) for cut in cuts)]
        if wholes == signature.wholes
        else None
    )


def _key(args: Sequence[Any]) -> Any:
    """How arguments lie in memory, and in that of whom; None: that is not known."""
    # Which of them are one, and which lie in the memory of one.
    first: dict[int, int] = {}
    key: list[Any] = []
    for arg in args:
        if type(arg) in (int, bool):
            key += [type(arg), arg]
            continue
        if type(arg) is not np.ndarray or arg.dtype.metadata is not None:
            return None
        holder = _holder(arg)
        if holder.base is not None:
            return None  # memory of others, of which we do not know who shares it
        address, locked = arg.__array_interface__["data"]
        key += [
            first.setdefault(id(arg), len(first)),
            locked,
            arg.dtype,
            arg.dtype.char,
        ]
        key += [arg.shape, arg.strides, address - _address(holder)]
        if holder is not arg:
            key += [first.setdefault(id(holder), len(first)), holder.flags.writeable]
            key += [holder.dtype, holder.shape, holder.strides]
    return tuple(key)


def _holder(array: Any) -> Any:
    """The array whose memory it is."""
    return array.base if type(array.base) is np.ndarray else array


def _shapes(parts: Iterable[Any]) -> Iterator[tuple[int, ...] | None]:
    """The shapes that the holder of parts may have had when they were taken.

    None: its own. A new array is often one of a row, `np.arange(24).reshape(4, 6)`.
    """
    yield None
    arrays = [*parts]
    holder, rank = _holder(arrays[0]), max(part.ndim for part in arrays)
    size = holder.itemsize
    if not holder.flags.c_contiguous or any(part.itemsize != size for part in arrays):
        return
    strides = [part.strides for part in arrays if part.ndim == rank]
    steps = [math.gcd(*axis) for axis in zip(*strides, strict=True)]
    ends = [holder.nbytes // max(steps[0], 1) * steps[0], *steps, size]
    pairs = [*pairwise(dict.fromkeys(ends))]
    if all(step and not end % step for end, step in pairs):
        yield tuple(end // step for end, step in pairs)


def _whole(
    shape: tuple[int, ...] | None, parts: Mapping[int, Any]
) -> tuple[Whole, Cut] | None:
    """The smallest part of their holder that these are parts of, and how they lie."""
    first = next(iter(parts))
    holder = _shaped(_holder(parts[first]), shape)
    places = [_places(part, holder) for part in parts.values()]
    axes = [*zip(*places, strict=True)] if all(places) else []
    if not axes:
        return None
    ends = [(min(x[0] for x in axis), max(x[1] for x in axis)) for axis in axes]
    lies = [
        tuple(
            (start - low, high - last, step)
            for (start, last, step), (low, high) in zip(one, ends, strict=True)
        )
        for one in places
    ]
    made = Cut(first, shape, tuple(slice(low, high + 1) for low, high in ends))
    found = (taken(holder[made.index], along) for along in lies)
    if not all(map(_is_same, found, parts.values())):
        return None
    return Whole(tuple(zip(parts, lies, strict=True))), made


def _shaped(holder: Any, shape: tuple[int, ...] | None) -> Any:
    if shape is None:
        return holder
    return holder.reshape(-1)[: math.prod(shape)].reshape(shape)


def _places(part: Any, holder: Any) -> list[tuple[int, int, int]]:
    """For each axis of `holder` the first and last index, and the step; 0: one index.

    Empty where it does not lie so.
    """
    strides = holder.strides
    if min(strides) <= 0:
        return []
    left = _address(part) - _address(holder)
    at = [0] * holder.ndim
    for axis in sorted(range(holder.ndim), key=lambda axis: -strides[axis]):
        at[axis], left = divmod(left, strides[axis])
    found = [(first, first, 0) for first in at]
    axes = iter(range(holder.ndim))
    for size, stride in zip(part.shape, part.strides, strict=True):
        for axis in axes:
            step, rest = divmod(stride, strides[axis]) if size > 1 else (1, 0)
            last = at[axis] + step * (size - 1)
            if step and not rest and 0 <= last < holder.shape[axis]:
                found[axis] = (min(at[axis], last), max(at[axis], last), step)
                break
        else:
            return []
    return found


def _is_same(one: Any, other: Any) -> bool:
    """Whether two arrays are the same elements in the same order."""
    if one.shape != other.shape or one.dtype != other.dtype:
        return False
    strides = zip(one.shape, one.strides, other.strides, strict=True)
    alike = all(size == 1 or a == b for size, a, b in strides)
    return alike and _address(one) == _address(other)


def _address(array: Any) -> int:
    address: int = array.__array_interface__["data"][0]
    return address
