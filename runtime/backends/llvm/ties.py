"""ties: what machine code of some steps is bound to, and what it tells Python.

Lowering finds both. The text, and so the machine code, has names for what lies outside;
where it is left it tells a number. What the names and numbers stand for is here, as
things of this process: `kept_program.py` finds them again in the next one.
"""

from __future__ import annotations

import ctypes
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from runtime.backends.numpy.program import Body, Step, Variable
from runtime.structs import struct

# The names in the text of three tables: of the arrays that a program holds, of each its
# object and its data; of the other objects and places that an entry's text names; and
# where arrays wait to be used again.
CONSTANTS, FORM, SPARES = "constants", "form", "spares"


@struct(eq=False)
class Ties:
    """What the names and the numbers of a text stand for.

    name:      of the function
    loops:     NumPy's loops: address, and what they are given
    named:     what else is named: its address, and what keeps that alive
    constants: the arrays that the program holds
    form:      the addresses that the form of an entry names
    called:    the steps that Python makes
    exits:     for each way out where Python goes on, and what it is handed there
    overflows: those that are taken where one of NumPy's ints wraps round: at which step
    warned:    the steps of which NumPy warns
    is_done_once: something is done that Python would do a second time
    wraps:     some ints wrap round
    takes_lists:  it takes the numbers of lists that it is given into memory
    """

    name: str
    loops: Mapping[str, tuple[int, int]]
    named: Mapping[str, tuple[int, Any]]
    constants: Sequence[np.ndarray[Any, Any]]
    form: Sequence[int]
    called: Mapping[str, Step]
    exits: Sequence[tuple[Body, int, tuple[Variable, ...]]]
    overflows: Mapping[int, Step]
    warned: list[Step]
    is_done_once: bool
    wraps: bool
    takes_lists: bool

    def symbols(
        self, called: Mapping[str, Any]
    ) -> tuple[dict[str, int], tuple[Any, ...]]:
        """The addresses of what the text names, and the objects that they belong to.

        called: functions of Python's by their names
        """
        found = {name: id(function) for name, function in called.items()}
        for name, (address, given) in self.loops.items():
            found[f"loop_{name}"] = address
            found[f"data_{name}"] = given or id(None)
        found |= {name: address for name, (address, _) in self.named.items()}
        held = [*called.values(), *self.constants]
        held += [one for _, one in self.named.values()]
        arrays = [word for one in self.constants for word in (id(one), one.ctypes.data)]
        for name, words in ((CONSTANTS, arrays), (FORM, self.form)):
            if words:
                table = (ctypes.c_ssize_t * len(words))(*words)
                found[name] = ctypes.addressof(table)
                held.append(table)
        return found, tuple(held)


def spare_table(count: int) -> tuple[int, Any]:
    """Where so many arrays are kept, and what holds them: none so far."""
    held = np.empty(count, object)
    ctypes.memset(held.ctypes.data, 0, held.nbytes)
    return held.ctypes.data, held
