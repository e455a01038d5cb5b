"""streams: where NumPy's generators keep their bits, and the samplers that use them.

A generator's object holds the `bitgen_t` of NumPy's C interface, with which the
functions of `numpy/random/distributions.h` draw. Where they are is looked for in live
objects; a sampler is used if what it draws is, to the bit, what NumPy's method draws,
and leaves the generator where that leaves it.
"""

from __future__ import annotations

import ctypes
import functools
import math
import sys
import threading
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from runtime.backends.llvm import abi

# The types of a sampler's arguments and result, as LLVM calls them.
_CTYPES: dict[str, Any] = {
    "double": ctypes.c_double,
    "i64": ctypes.c_int64,
    "i1": ctypes.c_bool,
}
# Draws that are compared with NumPy's, for each set of arguments.
TRIED = 40


class Place(NamedTuple):
    """Where a generator of some class keeps what drawing needs, in bytes.

    bits:   the bitgen_t, within the generator's object
    lock:   the pointer to the lock, within the generator's object
    holder: what says that somebody has the lock, within the lock; and of which type
    kept:   the normal number that an old generator has drawn ahead, within its object,
            and before it whether there is one; 0 where there is none
    """

    bits: int
    lock: int
    holder: int
    type: str
    kept: int


def place_of(name: str) -> Place:
    """The same, by the name of a class where it has been found."""
    found = place_in(getattr(np.random, name))
    assert found is not None, name
    return found


@functools.cache
def place_in(kind: Any) -> Place | None:
    """Where generators of this class keep it; None where it is not found as expected.

    kind: np.random.Generator or np.random.RandomState; for all others None
    """
    if kind is np.random.Generator:
        one: Any = np.random.default_rng(7)
        bits = one.bit_generator
    elif kind is np.random.RandomState:
        one = np.random.RandomState(7)
        bits = one._bit_generator
    else:
        return None
    known = bits.ctypes
    functions = (known.next_uint64, known.next_uint32, known.next_double)
    wanted = [known.state_address, *map(_address, functions)]
    words = [_word(id(one) + at) for at in range(0, kind.__basicsize__, 8)]
    starts = [n for n in range(len(words)) if words[n : n + len(wanted)] == wanted]
    locks = [n for n, word in enumerate(words) if word == id(bits.lock)]
    lock: Any = type(bits.lock)
    holder = _holder(lock)
    if len(starts) != 1 or len(locks) != 1 or holder is None:
        return None
    return Place(8 * starts[0], 8 * locks[0], *holder, _kept(one))


def _kept(one: Any) -> int:
    """Where an old generator keeps a normal number; 0 where that is not found."""
    if not isinstance(one, np.random.RandomState):
        return 0
    places = range(16, type(one).__basicsize__, 8)

    def found(has: int, number: float) -> list[int]:
        return [
            at
            for at in places
            if ctypes.c_int.from_address(id(one) + at - 8).value == has
            and ctypes.c_double.from_address(id(one) + at).value == number
        ]

    one.standard_normal()
    first = found(1, one.get_state(legacy=False)["gauss"])
    one.standard_normal()
    return first[0] if len(first) == 1 and first[0] in found(0, 0.0) else 0


def _holder(kind: type[Any]) -> tuple[int, str] | None:
    """What of a lock is not zero as long as somebody has it."""
    if kind is type(threading.RLock()):
        place = abi.lock_place()
        return (place, "i64") if place else None
    if kind is not type(threading.Lock()):
        return None
    lock = threading.Lock()
    places = range(abi.SLOT, kind.__basicsize__)

    def told() -> list[int]:
        return [ctypes.c_uint8.from_address(id(lock) + at).value for at in places]

    free = told()
    with lock:
        held = told()
    both = zip(places, free, held, told(), strict=True)
    found = [at for at, *values in both if values == [0, 1, 0]]
    return (found[0], "i8") if len(found) == 1 else None


def wait(generator: Any) -> bool:
    """Wait until nobody draws from a generator; whether this thread has its lock.

    KeyboardInterrupt: the user interrupts meanwhile
    """
    bits = getattr(generator, "bit_generator", None) or generator._bit_generator
    is_owned = getattr(bits.lock, "_is_owned", None)
    if is_owned is not None and is_owned():
        return True
    with bits.lock:
        return False


@functools.cache
def _library() -> ctypes.CDLL | None:
    """The library with NumPy's samplers."""
    # It is loaded: there is a generator.
    place = sys.modules["numpy.random._generator"].__file__
    try:
        return ctypes.CDLL(place)
    except OSError:
        return None


@functools.cache
def address_of(symbol: str) -> int:
    """The address of one of NumPy's samplers; 0 where it is not found."""
    function = getattr(_library(), symbol, None)
    return 0 if function is None else _address(function)


def is_same(
    kind: Any,
    draw: Callable[[Any, tuple[Any, ...]], Any],
    symbol: str,
    takes: tuple[str, ...],
    gives: str,
    pairs: tuple[tuple[tuple[Any, ...], tuple[Any, ...]], ...],
) -> bool:
    """Whether a sampler draws what NumPy's method draws, all in a row.

    draw:  calls the method of a generator with arguments
    pairs: arguments of the method, with those that the sampler is to be given
    """
    place, address = place_in(kind), address_of(symbol)
    if place is None or not (address or (symbol in OWN and place.kept)):
        return False
    types = [_CTYPES[one] for one in takes]
    result = _CTYPES[gives]
    one, other = _fresh(kind), _fresh(kind)
    sample: Callable[..., Any]
    if symbol == FILL:
        sample = _filling(address)
    elif symbol in OWN:
        sample = OWN[symbol](other)
    else:
        sample = ctypes.CFUNCTYPE(result, ctypes.c_void_p, *types)(address)
    bits = id(other) + place.bits
    for given, passed in pairs:
        for _ in range(TRIED):
            if draw(one, given) != sample(bits, *passed):
                return False
    return repr(_state(one)) == repr(_state(other))


# The sampler of ints, which writes what it draws into memory.
FILL = "random_bounded_uint64_fill"


def _filling(address: int) -> Callable[..., int]:
    word, flag = ctypes.c_uint64, ctypes.c_bool
    into = ctypes.POINTER(ctypes.c_int64)
    types = (ctypes.c_void_p, word, word, ctypes.c_ssize_t, flag, into)
    fill = ctypes.CFUNCTYPE(None, *types)(address)

    def sample(bits: int, first: int, distance: int, masked: bool) -> int:
        found = ctypes.c_int64()
        fill(bits, first, distance, 1, masked, ctypes.byref(found))
        return found.value

    return sample


# How old generators draw, of which NumPy exports nothing: what machine code does, in
# Python, to be compared with NumPy.
NORMAL, EXPONENTIAL = "old_normal", "old_exponential"


def _old_normal(generator: Any) -> Callable[..., float]:
    kept = id(generator) + _known_place(generator).kept
    has, number = (
        ctypes.c_int.from_address(kept - 8),
        ctypes.c_double.from_address(kept),
    )
    draw = _doubles(generator)

    def sample(bits: int) -> float:
        if has.value:
            found = number.value
            has.value, number.value = 0, 0.0
            return found
        square = 1.0
        while square >= 1.0 or square == 0.0:
            x, y = 2.0 * draw() - 1.0, 2.0 * draw() - 1.0
            square = x * x + y * y
        factor = math.sqrt(-2.0 * math.log(square) / square)
        has.value, number.value = 1, factor * x
        return factor * y

    return sample


def _old_exponential(generator: Any) -> Callable[..., float]:
    draw = _doubles(generator)
    return lambda bits: -math.log(1.0 - draw())


def _doubles(generator: Any) -> Callable[[], float]:
    known = generator._bit_generator.ctypes
    return lambda: known.next_double(known.state)


def _known_place(generator: Any) -> Place:
    return place_of(type(generator).__name__)


OWN: dict[str, Callable[[Any], Callable[..., float]]] = {
    NORMAL: _old_normal,
    EXPONENTIAL: _old_exponential,
}


def _fresh(kind: type[Any]) -> Any:
    """One that starts where all of these start."""
    if kind is np.random.RandomState:
        return np.random.RandomState(11)
    return np.random.Generator(np.random.PCG64(11))


def _state(generator: Any) -> Any:
    bits = getattr(generator, "bit_generator", None)
    if bits is not None:
        return bits.state
    return [*map(repr, generator.get_state(legacy=False).items())]


def _address(function: Any) -> int:
    return ctypes.cast(function, ctypes.c_void_p).value or 0


def _word(place: int) -> int:
    return ctypes.c_ssize_t.from_address(place).value
