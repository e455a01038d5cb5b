"""Calls with bad input, and where they stand: what NumPy says of them is said.

    python -m tests.conformance.bad_calls

runs each in each of the forms, and prints those that say something else as graphs.
"""

from __future__ import annotations

import contextlib
import io
import itertools
import linecache
import re
import traceback
import warnings
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

import autograph as ag

CALLS = """
x[i] | x[7] | x[-9] | m[i, 0] | m[0, i] | x[i:i, 0] | m[:, :, 0] | x[1.5] | x['a']
x[[0, 9]] | x[np.array([0, i])] | x[m] | x[b] | m[b] | x[None, i] | m[b2]
np.take(w[0], np.array([[0, 7]]), axis=-1)
np.take(x, i) | np.take(x, [0, 9]) | np.take(m, i, axis=1) | x.take(i, mode='clip')
np.take_along_axis(x, np.array([9]), 0) | np.choose(i, [x, x])
np.compress([True, False], m, axis=5) | x + y | x * m[:, :2] | x @ y | m @ m | m @ x
np.dot(x, y) | np.matmul(m, m) | np.inner(x, y) | np.outer(x) | np.cross(y, y)
np.kron() | np.tensordot(m, m, 1) | np.einsum('ij,jk', m, m) | np.einsum('ij', x)
np.vdot(x, y) | x.reshape(2, 2) | x.reshape(-1, 5) | m.reshape(i, -1)
m.reshape(-1, -1) | np.squeeze(m, 0) | m.transpose(0, 0) | m.transpose(0)
np.moveaxis(m, 0, 3) | np.swapaxes(m, 0, 2) | np.expand_dims(m, 5)
np.broadcast_to(x, (2, 2)) | np.broadcast_to(x, (i, 2)) | np.concatenate([x, m])
np.concatenate([x, y], axis=1) | np.stack([x, y]) | np.vstack([x, y])
np.hstack([x, m]) | np.column_stack([x, y]) | np.split(x, 2) | np.split(x, i)
np.array_split(x, 0) | np.vsplit(x, 3) | np.dstack([x, y])
np.concatenate([]) | np.stack([])
np.linalg.inv(sing) | np.linalg.solve(sing, x) | np.linalg.inv(m)
np.linalg.cholesky(-np.eye(3)) | np.linalg.solve(sq, y) | np.linalg.det(x)
np.linalg.eig(x) | np.linalg.svd(x) | np.linalg.qr(x) | np.linalg.eigh(m)
np.linalg.matrix_power(m, 2) | np.linalg.matrix_power(sq, 1.5)
np.linalg.norm(m, 'bad') | np.linalg.norm(x, 'fro') | np.linalg.lstsq(m, y)
np.linalg.pinv(x) | np.linalg.cond(x) | np.linalg.matrix_power(sing, -1)
np.linalg.tensorsolve(m, x) | np.linalg.slogdet(m) | np.linalg.cholesky(m)
np.linalg.inv(nanm) | np.linalg.svd(nanm) | np.linalg.eigvals(nanm)
np.linalg.multi_dot([m, m]) | np.linalg.eigvalsh(nanm) | np.sum(x, axis=1)
np.sum(x, axis=i) | x.sum(axis=(0, 0)) | np.max(e) | np.min(e) | np.argmax(e)
e.max() | np.mean(x, axis=3) | np.median(x, axis=2) | np.percentile(x, 101)
np.quantile(x, 1.5) | np.quantile(x, d) | np.cumsum(m, axis=2) | np.ptp(e)
np.nanargmax(nanx) | np.var(m, axis=-3) | np.argmin(e) | np.average(x, weights=y)
np.average(x, weights=z3) | np.maximum.reduce(e) | np.add.reduce(m, axis=2)
np.add.reduceat(x, [0, 9]) | np.subtract.reduce(m, axis=(0, 1)) | np.trapezoid(x, y)
np.diff(x, n=-1) | np.gradient(np.array([d])) | np.histogram(x, bins=0)
np.histogram(x, bins=[3, 1]) | np.histogram(nanx) | np.bincount(x)
np.bincount(n3 - 5) | np.digitize(x, [1, 3, 2]) | np.interp(x, y, x)
np.interp(x, e, e) | np.convolve(x, e) | np.correlate(e, x) | np.cov(x, y)
np.corrcoef(x, y) | np.unique(x, axis=2) | np.searchsorted(m, x)
np.searchsorted(x, x, side='up') | np.sort(x, axis=1) | np.sort(x, kind='bad')
np.argsort(x, axis=4) | np.partition(x, 9) | np.argpartition(x, 9)
np.lexsort((x, y)) | x.astype('bad') | np.array(['a', 'b'])[n3 % 2].astype(float)
w.astype(int) | z.astype(float, casting='safe') | np.add(x, 1, dtype=int)
np.add(x, 1, casting='no', dtype='f4') | np.bitwise_and(x, 1) | x & 1 | ~x | x << 1
n3 ** -1 | n3 ** (n3 - 2) | 2 ** (n3 - 3) | u8 + 300 | u8 - 256 | u8 == 300
u8 + (-1) | u8 + 2**70 | n3 + 2**70 | x + 2**70 | np.uint8(300) | np.int8(n3[0] * 100)
np.array([300], np.uint8) | np.array([1, 2], 'u1') * 256 | o + o | o * 2 | o - x
o + n3 | w + 1 | w * 2 | w + w | np.sqrt(w) | np.isnan(w) | np.isnan(o) | np.exp(o)
np.isnat(x) | np.floor(z) | z < z | z // z | z % 2 | np.maximum(w, 'b')
x if x else 1 | bool(x) | int(x) | float(x) | int(w[0]) | float(w[1]) | x.item()
m.item(9) | m.item(i, 9) | len(d) | d[0] | x.foo | x.shape.bar | np.foo | x() | x.T()
range(d) | [1, 2][x[0]] | list(range(3))[i] | (1, 2)[i] | 'abc'[i] | {0: 1}[i]
x[::0] | x[i:j:0] | m[..., ...] | x[slice(None, d)] | np.zeros(-1) | np.zeros(j)
np.zeros((2, j)) | np.ones('a') | np.full(j, 1.) | np.arange(1, 5, 0)
np.arange(i, 5, i - 7) | np.linspace(0, 1, -1) | np.linspace(0, 1, j) | np.eye(j)
np.tri(j) | np.tile(x, -1) | np.repeat(x, -1) | np.repeat(x, [1, 2])
np.repeat(x, n3 - 2) | np.pad(x, -1) | np.pad(x, 1, 'bad') | np.pad(x, (1, 2, 3))
np.roll(x, 1, axis=1) | np.rot90(x) | np.flip(x, 1) | np.fliplr(x) | np.diag(t3)
np.diagonal(x) | np.trace(x) | np.tril(d) | np.meshgrid(m, x) | np.indices(x)
np.ix_(m) | np.unravel_index(i, (2, 2)) | np.ravel_multi_index((i, i), (2, 2))
np.ravel_multi_index((n3, n3), (2, 2)) | np.where(b, x) | np.where(b, x, y)
np.select([b], [y]) | np.select([x], [x]) | np.choose(n3, [1, 2]) | np.clip(x, y, 1)
np.clip(x) | np.piecewise(x, [b], [1, 2, 3]) | np.apply_along_axis(np.sum, 3, m)
np.vectorize(len)(x) | np.fromiter(x, 'bad') | np.polyval(x, w) | np.polyfit(x, y, 1)
np.roots(m) | np.poly1d(m) | np.fft.fft(x, -1) | np.fft.fft(x, axis=2) | np.fft.fft(e)
np.fft.ifft2(x) | np.insert(x, 9, 1) | np.insert(x, i, 1) | np.delete(x, 9)
np.delete(x, i) | np.append(m, x, axis=0) | np.resize(e, 3) | np.atleast_1d(w) + 1
np.in1d | np.intersect1d(x, m) | np.union1d(w, x) | np.packbits(x) | np.unpackbits(x)
np.frombuffer(x, 'bad') | np.random.default_rng(0).choice(e)
np.random.default_rng(0).integers(3, 1)
np.random.default_rng(0).choice(x, 9, replace=False)
np.random.default_rng(0).normal(0, -1) | np.random.default_rng(0).choice(x, p=y)
np.random.default_rng(-1) | x.flat[i] | m.flat[[0, 9]] | x[i - 5 :].flat[-4] | x.item(i)
m.item(i) | m.reshape(i, -1, order='F') | m.reshape(4, -1, order='F')
"""
STATEMENTS = """
x[i] = 1 | x[9] = 1 | x[:2] = x | x[b] = y | x[[0, 9]] = 1 | m[0] = y | m[:, 0] = x
x[...] = m | x[0] = x | x[0] = 'a' | x[0] = 1j | n3[0] = 1.5 | n3[0] = float('nan')
n3[0] = 2**70 | u8[0] = 300 | u8[0] = -1 | u8[:] = 300 | u8[:] = n3 * 100 | n3[:] = x
n3[:] = z | x[:] = z | x[0] = None | x['a'] = 1 | x[1.5] = 1 | x[b2] = 1 | x[m] = 1
x += m | x += y | n3 += 0.5 | n3 += x | n3 /= 2 | u8 += 300 | u8 += -1 | u8 -= n3
n3 **= -1 | x += 1j | x @= y | m @= m | x &= 1 | n3 <<= x | b += 1 | b -= b | w += 'a'
o += 1 | o += o | x //= 'a' | x += None | n3 += z | sing @= y | ro[0] = 1 | ro += 1
ro.sort() | ro.fill(0) | np.add(x, 1, out=ro) | np.copyto(ro, 1) | ro[b] = 0
ro[i:] = 0 | ro.partition(1) | np.put(ro, [0], 1) | np.fill_diagonal(rom, 0)
ro.T[0] = 1 | ro[1:][0] = 1 | ro.reshape(3, 1)[0] = 1 | np.add.at(ro, [0], 1)
np.putmask(ro, b, 1) | np.place(ro, b, [1]) | np.diagonal(sq)[0] = 1
np.broadcast_to(x, (2, 3))[0] = 1 | np.add(x, 1, out=y) | np.add(x, m, out=x)
np.add(x, 1, out=n3) | np.add(x, 1, out=(x, x)) | np.add(x, 1, out=3)
np.sum(m, axis=0, out=y) | np.cumsum(x, out=n3) | np.matmul(m, x, out=x)
np.dot(m, x, out=x) | np.copyto(x, m) | np.copyto(n3, x) | np.copyto(x, 1, where=y)
np.put(x, 9, 1) | np.put(x, [0, 9], 1) | np.place(x, b, []) | np.putmask(x, y, 1)
np.fill_diagonal(x, 1) | np.add.at(x, 9, 1) | np.add.at(x, [0, 1], y3)
np.add.at(x, [0, 1, 2], y) | x.sort(axis=1) | x.partition(9) | x.put(9, 1)
np.put_along_axis(x, np.array([9]), 1, 0) | x.shape = (2, 2) | x.fill('a') | x.fill(m)
np.random.default_rng(0).shuffle(5) | np.clip(x, 0, 1, out=y)
np.take(x, [0, 1], out=y3) | np.minimum(x, 0, where=y, out=x) | x.byteswap(inplace=3)
x.flat[i] = 1 | x.flat[i] += 1 | x.flat[[0, 9]] = 2 | ro[...] = m | ro[i - 6 :][:1] += m
"""


def _locked(x: Any) -> Any:
    x.flags.writeable = False
    return x


ARGUMENTS: dict[str, Callable[[], Any]] = {
    "x": lambda: np.array([1.0, 2.0, 3.0]),
    "y": lambda: np.array([1.0, 2.0]),
    "y3": lambda: np.ones(4),
    "z3": lambda: np.zeros(3),
    "m": lambda: np.arange(6.0).reshape(2, 3),
    "sq": lambda: np.arange(9.0).reshape(3, 3) + np.eye(3),
    "sing": lambda: np.ones((3, 3)),
    "nanm": lambda: np.full((3, 3), np.nan),
    "nanx": lambda: np.full(3, np.nan),
    "e": lambda: np.zeros(0),
    "b": lambda: np.array([True, False, True]),
    "b2": lambda: np.array([True, False]),
    "i": lambda: np.int64(7),
    "j": lambda: np.int64(-3),
    "d": lambda: np.float64(1.5),
    "n3": lambda: np.array([0, 1, 2]),
    "u8": lambda: np.array([1, 2, 255], np.uint8),
    "z": lambda: np.array([1 + 1j, 2, 3j]),
    "w": lambda: np.array(["a", "bc", "d"]),
    "o": lambda: np.array(["2024-01-01", "NaT", "2020-02-29"], "M8[D]"),
    "t3": lambda: np.ones((2, 2, 2)),
    "ro": lambda: _locked(np.array([1.0, 2.0, 3.0])),
    "rom": lambda: _locked(np.eye(3)),
}
FORMS = {
    "alone": """
def f({names}):
    {call}
    return r
""",
    "loop": """
def f(k, {names}):
    r = 0
    for t in range(k):
        if t == 2:
            {call}
    return r
""",
    "branch": """
def f(k, {names}):
    r = 0
    if k > 3:
        {call}
    else:
        r = 1.5
    return r
""",
    "tried": """
def f(k, {names}):
    r = 0.5
    try:
        {call}
    except (ValueError, TypeError) as error:
        print("first", error)
        r = -1.0
    except (IndexError, ArithmeticError, LookupError) as error:
        print("second", error)
        r = -2.0
    except Exception as error:
        print("other", type(error).__name__, error)
        r = -3.0
    finally:
        print("end")
    return r
""",
    "tried in a loop": """
def f(k, {names}):
    r = 0.5
    n = 0
    for t in range(k):
        try:
            if t > 2:
                {call}
            n += 1
        except Exception as error:
            print("other", type(error).__name__, error)
            n += 10
    return n
""",
}


def programs() -> Iterator[str]:
    """Each call, as a statement that gives `r`."""
    for call in re.split(r" \| |\n", CALLS.strip()):
        yield f"r = {call}"
    for statement in re.split(r" \| |\n", STATEMENTS.strip()):
        yield f"{statement}; r = 1.0"


def difference(call: str, form: str) -> str | None:
    """What the graph does otherwise than Python; None where nothing."""
    wanted = r"(?<![\w.'\"]){}(?![\w'\"(])"
    names = [n for n in ARGUMENTS if re.search(wanted.format(n), call)]
    text = FORMS[form].format(names=", ".join(names), call=call)
    file = f"<bad {form}: {call}>"
    source = "import numpy as np\n" + text
    linecache.cache[file] = (len(source), None, source.splitlines(True), file)
    namespace: dict[str, Any] = {"__name__": "bad"}
    exec(compile(source, file, "exec"), namespace)
    plain, graph = namespace["f"], ag.function(namespace["f"])
    python = _observe(plain, form, names)
    for _ in range(2):
        staged = _observe(graph, form, names)
        for what in python:
            if python[what] != staged[what]:
                return f"{what}:\n  Python {python[what]}\n  graph  {staged[what]}"
    return None


def _observe(f: Any, form: str, names: list[str]) -> dict[str, str]:
    arguments = [ARGUMENTS[name]() for name in names]
    numbers = [] if form == "alone" else [np.int64(5)]
    printed = io.StringIO()
    raised, line, result = "", "", None
    with contextlib.redirect_stdout(printed), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            result = f(*numbers, *arguments)
        except Exception as error:
            raised = f"{type(error).__name__}: {error}"
            entries = traceback.extract_tb(error.__traceback__)
            lines = [e.lineno for e in entries if e.filename.startswith("<bad")]
            line = str(lines[-1:])
    return {
        "exception": raised,
        "line": line,
        "printed": printed.getvalue(),
        "result": repr(result),
        "arguments": repr(arguments),
    }


if __name__ == "__main__":
    ag.config(strict=True)
    for one in itertools.product(programs(), FORMS):
        if found := difference(*one):
            print(*one, found)
