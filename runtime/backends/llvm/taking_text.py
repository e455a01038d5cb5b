"""taking_text: what takes the elements of which a row of truths says so.

Eight truths that lie side by side are one word: where none holds, nothing is done; else
each element is written, and stays if its truth holds. Processors that have AVX-512 move
those that stay together, eight at a time.
"""

from __future__ import annotations

from collections.abc import Callable

from runtime.backends.llvm.helpers import FAMILIES, ROW, Helper, of_type
from runtime.backends.llvm.switch import features

# Of `count` that hold the last has come: what follows is not looked at.
_TAKEN = """\
  %beside = icmp eq i64 %step, 1
  %last = add i64 %n, -8
  %words = select i1 %beside, i64 %last, i64 -1
{begin}  br label %many
many:
  %i = phi i64 [ 0, %entry ], [ %i8, %word ], [ %k, %test ]{after_packed}
  %before = phi i64 [ 0, %entry ], [ %before, %word ], [ %found, %test ]{more_packed}
  %wants = icmp slt i64 %before, %count
  %inside = icmp slt i64 %i, %n
  %both = and i1 %wants, %inside
  br i1 %both, label %next, label %end
next:
  %i8 = add i64 %i, 8
  %is_word = icmp sle i64 %i, %words
  br i1 %is_word, label %word, label %some
word:
  %at8 = getelementptr i8, ptr %x, i64 %i
  %eight = load i64, ptr %at8, align 1
  %none = icmp eq i64 %eight, 0
  br i1 %none, label %many, label %{chosen}
{packed}some:
  %stop = select i1 %is_word, i64 %i8, i64 %n
  br label %test
test:
  %k = phi i64 [ %i, %some ], [ %k1, %each ]
  %found = phi i64 [ %before, %some ], [ %more, %each ]
  %goes_on = icmp slt i64 %k, %stop
  %is_wanted = icmp slt i64 %found, %count
  %left = and i1 %goes_on, %is_wanted
  br i1 %left, label %each, label %many
each:
  %off = mul i64 %k, %step
  %at = getelementptr i8, ptr %x, i64 %off
  %byte = load i8, ptr %at
  %wide = zext i8 %byte to i64
{one}  %place = getelementptr T, ptr %to, i64 %found
  store T %one, ptr %place, align 1
  %more = add i64 %found, %wide
  %k1 = add i64 %k, 1
  br label %test
end:
  ret void
"""
# Eight elements that lie side by side: those that stay are moved together.
_PACKED = """\
chosen:
  br i1 %can_pack, label %packed, label %some
packed:
  %bytes = load <8 x i8>, ptr %at8, align 1
  %stay = icmp ne <8 x i8> %bytes, zeroinitializer
  %ones = mul i64 %eight, 72340172838076673
  %stayed = lshr i64 %ones, 56
{many}  %moved = call <8 x T> @llvm.experimental.vector.compress.v8T(\
<8 x T> %elements, <8 x i1> %stay, <8 x T> poison)
  %some_of = insertelement <8 x i64> poison, i64 %stayed, i64 0
  %all_of = shufflevector <8 x i64> %some_of, <8 x i64> poison, \
<8 x i32> zeroinitializer
  %kept = icmp ult <8 x i64> <i64 0, i64 1, i64 2, i64 3, i64 4, i64 5, i64 6, i64 7>, \
%all_of
  %to8 = getelementptr T, ptr %to, i64 %before
  call void @llvm.masked.store.v8T.p0(<8 x T> %moved, ptr %to8, i32 1, <8 x i1> %kept)
  %sum = add i64 %before, %stayed
  br label %many
"""
_INDEX = "  %one = add i64 %k, 0\n"
_INDICES = """\
  %first = insertelement <8 x i64> poison, i64 %i, i64 0
  %firsts = shufflevector <8 x i64> %first, <8 x i64> poison, <8 x i32> zeroinitializer
  %elements = add <8 x i64> %firsts, \
<i64 0, i64 1, i64 2, i64 3, i64 4, i64 5, i64 6, i64 7>
"""
_ELEMENT = """\
  %from_off = mul i64 %k, %from_step
  %from_at = getelementptr i8, ptr %from, i64 %from_off
  %one = load T, ptr %from_at, align 1
"""
_ELEMENTS = """\
  %from8 = getelementptr T, ptr %from, i64 %i
  %elements = load <8 x T>, ptr %from8, align 1
"""
# Elements of so many bits the processor moves within a vector.
_PACKS = (32, 64)


def indices() -> Helper:
    """`np.flatnonzero(x)` of truths, of which so many hold."""
    takes = {**ROW, "count": "i64", "to": "ptr"}
    return _taking(takes, 64, _INDEX, _INDICES, "  %can_pack = add i1 %beside, 0\n")


def taken(size: str) -> Helper:
    """`from[x]` of elements of so many bits, by truths, of which so many hold."""
    takes = {**ROW, "count": "i64", "from": "ptr", "from_step": "i64", "to": "ptr"}
    side = f"  %can_pack = icmp eq i64 %from_step, {int(size) // 8}\n"
    return _taking(takes, int(size), _ELEMENT, _ELEMENTS, side)


def _taking(takes: dict[str, str], bits: int, one: str, many: str, side: str) -> Helper:
    """The helper; `side` says whether what is taken lies side by side."""
    packs = bits in _PACKS and features().get("AVX512_SKX", False)
    words = {
        "begin": side if packs else "",
        "after_packed": ", [ %i8, %packed ]" if packs else "",
        "more_packed": ", [ %sum, %packed ]" if packs else "",
        "chosen": "chosen" if packs else "some",
        "packed": _PACKED if packs else "",
    }
    body = _TAKEN
    for word, text in (*words.items(), ("one", one), ("many", many)):
        body = body.replace(f"{{{word}}}", text)
    kind = f"i{bits}"
    body = of_type(body, kind).replace(" T>", f" {kind}>").replace(".v8T", f".v8{kind}")
    return Helper(takes, "void", body, declared=_declared(kind) if packs else ())


def _declared(kind: str) -> tuple[tuple[str, str], ...]:
    many, truths = f"<8 x {kind}>", "<8 x i1>"
    compress = f"llvm.experimental.vector.compress.v8{kind}"
    store = f"llvm.masked.store.v8{kind}.p0"
    return (
        (compress, f"declare {many} @{compress}({many}, {truths}, {many})"),
        (store, f"declare void @{store}({many}, ptr, i32, {truths})"),
    )


TEXTS: dict[str, Callable[..., Helper]]
TEXTS = {"indices": indices, "taken": taken}
FAMILIES |= TEXTS
