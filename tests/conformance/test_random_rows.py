"""Random programs of lists in lists, plain and as graphs; by hand: random_rows."""

import pytest

from tests.conformance.random_rows import fault, program


@pytest.mark.parametrize("seed", range(12))
def test_lists_in_lists_are_those_of_python(seed):
    assert fault(seed) is None, program(seed)
