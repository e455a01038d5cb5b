"""pair_text: what compares the elements of two rows, or puts them into a polynomial."""

from __future__ import annotations

from collections.abc import Callable

from runtime.backends.llvm.helpers import FAMILIES, ROW, Helper, of_type

# Whether each is close; all are looked at, as NumPy does, which may warn.
_CLOSE = """\
  br label %test
test:
  %k = phi i64 [ 0, %entry ], [ %k1, %each ]
  %all = phi i1 [ true, %entry ], [ %all1, %each ]
  %left = icmp slt i64 %k, %n
  br i1 %left, label %each, label %end
each:
  %a_off = mul i64 %k, %step
  %a_at = getelementptr i8, ptr %x, i64 %a_off
  %a = load double, ptr %a_at
  %b_off = mul i64 %k, %y_step
  %b_at = getelementptr i8, ptr %y, i64 %b_off
  %b = load double, ptr %b_at
  %diff = fsub double %a, %b
  %diff_bits = bitcast double %diff to i64
  %diff_size = and i64 %diff_bits, 9223372036854775807
  %far = bitcast i64 %diff_size to double
  %b_bits = bitcast double %b to i64
  %b_size = and i64 %b_bits, 9223372036854775807
  %size = bitcast i64 %b_size to double
  %part = fmul double %rtol, %size
  %room = fadd double %atol, %part
  %is_near = fcmp ole double %far, %room
  %is_finite = fcmp olt double %size, 0x7FF0000000000000
  %near = and i1 %is_near, %is_finite
  %same = fcmp oeq double %a, %b
  %a_nan = fcmp uno double %a, %a
  %b_nan = fcmp uno double %b, %b
  %nans = and i1 %a_nan, %b_nan
  %equal_nans = and i1 %nans, %nan_too
  %close = or i1 %near, %same
  %found = or i1 %close, %equal_nans
{keep}  %all1 = and i1 %all, %found
  %k1 = add i64 %k, 1
  br label %test
end:
{end}"""
_KEEP = """\
  %place = getelementptr i8, ptr %to, i64 %k
  %byte = zext i1 %found to i8
  store i8 %byte, ptr %place
"""

# Whether an element is one of few others.
_AMONG = """\
  br label %test
test:
  %k = phi i64 [ 0, %entry ], [ %k1, %done ]
  %at = phi ptr [ %x, %entry ], [ %at1, %done ]
  %left = icmp slt i64 %k, %n
  br i1 %left, label %each, label %end
each:
  %one = load T, ptr %at
  br label %seek
seek:
  %j = phi i64 [ 0, %each ], [ %j1, %look ]
  %other_at = phi ptr [ %others, %each ], [ %other_at1, %look ]
  %found = phi i1 [ false, %each ], [ %found1, %look ]
  %some = icmp slt i64 %j, %count
  br i1 %some, label %look, label %done
look:
  %other = load T, ptr %other_at
  %same = {same} T %one, %other
  %found1 = or i1 %found, %same
  %other_at1 = getelementptr i8, ptr %other_at, i64 %others_step
  %j1 = add i64 %j, 1
  br label %seek
done:
  %told = xor i1 %found, %invert
  %byte = zext i1 %told to i8
  %place = getelementptr i8, ptr %to, i64 %k
  store i8 %byte, ptr %place
  %at1 = getelementptr i8, ptr %at, i64 %step
  %k1 = add i64 %k, 1
  br label %test
end:
  ret void
"""

# Horner's rule, of each x in turn.
_POLYVAL = """\
  br label %test
test:
  %k = phi i64 [ 0, %entry ], [ %k1, %done ]
  %at = phi ptr [ %x, %entry ], [ %at1, %done ]
  %left = icmp slt i64 %k, %n
  br i1 %left, label %each, label %end
each:
  %one = load double, ptr %at
  br label %next
next:
  %j = phi i64 [ 0, %each ], [ %j1, %term ]
  %term_at = phi ptr [ %terms, %each ], [ %term_at1, %term ]
  %sum = phi double [ 0.0, %each ], [ %sum1, %term ]
  %some = icmp slt i64 %j, %count
  br i1 %some, label %term, label %done
term:
  %factor = load double, ptr %term_at
  %times = fmul double %sum, %one
  %sum1 = fadd double %times, %factor
  %term_at1 = getelementptr i8, ptr %term_at, i64 %terms_step
  %j1 = add i64 %j, 1
  br label %next
done:
  %place = getelementptr double, ptr %to, i64 %k
  store double %sum, ptr %place
  %at1 = getelementptr i8, ptr %at, i64 %step
  %k1 = add i64 %k, 1
  br label %test
end:
  ret void
"""
PAIR = {**ROW, "y": "ptr", "y_step": "i64"}
PAIR |= {"rtol": "double", "atol": "double", "nan_too": "i1"}


def allclose() -> Helper:
    """Whether all elements of two rows are close."""
    body = _CLOSE.replace("{keep}", "").replace("{end}", "  ret i1 %all\n")
    return Helper(PAIR, "i1", body, True)


def isclose() -> Helper:
    """Which elements of two rows are close."""
    body = _CLOSE.replace("{keep}", _KEEP).replace("{end}", "  ret void\n")
    return Helper({**PAIR, "to": "ptr"}, "void", body, True)


def among(kind: str, type: str) -> Helper:
    """Which elements of a row are among others; or are not."""
    takes = {**ROW, "others": "ptr", "count": "i64", "others_step": "i64"}
    takes |= {"invert": "i1", "to": "ptr"}
    body = _AMONG.replace("{same}", "fcmp oeq" if kind == "f" else "icmp eq")
    return Helper(takes, "void", of_type(body, type), notes=kind == "f")


def polyval() -> Helper:
    """A polynomial at each number of a row."""
    takes = {**ROW, "terms": "ptr", "count": "i64", "terms_step": "i64", "to": "ptr"}
    return Helper(takes, "void", _POLYVAL, True)


TEXTS: dict[str, Callable[..., Helper]]
TEXTS = {"allclose": allclose, "isclose": isclose, "among": among, "polyval": polyval}
FAMILIES |= TEXTS
