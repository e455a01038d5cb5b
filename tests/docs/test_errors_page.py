"""docs/errors.md is what the tests of messages say now."""

import re
from pathlib import Path

import numpy as np
import pytest

from tests.docs import errors_page
from tests.docs.documents import ROOT


# Since 2.5 NumPy itself says what one of the page's messages says.
@pytest.mark.skipif(
    np.lib.NumpyVersion(np.__version__) >= "2.5.0", reason="the page is of NumPy 2.4"
)
def test_the_page_is_up_to_date():
    assert errors_page.PAGE.read_text() == errors_page.page(), (
        "run: python -m tests.docs.errors_page"
    )


def test_every_file_of_messages_is_on_the_page():
    page = errors_page.page()
    for path in sorted((ROOT / "tests" / "errors").glob("test_*.py")):
        if "CASES = Cases()" in path.read_text():
            first = Path(path).read_text().split('"""')[1]
            assert f"## {errors_page._title(first)}\n" in page


def test_a_line_number_is_that_of_the_program_shown():
    entries = errors_page.page().split("\n### ")[1:]
    checked = 0
    for entry in entries:
        program, message = entry.split("```")[1:4:2]
        lines = program.splitlines()[1:]
        for number, text in re.findall(r"model\.py line (\d+):  (.*)", message):
            assert lines[int(number) - 1].strip().startswith(text)
            checked += 1
    assert checked > 50
