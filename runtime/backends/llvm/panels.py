"""panels: matrices packed, so that tiles read one number after the other, LLVM's text.

A panel of the second matrix is as many of its columns as a tile has, row by row. Of the
first matrix rows are packed where its columns lie one after the other.
"""

from __future__ import annotations

from runtime.backends.llvm.tiles import Routine, Shape


def pack_rows(shape: Shape) -> str:
    """`count` rows of the second matrix, as panels that are as wide as a tile.

    All panels of a row are written at once: the next row may lie in another page.
    """
    text, whole = Routine(), shape.columns
    rest = text.compute("urem", "%columns", whole)
    even = text.compute("sub", "%columns", rest)
    apart = text.compute("mul", "%count", shape.size)
    with text.only_if(text.set(f"icmp ne i64 {even}, 0")):
        with text.counting("0", "%count") as row:
            source = text.at("%b", row, "%brow")
            into = text.at("%to", row, whole * shape.size)
            with text.counting("0", even, str(whole)) as column:
                one = text.at(source, column, shape.size)
                other = text.at(into, column, apart)
                for number in range(shape.vectors):
                    offset = number * shape.lanes * shape.size
                    first, second = text.at(one, offset), text.at(other, offset)
                    _copy(text, shape, first, second, shape.vector)
    with text.only_if(text.set(f"icmp ne i64 {rest}, 0")):
        source, into = text.at("%b", even, shape.size), text.at("%to", even, apart)
        _pack_some(text, shape, source, into, rest)
    return text.text(
        "internal void @pack_rows(ptr %to, ptr %b, i64 %brow, i64 %count, i64 %columns)"
    )


def _two_ways(text: Routine, test: str) -> tuple[str, str, str]:
    """The labels of what is done where the test holds, else, and afterwards."""
    whole, part, after = (text.fresh_label() for _ in range(3))
    text.line(f"br i1 {test}, label %{whole}, label %{part}")
    return whole, part, after


def _pack_some(text: Routine, shape: Shape, b: str, to: str, columns: str) -> None:
    """A panel of fewer columns, vector by vector: beyond them no tile has a look.

    In the last vector the last column is repeated, so that nothing is computed there of
    which the processor might note something new.
    """
    last = text.compute("sub", columns, 1)
    with text.counting("0", columns, str(shape.lanes)) as column:
        right = text.compute("add", column, shape.lanes)
        is_whole = text.set(f"icmp sle i64 {right}, {columns}")
        whole, part, after = _two_ways(text, is_whole)
        for label in (whole, part):
            text.label(label)
            with text.counting("0", "%count") as row:
                source = text.at(b, row, "%brow")
                into = text.at(to, row, shape.columns * shape.size)
                if label == whole:
                    one, two = (text.at(x, column, shape.size) for x in (source, into))
                    _copy(text, shape, one, two, shape.vector)
                else:
                    with text.counting(column, right) as place:
                        one = text.at(source, text.least(place, last), shape.size)
                        _copy(text, shape, one, text.at(into, place, shape.size))
            text.line(f"br label %{after}")
        text.label(after)


def pack_columns(shape: Shape) -> str:
    """The same of a matrix whose columns lie one after the other: square by square."""
    text, square = Routine(), shape.lanes
    last = text.compute("sub", "%columns", 1)
    with text.counting("0", "%count", str(square)) as row:
        end = text.least(text.compute("add", row, square), "%count")
        high = text.compute("sub", end, row)
        is_high = text.set(f"icmp eq i64 {high}, {square}")
        with text.counting("0", str(shape.columns), str(square)) as column:
            into = text.at("%to", row, shape.columns * shape.size)
            right = text.compute("add", column, square)
            is_wide = text.set(f"icmp sle i64 {right}, %columns")
            whole, part, after = (text.fresh_label() for _ in range(3))
            both = text.set(f"and i1 {is_high}, {is_wide}")
            text.line(f"br i1 {both}, label %{whole}, label %{part}")
            text.label(whole)
            source = text.at(text.at("%b", column, "%bcol"), row, shape.size)
            _turn(text, shape, source, text.at(into, column, shape.size))
            text.line(f"br label %{after}")
            text.label(part)
            with text.counting(column, right) as one:
                source = text.at("%b", text.least(one, last), "%bcol")
                to = text.at("%to", one, shape.size)
                with text.counting(row, end) as number:
                    place = text.at(to, number, shape.columns * shape.size)
                    _copy(text, shape, text.at(source, number, shape.size), place)
            text.to_label(after)
    return text.text(
        "internal void @pack_columns(ptr %to, ptr %b, i64 %bcol, i64 %count, "
        "i64 %columns)"
    )


def _turn(text: Routine, shape: Shape, source: str, into: str) -> None:
    """A square turned round: its halves are put between each other again and again."""
    many, lanes, size = shape.vector, shape.lanes, shape.size
    lines = []
    for column in range(lanes):
        at = text.at(source, column, "%bcol")
        lines.append(text.set(f"load {many}, ptr {at}, align {size}"))
    orders = [
        ", ".join(
            f"i32 {half + place // 2 + place % 2 * lanes}" for place in range(lanes)
        )
        for half in (0, lanes // 2)
    ]
    for _ in range(lanes.bit_length() - 1):
        pairs = zip(lines[: lanes // 2], lines[lanes // 2 :], strict=True)
        lines = [
            text.set(f"shufflevector {many} {a}, {many} {b}, <{lanes} x i32> <{order}>")
            for a, b in pairs
            for order in orders
        ]
    for row, line in enumerate(lines):
        at = text.at(into, row * shape.columns * size)
        text.line(f"store {many} {line}, ptr {at}, align {size}")


def pack_turned(shape: Shape) -> str:
    """Rows of the first matrix, whose columns lie one after the other: tile by tile."""
    text, tall = Routine(), shape.rows
    many = f"<{tall} x {shape.kind}>"
    with text.counting("0", "%rows", str(tall)) as begin:
        end = text.least(text.compute("add", begin, tall), "%rows")
        high = text.compute("sub", end, begin)
        source = text.at("%a", begin, shape.size)
        place = text.compute("mul", begin, "%count")
        into = text.at("%to", place, shape.size)
        is_high = text.set(f"icmp eq i64 {high}, {tall}")
        whole, part, after = _two_ways(text, is_high)
        for label in (whole, part):
            text.label(label)
            with text.counting("0", "%count") as step:
                one = text.at(source, step, "%acol")
                other = text.at(into, step, tall * shape.size)
                if label == whole:
                    _copy(text, shape, one, other, many)
                else:
                    with text.counting("0", high) as row:
                        given = text.at(one, row, shape.size)
                        _copy(text, shape, given, text.at(other, row, shape.size))
            text.line(f"br label %{after}")
        text.label(after)
    return text.text(
        "internal void @pack_turned(ptr %to, ptr %a, i64 %acol, i64 %count, i64 %rows)"
    )


def _copy(text: Routine, shape: Shape, source: str, into: str, kind: str = "") -> None:
    """An element; kind: a vector of them."""
    kind = kind or shape.kind
    found = text.set(f"load {kind}, ptr {source}, align {shape.size}")
    text.line(f"store {kind} {found}, ptr {into}, align {shape.size}")
