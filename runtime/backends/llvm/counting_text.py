"""counting_text: what goes through a row and counts, as LLVM's text."""

from __future__ import annotations

from collections.abc import Callable

from runtime.backends.llvm.helpers import FAMILIES, ROW, Helper, of_type

# LLVM's function that fills memory.
CLEARS = (("llvm.memset", "declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)"),)

# How many of a row of truths hold: eight at a time where they lie side by side.
_TRUE = """\
  %beside = icmp eq i64 %step, 1
  %most = and i64 %n, -8
  %words = select i1 %beside, i64 %most, i64 0
  br label %many
many:
  %i = phi i64 [ 0, %entry ], [ %i8, %word ]
  %sum = phi i64 [ 0, %entry ], [ %sum8, %word ]
  %more = icmp slt i64 %i, %words
  br i1 %more, label %word, label %rest
word:
  %at8 = getelementptr i8, ptr %x, i64 %i
  %eight = load i64, ptr %at8, align 1
  %ones = mul i64 %eight, 72340172838076673
  %count8 = lshr i64 %ones, 56
  %sum8 = add i64 %sum, %count8
  %i8 = add i64 %i, 8
  br label %many
rest:
  %k = phi i64 [ %i, %many ], [ %k1, %one ]
  %total = phi i64 [ %sum, %many ], [ %total1, %one ]
  %left = icmp slt i64 %k, %n
  br i1 %left, label %one, label %end
one:
  %off = mul i64 %k, %step
  %at = getelementptr i8, ptr %x, i64 %off
  %byte = load i8, ptr %at
  %wide = zext i8 %byte to i64
  %total1 = add i64 %total, %wide
  %k1 = add i64 %k, 1
  br label %rest
end:
  ret i64 %total
"""

# One more than the largest; 0 of none; -1 if one is negative.
_SIZE = """\
  br label %test
test:
  %k = phi i64 [ 0, %entry ], [ %k1, %each ]
  %at = phi ptr [ %x, %entry ], [ %at1, %each ]
  %high = phi i64 [ -1, %entry ], [ %high1, %each ]
  %all = phi i64 [ 0, %entry ], [ %all1, %each ]
  %left = icmp slt i64 %k, %n
  br i1 %left, label %each, label %end
each:
  %one = load T, ptr %at
  %wide = {wide}
  %all1 = or i64 %all, %wide
  %above = icmp sgt i64 %wide, %high
  %high1 = select i1 %above, i64 %wide, i64 %high
  %at1 = getelementptr i8, ptr %at, i64 %step
  %k1 = add i64 %k, 1
  br label %test
end:
  %size = add i64 %high, 1
  %wrong = icmp slt i64 %all, 0
  %found = select i1 %wrong, i64 -1, i64 %size
  ret i64 %found
"""

_BINCOUNT = """\
  %bytes = mul i64 %size, 8
  call void @llvm.memset.p0.i64(ptr %to, i8 0, i64 %bytes, i1 false)
  br label %test
test:
  %k = phi i64 [ 0, %entry ], [ %k1, %each ]
  %at = phi ptr [ %x, %entry ], [ %at1, %each ]
  %left = icmp slt i64 %k, %n
  br i1 %left, label %each, label %end
each:
  %one = load T, ptr %at
  %wide = {wide}
  %place = getelementptr i64, ptr %to, i64 %wide
{add}  %at1 = getelementptr i8, ptr %at, i64 %step
  %k1 = add i64 %k, 1
  br label %test
end:
  ret void
"""
_ADD_ONE = """\
  %before = load i64, ptr %place
  %after = add i64 %before, 1
  store i64 %after, ptr %place
"""
_ADD_WEIGHT = """\
  %weight_off = mul i64 %k, %weight_step
  %weight_at = getelementptr i8, ptr %weights, i64 %weight_off
  %weight = load double, ptr %weight_at
  %before = load double, ptr %place
  %after = fadd double %before, %weight
  store double %after, ptr %place
"""


def true() -> Helper:
    """How many of a row of truths hold."""
    return Helper(ROW, "i64", _TRUE)


def size(kind: str, type: str) -> Helper:
    """One more than the largest of some ints; 0 of none; -1 if one is negative."""
    return Helper(ROW, "i64", _of_ints(_SIZE, kind, type))


def bincount(kind: str, type: str) -> Helper:
    """`np.bincount(x)` in `size` places; none is negative, or too large."""
    body = _BINCOUNT.replace("{add}", _ADD_ONE)
    takes = {**ROW, "to": "ptr", "size": "i64"}
    return Helper(takes, "void", _of_ints(body, kind, type), declared=CLEARS)


def weighted(kind: str, type: str) -> Helper:
    """`np.bincount(x, weights)`, of float64."""
    body = _BINCOUNT.replace("{add}", _ADD_WEIGHT)
    takes = {**ROW, "to": "ptr", "size": "i64", "weights": "ptr", "weight_step": "i64"}
    return Helper(takes, "void", _of_ints(body, kind, type), True, CLEARS)


def _of_ints(body: str, kind: str, type: str) -> str:
    """The lines for ints of a dtype, each of which is made one of 64 bits."""
    word = "sext" if kind == "i" else "zext"
    wide = "add i64 %one, 0" if type == "i64" else f"{word} {type} %one to i64"
    return of_type(body.replace("{wide}", wide), type)


TEXTS: dict[str, Callable[..., Helper]]
TEXTS = {"true": true, "size": size, "bincount": bincount, "weighted": weighted}
FAMILIES |= TEXTS
