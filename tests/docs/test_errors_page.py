"""docs/errors.md is what the tests of messages say now."""

from pathlib import Path

from tests.docs import errors_page
from tests.docs.documents import ROOT


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
    page = errors_page.page()
    entry = page[page.index("### Attribute set on one path\n") :].split("###")[1]
    program, message = entry.split("```")[1], entry.split("```")[3]
    line = program.splitlines()[1:].index("    if x > 0:") + 1
    assert f"in attribute_set_on_one_path, model.py line {line}:  if x > 0:" in message
