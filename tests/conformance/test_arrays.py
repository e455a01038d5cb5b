"""Small programs of arrays mean as graphs what they mean in Python: in place, dtypes.

The programs are text, in `tests/conformance/arrays`.
"""

import pytest

from tests.conformance.array_programs import PLACES, difference, programs

FILES = ("in_place.txt", "made.txt")
PROGRAMS = [program for file in FILES for program in programs(file)]


@pytest.mark.parametrize("program", PROGRAMS, ids=str)
def test_an_array_program_does_what_python_does(program, tmp_path):
    for place in PLACES:
        found = difference(program, place, tmp_path)
        assert found is None, f"{place}: {program.text(place)}\n{found}"
