"""random_row_numbers: random programs of rows, their numbers, and what is made of both.

By hand: `python -m tests.runtime.backends.llvm.random_row_numbers SEED COUNT`.
"""

import random

import numpy as np

import autograph as ag
from tests.conformance.by_hand import function_of, report
from tests.runtime.backends.llvm.compiling import LAYOUTS

# What is made of rows `{r}`, of a number for each `{n}`, and of a column of them `{k}`.
OF = {
    "r": (
        *("{r} - {k}", "{r} / {n}[:, None]", "np.expand_dims({n}, 1) * {r}", "{r} + y"),
        *("{r} * {r}", "{k} + {r} * {r}", "-{r}", "{r} - {n}[:, np.newaxis] * {k}"),
        *("np.exp(-np.abs({r}))", "np.sqrt(np.abs({r}))", "np.tanh({r})"),
        *("np.where({r} > {k}, {r}, 1)", "{r} / 2"),
    ),
    "n": (
        *("np.sum({r}, 1)", "np.max({r}, 1)", "np.mean({r}, -1)", "np.min({r}, -1)"),
        *("{r}.var(1)", "{r}.std(-1)", "np.any({r}, 1)", "np.prod({r}, 1)"),
        *("{n} + {n}", "np.log(np.abs({n}) + 1)", "np.where({n} > {n}, {n}, 2)"),
    ),
    "k": (
        *("np.sum({r}, 1, keepdims=True)", "np.max({r}, -1, keepdims=True)"),
        *("np.mean({r}, 1, keepdims=True)", "np.min({r}, 1, keepdims=True)"),
        *("np.all({r}, 1, keepdims=True)", "{n}[:, None]", "np.sqrt(np.abs({k}) + 1)"),
    ),
}
ENDS = (
    "r",
    "r",
    "n",
    "k",
    "r, {n}",
    "n, {r}",
    "stored",
    "np.sum({r})",
    "np.sum({r}, 0)",
)
COUNTS, LENGTHS = (1, 2, 3, 5, 40), (1, 2, 7, 8, 9, 127, 128, 129, 600, 1000, 9000)


def program(seed: int) -> str:
    """The text of a random program."""
    draw = random.Random(seed)
    known = {"r": ["x", "z"], "n": ["n"], "k": ["k"]}

    def filled(text: str) -> str:
        for kind, names in known.items():
            while f"{{{kind}}}" in text:
                # What was made last is used most.
                name = names[-1] if draw.random() < 0.6 else draw.choice(names)
                text = text.replace(f"{{{kind}}}", name, 1)
        return text

    lines = []
    for number in range(draw.randint(3, 9)):
        kind = draw.choice("rrnk")
        lines.append(f"v{number} = {filled(draw.choice(OF[kind]))}")
        known[kind].append(f"v{number}")
    end = draw.choice(ENDS)
    if end == "stored":
        lines += [f"x[...] = {known['r'][-1]}", "return x"]
    else:
        kind, *rest = end.split(", ") if end[0] in "rnk" and "(" not in end else (end,)
        first = known[kind][-1] if kind in known else filled(kind)
        lines.append(f"return {', '.join([first, *map(filled, rest)])}")
    body = "\n".join(f"    {line}" for line in lines)
    return f"import numpy as np\n\ndef f(x, y, z, n, k):\n{body}\n"


def arguments(draw: np.random.Generator) -> list[np.ndarray]:
    """Rows, one row, rows, and a number for each of them, and those as a column."""
    count, length = draw.choice(COUNTS), draw.choice(LENGTHS)
    dtype = draw.choice(["f8", "f8", "f4", "f4", "i8", "i4", "f2", "u1"])
    kind = draw.choice(["usual", "usual", "zeros", "special"])

    def made(*shape: int) -> np.ndarray:
        x = draw.standard_normal(shape) * 3
        if kind == "zeros":
            x = np.copysign(0 * x, x)
        if kind == "special":
            x = np.where(draw.random(shape) < 0.1, np.nan, x)
            x = np.where(draw.random(shape) < 0.1, np.inf, x)
        with np.errstate(invalid="ignore"):
            return x.astype(dtype)

    lay = LAYOUTS[draw.choice([*LAYOUTS, "own", "own"])]
    one = made(count, length)
    return [lay(one), made(length), made(count, length), made(count), made(count, 1)]


def seen(result: object) -> list[tuple[object, ...]]:
    """Dtypes, shapes and bits; of NaN any, whose sign LLVM may turn round."""
    found = []
    for one in result if isinstance(result, tuple) else (result,):
        array = np.array(one)
        if array.dtype.kind == "f":
            array[np.isnan(array)] = np.nan
        found.append((type(one), array.dtype, array.shape, array.tobytes()))
    return found


def tried(seed: int) -> str | None:
    """How the compiled program differs from Python."""
    plain, draw = function_of(program(seed), f"<rows {seed}>"), np.random.default_rng
    rng = draw(seed)
    with ag.config(backend="native"), np.errstate(all="ignore"):
        staged = ag.function(plain)
        # The second time sizes may have become unknown.
        for given in (arguments(rng), arguments(rng)):
            mine = [one.copy(order="K") for one in given]
            wanted, found = seen(plain(*given)), seen(staged(*mine))
            if wanted != found or seen(given[0]) != seen(mine[0]):
                return f"{given[0].dtype}{given[0].shape}: other bits"
    return None


if __name__ == "__main__":
    report(program, tried)
