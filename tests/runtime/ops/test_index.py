"""Indexing: what keys select, store and refuse, against NumPy."""

import numpy as np
import pytest

from runtime.ops import index
from runtime.ops.elementwise import ufunc_at
from runtime.ops.template import Input
from runtime.spec import TensorSpec, spec_of

I = Input


def sample(dims):
    return (np.arange(int(np.prod(dims)))[::-1].reshape(dims) % 5).astype(float)


# Indices: a template, and what comes in its places.
INDICES = [
    ((0,), ()),
    ((-1, 1), ()),
    ((1, 2, 3), ()),
    ((slice(None), 0), ()),
    ((slice(1, None), Ellipsis, slice(None, None, -1)), ()),
    ((Ellipsis, 0), ()),
    ((None, 0, None), ()),
    ((), ()),
    ((Ellipsis,), ()),
    ((slice(5, 9), slice(-1, None, 2)), ()),
    ((I(0),), (1,)),
    ((slice(I(0), None), 0), (1,)),
    ((slice(None, I(0)), I(1)), (1, np.int32(2))),
    ((I(0),), (np.array([1, 0, 1]),)),
    ((slice(None), I(0)), (np.array([[2, 0]]),)),
    ((I(0), slice(None), I(1)), (np.array([0, 1]), np.array([3, -1]))),
    ((0, slice(None), I(0)), (np.array([3, 1]),)),
    ((slice(None), 0, I(0)), (np.array([3, 1]),)),
    ((I(0), I(1)), (np.array([[0], [1]]), np.array([2, 1]))),
    ((I(0),), (np.array([True, False]),)),
    ((slice(None), I(0)), (np.array([True, False, True]),)),
    ((I(0),), (sample((2, 3)) > 1,)),
    ((I(0), I(1)), (np.array([True, True]), np.array([0, 2]))),
    ((None, I(0), None, I(1)), (np.array([1]), np.array([2]))),
    ((I(0), Ellipsis, I(1)), (np.array([1]), np.array([2]))),
    ((I(0),), (np.array(True),)),
]


@pytest.mark.parametrize(("template", "dynamic"), INDICES)
def test_index_selects_what_numpy_selects(template, dynamic):
    x = np.arange(24.0).reshape(2, 3, 4)
    specs = tuple(map(spec_of, dynamic))
    op = index.index_ if index.is_advanced(template, specs) else index.slice_
    key = tuple(_filled(part, dynamic) for part in template)
    expected = x[key]
    np.testing.assert_array_equal(op.kernel(x, *dynamic, index=template), expected)
    for dims in (x.shape, (None,) * 3, ("a", "b", "c"), None):
        declared = op.infer(TensorSpec(dims, x.dtype), *specs, index=template)
        accepted = TensorSpec(expected.shape, x.dtype)
        named = declared.with_shape(
            declared.shape
            and tuple(d if isinstance(d, int) else None for d in declared.shape)
        )
        assert named.describes(accepted)
    assert_store(x, template, dynamic, key)


def assert_store(x, template, dynamic, key):
    specs = tuple(map(spec_of, dynamic))
    for content in (7, x[key] * 2, np.float32(1)):
        expected = x.copy()
        expected[key] = content
        before = x.copy()
        made = index.store.kernel(x, content, *dynamic, index=template)
        np.testing.assert_array_equal(made, expected)
        np.testing.assert_array_equal(x, before)
        spec = index.store.infer(spec_of(x), spec_of(content), *specs, index=template)
        assert spec == spec_of(x)


def _filled(part, dynamic):
    if isinstance(part, Input):
        return dynamic[part.k]
    if isinstance(part, slice):
        bounds = (part.start, part.stop, part.step)
        return slice(*(_filled(bound, dynamic) for bound in bounds))
    return part


def test_index_out_of_bounds_is_refused_only_when_it_runs():
    spec = TensorSpec((3,), float)
    assert index.slice_.infer(spec, index=(5,)) == TensorSpec((), float)
    with pytest.raises(IndexError, match="index 5 is out of bounds for axis 0"):
        index.slice_.kernel(np.zeros(3), index=(5,))


def test_too_many_indices_are_refused_at_once():
    with pytest.raises(IndexError, match="array is 1-dimensional, but 2 were indexed"):
        index.slice_.infer(TensorSpec((3,), float), index=(0, 0))


def test_content_that_cannot_fit_is_refused_at_once():
    expected = r"could not broadcast input array from shape \(2,\) into shape \(3,\)"
    x, content = TensorSpec((4,), float), TensorSpec((2,), float)
    with pytest.raises(ValueError, match=expected):
        index.store.infer(x, content, index=(slice(1, None),))


def test_arrays_of_indices_that_do_not_go_together_are_refused_in_numpys_words():
    x = np.zeros((4, 4))
    dynamic = (np.zeros(2, int), np.zeros(3, int))
    with pytest.raises(IndexError) as numpys:
        x[dynamic]
    with pytest.raises(IndexError) as ours:
        index.index_.infer(spec_of(x), *map(spec_of, dynamic), index=(I(0), I(1)))
    assert str(ours.value).strip() == str(numpys.value).strip()


def test_repeated_index_counts_each_time():
    x = np.zeros(3)
    made = ufunc_at.kernel(x, 1.0, np.array([0, 0]), ufunc=np.add, index=(I(0),))
    np.testing.assert_array_equal(made, [2, 0, 0])


def test_put_along_axis_leaves_its_operand():
    x = sample((2, 3))
    made = index.put_along_axis.kernel(x, np.array([[0], [2]]), 9.0, axis=1)
    expected = x.copy()
    np.put_along_axis(expected, np.array([[0], [2]]), 9.0, 1)
    np.testing.assert_array_equal(made, expected)
    np.testing.assert_array_equal(x, sample((2, 3)))
