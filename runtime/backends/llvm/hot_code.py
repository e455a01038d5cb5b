"""hot_code: how what is hot becomes machine code: lowered, and written.

`hot.py` loads it when something has run for long and no earlier program has kept its
machine code, and with it whatever lowers.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from runtime import store
from runtime.backends.llvm import crew, filled, hot
from runtime.backends.llvm.abi import is_as_expected
from runtime.backends.llvm.constants import constant_number
from runtime.backends.llvm.either import TAKEN
from runtime.backends.llvm.hot import Compilable, HotLoop
from runtime.backends.llvm.improved import improved
from runtime.backends.llvm.loop_notes import PARALLEL
from runtime.backends.llvm.loops import INT, Function, Local, Number
from runtime.backends.llvm.lowering import Lowering
from runtime.backends.llvm.making import LONGEST, Making, Recipe, seconds_of
from runtime.backends.llvm.text import Text
from runtime.backends.llvm.ties import Ties
from runtime.backends.llvm.typed import typed_lists
from runtime.backends.llvm.typed_inputs import lists_of
from runtime.backends.llvm.values import NotLowered
from runtime.backends.llvm.whiles import loop_function
from runtime.backends.numpy.program import Step

__all__ = ["FILLED", "making_of", "typed_lists"]

FILLED = filled.FILLED


def making_of(steps: Compilable, noted: Callable[[str, bool, Ties], object]) -> Making:
    """What makes machine code of the steps.

    noted: is told of the text, when its machine code is in the store: its key, whether
           it names the crew of threads, and what it is bound to
    NotLowered: there is none for them, or it is not worth it
    """
    if not is_as_expected():
        raise NotLowered("objects lie in memory in another way")
    lowering, function = steps.lowered()
    if lowering.calls > hot.CALLS * function.size():
        raise NotLowered("too few steps are the machine's")
    if function.size() > hot.MOST:
        raise NotLowered("too long a program")
    written = steps.text(lowering, function)
    text = written.write()
    seconds = seconds_of(text.count("\n"), PARALLEL in text)
    if seconds > LONGEST:
        raise NotLowered("too long a program")
    key, is_shared = store.key_of(text), crew.SYMBOL in text
    ties = ties_of(lowering, function, written)
    place = steps.span.steps[0].node.location
    told = partial(noted, key, is_shared, ties)
    recipe = Recipe(key, is_shared, lambda: text, ties, function, place, told)
    return Making(recipe, 0.0 if store.may_hold(key) else seconds)


def ties_of(lowering: Lowering, function: Function, text: Text) -> Ties:
    """What the names and the numbers of a text stand for."""
    exits = zip(lowering.exits, lowering.handed, strict=True)
    # What is computed into an array that is given is not there any more to begin with.
    changes = function.written or lowering.written
    return Ties(
        function.name,
        loops=lowering.outside,
        named=lowering.named,
        constants=[array for array, _ in lowering.constants],
        form=text.named,
        called=lowering.called,
        exits=[(place[0], place[1], handed) for place, handed in exits],
        overflows=lowering.overflows,
        warned=lowering.warned,
        is_done_once=bool(changes or lowering.calls or lowering.draws or lowering.says),
        wraps=lowering.wraps,
        takes_lists=bool(lists_of(function)),
    )


def text_of(lowering: Lowering, function: Function) -> Text:
    """LLVM's text of the function, to be written."""
    return Text(function, lowering.outside)


def lowered(steps: Compilable) -> tuple[Lowering, Function]:
    """The steps in loop IR, after its passes, and what has written it."""
    typed = steps.typed()
    try:
        lowering = Lowering(steps.span, steps.precise, typed)
        made = steps.lower(lowering)
    except NotLowered:
        if not typed:
            raise
        # Python's own lists have machine code for more.
        lowering = Lowering(steps.span, steps.precise)
        made = steps.lower(lowering)
    return lowering, improved(lowering, made, steps.begins(lowering))


def lowered_loop(loop: HotLoop, lowering: Lowering) -> Function:
    """A loop in loop IR."""
    made = loop_function(lowering, "loop", loop.inputs)
    if lists_of(made):
        lowering.named[TAKEN] = loop.turns.address, loop.turns
    return made


def first_ints(loop: Step, lowering: Lowering) -> dict[Local, int]:
    """The ints that the program has for what a loop carries."""
    found = {}
    for variable, first in zip(loop.carried, loop.inputs, strict=False):
        value = lowering.values.get(variable)
        begin = constant_number(lowering, first) if first.constant else None
        if begin and isinstance(value, Number) and begin.dtype.kind == "i":
            (local,), (number,) = value.parts, begin.parts
            if isinstance(local, Local) and local.type == INT:
                assert isinstance(number, int)
                found[local] = number
    return found
