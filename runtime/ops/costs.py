"""What an op costs: its floating point operations, and the bytes that it moves.

One row for each op, in COSTS; it is asked with the arrays of a run, so sizes are known.
Counted is what the op means, not what some code does for it: `x @ y` of [m, n] and
[n, p] is 2 m n p operations, whoever multiplies.

- A flop is a sum, product, quotient, root, comparison or rounding of floats; of complex
  numbers as many as their parts need. Of ints and bools there are none.
- A function is one value of exp, log, sin, a power and the like, of floats.
- Bytes are those of arrays; numbers are in registers. A view moves nothing.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from runtime.structs import struct

Values = Sequence[Any]
Attributes = Mapping[str, Any]
Count = Callable[[Values, Values, Attributes], float]
Moved = Callable[[Values, Values, Attributes], tuple[int, int]]


def none(inputs: Values, outputs: Values, attributes: Attributes) -> int:
    """Nothing of it."""
    return 0


def size(value: Any) -> int:
    """The number of elements; 1 of a number, 0 of what is neither.

    >>> size(np.ones((2, 3))), size(2.5), size([1, 2])
    (6, 1, 0)
    """
    if isinstance(value, np.ndarray):
        return value.size
    return 1 if isinstance(value, (np.generic, bool, int, float, complex)) else 0


def kind(values: Values) -> str:
    """The widest kind of numbers among them: "c", "f", or "" where none is floating."""
    kinds = {value.dtype.kind for value in values if hasattr(value, "dtype")}
    kinds |= {"f" for value in values if isinstance(value, float)}
    kinds |= {"c" for value in values if isinstance(value, complex)}
    return "c" if "c" in kinds else "f" if "f" in kinds else ""


def span(value: Any) -> int:
    """The bytes that an array's elements lie in; those met by several indices, once.

    >>> span(np.ones((2, 3))), span(np.broadcast_to(np.ones(3), (2, 3))), span(2.5)
    (48, 24, 0)
    """
    if not isinstance(value, np.ndarray) or not value.ndim or not value.size:
        return 0
    axes = zip(value.shape, value.strides, strict=True)
    return value.itemsize * math.prod(dim for dim, stride in axes if stride)


def whole(inputs: Values, outputs: Values, attributes: Attributes) -> tuple[int, int]:
    """Each input is read, and each output written, once."""
    return sum(map(span, inputs)), sum(map(span, outputs))


def still(inputs: Values, outputs: Values, attributes: Attributes) -> tuple[int, int]:
    """Nothing is moved."""
    return 0, 0


def _looked(inputs: Values, outputs: Values, attributes: Attributes) -> tuple[int, int]:
    """A view, which moves nothing; where NumPy had to copy, what was copied."""
    made = sum(span(out) for out in outputs if not _is_view(out, inputs))
    return made, made


def _taken(inputs: Values, outputs: Values, attributes: Attributes) -> tuple[int, int]:
    """What is taken is read, and the indices; of a view there is nothing to move."""
    if any(_is_view(out, inputs) for out in outputs):
        return 0, 0
    taken = sum(size(out) * out.dtype.itemsize for out in outputs)
    return taken + sum(map(span, inputs[1:])), sum(map(span, outputs))


def _put(inputs: Values, outputs: Values, attributes: Attributes) -> tuple[int, int]:
    """The content is read and written; of a copy that had to be made, all of it too."""
    into, content, *others = inputs
    copied = 0 if _is_view(outputs[0], (into,)) else span(into)
    put = size(content) * into.dtype.itemsize
    return copied + sum(map(span, (content, *others))), copied + put


def _is_view(out: Any, inputs: Values) -> bool:
    if not isinstance(out, np.ndarray):
        return False
    arrays = (value for value in inputs if isinstance(value, np.ndarray))
    return any(out is array or np.may_share_memory(out, array) for array in arrays)


@struct
class Row:
    """What is counted of an op, from the values of a run and the node's attributes.

    flops, functions: their number;  moved: the bytes that are read, and written
    known: whether this is all; else the op runs code that nobody has counted
    kept:  whether what it gives is the memory of something else, of a Variable
    """

    flops: Count = none
    functions: Count = none
    moved: Moved = whole
    known: bool = True
    kept: bool = False


def each(real: float, of_complex: float | None = None) -> Count:
    """So many flops for each element that is made."""
    factors = {"": 0.0, "f": real, "c": 2 * real if of_complex is None else of_complex}

    def count(inputs: Values, outputs: Values, attributes: Attributes) -> float:
        return factors[kind((*inputs, *outputs))] * max(map(size, outputs), default=0)

    return count


def of_input(per_element: float, per_result: float = 0.0) -> Count:
    """So many flops for each element of the first input, and of the result."""

    def count(inputs: Values, outputs: Values, attributes: Attributes) -> float:
        if not kind((inputs[0], *outputs)):
            return 0.0
        parts = 2 if kind((inputs[0], *outputs)) == "c" else 1
        return parts * (per_element * size(inputs[0]) + per_result * size(outputs[0]))

    return count


def _product(inputs: Values, outputs: Values, attributes: Attributes) -> float:
    """A multiplication and an addition for each pair of elements that meet."""
    x, y, out = inputs[0], inputs[1], outputs[0]
    met = np.shape(x)[-1] if np.ndim(x) and np.ndim(y) else 1
    return (2 if met > 1 else 1) * _parts(outputs) * size(out) * met


def _contracted(inputs: Values, outputs: Values, attributes: Attributes) -> float:
    """The same, where the sizes say how many elements meet."""
    out = size(outputs[0])
    if not out:
        return 0.0
    met = math.sqrt(size(inputs[0]) * size(inputs[1]) / out)
    return (2 if met > 1 else 1) * _parts(outputs) * out * met


def _dotted(inputs: Values, outputs: Values, attributes: Attributes) -> float:
    return 2.0 * _parts(outputs) * size(inputs[0])


def _traced(inputs: Values, outputs: Values, attributes: Attributes) -> float:
    shape = np.shape(inputs[0])
    axes = (attributes.get("axis1", 0), attributes.get("axis2", 1))
    return each(min(shape[axis] for axis in axes))(inputs, outputs, attributes)


def _einsum(inputs: Values, outputs: Values, attributes: Attributes) -> float:
    """For each combination of indices a product of the operands, and a sum."""
    terms = attributes["subscripts"].replace(" ", "").partition("->")[0].split(",")
    dims: dict[str, int] = {}
    for term, x in zip(terms, inputs, strict=True):
        letters = term.replace("...", "." * (np.ndim(x) - len(term) + 3))
        last_first = zip(reversed(letters), reversed(np.shape(x)), strict=True)
        for at, (letter, dim) in enumerate(last_first):
            name = f".{at}" if letter == "." else letter
            dims[name] = max(dims.get(name, 1), dim)
    met = math.prod(dims.values())
    summed = met > size(outputs[0])
    return (len(inputs) - 1 + summed) * _parts(outputs) * met


def _parts(outputs: Values) -> float:
    """What an operation of a product counts: 4 of complex numbers, of ints nothing."""
    return {"": 0.0, "f": 1.0, "c": 4.0}[kind(outputs)]


def _short_power(inputs: Values, outputs: Values, attributes: Attributes) -> float:
    """Those of `x ** 2`, `x ** 0.5` and the like, where NumPy takes short cuts."""
    if not _is_short(inputs):
        return 0.0
    return each(1, 6)(inputs, outputs, attributes)


def _long_power(inputs: Values, outputs: Values, attributes: Attributes) -> float:
    return 0.0 if _is_short(inputs) else each(1, 1)(inputs, outputs, attributes)


def _is_short(inputs: Values) -> bool:
    return type(inputs[1]) in (int, float) and inputs[1] in (-1, 0.5, 1, 2)


def _ufunc(inputs: Values, outputs: Values, attributes: Attributes) -> Row:
    return COSTS.get(attributes["ufunc"].__name__, Row())


def _reduced(inputs: Values, outputs: Values, attributes: Attributes) -> float:
    """The ufunc between the elements of the first input."""
    row = _ufunc(inputs, outputs, attributes)
    return row.flops(inputs[:1], inputs[:1], {}) - row.flops(inputs[:1], outputs, {})


def _masked(inputs: Values, outputs: Values, attributes: Attributes) -> float:
    """The ufunc where the mask is true."""
    part = np.count_nonzero(inputs[1]) / max(size(inputs[1]), 1)
    row = _ufunc(inputs, outputs, attributes)
    return part * row.flops(inputs[2:], outputs, {})


def _masked_functions(inputs: Values, outputs: Values, attributes: Attributes) -> float:
    part = np.count_nonzero(inputs[1]) / max(size(inputs[1]), 1)
    row = _ufunc(inputs, outputs, attributes)
    return part * row.functions(inputs[2:], outputs, {})


def _into(inputs: Values, outputs: Values, attributes: Attributes) -> float:
    """The ufunc of what follows the array that it writes into."""
    row = _ufunc(inputs, outputs, attributes)
    return row.flops(inputs[1:], outputs, {})


def _into_functions(inputs: Values, outputs: Values, attributes: Attributes) -> float:
    row = _ufunc(inputs, outputs, attributes)
    return row.functions(inputs[1:], outputs, {})


def _moved_into(
    inputs: Values, outputs: Values, attributes: Attributes
) -> tuple[int, int]:
    return whole(inputs[1:], outputs, attributes)


def _operands(inputs: Values, attributes: Attributes) -> Values:
    """Those that follow the arrays that are given for results."""
    return inputs[sum(attributes["given"]) :]


def _into_each(inputs: Values, outputs: Values, attributes: Attributes) -> float:
    row = _ufunc(inputs, outputs, attributes)
    return row.flops(_operands(inputs, attributes), outputs, {})


def _into_each_functions(
    inputs: Values, outputs: Values, attributes: Attributes
) -> float:
    row = _ufunc(inputs, outputs, attributes)
    return row.functions(_operands(inputs, attributes), outputs, {})


def _moved_into_each(
    inputs: Values, outputs: Values, attributes: Attributes
) -> tuple[int, int]:
    return whole(_operands(inputs, attributes), outputs, attributes)


def _at(inputs: Values, outputs: Values, attributes: Attributes) -> float:
    row = _ufunc(inputs, outputs, attributes)
    return row.flops(inputs[1:2], inputs[1:2], {})


def rows(words: str, row: Row) -> dict[str, Row]:
    """The same row for each of these ops."""
    return dict.fromkeys(words.split(), row)


FREE = Row(moved=still)  # numbers, Python's containers, control flow: no arithmetic
MOVES = Row()  # arrays are read and written, and nothing computed
VIEWS = Row(moved=_looked)
TAKES = Row(moved=_taken)
PUTS = Row(moved=_put)
UNKNOWN = Row(known=False)

COSTS: dict[str, Row] = {
    # Elementwise.
    **rows("add subtract negative", Row(each(1, 2))),
    **rows("multiply square", Row(each(1, 6))),
    **rows("divide reciprocal", Row(each(1, 11))),
    **rows("floor_divide remainder fmod fabs sign heaviside", Row(each(1))),
    **rows("divmod modf", Row(each(2))),
    **rows("absolute", Row(each(1, 4))),
    **rows("equal not_equal less less_equal greater greater_equal", Row(each(1))),
    **rows("maximum minimum fmax fmin isnan isinf isfinite", Row(each(1))),
    **rows("floor ceil trunc rint round sqrt", Row(each(1))),
    **rows("degrees radians deg2rad rad2deg", Row(each(1))),
    **rows("clip", Row(each(2))),
    **rows("positive conjugate copysign signbit nextafter spacing", MOVES),
    **rows("ldexp frexp gcd lcm isnat bitwise_count", MOVES),
    **rows("logical_and logical_or logical_xor logical_not", MOVES),
    **rows("bitwise_and bitwise_or bitwise_xor invert left_shift right_shift", MOVES),
    **rows(
        "exp exp2 expm1 log log2 log10 log1p logaddexp logaddexp2 cbrt hypot sin cos "
        "tan arcsin arccos arctan arctan2 sinh cosh tanh arcsinh arccosh arctanh "
        "power float_power",
        Row(functions=each(1, 1)),
    ),
    **rows("array_power number_power", Row(_short_power, _long_power)),
    "masked_ufunc": Row(_masked, _masked_functions),
    "ufunc_into": Row(_into, _into_functions, _moved_into),
    "ufunc_into_each": Row(_into_each, _into_each_functions, _moved_into_each),
    "ufunc_at": Row(_at, moved=_put),
    # Reductions and running totals; what sorts compares without counting.
    **rows("sum prod max min argmax argmin count_nonzero", Row(of_input(1, -1))),
    **rows("ptp", Row(of_input(2, -1))),
    **rows("mean", Row(of_input(1))),
    **rows("var", Row(of_input(4))),
    **rows("std", Row(of_input(4, 1))),
    **rows("nansum nanprod nanmax nanmin nanargmax nanargmin", Row(of_input(2, -1))),
    **rows("nanmean", Row(of_input(2))),
    **rows("nanvar nanstd", Row(of_input(5))),
    **rows("cumsum cumprod diff", Row(of_input(1))),
    **rows("any all median nanmedian", MOVES),
    **rows("ufunc_reduce ufunc_accumulate", Row(_reduced)),
    # Products.
    **rows("matmul dot inner", Row(_product)),
    **rows("tensordot outer kron", Row(_contracted)),
    "vdot": Row(_dotted),
    "einsum": Row(_einsum),
    "cross": Row(each(3, 14)),
    "trace": Row(_traced),
    # Creation.
    **rows("zeros ones empty full arange eye tri meshgrid", MOVES),
    "linspace": Row(each(2)),
    # Elements, parts and arrangements.
    **rows("part_at split diagonal as_kind view_bits real imag", VIEWS),
    **rows(
        "reshape ravel transpose expand_dims squeeze broadcast_to flip rot90", VIEWS
    ),
    **rows("identity reshape_like", VIEWS),
    **rows("slice index take take_along_axis", TAKES),
    **rows("store put_along_axis with_part with_part_at", PUTS),
    **rows("pad repeat roll tile tril triu diag concatenate stack where", MOVES),
    **rows("nonzero flatnonzero argwhere cast copy strong", MOVES),
    **rows("sort argsort searchsorted unique bincount", MOVES),
    **rows("random_bits draw draw_into shuffled", MOVES),
    # State, and what runs code of others.
    "assign_variable": Row(kept=True),
    **rows("read_variable constant", Row(moved=still, kept=True)),
    **rows("host_call changed changed_or_new write_through", UNKNOWN),
    # Numbers, Python's containers, control flow and checks.
    **rows(
        "dim size truth not kind_of is_number has_no_dims is_reshaped placeholder", FREE
    ),
    **rows("own_place place_of sliced_place stand_in apart", FREE),
    **rows("if while try recursion call called checkpoint reraise", FREE),
    **rows(
        "print assert raise require_array require_defined require_output "
        "require_writable",
        FREE,
    ),
    **rows("ask get_state jump seed seed_by set_state spawn", FREE),
    **rows("enter_errstate leave_errstate", FREE),
    **rows("deque_delete deque_pop deque_rotate deque_set list_deque", FREE),
    **rows("list_tuple tuple_get tuple_index heap_order heap_pop heap_push", FREE),
    **rows("list_bisect merge_order list_append list_cast list_compare", FREE),
    **rows("list_contains list_count list_delete list_extend list_from_array", FREE),
    **rows("list_get list_index list_insert list_len list_locate list_of", FREE),
    **rows("list_order list_pop list_repeat list_reverse list_set list_sort", FREE),
    **rows("list_take list_unpack list_zip list_count_all list_put", FREE),
    **rows("list_put_all list_put_all_new list_put_new table_at table_combined", FREE),
    **rows("table_delete table_delete_last table_find table_has table_len", FREE),
    **rows("table_members table_of table_order table_put table_put_all", FREE),
    **rows("table_same table_whole row_add row_append row_get row_item row_len", FREE),
    **rows("row_pop row_set row_set_item rows_at rows_flat rows_given", FREE),
    **rows("rows_made rows_split list_given", FREE),
    **rows("char_case char_code char_digit char_is char_of char_text char_texts", FREE),
    "text_codes": FREE,
    **rows("list_stack", MOVES),
    "python_call": Row(functions=each(1, 1), moved=still),
}
