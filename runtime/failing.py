"""Failing: which nodes may raise when they run, judged by what is known before.

Asked inside a try statement only, where what may fail is kept and watched. What is not
known to be safe may fail; that costs a statement that is staged without need, never a
wrong result. Where NumPy may be told to raise instead of warning, `tracer/guarded.py`
says.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Hashable, Sequence
from typing import Any

import numpy as np

from runtime import shapes
from runtime.formatting import format_value, join_parts
from runtime.graph import Node, Value
from runtime.hushed import warnings_as
from runtime.may_warn import may_warn
from runtime.ops.template import Input
from runtime.spec import TensorSpec, object_type

Constants = dict[Value, Any]
Rule = Callable[[Node, Constants], bool]

NEVER = {
    *("constant", "placeholder", "identity", "checkpoint", "read_variable", "dim"),
    *("size", "copy", "not", "if", "while", "try"),
    *(
        "own_place",
        "sliced_place",
        "stand_in",
        "place_of",
        "part_at",
        "with_part_at",
        "is_reshaped",
        "has_no_dims",
    ),
    *("is_number", "text_codes", "char_is", "char_case", "char_text", "char_texts"),
    *("enter_errstate", "leave_errstate", "print"),
}
# What only the shapes decide, where all of them are known.
BY_SHAPE = {
    *("slice", "reshape", "ravel", "flip", "transpose", "swapaxes", "moveaxis"),
    *("expand_dims", "squeeze", "broadcast_to", "concatenate", "stack", "split"),
    *("sum", "prod", "mean", "var", "std", "any", "all", "cumsum", "cumprod"),
    *("min", "max", "ptp", "argmin", "argmax", "sort", "argsort", "count_nonzero"),
    *("matmul", "dot", "vdot", "inner", "outer", "trace", "tril", "triu", "roll"),
    *("zeros", "ones", "empty", "full", "eye", "where", "store", "with_part", "diff"),
    *("real", "imag", "diag", "diagonal", "rot90", "median", "nonzero", "unique"),
}
# How many of the first inputs may be numbers: they are content.
_VALUES = {"where": 3, "store": 2, "with_part": 2, "full": 1}
TRIED = 4096  # elements of the arrays that a shape is tried with
# What gives views, for which any array may stand that has its shape, and no memory.
OF_ANY_SIZE = {
    *("slice", "flip", "transpose", "swapaxes", "moveaxis", "expand_dims", "squeeze"),
    *("rot90", "diagonal"),
}

# Of Python numbers: no result is too large, and no operand is refused.
SAFE_ON_NUMBERS = {
    *("equal", "not_equal", "less", "less_equal", "greater", "greater_equal"),
    *("add", "subtract", "multiply", "negative", "positive"),
    *("logical_and", "logical_or", "logical_xor", "logical_not"),
    *("bitwise_and", "bitwise_or", "bitwise_xor", "invert", "maximum", "minimum"),
}


def may_fail(node: Node, before: Sequence[Node], floats_raise: bool = False) -> bool:
    """True unless `node` is known to run without raising.

    before: the nodes that lead to it, for the constants among its inputs
    floats_raise: NumPy may be told to raise where it would warn
    """
    if floats_raise and may_warn(node):
        return True
    if node.op.name in NEVER:
        return False
    rule = _RULES.get(node.op.name)
    if rule is None and isinstance(node.op.numpy, np.ufunc):
        rule = _elementwise
    if rule is None:
        return True
    wanted = set(node.inputs)
    constants = {
        earlier.outputs[0]: earlier.attributes["value"]
        for earlier in before[-len(wanted) - 2 :]
        if earlier.op.name == "constant"
    }
    return not rule(node, constants)


def may_fail_at(nodes: Sequence[Node], at: int) -> bool:
    """The same of one of many nodes, of which those shortly before it are looked at."""
    node = nodes[at]
    return may_fail(node, nodes[max(at - len(node.inputs) - 2, 0) : at])


def _by_shape(node: Node, constants: Constants) -> bool:
    specs = [value.spec for value in node.inputs]
    if not all(_is_numeric(spec) and shapes.is_static(spec.shape) for spec in specs):
        return False
    if node.op.name == "store" and _is_of_the_whole(node, specs):
        return True
    # A number among the inputs may be a size, an axis or an index that the run finds.
    arrays = specs[: _VALUES.get(node.op.name, 0)]
    if not all(spec.shape for spec in specs[len(arrays) :]):
        return False
    is_large = sum(shapes.size_of(spec.shape) or 0 for spec in specs) > TRIED
    if is_large and node.op.name not in OF_ANY_SIZE:
        return _has_as_many(node)
    # Whether it fails is a matter of the shapes alone, so any content tells. But for
    # indices, and for Python's numbers, which an array of whole numbers may not hold.
    unknown = [v.spec for v in node.inputs if v not in constants]
    if node.op.name == "store" and not _stores(node, unknown):
        return False
    made = _without_memory if is_large else _zeros  # of arrays alone
    fills = [made]
    if node.op.name == "store" and any(map(_is_mask, unknown)):
        # What suits a mask that picks nothing and one that picks all suits any other.
        fills.append(lambda spec: ~made(spec) if _is_mask(spec) else made(spec))
    assert node.op.kernel is not None
    try:
        with warnings_as("ignore"), np.errstate(all="ignore"):
            for fill in fills:
                inputs = [constants.get(v, fill(v.spec)) for v in node.inputs]
                node.op.kernel(*inputs, **node.attributes)
    except Exception:
        return False
    return True


def _has_as_many(node: Node) -> bool:
    """True for an array seen in another shape of as many elements."""
    if node.op.name not in ("reshape", "ravel") or len(node.inputs) > 1:
        return False
    shape, seen = (v.spec.shape for v in (*node.inputs, *node.outputs))
    return shapes.is_static(seen) and shapes.size_of(seen) == shapes.size_of(shape)


def _without_memory(spec: TensorSpec) -> Any:
    """An array of one zero, which comes again and again."""
    shape: Any = spec.shape
    return np.broadcast_to(np.zeros((), spec.dtype), shape)


def _is_of_the_whole(node: Node, specs: Sequence[TensorSpec]) -> bool:
    """True for a store of just as much as the array holds."""
    known = node.attributes
    return known["index"] == (...,) and "path" not in known and specs[0] == specs[1]


def _stores(node: Node, unknown: Sequence[TensorSpec]) -> bool:
    """True when what is not known of a store cannot make it fail."""
    target, content, *places = (value.spec for value in node.inputs)
    if any(place in unknown and _kind(place) in "iu" for place in places):
        return False
    if content not in unknown or not content.weak:
        return True
    return _kind(content) == "b" or _kind(content) + _kind(target) in ("ff", "fc", "cc")


def _is_mask(spec: TensorSpec) -> bool:
    return not spec.weak and _kind(spec) == "b"


def _zeros(spec: TensorSpec) -> Any:
    shape: Any = spec.shape
    return spec.python_type(0) if spec.weak else np.zeros(shape, spec.dtype)


def _elementwise(node: Node, constants: Constants) -> bool:
    specs = [value.spec for value in node.inputs]
    if not all(_is_numeric(spec) for spec in specs):
        return False
    if all(spec.weak for spec in specs):
        kinds = {spec.dtype.kind for spec in specs if spec.dtype is not None}
        # A large int does not fit a float.
        return node.op.name in SAFE_ON_NUMBERS and not {"i", "f"} <= kinds
    if not surely_broadcast(specs) or not _numbers_fit(node, constants):
        return False
    kind = node.outputs[0].spec.dtype
    return node.op.name != "power" or (kind is not None and kind.kind in "fc")


def _numbers_fit(node: Node, constants: Constants) -> bool:
    """True when no Python int can be too large for the array that it meets."""
    ints = [v for v in node.inputs if v.spec.weak and _kind(v.spec) == "i"]
    if not ints or node.op.name in _COMPARISONS:
        return True
    return all(v in constants and 0 <= constants[v] <= 127 for v in ints)


def surely_broadcast(specs: Sequence[TensorSpec]) -> bool:
    """True when the shapes are known to fit: equal sizes, equal names, or 1."""
    known = [spec.shape for spec in specs if spec.shape is not None]
    if len(known) < len(specs):
        return False
    for axis in range(1, max(map(len, known), default=0) + 1):
        dims = {shape[-axis] for shape in known if len(shape) >= axis}
        if len(dims - {1}) > 1 or (None in dims and len(specs) > 1):
            return False
    return True


def _truth(node: Node, constants: Constants) -> bool:
    return shapes.size_of(node.inputs[0].spec.shape) == 1


def _strong(node: Node, constants: Constants) -> bool:
    return _numbers_fit(node, constants)


def _cast(node: Node, constants: Constants) -> bool:
    found, made = node.inputs[0].spec, node.outputs[0].spec
    if not _is_numeric(found) or not _is_numeric(made):
        return False
    if not made.weak:
        return not found.weak or _kind(found) != "i" or _kind(made) not in "iu"
    return _kind(found) == _kind(made) or (_kind(found) == "b")


def _host(node: Node, constants: Constants) -> bool:
    """Python's functions of texts, and of numbers shown as texts."""
    function, args = node.attributes["function"], node.attributes["args"]
    if function is format_value:
        return _formats(node, *args)
    if function in SAFE:
        return True
    if function in SAFE_ON_INTS:
        return args == (Input(0),) and _kind(node.inputs[0].spec) in ("i", "b")
    return function in SAFE_ON_TEXTS and all(_is_text(node, arg) for arg in args)


def _is_text(node: Node, arg: Any) -> bool:
    kind = object_type(node.inputs[arg.k].spec) if type(arg) is Input else type(arg)
    return kind is not None and issubclass(kind, str)


def _formats(node: Node, shown: Any, conversion: int, spec: Any) -> bool:
    """Whether a format suits a number is a matter of the number's type alone."""
    if spec == "":
        return True
    if type(shown) is not Input or type(spec) is not str or spec.endswith("c"):
        return False
    number = node.inputs[shown.k].spec
    if not _is_numeric(number) or number.shape != ():
        return False
    try:
        format_value(_zeros(number), conversion, spec)
    except (TypeError, ValueError):
        return False
    return True


# What shows any value, or asks nothing but what every text has.
SAFE: frozenset[Any] = frozenset({str, repr, ascii, join_parts})
SAFE_ON_INTS: frozenset[Any] = frozenset({bin, oct, hex})
SAFE_ON_TEXTS: frozenset[Any] = frozenset(
    {len, list, operator.eq, operator.ne, operator.lt, operator.le, operator.gt}
    | {operator.ge, operator.add, operator.contains, hash}
    | {getattr(str, word) for word in "upper lower title strip split".split()}
)


def _is_numeric(spec: TensorSpec) -> bool:
    # What is done with one of several kinds may fail for one of them.
    return spec.dtype is not None and spec.dtype.kind in "biufc" and not spec.kinds


def _kind(spec: TensorSpec) -> str:
    return "" if spec.dtype is None else spec.dtype.kind


_COMPARISONS = {
    *("equal", "not_equal", "less", "less_equal", "greater", "greater_equal"),
}
_RULES: dict[str, Rule] = {
    **dict.fromkeys(BY_SHAPE, _by_shape),
    "cast": _cast,
    "truth": _truth,
    "strong": _strong,
    "host_call": _host,
}


def is_no_float(number: int) -> bool:
    """Whether a Python int is too large for a float."""
    try:
        float(number)
    except OverflowError:
        return True
    return False


def is_no_index(number: int) -> bool:
    """Whether NumPy has an OverflowError for an index; others are an IndexError."""
    return bool(2**63 <= number < 2**64)


def has_no_quotient(x: int, y: int) -> bool:
    """Whether `x / y` of Python's ints is too large for a float."""
    try:
        return y != 0 and x / y is None
    except OverflowError:
        return True


_DIVISIONS = {"divide", "floor_divide", "remainder", "divmod"}
_RAISED: dict[str, tuple[type[Exception], ...]] = {
    "slice": (IndexError,),
    "index": (IndexError, ValueError),
    "store": (IndexError, ValueError, OverflowError, TypeError),
    "truth": (ValueError,),
    "require_defined": (NameError,),
    "require_writable": (ValueError,),
    "require_array": (TypeError,),
}


def raised_by(node: Node) -> tuple[type[Exception], ...]:
    """The types of what `node` may raise: those, and types below them."""
    weak = all(value.spec.weak for value in node.inputs)
    if node.op.name in _DIVISIONS and weak:
        return (ZeroDivisionError, OverflowError)
    if _is_of_text(node):
        return OF_TEXTS
    if _is_of_numbers(node):
        return OF_NUMBERS
    found = _RAISED.get(node.op.name, (Exception,))
    steps = (s for s in node.attributes.get("index", ()) if isinstance(s, slice))
    by_step = any(s.step is not None for s in steps)
    return (*found, ValueError) if by_step else found


# What the methods and formats of texts and numbers raise.
OF_TEXTS = (TypeError, ValueError, LookupError, OverflowError)


# What Python's functions of numbers raise, and NumPy's of each element.
OF_NUMBERS = (TypeError, ValueError, ArithmeticError)
_OF_PYTHON: frozenset[Any] = frozenset({int, float, bool, complex, round, abs, pow})


def _is_of_numbers(node: Node) -> bool:
    if not all(value.spec.dtype is not None for value in node.inputs):
        return False
    function = node.attributes.get("function")
    if node.op.name != "python_call" or not isinstance(function, Hashable):
        return node.op.name == "cast" or isinstance(node.op.numpy, np.ufunc)
    return function in _OF_PYTHON or getattr(function, "__module__", "") == "math"


def _is_of_text(node: Node) -> bool:
    """True for a function of texts and numbers, and of no object of the user's."""
    function = node.attributes.get("function")
    if not isinstance(function, Hashable):
        return False
    if function is format_value:
        return type(node.attributes["args"][0]) is Input
    return node.op.name == "host_call" and function in _OF_TEXT


_OF_TEXT: frozenset[Any] = frozenset(
    {*vars(str).values(), *vars(bytes).values(), str, repr, int, float, len, list}
    | {operator.getitem, operator.mod, operator.mul, *SAFE_ON_TEXTS}
)
