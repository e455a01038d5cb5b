"""Random programs of views and writes: a function of two arrays and two numbers.

A program is written line by line; each line is run at once on arrays of the sizes that
the program is called with, so that the next one can ask for their shapes, and so that
lines which fail are left out. The arrays may be parts of one, or lie in other orders;
helpers get arguments that share memory; the last line of some fails.

    python -m tests.conformance.random_views --programs 1000 --seed 7 --jobs 1 --laid

Program number n is made from the seed n, counted from --seed; with --laid the arrays
have gaps, or lie backwards or in Fortran's order.
"""

import argparse
import itertools
import platform
import random
import re
import sys
import tempfile
import warnings
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from time import perf_counter
from typing import Any

import numpy as np

import autograph as ag
from tests.conformance import in_processes
from tests.conformance.array_programs import Program, difference, load, observe

NUMBERS = (("i", "np.int64(2)"), ("n", "np.int64(3)"))
# `t`: three arrays, more often in memory of their own.
ARRAYS = (
    *[("np.arange(24.).reshape(4, 6), np.arange(12) * 3 % 7, np.arange(4)",)] * 6,
    ("np.arange(12).reshape(3, 4) * (1 + 2j), np.arange(12.), np.arange(3)",),
    ("np.asfortranarray(np.arange(24.).reshape(4, 6)), np.arange(6.), np.arange(4)",),
    ("of(lambda o: (o, o[1:3], o.T))",),
    ("of(lambda o: (o, o.reshape(-1)[::2], o[0]))",),
    ("of(lambda o: (o[:3], o[1:], o))",),
    ("of(lambda o: (o, o, o[::-1]))",),
    ("of(lambda o: (o[:, :3], o[:, 3:], o[1]))",),
    ("of(lambda o: (ro(o), np.arange(6), np.arange(3)))",),
)


LAID = (
    *("in Fortran's order", "with gaps", "with gaps between rows", "backwards"),
    *("backwards in rows", "within another"),
)


def _templates(text: str) -> list[str]:
    """One for each line, and for each part of it between two bars."""
    return [part for line in text.strip().split("\n") for part in line.split(" | ")]


VIEWS = _templates("""
{x}[1:] | {x}[::2] | {x}[::-1] | {x}[i] | {x}[i:] | {x}[:n] | {x}[-1] | {x}.T
{x}.reshape(-1) | {x}.ravel() | {x}[None] | {x}[...] | {x}.real | {x}[:, 1:3]
{x}[:, i] | {x}[::2, ::-1] | np.flip({x}) | np.squeeze({x}) | {x}.swapaxes(0, 1)
{x}.reshape(2, -1) | np.split({x}, 2)[1] | {x}.copy() | np.rot90({x})
{x}.ravel('F') | {x}.reshape(3, -1, order='F') | {x} + 1 | {x} * {y} | np.sort({x})
{x}.diagonal() | np.atleast_2d({x}) | {x}.astype(float) | {x}[{x} > 2]
np.concatenate([{x}, {x}]) | {x}.view() | {x} | {x} | {x}.imag
np.split({x}, [i])[0] | np.array_split({x}, 2)[0] | {x}[i:n] | {x}[i - 1 : n, ::2]
{x}[[0, 1]] | np.zeros((n, 2)) | {x}.mT | np.asarray({x}) | np.ascontiguousarray({x})
np.broadcast_to({x}, (2, 4, 6)) | np.array({x}) | np.moveaxis({x}, 0, -1)
np.unstack({x})[1] | {x}.flat[:3] | part({x}, i) | bump({x}, {y})
{x} if n > i else {y} | np.where({x} > 1, 0, {x}) | np.matrix_transpose({x})
np.expand_dims({x}, 0)[0] | either({x}, {y}, n) | np.einsum('ij->ji', {x})
np.diag({x}) | np.real({x}) | np.trim_zeros({x})
""")
WRITES = _templates("""
{x} += 1 | {x} -= {y} | {x} *= 2 | {x}[...] = {y} | {x}[0] = {y}[0] | {x}[i] = 7
{x}[1:] = {x}[:-1] | {x}[:-1] += {x}[1:] | {x}[::2] = {y}[::2] | {x}[{x} > 3] = 0
{x}[[0, 1, 0]] += 1 | {x}.sort() | {x}.fill(i) | {x}.flat[i] = 9 | {x}.T[...] = 1
np.add({x}, {y}, out={x}) | {x}[:, 0] = i | np.copyto({x}, {y})
np.add.at({x}, [0, 0], 2) | np.negative({x}, out={x}) | {x}[...] = {x}[::-1]
{x}[:n] *= -1 | np.put({x}, [1], i) | {x}[{x} > {y}] += 5 | {x}[{x} == 1] = {y}[0]
np.fill_diagonal({x}, i) | np.copyto({x}, {y}, where={x} > 2) | {x}[i, 0] -= 3
np.add({x}, {y}, out={x}, where={x} > 1) | np.maximum({x}, {y}, out={x}[::-1])
{x}.real += 1 | {x}.imag = 2 | {x}.flat[1:4] = [5, 6] | {x}.flat = {y}
np.putmask({x}, {x} > 2, {y}) | np.place({x}, {x} > 2, [1, 8]) | {x}[0] += {x}[1]
{x}.sort(axis=0) | {x}[::-1].sort() | np.cumsum({x}, axis=0, out={x})
{x}[0], {x}[1] = {x}[1], {x}[0] | {x}[[0, 1]] = {x}[[1, 0]] | {x}[i:n] = {x}[0:1]
bump({x}, {y}) | double({x}[1:]) | halve({x}, n) | np.subtract.at({x}, [i, 0], 1)
{x}.partition(1) | np.multiply({x}, 2, {x}) | np.sum({x}, axis=0, out={x}[0])
{x}[..., -1] = {y}[0] | {x}[{x}.argmax() % 2] = 0 | np.clip({x}, 1, 9, out={x})
np.take({x}, [1, 0], axis=0, out={x}[:2])
np.put_along_axis({x}, {x}.argmax(-1)[..., None], i, -1) | {x} = {x} + 1 | {x} = {y}
{x}, {y} = {y}, {x} | {x} = {x}[::-1]
""")
HEADS = (
    *("if a.flat[0] < 3:", "if i > n:", "if b.sum() > 9:", "while a.flat[1] < 2:"),
    *("for k{depth} in range(n):", "for k{depth} in range(i):", "for r in a:"),
)
INSIDE = ("a[k0 % 2] += k0", "r += 1", "r[0] = b.flat[0]", "a[:k0] = k0", "b = a[k0]")
FAILING = ("a[90] = 1", "np.put(a, [500], 1)", "a[i + 90] += 1", "a[...] = np.ones(77)")
LARGEST = 200


class Writer:
    """Writes one program; laid: its arrays have other strides than in C's order."""

    def __init__(self, seed: int, laid: bool = False) -> None:
        self.chance = random.Random(seed)
        self.lines = ["a, b, o = t"]
        (given,) = self.chance.choice(ARRAYS)
        if laid:
            given = self._laid(given)
        self.given = (("t", given), *NUMBERS)
        self.scope: dict[str, Any] = dict(_SURROUNDINGS)
        for name, value in self.given:
            self.scope[name] = eval(value, self.scope)
        exec(self.lines[0], self.scope)
        self.arrays = ["a", "b", "o"]

    def _laid(self, given: str) -> str:
        """The same arrays, each of them or the one that they are parts of laid anew."""
        if given.startswith("of("):
            return f"{given[:-1]}, {self.chance.choice(LAID)!r})"
        hows = [self.chance.choice(LAID) for _ in range(3)]
        return f"tuple(map(laid, ({given}), {hows}))"

    def program(self, seed: int) -> Program:
        for _ in range(self.chance.randint(6, 14)):
            self.statement(0)
        if self.chance.random() < 0.1 and "ro(" not in self.given[0][1]:
            self.lines.append(self.chance.choice(FAILING))
        result = ", ".join(self.arrays)
        return Program(f"seed {seed}", seed, self.given, tuple(self.lines), result)

    def statement(self, depth: int) -> None:
        kind = self.chance.random()
        if depth < 2 and kind < 0.22:
            self.block(self.chance.choice(HEADS).format(depth=depth), depth)
        elif depth and kind < 0.3:
            self.attempt(self.chance.choice(INSIDE), depth)
        elif kind < 0.6:
            self.attempt(self.chance.choice(WRITES), depth)
        elif depth == 0:
            name = f"v{len(self.arrays)}"
            if self.attempt(f"{name} = {self.chance.choice(VIEWS)}", depth):
                self.arrays.append(name)
        elif kind < 0.7:
            name = self.chance.choice(self.arrays)
            self.attempt(f"{name} = {self.chance.choice(VIEWS)}", depth)
        else:
            self.attempt(f"t = {self.chance.choice(VIEWS)}", depth)

    def block(self, head: str, depth: int) -> None:
        before = len(self.lines)
        self.lines.append("    " * depth + head)
        of = head.removeprefix("for ").partition(" in ")[0]
        if head.startswith("for"):
            rows = [*self.scope["a"], np.arange(6.0)]
            self.scope[of] = rows[0] if of == "r" else np.int64(0)
        for _ in range(self.chance.randint(1, 3)):
            self.statement(depth + 1)
        if head.startswith("while"):
            # Or it would have no end.
            self.lines.append("    " * (depth + 1) + "break")
        elif len(self.lines) == before + 1:
            self.lines.append("    " * (depth + 1) + "pass")
        self.scope.pop(of, None)

    def attempt(self, template: str, depth: int) -> bool:
        """Add a line, if it works and makes no array of another kind or size."""
        # The newest ones more often: views of views.
        x = self.chance.choice([*self.arrays, *self.arrays[-2:]])
        y = self.chance.choice(self.arrays)
        if "copyto" in template and x == y:
            return False  # does nothing, not even to what is read-only
        both = isinstance(self.scope[x], np.ndarray) and "n > i" in template
        if (both or "either" in template) and not _alike(self.scope[x], self.scope[y]):
            return False
        line = template.format(x=x, y=y)
        name = line.partition(" = ")[0]
        before = self.scope.get(name)
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("error")
                exec(line, self.scope)
        except Exception:
            return False
        made = self.scope.get(name)
        if depth and isinstance(before, np.ndarray) and not _alike(before, made):
            self.scope[name] = before
            return False
        if not isinstance(made, np.ndarray) and name.isidentifier():
            return False
        if isinstance(made, np.ndarray) and made.size > LARGEST:
            return False
        self.lines.append("    " * depth + line)
        return True


def _alike(before: Any, after: Any) -> bool:
    """True for arrays that one name can have on two paths."""
    if not isinstance(after, np.ndarray):
        return False
    return before.dtype == after.dtype and before.ndim == after.ndim


_SURROUNDINGS: dict[str, Any] = {}
exec(
    Program("", 0, (("x", "0"),), ("pass",), "None").text("as it stands"), _SURROUNDINGS
)


def check(seed: int, folder: Path, laid: bool = False) -> str | None:
    """What the program of a seed does otherwise as a graph; None where nothing."""
    program = Writer(seed, laid).program(seed)
    with ag.config(strict=True):
        found = difference(program, "as it stands", folder)
    return found and f"{program.text('as it stands')}\n{found}"


# Counted with the refusals: the only other difference that is documented.
UNUSED = "Python fails in a line whose result nobody uses"


def is_unused(seed: int, folder: Path, laid: bool = False) -> bool:
    """True where Python fails in a line whose result nobody uses (docs/limits.md).

    The graph does not fail then, or in a later line, when it has changed more.
    """
    program = Writer(seed, laid).program(seed)
    namespace = load(program.text("as it stands"), folder)
    if observe(namespace["f"], program, namespace)["exception"] is None:
        return False
    program = replace(program, body=tuple(_without_unused(program.body)))
    return difference(program, "as it stands", folder) is None


# What asks nothing that may fail, and what else does nothing.
ASKED = "if n > i:"
NOTHING = rf"pass|break|(\w+) = \1|{ASKED}|for .*"


def _without_unused(body: Sequence[str]) -> list[str]:
    """The lines without what nobody reads, and what blocks ask that do nothing."""
    lines = [re.sub(r"^( *)t = .*", r"\1pass", line) for line in body]
    for at in reversed(range(len(lines))):
        margin = len(lines[at]) - len(lines[at].lstrip())
        inside = f"{lines[at][:margin]}    "
        rest = itertools.takewhile(lambda x, i=inside: x.startswith(i), lines[at + 1 :])
        block = list(rest)
        asks = lines[at].lstrip().startswith(("if ", "while "))
        if asks and all(re.fullmatch(NOTHING, line.strip()) for line in block):
            lines[at] = f"{lines[at][:margin]}{ASKED}"
            plain = [line.replace("break", "pass") for line in block]
            lines[at + 1 : at + 1 + len(block)] = plain
    return lines


REFUSALS = (
    *("may be", "may have been changed", "of a read-only view", "are one in memory"),
    *("known only at run time", "is given a part of it"),
)


def is_refused(found: str) -> bool:
    """True for what is refused at its line: two names that may be one array, say."""
    return any(word in found.partition("exception:")[2] for word in REFUSALS)


def check_one(seed: int, laid: bool = False) -> tuple[int, str | None]:
    """The seed, and what is found of its program."""
    with tempfile.TemporaryDirectory() as folder:
        found = check(seed, Path(folder), laid)
        unused = found is not None and is_unused(seed, Path(folder), laid)
        return seed, UNUSED if unused else found


def refusal(found: str) -> str:
    """The message of a refusal, without the names in it."""
    words = found.partition("exception:")[2].partition("graph")[2].strip()
    return re.sub(r"`.*?`", "_", words)


def main() -> int:
    """Run the programs; the status is 1 when one disagrees."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--programs", type=int, default=1_000)
    parser.add_argument("--seed", type=int, default=0, help="of the first program")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--laid", action="store_true", help="in other strides")
    parser.add_argument("--refused", action="store_true", help="name their seeds, too")
    options = parser.parse_args()
    start = perf_counter()
    refusals: Counter[str] = Counter()
    wrong = 0
    seeds = range(options.seed, options.seed + options.programs)
    checked = partial(check_one, laid=options.laid)
    outcomes = in_processes.each(checked, seeds, options.jobs)
    for done, (seed, found) in enumerate(outcomes, start=1):
        if found == UNUSED:
            refusals[found] += 1
        elif found and is_refused(found):
            refusals[refusal(found)] += 1
            if options.refused:
                print(f"seed {seed} is refused: {refusal(found)}", flush=True)
        elif found:
            wrong += 1
            text = found[found.index("def f") :]
            print(f"seed {seed} disagrees\n{text}\n", flush=True)
        if done % 1_000 == 0:
            line = f"{done} programs, {wrong} disagree, {refusals.total()} refused"
            print(line, flush=True)
    for words, count in refusals.most_common():
        print(f"{count} refused: {words}")
    print(
        f"{len(seeds)} programs from seed {options.seed}, {wrong} disagree, "
        f"{refusals.total()} are refused at their line, in "
        f"{perf_counter() - start:.0f} s with {options.jobs} jobs; "
        f"Python {platform.python_version()}, numpy {np.__version__}"
    )
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
