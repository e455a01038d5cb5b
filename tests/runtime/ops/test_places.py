"""Where a part lies is told by a few numbers, for an array in whatever memory."""

from typing import Any

import numpy as np
import pytest

from runtime.errors import UnforeseenTypeError
from runtime.ops.places import (
    own_place,
    part_at,
    place_of,
    put_back,
    sliced_place,
    stand_in,
    with_part_at,
)

TABLE = np.arange(60.0).reshape(3, 4, 5)
# The same numbers in other memory.
LAYOUTS = {
    "in order": lambda x: x.copy(),
    "of Fortran": np.asfortranarray,
    "axes turned": lambda x: x.transpose(1, 2, 0).copy().transpose(2, 0, 1),
    "with gaps": lambda x: np.repeat(x, 2, -1)[..., ::2],
    "backwards": lambda x: x[::-1, :, ::-1].copy()[::-1, :, ::-1],
}
VIEWS: list[Any] = [
    lambda x: x[1:, ::-2],
    lambda x: x[..., 3],
    lambda x: x.T[::3],
    lambda x: np.swapaxes(x, 0, 1)[1:, None, ::-1],
    lambda x: np.diagonal(x, axis1=1, axis2=2),
    lambda x: x[2, 1:1],
    lambda x: x[:1, :, :1],
    lambda x: x[0, 1, ...],
]


def kernel(op: Any, *inputs: Any, **attributes: Any) -> Any:
    return op.kernel(*inputs, **attributes)


def place(x: Any, view: Any) -> Any:
    where = kernel(own_place, x)
    whole = kernel(stand_in, where, shape=None, dtype=np.dtype((np.void, x.itemsize)))
    return kernel(place_of, view(whole), whole, where)


def part(x: Any, where: Any, **attributes: Any) -> Any:
    return kernel(part_at, x, where, shape=None, **attributes)


@pytest.mark.parametrize("view", VIEWS)
@pytest.mark.parametrize("at", LAYOUTS)
@pytest.mark.parametrize("of", LAYOUTS)
def test_a_part_is_found_in_whatever_memory(of, at, view):
    where = place(LAYOUTS[of](TABLE), view)
    x = LAYOUTS[at](TABLE)
    found = part(x, where)
    assert np.array_equal(found, view(x))
    if found.size:
        assert np.shares_memory(found, x)
    signs = np.ones(TABLE.shape)
    signs[
        np.unravel_index(view(np.arange(TABLE.size).reshape(3, 4, 5)), (3, 4, 5))
    ] = -1
    with_part_at.into(x, found * -1, where)
    assert np.array_equal(x, TABLE * signs)


@pytest.mark.parametrize("at", LAYOUTS)
def test_a_row_of_several_axes_is_found_too(at):
    x = LAYOUTS[at](TABLE)
    where = place(TABLE, lambda x: x.reshape(-1)[1::7])
    assert part(x, where).tolist() == TABLE.reshape(-1)[1::7].tolist()
    with_part_at.into(x, np.zeros(9), where)
    assert x[0, 0, 1] == x[0, 1, 3] == 0
    assert np.count_nonzero(x) == 59 - 9


@pytest.mark.parametrize("index", [(1,), (slice(None, None, -1), ..., 2), (..., None)])
def test_what_an_index_takes_is_computed(index):
    where = kernel(sliced_place, kernel(own_place, TABLE), index=index)
    found = part(TABLE, where)
    assert found.shape == TABLE[index].shape
    assert np.array_equal(found, TABLE[index])


def test_real_parts_and_bytes_are_parts():
    z = TABLE * (1 + 2j)
    where = kernel(own_place, z)
    whole = kernel(stand_in, where, shape=None, dtype=z.dtype)
    imag = kernel(place_of, whole.imag[1:, ::2], whole, where)
    for x in (z, np.asfortranarray(z), np.repeat(z, 2, 0)[::2]):
        found = part(x, imag, dtype=np.dtype(float))
        assert np.array_equal(found, z.imag[1:, ::2])
        assert np.shares_memory(found, x)
    halves = kernel(place_of, whole.view("f4")[..., 1::2], whole, where)
    found = part(np.asfortranarray(z), halves, dtype=np.dtype("f4"))
    assert np.array_equal(found, z.view("f4")[..., 1::2])


def test_of_another_array_something_of_the_shape_is_given():
    where = place(TABLE, lambda x: x[2:])
    for other in (np.zeros(3), np.zeros(0), np.ones((2, 5), order="F")):
        assert part(other, where).shape == (1, 4, 5)
        before = other.copy()
        with_part_at.into(other, np.full((1, 4, 5), 7.0), where)
        assert np.array_equal(other, before)


def test_what_is_a_copy_after_all_is_not_taken_for_a_part():
    where = kernel(own_place, TABLE)
    whole = kernel(stand_in, where, shape=None, dtype=TABLE.dtype)
    with pytest.raises(UnforeseenTypeError):
        kernel(place_of, whole.T.reshape(-1), whole, where)


def test_what_lies_there_already_is_left_and_a_copy_is_put_there():
    where, x = place(TABLE, lambda x: x.reshape(-1)[::7]), np.asfortranarray(TABLE)
    copied = part(x, where)
    copied += 1
    put_back(x, copied, where)
    assert x[0, 0, 0] == 1
    there = part(y := TABLE.copy(), where)
    there += 1
    put_back(y, there, where)
    assert np.array_equal(x, y)
