"""docs/scipy.md has every function that is called, and says what running one says."""

import pytest

from tests.conformance.numpy_calls.rows import SCIPY, scipy_rows
from tests.docs import scipy_page


def test_the_page_names_every_function():
    # `python -m tests.docs.scipy_page` writes it anew.
    text = scipy_page.PAGE.read_text()
    rows = scipy_rows()
    count = len({row.function for row in rows})
    assert f"{len(rows)} example calls of {count} functions" in text
    assert all(f"## {name}\n\n{scipy_page.names(name)}\n" in text for name in SCIPY)


@pytest.mark.parametrize("row", scipy_rows()[7::120], ids=lambda row: row.text)
def test_a_call_is_what_the_page_says(row):
    scipy_page.load()
    known = f"- `{row.text}` is " in scipy_page.PAGE.read_text()
    assert (scipy_page.told(row).word == "same") != known
