"""Random programs whose traces are undone at random places, beside plain Python.

A trace that goes long without a node is undone, and the call made as Python; where
numbers may be inputs, another one is tried at once (decision 100). Here each trace may
be undone at any of its looks at the clock, the first, the wider and the later ones.

python -m tests.tracer.random_undone programs|basic|views|lists|dicts SEED COUNT
"""

import random
import sys
import tempfile
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from unittest import mock

from tests.conformance import random_outside, random_views
from tests.conformance.choices import seeded
from tests.conformance.generator import Program, basic, generate
from tests.conformance.harness import check, is_refused
from tracer import idle, put_off

# The first so many looks at the clock, of which a trace is undone at one.
LOOKS = 1, 3, 8, 20


class Undoing(idle.Clock):
    """A clock by which a trace is undone at some look; where it cannot be, it goes on.

    undone: the traces that were
    """

    __slots__ = ("_left",)
    chosen = random.Random(0)
    looks = 8
    undone = 0

    def __init__(self, limit, waits=False, debt=0.0):
        super().__init__(limit, waits)
        self._choose(waits)

    def look(self, trace):
        self.spent += 1e-3
        self._left -= 1
        if self._left == 0:
            Undoing.undone += not trace.acts
            self._give_up(trace)

    def try_wider(self):
        super().try_wider()
        self._choose(False)

    def _choose(self, is_first):
        # A half of those that follow a first one is left to end.
        is_undone = is_first or self.chosen.random() < 0.5
        self._left = self.chosen.randint(1, self.looks) if is_undone else -1


@contextmanager
def undone_at_random(seed: int) -> Iterator[None]:
    """For the block traces are undone, at looks that the seed tells."""
    Undoing.chosen = random.Random(seed)
    Undoing.looks = Undoing.chosen.choice(LOOKS)
    with (
        mock.patch.object(idle, "Clock", Undoing),
        mock.patch.object(idle, "FACTOR", 0),
        mock.patch.object(put_off, "limit_of", return_value=idle.LIMIT),
    ):
        yield


def _of_program(program: Program, folder: Path) -> str | None:
    found = check(program, folder)
    if found is None or is_refused(found):
        return None
    return f"{found.sentence}\n\n{program.script()}"


def _of_views(seed: int, folder: Path) -> str | None:
    found = random_views.check(seed, folder)
    return None if found and random_views.is_refused(found) else found


def _of_outside(kind: str) -> Callable[[int, Path], str | None]:
    def differs(seed: int, folder: Path) -> str | None:
        found = random_outside.fault(seed, random_outside.KINDS[kind])
        program = random_outside.program(seed, random_outside.KINDS[kind])
        return None if found is None else f"{found}\n{program}"

    return differs


# What a program of each kind, told by a seed, differs in; None: in nothing.
KINDS: dict[str, Callable[[int, Path], str | None]] = {
    "programs": lambda seed, folder: _of_program(generate(seeded(seed)), folder),
    "basic": lambda seed, folder: _of_program(generate(seeded(seed, basic)), folder),
    "views": _of_views,
    "lists": _of_outside("lists"),
    "dicts": _of_outside("dicts"),
}


def difference(kind: str, seed: int, folder: Path) -> str | None:
    """How a program differs from Python whose traces are undone here and there."""
    with undone_at_random(seed):
        return KINDS[kind](seed, folder)


def main(kind: str, first: int, count: int) -> int:
    """Print the programs that differ; the status is 1 when one does."""
    warnings.simplefilter("ignore")
    differing = 0
    with tempfile.TemporaryDirectory() as folder:
        for seed in range(first, first + count):
            found = difference(kind, seed, Path(folder))
            if found is not None:
                differing += 1
                print(f"seed {seed} differs: {found}\n", flush=True)
    print(f"{count} {kind} from {first}, {Undoing.undone} traces undone, ", end="")
    print(f"{differing} differ")
    return 1 if differing else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], *map(int, sys.argv[2:4])))
