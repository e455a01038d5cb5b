"""random_mathematics: random chains of functions that machine code has of its own.

Elementwise, summed, in loops over arrays and in lanes, each near to what NumPy gives.
By hand: `python -m tests.runtime.backends.llvm.random_mathematics SEED COUNT`.
"""

import random

import numpy as np

import autograph as ag
from runtime.backends.llvm.mathematics import FUNCTIONS, OF_SCIPY
from tests.conformance.by_hand import function_of, report

BODIES = {
    "chain": "    a = {0}\n    b = {1}\n    return a, b\n",
    "loop": "    for _ in range(3):\n        x = 0.5 * x + {0}\n    return x, y\n",
    "sums": "    return np.sum({0}, axis=-1), np.max({1})\n",
    "lanes": (
        "    n = 100\n    x, z, y = x.ravel()[:n], z.ravel()[0], np.zeros(n)\n"
        "    for i in range(n):\n        v = x[i]\n        k = 0\n"
        "        while abs(v) < 5.0 and k < 20:\n            v = v + {2}\n"
        "            k = k + 1\n        y[i] = v\n    return y, k\n"
    ),
}
SHAPES = [(137,), (5, 300), (1000,), (30, 7)]
# Of elements that are near; the others are where a function is steep.
NEAR = 0.97


def expression(choose: random.Random, depth: int, names: str) -> str:
    """An expression of these names."""
    if depth == 0 or choose.random() < 0.15:
        return choose.choice([*names, "0.5", "1.5", "2"])

    def inner() -> str:
        return expression(choose, depth - 1, names)

    kind = choose.random()
    if kind < 0.5:
        name = choose.choice([*FUNCTIONS])
        module = "scipy.special" if name in OF_SCIPY else "np"
        given = ", ".join(inner() for _ in range(FUNCTIONS[name].count))
        return f"{module}.{name}({given})"
    if kind < 0.85:
        return f"({inner()} {choose.choice('+-*/')} {inner()})"
    if kind < 0.92:
        return f"np.where({inner()} > {inner()}, {inner()}, {inner()})"
    return f"({choose.choice(names)} ** {choose.choice([*names, '2.5', '3', '-2'])})"


def program(seed: int) -> str:
    """The text of a function `f`."""
    choose = random.Random(seed)
    body = choose.choice([*BODIES.values()])
    parts = [expression(choose, n, names) for n, names in ((3, "xyz"), (2, "xyz"))]
    text = body.format(*parts, expression(choose, 2, "vz"))
    return f"import numpy as np\nimport scipy.special\n\ndef f(x, y, z):\n{text}"


def arguments(seed: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Three arrays of one dtype; the last is repeated along its last axis, or not."""
    choose, draw = random.Random(seed + 1), np.random.default_rng(seed)
    shape, dtype = choose.choice(SHAPES), choose.choice(["f8", "f8", "f4"])
    x, y, z = (draw.uniform(0.2, 0.9, shape).astype(dtype) for _ in range(3))
    return x, y, choose.choice([z, z[..., :1], np.float64(0.7)])


def tried(seed: int) -> str | None:
    """How the compiled program differs from Python by more than it may."""
    plain, given = function_of(program(seed), f"<mathematics {seed}>"), arguments(seed)
    with ag.config(backend="native", precise=False), np.errstate(all="ignore"):
        staged = ag.function(plain)
        least = 1e-9 if given[0].dtype == np.float64 else 2e-3
        wanted = plain(*given)
        for found in (staged(*given), staged(*given)):
            for a, b in zip(found, wanted, strict=True):
                near = np.isclose(a, b, rtol=least, atol=least, equal_nan=True)
                same = np.asarray(a).dtype == np.asarray(b).dtype
                if not same or np.mean(near) < NEAR:
                    return f"only {np.mean(near):.3f} of the elements are near"
    return None


if __name__ == "__main__":
    report(program, tried)
