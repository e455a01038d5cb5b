"""Print the table of ops: what each has, and what it is in NumPy.

    python tools/op_table.py

One row for each op: its type rule (always there), its kernel (its own, NumPy's
function, or none for an op that holds graphs), its source text, its NumPy function.
"""

import importlib
import pkgutil
from collections.abc import Iterator

import runtime.ops
from runtime.op import OPS, Op

HEADER = ("op", "type rule", "kernel", "source", "numpy")


def all_ops() -> list[Op]:
    """Every op that is declared in runtime.ops, by name."""
    for module in pkgutil.iter_modules(runtime.ops.__path__, "runtime.ops."):
        importlib.import_module(module.name)
    return [OPS[name] for name in sorted(OPS)]


def row(op: Op) -> tuple[str, ...]:
    """The cells of one op."""
    if op.kernel is None:
        kernel = "executor"
    else:
        kernel = "numpy" if op.kernel is op.numpy else "own"
    name = getattr(op.numpy, "__name__", "")
    return op.name, "yes", kernel, op.source or "", f"np.{name}" if name else ""


def lines() -> Iterator[str]:
    """The table, and a last line with the counts."""
    ops = all_ops()
    rows = [HEADER, *map(row, ops)]
    columns = zip(*rows, strict=True)
    widths = [max(map(len, column)) for column in columns]
    for cells in rows:
        pairs = zip(cells, widths, strict=True)
        yield "  ".join(cell.ljust(width) for cell, width in pairs).rstrip()
    sources = sum(op.source is not None for op in ops)
    numpys = sum(op.numpy is not None for op in ops)
    yield f"{len(ops)} ops, {sources} with source, {numpys} of NumPy"


if __name__ == "__main__":
    print("\n".join(lines()))
