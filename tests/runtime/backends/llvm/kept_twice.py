"""kept_twice: whatever is compiled is kept, and then is what was kept.

Each piece of machine code is made as usual, then once more as the next process would
have it: of what is in the folder. What lowering finds is compared with that. By hand,
with the programs of another module here:
`python -m tests.runtime.backends.llvm.kept_twice random_lists SEED COUNT`.
"""

import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from tempfile import TemporaryDirectory
from typing import Any
from unittest import mock

import autograph as ag
from runtime.backends.llvm import hot, kept_program, rests
from runtime.structs import replace
from tests.conformance.by_hand import report


@contextmanager
def kept_twice(folder: Any) -> Iterator[Counter[str]]:
    """All machine code is taken out of the folder; gives how many were, and why not."""
    told = Counter[str]()
    own = hot.Compilable._found

    def found(steps: Any) -> Any:
        known = kept_program.known_of(steps)
        if known is None:
            told["without a key"] += 1
            return own(steps)
        again = known.making_of(steps)
        if again is not None:
            told["known"] += 1
            # What tests look at.
            recipe = replace(again.recipe, function=steps.lowered()[1])
        else:
            making = own(steps)
            if making is None:
                return None
            making.begin(rests.called(steps, making.recipe.ties), at_once=True)
            making.result()
            again = known.making_of(steps)
            if again is None:
                told["not kept"] += 1
                return making
            told["kept"] += 1
            assert _plain(making.recipe.ties) == _plain(again.recipe.ties)
            recipe = replace(again.recipe, function=making.recipe.function)
        again.recipe = recipe
        return again

    checked = mock.patch.object(kept_program, "is_checked", True)
    with ag.config(cache_dir=folder), checked:
        with mock.patch.object(hot.Compilable, "_found", found):
            yield told


def _plain(ties: Any) -> Any:
    """What the names and numbers stand for; steps, bodies and variables by identity."""
    tables = ties.loops, ties.called, ties.overflows
    arrays = [id(array) for array in ties.constants]
    said = ties.is_done_once, ties.wraps, ties.takes_lists
    # The memory of spares is made anew.
    names = ties.name, [*ties.named]
    return names, [*map(dict, tables)], arrays, [*ties.exits], ties.warned, said


def words_of(found: str | tuple[str | None, bool] | None) -> str | None:
    """How a program differs, of what `tried` gives."""
    return found[0] if isinstance(found, tuple) else found


if __name__ == "__main__":
    name, *sys.argv[1:] = sys.argv[1:]
    made = import_module(f"{__package__}.{name}")
    with TemporaryDirectory() as home, kept_twice(home) as counts:
        report(made.program, lambda seed: words_of(made.tried(seed)))
    print(dict(counts))
