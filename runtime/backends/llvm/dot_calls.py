"""dot_calls: the sum of products of two rows that NumPy's dtypes have, as LLVM's text.

It asks BLAS, where there is one for the dtype, and the bits are those of `np.dot` and
of `@`. With a frame around it (`np.matmul`'s loop) it takes three times as long.
"""

from __future__ import annotations

from runtime.backends.llvm.calls import Calls
from runtime.backends.llvm.loops import Instruction

DOT = "dot"
# Products that let go of Python: some 10 us.
LONG = 2**15


def write(text: Calls, one: Instruction) -> None:
    """`args`: the rows, each with its step, the place of the sum, the count.

    `type`: whose sum; `symbol`: what NumPy says nothing of
    """
    x, first, y, second, place, count = one.args
    name = text.symbol(
        f"dot_{one.type}",
        f"declare void @dot_{one.type}(ptr, i64, ptr, i64, ptr, i64, ptr)",
    )
    size = text.read(count, "i64")
    inside = (
        f"ptr {text.read(x, 'ptr')}, i64 {text.read(first, 'i64')}, "
        f"ptr {text.read(y, 'ptr')}, i64 {text.read(second, 'i64')}, "
        f"ptr {text.read(place, 'ptr')}, i64 {size}, ptr null"
    )
    before = text.flags() if one.symbol and text.warns else ""
    if text.is_free:
        text.line(f"call void {name}({inside})")
    else:
        state = text.let_go_if(text.set(f"icmp sge i64 {size}, {LONG}"))
        text.line(f"call void {name}({inside})")
        text.take_back_if(state)
    if before:
        text.put_flags(before)
