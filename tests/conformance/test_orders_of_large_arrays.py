"""How results of many elements lie: what is a view of them is one, as of few."""

import numpy as np
import pytest

import autograph as ag

COLUMNS = np.array([3, 0, 2])
GIVEN = [
    *(lambda x: np.clip(x.T, 1, 50), lambda x: np.cumsum(x.T, axis=0)),
    *(lambda x: np.where(x.T > 3, x.T, x.T[:1]), lambda x: np.concatenate([x.T, x.T])),
    *(lambda x: x.T.astype(int), lambda x: np.sort(x.T), lambda x: np.pad(x.T, 1)),
    *(lambda x: np.diff(x.T, axis=0), lambda x: x.T[::2, ::-1].round(1)),
    *(lambda x: x[:, COLUMNS], lambda x: x.T[:, COLUMNS], lambda x: x.T[COLUMNS]),
    *(lambda x: np.sum(x.reshape(-1, 10, x.shape[1]).T, axis=0), lambda x: x.T.copy()),
    lambda x: np.broadcast_to(x[0], x.shape).T.copy(),
]


def shared(x, make):
    r = make(x)
    v, w = r.ravel(), r.T.ravel()
    v[0] = 9
    w[1] = 8
    return r, v, w


@pytest.mark.parametrize("backend", ["numpy", "native"])
@pytest.mark.parametrize("make", GIVEN)
@pytest.mark.parametrize("size", [20, 120])
def test_a_row_of_what_is_given_is_a_view_where_it_is_in_numpy(size, make, backend):
    x = np.arange(size * size * 1.0).reshape(size, size) % 97
    with ag.config(backend=backend):
        staged, plain = ag.function(shared)(x.copy(), make), shared(x.copy(), make)
    for mine, numpys in zip(staged, plain, strict=True):
        assert np.array_equal(mine, numpys)
        assert mine.strides == numpys.strides
    views = [
        [np.shares_memory(*pair) for pair in zip(r[:1] * 2, r[1:], strict=True)]
        for r in (staged, plain)
    ]
    assert views[0] == views[1]
