"""python_entry: an entry that calls a Function's Python function.

It looks at the number of arguments, their types and sizes, and takes the call if they
are like those that are made as Python; now and then it leaves one to Python, which
looks again how such calls are made. One text does for all Functions: what tells them
apart is in a table.
"""

from __future__ import annotations

import ctypes
import struct
from collections.abc import Callable, Sequence
from typing import Any

from runtime import store
from runtime.backends.llvm import abi
from runtime.backends.llvm.building import Source, built
from runtime.gate import GATE
from runtime.vectored import MISS

# The words of a table: the function, how many arguments there are, the calls until one
# is left to Python, and how many then; for each argument its type, where it has its
# size, and how large it may be.
FUNCTION, COUNT, LEFT, CALLS, FIRST, EACH = 0, 1, 2, 3, 4, 3
# Nowhere; in its third word; as an int; as a float.
NONE, LENGTH, INT, FLOAT = range(4)
# Containers and texts whose third word says how much is in them, or has been.
_WITH_LENGTH = (list, tuple, dict, set, frozenset, str, bytes)

TEXT = f"""\
declare ptr @PyObject_Vectorcall(ptr, ptr, i64, ptr)
declare i64 @PyLong_AsLongLongAndOverflow(ptr, ptr)
declare void @Py_IncRef(ptr)
declare double @llvm.fabs.f64(double)
@miss = external global i8
@reasons = external global ptr
@zero = external global i8
@table = external global i64
define ptr @by_python(ptr %self, ptr %args, i64 %n, ptr %names) {{
start:
  %overflow = alloca i32
  %reasons = load ptr, ptr @reasons
  %open = icmp eq ptr %reasons, @zero
  %plain = icmp eq ptr %names, null
  %atcount = getelementptr i64, ptr @table, i64 {COUNT}
  %count = load i64, ptr %atcount
  %counted = icmp eq i64 %count, %n
  %both = and i1 %open, %plain
  %all = and i1 %both, %counted
  br i1 %all, label %head, label %missed
head:
  %i = phi i64 [0, %start], [%next, %fits]
  %more = icmp slt i64 %i, %n
  br i1 %more, label %look, label %take
look:
  %atone = getelementptr ptr, ptr %args, i64 %i
  %one = load ptr, ptr %atone
  %attype = getelementptr i8, ptr %one, i64 {abi.TYPE}
  %type = load ptr, ptr %attype
  %skipped = mul i64 %i, {EACH}
  %row = add i64 %skipped, {FIRST}
  %atwanted = getelementptr i64, ptr @table, i64 %row
  %wanted = load ptr, ptr %atwanted
  %same = icmp eq ptr %type, %wanted
  br i1 %same, label %size, label %missed
size:
  %athow = getelementptr i64, ptr %atwanted, i64 1
  %how = load i64, ptr %athow
  %atmost = getelementptr i64, ptr %atwanted, i64 2
  %most = load i64, ptr %atmost
  %atheld = getelementptr i8, ptr %one, i64 {abi.NUMBER}
  switch i64 %how, label %fits [i64 {LENGTH}, label %length
    i64 {INT}, label %int i64 {FLOAT}, label %float]
length:
  %length_held = load i64, ptr %atheld
  %short = icmp sle i64 %length_held, %most
  br i1 %short, label %fits, label %missed
int:
  store i32 0, ptr %overflow
  %number = call i64 @PyLong_AsLongLongAndOverflow(ptr %one, ptr %overflow)
  %flown = load i32, ptr %overflow
  %fine = icmp eq i32 %flown, 0
  %least = sub i64 0, %most
  %above = icmp sge i64 %number, %least
  %below = icmp sle i64 %number, %most
  %within = and i1 %above, %below
  %small = and i1 %within, %fine
  br i1 %small, label %fits, label %missed
float:
  %float_held = load double, ptr %atheld
  %absolute = call double @llvm.fabs.f64(double %float_held)
  %limit = bitcast i64 %most to double
  %few = fcmp ole double %absolute, %limit
  br i1 %few, label %fits, label %missed
fits:
  %next = add i64 %i, 1
  br label %head
take:
  %atleft = getelementptr i64, ptr @table, i64 {LEFT}
  %left = load i64, ptr %atleft
  %some = icmp sgt i64 %left, 0
  br i1 %some, label %call, label %again
call:
  %fewer = sub i64 %left, 1
  store i64 %fewer, ptr %atleft
  %function = load ptr, ptr @table
  %result = call ptr @PyObject_Vectorcall(
    ptr %function, ptr %args, i64 %n, ptr null)
  ret ptr %result
again:
  %atcalls = getelementptr i64, ptr @table, i64 {CALLS}
  %calls = load i64, ptr %atcalls
  store i64 %calls, ptr %atleft
  br label %missed
missed:
  call void @Py_IncRef(ptr @miss)
  ret ptr @miss
}}
"""


class PythonEntry:
    """The entry of a Python function for calls with arguments like these.

    calls: so many, and one is left to Python
    run:   the entry, for `vectorcall.let_enter`
    """

    def __init__(
        self,
        function: Callable[..., Any],
        args: Sequence[Any],
        most: Sequence[float],
        calls: int,
    ) -> None:
        rows = [_row(one, limit) for one, limit in zip(args, most, strict=True)]
        words = [id(function), len(args), calls, calls]
        words += [word for row in rows for word in row]
        self._table = (ctypes.c_int64 * len(words))(*words)
        held = (self._table, function, *map(type, args))
        symbols = {"miss": id(MISS), "zero": id(0), "reasons": id(GATE) + abi.SLOT}
        symbols["table"] = ctypes.addressof(self._table)
        source = Source("by_python", lambda: TEXT, symbols, held)
        code = built(source, store.key_of(TEXT))
        self.run: Any = code.callable(code)  # which keeps the code

    def close(self) -> None:
        """Leave all calls to Python from now on."""
        self._table[LEFT] = self._table[CALLS] = 0


def is_sized(one: Any) -> bool:
    """Whether the code knows how large an argument is, or that this does not matter."""
    kind = type(one)
    return kind in (*_WITH_LENGTH, int, float) or not hasattr(kind, "__len__")


def _row(one: Any, limit: float) -> tuple[int, int, int]:
    kind = type(one)
    if kind is float:
        (word,) = struct.unpack("<q", struct.pack("<d", limit))
        return id(kind), FLOAT, word
    most = int(min(limit, 2**63 - 1))
    if kind is int:
        return id(kind), INT, most
    return id(kind), LENGTH if kind in _WITH_LENGTH else NONE, most
