"""lookups: a row of a table for each number of a vector, as a vector for each column.

Rows are read as they lie, 16 bytes at once, and turned, by steps that each processor
with vectors of 32 bytes has; its own way to read from many places is slower. With
AVX-512 a column of as many numbers as two vectors hold is these two, of which one step
takes what it is asked for.
"""

from __future__ import annotations

from collections.abc import Sequence

from runtime.backends.llvm.lines import literal
from runtime.backends.llvm.mathematics.writer import Value, Writer
from runtime.backends.llvm.switch import features

# Of 32 bytes: how many numbers there are; and which of two vectors are those of two
# others, one of either after the other, in each half.
TURNS: dict[str, tuple[int, tuple[tuple[int, ...], ...]]] = {
    "float": (8, ((0, 8, 1, 9, 4, 12, 5, 13), (2, 10, 3, 11, 6, 14, 7, 15))),
    "double": (4, ((0, 4, 2, 6), (1, 5, 3, 7))),
}
# Of 64 bytes: how many numbers there are, and what takes numbers of two vectors.
TAKES = {"float": (16, "ps"), "double": (8, "pd")}


def columns(
    writer: Writer, name: str, size: int, numbers: Sequence[float], row: Value
) -> list[Value]:
    """The numbers of a row for each number of one.

    name: of the table, in LLVM's text
    size: numbers in a row
    """
    kind = "double" if row.type == "i64" else "float"
    lanes, _ = TAKES[kind]
    fits = len(numbers) == 2 * lanes * size and writer.count % lanes == 0
    if fits and features().get("AVX512F"):
        return [_taken(writer, kind, numbers[n::size], row) for n in range(size)]
    return _read_and_turned(writer, name, size, numbers, row << _row_bits(size, kind))


def _taken(writer: Writer, kind: str, column: Sequence[float], row: Value) -> Value:
    """A column's numbers in these rows."""
    lanes, word = TAKES[kind]
    many, rows = f"<{lanes} x {kind}>", f"<{lanes} x {row.type}>"
    take = f"llvm.x86.avx512.vpermi2var.{word}.512"
    writer.declared[take] = f"declare {many} @{take}({many}, {rows}, {many})"
    words = [f"{kind} {literal(number, kind)}" for number in column]
    low, high = (f"{many} <{', '.join(words[k : k + lanes])}>" for k in (0, lanes))
    found = []
    for first in range(0, writer.count, lanes):
        which = range(first, first + lanes)
        at = _mixed(writer, row.type, writer.count, row.name, row.name, which)
        call = f"call {many} @{take}({low}, {rows} {at}, {high})"
        found.append(writer.set(kind, call).name)
    return Value(writer, kind, _joined(writer, kind, found, lanes))


def _row_bits(size: int, kind: str) -> int:
    """By how many bits the number of a row is shifted to be a place in bytes.

    size: numbers in a row
    """
    return (size * _bytes(kind) - 1).bit_length()


def _read_and_turned(
    writer: Writer, name: str, size: int, numbers: Sequence[float], place: Value
) -> list[Value]:
    """All columns; place: in bytes from the first row."""
    kind = "double" if place.type == "i64" else "float"
    _write_table(writer, name, size, numbers, kind)
    many, _ = TURNS[kind]
    rows = [_row(writer, name, place, lane) for lane in range(writer.count)]
    if writer.count % many:
        return [_one_by_one(writer, kind, rows, column) for column in range(size)]
    groups = [
        _turned(writer, kind, rows[first : first + many], size)
        for first in range(0, writer.count, many)
    ]
    return [
        Value(writer, kind, _joined(writer, kind, [group[n] for group in groups], many))
        for n in range(size)
    ]


def _bytes(kind: str) -> int:
    return 32 // TURNS[kind][0]


def _write_table(
    writer: Writer, name: str, size: int, numbers: Sequence[float], kind: str
) -> None:
    """The table, whose rows are a power of 2 apart."""
    far = (1 << _row_bits(size, kind)) // _bytes(kind)
    words = [f"{kind} {literal(number, kind)}" for number in numbers]
    none = [f"{kind} {literal(0.0, kind)}"] * (far - size)
    rows = [words[first : first + size] + none for first in range(0, len(words), size)]
    inside = ", ".join(word for row in rows for word in row)
    writer.declared[name] = (
        f"@{name} = internal unnamed_addr constant [{far * len(rows)} x {kind}] "
        f"[{inside}], align 32"
    )


def _row(writer: Writer, name: str, place: Value, lane: int) -> str:
    """Where the row of a lane is."""
    number, kind = place.name, place.type
    if writer.count > 1:
        many = writer.of(kind)
        number = writer.set(kind, f"extractelement {many} {number}, i64 {lane}").name
    if kind != "i64":
        number = writer.set("i64", f"zext {kind} {number} to i64").name
    return writer.set("ptr", f"getelementptr i8, ptr @{name}, i64 {number}").name


def _read(writer: Writer, row: str, first: int, kind: str, count: int) -> str:
    """Numbers of a row, from the first one that is asked for."""
    at = writer.set("ptr", f"getelementptr {kind}, ptr {row}, i64 {first}").name
    many = f"<{count} x {kind}>" if count > 1 else kind
    align = count * _bytes(kind)
    return writer.set(kind, f"load {many}, ptr {at}, align {align}").name


def _one_by_one(writer: Writer, kind: str, rows: Sequence[str], column: int) -> Value:
    """A column, for a number, or for few."""
    read = [_read(writer, row, column, kind, 1) for row in rows]
    if writer.count == 1:
        return Value(writer, kind, read[0])
    many, made = writer.of(kind), "poison"
    for lane, one in enumerate(read):
        words = f"{many} {made}, {kind} {one}, i64 {lane}"
        made = writer.set(kind, f"insertelement {words}").name
    return Value(writer, kind, made)


def _turned(writer: Writer, kind: str, rows: Sequence[str], size: int) -> list[str]:
    """As many rows as a vector has numbers, as columns."""
    many, turns = TURNS[kind]
    half = many // 2
    found: list[str] = []
    for first in range(0, size, half):
        parts = [_read(writer, row, first, kind, half) for row in rows]
        # Rows that are half of them apart lie in the halves of a vector.
        pairs = zip(parts[:half], parts[half:], strict=True)
        made = [_mixed(writer, kind, half, a, b, range(many)) for a, b in pairs]
        for _ in range(half.bit_length() - 1):
            place = len(made) // 2
            made = [
                _mixed(writer, kind, many, a, b, turn)
                for a, b in zip(made[:place], made[place:], strict=True)
                for turn in turns
            ]
        found += made
    return found


def _mixed(
    writer: Writer, kind: str, count: int, a: str, b: str, which: Sequence[int]
) -> str:
    """Numbers of two vectors of so many."""
    many, places = f"<{count} x {kind}>", ", ".join(f"i32 {n}" for n in which)
    mask = f"<{len(which)} x i32> <{places}>"
    return writer.set(kind, f"shufflevector {many} {a}, {many} {b}, {mask}").name


def _joined(writer: Writer, kind: str, parts: Sequence[str], count: int) -> str:
    """Vectors of so many numbers as one."""
    while len(parts) > 1:
        pairs = zip(parts[::2], parts[1::2], strict=True)
        both = range(2 * count)
        parts = [_mixed(writer, kind, count, a, b, both) for a, b in pairs]
        count *= 2
    return parts[0]
