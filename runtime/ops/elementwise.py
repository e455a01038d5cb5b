"""Elementwise: one row per NumPy ufunc; type rules are NumPy's own promotion.

An operand that is a Python number is weak: with arrays it takes their dtype (NEP 50).
A row with a Python operator is also what that operator does with Python numbers alone;
the NumPy function of the same name on Python numbers alone gives a NumPy scalar, so its
operands are made strong before they come here.
"""

from __future__ import annotations

import functools
import operator
from collections.abc import Callable
from typing import Any

import numpy as np

from runtime import shapes
from runtime.hushed import warnings_as
from runtime.op import Op, op, register
from runtime.ops.inference import SAMPLES, DType, operand
from runtime.ops.template import fill
from runtime.spec import TensorSpec, of_kinds

UFUNCS: dict[np.ufunc, Op] = {}


def _row(
    ufunc: np.ufunc,
    doc: str,
    source: str | None = None,
    python: Callable[..., Any] | None = None,
) -> Op:
    """Declare the op of `ufunc`.

    source, python: the Python operator that does the same, as text and as function
    """

    def infer(*specs: TensorSpec) -> TensorSpec | tuple[TensorSpec, ...]:
        return _infer(ufunc, python, specs)

    made = Op(
        name=ufunc.__name__,
        infer=infer,
        kernel=python or ufunc,
        source=source,
        numpy=ufunc,
        doc=doc,
    )
    UFUNCS[ufunc] = made
    return register(made)


def _infer(
    ufunc: np.ufunc, python: Callable[..., Any] | None, specs: tuple[TensorSpec, ...]
) -> TensorSpec | tuple[TensorSpec, ...]:
    if python is not None and all(spec.weak for spec in specs):
        return _python_result(python, *(spec.python_type for spec in specs))
    shape = shapes.broadcast(*(spec.shape for spec in specs))
    dtypes = ufunc_dtypes(ufunc, specs)
    outputs = tuple(TensorSpec(shape, dtype) for dtype in dtypes)
    return outputs[0] if len(outputs) == 1 else outputs


@functools.cache
def _python_result(
    python: Callable[..., Any], *types: type
) -> TensorSpec | tuple[TensorSpec, ...]:
    with warnings_as("ignore"):  # ~True warns from Python 3.12 on
        result = python(*(SAMPLES[kind] for kind in types))
    if isinstance(result, tuple):
        return tuple(TensorSpec((), type(part), weak=True) for part in result)
    return TensorSpec((), type(result), weak=True)


def ufunc_dtypes(
    ufunc: np.ufunc, specs: tuple[TensorSpec, ...]
) -> tuple[DType | None, ...]:
    """The dtypes of the outputs, Python numbers weak; None where unknown.

    TypeError: NumPy has no loop for these operands; its own words.
    """
    if any(spec.dtype is None for spec in specs):
        return (only_dtype(ufunc),) * ufunc.nout
    if all(spec.weak for spec in specs):
        specs = tuple(spec.strong() for spec in specs)
    return _resolved(ufunc, *map(_promoted, specs))


def _promoted(spec: TensorSpec) -> DType | type:
    kind = operand(spec)
    # A bool is no weak number: NEP 50 knows Python's int, float and complex.
    return np.dtype(bool) if kind is bool else kind


# By types, too: `np.dtype("q")` is equal to int64.
@functools.lru_cache(None, typed=True)
def _resolved(ufunc: np.ufunc, *operands: Any) -> tuple[DType, ...]:
    found = ufunc.resolve_dtypes((*operands, *(None,) * ufunc.nout))
    return tuple(found[ufunc.nin :])


@functools.cache
def only_dtype(ufunc: np.ufunc) -> DType | None:
    """The output's dtype when it is bool whatever the operands are."""
    results = {types.split("->")[1] for types in ufunc.types if "O" not in types}
    return np.dtype(bool) if results == {"?"} else None


# --- arithmetic -----------------------------------------------------------------------
add = _row(np.add, "x + y.", "{0} + {1}", operator.add)
subtract = _row(np.subtract, "x - y.", "{0} - {1}", operator.sub)
multiply = _row(np.multiply, "x * y.", "{0} * {1}", operator.mul)
divide = _row(np.divide, "x / y.", "{0} / {1}", operator.truediv)
floor_divide = _row(
    np.floor_divide, "x // y, towards -inf.", "{0} // {1}", operator.floordiv
)
remainder = _row(np.remainder, "x % y, with the sign of y.", "{0} % {1}", operator.mod)
fmod = _row(np.fmod, "The remainder with the sign of x, as in C.")
divmod_ = _row(np.divmod, "(x // y, x % y).", "divmod({0}, {1})", divmod)
power = _row(np.power, "np.power(x, y); ints stay ints.")
float_power = _row(np.float_power, "x ** y, computed in float64 at least.")
negative = _row(np.negative, "-x.", "-{0}", operator.neg)
positive = _row(np.positive, "+x, a copy.", "+{0}", operator.pos)
absolute = _row(np.absolute, "|x|; of complex numbers real.", "abs({0})", abs)
fabs = _row(np.fabs, "|x| of real numbers, as a float.")
sign = _row(np.sign, "-1, 0 or 1; of a complex number x / |x|.")
square = _row(np.square, "x * x.")
reciprocal = _row(np.reciprocal, "1 / x in x's dtype.")
conjugate = _row(np.conjugate, "The complex conjugate.")
gcd = _row(np.gcd, "The greatest common divisor of integers.")
lcm = _row(np.lcm, "The least common multiple of integers.")
heaviside = _row(np.heaviside, "0 where x < 0, 1 where x > 0, y where x == 0.")

# --- comparison and extremes ----------------------------------------------------------
equal = _row(np.equal, "x == y.", "{0} == {1}", operator.eq)
not_equal = _row(np.not_equal, "x != y.", "{0} != {1}", operator.ne)
less = _row(np.less, "x < y.", "{0} < {1}", operator.lt)
less_equal = _row(np.less_equal, "x <= y.", "{0} <= {1}", operator.le)
greater = _row(np.greater, "x > y.", "{0} > {1}", operator.gt)
greater_equal = _row(np.greater_equal, "x >= y.", "{0} >= {1}", operator.ge)
maximum = _row(np.maximum, "The larger one; NaN where either is NaN.")
minimum = _row(np.minimum, "The smaller one; NaN where either is NaN.")
fmax = _row(np.fmax, "The larger one; the other where one is NaN.")
fmin = _row(np.fmin, "The smaller one; the other where one is NaN.")

# --- logical and bitwise --------------------------------------------------------------
logical_and = _row(np.logical_and, "True where both are not zero.")
logical_or = _row(np.logical_or, "True where either is not zero.")
logical_xor = _row(np.logical_xor, "True where exactly one is not zero.")
logical_not = _row(np.logical_not, "True where x is zero.")
bitwise_and = _row(np.bitwise_and, "x & y.", "{0} & {1}", operator.and_)
bitwise_or = _row(np.bitwise_or, "x | y.", "{0} | {1}", operator.or_)
bitwise_xor = _row(np.bitwise_xor, "x ^ y.", "{0} ^ {1}", operator.xor)
invert = _row(np.invert, "~x: not for bools, -x - 1 for ints.", "~{0}", operator.invert)
left_shift = _row(np.left_shift, "x << y.", "{0} << {1}", operator.lshift)
right_shift = _row(np.right_shift, "x >> y.", "{0} >> {1}", operator.rshift)
bitwise_count = _row(np.bitwise_count, "The number of 1 bits in |x|.")

# --- roots, exponentials, logarithms --------------------------------------------------
sqrt = _row(np.sqrt, "The square root; NaN with a warning below 0.")
cbrt = _row(np.cbrt, "The cube root.")
exp = _row(np.exp, "e ** x.")
exp2 = _row(np.exp2, "2 ** x.")
expm1 = _row(np.expm1, "e ** x - 1, exact near 0.")
log = _row(np.log, "The natural logarithm.")
log2 = _row(np.log2, "The logarithm to base 2.")
log10 = _row(np.log10, "The logarithm to base 10.")
log1p = _row(np.log1p, "log(1 + x), exact near 0.")
logaddexp = _row(np.logaddexp, "log(exp(x) + exp(y)).")
logaddexp2 = _row(np.logaddexp2, "log2(2 ** x + 2 ** y).")

# --- trigonometric and hyperbolic -----------------------------------------------------
sin = _row(np.sin, "The sine; radians.")
cos = _row(np.cos, "The cosine; radians.")
tan = _row(np.tan, "The tangent; radians.")
arcsin = _row(np.arcsin, "The inverse sine, in [-pi/2, pi/2].")
arccos = _row(np.arccos, "The inverse cosine, in [0, pi].")
arctan = _row(np.arctan, "The inverse tangent, in [-pi/2, pi/2].")
arctan2 = _row(np.arctan2, "The angle of the point (y, x), in [-pi, pi].")
hypot = _row(np.hypot, "sqrt(x ** 2 + y ** 2).")
sinh = _row(np.sinh, "The hyperbolic sine.")
cosh = _row(np.cosh, "The hyperbolic cosine.")
tanh = _row(np.tanh, "The hyperbolic tangent.")
arcsinh = _row(np.arcsinh, "The inverse hyperbolic sine.")
arccosh = _row(np.arccosh, "The inverse hyperbolic cosine.")
arctanh = _row(np.arctanh, "The inverse hyperbolic tangent.")
degrees = _row(np.degrees, "Radians as degrees.")
radians = _row(np.radians, "Degrees as radians.")
deg2rad = _row(np.deg2rad, "Degrees as radians.")
rad2deg = _row(np.rad2deg, "Radians as degrees.")

# --- rounding and the parts of floats -------------------------------------------------
floor = _row(np.floor, "The largest whole number not above x.")
ceil = _row(np.ceil, "The smallest whole number not below x.")
trunc = _row(np.trunc, "The whole number next to x towards 0.")
rint = _row(np.rint, "The nearest whole number, halves to even.")
isnan = _row(np.isnan, "True where x is NaN.")
isinf = _row(np.isinf, "True where x is infinite.")
isfinite = _row(np.isfinite, "True where x is neither NaN nor infinite.")
isnat = _row(np.isnat, "True where a date is no date.")
signbit = _row(np.signbit, "True where the sign bit is set, that of -0.0 too.")
copysign = _row(np.copysign, "|x| with the sign of y.")
nextafter = _row(np.nextafter, "The next float after x towards y.")
spacing = _row(np.spacing, "The distance to the next float.")
ldexp = _row(np.ldexp, "x * 2 ** y; y: integers.")
modf = _row(np.modf, "(the fraction, the whole part).")
frexp = _row(np.frexp, "(m, e) with x = m * 2 ** e and 0.5 <= |m| < 1.")


@op(kernel=lambda base, exponent, **_: base**exponent, source="{0} ** {1}")
def number_power(
    base: TensorSpec, exponent: TensorSpec, *, real: bool = False, sign: int = 0
) -> TensorSpec:
    """`base ** exponent` of Python numbers.

    real: the result is known not to be complex; else a float exponent leaves it open
    sign: 1 where the exponent is known not to be negative, -1 where it is known to be;
          else an int to an int is an int or a float
    """
    return _power_of_numbers(base, exponent, real, sign)


def _power_of_numbers(
    base: TensorSpec, exponent: TensorSpec, real: bool, sign: int
) -> TensorSpec:
    found: list[type]
    types = {base.python_type, exponent.python_type}
    if complex in types:
        return TensorSpec((), complex, weak=True)
    if exponent.python_type is float:
        found = [float] if real else [float, complex]
    elif base.python_type is float:
        found = [float]
    else:
        by_sign: tuple[list[type], ...] = ([int, float], [int], [float])
        found = by_sign[sign]
    return of_kinds((), [(np.dtype(kind), True) for kind in found])


@op(kernel=operator.pow, source="{0} ** {1}")
def array_power(base: TensorSpec, exponent: TensorSpec) -> TensorSpec:
    """`base ** exponent` with an array: the operator takes short cuts at 2 and 0.5."""
    if base.weak and exponent.weak:
        # One of the kinds that mixed operands may be.
        return _power_of_numbers(base, exponent, False, 0)
    shape = shapes.broadcast(base.shape, exponent.shape)
    return TensorSpec(shape, ufunc_dtypes(np.power, (base, exponent))[0])


# Python's operators by the middle of their method's name.
OPERATORS: dict[str, Op] = {
    "add": add,
    "sub": subtract,
    "mul": multiply,
    "truediv": divide,
    "floordiv": floor_divide,
    "mod": remainder,
    "divmod": divmod_,
    "pow": array_power,
    "and": bitwise_and,
    "or": bitwise_or,
    "xor": bitwise_xor,
    "lshift": left_shift,
    "rshift": right_shift,
    "lt": less,
    "le": less_equal,
    "eq": equal,
    "ne": not_equal,
    "gt": greater,
    "ge": greater_equal,
    "neg": negative,
    "pos": positive,
    "abs": absolute,
    "invert": invert,
}


def _masked(
    out: Any,
    where: Any,
    *inputs: Any,
    ufunc: np.ufunc,
    casting: Any = "same_kind",
    options: tuple[tuple[str, Any], ...] = (),
) -> Any:
    ufunc(*inputs, out=out, where=where, casting=casting, **dict(options))
    return out


@op(into=_masked)
def masked_ufunc(
    out: TensorSpec,
    where: TensorSpec,
    *inputs: TensorSpec,
    ufunc: np.ufunc,
    casting: str = "same_kind",
    options: tuple[tuple[str, Any], ...] = (),
) -> TensorSpec:
    """`ufunc(*inputs)` where `where` is true, elsewhere `out`; only there computed.

    Sizes and dtypes need not be known to fit `out`: NumPy looks at them.
    options: other keywords of the ufunc, `dtype` and `signature` among them
    """
    return out


def _into(out: Any, *inputs: Any, ufunc: np.ufunc) -> Any:
    ufunc(*inputs, out=out)
    return out


@op(into=_into)
def ufunc_into(out: TensorSpec, *inputs: TensorSpec, ufunc: np.ufunc) -> TensorSpec:
    """`out` after `ufunc(*inputs, out=out)`: it need not be known to fit, as there."""
    return out


def _into_each(*inputs: Any, ufunc: np.ufunc, given: tuple[bool, ...]) -> Any:
    targets = iter(inputs)
    out = tuple(np.array(next(targets)) if one else None for one in given)
    return ufunc(*targets, out=out)


@op(kernel=_into_each)
def ufunc_into_each(
    *inputs: TensorSpec, ufunc: np.ufunc, given: tuple[bool, ...]
) -> tuple[TensorSpec, ...]:
    """What `ufunc(*operands, out=(x, None))` gives: x with its first result, and a new.

    inputs: the arrays that are given for results, and then the operands
    given:  for each result whether there is an array for it
    """
    targets, operands = inputs[: sum(given)], inputs[sum(given) :]
    shape = shapes.broadcast(*(spec.shape for spec in inputs))
    left = iter(targets)
    return tuple(
        next(left) if is_given else TensorSpec(shape, dtype)
        for is_given, dtype in zip(given, ufunc_dtypes(ufunc, operands), strict=True)
    )


def _at(x: Any, content: Any, *dynamic: Any, ufunc: np.ufunc, index: Any) -> Any:
    ufunc.at(x, fill(index, dynamic), content)
    return x


@op(into=_at)
def ufunc_at(
    x: TensorSpec,
    content: TensorSpec,
    *dynamic: TensorSpec,
    ufunc: np.ufunc,
    index: tuple[Any, ...],
) -> TensorSpec:
    """`x` after `x[index] = ufunc(x[index], content)`, once for each repeated index."""
    return x
