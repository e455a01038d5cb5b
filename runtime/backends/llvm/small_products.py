"""small_products: a product of small matrices of ints, of known sizes, as LLVM's text.

Each row of the second matrix is a vector, which stays in a register for all rows of the
first one.
"""

from __future__ import annotations

from runtime.backends.llvm.lines import Lines
from runtime.backends.llvm.loops import Array, Instruction, Local
from runtime.backends.llvm.references import References

SMALL_PRODUCT = "small_product"
# Rows of the second matrix, and the bytes of one.
ROWS, WIDTH = 16, 128


def is_small(x: Array, y: Array) -> bool:
    """Whether these are two matrices of so few ints, as far as is known before."""
    known = [int(size) for size in (*x.dims, *y.dims) if not isinstance(size, Local)]
    if len(known) < 4:
        return False
    *_, count, columns = known
    return 1 <= count <= ROWS and 2 <= columns <= WIDTH // y.dtype.itemsize


def emit_small_product(lowering: References, made: Array, x: Array, y: Array) -> None:
    """The instruction: `made = x @ y`; rows of `y` and `made` lie side by side."""
    symbol = " ".join(str(size) for size in (x.dims[0], *y.dims))
    operands = (x.data, *x.strides, y.data, y.strides[0], made.data, made.strides[0])
    kind = f"i{8 * made.dtype.itemsize}"
    lowering.emit(SMALL_PRODUCT, *operands, symbol=symbol, type=kind)


def write(text: Lines, one: Instruction) -> None:
    """The rows of the result, one after the other."""
    rows, count, columns = map(int, one.symbol.split())
    x, *steps, y, down, made, below = one.args
    words = {arg: text.read(arg, "i64") for arg in (*steps, down, below)}
    places = {arg: text.read(arg, "ptr") for arg in (x, y, made)}
    many, size = f"<{columns} x {one.type}>", int(one.type[1:]) // 8

    def at(place: str, index: str | int, stride: str) -> str:
        offset = text.set(f"mul i64 {stride}, {index}")
        return text.set(f"getelementptr i8, ptr {place}, i64 {offset}")

    others = [
        text.set(f"load {many}, ptr {at(places[y], row, words[down])}, align {size}")
        for row in range(count)
    ]
    turn = text.fresh()
    text.slots.append(f"{turn} = alloca i64")
    head, again, after = (text.fresh_label() for _ in range(3))
    text.line(f"store i64 0, ptr {turn}")
    text.to_label(head)
    index = text.set(f"load i64, ptr {turn}")
    test = text.set(f"icmp slt i64 {index}, {rows}")
    text.line(f"br i1 {test}, label %{again}, label %{after}")
    text.label(again)
    row, total = at(places[x], index, words[steps[0]]), "zeroinitializer"
    for column, other in enumerate(others):
        place = at(row, column, words[steps[1]])
        number = text.set(f"load {one.type}, ptr {place}")
        first = text.set(f"insertelement {many} poison, {one.type} {number}, i64 0")
        order = f"<{columns} x i32> zeroinitializer"
        spread = text.set(f"shufflevector {many} {first}, {many} poison, {order}")
        term = text.set(f"mul {many} {spread}, {other}")
        total = text.set(f"add {many} {total}, {term}")
    to = at(places[made], index, words[below])
    text.line(f"store {many} {total}, ptr {to}, align {size}")
    text.line(f"store i64 {text.set(f'add i64 {index}, 1')}, ptr {turn}")
    text.line(f"br label %{head}")
    text.label(after)
