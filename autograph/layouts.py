"""layouts: what `ag.vectorize` and `ag.vmap` are given, and how they put it together.

Asked by the loops of `turns.py`, as they are: nothing here looks at what depends on
data.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from runtime import build
from runtime.errors import OnlyPythonError
from runtime.spec import TensorSpec
from runtime.tensor import Tensor
from tracer import tree
from tracer.choice import Choice, varying
from tracer.list_objects import is_staged

Dtype = np.dtype[Any]
NUMBERS = "biufc"


def joined(structure: tree.Structure, leaves: Sequence[Any]) -> Any:
    """The leaves as they were held."""
    return tree.unflatten(structure, leaves)


def called(call: Callable[[Any], Any], turn: Any) -> Any:
    """What a turn gives; OnlyPythonError where how that is held depends on data.

    It is called from here, since converted code does with one of several things what
    it does with each of them.
    """
    result = call(turn)
    for part in result if type(result) is tuple else (result,):
        if type(part) is Choice or is_staged(part) or varying(part) is not None:
            raise OnlyPythonError("how its results are held depends on data")
    if is_staged(result):
        raise OnlyPythonError("how many results it has depends on data")
    return result


def kind_of(value: Any) -> Dtype | None:
    """The dtype of an array of such values; None where only the run knows."""
    if not isinstance(value, Tensor):
        dtype = np.asarray(value).dtype
        return dtype if dtype.kind in NUMBERS else None
    spec = value.spec
    if type(spec) is not TensorSpec or spec.dtype is None or spec.kinds:
        return None
    return spec.dtype


def kinds_of(values: Sequence[Any]) -> list[Dtype] | None:
    """Those of several values; None where one is not known, and outside of traces."""
    kinds = [kind_of(value) for value in values] if build.current() else [None]
    known = [kind for kind in kinds if kind is not None]
    return known if len(known) == len(kinds) else None


def require_kinds(values: Sequence[Any], kinds: Sequence[Dtype] | None) -> None:
    """OnlyPythonError: one turn gives another dtype than the first; None: it may."""
    if kinds is not None and [kind_of(value) for value in values] != list(kinds):
        raise OnlyPythonError("what a turn gives is of another dtype than the first")


def _rank(value: Any) -> int | None:
    if isinstance(value, Tensor):
        shape = getattr(value.spec, "shape", None)
        return None if shape is None else len(shape)
    return np.ndim(value)


def _require_same(
    name: str, turn: str, own: tree.Structure, first: tree.Structure
) -> None:
    if not tree.same(own, first):
        raise ValueError(
            f"`{name}` gave {_of_structure(own)} for one {turn}, and "
            f"{_of_structure(first)} for the first"
        )


class Elements:
    """What `ag.vectorize` is told.

    name:     the function's
    otypes:   a dtype for each result, or None
    excluded: positions and names of arguments that are passed as they are
    """

    def __init__(
        self, name: str, otypes: Sequence[Dtype] | None, excluded: frozenset[int | str]
    ) -> None:
        self.name, self.otypes, self.excluded = name, otypes, excluded
        count = len(otypes or ())
        # That of a call's results, where otypes tells.
        self.structure = tree.flatten(0 if count == 1 else tuple(range(count)))[1]

    def operands(
        self, args: tuple[Any, ...], kwargs: dict[str, Any]
    ) -> tuple[list[Any], list[int]]:
        """The arguments, lists as arrays; and which of them have elements."""
        names: list[int | str] = [*range(len(args)), *kwargs]
        values = [*args, *kwargs.values()]
        places = []
        for place, name in enumerate(names):
            if name in self.excluded:
                continue
            if not isinstance(values[place], Tensor) and np.ndim(values[place]) > 0:
                values[place] = np.asarray(values[place])
            if isinstance(values[place], np.ndarray) and values[place].ndim == 0:
                values[place] = values[place][()]
            if _rank(values[place]) != 0:
                places.append(place)
        return values, places

    def split(self, result: Any) -> tuple[list[Any], tree.Structure]:
        """The numbers that a call gives, and how they are held: alone or in a tuple."""
        is_tuple = isinstance(result, tuple)
        leaves = list(result) if is_tuple else [result]
        if self.otypes is not None and len(self.otypes) != len(leaves):
            raise ValueError(
                f"`{self.name}` gives {_counted(len(leaves), 'number')}, and otypes "
                f"names {len(self.otypes)}"
            )
        for leaf in leaves:
            if _rank(leaf) != 0:
                raise _no_number(self.name, leaf)
        places = tuple(range(len(leaves))) if is_tuple else 0
        return leaves, tree.flatten(places)[1]

    def split_like(self, result: Any, structure: tree.Structure) -> list[Any]:
        """The numbers of a further call, held as those of the first one."""
        leaves, own = self.split(result)
        _require_same(self.name, "element", own, structure)
        return leaves


class Slices:
    """What `ag.vmap` is told.

    name:     the function's
    in_axes:  an axis or None for all arguments, or a tuple with one for each, or with
              tuples, lists and dicts of them
    out_axes: the same for what it gives
    """

    def __init__(self, name: str, in_axes: Any, out_axes: Any) -> None:
        self.name, self.in_axes, self.out_axes = name, in_axes, out_axes
        self.otypes = None

    def operands(
        self, args: tuple[Any, ...], kwargs: dict[str, Any]
    ) -> tuple[list[Any], list[int | None], tree.Structure]:
        """The arrays in the arguments, for each its axis, and how they are held."""
        wanted = self.in_axes
        if isinstance(wanted, (tuple, list)):
            if len(wanted) != len(args):
                raise ValueError(
                    f"in_axes has {_counted(len(wanted), 'entry', 'entries')}, and "
                    f"`{self.name}` is called with {_counted(len(args), 'argument')}"
                )
            wanted = tuple(wanted)
        leaves, structure = tree.flatten((args, kwargs))
        boxes = _spread("in_axes", wanted, args), _spread("in_axes", 0, kwargs)
        axes = [box.axis for box in tree.flatten(boxes)[0]]
        for leaf, axis in zip(leaves, axes, strict=True):
            self._require_axis(leaf, axis, "in_axes", "an argument")
        if all(axis is None for axis in axes):
            raise ValueError(
                f"vmap of `{self.name}` has no axis to go along: all in_axes are None"
            )
        return leaves, axes, structure

    def _require_axis(self, leaf: Any, axis: int | None, which: str, what: str) -> None:
        rank = _rank(leaf)
        if axis is None or rank is None or -rank <= axis < rank:
            return
        shape = tuple(np.shape(leaf))
        raise ValueError(
            f"{which} names axis {axis} of {what} of `{self.name}` that has the shape "
            f"{shape}"
        )

    def split(self, result: Any) -> tuple[list[Any], tree.Structure]:
        """The arrays that a call gives, and how they are held."""
        leaves, structure = tree.flatten(result)
        for leaf in leaves:
            if (
                not isinstance(leaf, Tensor)
                and np.asarray(leaf).dtype.kind not in NUMBERS
            ):
                raise TypeError(
                    f"`{self.name}` gave {leaf!r} for a slice; ag.vmap stacks arrays "
                    "and numbers"
                )
        return leaves, structure

    def split_like(self, result: Any, structure: tree.Structure) -> list[Any]:
        """The arrays of a further call, held as those of the first one."""
        leaves, own = self.split(result)
        _require_same(self.name, "slice", own, structure)
        return leaves

    def places(self, structure: tree.Structure, outs: Sequence[Any]) -> list[int]:
        """For each result the axis that the slices are stacked along."""
        held = joined(structure, outs)
        boxes = tree.flatten(_spread("out_axes", self.out_axes, held))[0]
        axes = [box.axis for box in boxes]
        for out, axis in zip(outs, axes, strict=True):
            if axis is None:
                raise ValueError(
                    f"out_axes is None for a result of `{self.name}`, which every "
                    "slice has its own of"
                )
            self._require_axis(out, axis, "out_axes", "a result")
        return axes


class _Box:
    """An axis, or None, as a leaf."""

    def __init__(self, axis: int | None) -> None:
        self.axis = axis


def _spread(which: str, axes: Any, held: Any) -> Any:
    """The axes in the form of what is held: one may stand for all that is in a part."""
    if axes is None or isinstance(axes, int):
        return tree.map_leaves(lambda leaf: _Box(axes), held)
    if isinstance(axes, (tuple, list)) and isinstance(held, (tuple, list)):
        if len(axes) == len(held):
            pairs = zip(axes, held, strict=True)
            made = [_spread(which, axis, one) for axis, one in pairs]
            # A namedtuple's fields have no place in a flat form: a tuple is as good.
            return made if isinstance(held, list) else tuple(made)
    if isinstance(axes, dict) and isinstance(held, dict) and axes.keys() == held.keys():
        return {key: _spread(which, axes[key], one) for key, one in held.items()}
    raise ValueError(
        f"{which} has {axes!r} where there is {_of_structure(tree.flatten(held)[1])}"
    )


def _no_number(name: str, value: Any) -> ValueError:
    error = ValueError(
        f"`{name}` gave an array of shape {tuple(np.shape(value))} for one element"
    )
    error.add_note("  ag.vectorize is for functions of numbers; ag.vmap stacks arrays.")
    return error


def _counted(count: int, word: str, many: str = "") -> str:
    return f"{count} {word if count == 1 else many or word + 's'}"


def _of_structure(structure: tree.Structure) -> str:
    """How results are held, in words: `*`, `(*, *)`."""
    return repr(tree.unflatten(structure, [tree.Word("*")] * structure.num_leaves))
