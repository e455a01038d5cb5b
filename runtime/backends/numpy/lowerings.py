"""How the NumPy executor writes an op as a Python expression, where it knows better.

An op's own `source` serves most; without either, the expression is a call of the
kernel. LOWERINGS has a row for each op whose text depends on its attributes.
"""

from __future__ import annotations

import copy
import math
import operator
from collections.abc import Callable, Hashable, Sequence
from typing import Any

import numpy as np

from runtime.backends.numpy.program import Step, Variable
from runtime.formatting import format_value
from runtime.library_spec import LibrarySpec
from runtime.ops.lists import MUTATES, scalar
from runtime.ops.rows import CHANGES, copied
from runtime.ops.tables import CHANGES as TABLE_CHANGES
from runtime.ops.tables import copied as copied_table
from runtime.ops.template import Input, encode
from runtime.ops.world import Looked
from runtime.spec import ListSpec, ObjectSpec, TensorSpec
from runtime.table_spec import TableSpec

# Gives a name in the generated code to an object that has no literal.
Bind = Callable[[str, Any], str]
Lowering = Callable[[Step, Sequence[str], Bind], str]


def literal(value: Any) -> str | None:
    """`value` as Python text that makes an equal object, or None if it has none."""
    if type(value) is float:
        return repr(value) if math.isfinite(value) else None
    if type(value) in (bool, int, str, type(None), type(...)):
        return repr(value)
    if type(value) is tuple:
        items = [literal(item) for item in value]
        return None if None in items else "(" + "".join(f"{i}, " for i in items) + ")"
    return None


def index_text(index: Sequence[Any], dynamic: Sequence[str], bind: Bind) -> str:
    """The text between the brackets of `x[...]` for an index template."""
    if not index:
        return "()"
    if isinstance(index[0], tuple):
        return repr(list(index[0]))  # fields of a structured array
    return ", ".join(_part_text(part, dynamic, bind) for part in index)


def _part_text(part: Any, dynamic: Sequence[str], bind: Bind) -> str:
    if isinstance(part, Input):
        return dynamic[part.k]
    if isinstance(part, slice):
        start, stop = (
            "" if end is None else _part_text(end, dynamic, bind)
            for end in (part.start, part.stop)
        )
        step = "" if part.step is None else ":" + _part_text(part.step, dynamic, bind)
        return f"{start}:{stop}{step}"
    if part is Ellipsis:
        return "..."
    return literal(part) or bind("index", part)


def _index(step: Step, names: Sequence[str], bind: Bind) -> str:
    if (known := step.node.attributes).get("taken"):
        return call_text(step, step.node.op.kernel, names, bind)
    x = f"{names[0]}.flat" if known.get("flat") else names[0]
    return f"{x}[{index_text(known['index'], names[1:], bind)}]"


def copy_text(
    variable: Variable, bind: Bind, *, deep: bool = True, memo: str = ""
) -> str:
    """A copy of an array, or of a list: deep copies the arrays in a list too.

    memo: the name of what copies of several lists know of each other
    """
    # What is known to be a list, or may be one.
    is_list = isinstance(variable.spec, ListSpec) or bool(memo)
    shallow = copied_table if isinstance(variable.spec, TableSpec) else list
    copies: Any = (copy.deepcopy if deep else shallow) if is_list else np.array
    if isinstance(variable.spec, LibrarySpec):
        copies = copy.copy  # of another kind of array
    known = f", {memo}" if memo else ""
    return f"{bind('copy', copies)}({variable.name}{known})"


def may_be_list(spec: TensorSpec) -> bool:
    """True for a list, and for what nothing is known of."""
    known = type(spec) is not TensorSpec or spec.dtype is not None
    return isinstance(spec, ListSpec) or not known


def call_text(
    step: Step, function: Any, names: Sequence[str], bind: Bind, stem: str = ""
) -> str:
    """A call of `function` with the step's attributes as keywords.

    stem: what its name in the text begins with, else the op's name
    """
    node = step.node
    keywords = [
        f"{name}={literal(value) or bind(name, value)}"
        for name, value in node.attributes.items()
    ]
    name = bind(stem or node.op.name, function)
    return f"{name}({', '.join([*names, *keywords])})"


def _store(step: Step, names: Sequence[str], bind: Bind) -> str:
    target, content, *dynamic = names
    return f"{target}{_indices_text(step, dynamic, bind)} = {content}"


def _indices_text(store: Step, dynamic: Sequence[str], bind: Bind) -> str:
    known = store.node.attributes
    indices = [*known.get("path", ()), known["index"]]
    text = "".join(f"[{index_text(one, dynamic, bind)}]" for one in indices)
    return f".flat{text}" if known.get("flat") else text


def place_text(store: Step, names: Sequence[str], bind: Bind) -> str:
    """The array, or the part of one, that a store stores into."""
    target, _, *dynamic = names
    if store.node.op.name == "with_part":
        return f"{target}.{store.node.attributes['part']}"
    index = _indices_text(store, dynamic, bind)
    return target if index == "[...]" else f"{target}{index}"


def _into(step: Step, names: Sequence[str], bind: Bind) -> str:
    target, *inputs = names
    ufunc = step.node.attributes["ufunc"]
    return f"{bind(ufunc.__name__, ufunc)}({', '.join(inputs)}, out={target})"


def _masked(step: Step, names: Sequence[str], bind: Bind) -> str:
    target, where, *inputs = names
    ufunc = step.node.attributes["ufunc"]
    casting = step.node.attributes.get("casting", "same_kind")
    words = [*inputs, f"out={target}", f"where={where}"]
    words += [] if casting == "same_kind" else [f"casting={casting!r}"]
    for name, value in step.node.attributes.get("options", ()):
        words.append(f"{name}={bind(name, value)}")
    return f"{bind(ufunc.__name__, ufunc)}({', '.join(words)})"


VARIABLES = ("read_variable", "assign_variable")


def _variable(step: Step, names: Sequence[str], bind: Bind) -> str:
    """What a Variable holds, which is its own array where nobody else meets it."""
    text = call_text(step, step.node.op.kernel, names, bind)
    return f"{bind('own', _own)}({text})" if step.outlives else text


def _own(held: Any) -> Any:
    return held.copy() if type(held) is np.ndarray else held


def _into_copy(step: Step, names: Sequence[str], bind: Bind) -> str:
    target, *others = names
    return _into(step, [f"{bind('copy', np.array)}({target})", *others], bind)


def _into_each(step: Step, names: Sequence[str], bind: Bind) -> str:
    """Each result where its array lies, or into a copy of that."""
    given, ufunc = step.node.attributes["given"], step.node.attributes["ufunc"]
    copy, count = bind("copy", np.array), sum(given)
    places = iter(
        name if at in step.written else f"{copy}({name})"
        for at, name in enumerate(names[:count])
    )
    out = ", ".join(next(places) if one else "None" for one in given)
    called = bind(ufunc.__name__, ufunc)
    return f"{called}({', '.join(names[count:])}, out=({out}))"


def _masked_copy(step: Step, names: Sequence[str], bind: Bind) -> str:
    target, *others = names
    return _masked(step, [f"{bind('copy', np.array)}({target})", *others], bind)


def _at(step: Step, names: Sequence[str], bind: Bind) -> str:
    target, content, *dynamic = names
    ufunc, index = step.node.attributes["ufunc"], step.node.attributes["index"]
    key = f"{bind('key', np.s_)}[{index_text(index, dynamic, bind)}]"
    function = bind(f"{ufunc.__name__}_at", ufunc.at)
    return f"{function}({target}, {key}, {content})"


def _along(step: Step, names: Sequence[str], bind: Bind) -> str:
    """A ufunc's method, in the function's own line, which NumPy's warnings name."""
    attributes = dict(step.node.attributes)
    method, ufunc = step.node.op.name.removeprefix("ufunc_"), attributes.pop("ufunc")
    words = [*names, *(f"{name}={literal(v)}" for name, v in attributes.items())]
    name = f"{ufunc.__name__}_{method}"
    return f"{bind(name, getattr(ufunc, method))}({', '.join(words)})"


def _counted(x: Any) -> Any:
    """The sum of truths: NumPy casts them to ints some at a time, which takes long."""
    return np.int64(np.count_nonzero(x))


def _is_count(step: Step) -> bool:
    """Whether all of an array of truths are added."""
    spec, known = step.inputs[0].spec, step.node.attributes
    if spec.may_be_weak or len(step.inputs) > 1 or spec.dtype != np.dtype(bool):
        return False
    return not {k: v for k, v in known.items() if v is not None and v is not False}


def _sum(step: Step, names: Sequence[str], bind: Bind) -> str:
    if _is_count(step):
        return f"{bind('counted', _counted)}({names[0]})"
    return call_text(step, step.node.op.kernel, names, bind)


def _method(step: Step, names: Sequence[str], bind: Bind) -> str:
    """The array's own method: NumPy's warnings name who calls it, not the function."""
    spec, node = step.inputs[0].spec, step.node
    if spec.may_be_weak or spec.dtype is None or len(names) > 1:
        return call_text(step, node.op.kernel, names, bind)
    words = [f"{k}={literal(v) or bind(k, v)}" for k, v in node.attributes.items()]
    text = f"{names[0]}.{node.op.name}({', '.join(words)})"
    if node.op.name == "mean" and _is_count(step):
        # Of nothing NumPy warns.
        count = f"{bind('counted', _counted)}({names[0]})"
        return f"({count} / {names[0]}.size if {names[0]}.size else {text})"
    return text


def _change(step: Step, names: Sequence[str], bind: Bind) -> str:
    """A change of a list: in itself where nobody can tell, else in a copy."""
    first, *others = names
    copy = bind("copied", copied) if step.node.op.name in CHANGES else "list"
    if step.node.op.name in TABLE_CHANGES:
        copy = bind("copied_table", copied_table)
    target = first if step.in_place else f"{copy}({first})"
    return call_text(step, MUTATES[step.node.op.name], [target, *others], bind)


def _set_item(step: Step, names: Sequence[str], bind: Bind) -> str:
    target, _, *dynamic = names
    place = index_text(step.node.attributes["index"], dynamic, bind)
    return f"{target}[{place}] = {_argument(Input(1), step, names, bind)}"


def _append_item(step: Step, names: Sequence[str], bind: Bind) -> str:
    return f"{names[0]}.append({_argument(Input(1), step, names, bind)})"


def _row_item(step: Step, names: Sequence[str], bind: Bind) -> str:
    rows, at, *dynamic = names
    return f"{rows}[{at}][{index_text(step.node.attributes['index'], dynamic, bind)}]"


def _set_row_item(step: Step, names: Sequence[str], bind: Bind) -> str:
    rows, at, _, *dynamic = names
    place = index_text(step.node.attributes["index"], dynamic, bind)
    return f"{rows}[{at}][{place}] = {_argument(Input(2), step, names, bind)}"


def _append_to_row(step: Step, names: Sequence[str], bind: Bind) -> str:
    return f"{names[0]}[{names[1]}].append({_argument(Input(2), step, names, bind)})"


def _cast(step: Step, names: Sequence[str], bind: Bind) -> str:
    """In the function's own line, which is what NumPy's warnings name."""
    spec = step.inputs[0].spec
    if step.node.attributes.get("weak") or spec.may_be_weak or spec.dtype is None:
        return call_text(step, step.node.op.kernel, names, bind)
    return f"{names[0]}.astype({bind('dtype', step.node.attributes['dtype'])})"


def _host_call(step: Step, names: Sequence[str], bind: Bind) -> str:
    node = step.node
    text = called_text(step, names, bind) if node.attributes["results"] else None
    return text or call_text(step, node.op.kernel, names, bind)


def called_text(step: Step, names: Sequence[str], bind: Bind) -> str | None:
    """A call as it stands in Python; None where an argument holds an input inside."""
    node = step.node
    args, function = node.attributes["args"], node.attributes["function"]
    parts = [_argument(part, step, names, bind) for part in args]
    named = node.attributes["kwargs"].items()
    words = {name: _argument(part, step, names, bind) for name, part in named}
    if None in (*parts, *words.values()):
        return None
    looks = []
    while isinstance(function, Looked):
        looks.append(bind("looked", function.look))
        function = function.function
    if function is format_value and args[1] in _CONVERSIONS:
        function, shown = format, _CONVERSIONS[args[1]]
        parts = [shown.format(parts[0]), parts[2]]
    between = _INFIX.get(function) if isinstance(function, Hashable) else None
    if between is not None:
        text = f" {between} ".join(map(str, parts))
    else:
        named_parts = [f"{name}={part}" for name, part in words.items()]
        inside = ", ".join([*map(str, parts), *named_parts])
        name = getattr(function, "__name__", "function")
        text = f"{bind(name, function)}({inside})"
    for look in reversed(looks):
        text = f"{look}({text})"
    return text


def _python_call(step: Step, names: Sequence[str], bind: Bind) -> str:
    """In the function's own line: `float(z)` warns there of what it leaves out."""
    function = step.node.attributes["function"]
    name = getattr(function, "__name__", "function")
    return f"{bind(name, function)}({', '.join(names)})"


def _changed_or_new(step: Step, names: Sequence[str], bind: Bind) -> str:
    """In the function's own line, too."""
    word, (x, other) = step.node.attributes["word"], names
    changed = bind(f"i{word}", getattr(operator, f"__i{word}__"))
    new = bind(word, getattr(operator, f"__{word}__"))
    is_array = f"isinstance({x}, {bind('ndarray', np.ndarray)})"
    return f"({changed}({x}.copy('K'), {other}) if {is_array} else {new}({x}, {other}))"


# How a value is written that an f-string formats: `{value!conversion:...}`.
_CONVERSIONS = {-1: "{0}", ord("s"): "str({0})", ord("r"): "repr({0})"}
_INFIX: dict[Any, str] = {
    **{operator.add: "+", operator.mul: "*", operator.eq: "==", operator.ne: "!="},
    **{operator.lt: "<", operator.le: "<=", operator.gt: ">", operator.ge: ">="},
}


def _argument(part: Any, step: Step, names: Sequence[str], bind: Bind) -> str | None:
    """An argument as text; None for what inputs are in, but for tuples and lists."""
    if type(part) is not Input:
        if not encode(part, lambda one: type(one) is Input)[1]:
            return literal(part) or bind("c", part)
        return (
            _display(part, step, names, bind) if type(part) in (tuple, list) else None
        )
    spec = step.inputs[part.k].spec
    if spec.weak or spec.shape or isinstance(spec, (ObjectSpec, ListSpec)):
        return names[part.k]
    # A 0-d result may be held as an array; users see the scalar.
    return f"{bind('scalar', scalar)}({names[part.k]})"


def _display(
    parts: Sequence[Any], step: Step, names: Sequence[str], bind: Bind
) -> str | None:
    """A tuple or a list as it is written; None where an item has no text."""
    texts = [_argument(part, step, names, bind) for part in parts]
    if None in texts:
        return None
    inside = "".join(f"{text}, " for text in texts)
    return f"({inside})" if type(parts) is tuple else f"[{inside}]"


# The ops that may change their first input: the statement that does it.
STATEMENTS: dict[str, Lowering] = {
    "store": _store,
    "masked_ufunc": _masked,
    "ufunc_into": _into,
    "ufunc_at": _at,
}
# The same for lists, where nobody can tell that it is the same one.
LIST_STATEMENTS: dict[str, Lowering] = {
    "list_set": _set_item,
    "list_append": _append_item,
    "row_set_item": _set_row_item,
    "row_append": _append_to_row,
}
LOWERINGS: dict[str, Lowering] = {
    "masked_ufunc": _masked_copy,
    "ufunc_into": _into_copy,
    "ufunc_into_each": _into_each,
    "sum": _sum,
    "ufunc_reduce": _along,
    "ufunc_accumulate": _along,
    **dict.fromkeys(("mean", "var", "std", "round"), _method),
    "slice": _index,
    "index": _index,
    "list_get": _index,
    "row_item": _row_item,
    "cast": _cast,
    "host_call": _host_call,
    "python_call": _python_call,
    "changed_or_new": _changed_or_new,
    **dict.fromkeys(MUTATES, _change),
    **dict.fromkeys(VARIABLES, _variable),
}
