"""Rows of simulations: stencils, bodies, clusters, a differential equation."""

from typing import Any

import numpy as np

from tools.bench.rows.row import Row

# What the copies of this file for their peers have.
lax: Any = None
tf: Any = None


def jacobi(a: Any, count: Any) -> Any:
    """A stencil of slices; the border stays zero."""
    a = a.copy()
    for _ in range(count):
        a[1:-1, 1:-1] = 0.25 * (a[1:-1, :-2] + a[1:-1, 2:] + a[:-2, 1:-1] + a[2:, 1:-1])
    return a


def jacobi_torch(a: Any, count: Any) -> Any:
    """In place, on a clone."""
    a = a.clone()
    for _ in range(count):
        a[1:-1, 1:-1] = 0.25 * (a[1:-1, :-2] + a[1:-1, 2:] + a[:-2, 1:-1] + a[2:, 1:-1])
    return a


def jacobi_jax(a: Any, count: Any) -> Any:
    """By fori_loop, and .at."""

    def step(_: Any, a: Any) -> Any:
        mean = 0.25 * (a[1:-1, :-2] + a[1:-1, 2:] + a[:-2, 1:-1] + a[2:, 1:-1])
        return a.at[1:-1, 1:-1].set(mean)

    return lax.fori_loop(0, count, step, a)


def jacobi_tensorflow(a: Any, count: Any) -> Any:
    """By pad: tensors have no slices to set."""
    for _ in tf.range(count):
        mean = 0.25 * (a[1:-1, :-2] + a[1:-1, 2:] + a[:-2, 1:-1] + a[2:, 1:-1])
        a = tf.ensure_shape(tf.pad(mean, [[1, 1], [1, 1]]), a.shape)
    return a


def bodies_step(p: Any, v: Any, m: Any) -> Any:
    """Places and speeds a little later; every body draws every other."""
    d = p[None, :, :] - p[:, None, :]
    square = np.sum(d * d, 2) + 0.01
    pull = m / (square * np.sqrt(square))
    v = v + 0.001 * np.sum(d * pull[:, :, None], 1)
    return p + 0.001 * v, v


def bodies(p: Any, v: Any, m: Any, count: Any) -> Any:
    """So many steps."""
    for _ in range(count):
        p, v = bodies_step(p, v, m)
    return p


def bodies_jax(p: Any, v: Any, m: Any, count: Any) -> Any:
    """By fori_loop."""
    step = lambda _, state: bodies_step(state[0], state[1], m)  # noqa: E731
    return lax.fori_loop(0, count, step, (p, v))[0]


def bodies_numba(p: Any, v: Any, m: Any, count: Any) -> Any:
    """Pair by pair."""
    p, v = p.copy(), v.copy()
    for _ in range(count):
        for i in range(p.shape[0]):
            x = y = z = 0.0
            for j in range(p.shape[0]):
                dx, dy, dz = p[j, 0] - p[i, 0], p[j, 1] - p[i, 1], p[j, 2] - p[i, 2]
                square = dx * dx + dy * dy + dz * dz + 0.01
                pull = m[j] / (square * np.sqrt(square))
                x, y, z = x + dx * pull, y + dy * pull, z + dz * pull
            v[i, 0] += 0.001 * x
            v[i, 1] += 0.001 * y
            v[i, 2] += 0.001 * z
        p += 0.001 * v
    return p


def means(x: Any, centres: Any) -> Any:
    """The centres of the points that are next to each."""
    d = x[:, None, :] - centres[None, :, :]
    nearest = np.argmin(np.sum(d * d, 2), 1)
    mine = np.where(nearest[:, None] == np.arange(centres.shape[0])[None], 1.0, 0.0)
    count = np.sum(mine, 0)
    return (mine.T @ x) / np.where(count > 0, count, 1.0)[:, None]


def kmeans(x: Any, centres: Any) -> Any:
    """Until the centres stay, twenty rounds at most."""
    moved, i = 1.0, 0
    while moved > 1e-9 and i < 20:
        new = means(x, centres)
        moved = np.sum((new - centres) * (new - centres))
        centres = new
        i += 1
    return centres


def kmeans_jax(x: Any, centres: Any) -> Any:
    """By while_loop."""

    def step(state: Any) -> Any:
        centres, _, i = state
        new = means(x, centres)
        return new, np.sum((new - centres) * (new - centres)), i + 1

    goes_on = lambda state: (state[1] > 1e-9) & (state[2] < 20)  # noqa: E731
    return lax.while_loop(goes_on, step, (centres, 1.0, 0))[0]


def kmeans_tensorflow(x: Any, centres: Any) -> Any:
    """With TensorFlow's own functions."""
    moved, i = tf.constant(1.0, tf.float64), 0
    while moved > 1e-9 and i < 20:
        d = x[:, None, :] - centres[None, :, :]
        nearest = tf.argmin(tf.reduce_sum(d * d, 2), 1)
        mine = tf.one_hot(nearest, centres.shape[0], dtype=tf.float64)
        count = tf.reduce_sum(mine, 0)
        new = tf.transpose(mine) @ x / tf.where(count > 0, count, 1.0)[:, None]
        moved = tf.reduce_sum((new - centres) ** 2)
        centres = new
        i += 1
    return centres


def kmeans_numba(x: Any, centres: Any) -> Any:
    """Point by point."""
    moved, i = 1.0, 0
    while moved > 1e-9 and i < 20:
        total, count = np.zeros_like(centres), np.zeros(centres.shape[0])
        for row in range(x.shape[0]):
            best, nearest = np.inf, 0
            for k in range(centres.shape[0]):
                distance = 0.0
                for j in range(x.shape[1]):
                    d = x[row, j] - centres[k, j]
                    distance += d * d
                if distance < best:
                    best, nearest = distance, k
            count[nearest] += 1
            for j in range(x.shape[1]):
                total[nearest, j] += x[row, j]
        for k in range(centres.shape[0]):
            total[k] /= max(count[k], 1.0)
        moved = np.sum((total - centres) * (total - centres))
        centres = total
        i += 1
    return centres


def slope(y: Any) -> Any:
    """A pendulum in each element, drawn to the next ones."""
    n = y.shape[0] // 2
    place, speed = y[:n], y[n:]
    return np.concatenate((speed, -np.sin(place) - 0.1 * speed))


def kutta_step(y: Any, h: Any) -> Any:
    """Bogacki and Shampine's step of order 3, and its error."""
    k1 = slope(y)
    k2 = slope(y + 0.5 * h * k1)
    k3 = slope(y + 0.75 * h * k2)
    new = y + h * (2.0 / 9.0 * k1 + 1.0 / 3.0 * k2 + 4.0 / 9.0 * k3)
    k4 = slope(new)
    error = h * (-5.0 / 72.0 * k1 + k2 / 12.0 + k3 / 9.0 - 0.125 * k4)
    return new, np.max(np.abs(error))


def kutta(y: Any, stop: Any) -> Any:
    """An adaptive Runge-Kutta method: steps that err too much are made again."""
    t, h = 0.0 * stop, 0.01 + 0.0 * stop
    while t < stop:
        new, error = kutta_step(y, h)
        if error < 1e-6:
            t = t + h
            y = new
        factor = 0.9 * (1e-6 / (error + 1e-30)) ** (1.0 / 3.0)
        if factor < 0.2:
            factor = factor * 0.0 + 0.2
        if factor > 3.0:
            factor = factor * 0.0 + 3.0
        h = h * factor
        if t + h > stop:
            h = stop - t
    return y


def kutta_jax(y: Any, stop: Any) -> Any:
    """By while_loop and where."""

    def step(state: Any) -> Any:
        t, h, y = state
        new, error = kutta_step(y, h)
        good = error < 1e-6
        t, y = np.where(good, t + h, t), np.where(good, new, y)
        factor = 0.9 * (1e-6 / (error + 1e-30)) ** (1.0 / 3.0)
        h = h * np.minimum(np.maximum(factor, 0.2), 3.0)
        return t, np.where(t + h > stop, stop - t, h), y

    first = (0.0 * stop, 0.01 + 0.0 * stop, y)
    return lax.while_loop(lambda state: state[0] < stop, step, first)[2]


def _points(n: int, k: int, dims: int) -> tuple[Any, ...]:
    x = np.random.default_rng(0).standard_normal((n, dims))
    return x, x[:k].copy()


def _bodies(n: int, count: int) -> tuple[Any, ...]:
    draw = np.random.default_rng(0).standard_normal
    return draw((n, 3)), draw((n, 3)), abs(draw(n)), np.int64(count)


def _plate(n: int, count: int) -> tuple[Any, ...]:
    a = np.zeros((n, n))
    a[1:-1, 1:-1] = np.random.default_rng(0).random((n - 2, n - 2))
    return a, np.int64(count)


def _pendulums(n: int) -> tuple[Any, ...]:
    return np.linspace(0.5, 1.5, 2 * n), np.float64(5.0)


ROWS = (
    Row(
        "Jacobi",
        jacobi,
        {
            "10 x 10": lambda: _plate(10, 100),
            "1000 x 1000": lambda: _plate(1000, 10),
        },
        {
            "jax": "jacobi_jax",
            "torch": "jacobi_torch",
            "tensorflow": "jacobi_tensorflow",
        },
    ),
    Row(
        "N-body",
        bodies,
        {
            "8": lambda: _bodies(8, 50),
            "500": lambda: _bodies(500, 5),
        },
        {"jax": "bodies_jax", "numba": "bodies_numba"},
    ),
    Row(
        "k-means",
        kmeans,
        {
            "100": lambda: _points(100, 4, 2),
            "20,000": lambda: _points(20_000, 8, 8),
        },
        {
            "jax": "kmeans_jax",
            "numba": "kmeans_numba",
            "tensorflow": "kmeans_tensorflow",
        },
    ),
    Row(
        "Runge-Kutta",
        kutta,
        {
            "1": lambda: _pendulums(1),
            "1e4": lambda: _pendulums(10_000),
        },
        {"jax": "kutta_jax"},
    ),
)
