"""Small programs of arrays mean as graphs what they mean in Python: in place, dtypes.

The programs are text, in `tests/conformance/arrays`.
"""

import pytest

from tests.conformance.array_programs import PLACES, difference, programs

FILES = tuple(
    f"{name}.txt"
    for name in "in_place outputs host_views made read_only dtypes random".split()
)
PROGRAMS = [program for file in FILES for program in programs(file)]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("arrays")


@pytest.mark.parametrize("program", PROGRAMS, ids=str)
def test_an_array_program_does_what_python_does(program, folder):
    if "ml_dtypes" in str(program.arguments) + str(program.body):
        pytest.importorskip("ml_dtypes")
    # One place each, for time: what differs between places differs for many programs.
    place = list(PLACES)[program.line % len(PLACES)]
    found = difference(program, place, folder)
    assert found is None, f"{place}: {program.text(place)}\n{found}"
