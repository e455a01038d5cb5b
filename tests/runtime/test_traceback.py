"""Pointing an error at a line, whatever has become of the file since."""

import traceback

import pytest

from runtime.location import Location
from runtime.traceback import point_at


@pytest.mark.parametrize("text", ["", "\n", "    \n", "  x = 1\n"])
def test_an_error_is_pointed_at_a_line_that_may_be_blank_now(tmp_path, text):
    path = tmp_path / "model.py"
    path.write_text(text)
    error = point_at(KeyError("mine"), Location(str(path), 1, "loss"))
    entries = traceback.extract_tb(error.__traceback__)
    assert [(entry.name, entry.lineno) for entry in entries] == [("loss", 1)]
