"""Having: what a first call asks of machine code, without loading what makes it."""

import subprocess
import sys

import pytest

from runtime.backends.llvm import filled, having, library, lists
from runtime.backends.llvm.dots import DOTS
from runtime.backends.llvm.functions import OTHERS
from runtime.backends.llvm.joins import JOINS
from runtime.backends.llvm.library import ARRAYS, NUMBERS, OPS, ROWS, load
from runtime.backends.llvm.lowering import CALLED, LOWER, OF_ARRAYS, OF_LISTS
from runtime.backends.llvm.positions import WORDS
from runtime.backends.llvm.products import MATMUL
from runtime.backends.llvm.reduced import UFUNCS
from runtime.backends.llvm.whiles import inner_loop

FIRST = """
import sys
import numpy as np
import autograph as ag

@ag.function
def halve(x, limit):
    steps = 0
    while np.sum(x) > limit:
        x = np.where(x > 0, x * 0.5, x + 1)
        steps += 1
    return steps, np.sqrt(x * x + 1) - np.exp(x) * 2

assert halve(np.array([6.0, 2.0]), np.float64(1.5))[0] == 3
made = sorted(m for m in sys.modules if m.startswith("runtime.backends.llvm."))
print(*[name.removeprefix("runtime.backends.llvm.") for name in made])
"""


def test_the_words_are_those_of_the_tables():
    assert filled.FILLED
    assert inner_loop is LOWER["while"]
    assert set(LOWER) - {CALLED, OTHERS} == having.OF_NUMBERS
    assert set(OF_ARRAYS) - {OTHERS} == having.OF_ARRAYS
    assert set(OF_LISTS) == having.OF_LISTS
    over = {*UFUNCS, *WORDS, MATMUL, *DOTS, *JOINS, "sort", "argsort"}
    later = [*NUMBERS.items(), *ARRAYS.items()]
    # What these compute takes as long as other operations of elements do.
    like_others = {"casts", "composed", "counted", "laid"}
    for module, words in later:
        over |= set() if module in like_others else {*words.split()}
    over |= {having.HOST_CALL}
    load()
    assert set(ROWS) == having.LIBRARY
    assert over == having.OVER_ARRAYS
    assert {*lists.ASKS, "list_locate"} == {*having.SOUGHT}
    assert having.ONE_ITEM < having.OF_LISTS


ALONE = """
import sys
from runtime.backends.llvm import filled, library

assert not any(name in sys.modules for name in library.MODULES.values())
word, module = sys.argv[1:]
library.import_module(library.MODULES[word])
assert word in library.OPS
assert library.MODULES[word].endswith("." + module)
"""


@pytest.mark.parametrize("table", [NUMBERS, ARRAYS], ids=["numbers", "arrays"])
def test_a_module_that_is_loaded_later_has_the_rows_of_its_ops(table):
    for module, words in table.items():
        word = words.split()[-1]
        command = [sys.executable, "-c", ALONE, word, module]
        done = subprocess.run(command, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
    for module, words in table.items():
        library.import_module(library.MODULES[words.split()[0]])
        assert {*words.split()} <= {*OPS}


def test_a_first_call_loads_nothing_that_makes_machine_code(tmp_path):
    program = tmp_path / "first.py"
    program.write_text(FIRST)
    command = [sys.executable, str(program)]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    known = "either having hot meeting regions span switch values walking"
    assert done.stdout.split() == known.split()
