"""Random programs of several names of one container; by hand: random_names."""

import pytest

from tests.conformance.random_names import fault, program


@pytest.mark.parametrize("seed", range(24))
def test_what_two_names_hold_is_what_it_is_in_python(seed):
    assert fault(seed) is None, program(seed)
