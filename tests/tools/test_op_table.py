"""The printed table of ops."""

import runpy
from pathlib import Path

TABLE = runpy.run_path(str(Path(__file__).parents[2] / "tools" / "op_table.py"))


def test_table_has_a_row_for_each_op_and_counts_them():
    header, *rows, counts = TABLE["lines"]()
    assert header.split() == ["op", "type", "rule", "kernel", "source", "numpy"]
    assert int(counts.split()[0]) == len(rows)


def test_row_says_what_an_op_has():
    rows = {line.split()[0]: line for line in TABLE["lines"]()}
    assert rows["add"].split() == ["add", "yes", "own", "{0}", "+", "{1}", "np.add"]
    assert rows["while"].split() == ["while", "yes", "executor"]
