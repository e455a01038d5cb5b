"""Random programs of what is passed and read outside; by hand: random_outside."""

import pytest

from tests.conformance.random_outside import KINDS, fault, program

# An array that is passed is one outside: in a form of the places that comes later, and
# where the trace adds to a list.
FOUND = [771_044, 66_280]


@pytest.mark.parametrize("seed", [*range(30), *FOUND])
@pytest.mark.parametrize("kind", KINDS)
def test_what_has_several_names_is_what_it_is_in_python(seed, kind):
    assert fault(seed, KINDS[kind]) is None, program(seed, KINDS[kind])
