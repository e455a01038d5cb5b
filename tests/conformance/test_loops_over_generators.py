"""Names of a loop whose generator returns early, or leaves what is never asked for."""

import numpy as np

from tests.conformance.trying import check


def early(x, p):
    kept = p.copy()
    if x:
        return
    match x:
        case i if i:
            lazy = (e for e in kept if kept)  # noqa: F841 - never asked
        case i:
            less = np.array([v - w for v, w in zip(p, kept + 1.0, strict=True)])
            kept = np.maximum(less, 2.25) % 16.0
    yield x


def names_of_the_loop(x, p):
    held = p
    for _ in early(x, p):
        before = held  # noqa: F841
        held = np
    return held is np


def test_the_names_of_the_loop_are_no_places_outside():
    row = np.array([0.0, 1.0, 0.1])
    check(names_of_the_loop, ((np.int64(7), row), (np.int64(0), row)))
