"""random_products: random products of matrices in machine code, NumPy's to the bit.

Sizes, layouts and dtypes at random, in a loop and with what comes before and after.
By hand: `python -m tests.runtime.backends.llvm.random_products SEED COUNT`.
"""

import random

import numpy as np

import autograph as ag
from tests.conformance.by_hand import function_of, report

PROGRAM = """import numpy as np

def f(x, y, z):
    for _ in range(2):
        a = {0}
        b = {1}
    return a, b, {2}
"""
PRODUCTS = ["x @ y", "(x + 1) @ y", "x @ (y * 2)", "y.T @ x.T", "x @ y + z", "x @ x.T"]
PRODUCTS += ["np.maximum(x @ y + z, 0)", "np.tanh((x * 2) @ y) - z", "x @ y * 2"]
LAYOUTS = [
    *(lambda x: x, np.asfortranarray, lambda x: x[::-1], lambda x: x[:, ::-1]),
    *(lambda x: np.repeat(x, 2, 1)[:, ::2], lambda x: np.broadcast_to(x[:1], x.shape)),
    lambda x: np.pad(x, ((0, 0), (0, 2)))[:, :-2],
]


def program(seed: int) -> str:
    """The text of a function `f`."""
    choose = random.Random(seed)
    return PROGRAM.format(*(choose.choice(PRODUCTS) for _ in range(3)))


def arguments(seed: int) -> list[np.ndarray]:
    """Two matrices and a row, some of them with what is no usual number."""
    choose, draw = random.Random(seed + 1), np.random.default_rng(seed)
    dtype = choose.choice(["f4", "f8"])
    sizes = [choose.choice([0, 1, 3, 16, 40, 65, 100, 130, 300]) for _ in range(3)]
    m, k, n = sizes if choose.random() < 0.5 else [size + 60 for size in sizes]
    made = [draw.standard_normal(s).astype(dtype) for s in ((m, k), (k, n), (1, n))]
    return [choose.choice(LAYOUTS)(one) for one in made[:2]] + [made[2][0]]


def tried(seed: int) -> str | None:
    """How the compiled program differs from Python."""
    plain, given = function_of(program(seed), f"<products {seed}>"), arguments(seed)
    with ag.config(backend="native"):
        staged = ag.function(plain)
        wanted = plain(*given)
        for found in (staged(*given), staged(*given)):
            for a, b in zip(found, wanted, strict=True):
                if a.dtype != b.dtype or a.tobytes() != b.tobytes():
                    return f"{a.shape} of {a.dtype} differs"
    return None


if __name__ == "__main__":
    report(program, tried)
