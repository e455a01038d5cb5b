"""Host views: results of host calls that lie in the memory of an argument.

`np.split` at a bound of the run, `as_strided`, a method without an op: NumPy takes the
view at each run, again whenever its base has changed, and for each write.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NoReturn

import numpy as np

from runtime import build, operators
from runtime.aliases import note_aliases
from runtime.dtypes import same_dtype
from runtime.errors import StagingNotImplementedError, located
from runtime.numpy_api.aliasing import Lies
from runtime.ops.template import Input
from runtime.ops.views import write_through
from runtime.ops.world import Looked, host_call
from runtime.plain_parts import owner_of, part_of
from runtime.spec import TensorSpec, holds_objects
from runtime.structs import replace, struct
from runtime.tensor import Tensor, tensor_of_array


@struct
class Call:
    """A host call, which can be made once more with another argument."""

    inputs: tuple[Tensor, ...]
    attributes: Mapping[str, Any]

    def made(self) -> tuple[Tensor, ...]:
        """Its results."""
        made = host_call(*self.inputs, **self.attributes)
        return made if isinstance(made, tuple) else (made,)

    def placed(self, result: Tensor, at: int, lies: Lies | None) -> Tensor:
        """The result at `at`, in the memory that it is a part of."""
        if lies is None:
            return result
        if lies.certain and lies.same:
            return self.inputs[lies.of[0]]
        build.require_current("an array").trace.asks_layout = True
        if not lies.certain:
            return self._unclear(result, lies)
        # What the other arguments hold now counts, whatever is done to them later.
        now = tuple(Tensor(one.value, scalar=one.scalar) for one in self.inputs)
        how = _View(Call(now, self.attributes), lies.of[0], at)
        write = refuse_overlapping if lies.overlaps else how.write
        base = self.inputs[how.of]
        made: Tensor = operators.numpy_api.view(
            base, result, how.read, write, locked=lies.locked, by_layout=True
        )
        if made._view is not None and made is not result:
            layout = lies.lying(result.spec.shape)
            made._view = replace(made._view, contiguous=lies.in_order, layout=layout)
        return made

    def view(self) -> Tensor:
        """Its one result, which certainly is a view of the first input."""
        (result,) = self.made()
        result.scalar = False
        how = _View(self, 0, 0)
        base = self.inputs[0]
        made: Tensor = operators.numpy_api.view(base, result, how.read, how.write)
        return made

    def _unclear(self, result: Tensor, lies: Lies) -> Tensor:
        """It may be a part of an input or not: neither is changed from here on."""
        found = (self.inputs[of].root for of in lies.of)
        result.sources = tuple(one for root in found for one in (root, *root.sources))
        return note_aliases(result)


@struct
class _View:
    """One result of a call as a view of the argument at `of`."""

    call: Call
    of: int
    at: int

    def read(self, whole: Tensor) -> Tensor:
        inputs = list(self.call.inputs)
        before, inputs[self.of] = inputs[self.of], whole
        attributes = self.call.attributes
        if not _is_of_kind(whole.spec, before.spec):
            attributes = _of_places(attributes, before.spec.dtype, whole.spec)
        return Call(tuple(inputs), attributes).made()[self.at]

    def write(self, whole: Tensor, part: Tensor) -> Tensor:
        known = self.call.attributes
        others = (o for at, o in enumerate(self.call.inputs) if at != self.of)
        made = write_through(
            whole,
            part,
            *others,
            function=known["function"],
            args=known["args"],
            kwargs=known["kwargs"],
            of=self.of,
            at=self.at if len(known["results"]) > 1 else None,
        )
        return made


def part_made(array: np.ndarray[Any, Any]) -> Any:
    """A plain array that the trace made as part of another, as `trace.arrays` has it.

    None: it is no part of an array of texts, dates or records.
    """
    trace, owner = build.require_current("an array").trace, owner_of(array)
    known = {id(array), id(array.base), id(owner)} & trace.users.keys()
    if owner is None or known or holds_objects(owner.dtype):
        return None
    attributes = {
        "function": part_of(owner, array),
        "args": (Input(0),),
        "kwargs": {},
        "results": (TensorSpec(array.shape, array.dtype),),
        "writes": False,
    }
    made = Call((tensor_of_array(owner),), attributes).view()
    trace.arrays[id(array)] = (array, made, None)
    return trace.arrays[id(array)]


def _is_of_kind(spec: TensorSpec, before: TensorSpec) -> bool:
    return spec.kinds == before.kinds and same_dtype(spec.dtype, before.dtype)


def _of_places(
    attributes: Mapping[str, Any], before: Any, given: TensorSpec
) -> Mapping[str, Any]:
    """The call of an array of another dtype, or of one of several.

    Such are the places of its elements (see `runtime.places`), and what may be another
    array by now.
    """
    kind = {"dtype": given.dtype, "kinds": given.kinds}
    unknown = {"dtype": None, "kinds": ()}
    specs = tuple(
        replace(one, **(kind if same_dtype(one.dtype, before) else unknown))
        for one in attributes["results"]
    )
    function = attributes["function"]
    if isinstance(function, Looked):
        function = function.giving(specs)
    return {**attributes, "function": function, "results": specs}


def refuse_overlapping(whole: Tensor, part: Tensor) -> NoReturn:
    """Refuse to write a view some of whose elements are one."""
    raise located(
        StagingNotImplementedError(
            "this changes a view some of whose elements are one in memory"
        ),
        "Change the array itself, or copy the view first (`w = w.copy()`).",
    )
