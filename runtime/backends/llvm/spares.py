"""spares: small arrays that a loop drops are those that it makes next.

A loop that computes a new array in each turn drops the one before: to make and to free
an object takes 40 ns, as long as a hundred additions. So what it drops, and nobody else
has, is kept beside the code, and taken again for an array of the same dtype and sizes.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain
from typing import TYPE_CHECKING, Any

import numpy as np

from runtime.backends.llvm import abi
from runtime.backends.llvm.loops import Block, Function, Instruction, Local, Operand
from runtime.backends.llvm.ties import SPARES, spare_table

if TYPE_CHECKING:
    from runtime.backends.llvm.calls import Calls
    from runtime.backends.llvm.lowering import Lowering

# The arrays of one kind that are kept at most.
MOST = 4
# Bytes of an array that is kept: larger ones take longer to fill than to make.
LARGEST = 2**15
# What is in the type of an instruction that takes or keeps one.
SPARE = "spare"
# How an array lies that may be taken: as a new one does.
AS_NEW = abi.ORDERED | abi.OWNED | abi.ALIGNED | abi.WRITEABLE

# What arrays may take each other's place: the dtype, and the sizes that are known.
Kind = tuple[str, tuple[int | None, ...]]


def with_spares(lowering: Lowering, function: Function) -> Function:
    """The function, its loops marked: where arrays are kept, and where taken."""
    if not abi.spares_are_found():
        return function
    inside = [*_in_loops(function.body)]
    made = [one for one in inside if one.op == "new" and _is_small(one)]
    kinds = _kinds(function, {one.outs[0]: _kind(one) for one in made})
    kept = [one for one in inside if one.op == "release" and one.args[0] in kinds]
    found = {kinds[one.args[0]] for one in kept}
    first = 0
    for kind in dict.fromkeys(map(_kind, made)):
        if kind not in found:
            continue
        takers = [one for one in made if _kind(one) == kind]
        count = min(len(takers), MOST)
        for one in (*takers, *(one for one in kept if kinds[one.args[0]] == kind)):
            one.type = f"{SPARE} {first} {count} {np.dtype(kind[0]).itemsize}"
        first += count
    if first:
        lowering.named[SPARES] = spare_table(first)
    return function


def _in_loops(block: Block, is_in: bool = False) -> Iterator[Instruction]:
    for one in block.instructions:
        if is_in:
            yield one
        inside = is_in or one.op == "while"
        yield from chain.from_iterable(_in_loops(b, inside) for b in one.blocks)


def _kind(one: Instruction) -> Kind:
    return one.symbol, tuple(
        None if isinstance(size, Local) else int(size) for size in one.args
    )


def _is_small(one: Instruction) -> bool:
    """Whether it may be small, as far as is known; it has at least one dim."""
    size = np.dtype(one.symbol).itemsize
    for known in one.args:
        size *= 1 if isinstance(known, Local) else max(int(known), 1)
    return bool(one.args) and size <= LARGEST


def _kinds(function: Function, found: dict[Local, Kind]) -> dict[Operand, Kind]:
    """The kind of what each local may hold that is made in a loop, if it is one."""
    moves = [one for one in function.body.walk() if one.op in ("move", "same")]
    kinds: dict[Operand, set[Kind]] = {local: {kind} for local, kind in found.items()}
    before = -1
    while (now := sum(map(len, kinds.values()))) != before:
        before = now
        for one in moves:
            for out, source in zip(one.outs, one.args, strict=True):
                if source in kinds:
                    kinds.setdefault(out, set()).update(kinds[source])
    return {local: kind for local, (kind, *more) in kinds.items() if not more}


def is_spare(one: Instruction) -> bool:
    """Whether an instruction takes what is kept, or keeps what it drops."""
    return one.type.startswith(SPARE)


# %thing is kept where it is as a new array and nobody else has it; it is small.
_KEEP = """
define internal void @keep_spare(ptr %thing, ptr %first, i64 %count, i64 %item) {{
entry:
  %counted = load {counted}, ptr %thing
  %is_one = icmp eq {counted} %counted, 1
  br i1 %is_one, label %alone, label %drop
alone:
  %type_at = getelementptr i8, ptr %thing, i64 {TYPE}
  %type = load ptr, ptr %type_at
  %is_plain = icmp eq ptr %type, @type_ndarray
  br i1 %is_plain, label %plain, label %drop
plain:
  %base_at = getelementptr i8, ptr %thing, i64 {BASE}
  %base = load i64, ptr %base_at
  %weak_at = getelementptr i8, ptr %thing, i64 {WEAK}
  %weak = load i64, ptr %weak_at
  %others = or i64 %base, %weak
  %has_none = icmp eq i64 %others, 0
  %flags_at = getelementptr i8, ptr %thing, i64 {FLAGS}
  %flags = load i32, ptr %flags_at
  %asked = and i32 %flags, {as_new}
  %is_new = icmp eq i32 %asked, {as_new}
  %fits = and i1 %has_none, %is_new
  br i1 %fits, label %sized, label %drop
sized:
  %rank_at = getelementptr i8, ptr %thing, i64 {RANK}
  %rank = load i32, ptr %rank_at
  %dims_at = getelementptr i8, ptr %thing, i64 {DIMS}
  %dims = load ptr, ptr %dims_at
  %axes = zext i32 %rank to i64
  br label %size
size:
  %axis = phi i64 [ 0, %sized ], [ %axis_next, %more ]
  %bytes = phi i64 [ %item, %sized ], [ %bytes_next, %more ]
  %is_over = icmp uge i64 %axis, %axes
  br i1 %is_over, label %found, label %more
more:
  %dim_at = getelementptr i64, ptr %dims, i64 %axis
  %dim = load i64, ptr %dim_at
  %bytes_next = mul i64 %bytes, %dim
  %axis_next = add i64 %axis, 1
  %is_small = icmp ule i64 %bytes_next, {largest}
  br i1 %is_small, label %size, label %drop
found:
  %number = phi i64 [ 0, %size ], [ %number_next, %taken ]
  %is_free = icmp ult i64 %number, %count
  br i1 %is_free, label %look, label %drop
look:
  %at = getelementptr ptr, ptr %first, i64 %number
  %there = load ptr, ptr %at
  %is_empty = icmp eq ptr %there, null
  br i1 %is_empty, label %keep, label %taken
taken:
  %number_next = add i64 %number, 1
  br label %found
keep:
  store ptr %thing, ptr %at
  ret void
drop:
  call void @Py_DecRef(ptr %thing)
  ret void
}}
"""
# What is kept at a place, if it fits; it is dropped if it does not.
_TAKE = """
define internal ptr @{name}(ptr %at{sizes}) {{
entry:
  %thing = load ptr, ptr %at
  %is_none = icmp eq ptr %thing, null
  br i1 %is_none, label %none, label %there
there:
  store ptr null, ptr %at
  %descr_at = getelementptr i8, ptr %thing, i64 {DESCR}
  %descr = load ptr, ptr %descr_at
  %is_alike = icmp eq ptr %descr, {descr}
  %rank_at = getelementptr i8, ptr %thing, i64 {RANK}
  %rank = load i32, ptr %rank_at
  %is_as_deep = icmp eq i32 %rank, {rank}
  %is_kind = and i1 %is_alike, %is_as_deep
  br i1 %is_kind, label %kind, label %drop
kind:
  %dims_at = getelementptr i8, ptr %thing, i64 {DIMS}
  %dims = load ptr, ptr %dims_at
  %steps_at = getelementptr i8, ptr %thing, i64 {STRIDES}
  %steps = load ptr, ptr %steps_at
  %step{rank} = add i64 {item}, 0
  %fits{rank} = and i1 true, true
{axes}
  br i1 %fits0, label %fine, label %drop
fine:
  ret ptr %thing
drop:
  call void @Py_DecRef(ptr %thing)
  br label %none
none:
  ret ptr null
}}
"""
_TAKE_AXIS = """\
  %dim_at{axis} = getelementptr i64, ptr %dims, i64 {axis}
  %dim{axis} = load i64, ptr %dim_at{axis}
  %same_dim{axis} = icmp eq i64 %dim{axis}, %size{axis}
  %its_at{axis} = getelementptr i64, ptr %steps, i64 {axis}
  %its{axis} = load i64, ptr %its_at{axis}
  %same_step{axis} = icmp eq i64 %its{axis}, %step{inner}
  %step{axis} = mul i64 %step{inner}, %size{axis}
  %same{axis} = and i1 %same_dim{axis}, %same_step{axis}
  %fits{axis} = and i1 %fits{inner}, %same{axis}
"""
_WORDS = {
    name: getattr(abi, name)
    for name in ("TYPE", "BASE", "WEAK", "FLAGS", "RANK", "DIMS", "STRIDES", "DESCR")
}


def keep(text: Calls, one: Instruction) -> None:
    """Let go of an array, and keep it for what is made next, if it may be kept."""
    counted = "i32" if abi.counting() == "mortal" else "i64"
    text.helpers["keep_spare"] = _KEEP.format(
        counted=counted, as_new=AS_NEW, largest=LARGEST, **_WORDS
    )
    first, count, item = _numbers(one)
    thing = text.read(one.args[0], "ptr")
    given = f"ptr {thing}, ptr {_at(text, first)}, i64 {count}, i64 {item}"
    text.line(f"call void @keep_spare({given})")


def take(text: Calls, one: Instruction) -> str:
    """An array that was kept and fits, or a new one; null where memory has ended."""
    name = _taker(text, np.dtype(one.symbol), len(one.args))
    sizes = "".join(f", i64 {text.read(size, 'i64')}" for size in one.args)
    found, after = text.fresh(), text.fresh_label()
    text.slots.append(f"{found} = alloca ptr")
    first, count, _ = _numbers(one)
    for place in range(first, first + count):
        thing = text.set(f"call ptr @{name}(ptr {_at(text, place)}{sizes})")
        text.line(f"store ptr {thing}, ptr {found}")
        further = text.fresh_label()
        text.line(f"br i1 {text.is_null(thing)}, label %{further}, label %{after}")
        text.label(further)
    text.line(
        f"store ptr {text.new_array(np.dtype(one.symbol), one.args)}, ptr {found}"
    )
    text.to_label(after)
    return text.set(f"load ptr, ptr {found}")


def _taker(text: Calls, dtype: np.dtype[Any], rank: int) -> str:
    """The name of the function that takes what is kept of a kind."""
    descr = text.descr(dtype)
    name = f"take_{descr[1:]}_{rank}"
    axes = reversed(range(rank))
    text.helpers[name] = _TAKE.format(
        name=name,
        sizes="".join(f", i64 %size{axis}" for axis in range(rank)),
        descr=descr,
        rank=rank,
        item=dtype.itemsize,
        axes="".join(_TAKE_AXIS.format(axis=i, inner=i + 1) for i in axes),
        **_WORDS,
    )
    return name


def _numbers(one: Instruction) -> list[int]:
    """The first place in the table, how many there are, and the size of an element."""
    return [int(word) for word in one.type.split()[1:]]


def _at(text: Calls, place: int) -> str:
    table = text.symbol(SPARES, f"@{SPARES} = external global ptr")
    return text.set(f"getelementptr ptr, ptr {table}, i64 {place}")
