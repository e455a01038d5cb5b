"""Random programs of views and writes: a function of two arrays and two numbers.

A program is written line by line; each line is run at once on arrays of the sizes that
the program is called with, so that the next one can ask for their shapes, and so that
lines which fail are left out.

    python -m tests.conformance.random_views 1000 7
"""

import random
import sys
import tempfile
import warnings
from pathlib import Path
from typing import Any

import numpy as np

from tests.conformance.array_programs import Program, difference

ARGUMENTS = (
    ("a", "np.arange(24.).reshape(4, 6)"),
    ("b", "np.arange(12) * 3 % 7"),
    ("i", "np.int64(2)"),
    ("n", "np.int64(3)"),
)
VIEWS = (
    *("{x}[1:]", "{x}[::2]", "{x}[::-1]", "{x}[i]", "{x}[i:]", "{x}[:n]", "{x}[-1]"),
    *("{x}.T", "{x}.reshape(-1)", "{x}.ravel()", "{x}[None]", "{x}[...]", "{x}.real"),
    *("{x}[:, 1:3]", "{x}[:, i]", "{x}[::2, ::-1]", "np.flip({x})", "np.squeeze({x})"),
    *("{x}.swapaxes(0, 1)", "{x}.reshape(2, -1)", "np.split({x}, 2)[1]", "{x}.copy()"),
    *(
        "np.rot90({x})",
        "{x}.ravel('F')",
        "{x}.reshape(3, -1, order='F')",
        "{x}[[0, 1]]",
    ),
    *("{x} + 1", "{x} * {y}", "np.sort({x})", "{x}.diagonal()", "np.atleast_2d({x})"),
    *("{x}.astype(float)", "{x}[{x} > 2]", "np.concatenate([{x}, {x}])", "{x}.view()"),
)
WRITES = (
    *("{x} += 1", "{x} -= {y}", "{x} *= 2", "{x}[...] = {y}", "{x}[0] = {y}[0]"),
    *("{x}[i] = 7", "{x}[1:] = {x}[:-1]", "{x}[:-1] += {x}[1:]", "{x}[::2] = {y}[::2]"),
    *("{x}[{x} > 3] = 0", "{x}[[0, 1, 0]] += 1", "{x}.sort()", "{x}.fill(i)"),
    *(
        "{x}.flat[i] = 9",
        "{x}.T[...] = 1",
        "np.add({x}, {y}, out={x})",
        "{x}[:, 0] = i",
    ),
    *("np.copyto({x}, {y})", "np.add.at({x}, [0, 0], 2)", "np.put({x}, [1], i)"),
    *("np.negative({x}, out={x})", "{x}[...] = {x}[::-1]", "{x}[:n] *= -1"),
)
LARGEST = 200


class Writer:
    """Writes one program."""

    def __init__(self, seed: int) -> None:
        self.chance = random.Random(seed)
        self.lines: list[str] = []
        self.scope: dict[str, Any] = {"np": np}
        for name, value in ARGUMENTS:
            self.scope[name] = eval(value, self.scope)
        self.arrays = ["a", "b"]

    def program(self, seed: int) -> Program:
        for _ in range(self.chance.randint(6, 14)):
            self.statement(0)
        result = ", ".join(self.arrays)
        return Program(f"seed {seed}", seed, ARGUMENTS, tuple(self.lines), result)

    def statement(self, depth: int) -> None:
        kind = self.chance.random()
        if depth < 2 and kind < 0.12:
            self.block(self.chance.choice(("if a[0, 0] < 3:", "if i > n:")), depth)
        elif depth < 2 and kind < 0.22:
            self.block(f"for k{depth} in range(n):", depth)
        elif kind < 0.6:
            self.attempt(self.chance.choice(WRITES), depth)
        elif depth == 0:
            name = f"v{len(self.arrays)}"
            if self.attempt(f"{name} = {self.chance.choice(VIEWS)}", depth):
                self.arrays.append(name)
        else:
            self.attempt(f"t = {self.chance.choice(VIEWS)}", depth)

    def block(self, head: str, depth: int) -> None:
        before = len(self.lines)
        self.lines.append("    " * depth + head)
        for _ in range(self.chance.randint(1, 3)):
            self.statement(depth + 1)
        if len(self.lines) == before + 1:
            self.lines.append("    " * (depth + 1) + "pass")

    def attempt(self, template: str, depth: int) -> bool:
        """Add a line, if it works and makes no array of another kind or size."""
        # The newest ones more often: views of views.
        x = self.chance.choice([*self.arrays, *self.arrays[-2:]])
        y = self.chance.choice(self.arrays)
        if "copyto" in template and x == y:
            return False  # does nothing, not even to what is read-only
        line = template.format(x=x, y=y)
        name = line.partition(" = ")[0]
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("error")
                exec(line, self.scope)
        except Exception:
            return False
        made = self.scope.get(name)
        if not isinstance(made, np.ndarray) and name.isidentifier():
            return False
        if made is not None and made.size > LARGEST:
            return False
        self.lines.append("    " * depth + line)
        return True


def check(seed: int, folder: Path) -> str | None:
    """What the program of a seed does otherwise as a graph; None where nothing."""
    program = Writer(seed).program(seed)
    found = difference(program, "as it stands", folder)
    return found and f"{program.text('as it stands')}\n{found}"


def is_refused(found: str) -> bool:
    """True for what is refused at its line: two names that may be one array, say."""
    words = "may be", "may have been changed", "of a read-only view"
    return any(word in found for word in words)


def main(count: int, seed: int) -> None:
    refused = wrong = 0
    with tempfile.TemporaryDirectory() as folder:
        for one in range(seed, seed + count):
            found = check(one, Path(folder))
            if found and is_refused(found):
                refused += 1
            elif found:
                wrong += 1
                print(one, found[found.index("def f") :], "\n")
    print(f"{count} programs: {wrong} wrong, {refused} refused")


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]))
