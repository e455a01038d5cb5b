"""Random programs of views and writes do as graphs what they do in Python."""

import pytest

from tests.conformance.random_views import check, is_refused


@pytest.mark.parametrize("first", [0, 20, 40])
def test_random_views_and_writes_agree(first, tmp_path):
    refused = 0
    for seed in range(first, first + 20):
        found = check(seed, tmp_path)
        if found and is_refused(found):
            refused += 1
            continue
        assert found is None, found
    assert refused <= 1
