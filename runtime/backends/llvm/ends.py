"""ends: the first and last few of `np.argsort`, without sorting all.

`np.argsort(x)[:k]`: one pass over `x` keeps the `k + 1` smallest in order. NumPy's sort
is not stable, so which of equal numbers comes first only it can say: where two of those
are equal, or numbers are none, or more of them change places than sorting would cost,
NumPy sorts all. What lies between the ends of the result is left as it is found.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from runtime.backends.llvm.abi import DATA
from runtime.backends.llvm.calls import Calls
from runtime.backends.llvm.lines import literal
from runtime.backends.llvm.loops import Array, Instruction
from runtime.backends.llvm.stack import PARTS
from runtime.backends.llvm.values import machine_type
from runtime.backends.numpy.program import Step, Variable
from runtime.spec import TensorSpec

# So many at one end at most, and the elements that are looked at in one go.
MOST, COUNT = 32, 32
# How two elements are compared: which is before the other, from the first on.
BEFORE = {"f": "fcmp olt", "i": "icmp slt", "u": "icmp ult"}
# From the last on; a number that is none is before all others, and is left to NumPy.
BEHIND = {"f": "fcmp ugt", "i": "icmp sgt", "u": "icmp ugt"}

_TEXT = """
define internal i1 @{name}(ptr %x, i64 %n, ptr %out, i64 %k) noinline {{
entry:
  %best = alloca [{room} x {kind}], align 64
  %at = alloca [{room} x i64], align 64
  %eighth = lshr i64 %n, 3
  %fourfold = mul i64 %k, 4
  %limit = add i64 %eighth, %fourfold
  %rest = urem i64 %n, {count}
  %whole = sub i64 %n, %rest
  %last_at = getelementptr {kind}, ptr %best, i64 %k
  %last = sub i64 %n, 1
  br label %fill
fill:
  %f = phi i64 [ 0, %entry ], [ %f2, %fill ]
  %fb = getelementptr {kind}, ptr %best, i64 %f
  store {kind} {worst}, ptr %fb
  %f2 = add i64 %f, 1
  %fmore = icmp ule i64 %f2, %k
  br i1 %fmore, label %fill, label %blocks
blocks:
  %b = phi i64 [ 0, %fill ], [ %b2, %next ]
  %left = phi i64 [ %limit, %fill ], [ %left_now, %next ]
  %bend = icmp ult i64 %b, %n
  br i1 %bend, label %look, label %give
look:
  %is_whole = icmp ult i64 %b, %whole
  br i1 %is_whole, label %many, label %few
many:
  %worst_now = load {kind}, ptr %last_at
  %one = insertelement {many} poison, {kind} %worst_now, i64 0
  %all = shufflevector {many} %one, {many} poison, <{count} x i32> zeroinitializer
  %here = getelementptr {kind}, ptr %x, i64 %b
  %found = load {many}, ptr %here, align {size}
  %bits = {compare} {many} %found, %all
  %mask = bitcast <{count} x i1> %bits to i{count}
  br label %each
few:
  %short = trunc i64 %rest to i{count}
  %one_bit = shl i{count} 1, %short
  %tail = sub i{count} %one_bit, 1
  br label %each
each:
  %begun = phi i{count} [ %mask, %many ], [ %tail, %few ]
  br label %bit
bit:
  %m = phi i{count} [ %begun, %each ], [ %m2, %put ], [ %m2, %take ]
  %left_now = phi i64 [ %left, %each ], [ %less, %put ], [ %left_now, %take ]
  %none = icmp eq i{count} %m, 0
  br i1 %none, label %next, label %take
next:
  %b2 = add i64 %b, {count}
  br label %blocks
take:
  %lane = call i{count} @llvm.cttz.i{count}(i{count} %m, i1 true)
  %m1 = sub i{count} %m, 1
  %m2 = and i{count} %m, %m1
  %wide = zext i{count} %lane to i64
  %i = add i64 %b, %wide
  %xi = getelementptr {kind}, ptr %x, i64 %i
  %v = load {kind}, ptr %xi
  %w = load {kind}, ptr %last_at
  %is_before = {compare} {kind} %v, %w
  br i1 %is_before, label %insert, label %bit
insert:
  %is_number = {equal} {kind} %v, %v
  %less = sub i64 %left_now, 1
  %some = icmp sgt i64 %less, 0
  %goes_on = and i1 %is_number, %some
  br i1 %goes_on, label %move, label %fail
move:
  %j = phi i64 [ %k, %insert ], [ %i1, %down ]
  %is_first = icmp eq i64 %j, 0
  br i1 %is_first, label %put, label %ask
ask:
  %i1 = sub i64 %j, 1
  %pb = getelementptr {kind}, ptr %best, i64 %i1
  %pv = load {kind}, ptr %pb
  %is_more = {compare} {kind} %v, %pv
  br i1 %is_more, label %down, label %put
down:
  %jb = getelementptr {kind}, ptr %best, i64 %j
  store {kind} %pv, ptr %jb
  %pa = getelementptr i64, ptr %at, i64 %i1
  %pi = load i64, ptr %pa
  %ja = getelementptr i64, ptr %at, i64 %j
  store i64 %pi, ptr %ja
  br label %move
put:
  %ib = getelementptr {kind}, ptr %best, i64 %j
  store {kind} %v, ptr %ib
  %ia = getelementptr i64, ptr %at, i64 %j
  store i64 %i, ptr %ia
  br label %bit
give:
  %g = phi i64 [ 0, %blocks ], [ %g2, %given ]
  %gb = getelementptr {kind}, ptr %best, i64 %g
  %gv = load {kind}, ptr %gb
  %g2 = add i64 %g, 1
  %hb = getelementptr {kind}, ptr %best, i64 %g2
  %hv = load {kind}, ptr %hb
  %differs = {compare} {kind} %gv, %hv
  br i1 %differs, label %given, label %fail
given:
  %ga = getelementptr i64, ptr %at, i64 %g
  %gi = load i64, ptr %ga
  %place = {place}
  %oa = getelementptr i64, ptr %out, i64 %place
  store i64 %gi, ptr %oa
  %gmore = icmp ult i64 %g2, %k
  br i1 %gmore, label %give, label %done
done:
  ret i1 true
fail:
  ret i1 false
}}
"""


def asked(step: Step, outputs: list[Variable]) -> tuple[int, int]:
    """How many positions of a result are asked at its begin and end; else none.

    outputs: what is given beyond the steps that are compiled
    """
    (variable,) = step.outputs
    shape = step.inputs[0].spec.shape
    if len(shape or ()) != 1 or step.inputs[0].spec.dtype not in _DTYPES:
        return 0, 0
    first = last = 0
    for begin, end in _uses(variable, outputs):
        first, last = max(first, begin), max(last, end)
    return (first, last) if max(first, last) <= MOST else (0, 0)


_DTYPES = frozenset(map(np.dtype, ("f8", "f4", "i8", "i4", "u8", "u4")))
# Of what is asked in another way.
_ALL = (MOST + 1, 0)


def _uses(
    variable: Variable, outputs: list[Variable], turned: bool = False
) -> Iterator[tuple[int, int]]:
    """How many are asked at the two ends by each step that reads it."""
    body = variable.home
    if variable in outputs or variable in body.outputs:
        yield _ALL
    for step in body.steps[variable.index + 1 :]:
        if variable not in step.inputs:
            continue
        index = step.node.attributes.get("index", ())
        if step.node.op.name != "slice" or len(index) != 1 or len(step.inputs) > 1:
            yield _ALL
        elif index == (slice(None, None, -1),):
            yield from _uses(step.outputs[0], outputs, not turned)
        elif isinstance(index[0], slice) and _is_given_on(step.outputs[0], outputs):
            yield _ALL
        else:
            begin, end = _ends(index[0])
            yield (end, begin) if turned else (begin, end)


def _is_given_on(part: Variable, outputs: list[Variable]) -> bool:
    """Whether a part is a result or an item of a list: its `.base` may be looked at."""
    body = part.home
    if part in outputs or part in body.outputs:
        return True
    readers = [one for one in body.steps[part.index + 1 :] if part in one.inputs]
    return any(
        _is_given_on(made, outputs)
        if one.node.op.name in PARTS
        else type(made.spec) is not TensorSpec
        for one in readers
        for made in one.outputs
    )


def _ends(part: Any) -> tuple[int, int]:
    """How many a part takes at the begin, and at the end."""
    if isinstance(part, int):
        return (part + 1, 0) if part >= 0 else (0, -part)
    if not isinstance(part, slice) or part.step not in (None, 1):
        return _ALL
    start, stop = part.start, part.stop
    if not isinstance(start, int | None) or not isinstance(stop, int | None):
        return _ALL
    if (start or 0) >= 0 and stop is not None and stop >= 0:
        return stop, 0
    if start is not None and start < 0 and (stop is None or stop < 0):
        return 0, -start
    return _ALL


def found(text: Calls, one: Instruction, x: Array, made: str) -> str:
    """Whether the positions that are asked are now in an array, without a sort."""
    size = text.read(x.dims[0], "i64")
    stride = text.read(x.strides[0], "i64")
    dense = text.set(f"icmp eq i64 {stride}, {x.dtype.itemsize}")
    data, out = text.read(x.data, "ptr"), text.field(made, DATA, "ptr")
    slot, after = text.fresh(), text.fresh_label()
    text.slots.append(f"{slot} = alloca i1")
    text.line(f"store i1 {dense}, ptr {slot}")
    for count, words in zip(map(int, one.symbol.split()), ("", "last"), strict=True):
        if not count:
            continue
        asks = text.fresh_label()
        so_far = text.set(f"load i1, ptr {slot}")
        text.line(f"br i1 {so_far}, label %{asks}, label %{after}")
        text.label(asks)
        name = _function(text, x.dtype, bool(words))
        inside = f"ptr {data}, i64 {size}, ptr {out}, i64 {count}"
        told = text.set(f"call i1 {name}({inside})")
        text.line(f"store i1 {told}, ptr {slot}")
    text.to_label(after)
    return text.set(f"load i1, ptr {slot}")


def _function(text: Calls, dtype: np.dtype[Any], is_last: bool) -> str:
    """The function that finds the first or the last ones, as part of the text."""
    name = f"{'last' if is_last else 'first'}_few_{dtype.char}"
    kind = machine_type(dtype)
    if dtype.kind == "f":
        extreme: int | float = -np.inf if is_last else np.inf
    else:
        known = np.iinfo(dtype)
        extreme = int(known.min if is_last else known.max)
    symbol = f"llvm.cttz.i{COUNT}"
    text.symbol(symbol, f"declare i{COUNT} @{symbol}(i{COUNT}, i1)")
    text.helpers[name] = _TEXT.format(
        name=name,
        kind=kind,
        many=f"<{COUNT} x {kind}>",
        size=dtype.itemsize,
        room=MOST + 1,
        count=COUNT,
        worst=literal(extreme, kind),
        compare=(BEHIND if is_last else BEFORE)[dtype.kind],
        equal="fcmp oeq" if dtype.kind == "f" else "icmp eq",
        place="sub i64 %last, %g" if is_last else "add i64 %g, 0",
    )
    return f"@{name}"
