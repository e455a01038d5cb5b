"""Generator functions: the form that is run, and the one that is asked item by item."""

import gast
import pytest

from autograph.converters.generators import can_be_lazy, can_run
from autograph.converting import convert_tree
from autograph.forms import Form
from autograph.syntax.unparse import unparse


def tree(text):
    return gast.parse(text).body[0]


def code(text, form):
    made, _ = convert_tree(tree(text), form=form)
    return unparse(made).strip()


COUNT = "def count(n):\n    i = 0\n    while i < n:\n        yield i\n        i += 1"


def test_a_generator_that_is_run_calls_for_each_item():
    made = code(COUNT, Form.RUN)
    assert "def body(emit):" in made
    assert "ag__.after(emit(i), rest" in made
    assert made.endswith("return body")
    assert "yield" not in made


def test_a_generator_that_is_asked_keeps_its_loops():
    made = code(COUNT, Form.LAZY)
    assert "while ag__.decided(i < n):\n        yield i" in made


RUN_AND_LAZY = [
    ("yield x", True, True),
    ("y = yield x", True, True),
    ("return (yield from x)", True, True),
    ("f((yield x))", False, True),
    ("y = (yield x) and 1", False, False),
    ("try:\n  yield x\n finally:\n  f()", True, True),
    ("try:\n  f()\n finally:\n  yield x", False, True),
    ("try:\n  yield x\n except ValueError:\n  f()", False, False),
    ("with x:\n  yield x", False, True),
    ("for v in x:\n  if v:\n   yield v", True, True),
    ("while (yield x):\n  f()", False, True),
    ("match x:\n  case 1:\n   yield x", True, True),
    ("def g():\n  try:\n   yield x\n  except E:\n   f()\n yield g", True, True),
]


@pytest.mark.parametrize(("body", "runs", "asked"), RUN_AND_LAZY)
def test_a_yield_has_the_forms_in_which_it_means_the_same(body, runs, asked):
    node = tree(f"def f(x):\n {body}")
    assert (can_run(node), can_be_lazy(node)) == (runs, asked)
