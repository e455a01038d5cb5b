"""NumPy's functions, methods and operators: staged they do what they do plain."""

import re

import numpy as np
import pytest

from runtime.errors import OnlyPythonError, StagingTypeError
from tests.runtime.staging import STATIC, check, stage, unknown_dims, unknown_rank

MATRIX = np.array([[3.0, -1.0, 2.0], [0.5, 4.0, -2.5]])
SQUARE = np.array([[4.0, 1.0], [2.0, 3.0]])
VECTOR = np.array([2.0, 0.0, -1.0])
INTS = np.array([[5, 3, 1], [0, 2, 4]])
COMPLEX = np.array([1 + 2j, -3j, 2.0])
LINE = np.array([3, 1, 2, 1])
MASK = np.array([True, False, True])

# The program, and the arguments that it is given.
PROGRAMS = {
    # reductions
    "np.sum(a)": (MATRIX,),
    "np.sum(a, axis=0)": (MATRIX,),
    "np.sum(a, 1)": (INTS,),
    "a.sum(axis=-1, keepdims=True)": (MATRIX,),
    "a.sum(axis=(0, 1))": (MATRIX,),
    "a.sum(dtype=np.float32)": (INTS,),
    "np.sum(a, initial=5.0)": (MATRIX,),
    "np.sum(a, where=a > 0)": (MATRIX,),
    "np.sum(a, axis=2)": (MATRIX,),
    "np.prod(a, axis=0)": (INTS,),
    "(a.min(), a.max(axis=1), np.amax(a))": (MATRIX,),
    "(a.mean(), a.mean(axis=0), np.mean(a, dtype=np.float32))": (INTS,),
    "(a.var(ddof=1), np.std(a, axis=1))": (MATRIX,),
    "(a.any(), (a > 0).all(axis=0), np.any(a, axis=1))": (MATRIX,),
    "(a.argmin(), np.argmax(a, axis=1), a.argmax(axis=0, keepdims=True))": (MATRIX,),
    "(np.ptp(a), np.ptp(a, axis=0), np.count_nonzero(a, axis=1))": (MATRIX,),
    "(np.cumsum(a), a.cumsum(axis=1), np.cumprod(a, axis=0))": (INTS,),
    "(np.median(a, axis=0), np.nanmax(a), np.nansum(a, axis=1))": (MATRIX,),
    "(np.diff(a), np.diff(a, axis=0), np.diff(a, n=2))": (MATRIX,),
    "np.add.reduce(a)": (MATRIX,),
    "np.subtract.reduce(a, axis=1)": (MATRIX,),
    "np.maximum.accumulate(a, axis=1)": (MATRIX,),
    "np.add.outer(a, a)": (VECTOR,),
    "np.add.reduceat(a, [0, 2])": (VECTOR,),
    # shapes
    "a.reshape(3, 2)": (MATRIX,),
    "np.reshape(a, (-1,))": (MATRIX,),
    "a.reshape(-1, 2)": (MATRIX,),
    "a.reshape(4, 2)": (MATRIX,),
    "a.reshape(a.shape[1], a.shape[0])": (MATRIX,),
    "(a.T, a.transpose(), np.transpose(a, (1, 0)), a.transpose(1, 0))": (MATRIX,),
    "a.transpose(0, 2)": (MATRIX,),
    "(np.swapaxes(a, 0, 1), np.moveaxis(a, 0, -1), a.swapaxes(-1, 0))": (MATRIX,),
    "(np.expand_dims(a, 0), np.expand_dims(a, (0, 2)), a[:, None])": (MATRIX,),
    "(np.squeeze(a[None]), a[None].squeeze(axis=0), a[:1].squeeze(0))": (MATRIX,),
    "a.squeeze(axis=0)": (MATRIX,),
    "(a.ravel(), np.ravel(a), a.flatten())": (MATRIX,),
    "np.broadcast_to(a, (4, 3))": (VECTOR,),
    "np.broadcast_to(a, (4, 2))": (VECTOR,),
    "(np.flip(a), np.flip(a, 0), np.fliplr(a), np.flipud(a))": (MATRIX,),
    "(np.roll(a, 1), np.roll(a, 1, axis=0), np.roll(a, (1, 2), axis=(0, 1)))": (
        MATRIX,
    ),
    "np.roll(a, k)": (VECTOR, np.int64(2)),
    "(np.rot90(a), np.rot90(a, 2), np.rot90(a, k=-1))": (MATRIX,),
    "(np.tile(a, 2), np.tile(a, (2, 1)), np.tile(a, (2, 1, 1)))": (MATRIX,),
    "(np.repeat(a, 2), np.repeat(a, 2, axis=1), a.repeat([1, 2], axis=0))": (MATRIX,),
    "np.repeat(a, k, axis=0)": (MATRIX, np.int64(3)),
    "(np.pad(a, 1), np.pad(a, (1, 2)), np.pad(a, ((0, 1), (2, 0)), 'edge'))": (MATRIX,),
    "np.pad(a, 1, constant_values=7)": (MATRIX,),
    "(np.atleast_1d(a), np.atleast_2d(a), np.atleast_3d(a))": (VECTOR,),
    "(a.shape[0], a.ndim, a.size, len(a), np.shape(a)[0], np.size(a, 1))": (MATRIX,),
    # joining
    "np.concatenate([a, a])": (MATRIX,),
    "np.concatenate((a, b), axis=1)": (MATRIX, INTS),
    "np.concatenate([a, b], axis=0)": (MATRIX, SQUARE),
    "np.concatenate([a, b], axis=None)": (MATRIX, VECTOR),
    "(np.stack([a, a]), np.stack((a, a), axis=-1))": (VECTOR,),
    "np.stack([a, b])": (VECTOR, LINE),
    "(np.vstack([a, a]), np.hstack([a, a]), np.dstack([a, a]))": (VECTOR,),
    "(np.hstack([a, a]), np.column_stack([a, a]))": (MATRIX,),
    "(np.append(a, 1), np.append(a, a, axis=0))": (VECTOR,),
    "np.split(a, 3, axis=1)": (MATRIX,),
    "np.split(a, 2, axis=1)": (MATRIX,),
    "(np.split(a, [1, 2], axis=1), np.array_split(a, 2, axis=1))": (MATRIX,),
    "(np.hsplit(a, 3), np.vsplit(a, 2))": (MATRIX,),
    "(np.split(a, 1), np.array_split(a, 1, axis=1), np.split(a, []))": (MATRIX,),
    # products
    "(a @ a.T, np.matmul(a, b), a @ b)": (MATRIX, VECTOR),
    "a @ a": (MATRIX,),
    "(np.dot(a, b), a.dot(b), np.dot(b, b), np.dot(a, 2.0))": (MATRIX, VECTOR),
    "(np.vdot(a, a), np.inner(a, a), np.outer(a, b))": (COMPLEX, VECTOR),
    "(np.kron(a, b), np.cross(b, b + 1), np.trace(a))": (SQUARE, VECTOR),
    "np.tensordot(a, b, axes=1)": (MATRIX, VECTOR),
    "np.tensordot(a, a, axes=([0, 1], [0, 1]))": (MATRIX,),
    "np.einsum('ij,j->i', a, b)": (MATRIX, VECTOR),
    "(np.einsum('ij->ji', a), np.einsum('ij', a), np.einsum('ii', c))": (
        MATRIX,
        VECTOR,
        SQUARE,
    ),
    "np.einsum('...j,j', a, b)": (MATRIX, VECTOR),
    "(np.diag(a), np.diag(np.diag(a)), np.diagonal(a, 1), np.diag(a, -1))": (SQUARE,),
    "(np.tril(a), np.triu(a, 1), np.tril(a, -1))": (SQUARE,),
    # elements
    "(np.take(a, [1, 0]), a.take(b, axis=1), np.take(a, 1, axis=0))": (
        MATRIX,
        np.array([2, -1]),
    ),
    "np.take_along_axis(a, np.argsort(a, axis=1), axis=1)": (MATRIX,),
    "(np.where(a > 0, a, 0), np.where(a > 0, 1, 0), np.where(a > 0))": (MATRIX,),
    "np.where(b, a, 1.5)": (INTS, MASK),
    "(np.nonzero(a), a.nonzero(), np.flatnonzero(a), np.argwhere(a))": (MATRIX,),
    "(np.nonzero(a), a.nonzero(), np.where(a), np.nonzero(a)[0])": (VECTOR,),
    "(np.clip(a, -1, 2), a.clip(0), np.clip(a, None, 1), a.clip(max=0.5))": (MATRIX,),
    "(np.round(a), a.round(1), np.around(a / 3, 2))": (MATRIX,),
    "(np.sort(a), a.argsort(axis=0), np.sort(a, axis=None))": (MATRIX,),
    "(np.searchsorted(np.sort(a), 1), np.sort(a).searchsorted(a, side='right'))": (
        LINE,
    ),
    "(np.unique(a), np.unique(a, return_counts=True), np.bincount(a))": (LINE,),
    "(a.real, a.imag, np.real(a), a.conj(), np.conj(a), np.angle(a))": (COMPLEX,),
    "(a.astype(int), a.astype('float32'), a.astype(np.float64, copy=False))": (MATRIX,),
    "a.astype(int, casting='safe')": (MATRIX,),
    "(a.item(0), a[0, 0].item(), a.item(1, 1), a.tolist())": (MATRIX,),
    "(a.copy(), np.copy(a), a.T.copy())": (MATRIX,),
    # host calls
    "np.linalg.norm(a)": (MATRIX,),
    "(np.linalg.inv(a), np.linalg.det(a), np.linalg.solve(a, a))": (SQUARE,),
    "np.linalg.eigh(a + a.T)": (SQUARE,),
    "(np.fft.fft(a), np.convolve(a, a), np.interp(a, a, a))": (VECTOR,),
    "(np.percentile(a, 30), np.histogram(a, bins=2), np.allclose(a, a))": (MATRIX,),
    "(np.nan_to_num(a), np.isclose(a, 0), np.array_equal(a, a))": (VECTOR,),
    "(np.compress(b, a), np.extract(b, a), np.select([b], [a], 7))": (VECTOR, MASK),
    "(np.insert(a, 1, 5), np.delete(a, 1), np.average(a, weights=a * a))": (VECTOR,),
    "np.linalg.inv(a)": (np.zeros((2, 2)),),
    "a.tobytes and a.byteswap()": (LINE,),
    # creation
    "(np.zeros_like(a), np.ones_like(a, dtype=int), np.full_like(a, 2))": (MATRIX,),
    "np.empty_like(a).shape": (MATRIX,),
    "np.linspace(a, 1, 5)": (VECTOR,),
    "np.meshgrid(a, b)": (VECTOR, LINE),
    "np.meshgrid(a)": (VECTOR,),
    "np.meshgrid(a, b, indexing='ij', sparse=True)": (VECTOR, LINE),
    # indexing
    "(a[0], a[-1, 1], a[:, 0], a[1:], a[::-1], a[..., 1], a[0:1, ::2])": (MATRIX,),
    "(a[None], a[:, None, 1], a[..., None], a[()], a[...])": (MATRIX,),
    "a[5]": (MATRIX,),
    "a[0, 1, 2]": (MATRIX,),
    "a[1.5]": (MATRIX,),
    "a[b]": (MATRIX, np.array([True, False])),
    "(a[:, b], a[a > 0], a[[1, 0]], a[[0, 1], [2, 0]])": (MATRIX, MASK),
    "(a[k], a[:k], a[k:, 1], a[..., k], a[k - 1, k])": (MATRIX, np.int64(1)),
    "(a[b], a[b, 0], a[b[:, None], b])": (MATRIX, np.array([1, 0])),
    "a[[0, 7]]": (MATRIX,),
    "a[np.float64(1.0)]": (MATRIX,),
    "(a[0, :, [1, 2]], a[None, [1], ..., [0]], a[[1], :, None])": (
        np.arange(24).reshape(2, 3, 4),
    ),
    "a[True]": (VECTOR,),
    # operators
    "(a + 1, 1 - a, a * 2.5, a / 2, a // 2, a % 3, a ** 2, 2 ** a)": (INTS,),
    "(a ** 0.5, a ** -1.0, (-a) ** 3, a ** 2)": (MATRIX,),
    "a ** -1": (INTS,),
    "(a & 3, a | 4, a ^ 1, a << 1, a >> 1, ~a, -a, +a, abs(a))": (INTS,),
    "(a < 1, a <= b, a == b, a != 0, a > b, a >= 2)": (MATRIX, INTS),
    "(divmod(a, 3), a + [1, 2, 3])": (INTS,),
    "a + b": (MATRIX, SQUARE),
    "-a": (MASK,),
    "a - a": (MASK,),
    "a & 1": (MATRIX,),
    "(a + 200, a * np.int16(3), a + 1.5)": (np.array([100, 27], np.int8),),
    "a + 300": (np.array([100], np.int8),),
    "(a + 1, a / 3, a ** 2, a == 1, a + a, a * 1.0, -a, int(3) + a)": (np.float32(2),),
    "(np.add(1, 2) + a, np.sqrt(a), np.add(a, 1, dtype=np.float32))": (VECTOR,),
    "(np.modf(a), np.frexp(a), np.divmod(a, 2), np.ldexp(a, 2))": (MATRIX,),
    "np.add(a, 1, where=a > 0, out=np.zeros_like(a))": (VECTOR,),
    "(a.nope if False else a).nope": (VECTOR,),
    # Python numbers
    "(k + 1, k / 2, k // 2, k % 3, k ** 2, -k, abs(k), k < 3, k * 1.5, ~k)": (7,),
    "(k // 0)": (7,),
    "(k ** -1, 2 ** k, k ** 0.5)": (7,),
    "(k + 2 ** 70, k << 80)": (7,),
    "(k * 2.0, k // 0.3, k % 0.7, k ** 2, k + 1j, -k, k == 2.5)": (2.5,),
    "(a + k, a * k, np.sqrt(k), np.add(k, 1), a[k])": (VECTOR, 2),
    "(k.real, k.bit_length(), k.conjugate())": (6,),
    "(a + 1, a / 3, 2 * a, a == 1, a + a, -a, np.sqrt(a), a < 3)": (np.float64(2),),
    "(1j + a, a * 2j, a ** 2j)": (np.float64(2),),
    "(-2) ** k": (6,),
    "-2 - k": (-6,),
    "k.shape_of": (6,),
    "k[0]": (6,),
    "(k & 3, k | b, k ^ 1, k + b, b + b, b * 2.0, b & b)": (True, 6),
}
KNOWN = {"static": STATIC, "unknown_dims": unknown_dims, "unknown_rank": unknown_rank}

# Programs that ask while tracing for what is then not known.
ASK_FOR_RANK = {
    "a.reshape(a.shape[1], a.shape[0])",
    "(a.shape[0], a.ndim, a.size, len(a), np.shape(a)[0], np.size(a, 1))",
    "(np.where(a > 0, a, 0), np.where(a > 0, 1, 0), np.where(a > 0))",
    "(np.nonzero(a), a.nonzero(), np.flatnonzero(a), np.argwhere(a))",
    "(np.nonzero(a), a.nonzero(), np.where(a), np.nonzero(a)[0])",
    "(a.item(0), a[0, 0].item(), a.item(1, 1), a.tolist())",
    "np.empty_like(a).shape",
    "(np.hsplit(a, 3), np.vsplit(a, 2))",
}
ASK_FOR_DIMS = {
    "(a.shape[0], a.ndim, a.size, len(a), np.shape(a)[0], np.size(a, 1))",
    "(a.item(0), a[0, 0].item(), a.item(1, 1), a.tolist())",
}
REFUSED = {"static": set(), "unknown_dims": ASK_FOR_DIMS, "unknown_rank": ASK_FOR_RANK}


@pytest.mark.parametrize("known", KNOWN)
@pytest.mark.parametrize("program", PROGRAMS)
def test_program_gives_the_same_plain_and_staged(program, known):
    args = PROGRAMS[program]
    names = sorted(set(re.findall(r"\b[abck]\b(?!')", program)))
    function = eval(f"lambda {', '.join(names)}: {program}", {"np": np})
    if program in REFUSED[known]:
        with pytest.raises((StagingTypeError, OnlyPythonError)):
            stage(function, *args, spec=KNOWN[known])
    else:
        check(function, *args, spec=KNOWN[known])
