"""Results that lie in the memory of an argument in Python, and in a graph."""

import numpy as np
import pytest

import autograph as ag

x = np.arange(12.0).reshape(3, 4)
one, zero = np.int64(1), np.int64(0)


def part_of_one_of_two_rows(a, b, k):
    v = a[0] if k else a[1]
    return v[1:]


def part_of_one_of_two_that_is_changed(a, b, k):
    v = a[0] if k else a[1]
    v += 1
    return v[1:], v


def part_of_one_whose_array_is_changed(a, b, k):
    v = a[0] if k else a[1]
    a *= 2
    return v[::2]


def part_of_one_of_two_arguments(a, b, k):
    v = a if k else b
    v[0] = 9
    return v[1:], v.T


def part_of_a_part(a, b, k):
    v = a if k else b
    v *= 2
    v = v[1:] if a[0, 0] > 100 else v[:1]
    return v, v[:, 1]


def own_on_one_path(a, b, k):
    v = a if k else b * 2
    v += 1
    return v[1:].reshape(-1)


def of_a_loop(a, b, k):
    for _ in range(k):
        a, b = b, a
    a[0] = 5
    return a[1:]


def ever_smaller_parts(a, b, k):
    v = a[k:]
    for _ in range(k + 1):
        v -= 1
        v = v[:, 1:]
    return v


LAYOUTS = {
    "upside down": lambda a: a.copy()[::-1],
    "with gaps": lambda a: np.repeat(a, 2, axis=1)[:, ::2],
    "in Fortran's order": np.asfortranarray,
    "of three dims": lambda a: np.stack([a, a]).transpose(1, 2, 0)[:, :, 1],
}
PROGRAMS = [
    part_of_one_of_two_rows,
    part_of_one_of_two_that_is_changed,
    part_of_one_whose_array_is_changed,
    part_of_one_of_two_arguments,
    part_of_a_part,
    own_on_one_path,
    of_a_loop,
    ever_smaller_parts,
]


def observed(function, k, layout=np.copy):
    a, b = layout(x), layout(x + 100)
    made = function(a, b, k)
    made = made if isinstance(made, tuple) else (made,)
    shares = [[np.shares_memory(one, array) for array in (a, b)] for one in made]
    return shares, [one.tolist() for one in (*made, a, b)]


@pytest.mark.parametrize("k", [one, zero])
@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.__name__)
def test_a_result_lies_where_it_does_in_python(program, k):
    assert observed(ag.function(program), k) == observed(program, k)


@pytest.mark.parametrize("layout", LAYOUTS.values(), ids=LAYOUTS)
@pytest.mark.parametrize("program", [ever_smaller_parts, part_of_a_part])
def test_however_the_argument_lies(program, layout):
    for k in (one, zero):
        found = observed(ag.function(program), k, layout)
        assert found == observed(program, k, layout)
