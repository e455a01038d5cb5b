"""order_text: the elements in the middle of a row, and like ones, as LLVM's text."""

from __future__ import annotations

from collections.abc import Callable

from runtime.backends.llvm.helpers import FAMILIES, ROW, Helper, of_type

# Of so few elements each is put in its place.
FEW = 16

# The k-th element of a copy, in order, where it belongs, and the next one behind it.
# 0: there is a NaN; 2: there is a -0.0, which may be the one zero or the other.
_SELECT = """\
  br label %copy_test
copy_test:
  %c = phi i64 [ 0, %entry ], [ %c1, %copy ]
  %from = phi ptr [ %x, %entry ], [ %from1, %copy ]
  %nan = phi i1 [ false, %entry ], [ %nan1, %copy ]
  %minus = phi i1 [ false, %entry ], [ %minus1, %copy ]
  %copy_left = icmp slt i64 %c, %n
  br i1 %copy_left, label %copy, label %copied
copy:
  %one = load double, ptr %from
  %into = getelementptr double, ptr %to, i64 %c
  store double %one, ptr %into
  %is_nan = fcmp uno double %one, %one
  %nan1 = or i1 %nan, %is_nan
  %bits = bitcast double %one to i64
  %is_minus = icmp eq i64 %bits, -9223372036854775808
  %minus1 = or i1 %minus, %is_minus
  %from1 = getelementptr i8, ptr %from, i64 %step
  %c1 = add i64 %c, 1
  br label %copy_test
copied:
  %last = sub i64 %n, 1
  br i1 %nan, label %wrong, label %part
part:
  %low = phi i64 [ 0, %copied ], [ %low1, %parted ]
  %high = phi i64 [ %last, %copied ], [ %high1, %parted ]
  %span = sub i64 %high, %low
  %few = icmp slt i64 %span, {FEW}
  br i1 %few, label %sort, label %split
split:
  %sum = add i64 %low, %high
  %mid = lshr i64 %sum, 1
  %low_at = getelementptr double, ptr %to, i64 %low
  %mid_at = getelementptr double, ptr %to, i64 %mid
  %high_at = getelementptr double, ptr %to, i64 %high
  %a = load double, ptr %low_at
  %b = load double, ptr %mid_at
  %z = load double, ptr %high_at
  %ab = fcmp olt double %a, %b
  %least = select i1 %ab, double %a, double %b
  %most = select i1 %ab, double %b, double %a
  %mz = fcmp olt double %most, %z
  %upper = select i1 %mz, double %most, double %z
  %lu = fcmp olt double %least, %upper
  %pivot = select i1 %lu, double %upper, double %least
  br label %up
up:
  %i = phi i64 [ %low, %split ], [ %i1, %up_on ], [ %i2, %swapped ]
  %j0 = phi i64 [ %high, %split ], [ %j0, %up_on ], [ %j2, %swapped ]
  %i_at = getelementptr double, ptr %to, i64 %i
  %vi = load double, ptr %i_at
  %go_up = fcmp olt double %vi, %pivot
  br i1 %go_up, label %up_on, label %down
up_on:
  %i1 = add i64 %i, 1
  br label %up
down:
  %j = phi i64 [ %j0, %up ], [ %j1, %down_on ]
  %j_at = getelementptr double, ptr %to, i64 %j
  %vj = load double, ptr %j_at
  %go_down = fcmp ogt double %vj, %pivot
  br i1 %go_down, label %down_on, label %met
down_on:
  %j1 = sub i64 %j, 1
  br label %down
met:
  %swaps = icmp sle i64 %i, %j
  br i1 %swaps, label %swapped_now, label %parted
swapped_now:
  store double %vj, ptr %i_at
  store double %vi, ptr %j_at
  %i2 = add i64 %i, 1
  %j2 = sub i64 %j, 1
  %more = icmp sle i64 %i2, %j2
  br i1 %more, label %swapped, label %parted
swapped:
  br label %up
parted:
  %i_end = phi i64 [ %i, %met ], [ %i2, %swapped_now ]
  %j_end = phi i64 [ %j, %met ], [ %j2, %swapped_now ]
  %is_left = icmp sle i64 %k, %j_end
  %is_right = icmp sge i64 %k, %i_end
  %low_else = select i1 %is_right, i64 %i_end, i64 %k
  %high_else = select i1 %is_right, i64 %high, i64 %k
  %low1 = select i1 %is_left, i64 %low, i64 %low_else
  %high1 = select i1 %is_left, i64 %j_end, i64 %high_else
  br label %part
sort:
  %o = phi i64 [ %low, %part ], [ %o1, %put ]
  %o1 = add i64 %o, 1
  %sort_left = icmp sle i64 %o1, %high
  br i1 %sort_left, label %take, label %sorted
take:
  %taken_at = getelementptr double, ptr %to, i64 %o1
  %taken = load double, ptr %taken_at
  br label %shift
shift:
  %s = phi i64 [ %o1, %take ], [ %s1, %shift_on ]
  %s1 = sub i64 %s, 1
  %inside = icmp sgt i64 %s, %low
  br i1 %inside, label %look, label %put
look:
  %before_at = getelementptr double, ptr %to, i64 %s1
  %before = load double, ptr %before_at
  %is_more = fcmp ogt double %before, %taken
  br i1 %is_more, label %shift_on, label %put
shift_on:
  %here_at = getelementptr double, ptr %to, i64 %s
  store double %before, ptr %here_at
  br label %shift
put:
  %put_at = getelementptr double, ptr %to, i64 %s
  store double %taken, ptr %put_at
  br label %sort
sorted:
  %k1 = add i64 %k, 1
  %is_beyond = icmp sgt i64 %k1, %high
  %is_there = icmp slt i64 %k1, %n
  %seek = and i1 %is_beyond, %is_there
  %next_at = getelementptr double, ptr %to, i64 %k1
  br i1 %seek, label %seek_first, label %end
seek_first:
  %first = load double, ptr %next_at
  br label %seek_test
seek_test:
  %m = phi i64 [ %k1, %seek_first ], [ %m1, %seek_each ]
  %best = phi double [ %first, %seek_first ], [ %best1, %seek_each ]
  %m1 = add i64 %m, 1
  %seek_left = icmp slt i64 %m1, %n
  br i1 %seek_left, label %seek_each, label %found
seek_each:
  %m_at = getelementptr double, ptr %to, i64 %m1
  %vm = load double, ptr %m_at
  %is_less = fcmp olt double %vm, %best
  %best1 = select i1 %is_less, double %vm, double %best
  br label %seek_test
found:
  store double %best, ptr %next_at
  br label %end
end:
  %code = select i1 %minus, i64 2, i64 1
  ret i64 %code
wrong:
  ret i64 0
"""

# As NumPy goes from one number to the next.
_LERP = """\
  %diff = fsub double %b, %a
  %part = fmul double %diff, %t
  %up = fadd double %a, %part
  %rest = fsub double 1.0, %t
  %back = fmul double %diff, %rest
  %down = fsub double %b, %back
  %is_far = fcmp oge double %t, 0.5
  %found = select i1 %is_far, double %down, double %up
  ret double %found
"""

# The mean of two numbers, or of one: NumPy's sums begin with 0.0.
_MIDDLE = """\
  %first = fadd double 0.0, %a
  %both = fadd double %first, %b
  %half = fmul double %both, 0.5
  %found = select i1 %is_one, double %first, double %half
  ret double %found
"""

# Each element that differs from the one before it; -1 where the one zero is dropped for
# the other.
_DISTINCT = """\
  br label %test
test:
  %k = phi i64 [ 0, %entry ], [ %k1, %each ]
  %count = phi i64 [ 0, %entry ], [ %more, %each ]
  %unsure = phi i1 [ false, %entry ], [ %unsure1, %each ]
  %left = icmp slt i64 %k, %n
  br i1 %left, label %each, label %end
each:
  %off = mul i64 %k, %step
  %at = getelementptr i8, ptr %x, i64 %off
  %one = load T, ptr %at
  %back = sub i64 %count, 1
  %is_first = icmp eq i64 %count, 0
  %known = select i1 %is_first, i64 0, i64 %back
  %known_at = getelementptr T, ptr %x, i64 %known
  %before = load T, ptr %known_at
  %differs = {differs} T %one, %before
  %is_new = or i1 %is_first, %differs
  %bits = load {bits}, ptr %at
  %bits_before = load {bits}, ptr %known_at
  %is_other = icmp ne {bits} %bits, %bits_before
  %is_old = xor i1 %is_new, true
  %is_unsure = and i1 %is_old, %is_other
  %unsure1 = or i1 %unsure, %is_unsure
  %place = getelementptr T, ptr %x, i64 %count
  %old = load T, ptr %place
  %put = select i1 %is_new, T %one, T %old
  store T %put, ptr %place
  %new = zext i1 %is_new to i64
  %more = add i64 %count, %new
  %k1 = add i64 %k, 1
  br label %test
end:
  %told = select i1 %unsure, i64 -1, i64 %count
  ret i64 %told
"""


def select() -> Helper:
    """The k-th and the next of a row, in order, in a copy; how far they can be told."""
    body = _SELECT.replace("{FEW}", str(FEW))
    return Helper({**ROW, "k": "i64", "to": "ptr"}, "i64", body, notes=True)


def lerp() -> Helper:
    """The number between two others, at a part of the way."""
    return Helper({"a": "double", "b": "double", "t": "double"}, "double", _LERP, True)


def middle() -> Helper:
    """The mean of `a` and `b`, or of `a` alone."""
    takes = {"a": "double", "b": "double", "is_one": "i1"}
    return Helper(takes, "double", _MIDDLE, True)


def distinct(kind: str, type: str) -> Helper:
    """How many differ in a row in order, side by side; they come to its front."""
    word = "fcmp une" if kind == "f" else "icmp ne"
    bits = {"float": "i32", "double": "i64"}.get(type, type)
    body = _DISTINCT.format(differs=word, bits=bits)
    return Helper(ROW, "i64", of_type(body, type), notes=kind == "f")


TEXTS: dict[str, Callable[..., Helper]]
TEXTS = {"select": select, "lerp": lerp, "middle": middle, "distinct": distinct}
FAMILIES |= TEXTS
