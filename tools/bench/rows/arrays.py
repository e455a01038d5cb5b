"""Rows of whole arrays: calls, chains of operations, sums along rows, products."""

from typing import Any

import numpy as np

from tools.bench.rows.row import Row

F = np.float32


def linear(x: Any) -> Any:
    """Nearly nothing: what a call costs."""
    return x * 2 + 1


def ten(
    a: Any, b: Any, c: Any, d: Any, e: Any, f: Any, g: Any, h: Any, i: Any, j: Any
) -> Any:
    """Ten arguments, each used once."""
    return a + b + c + d + e + f + g + h + i + j


def mlp(images: Any, w1: Any, b1: Any, w2: Any, b2: Any) -> Any:
    """A small network forward: images flat, 128 units with relu, 10 outputs."""
    x = images.reshape((images.shape[0], 784))
    h = x @ w1 + b1
    return (h * (h > 0)) @ w2 + b2


def mlp_tensors(images: Any, w1: Any, b1: Any, w2: Any, b2: Any) -> Any:
    """The same with TensorFlow's own functions."""
    x = tf.reshape(images, (-1, 784))
    return tf.nn.relu(x @ w1 + b1) @ w2 + b2


def black_scholes(s: Any, k: Any, t: Any) -> Any:
    """The price of options: a logarithm, roots, an exponential, hyperbolic tangents."""
    d1 = (np.log(s / k) + (0.03 + 0.02) * t) / (0.2 * np.sqrt(t))
    d2 = d1 - 0.2 * np.sqrt(t)
    n1 = 0.5 * (1 + np.tanh(0.7978846 * (d1 + 0.044715 * d1 * d1 * d1)))
    n2 = 0.5 * (1 + np.tanh(0.7978846 * (d2 + 0.044715 * d2 * d2 * d2)))
    return s * n1 - k * np.exp(-0.03 * t) * n2


def gelu_chain(x: Any) -> Any:
    """A sigmoid * tanh, then gelu."""
    y = np.tanh(x) / (1 + np.exp(-x))
    return 0.5 * y * (1 + np.tanh(0.7978846 * (y + 0.044715 * y * y * y)))


def softmax(x: Any) -> Any:
    """Along rows."""
    e = np.exp(x - np.max(x, 1)[:, None])
    return e / np.sum(e, 1)[:, None]


def softmax_torch(x: Any) -> Any:
    """With torch's maximum: along an axis has another name."""
    e = torch.exp(x - torch.amax(x, 1)[:, None])
    return e / torch.sum(e, 1)[:, None]


def layernorm(x: Any, scale: Any, shift: Any) -> Any:
    """Along rows."""
    centred = x - np.mean(x, 1)[:, None]
    variance = np.mean(centred * centred, 1)[:, None]
    return centred / np.sqrt(variance + 1e-5) * scale + shift


def softmax_numba(x: Any) -> Any:
    """Row by row: Numba has no maximum along an axis."""
    out = np.empty_like(x)
    for i in range(x.shape[0]):
        e = np.exp(x[i] - np.max(x[i]))
        out[i] = e / np.sum(e)
    return out


def layernorm_numba(x: Any, scale: Any, shift: Any) -> Any:
    """Row by row: Numba has no mean along an axis."""
    out = np.empty_like(x)
    for i in range(x.shape[0]):
        centred = x[i] - np.mean(x[i])
        variance = np.mean(centred * centred)
        out[i] = centred / np.sqrt(variance + np.float32(1e-5)) * scale + shift
    return out


def sum_of_squares(x: Any) -> Any:
    """A chain that ends in one number."""
    return np.sum(x * x)


def matmul_chain(x: Any, a: Any, b: Any, c: Any) -> Any:
    """Products one after the other."""
    return ((x @ a) @ b) @ c


# What the copies of this file for TensorFlow and torch have.
tf: Any = None
torch: Any = None


def _draw(*shape: int) -> Any:
    return np.random.default_rng(0).standard_normal(shape).astype(F)


def _positive(size: int) -> tuple[Any, ...]:
    draw = np.random.default_rng(0).random
    return tuple((draw(size) + 0.5).astype(F) for _ in range(3))


def _network(batch: int) -> tuple[Any, ...]:
    weights = (_draw(784, 128) / 28, _draw(128), _draw(128, 10) / 11, _draw(10))
    return _draw(batch, 28, 28), *weights


def _square(n: int) -> tuple[Any, ...]:
    return _draw(n, n), *(_draw(n, n) / F(n**0.5) for _ in range(3))


THREE = {"1e3": 1_000, "1e6": 1_000_000, "1e7": 10_000_000}
ROWS_OF = {"1e3": (10, 100), "1e6": (1000, 1000), "1e7": (10_000, 1000)}
FLAT = {name: (lambda size=size: (_draw(size),)) for name, size in THREE.items()}
OPTIONS = {name: (lambda size=size: _positive(size)) for name, size in THREE.items()}
PLANES = {
    name: (lambda shape=shape: (_draw(*shape),)) for name, shape in ROWS_OF.items()
}
SCALED = {
    name: (lambda shape=shape: (_draw(*shape), _draw(shape[1]), _draw(shape[1])))
    for name, shape in ROWS_OF.items()
}

ROWS = (
    Row(
        "x * 2 + 1",
        linear,
        {
            "4": lambda: (np.arange(4.0),),
            "1e5": lambda: (np.arange(1e5),),
        },
    ),
    Row(
        "ten arguments",
        ten,
        {
            "4": lambda: tuple(np.full(4, float(i)) for i in range(10)),
            "1e5": lambda: tuple(np.full(100_000, float(i)) for i in range(10)),
        },
    ),
    Row(
        "MLP forward",
        mlp,
        {
            "1 image": lambda: _network(1),
            "60 images": lambda: _network(60),
        },
        {"tensorflow": "mlp_tensors"},
        digits=3,
    ),
    Row("Black-Scholes", black_scholes, OPTIONS, digits=4),
    Row("gelu chain", gelu_chain, FLAT, digits=4),
    Row(
        "softmax",
        softmax,
        PLANES,
        {"torch": "softmax_torch", "numba": "softmax_numba"},
        digits=4,
    ),
    Row("layernorm", layernorm, SCALED, {"numba": "layernorm_numba"}, digits=3),
    Row("sum of squares", sum_of_squares, FLAT, digits=3),
    Row(
        "matmul chain",
        matmul_chain,
        {
            "64": lambda: _square(64),
            "1024": lambda: _square(1024),
        },
        digits=3,
    ),
)
