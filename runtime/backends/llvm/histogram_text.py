"""histogram_text: `np.histogram` of bins of one width, as LLVM's text.

It goes as NumPy does: an index by the width, mended where rounding has put an element
on the wrong side of an edge; weights are added up for each block of its own.
"""

from __future__ import annotations

from collections.abc import Callable

from runtime.backends.llvm.counting_text import CLEARS, ROW
from runtime.backends.llvm.helpers import FAMILIES, Helper

# The elements that NumPy adds up before it adds the sums to those so far.
BLOCK = 65536

# The least and the largest of a row, in memory; false where there is a NaN. Four at a
# time, so that one comparison need not wait for the other.
_ENDS = """\
  %first = load double, ptr %x
  br label %test4
test4:
  %k = phi i64 [ 0, %entry ], [ %k4, %each4 ]
  %at = phi ptr [ %x, %entry ], [ %at4, %each4 ]
{phis}  %k4 = add i64 %k, 4
  %left4 = icmp sle i64 %k4, %n
  br i1 %left4, label %each4, label %test
each4:
{four}  br label %test4
test:
  %i = phi i64 [ %k, %test4 ], [ %i1, %each ]
  %here = phi ptr [ %at, %test4 ], [ %next, %each ]
  %low = phi double [ %low.0, %test4 ], [ %low.n, %each ]
  %high = phi double [ %high.0, %test4 ], [ %high.n, %each ]
  %nan = phi i1 [ %nan.0, %test4 ], [ %nan.n, %each ]
  %left = icmp slt i64 %i, %n
  br i1 %left, label %each, label %end
each:
  %one = load double, ptr %here
  %is_low = fcmp olt double %one, %low
  %low.n = select i1 %is_low, double %one, double %low
  %is_high = fcmp ogt double %one, %high
  %high.n = select i1 %is_high, double %one, double %high
  %is_nan = fcmp uno double %one, %one
  %nan.n = or i1 %nan, %is_nan
  %next = getelementptr i8, ptr %here, i64 %step
  %i1 = add i64 %i, 1
  br label %test
end:
{join}  %fine = xor i1 %nan.end, true
  store double %low.end, ptr %ends
  %second = getelementptr double, ptr %ends, i64 1
  store double %high.end, ptr %second
  ret i1 %fine
"""


def _ends_body() -> str:
    """The lines, with four of each."""
    phis, four, join = [], [], []
    for n in range(4):
        phis += [
            f"%low.{n} = phi double [ %first, %entry ], [ %low.{n}.to, %each4 ]",
            f"%high.{n} = phi double [ %first, %entry ], [ %high.{n}.to, %each4 ]",
            f"%nan.{n} = phi i1 [ false, %entry ], [ %nan.{n}.to, %each4 ]",
        ]
        at, to = "%at" if n == 0 else f"%at{n}", f"%at{n + 1}"
        four += [
            f"%one.{n} = load double, ptr {at}",
            f"%is_low.{n} = fcmp olt double %one.{n}, %low.{n}",
            f"%low.{n}.to = select i1 %is_low.{n}, double %one.{n}, double %low.{n}",
            f"%is_high.{n} = fcmp ogt double %one.{n}, %high.{n}",
            f"%high.{n}.to = select i1 %is_high.{n}, double %one.{n}, double %high.{n}",
            f"%is_nan.{n} = fcmp uno double %one.{n}, %one.{n}",
            f"%nan.{n}.to = or i1 %nan.{n}, %is_nan.{n}",
            f"{to} = getelementptr i8, ptr {at}, i64 %step",
        ]
    low, high, nan = "%low", "%high", "%nan"
    for n in (1, 2, 3):
        last = "end" if n == 3 else str(-n)
        join += [
            f"%lower.{n} = fcmp olt double %low.{n}, {low}",
            f"%low.j{last} = select i1 %lower.{n}, double %low.{n}, double {low}",
            f"%higher.{n} = fcmp ogt double %high.{n}, {high}",
            f"%high.j{last} = select i1 %higher.{n}, double %high.{n}, double {high}",
            f"%nan.j{last} = or i1 %nan.{n}, {nan}",
        ]
        low, high, nan = (f"%{word}.j{last}" for word in ("low", "high", "nan"))
    lines = ["".join(f"  {line}\n" for line in part) for part in (phis, four, join)]
    body = _ENDS.replace("{phis}", lines[0]).replace("{four}", lines[1])
    return body.replace("{join}", lines[2]).replace(".jend", ".end")


# `np.linspace(first, last, bins + 1)`; false where NumPy finds two edges to be one.
_EDGES = """\
  %delta = fsub double %last, %first
  %count = sitofp i64 %bins to double
  %width = fdiv double %delta, %count
  %none = fcmp oeq double %width, 0.0
  store double %last, ptr %to
  br i1 %none, label %wrong, label %test
test:
  %k = phi i64 [ 0, %entry ], [ %k1, %each ]
  %before = phi double [ 0xFFF0000000000000, %entry ], [ %edge, %each ]
  %rise = phi i1 [ true, %entry ], [ %rise1, %each ]
  %left = icmp slt i64 %k, %bins
  br i1 %left, label %each, label %end
each:
  %number = sitofp i64 %k to double
  %far = fmul double %number, %width
  %edge = fadd double %far, %first
  %at = getelementptr double, ptr %to, i64 %k
  store double %edge, ptr %at
  %is_above = fcmp olt double %before, %edge
  %rise1 = and i1 %rise, %is_above
  %k1 = add i64 %k, 1
  br label %test
end:
  %end_at = getelementptr double, ptr %to, i64 %bins
  store double %last, ptr %end_at
  %end_above = fcmp olt double %before, %last
  %fine = and i1 %rise, %end_above
  ret i1 %fine
wrong:
  ret i1 false
"""

_HISTOGRAM = """\
  %bytes = mul i64 %bins, 8
  call void @llvm.memset.p0.i64(ptr %to, i8 0, i64 %bytes, i1 false)
  %width = fsub double %last, %first
  %count = sitofp i64 %bins to double
  %last_bin = sub i64 %bins, 1
  br label %blocks
blocks:
  %begin = phi i64 [ 0, %entry ], [ %stop, %added ]
  %some = icmp slt i64 %begin, %n
  br i1 %some, label %block, label %end
block:
  %full = add i64 %begin, {BLOCK}
  %is_full = icmp slt i64 %full, %n
  %stop = select i1 %is_full, i64 %full, i64 %n
{clear}  br label %test
test:
  %k = phi i64 [ %begin, %block ], [ %k1, %after ]
  %left = icmp slt i64 %k, %stop
  br i1 %left, label %each, label %done
each:
  %off = mul i64 %k, %step
  %at = getelementptr i8, ptr %x, i64 %off
  %one = load double, ptr %at
  %not_below = fcmp oge double %one, %first
  %not_above = fcmp ole double %one, %last
  %inside = and i1 %not_below, %not_above
  br i1 %inside, label %keep, label %after
keep:
  %far = fsub double %one, %first
  %part = fdiv double %far, %width
  %place = fmul double %part, %count
  %index = fptosi double %place to i64
  %is_end = icmp eq i64 %index, %bins
  %index1 = select i1 %is_end, i64 %last_bin, i64 %index
  %edge_at = getelementptr double, ptr %edges, i64 %index1
  %edge = load double, ptr %edge_at
  %is_less = fcmp olt double %one, %edge
  %less = zext i1 %is_less to i64
  %index2 = sub i64 %index1, %less
  %over_at = getelementptr double, ptr %edges, i64 %index2
  %over_at1 = getelementptr i8, ptr %over_at, i64 8
  %over = load double, ptr %over_at1
  %is_over = fcmp oge double %one, %over
  %is_inner = icmp ne i64 %index2, %last_bin
  %more = and i1 %is_over, %is_inner
  %most = zext i1 %more to i64
  %found = add i64 %index2, %most
{add}  br label %after
after:
  %k1 = add i64 %k, 1
  br label %test
done:
{join}  br label %added
added:
  br label %blocks
end:
  ret void
"""
_COUNT = """\
  %bin = getelementptr i64, ptr %to, i64 %found
  %sofar = load i64, ptr %bin
  %counted = add i64 %sofar, 1
  store i64 %counted, ptr %bin
"""
_WEIGH = """\
  %weight_off = mul i64 %k, %weight_step
  %weight_at = getelementptr i8, ptr %weights, i64 %weight_off
  %weight = load double, ptr %weight_at
  %bin = getelementptr double, ptr %sums, i64 %found
  %sofar = load double, ptr %bin
  %weighed = fadd double %sofar, %weight
  store double %weighed, ptr %bin
"""
_CLEAR_SUMS = """\
  call void @llvm.memset.p0.i64(ptr %sums, i8 0, i64 %bytes, i1 false)
"""
_ADD_SUMS = """\
  br label %sum_test
sum_test:
  %s = phi i64 [ 0, %done ], [ %s1, %sum_each ]
  %sum_left = icmp slt i64 %s, %bins
  br i1 %sum_left, label %sum_each, label %added
sum_each:
  %sum_at = getelementptr double, ptr %sums, i64 %s
  %sum = load double, ptr %sum_at
  %to_at = getelementptr double, ptr %to, i64 %s
  %old = load double, ptr %to_at
  %new = fadd double %old, %sum
  store double %new, ptr %to_at
  %s1 = add i64 %s, 1
  br label %sum_test
"""


def ends() -> Helper:
    """The least and the largest of a row that is not empty; whether none is a NaN."""
    return Helper({**ROW, "ends": "ptr"}, "i1", _ends_body(), notes=True)


def edges() -> Helper:
    """The edges of so many bins of one width; whether each is above the one before."""
    takes = {"first": "double", "last": "double", "bins": "i64", "to": "ptr"}
    return Helper(takes, "i1", _EDGES, notes=True)


BINS = {**ROW, "first": "double", "last": "double", "bins": "i64", "edges": "ptr"}


def histogram() -> Helper:
    """How many elements are in each bin."""
    body = _HISTOGRAM.replace("{clear}", "").replace("{add}", _COUNT)
    body = body.replace("{join}", "").replace("{BLOCK}", str(BLOCK))
    return Helper({**BINS, "to": "ptr"}, "void", body, True, CLEARS)


def weights_in_bins() -> Helper:
    """The sums of the weights of the elements in each bin."""
    body = _HISTOGRAM.replace("{clear}", _CLEAR_SUMS).replace("{add}", _WEIGH)
    body = body.replace("{join}  br label %added\n", _ADD_SUMS)
    body = body.replace("{BLOCK}", str(BLOCK))
    takes = {**BINS, "to": "ptr", "sums": "ptr"}
    takes |= {"weights": "ptr", "weight_step": "i64"}
    return Helper(takes, "void", body, True, CLEARS)


TEXTS: dict[str, Callable[..., Helper]]
TEXTS = {"ends": ends, "edges": edges, "histogram": histogram}
TEXTS |= {"weights_in_bins": weights_in_bins}
FAMILIES |= TEXTS
