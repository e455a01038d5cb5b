"""Random programs over every construct that the project stages, nested in each other.

A program is text: helper functions, and `program` with the parameters of PARAMETERS,
which always ends, and returns, or raises, in Python. What keeps the comparison with a
graph strict is told in grammar.py and writer.py: above all, what may fail (a name that
may be unset, an index that may be out of bounds, an assert) stands only where its value
is observed, since a graph does not run what nobody needs.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np

from tests.conformance import attempts, blocks, holders
from tests.conformance.choices import Choices
from tests.conformance.grammar import Helper
from tests.conformance.writer import Writer

PARAMETERS = ("x0", "y0", "c0", "p0", "n0", "q0", "k0")

Values = tuple[Any, ...]


@dataclass(frozen=True, slots=True)
class Program:
    """The text of a program, and two sets of arguments that share one signature."""

    text: str
    arguments: tuple[Values, Values]

    def script(self) -> str:
        """The program as a file that runs it plain and as a graph, and prints both."""
        calls = "\n".join(f"    {_literal(values)}," for values in self.arguments)
        return SCRIPT.format(text=self.text, calls=calls)


SCRIPT = """\
import numpy as np
import autograph as ag
from copy import deepcopy
from numpy import array, inf, nan
from tests.conformance.managers import Manager, managed
from tests.conformance.things import Record, Thing, thing

{text}
if __name__ == "__main__":
    np.seterr(all="ignore")
    staged = ag.function(program)
    for arguments in (
{calls}
    ):
        for function in (program, staged):
            own = deepcopy(arguments)
            try:
                print("returns", function(*own))
            except Exception as error:
                print("raises", repr(error))
            print("arguments", own)
"""


def _literal(values: Values) -> str:
    return "(" + " ".join(f"{value!r}," for value in values) + ")"


RESULTS = ("i", "f", "ib", "fa", "im", "bfi", "fm", "m", "il", "ld", "suz", "lf")


def generate(choices: Choices) -> Program:
    """A program and its arguments, as `choices` has it."""
    helpers: list[Helper] = []
    texts = []
    for index in range(choices.below(4)):
        takes_array = choices.chance(40)
        yields = choices.chance(40) and choices.allows(Writer.yield_)
        results = choices.pick(("i", "f", "f" if yields else "if"))
        helper = Helper(f"h{index}", takes_array, results, yields)
        parameters = ("x0", "y0", "p0")[: 3 if takes_array else 2]
        writer = Writer(choices, parameters, results, tuple(helpers), yields=yields)
        texts.append(writer.write(helper.name, budget=1 + choices.below(6)))
        helpers.append(helper)
    results = choices.pick(RESULTS)
    writer = Writer(choices, PARAMETERS, results, tuple(helpers), observes=True)
    texts.append(writer.write("program", budget=3 + choices.below(18)))
    constant = choices.below(5)
    sets = _arguments(choices, constant), _arguments(choices, constant)
    return Program("\n\n".join(texts), sets)


# What `basic` leaves out: statements, and what templates have in them.
_FURTHER = frozenset(
    {
        *(attempts.try_, attempts.risky, attempts.raise_),
        *(blocks.match_, blocks.with_, blocks.walrus, Writer.yield_),
        *(statement for statement, _ in holders.STATEMENTS),
    }
)
_FURTHER_WORDS = (" for ", "lambda", "{Gi}", "{Gf}")
_HELD = ("{Ll}", "{Dd}", "{Oo}", "{Ss}", "{Uu}", "{Zz}")


def basic(option: object) -> bool:
    """True for if, while, for and their exits, stores, helpers, print and assert alone.

    No try, match, with, `:=`, generators or comprehensions, which take longer to trace.
    """
    text = repr(option)
    return option not in _FURTHER and not any(
        word in text for word in _FURTHER_WORDS + _HELD
    )


def _arguments(choices: Choices, constant: int) -> Values:
    def floats(count: int) -> list[float]:
        options = (0.0, 1.0, -1.0, 0.5, 3.25, -2.5, 7.0, 0.1)
        return [choices.pick(options) for _ in range(count)]

    return (
        np.int64(choices.below(12) - 3),
        np.float64(floats(1)[0]),
        np.bool_(choices.chance(50)),
        np.array(floats(3)),
        np.array([choices.below(12) - 3 for _ in range(4)]),
        np.array(floats(6)).reshape(2, 3),
        constant,
    )
