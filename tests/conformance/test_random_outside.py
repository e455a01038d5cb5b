"""Random programs of what is passed and read outside; by hand: random_outside."""

import pytest

from tests.conformance.random_outside import fault, program


@pytest.mark.parametrize("seed", range(40))
def test_what_has_several_names_is_what_it_is_in_python(seed):
    assert fault(seed) is None, program(seed)
