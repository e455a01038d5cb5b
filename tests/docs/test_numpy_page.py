"""The table of NumPy's functions in docs/numpy.md is that of the calls there are."""

import re
from itertools import groupby

import pytest

from tests.conformance.numpy_calls.rows import rows
from tests.docs import numpy_page


def shown():
    """Of each section the functions, each with the number of its calls."""
    text = numpy_page.PAGE.read_text()
    part = text.split(numpy_page.START)[1].split(numpy_page.END)[0]
    found = {}
    for section in part.split("\n### ")[1:]:
        title, *lines = section.splitlines()
        cells = [re.match(r"\| `(.*?)` \| (\d+) \|", line) for line in lines]
        found[title] = [(c[1].replace("\\|", "|"), int(c[2])) for c in cells if c]
    return found


def _groups():
    return groupby(rows(), lambda row: (row.section, row.function))


def test_the_page_has_a_line_for_each_function():
    expected = {}
    for (section, function), calls in groupby(
        rows(), lambda r: (r.section, r.function)
    ):
        expected.setdefault(section, []).append((function, len(list(calls))))
    # `python -m tests.docs.numpy_page` writes it anew.
    assert shown() == expected


@pytest.mark.parametrize("first", range(0, 1000, 125))
def test_a_line_says_what_running_its_calls_says(first):
    line = numpy_page.line_of(first)
    assert numpy_page.row(line) in numpy_page.PAGE.read_text()
