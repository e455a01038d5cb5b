"""search_text: NumPy's searches in what is sorted, as LLVM's text.

Each looks at the same places in the same order as NumPy's, so that of what is not
sorted the same comes.
"""

from __future__ import annotations

from collections.abc import Callable

from runtime.backends.llvm.helpers import FAMILIES, Helper, of_type

# What is a NaN comes last; then whether the first is less.
_LESS = {"i": "icmp slt", "u": "icmp ult", "b": "icmp ult", "f": "fcmp olt"}
_NAN_IS_LAST = """\
  %{to}.nan = fcmp uno T %{b}, %{b}
  %{to}.number = fcmp ord T %{a}, %{a}
  %{to}.last = and i1 %{to}.nan, %{to}.number
  %{to} = or i1 %{to}.least, %{to}.last
"""

# A key above the one before it is looked for from where that was found.
_SEARCH = """\
  %some = icmp sgt i64 %count, 0
  br i1 %some, label %begin, label %end
begin:
  %key0 = load T, ptr %keys
  br label %each
each:
  %k = phi i64 [ 0, %begin ], [ %next, %found ]
  %last = phi T [ %key0, %begin ], [ %key, %found ]
  %low0 = phi i64 [ 0, %begin ], [ %low, %found ]
  %high0 = phi i64 [ %n, %begin ], [ %high, %found ]
  %keyoff = mul i64 %k, %keystep
  %keyat = getelementptr i8, ptr %keys, i64 %keyoff
  %key = load T, ptr %keyat
{up}  %more = add i64 %high0, 1
  %inside = icmp slt i64 %high0, %n
  %grown = select i1 %inside, i64 %more, i64 %n
  %high1 = select i1 %up, i64 %n, i64 %grown
  %low1 = select i1 %up, i64 %low0, i64 0
  br label %test
test:
  %low = phi i64 [ %low1, %each ], [ %low2, %look ]
  %high = phi i64 [ %high1, %each ], [ %high2, %look ]
  %left = icmp slt i64 %low, %high
  br i1 %left, label %look, label %found
look:
  %width = sub i64 %high, %low
  %half = lshr i64 %width, 1
  %mid = add i64 %low, %half
  %off = mul i64 %mid, %step
  %at = getelementptr i8, ptr %x, i64 %off
  %value = load T, ptr %at
{before}  %after = add i64 %mid, 1
  %low2 = select i1 %before, i64 %after, i64 %low
  %high2 = select i1 %before, i64 %high, i64 %mid
  br label %test
found:
  %place = getelementptr i64, ptr %to, i64 %k
  store i64 %low, ptr %place
  %next = add i64 %k, 1
  %again = icmp slt i64 %next, %count
  br i1 %again, label %each, label %end
end:
  ret void
"""

_IN_ORDER = """\
  %last = sub i64 %n, 1
  br label %test
test:
  %k = phi i64 [ 0, %entry ], [ %next, %each ]
  %at = phi ptr [ %x, %entry ], [ %beside, %each ]
  %left = icmp slt i64 %k, %last
  br i1 %left, label %each, label %end
each:
  %beside = getelementptr i8, ptr %at, i64 %step
  %next = add i64 %k, 1
  %a = load T, ptr %at
  %b = load T, ptr %beside
  %fine = {test} T %a, %b
  br i1 %fine, label %test, label %end
end:
  %found = phi i1 [ true, %test ], [ false, %each ]
  ret i1 %found
"""
_UP_TO = {"i": "icmp sle", "u": "icmp ule", "b": "icmp ule", "f": "fcmp ole"}

# The guess is where the number before was found: NumPy looks beside it first.
_INTERP = """\
  %one = icmp eq i64 %n, 1
  %end_i = sub i64 %n, 1
  %lastoff = mul i64 %end_i, %xstep
  %lastat = getelementptr i8, ptr %xs, i64 %lastoff
  %x0 = load double, ptr %xs
  %xn = load double, ptr %lastat
  %y0 = load double, ptr %ys
  br label %test
test:
  %k = phi i64 [ 0, %entry ], [ %next, %put ]
  %guess = phi i64 [ 0, %entry ], [ %j, %put ]
  %left = icmp slt i64 %k, %count
  br i1 %left, label %each, label %end
each:
  %vat = getelementptr double, ptr %values, i64 %k
  %v = load double, ptr %vat
  %above = fcmp ogt double %v, %xn
  %below = fcmp olt double %v, %x0
  br i1 %one, label %single, label %several
single:
  %high = select i1 %above, double %right, double %y0
  %of_one = select i1 %below, double %leftmost, double %high
  br label %put
several:
  %nan = fcmp uno double %v, %v
  br i1 %nan, label %put, label %number
number:
  br i1 %above, label %put, label %not_above
not_above:
  br i1 %below, label %put, label %search
search:
  %few = icmp sle i64 %n, 4
  br i1 %few, label %walk, label %guessed
walk:
  %w = phi i64 [ 1, %search ], [ %w1, %step_on ]
  %winside = icmp slt i64 %w, %n
  br i1 %winside, label %wlook, label %wdone
wlook:
  %woff = mul i64 %w, %xstep
  %wat = getelementptr i8, ptr %xs, i64 %woff
  %wx = load double, ptr %wat
  %wgo = fcmp oge double %v, %wx
  br i1 %wgo, label %step_on, label %wdone
step_on:
  %w1 = add i64 %w, 1
  br label %walk
wdone:
  %wj = sub i64 %w, 1
  br label %have
guessed:
  %most = sub i64 %n, 3
  %is_late = icmp sgt i64 %guess, %most
  %g0 = select i1 %is_late, i64 %most, i64 %guess
  %is_early = icmp slt i64 %g0, 1
  %g = select i1 %is_early, i64 1, i64 %g0
  %goff = mul i64 %g, %xstep
  %gat = getelementptr i8, ptr %xs, i64 %goff
  %gx = load double, ptr %gat
  %lower = fcmp olt double %v, %gx
  br i1 %lower, label %down, label %up
down:
  %g1 = sub i64 %g, 1
  %g1off = mul i64 %g1, %xstep
  %g1at = getelementptr i8, ptr %xs, i64 %g1off
  %g1x = load double, ptr %g1at
  %lower1 = fcmp olt double %v, %g1x
  br i1 %lower1, label %far_down, label %have
far_down:
  %is_far = icmp sgt i64 %g, 8
  br i1 %is_far, label %try_down, label %bisect
try_down:
  %g8 = sub i64 %g, 8
  %g8off = mul i64 %g8, %xstep
  %g8at = getelementptr i8, ptr %xs, i64 %g8off
  %g8x = load double, ptr %g8at
  %near = fcmp oge double %v, %g8x
  %low_down = select i1 %near, i64 %g8, i64 0
  br label %bisect
up:
  %u1 = add i64 %g, 1
  %u1off = mul i64 %u1, %xstep
  %u1at = getelementptr i8, ptr %xs, i64 %u1off
  %u1x = load double, ptr %u1at
  %at_g = fcmp olt double %v, %u1x
  br i1 %at_g, label %have, label %up2
up2:
  %u2 = add i64 %g, 2
  %u2off = mul i64 %u2, %xstep
  %u2at = getelementptr i8, ptr %xs, i64 %u2off
  %u2x = load double, ptr %u2at
  %at_u1 = fcmp olt double %v, %u2x
  br i1 %at_u1, label %have, label %far_up
far_up:
  %limit = sub i64 %n, 9
  %room = icmp slt i64 %g, %limit
  br i1 %room, label %try_up, label %bisect
try_up:
  %u8 = add i64 %g, 8
  %u8off = mul i64 %u8, %xstep
  %u8at = getelementptr i8, ptr %xs, i64 %u8off
  %u8x = load double, ptr %u8at
  %near_up = fcmp olt double %v, %u8x
  %high_up = select i1 %near_up, i64 %u8, i64 %n
  br label %bisect
bisect:
  %low0 = phi i64 [ 0, %far_down ], [ %low_down, %try_down ], [ %u2, %far_up ], \
[ %u2, %try_up ]
  %high0 = phi i64 [ %g1, %far_down ], [ %g1, %try_down ], [ %n, %far_up ], \
[ %high_up, %try_up ]
  br label %btest
btest:
  %low = phi i64 [ %low0, %bisect ], [ %low2, %blook ]
  %highest = phi i64 [ %high0, %bisect ], [ %high2, %blook ]
  %bleft = icmp slt i64 %low, %highest
  br i1 %bleft, label %blook, label %bdone
blook:
  %width = sub i64 %highest, %low
  %half = lshr i64 %width, 1
  %mid = add i64 %low, %half
  %moff = mul i64 %mid, %xstep
  %mat = getelementptr i8, ptr %xs, i64 %moff
  %mx = load double, ptr %mat
  %not_less = fcmp oge double %v, %mx
  %after = add i64 %mid, 1
  %low2 = select i1 %not_less, i64 %after, i64 %low
  %high2 = select i1 %not_less, i64 %highest, i64 %mid
  br label %btest
bdone:
  %bj = sub i64 %low, 1
  br label %have
have:
  %found = phi i64 [ %wj, %wdone ], [ %g1, %down ], [ %g, %up ], [ %u1, %up2 ], \
[ %bj, %bdone ]
  %nothing = icmp slt i64 %found, 0
  br i1 %nothing, label %put, label %inside
inside:
  %yoff = mul i64 %found, %ystep
  %yat = getelementptr i8, ptr %ys, i64 %yoff
  %yj = load double, ptr %yat
  %is_end = icmp eq i64 %found, %end_i
  br i1 %is_end, label %put, label %before_end
before_end:
  %xoff = mul i64 %found, %xstep
  %xat = getelementptr i8, ptr %xs, i64 %xoff
  %xj = load double, ptr %xat
  %same = fcmp oeq double %xj, %v
  br i1 %same, label %put, label %between
between:
  %xat1 = getelementptr i8, ptr %xat, i64 %xstep
  %xj1 = load double, ptr %xat1
  %yat1 = getelementptr i8, ptr %yat, i64 %ystep
  %yj1 = load double, ptr %yat1
  %rise = fsub double %yj1, %yj
  %run = fsub double %xj1, %xj
  %slope = fdiv double %rise, %run
  %far = fsub double %v, %xj
  %part = fmul double %slope, %far
  %sum = fadd double %part, %yj
  %is_number = fcmp ord double %sum, %sum
  br i1 %is_number, label %put, label %other
other:
  %far1 = fsub double %v, %xj1
  %part1 = fmul double %slope, %far1
  %sum1 = fadd double %part1, %yj1
  %nan1 = fcmp uno double %sum1, %sum1
  %level = fcmp oeq double %yj, %yj1
  %flat = and i1 %nan1, %level
  %chosen = select i1 %flat, double %yj, double %sum1
  br label %put
put:
  %j = phi i64 [ %guess, %single ], [ %guess, %several ], [ %n, %number ], \
[ -1, %not_above ], [ %found, %have ], [ %found, %inside ], [ %found, %before_end ], \
[ %found, %between ], [ %found, %other ]
  %made = phi double [ %of_one, %single ], [ %v, %several ], [ %right, %number ], \
[ %leftmost, %not_above ], [ %leftmost, %have ], [ %yj, %inside ], \
[ %yj, %before_end ], \
[ %sum, %between ], [ %chosen, %other ]
  %to_at = getelementptr double, ptr %to, i64 %k
  store double %made, ptr %to_at
  %next = add i64 %k, 1
  br label %test
end:
  ret void
"""


def search(side: str, kind: str, type: str) -> Helper:
    """`np.searchsorted(x, keys, side)`: the places of all keys."""
    takes = {"x": "ptr", "n": "i64", "step": "i64"}
    takes |= {"keys": "ptr", "count": "i64", "keystep": "i64", "to": "ptr"}
    body = _SEARCH.replace("{up}", _comes_before("up", "last", "key", side, kind))
    body = body.replace("{before}", _comes_before("before", "value", "key", side, kind))
    return Helper(takes, "void", of_type(body, type), notes=kind == "f")


def _comes_before(to: str, a: str, b: str, side: str, kind: str) -> str:
    """The lines that ask whether `a` comes before `b`; on the right, not behind it."""
    if side == "right":
        other = _comes_before(f"{to}.not", b, a, "left", kind)
        return f"{other}  %{to} = xor i1 %{to}.not, true\n"
    if kind != "f":
        return f"  %{to} = {_LESS[kind]} T %{a}, %{b}\n"
    first = f"  %{to}.least = {_LESS[kind]} T %{a}, %{b}\n"
    return first + _NAN_IS_LAST.format(to=to, a=a, b=b)


def in_order(kind: str, type: str) -> Helper:
    """Whether no element is less than the one before it; not where there is a NaN."""
    takes = {"x": "ptr", "n": "i64", "step": "i64"}
    body = _IN_ORDER.format(test=_UP_TO[kind])
    return Helper(takes, "i1", of_type(body, type), notes=kind == "f")


def interp() -> Helper:
    """`np.interp(values, xs, ys, leftmost, right)`, of at least one x."""
    takes = {"values": "ptr", "count": "i64", "xs": "ptr", "n": "i64", "xstep": "i64"}
    takes |= {"ys": "ptr", "ystep": "i64", "leftmost": "double", "right": "double"}
    return Helper({**takes, "to": "ptr"}, "void", _INTERP, notes=True)


TEXTS: dict[str, Callable[..., Helper]]
TEXTS = {"search": search, "in_order": in_order, "interp": interp}
FAMILIES |= TEXTS
