"""How the NumPy executor writes the ops of dicts whose keys depend on data.

They are a few bytecodes where a call of the kernel would take the key's template apart
at each turn of a loop.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from runtime.backends.numpy.lowerings import Bind, Lowering, literal
from runtime.backends.numpy.program import Step
from runtime.ops.lists import MUTATES, scalar
from runtime.ops.tables import key_of
from runtime.ops.template import Input, encode
from runtime.spec import ObjectSpec, TensorSpec


def _key(step: Step, names: Sequence[str], first: int, bind: Bind) -> str:
    """The key of a step, whose dynamic inputs begin at `first`."""

    def text(part: Any) -> str | None:
        if type(part) is Input:
            at = first + part.k
            return _scalar(step.inputs[at].spec, names[at], bind)
        if type(part) is tuple and _holds(part):
            parts = [text(one) for one in part]
            return None if None in parts else f"({', '.join(map(str, parts))}, )"
        if _holds(part):
            return None
        return literal(part) or bind("key", part)

    template = step.node.attributes["key"]
    made = text(template)
    if made is not None:
        return made
    dynamic = "".join(f"{name}, " for name in names[first:])
    return f"{bind('key_of', key_of)}(({dynamic}), {bind('template', template)})"


def _scalar(spec: TensorSpec, name: str, bind: Bind) -> str:
    """A value as users see it: a 0-d result may be held as an array."""
    if spec.weak or isinstance(spec, ObjectSpec):
        return name
    if spec.shape == () and not spec.kinds and spec.dtype and spec.dtype.kind in "iufc":
        # Not `[()]` of what is a scalar: a NaN is found by the object that it is.
        array = bind("ndarray", np.ndarray)
        return f"({name}[()] if type({name}) is {array} else {name})"
    return f"{bind('scalar', scalar)}({name})"


def _holds(part: Any) -> bool:
    return bool(encode(part, lambda one: type(one) is Input)[1])


def _asking(form: str) -> Lowering:
    def lowering(step: Step, names: Sequence[str], bind: Bind) -> str:
        return form.format(table=names[0], key=_key(step, names, 1, bind))

    return lowering


def _put(step: Step, names: Sequence[str], bind: Bind) -> str:
    table, new = names[:2]
    key = _key(step, names, 2, bind)
    if step.in_place:
        return f"({table}, {table}.setdefault({key}, {new}))"
    return f"{bind('table_put', _put_key)}({table}.copy(), {new}, {key})"


def _put_key(table: dict[Any, int], new: int, key: Any) -> tuple[dict[Any, int], int]:
    return table, table.setdefault(key, new)


def _put_new(step: Step, names: Sequence[str], bind: Bind) -> str:
    items, at, item = names
    add = bind("list_put_new", MUTATES["list_put_new"])
    if not step.in_place:
        return f"{add}([*{items}], {at}, {item})"
    return f"{items} if {at} < len({items}) else {add}({items}, {at}, {item})"


def _put_item(step: Step, names: Sequence[str], bind: Bind) -> str:
    items, at, item = names
    held = _scalar(step.inputs[2].spec, item, bind)
    where = items if step.in_place else f"[*{items}]"
    return f"{bind('list_put', _set)}({where}, {at}, {held})"


def _set(xs: list[Any], at: int, item: Any) -> list[Any]:
    # One slice for an item that is there and a new one: faster than to look.
    xs[at : at + 1] = [item]
    return xs


TABLE_LOWERINGS: dict[str, Lowering] = {
    "table_at": _asking("{table}[{key}]"),
    "table_find": _asking("{table}.get({key}, -1)"),
    "table_has": _asking("{key} in {table}"),
    "table_put": _put,
    "list_put": _put_item,
    "list_put_new": _put_new,
}
