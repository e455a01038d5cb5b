"""histogram_text: `np.histogram` of bins of one width, as LLVM's text.

It goes as NumPy does: an index by the width, mended where rounding has put an element
on the wrong side of an edge; weights are added up for each block of its own. Vectors
take another index, which is mended in the same way (decision 132).
"""

from __future__ import annotations

from collections.abc import Callable

from runtime.backends.llvm.counting_text import CLEARS
from runtime.backends.llvm.helpers import FAMILIES, ROW, Helper

# The elements that NumPy adds up before it adds the sums to those so far.
BLOCK = 65536

# Some elements of a row side by side, as vectors want them: where they lie, or in
# `room`, if there are gaps or too few of them. The first stands for those that lack.
CHUNK = 512
_CHUNKS = """\
chunks:
  %begin = phi i64 [ {begin}, %{before} ], [ %stop, %{back} ]
{carried}  %some = icmp slt i64 %begin, {limit}
  br i1 %some, label %chunk, label %done
chunk:
  %full = add i64 %begin, {CHUNK}
  %is_full = icmp sle i64 %full, {limit}
  %stop = select i1 %is_full, i64 %full, i64 {limit}
  %count = sub i64 %stop, %begin
  %most = add i64 %count, 15
  %padded = and i64 %most, -16
  %off = mul i64 %begin, %step
  %from = getelementptr i8, ptr %x, i64 %off
  %beside = icmp eq i64 %step, 8
  %lies = and i1 %beside, %is_full
  br i1 %lies, label %start, label %copy
copy:
  %c = phi i64 [ 0, %chunk ], [ %c1, %copy ]
  %is_one = icmp slt i64 %c, %count
  %c_of = select i1 %is_one, i64 %c, i64 0
  %c_off = mul i64 %c_of, %step
  %c_at = getelementptr i8, ptr %from, i64 %c_off
  %c_one = load double, ptr %c_at
  %c_to = getelementptr double, ptr %room, i64 %c
  store double %c_one, ptr %c_to
  %c1 = add i64 %c, 1
  %uncopied = icmp slt i64 %c1, %padded
  br i1 %uncopied, label %copy, label %start
start:
  %row = phi ptr [ %from, %chunk ], [ %room, %copy ]
"""

# The least and the largest of a row, in memory; false where there is a NaN. Sixteen
# at a time, so that one comparison need not wait for the other.
_ENDS = """\
  %room = alloca [{CHUNK} x double], align 64
  %first = load double, ptr %x
{first}  br label %chunks
{chunks}  br label %vector
vector:
  %k = phi i64 [ 0, %start ], [ %k16, %vector ]
  %low.v = phi <16 x double> [ %low.c, %start ], [ %low.n, %vector ]
  %high.v = phi <16 x double> [ %high.c, %start ], [ %high.n, %vector ]
  %nan.v = phi <16 x i1> [ %nan.c, %start ], [ %nan.n, %vector ]
  %at = getelementptr double, ptr %row, i64 %k
  %v = load <16 x double>, ptr %at, align 8
  %is_low = fcmp olt <16 x double> %v, %low.v
  %low.n = select <16 x i1> %is_low, <16 x double> %v, <16 x double> %low.v
  %is_high = fcmp ogt <16 x double> %v, %high.v
  %high.n = select <16 x i1> %is_high, <16 x double> %v, <16 x double> %high.v
  %is_nan = fcmp uno <16 x double> %v, %v
  %nan.n = or <16 x i1> %nan.v, %is_nan
  %k16 = add i64 %k, 16
  %left = icmp slt i64 %k16, %padded
  br i1 %left, label %vector, label %back
back:
  br label %chunks
done:
{join}  %nans = bitcast <16 x i1> %nan.c to i16
  %fine = icmp eq i16 %nans, 0
  store double %low.end, ptr %ends
  %second = getelementptr double, ptr %ends, i64 1
  store double %high.end, ptr %second
  ret i1 %fine
"""
_CARRIED = """\
  %low.c = phi <16 x double> [ %first.v, %entry ], [ %low.n, %back ]
  %high.c = phi <16 x double> [ %first.v, %entry ], [ %high.n, %back ]
  %nan.c = phi <16 x i1> [ zeroinitializer, %entry ], [ %nan.n, %back ]
"""


def _chunks(begin: str, limit: str, before: str, back: str, carried: str = "") -> str:
    """The lines that go from `begin` to `limit`, and come again from `back`."""
    words = {"begin": begin, "limit": limit, "before": before, "back": back}
    return _CHUNKS.format(carried=carried, CHUNK=CHUNK, **words)


def _all(name: str, count: int, kind: str = "double") -> str:
    """The lines of a vector that holds one number everywhere."""
    type = f"<{count} x {kind}>"
    one = f"  %{name}.1 = insertelement {type} poison, {kind} %{name}, i32 0\n"
    zeros = f"<{count} x i32> zeroinitializer"
    shuffled = f"shufflevector {type} %{name}.1, {type} poison, {zeros}"
    return f"{one}  %{name}.v = {shuffled}\n"


def _ends_body() -> str:
    """The lines; at the end the halves of the vectors are compared, again and again."""
    join = []
    low, high = "%low.c", "%high.c"
    for half in (8, 4, 2, 1):
        type, whole = f"<{half} x double>", f"<{2 * half} x double>"
        for word, test, value in (("low", "olt", low), ("high", "ogt", high)):
            for part, first in (("a", 0), ("b", half)):
                places = ", ".join(f"i32 {first + n}" for n in range(half))
                mask = f"<{half} x i32> <{places}>"
                shuffled = f"shufflevector {whole} {value}, {whole} poison, {mask}"
                join.append(f"%{word}.{part}{half} = {shuffled}")
            a, b, to = f"%{word}.a{half}", f"%{word}.b{half}", f"%{word}.{half}"
            join.append(f"{to}.t = fcmp {test} {type} {b}, {a}")
            join.append(f"{to} = select <{half} x i1> {to}.t, {type} {b}, {type} {a}")
        low, high = f"%low.{half}", f"%high.{half}"
    for word in ("low", "high"):
        join.append(f"%{word}.end = extractelement <1 x double> %{word}.1, i32 0")
    chunks = _chunks("0", "%n", "entry", "back", _CARRIED)
    joined = "".join(f"  {line}\n" for line in join)
    begin = _all("first", 16)
    return _ENDS.format(CHUNK=CHUNK, first=begin, chunks=chunks, join=joined)


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

# The bins of a chunk's elements are found first, and then counted, or weighed. -1 is
# none. Eight at a time find theirs by a product; the edges beside it are computed as
# those in memory, so it may be one off, as the quotient that NumPy takes. It cannot be
# more where edges lie far apart beside how exact they are: else each is NumPy's way.
_HISTOGRAM = """\
  %room = alloca [{CHUNK} x double], align 64
  %found = alloca [{CHUNK} x i64], align 64
  %bytes = mul i64 %bins, 8
  call void @llvm.memset.p0.i64(ptr %to, i8 0, i64 %bytes, i1 false)
  %width = fsub double %last, %first
  %many = sitofp i64 %bins to double
  %last_bin = sub i64 %bins, 1
  %one_width = fdiv double %width, %many
  %in_one = fdiv double %many, %width
  %below = fneg double %first
  %is_below = fcmp ogt double %below, %last
  %far_end = select i1 %is_below, double %below, double %last
  %exact = fmul double %far_end, 0x3D70000000000000
  %is_wide = fcmp olt double %exact, %one_width
  %is_normal = fcmp ogt double %one_width, 0x0170000000000000
  %is_number = fcmp olt double %in_one, 0x7FF0000000000000
  %are_few = icmp slt i64 %bins, 1073741824
  %quick.1 = and i1 %is_wide, %is_normal
  %quick.2 = and i1 %is_number, %are_few
  %quick = and i1 %quick.1, %quick.2
  %last_small = trunc i64 %last_bin to i32
{vectors}  br label %blocks
blocks:
  %block = phi i64 [ 0, %entry ], [ %block_stop, %added ]
  %block_some = icmp slt i64 %block, %n
  br i1 %block_some, label %block_begin, label %end
block_begin:
  %block_full = add i64 %block, {BLOCK}
  %block_is_full = icmp slt i64 %block_full, %n
  %block_stop = select i1 %block_is_full, i64 %block_full, i64 %n
{clear}  br label %chunks
{chunks}  br i1 %quick, label %vector, label %slow
vector:
  %k = phi i64 [ 0, %start ], [ %k8, %vector ]
  %at = getelementptr double, ptr %row, i64 %k
  %v = load <8 x double>, ptr %at, align 8
  %v_not_below = fcmp oge <8 x double> %v, %first.v
  %v_not_above = fcmp ole <8 x double> %v, %last.v
  %v_inside = and <8 x i1> %v_not_below, %v_not_above
  %v_one = select <8 x i1> %v_inside, <8 x double> %v, <8 x double> %first.v
  %v_far = fsub <8 x double> %v_one, %first.v
  %v_place = fmul <8 x double> %v_far, %in_one.v
  %v_index = fptosi <8 x double> %v_place to <8 x i32>
  %v_is_end = icmp sgt <8 x i32> %v_index, %last_small.v
  %v_bin = select <8 x i1> %v_is_end, <8 x i32> %last_small.v, <8 x i32> %v_index
  %v_number = sitofp <8 x i32> %v_bin to <8 x double>
  %v_from = fmul <8 x double> %v_number, %one_width.v
  %v_edge = fadd <8 x double> %v_from, %first.v
  %v_less = fcmp olt <8 x double> %v_one, %v_edge
  %v_next = fadd <8 x double> %v_number, {ones}
  %v_upto = fmul <8 x double> %v_next, %one_width.v
  %v_over = fadd <8 x double> %v_upto, %first.v
  %v_is_over = fcmp oge <8 x double> %v_one, %v_over
  %v_inner = icmp ne <8 x i32> %v_bin, %last_small.v
  %v_more = and <8 x i1> %v_is_over, %v_inner
  %v_down = sext <8 x i1> %v_less to <8 x i32>
  %v_up = zext <8 x i1> %v_more to <8 x i32>
  %v_moved = add <8 x i32> %v_down, %v_up
  %v_right = add <8 x i32> %v_bin, %v_moved
  %v_none = sext <8 x i1> %v_inside to <8 x i32>
  %v_out = xor <8 x i32> %v_none, {minus_ones}
  %v_small = or <8 x i32> %v_right, %v_out
  %v_found = sext <8 x i32> %v_small to <8 x i64>
  %v_to = getelementptr i64, ptr %found, i64 %k
  store <8 x i64> %v_found, ptr %v_to, align 8
  %k8 = add i64 %k, 8
  %v_left = icmp slt i64 %k8, %padded
  br i1 %v_left, label %vector, label %counting
slow:
  %s = phi i64 [ 0, %start ], [ %s1, %after ]
  %s_at = getelementptr double, ptr %row, i64 %s
  %one = load double, ptr %s_at
  %not_below = fcmp oge double %one, %first
  %not_above = fcmp ole double %one, %last
  %inside = and i1 %not_below, %not_above
  br i1 %inside, label %keep, label %after
keep:
  %far = fsub double %one, %first
  %part = fdiv double %far, %width
  %place = fmul double %part, %many
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
  %more1 = zext i1 %more to i64
  %index3 = add i64 %index2, %more1
  br label %after
after:
  %s_bin = phi i64 [ -1, %slow ], [ %index3, %keep ]
  %s_to = getelementptr i64, ptr %found, i64 %s
  store i64 %s_bin, ptr %s_to
  %s1 = add i64 %s, 1
  %s_left = icmp slt i64 %s1, %count
  br i1 %s_left, label %slow, label %counting
counting:
  %i = phi i64 [ 0, %vector ], [ 0, %after ], [ %i1, %counted ]
  %i_at = getelementptr i64, ptr %found, i64 %i
  %bin = load i64, ptr %i_at
  %is_some = icmp sge i64 %bin, 0
  br i1 %is_some, label %count_one, label %counted
count_one:
{add}  br label %counted
counted:
  %i1 = add i64 %i, 1
  %i_left = icmp slt i64 %i1, %count
  br i1 %i_left, label %counting, label %back
back:
  br label %chunks
done:
{join}added:
  br label %blocks
end:
  ret void
"""
_COUNT = """\
  %bin_at = getelementptr i64, ptr %to, i64 %bin
  %sofar = load i64, ptr %bin_at
  %one_more = add i64 %sofar, 1
  store i64 %one_more, ptr %bin_at
"""
_WEIGH = """\
  %w = add i64 %begin, %i
  %weight_off = mul i64 %w, %weight_step
  %weight_at = getelementptr i8, ptr %weights, i64 %weight_off
  %weight = load double, ptr %weight_at
  %bin_at = getelementptr double, ptr %sums, i64 %bin
  %sofar = load double, ptr %bin_at
  %weighed = fadd double %sofar, %weight
  store double %weighed, ptr %bin_at
"""
_CLEAR_SUMS = """\
  call void @llvm.memset.p0.i64(ptr %sums, i8 0, i64 %bytes, i1 false)
"""
_TO_ADDED = "  br label %added\n"
_ADD_SUMS = """\
  br label %sum_test
sum_test:
  %p = phi i64 [ 0, %done ], [ %p1, %sum_each ]
  %sum_left = icmp slt i64 %p, %bins
  br i1 %sum_left, label %sum_each, label %added
sum_each:
  %sum_at = getelementptr double, ptr %sums, i64 %p
  %sum = load double, ptr %sum_at
  %to_at = getelementptr double, ptr %to, i64 %p
  %old = load double, ptr %to_at
  %new = fadd double %old, %sum
  store double %new, ptr %to_at
  %p1 = add i64 %p, 1
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
    return Helper({**BINS, "to": "ptr"}, "void", _in_bins(_COUNT), True, CLEARS)


def weights_in_bins() -> Helper:
    """The sums of the weights of the elements in each bin."""
    takes = {**BINS, "to": "ptr", "sums": "ptr"}
    takes |= {"weights": "ptr", "weight_step": "i64"}
    body = _in_bins(_WEIGH, _CLEAR_SUMS, _ADD_SUMS)
    return Helper(takes, "void", body, True, CLEARS)


def _in_bins(add: str, clear: str = "", join: str = _TO_ADDED) -> str:
    """The lines that add each element to its bin.

    clear, join: what is done before and after each block
    """
    names = ("first", "last", "in_one", "one_width")
    vectors = "".join(_all(name, 8) for name in names) + _all("last_small", 8, "i32")
    words = {"BLOCK": str(BLOCK), "vectors": vectors, "add": add}
    words["ones"] = "<" + ", ".join(["double 1.0"] * 8) + ">"
    words["minus_ones"] = "<" + ", ".join(["i32 -1"] * 8) + ">"
    chunks = _chunks("%block", "%block_stop", "block_begin", "back")
    words |= {"chunks": chunks, "clear": clear, "join": join}
    return _HISTOGRAM.format(CHUNK=CHUNK, **words)


TEXTS: dict[str, Callable[..., Helper]]
TEXTS = {"ends": ends, "edges": edges, "histogram": histogram}
TEXTS |= {"weights_in_bins": weights_in_bins}
FAMILIES |= TEXTS
