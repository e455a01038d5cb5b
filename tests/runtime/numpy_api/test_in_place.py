"""Changing arrays in place: stores, augmented assignment, views, `out`, methods."""

import re

import numpy as np
import pytest

from tests.runtime.staging import STATIC, check, unknown_dims

MATRIX = np.array([[3.0, -1.0, 2.0], [0.5, 4.0, -2.5]])
VECTOR = np.array([2.0, 0.0, -1.0])
INTS = np.array([5, 3, 1])
COMPLEX = np.array([1 + 2j, -3j, 2.0])
SQUARE = np.array([[4.0, 1.0], [2.0, 3.0]])
RECORDS = np.array(
    [(3, 1.5), (1, 2.5), (2, 0.5), (1, 0.25)], [("x", int), ("y", float)]
)

# Statements that change `a` or what is made of it; `b` is what they read.
PROGRAMS = {
    "a[0] = 5": (VECTOR,),
    "a[1, :] = b": (MATRIX, VECTOR),
    "a[:] = b[:2]": (VECTOR, INTS),
    "a[...] = 0": (MATRIX,),
    "a[7] = 0": (VECTOR,),
    "a[b] = -1": (MATRIX[0], np.array([True, False, True])),
    "a[a > 0] = 0": (MATRIX,),
    "a[a > 0] *= 2": (MATRIX,),
    "a[[0, 0, 1]] += 1": (INTS,),
    "a[b] = [7, 8]": (VECTOR, np.array([2, 0])),
    "a[0] = 2.9": (INTS,),
    "a[0] = float('nan')": (INTS,),
    "a[0] = 2 ** 70": (INTS,),
    "a[b, 1] = 9": (MATRIX, np.int64(1)),
    "a[1:3] += a[:2]": (VECTOR,),
    "a[::-1] = a": (VECTOR,),
    "a += 1; a *= b; a -= a": (MATRIX, VECTOR),
    "a += 1.5": (INTS,),
    "a /= 2": (INTS,),
    "a //= 2; a **= 2; a %= 3": (INTS,),
    "a += b": (VECTOR, MATRIX),
    "a += 1": (np.array([1.0], np.float32),),
    "a &= 6; a |= 1; a ^= 2; a <<= 3; a >>= 1": (INTS,),
    "a @= b": (SQUARE, SQUARE + 1),
    "c = a; c += 1": (VECTOR,),
    "c = a + 0; c += 1": (VECTOR,),
    "c = a[1:]; c[0] = 7; a[1] += 1; return c": (VECTOR,),
    "c = a[1:]; d = c[::-1]; d[0] = 7; d += 1; return c, d": (VECTOR,),
    "c = a[0]; c = c + 1; a[0] = 9; return c": (VECTOR,),
    "c = a[1]; c += 1; return c": (VECTOR,),
    "c = a[1]; c *= 2; return c": (MATRIX,),
    "c = a.T; c[0, 1] = 7; c += 1; return c": (MATRIX,),
    "c = a.reshape(-1); c[4] = 7; return c": (MATRIX,),
    "c = a.T.reshape(-1); c[4] = 7; return c": (MATRIX,),
    "c = a[0].reshape(3, 1); c[0] = 7; return c": (MATRIX,),
    "c = a[:, 1].ravel(); c[0] = 7; return c": (MATRIX,),
    "c = a.ravel(); c += 1; d = a.flatten(); d += 1; return d": (MATRIX,),
    "a.flat[2] = 8": (MATRIX,),
    "c = np.flip(a); c[0] = 7; return c": (VECTOR,),
    "c = a[None]; c[0, 1] = 7; d = np.squeeze(c); d += 1; return d": (VECTOR,),
    "c = np.moveaxis(a, 0, 1); c[2] = 0; return c": (MATRIX,),
    "c = a[..., None]; c[0] = 0; return c": (MATRIX,),
    "c = a[[0, 1]]; c += 1; return c": (MATRIX,),
    "c = a[a > 0]; c += 1; return c": (MATRIX,),
    "c = a.copy(); c += 1; return c": (MATRIX,),
    "c = a.real; c[0] = 7; a.imag[1] = 3; return c": (COMPLEX,),
    "a.fill(3)": (MATRIX,),
    "a.sort(); a[::-1].sort()": (INTS,),
    "a[1].sort()": (MATRIX,),
    "a.sort(axis=0)": (MATRIX,),
    "a.sort(stable=True); a[::-1].sort(-1, 'stable')": (INTS,),
    "a.sort(order='y'); a[1:].sort(-1, None, ['x', 'y'])": (RECORDS,),
    "a[::2].sort(order='z')": (RECORDS,),
    "a.partition(1)": (INTS,),
    "a.partition(1, kind='introselect')": (INTS,),
    "a.partition(1, order='y')": (RECORDS,),
    "a.put([0, 2], [7, 8])": (INTS,),
    "np.copyto(a, b)": (MATRIX, VECTOR),
    "np.copyto(a, b, where=a > 0)": (MATRIX, VECTOR),
    "np.put(a, [0], 3); np.fill_diagonal(a, 9)": (MATRIX,),
    "np.putmask(a, a > 0, -a); np.place(a, a > 3, [1, 2])": (MATRIX,),
    "np.put_along_axis(a, np.argsort(a, axis=1)[:, :1], 9, axis=1)": (MATRIX,),
    "np.add(a, 1, out=a)": (VECTOR,),
    "np.add(a[0], b, out=a[1])": (MATRIX, VECTOR),
    "np.add(a, b, out=a[1])": (MATRIX[0], VECTOR),
    "np.multiply(b, 2, out=a[1]); return np.exp(b, a[0])": (MATRIX, VECTOR),
    "np.add(a, 0.5, out=a)": (INTS,),
    "np.divide(1, a, out=a, where=a != 0)": (VECTOR,),
    "np.sum(a, axis=0, out=b)": (MATRIX, VECTOR),
    "np.matmul(a, a, out=b)": (SQUARE, SQUARE + 1),
    "np.add.at(a, [0, 0, 2], 1)": (INTS,),
    "np.add.at(a, ([0, 0], [1, 1]), b)": (MATRIX, np.array([1.0, 2.0])),
    "np.negative.at(a, [0, 1])": (INTS,),
    "np.subtract.reduce(a, out=b)": (MATRIX, VECTOR),
    "np.clip(a, 0, 1, out=a)": (VECTOR,),
    "a[0][1] = 5; a[1][1:][0] = 6": (MATRIX,),
    "a[0], a[1] = a[1], a[0]": (INTS,),
    "a[0] = a[1]; a[1] = a[0]": (MATRIX,),
    "a.shape_of = 1": (MATRIX,),
}
KNOWN = {"static": STATIC, "unknown_dims": unknown_dims}


@pytest.mark.parametrize("known", KNOWN)
@pytest.mark.parametrize("program", PROGRAMS)
def test_arrays_are_changed_as_in_plain_numpy(program, known):
    args = PROGRAMS[program]
    names = sorted(set(re.findall(r"\b[ab]\b", program)))
    scope = {"np": np}
    body = "\n    ".join(program.split("; "))
    exec(f"def f({', '.join(names)}):\n    {body}", scope)
    check(scope["f"], *args, spec=KNOWN[known])
