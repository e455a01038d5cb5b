"""What all turns of a loop multiply by: packed once, never taken for another one."""

import numpy as np
import pytest

from runtime.backends.llvm import crew, packed_once, product_choice, turns
from tests.runtime.backends.llvm.test_packed import LAYOUTS, choice_of, ours

pytestmark = pytest.mark.usefixtures("by_three")
RNG = np.random.default_rng(0)


def new_run():
    """The first number of a run of a loop."""
    turns.NEXT.value += turns.IN_A_RUN
    return turns.NEXT.value - turns.IN_A_RUN


def whole(shape, dtype="f4"):
    return RNG.integers(-9, 9, shape).astype(dtype)


@pytest.mark.parametrize("sizes", [(33, 70, 65), (200, 130, 99)], ids=str)
@pytest.mark.parametrize("layout", LAYOUTS)
def test_panels_that_are_kept_give_what_others_give(layout, sizes):
    m, k, n = sizes
    crew.start()
    for dtype in ("f4", "f8"):
        y, number = LAYOUTS[layout](whole((k, n), dtype)), new_run()
        for block, half in ((k, k), (24, 16)):
            for _ in range(4):
                x = whole((m, k), dtype)
                assert np.array_equal(ours(x, y, block, half, number=number), x @ y)


def test_a_matrix_is_packed_at_the_second_time_and_for_its_number_alone():
    x, y = whole((20, 30)), whole((30, 40))
    first, number = x @ y, new_run()
    ours(x, y, 30, 30, number=number)
    y[:] = 1
    second = x @ y
    assert np.array_equal(ours(x, y, 30, 30, number=number), second)
    y[:] = 2  # which no loop does whose turns all read it
    assert np.array_equal(ours(x, y, 30, 30, number=number), second)
    assert np.array_equal(ours(x, y, 30, 30, number=number + 1), x @ y)
    assert np.array_equal(ours(x, y, 30, 30, number=new_run()), x @ y)
    assert np.array_equal(ours(x, y, 30, 30), x @ y)
    assert not np.array_equal(first, second)


def test_parts_of_one_matrix_are_told_apart():
    y, number = whole((30, 64)), new_run()
    for _ in range(4):
        square = y[:, :30]
        for part in (y[:, :20], y[:, 20:40], y[:20], y[5:25], y.T, square, square.T):
            x = whole((9, len(part)))
            assert np.array_equal(ours(x, part, 16, 8, number=number), x @ part)


def test_of_more_matrices_than_are_kept_none_takes_the_place_of_another():
    x, number = whole((9, 30)), new_run()
    many = [whole((30, 20)) for _ in range(packed_once.KEPT + 5)]
    for _ in range(4):
        for at, y in enumerate(many):
            assert np.array_equal(ours(x, y, 30, 30, number=number + at), x @ y)
    # A later run has their places.
    later = new_run()
    for _ in range(3):
        assert np.array_equal(ours(x, many[0], 30, 30, number=later), x @ many[0])
    many[0][:] = 7
    assert not np.array_equal(ours(x, many[0], 30, 30, number=later), x @ many[0])


def test_a_matrix_for_which_there_is_no_room_is_packed_each_time(monkeypatch):
    monkeypatch.setattr(packed_once, "ROOM", 5000)
    product_choice._choice.cache_clear()
    choice = choice_of("f4")
    number = new_run()
    try:
        for shape, is_kept in (((30, 20), True), ((40, 100), False)):
            x, y = whole((9, shape[0])), whole(shape)
            for _ in range(3):
                assert np.array_equal(
                    ours(x, y, 30, 20, by=choice, number=number), x @ y
                )
            y[:] = 3
            found = ours(x, y, 30, 20, by=choice, number=number)
            assert np.array_equal(found, x @ y) != is_kept
            number += 1
    finally:
        product_choice._choice.cache_clear()
