"""Rows of loops and branches that data decide: numbers, points, powers."""

from typing import Any

import numpy as np

from tools.bench.rows.row import Row

# What the copies of this file for their peers have.
lax: Any = None
tf: Any = None


def power(x: Any, count: Any) -> Any:
    """A matrix to a power, one product after the other."""
    found = np.eye(x.shape[0], dtype=x.dtype)
    for _ in range(count):
        found = found @ x
    return found


def power_numba(x: Any, count: Any) -> Any:
    """By loops: Numba multiplies no matrices of integers."""
    n = x.shape[0]
    found = np.eye(n, dtype=x.dtype)
    for _ in range(count):
        made = np.zeros((n, n), x.dtype)
        for i in range(n):
            for k in range(n):
                for j in range(n):
                    made[i, j] += found[i, k] * x[k, j]
        found = made
    return found


def power_jax(x: Any, count: Any) -> Any:
    """By fori_loop."""
    eye = np.eye(x.shape[0], dtype=x.dtype)
    return lax.fori_loop(0, count, lambda _, found: found @ x, eye)


def power_tensorflow(x: Any, count: Any) -> Any:
    """With TensorFlow's product."""
    found = tf.eye(x.shape[0], dtype=x.dtype)
    for _ in tf.range(count):
        found = tf.matmul(found, x)
    return found


def collatz(n: Any) -> Any:
    """Numbers alone: steps of a sequence."""
    steps = 0
    while n != 1:
        n = n // 2 if n % 2 == 0 else 3 * n + 1
        steps += 1
    return steps


def collatz_jax(n: Any) -> Any:
    """By while_loop."""
    return lax.while_loop(
        lambda state: state[0] != 1,
        lambda state: (
            np.where(state[0] % 2 == 0, state[0] // 2, 3 * state[0] + 1),
            state[1] + 1,
        ),
        (n, 0),
    )[1]


def newton(a: Any) -> Any:
    """A root, until it moves no more."""
    x = a
    for _ in range(100):
        y = 0.5 * (x + a / x)
        if abs(y - x) < 1e-12 * y:
            break
        x = y
    return x


def newton_tensorflow(a: Any) -> Any:
    """By a while loop: a break needs a loop that TensorFlow stages."""
    x, y, i = a, 0.5 * (a + 1.0), 0
    while abs(y - x) >= 1e-12 * y and i < 99:
        x, y, i = y, 0.5 * (y + a / y), i + 1
    return x


def newton_jax(a: Any) -> Any:
    """By while_loop; the last guess but one is the result."""

    def step(state: Any) -> Any:
        _x, y, i = state
        return y, 0.5 * (y + a / y), i + 1

    first = (a, 0.5 * (a + 1.0), 0)
    moves = lambda s: (abs(s[1] - s[0]) >= 1e-12 * s[1]) & (s[2] < 99)  # noqa: E731
    return lax.while_loop(moves, step, first)[0]


def mandelbrot(real: Any, imaginary: Any, limit: Any) -> Any:
    """Point by point, a loop by data in two loops."""
    out = np.zeros((len(imaginary), len(real)), np.int64)
    for i in range(len(imaginary)):
        for j in range(len(real)):
            x, y, steps = 0.0, 0.0, 0
            while steps < limit and x * x + y * y <= 4.0:
                x, y = x * x - y * y + real[j], 2.0 * x * y + imaginary[i]
                steps += 1
            out[i, j] = steps
    return out


def mandelbrot_jax(real: Any, imaginary: Any, limit: Any) -> Any:
    """All points at once, with a mask."""
    cx, cy = real[None, :], imaginary[:, None]
    zeros = np.zeros((imaginary.shape[0], real.shape[0]), real.dtype)

    def step(state: Any) -> Any:
        x, y, steps, i = state
        inside = x * x + y * y <= 4.0
        moved = x * x - y * y + cx, 2.0 * x * y + cy
        x, y = np.where(inside, moved[0], x), np.where(inside, moved[1], y)
        return x, y, steps + inside, i + 1

    def goes_on(state: Any) -> Any:
        x, y, _steps, i = state
        return (i < limit) & np.any(x * x + y * y <= 4.0)

    first = (zeros, zeros, zeros.astype(np.int64), 0)
    return lax.while_loop(goes_on, step, first)[2]


def mandelbrot_masked(real: Any, imaginary: Any, limit: Any) -> Any:
    """All points at once, with a mask; a Python loop."""
    cx, cy = real[None, :], imaginary[:, None]
    x = y = cx * cy * 0.0
    steps = np.zeros_like(x)
    i = 0
    while i < limit and np.any(x * x + y * y <= 4.0):
        inside = x * x + y * y <= 4.0
        moved = x * x - y * y + cx, 2.0 * x * y + cy
        x, y = np.where(inside, moved[0], x), np.where(inside, moved[1], y)
        steps = steps + np.where(inside, 1.0, 0.0)
        i += 1
    return steps


def escape(real: Any, imaginary: Any, limit: Any) -> Any:
    """The same picture with complex numbers."""
    out = np.zeros((len(imaginary), len(real)), np.int64)
    for i in range(len(imaginary)):
        for j in range(len(real)):
            c, z, k = complex(real[j], imaginary[i]), 0j, 0
            while k < limit and abs(z) < 2:
                z = z * z + c
                k += 1
            out[i, j] = k
    return out


def escape_jax(real: Any, imaginary: Any, limit: Any) -> Any:
    """All points at once, with a mask."""
    c = real[None, :] + 1j * imaginary[:, None]

    def step(state: Any) -> Any:
        z, steps, i = state
        inside = np.abs(z) < 2
        return np.where(inside, z * z + c, z), steps + inside, i + 1

    first = (np.zeros_like(c), np.zeros(c.shape, np.int64), 0)
    goes_on = lambda now: (now[2] < limit) & np.any(np.abs(now[0]) < 2)  # noqa: E731
    return lax.while_loop(goes_on, step, first)[1]


def escape_masked(real: Any, imaginary: Any, limit: Any) -> Any:
    """All points at once, with a mask; a Python loop."""
    c = real[None, :] + 1j * imaginary[:, None]
    z = c * 0.0
    steps = np.abs(z)
    i = 0
    while i < limit and np.any(np.abs(z) < 2):
        inside = np.abs(z) < 2
        z = np.where(inside, z * z + c, z)
        steps = steps + np.where(inside, 1.0, 0.0)
        i += 1
    return steps


def branches(count: Any) -> Any:
    """A number through many branches, and a clock."""
    value, total = 1.0, 0.0
    for i in range(count):
        if i % 3 == 0:
            value = value * 1.5 + 1.0
        elif i % 5 == 0:
            value = value - 7.0
        elif value > 50.0:
            value = value / 3.0
        else:
            value = value + 0.25
        if value > 100.0:
            total += value
            value = 1.0
        elif value < 0.0:
            value = -value
    return total + value


def branches_jax(count: Any) -> Any:
    """By fori_loop and where."""

    def step(i: Any, state: Any) -> Any:
        value, total = state
        slow = np.where(value > 50.0, value / 3.0, value + 0.25)
        slow = np.where(i % 5 == 0, value - 7.0, slow)
        value = np.where(i % 3 == 0, value * 1.5 + 1.0, slow)
        total = np.where(value > 100.0, total + value, total)
        value = np.where(value > 100.0, 1.0, np.where(value < 0.0, -value, value))
        return value, total

    value, total = lax.fori_loop(0, count, step, (1.0, 0.0))
    return total + value


def _grid(n: int, limit: int) -> tuple[Any, ...]:
    return np.linspace(-2.1, 0.7, n), np.linspace(-1.2, 1.2, n), np.int64(limit)


def _matrix(n: int) -> tuple[Any, ...]:
    x = np.random.default_rng(0).integers(-1, 2, (n, n)).astype(np.int32)
    return x, np.int64(100)


MASKED = {"torch": "mandelbrot_masked", "tensorflow": "mandelbrot_masked"}
ROWS = (
    Row(
        "matrix power",
        power,
        {
            "10 x 10": lambda: _matrix(10),
            "100 x 100": lambda: _matrix(100),
        },
        {"jax": "power_jax", "numba": "power_numba", "tensorflow": "power_tensorflow"},
    ),
    Row(
        "collatz",
        collatz,
        {
            "27": lambda: (np.int64(27),),
            "837799": lambda: (np.int64(837_799),),
        },
        {"jax": "collatz_jax"},
    ),
    Row(
        "newton",
        newton,
        {
            "2": lambda: (np.float64(2.0),),
            "1e30": lambda: (np.float64(1e30),),
        },
        {"jax": "newton_jax", "tensorflow": "newton_tensorflow"},
    ),
    Row(
        "Mandelbrot",
        mandelbrot,
        {
            "32 x 32": lambda: _grid(32, 50),
            "200 x 200": lambda: _grid(200, 100),
        },
        {"jax": "mandelbrot_jax", **MASKED},
        digits=0,
    ),
    Row(
        "Mandelbrot, complex",
        escape,
        {
            "64 x 64": lambda: _grid(64, 50),
            "512 x 512": lambda: _grid(512, 50),
        },
        {"jax": "escape_jax", "torch": "escape_masked", "tensorflow": "escape_masked"},
        digits=0,
    ),
    Row(
        "branches",
        branches,
        {
            "100": lambda: (np.int64(100),),
            "1e5": lambda: (np.int64(100_000),),
        },
        {"jax": "branches_jax"},
    ),
)
