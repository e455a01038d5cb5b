"""kept_program: what lowering found of a program, for the next process that has it.

It is kept beside the machine code, by a key of all that lowering looks at: the words of
the program (`numbered.py`), what is said of the steps, our own source, the versions and
what the processor has. A program whose key is there is not lowered, and no text is
written: the machine code is linked, and what its text names, and the ways out of it,
are found in the program by their numbers. What cannot be found again by a number or a
name is not kept in this way; its machine code is found by its text.
"""

from __future__ import annotations

import functools
import marshal
import os
import sys
from typing import TYPE_CHECKING, Any

import numpy as np

from runtime import store
from runtime.backends.llvm import abi, outgrown
from runtime.backends.llvm.building import is_kept
from runtime.backends.llvm.c_library import version
from runtime.backends.llvm.either import TAKEN
from runtime.backends.llvm.making import Making, Recipe
from runtime.backends.llvm.making import seconds_before as seconds_before
from runtime.backends.llvm.numbered import VERSION, Numbered, Unnamed
from runtime.backends.llvm.switch import features
from runtime.backends.llvm.ties import SPARES, Ties, spare_table
from runtime.backends.llvm.values import NotLowered
from runtime.config import config
from runtime.digests import digest
from runtime.sources import sources_in
from runtime.structs import struct

if TYPE_CHECKING:
    from runtime.backends.llvm.hot import Compilable

# The folder of such entries, beside those of the versions that make objects.
FOLDER = "programs"
# Where lowering, and all that it asks, is written.
_HOME = os.path.abspath(os.path.join(os.path.dirname(__file__), "..", ".."))
_SOURCES = (
    *(".", "numpy_api", "ops", "passes"),
    *("backends/numpy", "backends/llvm", "backends/llvm/mathematics"),
)
# The dtypes whose numbers stand in the names of NumPy's loops.
_DTYPES: dict[int, np.dtype[Any]] = {
    np.dtype(char).num: np.dtype(char) for char in "?bhilqBHILQefdFD"
}
# Whether each hit is lowered, too, and compared with what was kept.
is_checked = False


@struct
class Known:
    """A program that has a key, and its steps and variables by their numbers.

    wraps: the numbers of the steps that are let wrap round
    """

    key: str
    numbered: Numbered
    wraps: list[int]

    def making_of(self, steps: Compilable) -> Making | None:
        """What makes the machine code of the steps, if it was kept; None: it was not.

        As long as nothing of it is missing, nothing is lowered. NotLowered: they were
        refused
        """
        content = store.found(self.key, FOLDER)
        if content is None:
            return None
        kept = marshal.loads(content)
        if is_checked:
            _check(steps, self, kept)
        refused, text, is_shared, words = kept
        if refused:
            raise NotLowered(refused)
        ties = _ties_of(words, self.numbered, steps) if is_kept(text) else None
        if ties is None:
            return None
        place = steps.span.steps[0].node.location
        write = functools.partial(_text_of, steps, text)
        return Making(Recipe(text, is_shared, write, ties, None, place, nothing), 0.0)

    def keep(self, text: str, is_shared: bool, ties: Ties) -> None:
        """Keep what was found, if all of it has a number or a name.

        text: the key of the text; is_shared: it names the crew of threads
        """
        try:
            self._keep("", text, is_shared, _words_of(ties, self.numbered))
        except Unnamed:
            return

    def keep_refused(self, reason: str) -> None:
        """Keep that there is no machine code for them."""
        self._keep(reason, "", False, ())

    def _keep(self, *words: Any) -> None:
        # More may wrap round by now than when the key was made, and what lowers may
        # have been loaded after another text of it was written.
        if _wrapping(self.numbered) == self.wraps and _looked() == _surroundings():
            store.keep(self.key, FOLDER, marshal.dumps(words, VERSION))


def known_of(steps: Compilable) -> Known | None:
    """The key of what lowering is given; None where there is none, or no folder."""
    said = steps.said() if config.cache_dir else None
    surroundings = None if said is None else _surroundings()
    if surroundings is None:
        return None
    root = steps.span.body
    while root.parent is not None:
        root = root.parent
    try:
        numbered = Numbered(root, steps.span)
        wraps = _wrapping(numbered)
        about = _about(steps, numbered), said, wraps
        words = numbered.words()
    except Unnamed:
        return None
    told = surroundings + marshal.dumps(about, VERSION) + words
    return Known(digest(told).hex(), numbered, wraps)


def _wrapping(numbered: Numbered) -> list[int]:
    return outgrown.wrapping(numbered.steps)


def _about(steps: Compilable, numbered: Numbered) -> Any:
    span = steps.span
    where = numbered.body(span.body), span.first, span.stop
    given = [*map(numbered.variable, steps.inputs)]
    wanted = [*map(numbered.variable, span.outputs)]
    return type(steps).__name__, where, given, wanted, steps.precise


@functools.cache
def _surroundings() -> bytes | None:
    """A digest of what lowering depends on beside the program; None: it has none."""
    return _looked()


def _looked() -> bytes | None:
    """The same, as it is now."""
    sources = sources_in(_HOME, _SOURCES)
    if not sources:
        return None
    versions = sys.version, sys.platform, np.__version__, np.__file__
    probed = (
        *(abi.int_form(), abi.counting(), abi.known_ints() is not None),
        *(abi.dicts_have_versions(), abi.spares_are_found(), abi.is_as_expected()),
    )
    has = sorted(name for name, is_there in features().items() if is_there)
    told = store.VERSION, _HOME, sources, versions, probed, has, version()
    return digest(marshal.dumps(told, VERSION))


# --- what is kept ---------------------------------------------------------------------
def _words_of(ties: Ties, numbered: Numbered) -> Any:
    """Plain values for what a text is bound to. Unnamed: some of it has none."""
    if ties.form:
        raise Unnamed("what an entry names")
    loops = [(name, _way_to(name, found)) for name, found in ties.loops.items()]
    named = [(name, _named_word(name, held)) for name, (_, held) in ties.named.items()]
    held = {
        id(step.node.attributes["value"]): at
        for at, step in enumerate(numbered.steps)
        if step.node.op.name == "constant"
    }
    if not all(id(one) in held for one in ties.constants):
        raise Unnamed("an array that no step holds")
    exits = [
        (numbered.body(body), position, [*map(numbered.variable, handed)])
        for body, position, handed in ties.exits
    ]
    return (
        ties.name,
        loops,
        named,
        [held[id(one)] for one in ties.constants],
        [(name, numbered.step(step)) for name, step in ties.called.items()],
        exits,
        [(number, numbered.step(one)) for number, one in ties.overflows.items()],
        [*map(numbered.step, ties.warned)],
        (ties.is_done_once, ties.wraps, ties.takes_lists),
    )


def _ties_of(words: Any, numbered: Numbered, steps: Compilable) -> Ties | None:
    """What the plain values mean here; None where one of NumPy's loops is not there."""
    name, loops, named, constants, called, exits, overflows, warned, said = words
    at = numbered.steps
    found = {symbol: _loop(symbol, way) for symbol, way in loops}
    if not all(address for address, _ in found.values()):
        return None
    return Ties(
        name,
        found,
        {symbol: _named(symbol, word, steps) for symbol, word in named},
        [at[number].node.attributes["value"] for number in constants],
        (),
        {symbol: at[number] for symbol, number in called},
        [
            (numbered.bodies[body], place, tuple(numbered.variables[n] for n in handed))
            for body, place, handed in exits
        ],
        {number: at[step] for number, step in overflows},
        [at[number] for number in warned],
        *said,
    )


# NumPy's loops: by the name that a text has for one.
def _numpys(symbol: str) -> tuple[int, int]:
    """The loop of the ufunc of this name for the dtypes of these numbers."""
    name, *numbers = _parts(symbol)
    ufunc = abi.ufunc_named(name)
    dtypes = tuple(_DTYPES[int(one)] for one in numbers if int(one) in _DTYPES)
    if ufunc is None or len(dtypes) < len(numbers):
        return 0, 0
    return abi.ufunc_loop(ufunc, dtypes)


def _ours(symbol: str, precise: bool) -> tuple[int, int]:
    """The loop of `@` that chooses between NumPy's and ours."""
    from runtime.backends.llvm.product_choice import loop_of

    return loop_of(_DTYPES[int(_parts(symbol)[1])], precise)


def _loop(symbol: str, way: bool | None) -> tuple[int, int]:
    return _numpys(symbol) if way is None else _ours(symbol, way)


def _way_to(symbol: str, found: tuple[int, int]) -> bool | None:
    """How a loop is found again: None, or for `@` whether it is precise."""
    if _numpys(symbol) == found:
        return None
    for precise in (True, False) if symbol.startswith("matmul_") else ():
        if _ours(symbol, precise) == found:
            return precise
    raise Unnamed(f"a loop {symbol}")


def _parts(symbol: str) -> list[str]:
    """The name of a loop's ufunc, and the numbers of the dtypes."""
    name = symbol.rstrip("_0123456789")
    numbers = symbol[len(name) :].strip("_").split("_")
    return [name, *numbers]


# What else a text names.
def _named_word(name: str, held: Any) -> int | None:
    """What tells a thing that a text names from others of that name."""
    if name == TAKEN:
        return None
    if name == SPARES:
        return len(held)
    raise Unnamed(f"an object {name}")


def _named(name: str, word: int | None, steps: Compilable) -> tuple[int, Any]:
    """The thing: its address, and what keeps it alive."""
    if word is not None:
        return spare_table(word)
    turns = steps.turns
    assert turns is not None  # only loops have such a word
    return turns.address, turns


# --- where nothing is to be missing ---------------------------------------------------
def _text_of(steps: Compilable, key: str) -> str:
    """The text, of what could not be linked. RuntimeError: the program is gone."""
    text = steps.text(*steps.lowered()).write()
    if store.key_of(text) != key:
        raise RuntimeError("what was kept of a program is not to be had again")
    return text


def nothing(*told: object) -> None:
    """It is kept already, or has no key to be kept by."""


def _check(steps: Compilable, known: Known, kept: Any) -> None:
    """AssertionError: lowering finds something else than was kept."""
    from runtime.backends.llvm.hot_code import making_of

    found: Any = "", "", False, ()
    try:
        recipe = making_of(steps, lambda *told: None).recipe
    except NotLowered as reason:
        found = str(reason), *found[1:]
    else:
        words = _words_of(recipe.ties, known.numbered)
        found = "", recipe.key, recipe.is_shared, words
    place = steps.span.steps[0].node.location
    assert found == kept, f"another program was kept: {place}"
    again = known_of(steps)
    assert again is not None, f"lowering changes: {place}"
    assert again.key == known.key, f"lowering changes: {place}"
