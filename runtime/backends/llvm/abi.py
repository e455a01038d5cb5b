"""abi: where CPython and NumPy keep what machine code reads and calls.

The places of fields are looked for in live objects, once; where one is not found as
expected, nothing is compiled and the NumPy executor runs everything.
"""

from __future__ import annotations

import builtins
import ctypes
import functools
import sys
import threading
import types
import warnings
import weakref
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from runtime.backends.llvm import float_errors
from runtime.gate import Gate

# Offsets in bytes, of builds whose objects begin with a count and a type.
TYPE = 8
NUMBER = 16  # what a float, a complex or a NumPy scalar holds
DATA, RANK, DIMS, STRIDES, DESCR, FLAGS = 16, 24, 32, 40, 56, 64
BASE, WEAK = 48, 72  # what an array is a part of, and the weak references to it
ORDERED, OWNED, ALIGNED, WRITEABLE = 0x1, 0x4, 0x100, 0x400
UNBROKEN = 0x3  # in C's order, or Fortran's
# An object's first slot, and what a cell holds; what a weak reference refers to.
SLOT = REFERRED = 16
FUNCTION, RECEIVER = 16, 24  # a builtin's definition, in which its address is, and self
ADDRESS = 8
VERSION = 24  # of a dict: the number of its state
COUNT, ITEMS = 16, tuple.__basicsize__  # of a tuple
# Of a list: its length, its items, and for how many there is room.
LENGTH, CONTENT, ROOM = 16, 24, 32
# How often an object is referred to.
REFERENCES = 0
# The ints of which CPython has one object each.
LEAST_KNOWN, MOST_KNOWN = -5, 256
# Of an int: how many digits it has and its sign, and the digits.
INT_SIZE, DIGIT, DIGIT_BITS = 16, 24, 30

_FUNCTIONS = (
    *("PyFloat_FromDouble", "PyLong_FromLongLong", "PyLong_AsLongLongAndOverflow"),
    *("PyComplex_FromDoubles", "PyBool_FromLong", "PyTuple_New", "PyTuple_SetItem"),
    *("PyTuple_GetItem", "PyList_New", "PyList_SetItem", "PyList_Append"),
    *("PyList_GetSlice", "PyList_SetSlice", "PyList_Insert", "PyList_Reverse"),
    *("PyList_Sort", "PySequence_Repeat", "PySequence_Contains"),
    *("PySequence_Index", "PySequence_Count"),
    *("PyByteArray_FromStringAndSize", "PyByteArray_AsString", "PyByteArray_Resize"),
    *("Py_IncRef", "Py_DecRef", "PyErr_CheckSignals", "PyErr_Clear"),
    *(
        "PyContextVar_Get",
        "PyObject_CallObject",
        "PyObject_Vectorcall",
        "PyErr_BadInternalCall",
        *("PyDict_GetItem", "PyObject_GetAttr", "PyDict_GetItemWithError"),
        *("PyDict_Size", "PyDict_New", "PyDict_DelItem", "PyErr_Occurred"),
        *("PyDict_Next", "PyObject_GenericGetDict"),
        *("PyObject_SetAttr", "PyDict_SetItem", "PySequence_SetItem", "PyCell_Set"),
        *("PyErr_Fetch", "PyErr_NormalizeException", "PyException_SetTraceback"),
        "PyEval_SaveThread",
        "PyEval_RestoreThread",
    ),
)
# The places of functions in NumPy's own table of them.
_NUMPYS = {"PyArray_Scalar": 60, "PyArray_NewCopy": 85, "PyArray_NewFromDescr": 94}
_NUMPYS |= {"PyArray_SetBaseObject": 282, "PyArray_Sort": 129, "PyArray_ArgSort": 130}
# What names of functions of NumPy's module of linear algebra begin with.
LINALG = "linalg."
# What gives the functions of a dtype, and the place of a sum of products among them.
_FUNCTIONS_OF, _SUM_OF_PRODUCTS = 365, 27
_LIBM = (
    *("sqrt", "exp", "log", "log2", "log10", "log1p", "expm1", "sin", "cos", "tan"),
    *("asin", "acos", "atan", "atan2", "sinh", "cosh", "tanh", "asinh", "acosh"),
    *("atanh", "pow", "fmod", "hypot", "floor", "ceil", "trunc", "rint", "cbrt"),
    *("exp2", "erf", "erfc", "lgamma"),
    *("fmodf", "powf", "hypotf", "cexp", "feclearexcept", "fetestexcept"),
    *("feraiseexcept", "clock_gettime"),
)


class _Ufunc(ctypes.Structure):
    """The beginning of NumPy's public PyUFuncObject."""

    _fields_ = (
        *(("count", ctypes.c_ssize_t), ("type", ctypes.c_void_p)),
        *(("nin", ctypes.c_int), ("nout", ctypes.c_int), ("nargs", ctypes.c_int)),
        *(("identity", ctypes.c_int), ("functions", ctypes.POINTER(ctypes.c_void_p))),
        *(("data", ctypes.POINTER(ctypes.c_void_p)), ("ntypes", ctypes.c_int)),
        *(("reserved", ctypes.c_int), ("name", ctypes.c_char_p)),
        ("types", ctypes.POINTER(ctypes.c_char)),
    )


def address(name: str) -> int:
    """The address of a function of CPython's."""
    found = ctypes.cast(getattr(ctypes.pythonapi, name), ctypes.c_void_p).value
    assert found is not None, name
    return found


def symbols() -> Iterator[tuple[str, int]]:
    """What compiled code calls and compares with, by name."""
    for name in _FUNCTIONS:
        yield name, address(name)
    for name, index in _NUMPYS.items():
        yield name, _numpy_function(index)
    library = ctypes.CDLL(None)
    for name in _LIBM:
        function = getattr(library, name, None)
        if function is not None:
            yield f"m_{name}", ctypes.cast(function, ctypes.c_void_p).value or 0
    for kind in (float, int, complex, list, np.ndarray):
        yield f"type_{kind.__name__}", id(kind)
    for one in (None, True, False):
        yield f"Py_{one}", id(one)
    yield "errors_variable", id(float_errors.SETTINGS)
    yield "errors_default", id(float_errors.DEFAULT)
    yield "errors_raise", id(float_errors.raises)
    yield "warnings_names", id(vars(warnings))
    yield "warnings_filters", id(sys.intern("filters"))
    yield "warnings_seen", ctypes.addressof(float_errors.SEEN)
    yield "warnings_raise", id(float_errors.warnings_raise)


def _numpy_function(index: int) -> int:
    capsule = np._core._multiarray_umath._ARRAY_API  # type: ignore[attr-defined] # as C
    get = ctypes.pythonapi.PyCapsule_GetPointer
    get.restype, get.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]
    table = ctypes.cast(get(capsule, None), ctypes.POINTER(ctypes.c_void_p))
    found = table[index]
    assert found is not None
    return found


def ufunc_named(name: str) -> np.ufunc | None:
    """NumPy's function of elements, or of matrices (`linalg.NAME.`); None: none."""
    of: Any = np
    if name.startswith(LINALG):
        of, name = np.linalg._umath_linalg, name[len(LINALG) : -1]
    found = getattr(of, name, None)
    return found if isinstance(found, np.ufunc) else None


@functools.cache
def sum_of_products(dtype: np.dtype[Any]) -> int:
    """The address of what `np.dot` of two rows of this dtype calls; 0: nothing."""
    functions = ctypes.CFUNCTYPE(ctypes.c_void_p, ctypes.py_object)
    found = functions(_numpy_function(_FUNCTIONS_OF))(dtype)
    if not found:
        return 0
    return ctypes.c_void_p.from_address(found + 8 * _SUM_OF_PRODUCTS).value or 0


@functools.cache
def ufunc_loop(ufunc: np.ufunc, dtypes: tuple[np.dtype[Any], ...]) -> tuple[int, int]:
    """The address of a ufunc's own loop for these dtypes, and of what it is given.

    (0, 0): it has none
    """
    held = _Ufunc.from_address(id(ufunc))
    wanted = bytes(dtype.num for dtype in dtypes)
    for row in range(held.ntypes):
        first = row * held.nargs
        if held.types[first : first + held.nargs] == wanted:
            return held.functions[row] or 0, held.data[row] or 0
    return 0, 0


@functools.cache
def is_as_expected() -> bool:
    """Whether the objects of this build lie in memory as this module says."""
    x = np.arange(6.0).reshape(2, 3)[:, 1:]
    place = id(x)
    dims = _word(_word(place + DIMS))
    return (
        _double(id(2.5) + NUMBER) == 2.5
        and _double(id(np.float64(1.5)) + NUMBER) == 1.5
        and _double(id(1 - 3j) + NUMBER + 8) == -3.0
        and _double(id(np.complex128(1 - 3j)) + NUMBER + 8) == -3.0
        and _word(id(np.int64(-7)) + NUMBER) == -7
        and _word(place + TYPE) == id(np.ndarray)
        and _word(place + DATA) == x.ctypes.data
        and ctypes.c_int.from_address(place + RANK).value == 2
        and dims == 2
        and _word(_word(place + STRIDES) + 8) == 8
        and _word(place + DESCR) == id(np.dtype(float))
        and ctypes.c_int.from_address(place + FLAGS).value == x.flags.num
        and _lists_are_found()
        and _calls_loops()
        and _entries_are_found()
    )


@functools.cache
def spares_are_found() -> bool:
    """Whether it is seen of an array that nobody else has it, or a part of it."""
    x = np.arange(6.0)
    part, before = x[1:], _word(id(x) + WEAK)
    reference = weakref.ref(x)
    return (
        counting() != ""
        and [_word(id(one) + BASE) for one in (x, part)] == [0, id(x)]
        and [before, _word(id(x) + WEAK)] == [0, id(reference)]
    )


def _lists_are_found() -> bool:
    """Whether a list's items lie where they are looked for."""
    x = [1.5, 2.5]
    x.append(3)
    content = _word(id(x) + CONTENT)
    return (
        _word(id(x) + LENGTH) == 3
        and [_word(content + 8 * n) for n in range(3)] == [id(one) for one in x]
        and 8 * _word(id(x) + ROOM) == x.__sizeof__() - list.__basicsize__
    )


@functools.cache
def int_form() -> str:
    """How an int of one digit says so: "size", "tag", or "" where neither is found.

    size: the number of its digits, negative for a negative one (CPython 3.11)
    tag:  1 minus the sign in two bits, the number of digits above three (from 3.12 on)
    """
    samples = (-(2**DIGIT_BITS) + 1, -7, 0, 5, 256, 70_000, 2**DIGIT_BITS - 1)
    others = (-(2**DIGIT_BITS), 2**DIGIT_BITS, 2**70)
    for form, read in (("size", _by_size), ("tag", _by_tag)):
        found = [read(one) for one in samples]
        if found == [*samples] and not any(read(one) is not None for one in others):
            return form
    return ""


@functools.cache
def counting() -> str:
    """How references are counted: "all", "mortal" (from 3.12 on), or "" if not found.

    all:    each object counts in a word of 64 bits
    mortal: in one of 32, which is negative where an object lives for ever
    """
    thing = [object()]
    before = _word(id(thing))
    held = (thing, thing)
    if _word(id(thing)) != before + 2 or getattr(sys, "abiflags", "") == "t":
        return ""
    del held
    is_mortal = ctypes.c_int32.from_address(id(None)).value < 0
    if is_mortal is not (ctypes.c_int32.from_address(id(True)).value < 0):
        return ""
    return "mortal" if is_mortal else "all"


@functools.cache
def known_ints() -> tuple[Any, list[int]] | None:
    """The places of the ints of which there is one object each, and these.

    None: there is more than one of some
    """
    values = range(LEAST_KNOWN, MOST_KNOWN + 1)
    kept = [int(str(value)) for value in values]
    if any(int(str(value)) is not one for value, one in zip(values, kept, strict=True)):
        return None
    made = (ctypes.c_void_p * len(kept))(*map(id, kept))
    return made, kept


def _by_size(value: int) -> int | None:
    size = _word(id(value) + INT_SIZE)
    return size * _digit(value) if -1 <= size <= 1 else None


def _by_tag(value: int) -> int | None:
    tag = _word(id(value) + INT_SIZE)
    return (1 - (tag & 3)) * _digit(value) if 0 <= tag < 16 else None


def _digit(value: int) -> int:
    return ctypes.c_uint32.from_address(id(value) + DIGIT).value


def _entries_are_found() -> bool:
    """Whether what entries look at lies where they do."""

    one, pair = Gate(), (len, print)
    one.reasons = 70_000
    reference, cell = weakref.ref(Gate), types.CellType(one)
    return (
        _word(id(one) + SLOT) == id(one.reasons)
        and _word(id(cell) + SLOT) == id(cell.cell_contents)
        and _word(id(reference) + REFERRED) == id(reference())
        and _word(id(pair) + COUNT) == 2
        and [_word(id(pair) + ITEMS + 8 * n) for n in (0, 1)] == [id(p) for p in pair]
        and _word(id(len) + RECEIVER) == id(builtins)
        and _address_in(len) == _word(_word(id(len) + FUNCTION) + ADDRESS)
        and code_place() > 0
    )


@functools.cache
def dicts_have_versions() -> bool:
    """Whether each change of a dict gives it a number that none had (until 3.12)."""
    made = dict[str, object](a=1)
    found = [_word(id(made) + VERSION)]
    changes: tuple[Callable[[], object], ...] = (
        lambda: made.update(a=2),
        lambda: made.update(b=3),
        lambda: made.pop("b"),
        lambda: made.setdefault("c", 4),
        made.popitem,
        made.clear,
    )
    for change in changes:
        change()
        found.append(_word(id(made) + VERSION))
        _ = made.get("a"), len(made), [*made]
        if _word(id(made) + VERSION) != found[-1]:
            return False
    return sys.version_info < (3, 13) and len({*found}) == len(found)


@functools.cache
def code_place() -> int:
    """Where a function keeps its code; 0: it is not found."""

    def one() -> None: ...
    def other() -> int:
        return 1

    size = types.FunctionType.__basicsize__
    for place in range(SLOT, size, 8):
        if _word(id(one) + place) == id(one.__code__):
            one.__code__ = other.__code__
            return place if _word(id(one) + place) == id(other.__code__) else 0
    return 0


@functools.cache
def lock_place() -> int:
    """Where a reentrant lock counts how often it is held; 0: it is not found."""
    lock = threading.RLock()
    words = range(SLOT, type(lock).__basicsize__, 8)

    def counts() -> list[int]:
        return [_word(id(lock) + place) for place in words]

    free = counts()
    with lock:
        once = counts()
        with lock:
            twice = counts()
    found = zip(words, free, once, twice, counts(), strict=True)
    places = [place for place, *told in found if told == [0, 1, 2, 0]]
    return places[0] if len(places) == 1 else 0


def _calls_loops() -> bool:
    """Whether NumPy's own loops are where they are looked for."""
    function, data = ufunc_loop(np.sqrt, (np.dtype(float), np.dtype(float)))
    if not function:
        return False
    x, y = np.array([2.25]), np.zeros(1)
    arguments = (ctypes.c_void_p * 2)(x.ctypes.data, y.ctypes.data)
    count, strides = (ctypes.c_ssize_t * 1)(1), (ctypes.c_ssize_t * 2)(8, 8)
    loop = ctypes.CFUNCTYPE(None, *[ctypes.c_void_p] * 4)(function)
    loop(arguments, count, strides, data)
    return bool(y[0] == 1.5)


def _address_in(builtin: Any) -> int:
    """The address that CPython says a builtin has."""
    ask = ctypes.pythonapi.PyCFunction_GetFunction
    ask.restype, ask.argtypes = ctypes.c_void_p, [ctypes.py_object]
    return ask(builtin) or 0


def _word(place: int) -> int:
    return ctypes.c_ssize_t.from_address(place).value


def _double(place: int) -> float:
    return ctypes.c_double.from_address(place).value
