"""Elementwise ops: every ufunc x dtype x shape against NumPy, value and spec."""

import itertools
import operator

import numpy as np
import pytest

from runtime import shapes
from runtime.ops import elementwise
from runtime.ops.elementwise import OPERATORS, UFUNCS
from runtime.spec import TensorSpec, spec_of

DTYPES = ("bool", "int8", "int64", "uint8", "float32", "float64", "complex128")
SHAPES = ((), (0,), (3,), (2, 3))
PAIRS = (((), ()), ((3,), ()), ((0,), (1,)), ((3,), (2, 3)), ((1, 3), (2, 1)))
NUMBERS = (True, 3, 2.5, 1 + 2j)


def sample(shape, dtype):
    count = int(np.prod(shape, dtype=int))
    return (np.arange(count).reshape(shape) % 3 + 1).astype(dtype)[()]


def open_dims(spec):
    return spec if spec.weak else spec.with_shape((None,) * len(spec.shape))


def open_rank(spec):
    return spec if spec.weak else spec.with_shape(None)


def open_dtype(spec):
    return spec if spec.weak else TensorSpec(spec.shape, None)


def outcome(function, *args):
    """The results as a tuple, or the exception's type and text."""
    with np.errstate(all="ignore"):
        try:
            result = function(*args)
        except Exception as error:
            return type(error), str(error)
    return result if isinstance(result, tuple) else (result,)


def assert_op_is(op, function, *args):
    """The op's kernel gives what `function` does, and its type rule says so."""
    specs = [spec_of(x) for x in args]
    expected = outcome(function, *args)
    inferred = outcome(op.infer, *specs)
    if isinstance(expected[0], type):
        # What depends on values is known only at run time: the kernel raises it.
        assert expected in (inferred, outcome(op.kernel, *args))
        return
    for wide in (lambda spec: spec, open_dims, open_rank, open_dtype):
        declared = outcome(op.infer, *map(wide, specs))
        for spec, value in zip(declared, expected, strict=True):
            assert spec.describes(spec_of(value))
    assert [spec.shape for spec in inferred] == [np.shape(x) for x in expected]
    made = outcome(op.kernel, *args)
    for one, other in zip(made, expected, strict=True):
        assert type(one) is type(other)
        np.testing.assert_array_equal(one, other)


def operands(ufunc, dtypes, shapes_):
    return [sample(*pair) for pair in zip(shapes_, dtypes, strict=True)]


@pytest.mark.parametrize("ufunc", [u for u in UFUNCS if u.nin == 1])
def test_unary_ufunc_is_numpys(ufunc):
    for shape, dtype in itertools.product(SHAPES, DTYPES):
        assert_op_is(UFUNCS[ufunc], ufunc, sample(shape, dtype))


@pytest.mark.parametrize("ufunc", [u for u in UFUNCS if u.nin == 2 and not u.signature])
def test_binary_ufunc_is_numpys(ufunc):
    # All pairs of dtypes on one pair of shapes, all pairs of shapes on equal dtypes.
    for dtypes in itertools.product(DTYPES, repeat=2):
        assert_op_is(UFUNCS[ufunc], ufunc, *operands(ufunc, dtypes, PAIRS[3]))
    for pair, dtype in itertools.product(PAIRS, DTYPES):
        assert_op_is(UFUNCS[ufunc], ufunc, *operands(ufunc, (dtype, dtype), pair))


@pytest.mark.parametrize("ufunc", [u for u in UFUNCS if u.nin == 2 and not u.signature])
def test_python_number_beside_an_array_is_weak(ufunc):
    for number, dtype in itertools.product(NUMBERS, DTYPES):
        assert_op_is(UFUNCS[ufunc], ufunc, sample((3,), dtype), number)
        # Python's complex takes a np.float64, which is a float, before NumPy sees it.
        shape = (1,) if (type(number), dtype) == (complex, "float64") else ()
        assert_op_is(UFUNCS[ufunc], ufunc, number, sample(shape, dtype))


BINARY = (
    "add",
    "sub",
    "mul",
    "truediv",
    "floordiv",
    "mod",
    "divmod",
    "and",
    "or",
    "xor",
)
SHIFTS = ("lshift", "rshift", "lt", "le", "eq", "ne", "gt", "ge")
UNARY = ("neg", "pos", "abs", "invert")
PYTHON = {"and": operator.and_, "or": operator.or_, "divmod": divmod}


@pytest.mark.filterwarnings("ignore:Bitwise inversion:DeprecationWarning")
@pytest.mark.parametrize("word", BINARY + SHIFTS + UNARY)
def test_operator_on_python_numbers_is_pythons(word):
    function = PYTHON.get(word) or getattr(operator, word)
    for numbers in itertools.product(NUMBERS, repeat=1 if word in UNARY else 2):
        assert_op_is(OPERATORS[word], function, *numbers)


@pytest.mark.parametrize("word", [w for w in OPERATORS if w not in UNARY])
def test_operator_on_arrays_is_pythons(word):
    function = PYTHON.get(word) or getattr(operator, word)
    for dtypes in itertools.product(DTYPES, repeat=2):
        assert_op_is(OPERATORS[word], function, *operands(None, dtypes, PAIRS[3]))


@pytest.mark.parametrize(("base", "exponent"), [(2, 3), (2.0, 3), (0, 0), (True, True)])
def test_number_power_is_pythons(base, exponent):
    assert_op_is(elementwise.number_power, operator.pow, base, exponent)


@pytest.mark.parametrize(
    ("base", "exponent", "known", "expected"),
    [
        (2, -1, {}, "~int64|~float64[]"),
        (2, -1, {"sign": -1}, "~float64[]"),
        (2, 1, {"sign": 1}, "~int64[]"),
        (-8.0, 0.5, {}, "~float64|~complex128[]"),
        (8.0, 0.5, {"real": True}, "~float64[]"),
        (-8.0, 2, {}, "~float64[]"),
        (2, 1j, {}, "~complex128[]"),
    ],
)
def test_number_power_is_of_the_types_that_it_may_be(base, exponent, known, expected):
    spec = elementwise.number_power.infer(spec_of(base), spec_of(exponent), **known)
    assert repr(spec) == expected
    made = elementwise.number_power.kernel(base, exponent, **known)
    assert spec.describes(spec_of(made))


def test_sizes_that_cannot_be_broadcast_are_refused_in_numpys_words():
    specs = [TensorSpec(shape, float) for shape in ((2, 3), (2,))]
    expected = r"operands could not be broadcast together with shapes \(2,3\) \(2,\) "
    with pytest.raises(ValueError, match=expected):
        elementwise.add.infer(*specs)
    assert shapes.broadcast((2, 3), (None,)) == (2, 3)


def test_comparison_of_an_unknown_dtype_is_bool():
    unknown = TensorSpec(("n",), None)
    assert elementwise.less.infer(unknown, unknown) == TensorSpec(("n",), bool)
    assert elementwise.add.infer(unknown, unknown) == unknown


def test_masked_ufunc_computes_only_where_it_is_told():
    x = np.array([1.0, 0.0, 4.0])
    with np.errstate(all="raise"):
        made = elementwise.masked_ufunc.kernel(x, x > 0, 1.0, x, ufunc=np.divide)
    np.testing.assert_array_equal(made, [1.0, 0.0, 0.25])
    np.testing.assert_array_equal(x, [1.0, 0.0, 4.0])
