"""having: which steps there is machine code for, and which of them take any time.

The words are those of the tables that `filled.py` fills (a test compares them): to ask
whether a loop may become machine code loads nothing that makes any.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from runtime.backends.llvm.span import is_pure, says
from runtime.backends.llvm.switch import is_precise
from runtime.backends.llvm.values import ufunc_of
from runtime.backends.llvm.walking import walk
from runtime.backends.numpy.program import Step
from runtime.ops.lists import MUTATES
from runtime.ops.world import Looked
from runtime.spec import ListSpec, TensorSpec

OF_NUMBERS = frozenset(
    (
        "dot inner vdot "
        "absolute add all any argmax argmin argsort array_power as_kind ask assert "
        "bitwise_and bitwise_or bitwise_xor cast char_case char_code char_digit "
        "char_is char_of clip concatenate constant "
        "count_nonzero dim divide divmod draw equal floor_divide greater "
        "greater_equal host_call identity if imag invert kind_of left_shift "
        "less less_equal logical_and logical_not logical_or logical_xor matmul max "
        "mean median min multiply negative not not_equal number_power positive power "
        "prod ptp python_call raise real remainder require_defined require_output "
        "right_shift round "
        "searchsorted size slice sort stack std strong subtract sum trace truth var "
        "where while "
    ).split()
)
# The functions of elements for which NumPy may have formulas of its own that are ours,
# too (`mathematics/numpys.py`).
OF_NUMPYS = ("exp", "log", "sin", "cos", "tanh")
# What raises: worth a way out within a loop alone.
RAISES = frozenset(("assert", "raise"))
OF_ARRAYS = frozenset(
    (
        "all any arange argmax argmin argsort bincount cast clip concatenate constant "
        "copy cross cumprod cumsum diagonal diff dot empty expand_dims eye "
        "flatnonzero flip full host_call if imag index kron linspace matmul max mean "
        "min nonzero ones outer own_place part_at prod ravel real repeat reshape roll "
        "round searchsorted slice sliced_place sort stack std store sum take tile "
        "transpose tril triu unique var where while with_part with_part_at zeros "
    ).split()
)
OF_LISTS = frozenset(
    (
        "deque_delete deque_pop deque_set "
        "list_append list_contains list_count list_delete list_extend list_get "
        "list_index list_insert list_len list_of list_pop list_put list_put_new "
        "list_repeat list_reverse list_set list_sort list_zip placeholder row_add "
        "row_append row_get row_item row_len row_pop row_set row_set_item "
        "table_at table_delete table_find table_has table_len table_of table_put "
        "tuple_get "
    ).split()
)
# The op for all of NumPy's functions that are none; and those that have machine code.
HOST_CALL = "host_call"
LIBRARY = frozenset(
    (
        "allclose bincount cholesky det digitize eigvalsh histogram interp inv "
        "isclose isin percentile polyval quantile solve trapezoid "
    ).split()
)
# What of draws has machine code, `is_known_draw` says.
DRAWS = frozenset(("draw", "ask"))
OVER_ARRAYS = frozenset(
    (
        "dot inner vdot "
        "all any argmax argmin argsort bincount concatenate count_nonzero flatnonzero "
        "host_call index matmul max mean median min nonzero prod ptp searchsorted "
        "sort stack std sum take trace unique var "
    ).split()
)
# What takes as long whatever it is of.
_FREE = frozenset(
    {"slice", "transpose", "expand_dims", "if", "while", "constant"}
    | {"flip", "diagonal"}
    | {"own_place", "sliced_place", "part_at"}
)
# What looks for something in a list.
SOUGHT = ("list_contains", "list_index", "list_count", "list_locate")
# Those that take as long whatever the list.
ONE_ITEM = {
    "list_len",
    "list_get",
    "list_set",
    "list_append",
    "list_pop",
    *("deque_pop", "deque_set", "tuple_get"),
    "placeholder",
    # Of tables, and of what stands at their places.
    *("table_find", "table_has", "table_at", "table_len", "table_put", "table_delete"),
    *("table_of", "list_put", "list_put_new"),
    # Of rows.
    *("row_len", "row_item", "row_set_item", "row_append", "row_pop"),
}


def may_be_native(step: Step) -> bool:
    """Whether the ops of a loop are among those that machine code is made of."""
    if not step.carried:
        return False  # each turn raises
    steps = [*walk(step.bodies)]
    if _calls_around(steps) or any(map(_may_tell_nans_apart, steps)):
        return False
    asking = walk(step.bodies[:1])
    if any(inner.node.op.name in DRAWS or says(inner) for inner in asking):
        # Python has asked the test when machine code begins with it.
        return False
    return all(
        is_known_draw(inner)
        if inner.node.op.name in DRAWS
        else inner.node.op.name in OF_NUMBERS
        or inner.node.op.name in OF_ARRAYS
        or inner.node.op.name in OF_LISTS
        or ufunc_of(inner.node, is_precise()) is not None
        or is_pure(inner)
        or says(inner)
        or _is_clock(inner)
        for inner in steps
    )


def _calls_around(steps: Iterable[Step]) -> bool:
    """Whether they call a recursion that they are themselves in: it is Python's."""
    named = {"call": set[str](), "recursion": set[str]()}
    for step in steps:
        if step.node.op.name in named:
            named[step.node.op.name].add(step.node.attributes["function"])
    return not named["call"] <= named["recursion"]


def _is_clock(step: Step) -> bool:
    """Whether a step only asks for the time."""
    function = step.node.attributes.get("function")
    if getattr(function, "__module__", "") != "time":
        return False
    from runtime.backends.llvm import clocks

    return clocks.is_clock(step)


def takes_any_time(step: Step) -> bool:
    """Whether a step is of whole arrays, or calls what may take long."""
    name, outputs = step.node.op.name, step.outputs
    if name in _FREE:
        return False
    if name in OVER_ARRAYS:
        return True
    if name in OF_LISTS:
        return not _is_of_one_item(step)
    is_number = name in OF_NUMBERS or ufunc_of(step.node, is_precise()) is not None
    return not is_number or any(v.spec.shape != () for v in outputs)


def is_known_draw(step: Step) -> bool:
    """Whether there is machine code for a draw."""
    from runtime.backends.llvm import draws, python_draws

    draw = draws if step.node.op.name == "draw" else python_draws
    return draw.is_known(step)


def library_name(step: Step) -> str | None:
    """The name of NumPy's function that a step calls, if there is code for it."""
    if step.node.op.name != HOST_CALL:
        return None
    function = step.node.attributes["function"]
    if isinstance(function, Looked):
        function = function.function
    name = getattr(function, "__name__", "")
    if name not in LIBRARY or not is_pure(step):
        return None
    is_numpys = any(getattr(of, name, None) is function for of in (np, np.linalg))
    return name if is_numpys else None


def _may_tell_nans_apart(step: Step) -> bool:
    """Whether it finds NaN in a list by the object that it is, which no machine has."""
    name, known = step.node.op.name, step.node.attributes
    if name == "list_compare":
        return any(_may_be_nan(variable.spec) for variable in step.inputs)
    if name not in SOUGHT:
        return False
    constant = any(isinstance(one, (float, complex)) for one in known["sought"])
    return constant or any(_may_be_nan(variable.spec) for variable in step.inputs[1:])


def _may_be_nan(spec: TensorSpec) -> bool:
    while isinstance(spec, ListSpec):
        spec = spec.item
    if type(spec) is not TensorSpec:
        return False
    return any(one.dtype is None or one.dtype.kind in "fc" for one in spec.options)


def _is_of_one_item(step: Step) -> bool:
    """Whether the list's length does not tell how long the step takes."""
    name, index = step.node.op.name, step.node.attributes.get("index", (None,))
    if name not in ONE_ITEM or isinstance(index[0], slice):
        return False
    return step.in_place or name not in MUTATES
