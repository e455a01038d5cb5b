"""Random programs of arrays of the caller and of its own; by hand: random_own."""

import pytest

from tests.conformance.random_own import fault, program


@pytest.mark.parametrize("seed", range(24))
def test_what_is_changed_is_what_it_is_in_python(seed):
    assert fault(seed) is None, program(seed)
