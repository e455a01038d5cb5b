"""Builtins and the standard library: each row means as a graph what it does in Python.

Values, types, dtypes, bits, printed text and exceptions are compared, on six sets of
arguments. MIXED rows give a number of another type than Python, since their paths meet
(docs/limits.md, "Numbers that meet"); REFUSED rows are refused, not done otherwise.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.conformance import library_rows
from tests.conformance.builtin_check import differences, is_refusal
from tests.conformance.builtin_outcomes import DIFFERENT, MIXED, REFUSED
from tests.conformance.builtin_rows import ROWS, Row

assert library_rows.ROWS is ROWS


@pytest.mark.parametrize("row", ROWS, ids=lambda row: f"{row.family}: {row.name}")
def test_row_means_what_python_means(row: Row, tmp_path: Path):
    found = differences(row, tmp_path)
    if row.name in MIXED:
        assert all("] type: " in line for line in found), found
    elif row.name in REFUSED:
        assert all(map(is_refusal, found)), found
    elif row.name in DIFFERENT:
        assert found, "this row means the same now: take it out of DIFFERENT"
    else:
        assert not found


def test_every_outcome_belongs_to_a_row():
    names = {row.name for row in ROWS}
    assert names.issuperset({*MIXED, *REFUSED, *DIFFERENT})
