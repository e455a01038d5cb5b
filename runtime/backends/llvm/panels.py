"""panels: matrices packed, so that tiles read one number after the other, LLVM's text.

A panel of the second matrix is as many of its columns as a tile has, row by row; a
sliver of the first matrix is as many of its rows as a tile has, column by column.
"""

from __future__ import annotations

from runtime.backends.llvm.tiles import AHEAD, Routine, Shape, prefetch


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
                    prefetch(text, text.at(first, "%brow", AHEAD))
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
            places = [text.at(source, number, "%bcol") for number in range(square)]
            for down, line in enumerate(_turned(text, shape, places)):
                at = text.at(
                    text.at(into, column, shape.size),
                    down * shape.columns * shape.size,
                )
                _store(text, shape, line, at)
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


def _turned(text: Routine, shape: Shape, places: list[str]) -> list[str]:
    """Rows turned round: their halves are put between each other again and again."""
    many, lanes = shape.vector, shape.lanes
    lines = [text.set(f"load {many}, ptr {at}, align {shape.size}") for at in places]
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
    return lines


def _store(text: Routine, shape: Shape, line: str, at: str) -> None:
    text.line(f"store {shape.vector} {line}, ptr {at}, align {shape.size}")


def pack_left(shape: Shape) -> str:
    """Slivers of the first matrix, whose rows lie one after the other.

    A row turned round may be longer than a sliver's: what is beyond is written later.
    """
    text, tall, square = Routine(), shape.rows, shape.lanes
    even = text.compute("and", "%count", -square)
    with text.counting("0", "%rows", str(tall)) as begin:
        rest = text.compute("sub", text.compute("sub", "%rows", begin), 1)
        into = text.at("%to", text.compute("mul", begin, "%count"), shape.size)
        # Where there are fewer rows, the last one comes again.
        places = [
            text.at("%a", text.compute("add", begin, text.least(rest, row)), "%arow")
            for row in range(-(-tall // square) * square)
        ]
        with text.counting("0", even, str(square)) as column:
            ones = [text.at(place, column, shape.size) for place in places]
            to = text.at(into, column, tall * shape.size)
            squares = [
                _turned(text, shape, ones[first : first + square])
                for first in range(0, len(ones), square)
            ]
            for number, lines in enumerate(zip(*squares, strict=True)):
                for below, line in enumerate(lines):
                    offset = (number * tall + below * square) * shape.size
                    _store(text, shape, line, text.at(to, offset))
        with text.counting(even, "%count") as column:
            to = text.at(into, column, tall * shape.size)
            for row, place in enumerate(places[:tall]):
                given = text.at(place, column, shape.size)
                _copy(text, shape, given, text.at(to, row * shape.size))
    return text.text(
        "internal void @pack_left(ptr %to, ptr %a, i64 %arow, i64 %count, i64 %rows)"
    )


def pack_turned(shape: Shape) -> str:
    """The same of a matrix whose columns lie one after the other.

    All slivers of a column are written at once: the next one may lie in another page.
    """
    text, tall = Routine(), shape.rows
    many = f"<{tall} x {shape.kind}>"
    rest = text.compute("urem", "%rows", tall)
    even = text.compute("sub", "%rows", rest)
    apart = text.compute("mul", "%count", shape.size)
    with text.counting("0", "%count") as step:
        source = text.at("%a", step, "%acol")
        into = text.at("%to", step, tall * shape.size)
        with text.counting("0", even, str(tall)) as row:
            one = text.at(source, row, shape.size)
            prefetch(text, text.at(one, "%acol", AHEAD))
            _copy(text, shape, one, text.at(into, row, apart), many)
        with text.counting(even, "%rows") as row:
            place = text.compute("sub", row, even)
            to = text.at(text.at(into, even, apart), place, shape.size)
            _copy(text, shape, text.at(source, row, shape.size), to)
    return text.text(
        "internal void @pack_turned(ptr %to, ptr %a, i64 %acol, i64 %count, i64 %rows)"
    )


def _copy(text: Routine, shape: Shape, source: str, into: str, kind: str = "") -> None:
    """An element; kind: a vector of them."""
    kind = kind or shape.kind
    found = text.set(f"load {kind}, ptr {source}, align {shape.size}")
    text.line(f"store {kind} {found}, ptr {into}, align {shape.size}")
