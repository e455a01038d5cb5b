"""Python's operators on tensors, in place and not."""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

from runtime import build, kinds, objects, shapes
from runtime.dtypes import same_dtype
from runtime.errors import OnlyPythonError, located
from runtime.layouts import lies_otherwise, whole_index
from runtime.numpy_api import fields, library
from runtime.numpy_api.asking import answered, is_flat, raise_as_python
from runtime.numpy_api.operands import as_array, is_number
from runtime.numpy_api.signs import sign
from runtime.operator_words import operation_of
from runtime.ops import basic, linalg
from runtime.ops.elementwise import OPERATORS, number_power, ufunc_into
from runtime.ops.index import store as store_op
from runtime.ops.kind import changed_or_new
from runtime.ops.kind import is_number as is_number_op
from runtime.picked import Own, Pick, may_be_number, select
from runtime.spec import TensorSpec
from runtime.tensor import Tensor, tensor
from runtime.tensor_slot import TensorSlot
from runtime.unknown import is_unknown, refuse
from runtime.written import is_made_of, let_go, note_stored, note_written

FLOAT64 = TensorSpec((), np.float64)


def operate(word: str, *operands: Any) -> Any:
    """The operator whose method is `__word__`, on tensors, arrays, numbers and lists.

    Python numbers alone follow Python; with arrays they are weak (NEP 50).
    """
    if objects.takes(operands):
        return objects.operate(word, *operands)
    if any(map(kinds.is_mixed, operands)):
        return _operate_mixed(word, operands)
    if any(map(library.has_own_say, operands)):
        return library.operate(word, *operands)
    _refuse_flat(word, *operands)
    if any(isinstance(operand, (list, tuple, range)) for operand in operands):
        repeats = word == "mul" and not any(isinstance(one, range) for one in operands)
        if repeats and any(map(_is_count, operands)):
            return _repeat[0](*operands)
        # NumPy's numbers do not multiply a list, either.
        if any(map(is_number, operands)) or (repeats and _has_scalar(operands)):
            return _number_and_list(word, *operands)
        operands = tuple(map(as_array, operands))
    return _of_arrays(word, operands)


def _of_arrays(word: str, operands: tuple[Any, ...]) -> Any:
    if word in ("eq", "ne") and any(map(fields.is_record, operands)):
        return fields.compare(word, *operands)
    if word not in ("eq", "ne") and any(map(is_unknown, operands)):
        refuse("the class of an argument of this exception")
    if word == "matmul":
        return linalg.matmul(*_no_numbers(operands))
    if word == "divmod" and _warns_of_nothing(*operands):
        # Machine code has both for elements, beside what else is computed of them.
        return tuple(OPERATORS[one](*operands) for one in ("floordiv", "mod"))
    if word == "pow" and all(map(is_number, operands)):
        return _number_power(*operands)
    if len(operands) == 2 and _is_complex(operands[0]) and _is_float64(operands[1]):
        # A np.float64 is a float, so Python's complex takes it before NumPy sees it.
        number = basic.cast(operands[1], dtype=FLOAT64.dtype, weak=True)
        return operate(word, operands[0], number)
    return OPERATORS[word](*operands)


def _warns_of_nothing(dividend: Any, divisor: Any) -> bool:
    """Whether it is an array of ints that is divided by a known one above zero."""
    if not isinstance(dividend, Tensor) or type(divisor) is not int:
        return False
    dtype = dividend.spec.dtype
    return (
        divisor > 0 and not dividend.scalar and dtype is not None and dtype.kind in "iu"
    )


def _refuse_flat(word: str, *operands: Any) -> None:
    """What `.flat` gives knows comparisons alone: Python's error for the others."""
    if any(map(is_flat, operands)):
        raise_as_python(operation_of(word), *operands)


def _has_scalar(operands: tuple[Any, ...]) -> bool:
    return any(isinstance(one, Tensor) and one.scalar for one in operands)


def _operate_mixed(word: str, operands: tuple[Any, ...]) -> Any:
    """With numbers and arrays the op itself: the run meets what Python would meet."""
    sequences = any(isinstance(operand, (list, tuple)) for operand in operands)
    complexes = len(operands) == 2 and any(map(_may_be_complex, operands))
    if sequences or complexes or word == "matmul":
        return kinds.split(answered, operate, word, *operands)
    return OPERATORS[word](*operands)


def _may_be_complex(operand: Any) -> bool:
    """True for what may be one of Python's complex numbers."""
    if not isinstance(operand, Tensor):
        return type(operand) is complex
    return any(
        option.weak and option.python_type is complex for option in operand.spec.options
    )


def _is_float64(operand: Any) -> bool:
    return isinstance(operand, Tensor) and operand.scalar and operand.spec == FLOAT64


def _is_complex(operand: Any) -> bool:
    if isinstance(operand, Tensor):
        return operand.spec.weak and operand.spec.python_type is complex
    return type(operand) is complex


def _is_count(operand: Any) -> bool:
    """True for an integer, Python's or NumPy's, by which a list is repeated."""
    if not isinstance(operand, Tensor) or not operand.scalar:
        return False
    kind = operand.spec.dtype.kind if operand.spec.dtype is not None else ""
    return kind in "iu" or (kind == "b" and operand.spec.weak)


# What `[0] * n` gives, where a run tells n: entered by what stages lists.
_repeat: list[Callable[[Any, Any], Any]] = []


def set_repeat(repeat: Callable[[Any, Any], Any]) -> None:
    """Tell how a list or tuple is repeated (done once)."""
    _repeat[:] = [repeat]


def _number_and_list(word: str, first: Any, second: Any) -> Any:
    """What Python says to a number and a list, the number being staged."""
    if word in ("eq", "ne"):
        return NotImplemented
    raise_as_python(operation_of(word), first, second)
    raise AssertionError("Python has no operator for a number and a list but `==`")


def _no_numbers(operands: tuple[Any, ...]) -> tuple[Any, ...]:
    if any(map(is_number, operands)):
        if any(isinstance(one, Tensor) and not one.scalar for one in operands):
            # NumPy asks its function, which says it in its own words.
            samples = [0 if is_number(one) else np.zeros(1) for one in operands]
            operator.matmul(*samples)
        raise TypeError(
            "unsupported operand type(s) for @: "
            + " and ".join(f"'{_type_name(operand)}'" for operand in operands)
        )
    return operands


def _type_name(operand: Any) -> str:
    if not isinstance(operand, Tensor):
        return type(operand).__name__
    if operand.spec.weak:
        return operand.spec.python_type.__name__
    return f"numpy.{operand.dtype.name}" if operand.scalar else "numpy.ndarray"


def _number_power(base: Any, exponent: Any) -> Any:
    """What is known while tracing tells which type of Python's the result has."""
    whole = type(exponent) is float and exponent.is_integer()
    real = whole or sign(base) > 0
    return number_power(base, exponent, real=real, sign=sign(exponent))


def operate_in_place(word: str, target: Tensor, other: Any) -> Any:
    """`target op= other`: NumPy's rules of casting and broadcasting for `out`.

    returns: what stands for target afterwards, if that is another thing

    UFuncTypeError: the result does not cast to target's dtype within its kind.
    ValueError: the result has another shape than target.
    """
    if library.is_object(target):
        return library.operate(f"i{word}", target, other)
    _refuse_flat(f"i{word}", target, other)
    if library.has_own_say(other):
        return library.operate_in_place(f"i{word}", target, other)
    if kinds.has_mixed(target, other):
        kinds.split(operate_in_place, word, target, other)
        return None
    pick = target._pick
    if pick is not None and pick.sides[0] is Own.ELEMENT:
        return _item_in_place(word, target, other, pick)
    if may_be_number(target):
        return _perhaps_in_place(word, target, other)
    _write_in_place(word, target, other)
    return None


def _write_in_place(word: str, target: Tensor, other: Any) -> Tensor:
    """Give `target` what the operator gives; returns that."""
    # Before all else, as NumPy: what does not fit, or is not cast, comes afterwards.
    target.require_writable("output array")
    with naming_output(target):
        result: Tensor = operate(word, target, other)
    ufunc = linalg.matmul.numpy if word == "matmul" else _ufunc(word)
    assert isinstance(ufunc, np.ufunc)
    operands = (target, tensor(other))
    if word == "matmul":
        _require_product_fits(operands, result)
    is_ufunc = word in _FIT_AT_RUN or (word == "pow" and bool(operands[1].spec.shape))
    known = all(one.spec.is_static for one in operands)
    if is_ufunc and not (known and same_dtype(result.spec.dtype, target.spec.dtype)):
        # NumPy looks whether they fit, and says so in its words for `out`; before that
        # it says what is not cast. Some elements at a time, it makes no array.
        let_go(build.require_current("an array"), result.value)
        check_casting(ufunc, result.spec.dtype, target, operands)
        check_output_shape(target, result, operands)
        target.write(ufunc_into(target, *operands, ufunc=ufunc).value)
    else:
        write_result(ufunc, target, result, operands)
    return result


def _require_product_fits(operands: tuple[Tensor, Tensor], result: Tensor) -> None:
    """`x @= y` takes a matrix, and a product of x's very shape: none is repeated.

    ValueError: in NumPy's words.
    """
    left, right = (one.spec for one in operands)
    if left.shape is None or right.shape is None or result.spec.shape is None:
        return
    pairs = zip(reversed(left.shape), reversed(result.spec.shape), strict=False)
    differ = any(type(n) is type(m) is int and n != m for n, m in pairs)
    if len(right.shape) > 1 and not differ:
        return
    # Sizes that only the run knows are not what it complains of.
    first, second = (
        np.empty([n if isinstance(n, int) else 1 for n in shape], spec.dtype or float)
        for shape, spec in ((left.shape, left), (right.shape, right))
    )
    first @= second


def _item_in_place(word: str, target: Tensor, other: Any, pick: Pick) -> Tensor:
    """The same of what may be an element, of which `op=` makes another number."""
    before = target._value
    try:
        result = _write_in_place(word, target, other)
    except TypeError:
        result = None
    if result is None or not same_dtype(result.spec.dtype, target.spec.dtype):
        raise _other_type()
    # Another name of the element keeps what it was.
    frame = build.require_current("an element")
    frame.change(TensorSlot(target), before)
    made = Tensor(result.value, scalar=False)
    made._pick = Pick(pick.predicate, *pick.sides)
    return made


def _perhaps_in_place(word: str, target: Tensor, other: Any) -> Tensor:
    """The same of what may be a number, of which another one is made.

    Nobody else has the array, if it is one, but other names for it.
    """
    result = operate(word, target, other)
    dtype = target.spec.dtype
    unclear = dtype is None or target._view is not None or target.sources
    if unclear or not same_dtype(result.spec.dtype, dtype):
        raise _other_type()
    before, number = target._value, is_number_op(target)
    made = Tensor(changed_or_new(target, tensor(other), word=word).value, scalar=False)
    target.write(select(number.value, before, made._value))
    made._pick = Pick(number, Own.ELEMENT, target)
    made._pick.note(made._value)
    return made


def _other_type() -> OnlyPythonError:
    words = "an array or an element, depending on data, gets numbers of another type"
    return located(OnlyPythonError(words), "Cast them first, with `.astype()`.")


# Those whose operator is the ufunc: `x **= 2` is `np.square` for NumPy.
_FIT_AT_RUN = frozenset(
    "add sub mul truediv floordiv mod and or xor lshift rshift".split()
)


def _ufunc(word: str) -> Any:
    return np.power if word == "pow" else OPERATORS[word].numpy


@contextmanager
def naming_output(target: Any) -> Iterator[None]:
    """NumPy names the shape of `out` too, where the operands' do not fit."""
    try:
        yield
    except ValueError as error:
        text = str(error)
        if isinstance(target, Tensor) and text.startswith("operands could not be br"):
            raise ValueError(f"{text}{shapes.shape_text(target.spec.shape)} ") from None
        raise


def write_result(
    ufunc: np.ufunc,
    target: Tensor,
    result: Tensor,
    operands: tuple[Tensor, ...],
    casting: Any = "same_kind",
) -> None:
    """Give `target` the result of `ufunc(*operands, out=target)`."""
    target.require_writable("output array")
    check_casting(ufunc, result.spec.dtype, target, operands, casting)
    check_output_shape(target, result, operands)
    fits = all(one is target or one.spec.shape == () for one in operands)
    assign_whole(target, result, fits)


def assign_whole(target: Tensor, result: Tensor, fits: bool = False) -> None:
    """`target[...] = result`.

    fits: whether sizes that only the run knows are the same
    """
    target.require_writable("output array")
    spec = target.spec
    is_known = spec.shape is not None and (fits or None not in spec.shape)
    same_shape = is_known and not spec.kinds
    same_shape = same_shape and result.spec.shape == spec.shape
    if same_shape and spec.dtype is not None and not lies_otherwise(target, result):
        if result.spec != spec:
            result = basic.cast(result, dtype=spec.dtype)
        frame = build.require_current("an array")
        stored, view = note_stored(frame, result.value), target._view
        # Of a part the store into its array says it; of all of one, reshaped, nothing.
        is_part = view is not None and view.key is not None
        if not stored or is_part or is_made_of(frame, target.value):
            if stored and view is not None and not is_part:
                note_written(frame, target.value, result.value)
            target.write(result.value)
            return
    target.write(store_op(target, result, index=whole_index(target)).value)


def check_casting(
    ufunc: np.ufunc,
    made: np.dtype[Any] | None,
    target: Tensor,
    operands: tuple[Tensor, ...],
    casting: Any = "same_kind",
) -> None:
    """Raise NumPy's own UFuncTypeError when what is made is not cast to `target`."""
    wanted = target.spec.dtype
    if made is None or wanted is None or np.can_cast(made, wanted, casting):
        return
    # The dtypes alone decide, so one element tells; two dims suit matmul too.
    samples = [_sample(operand.spec) for operand in operands]
    ufunc(*samples, out=np.ones((1, 1), wanted), casting=casting)


def _sample(spec: TensorSpec) -> Any:
    return spec.python_type(1) if spec.weak else np.ones((1, 1), spec.dtype)


def check_output_shape(
    target: Tensor, result: Tensor, operands: tuple[Tensor, ...] = ()
) -> None:
    """Raise NumPy's ValueError when the result is certainly of another shape."""
    wanted, made = target.spec.shape, result.spec.shape
    if wanted is None or made is None:
        return
    known = shapes.is_static(wanted) and shapes.is_static(made)
    if known and operands and not _broadcasts(wanted, made):
        given = [shapes.shape_text(one.spec.shape) for one in (*operands, target)]
        raise ValueError(
            f"operands could not be broadcast together with shapes {' '.join(given)} "
        )
    if len(made) > len(wanted) or (known and shapes.broadcast(wanted, made) != wanted):
        raise ValueError(
            "non-broadcastable output operand with shape "
            f"{shapes.shape_text(wanted)} doesn't match the broadcast shape "
            f"{shapes.shape_text(shapes.broadcast(wanted, made))}"
        )


def _broadcasts(a: shapes.Shape, b: shapes.Shape) -> bool:
    try:
        shapes.broadcast(a, b)
    except ValueError:
        return False
    return True
