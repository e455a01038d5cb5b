"""Rows of models that are run, trained and fitted: networks, and L-BFGS."""

from typing import Any

import numpy as np

from tools.bench.rows.row import Row

# What the copies of this file for their peers have.
lax: Any = None
tf: Any = None

F = np.float32


def rnn(x: Any, lengths: Any, w: Any, u: Any, bias: Any) -> Any:
    """Sequences of different lengths; each row stops at its own."""
    state = x[0] @ w * 0.0
    t = 0
    while t < np.max(lengths):
        proposed = np.tanh(x[t] @ w + state @ u + bias)
        state = np.where((t < lengths)[:, None], proposed, state)
        t += 1
    return state


def rnn_jax(x: Any, lengths: Any, w: Any, u: Any, bias: Any) -> Any:
    """By while_loop."""

    def step(now: Any) -> Any:
        t, state = now
        proposed = np.tanh(x[t] @ w + state @ u + bias)
        return t + 1, np.where((t < lengths)[:, None], proposed, state)

    first = (0, np.zeros((x.shape[1], u.shape[0]), x.dtype))
    return lax.while_loop(lambda now: now[0] < np.max(lengths), step, first)[1]


def rnn_numba(x: Any, lengths: Any, w: Any, u: Any, bias: Any) -> Any:
    """With numbers of one dtype, and a where that Numba knows."""
    state = np.zeros((x.shape[1], u.shape[0]), x.dtype)
    t = 0
    while t < np.max(lengths):
        proposed = np.tanh(np.dot(x[t], w) + np.dot(state, u) + bias)
        for i in range(state.shape[0]):
            if t < lengths[i]:
                state[i] = proposed[i]
        t += 1
    return state


def sgd_step(x: Any, y: Any, w: Any, v: Any) -> Any:
    """The weights after one step down the gradient of the squared error."""
    h = np.tanh(x @ w)
    error = h @ v - y
    into = (error @ v.T) * (1.0 - h * h)
    rate = 0.1 / x.shape[0]
    return w - rate * (x.T @ into), v - rate * (h.T @ error)


def train(x: Any, y: Any, w: Any, v: Any, count: Any) -> Any:
    """So many steps over the batches, round and round."""
    for i in range(count):
        batch = i % x.shape[0]
        w, v = sgd_step(x[batch], y[batch], w, v)
    return w, v


def train_numba(x: Any, y: Any, w: Any, v: Any, count: Any) -> Any:
    """Numba's product takes arrays that lie in order, and one dtype."""
    rate = x.dtype.type(0.1 / x.shape[1])
    one = x.dtype.type(1.0)
    for i in range(count):
        batch = i % x.shape[0]
        a, b = x[batch], y[batch]
        h = np.tanh(np.dot(a, w))
        error = np.dot(h, v) - b
        into = np.dot(error, np.ascontiguousarray(v.T)) * (one - h * h)
        w = w - rate * np.dot(np.ascontiguousarray(a.T), into)
        v = v - rate * np.dot(np.ascontiguousarray(h.T), error)
    return w, v


def train_jax(x: Any, y: Any, w: Any, v: Any, count: Any) -> Any:
    """By fori_loop."""

    def step(i: Any, state: Any) -> Any:
        batch = i % x.shape[0]
        return sgd_step(x[batch], y[batch], *state)

    return lax.fori_loop(0, count, step, (w, v))


def train_tensorflow(x: Any, y: Any, w: Any, v: Any, count: Any) -> Any:
    """With TensorFlow's own functions."""
    rate = 0.1 / x.shape[1]
    for i in tf.range(count):
        batch = i % x.shape[0]
        a, b = x[batch], y[batch]
        h = tf.tanh(a @ w)
        error = h @ v - b
        into = (error @ tf.transpose(v)) * (1.0 - h * h)
        w -= rate * (tf.transpose(a) @ into)
        v -= rate * (tf.transpose(h) @ error)
    return w, v


def gradient(x: Any, scale: Any) -> Any:
    """Of a function that is narrow in some directions, and no quadratic."""
    return scale * x + 0.1 * x * x * x - 1.0


def direction(g: Any, moves: Any, changes: Any) -> Any:
    """L-BFGS's two loops over the last four moves; where there was none nothing is."""
    q = g
    rows = []
    for k in range(3, -1, -1):
        s, y = moves[k], changes[k]
        product = np.sum(s * y)
        rho = np.where(product > 0, 1.0 / np.where(product > 0, product, 1.0), 0.0)
        alpha = rho * np.sum(s * q)
        q = q - alpha * y
        rows.append((s, y, rho, alpha))
    square = np.sum(changes[3] * changes[3])
    factor = np.sum(moves[3] * changes[3]) / np.where(square > 0, square, 1.0)
    r = q * np.where(square > 0, factor, 0.01)
    for s, y, rho, alpha in rows[::-1]:
        r = r + s * (alpha - rho * np.sum(y * r))
    return r


def lbfgs_step(state: Any, scale: Any) -> Any:
    """One move, and what is remembered of it."""
    x, g, moves, changes, i = state
    new = x - direction(g, moves, changes)
    after = gradient(new, scale)
    moves = np.concatenate((moves[1:], (new - x)[None]))
    changes = np.concatenate((changes[1:], (after - g)[None]))
    return new, after, moves, changes, i + 1


def lbfgs(x: Any, scale: Any, moves: Any, changes: Any) -> Any:
    """Down to where the gradient is small."""
    state = (x, gradient(x, scale), moves, changes, 0)
    while np.sum(state[1] * state[1]) > 1e-12 and state[4] < 200:
        state = lbfgs_step(state, scale)
    return state[0]


def lbfgs_jax(x: Any, scale: Any, moves: Any, changes: Any) -> Any:
    """By while_loop."""
    first = (x, gradient(x, scale), moves, changes, 0)
    return lax.while_loop(
        lambda state: (np.sum(state[1] * state[1]) > 1e-12) & (state[4] < 200),
        lambda state: lbfgs_step(state, scale),
        first,
    )[0]


def lbfgs_numba(x: Any, scale: Any, moves: Any, changes: Any) -> Any:
    """Numba keeps no lists of such tuples; the memory is moved in place."""
    moves, changes = moves.copy(), changes.copy()
    g = gradient(x, scale)
    rhos, alphas = np.zeros(4), np.zeros(4)
    i = 0
    while np.sum(g * g) > 1e-12 and i < 200:
        q = g.copy()
        for k in range(3, -1, -1):
            product = np.sum(moves[k] * changes[k])
            rhos[k] = 1.0 / product if product > 0 else 0.0
            alphas[k] = rhos[k] * np.sum(moves[k] * q)
            q = q - alphas[k] * changes[k]
        square = np.sum(changes[3] * changes[3])
        r = q * (np.sum(moves[3] * changes[3]) / square if square > 0 else 0.01)
        for k in range(4):
            r = r + moves[k] * (alphas[k] - rhos[k] * np.sum(changes[k] * r))
        new = x - r
        after = gradient(new, scale)
        for k in range(3):
            moves[k], changes[k] = moves[k + 1], changes[k + 1]
        moves[3], changes[3] = new - x, after - g
        x, g = new, after
        i += 1
    return x


def _sequences(units: int) -> tuple[Any, ...]:
    random = np.random.default_rng(0)
    draw = random.standard_normal
    x = draw((60, 32, 32)).astype(F)
    lengths = random.integers(20, 61, 32)
    w, u = draw((32, units)) / 8, draw((units, units)) / (2 * units**0.5)
    return x, lengths, w.astype(F), u.astype(F), draw(units).astype(F)


def _batches(size: int, units: int, count: int) -> tuple[Any, ...]:
    draw = np.random.default_rng(0).standard_normal
    x, y = draw((8, size, 32)).astype(F), draw((8, size, 4)).astype(F)
    w, v = draw((32, units)).astype(F) / F(8), draw((units, 4)).astype(F) / F(8)
    return x, y, w, v, np.int64(count)


def _fit(n: int) -> tuple[Any, ...]:
    return np.ones(n), np.linspace(1, 20, n), np.zeros((4, n)), np.zeros((4, n))


ROWS = (
    Row(
        "RNN",
        rnn,
        {
            "64 units": lambda: _sequences(64),
            "1024 units": lambda: _sequences(1024),
        },
        {"jax": "rnn_jax", "numba": "rnn_numba"},
        digits=3,
    ),
    Row(
        "SGD training",
        train,
        {
            "16 x 32": lambda: _batches(16, 32, 100),
            "256 x 256": lambda: _batches(256, 256, 100),
        },
        {
            "jax": "train_jax",
            "numba": "train_numba",
            "tensorflow": "train_tensorflow",
        },
        digits=2,
    ),
    Row(
        "L-BFGS",
        lbfgs,
        {
            "10": lambda: _fit(10),
            "1e5": lambda: _fit(100_000),
        },
        {"jax": "lbfgs_jax", "numba": "lbfgs_numba"},
        digits=4,
    ),
)
