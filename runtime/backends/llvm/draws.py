"""draws: numbers that a loop draws from NumPy's generators, one at a time.

Each method of the table is the sampler of NumPy's C interface that NumPy itself calls
there: the stream is NumPy's to the bit, and the generator is where NumPy leaves it.
What NumPy refuses (a scale below 0) is left to it, before anything is drawn.
"""

from __future__ import annotations

import functools
import itertools
import math
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from runtime.backends.llvm import streams
from runtime.backends.llvm.loops import (
    BIT,
    DOUBLE,
    INT,
    Instruction,
    Local,
    Number,
    Operand,
)
from runtime.backends.llvm.lowering import LOWER, Lowering
from runtime.backends.llvm.numbers import convert, out_of, real_as
from runtime.backends.llvm.values import NotLowered
from runtime.backends.llvm.walking import tests_around
from runtime.backends.numpy.program import Step
from runtime.ops.template import Input

# What an argument may be: any number, none below 0 (nor -0.0), or one above 0.
ANY, NOT_BELOW, ABOVE = "any", "not below 0", "above 0"
# Numbers that the samplers are compared with NumPy's methods at.
SAMPLES = {ANY: (0.0, -1.5), NOT_BELOW: (0.5, 3.0, 20.0), ABOVE: (0.4, 1.0, 2.5)}


class Method(NamedTuple):
    """How a method of a generator is drawn.

    sampler: NumPy's function in C, which is given the numbers, all of them floats
    takes:   of each number its name, its default, if it has one, and what it may be
    gives:   the machine type of what it gives
    """

    sampler: str
    takes: tuple[tuple[str, float | None, str], ...] = ()
    gives: str = DOUBLE


def _named(sampler: str, *takes: tuple[str, float | None, str]) -> Method:
    return Method(f"random_{sampler}", takes)


_SCALE = ("scale", 1.0, NOT_BELOW)
_AROUND = ("loc", 0.0, ANY), _SCALE
# The methods that are a sampler of floats.
FLOATS: dict[str, Method] = {
    "random": _named("standard_uniform"),
    **{
        name: _named(name)
        for name in ("standard_normal", "standard_exponential", "standard_cauchy")
    },
    **{name: _named(name, _SCALE) for name in ("exponential", "rayleigh")},
    **{name: _named(name, *_AROUND) for name in ("normal", "laplace", "gumbel")},
    "logistic": _named("logistic", *_AROUND),
    "lognormal": _named("lognormal", ("mean", 0.0, ANY), ("sigma", 1.0, NOT_BELOW)),
    "standard_gamma": _named("standard_gamma", ("shape", None, NOT_BELOW)),
    "gamma": _named("gamma", ("shape", None, NOT_BELOW), _SCALE),
    "beta": _named("beta", ("a", None, ABOVE), ("b", None, ABOVE)),
    **{name: _named(name, ("df", None, ABOVE)) for name in ("chisquare", "standard_t")},
    **{name: _named(name, ("a", None, ABOVE)) for name in ("pareto", "power")},
    "weibull": _named("weibull", ("a", None, NOT_BELOW)),
    "vonmises": _named("vonmises", ("mu", None, ANY), ("kappa", None, NOT_BELOW)),
    "wald": _named("wald", ("mean", None, ABOVE), ("scale", None, ABOVE)),
    "poisson": Method("random_poisson", (("lam", 1.0, NOT_BELOW),), INT),
}
UNIFORM = Method("random_uniform", (("low", 0.0, ANY), ("high", 1.0, ANY)))
# The largest number of which Poisson's are drawn here; NumPy's own bound is near it.
MOST = 2.0**62
# Bounds between which no distance is infinite.
FAR = 2.0**1022
# What may be multiplied by a draw, which is below 100.
BIG = 2.0**1000
# Of the old generators those that draw as the new ones do.
OLD = {"random": "random", "random_sample": "random", "rand": "random"} | {
    name: name for name in ("laplace", "gumbel", "logistic")
}
# Theirs that are drawn in another way: a number, times a scale, after a place.
OWN = {
    "standard_normal": Method(streams.NORMAL),
    "randn": Method(streams.NORMAL),
    "normal": Method(streams.NORMAL, _AROUND),
    "standard_exponential": Method(streams.EXPONENTIAL),
    "exponential": Method(streams.EXPONENTIAL, (_SCALE,)),
}
# By the method its arguments' names, whether it draws by a mask, and whether it gives
# Python's ints.
INTS = {
    "integers": (("low", "high", "size", "dtype", "endpoint"), False, False),
    "randint": (("low", "high", "size", "dtype"), True, True),
}


def is_known(step: Step) -> bool:
    """Whether there is machine code for a draw."""
    known = step.node.attributes
    kind: Any = type(known["generator"])
    return _bound(step) is not None and _is_probed(kind, known["method"])


def _method(kind: type[Any], method: str) -> Method | None:
    if method == "uniform":
        return UNIFORM
    is_old = kind is np.random.RandomState
    if is_old and method in OWN:
        return OWN[method]
    return FLOATS.get(OLD.get(method, "") if is_old else method)


def _bound(step: Step) -> dict[str, Any] | None:
    """What the arguments are, by their names; None where it has others."""
    known = step.node.attributes
    kind, method = type(known["generator"]), known["method"]
    found = _method(kind, method)
    if method in INTS:
        names = INTS[method][0]
    elif found is not None:
        names = tuple(name for name, *_ in found.takes)
        names += () if method in ("rand", "randn") else ("size",)
    else:
        return None
    given, named = known["args"], known["kwargs"]
    if len(given) > len(names) or not {*named} <= {*names}:
        return None
    bound = {**dict(zip(names, given, strict=False)), **named}
    if bound.pop("size", None) is not None:
        return None
    return bound


# --- are they NumPy's? ----------------------------------------------------------------
@functools.cache
def _is_probed(kind: type[Any], method: str) -> bool:
    """Whether a sampler draws what the method draws: tried once."""

    def draw(generator: Any, given: tuple[Any, ...]) -> Any:
        return getattr(generator, method)(*given)

    if kind not in (np.random.Generator, np.random.RandomState):
        return False
    if method in INTS:
        is_old = kind is np.random.RandomState
        if is_old is not (method == "randint"):
            return False
        masked = INTS[method][1]
        spans = ((0, 1), (-3, 7), (5, 6 + 2**20), (-(2**31), 2**31), (0, 2**33 + 5))
        ints = tuple(
            ((low, high), (low % 2**64, high - low - 1, masked)) for low, high in spans
        )
        return streams.is_same(kind, draw, streams.FILL, (INT, INT, BIT), INT, ints)
    found = _method(kind, method)
    if found is None:
        return False
    many = [*itertools.product(*(SAMPLES[what] for _, _, what in found.takes))]
    if found is UNIFORM:
        many = [(0.0, 1.0), (-2.5, 1e6), (3.0, 3.1)]
    if found.sampler in streams.OWN:
        given = {1: (1.0,), 2: (0.0, 1.0)}.get(len(found.takes), ())
        ones = ((given, ()),)
        return streams.is_same(kind, draw, found.sampler, (), DOUBLE, ones)
    pairs = tuple((one, _passed(found, one)) for one in many)
    types = (DOUBLE,) * len(found.takes)
    return streams.is_same(kind, draw, found.sampler, types, found.gives, pairs)


def _passed(method: Method, given: tuple[float, ...]) -> tuple[float, ...]:
    return (given[0], given[1] - given[0]) if method is UNIFORM else given


# --- lowering -------------------------------------------------------------------------
def draw(lowering: Lowering, step: Step) -> None:
    """One number of a generator's."""
    known = step.node.attributes
    generator, method = known["generator"], known["method"]
    bound = _bound(step)
    if bound is None or not is_known(step):
        raise NotLowered(f"a draw by {method}")
    if method in INTS:
        _draw_int(lowering, step, bound)
        return
    found = _method(type(generator), method)
    assert found is not None, "its arguments are known"
    dtype, wanted = out_of(step), np.dtype(float if found.gives == DOUBLE else int)
    if dtype != wanted or step.outputs[0].spec.weak is not True:
        raise NotLowered(f"a draw by {method} of {dtype}")
    numbers = [
        _float(lowering, step, bound.get(name, default))
        for name, default, _ in found.takes
    ]
    for part, (_, _, what) in zip(numbers, found.takes, strict=True):
        CHECKS[what](lowering, part)
    if found.sampler == "random_poisson":
        _leave_unless(lowering, "ole", numbers[0], MOST)
    if found is UNIFORM:
        numbers[1] = _distance(lowering, generator, *numbers)
    if found.sampler in streams.OWN:
        lowering.give(step, _own(lowering, generator, found.sampler, numbers))
        return
    lowering.give(
        step, sampled(lowering, generator, found.sampler, numbers, found.gives)
    )


def _own(
    lowering: Lowering, generator: Any, sampler: str, numbers: list[Operand]
) -> Operand:
    """A draw of an old generator's, with its scale and its place."""
    for number in numbers:
        leave_unless_near(lowering, number)
    found: Operand = sampled(lowering, generator, sampler, [], DOUBLE)
    if numbers:
        found = lowering.compute("fmul", DOUBLE, numbers[-1], found, type=DOUBLE)
    if len(numbers) > 1:
        found = lowering.compute("fadd", DOUBLE, numbers[0], found, type=DOUBLE)
    return found


# The instructions of the samplers that are not called with floats alone.
OPS = {
    streams.FILL: "draw_int",
    streams.NORMAL: "draw_normal",
    streams.EXPONENTIAL: "draw_exponential",
}


def sampled(
    lowering: Lowering,
    generator: Any,
    sampler: str,
    numbers: list[Operand],
    gives: str,
) -> Local:
    """What a sampler draws; from here on the generator is another one."""
    source = lowering.named_source(generator)
    if sampler not in streams.OWN:
        lowering.named[sampler] = streams.address_of(sampler), None
    lowering.named["wait_for_draws"] = id(streams.wait), streams.wait
    drops = tuple(hold.object for hold in lowering.holds)
    made = lowering.local(gives)
    op = OPS.get(sampler, "draw")
    args = (len(numbers), *numbers, *drops)
    one = Instruction(
        op, (made,), args, symbol=f"{type(generator).__name__} {source}", type=sampler
    )
    lowering.block.instructions.append(one)
    note_draw(lowering)
    return made


def note_draw(lowering: Lowering) -> None:
    """Note that a number has been drawn here."""
    lowering.draws = True
    lowering.drawn.update(tests_around(lowering.place[0]))


def _float(lowering: Lowering, step: Step, given: Any) -> Operand:
    """An argument as a float."""
    if type(given) is Input:
        number = lowering.number_of(step.inputs[given.k])
        if number.dtype.kind == "c":
            raise NotLowered("a draw by a complex number")
        return convert(lowering, number, np.dtype(float))[0]
    if not isinstance(given, (bool, int, float, np.bool_, np.integer, np.floating)):
        raise NotLowered("a draw by what is no number")
    try:
        return float(given)
    except OverflowError:
        raise NotLowered("a draw by an int that is no float") from None


def _leave_unless(lowering: Lowering, word: str, part: Operand, bound: float) -> None:
    fine = lowering.compute(f"fcmp {word}", BIT, part, bound, type=DOUBLE)
    lowering.leave_unless(fine)


def _not_below(lowering: Lowering, part: Operand) -> None:
    """Leave where it is below 0, -0.0 or NaN."""
    if not isinstance(part, Local):
        lowering.leave_if(not (part >= 0 and math.copysign(1, part) > 0))
        return
    bits = lowering.compute("bitcast", INT, part, type=DOUBLE)
    lowering.leave_if(lowering.compute("icmp slt", BIT, bits, 0, type=INT))
    _leave_unless(lowering, "oge", part, 0.0)


def _above(lowering: Lowering, part: Operand) -> None:
    if isinstance(part, Local):
        _leave_unless(lowering, "ogt", part, 0.0)
    else:
        lowering.leave_if(not part > 0)


CHECKS: dict[str, Callable[[Lowering, Operand], None]] = {
    ANY: lambda lowering, part: None,
    NOT_BELOW: _not_below,
    ABOVE: _above,
}


def leave_unless_near(lowering: Lowering, number: Operand) -> None:
    """Leave where what is drawn by a number might be infinite."""
    size = lowering.compute("fabs", DOUBLE, number, type=DOUBLE)
    _leave_unless(lowering, "ole", size, BIG)


def _distance(
    lowering: Lowering, generator: Any, low: Operand, high: Operand
) -> Operand:
    """From the lowest to the highest, far from where it is infinite."""
    for part in (low, high):
        size = lowering.compute("fabs", DOUBLE, part, type=DOUBLE)
        _leave_unless(lowering, "ole", size, FAR)
    distance = lowering.compute("fsub", DOUBLE, high, low, type=DOUBLE)
    if type(generator) is np.random.Generator:
        _not_below(lowering, distance)
    return distance


# --- ints -----------------------------------------------------------------------------
def _draw_int(lowering: Lowering, step: Step, bound: dict[str, Any]) -> None:
    """`rng.integers(low, high)`, `np.random.randint(low, high)`."""
    known = step.node.attributes
    _, masked, is_python = INTS[known["method"]]
    closed = bound.get("endpoint", False)
    spec = step.outputs[0].spec
    plain = bound.get("dtype", np.int64) in (np.int64, int) and spec.weak is is_python
    if type(closed) is not bool or not plain or out_of(step) != np.dtype(int):
        raise NotLowered("a draw of other ints")
    low, high = bound.get("low", 0), bound.get("high")
    if high is None:
        low, high = 0, low
    first, last = (_int(lowering, step, one) for one in (low, high))
    if not closed:
        least = -(2**63)
        lowering.leave_if(lowering.compute("icmp eq", BIT, last, least, type=INT))
        last = lowering.compute("sub", INT, last, 1, type=INT)
    lowering.leave_if(lowering.compute("icmp sgt", BIT, first, last, type=INT))
    distance = lowering.compute("sub", INT, last, first, type=INT)
    numbers: list[Operand] = [first, distance, masked]
    lowering.give(
        step, sampled(lowering, known["generator"], streams.FILL, numbers, INT)
    )


def _int(lowering: Lowering, step: Step, given: Any) -> Operand:
    """An argument as an int of 64 bits."""
    if type(given) is Input:
        number: Number = lowering.number_of(step.inputs[given.k])
        if number.dtype.kind not in "iub" or number.dtype == np.uint64:
            raise NotLowered("a draw of ints by what is none")
        return real_as(lowering, number.parts[0], number.dtype, np.dtype(int))
    if not isinstance(given, (int, np.integer)) or not -(2**63) <= given < 2**63:
        raise NotLowered("a draw of ints by what is none")
    return int(given)


LOWER["draw"] = draw
