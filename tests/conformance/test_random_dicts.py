"""Dicts and sets with keys of data as random programs; more by hand: random_dicts."""

import pytest

from tests.conformance.random_dicts import fault, program


@pytest.mark.parametrize("seed", range(12))
def test_dicts_with_keys_of_data_are_those_of_python(seed):
    assert fault(seed) is None, program(seed)
