"""Decorated functions from notebooks, doctests, prompts, and without a source."""

import code
import doctest
import linecache
import subprocess
import sys
import textwrap
import warnings
from typing import Any

import numpy as np
import pytest

import autograph as ag
from tests.autograph.decorated import load, positive
from tests.autograph.process import ROOT

two = np.float64(2)


CELL = """\
import autograph as ag, numpy as np

@ag.function
def f(x):
    if x < 0:
        x = -x
    return x

g = ag.function(lambda x: -x if x < 0 else x)
"""


def test_notebook_cells() -> None:
    from IPython.core.interactiveshell import InteractiveShell

    shell = InteractiveShell.instance()
    try:
        for cell in (CELL, "%time h = 1\n" + CELL, "%%capture out\n" + CELL):
            assert shell.run_cell(cell).success
            positive(shell.user_ns["f"])
            positive(shell.user_ns["g"])
    finally:
        InteractiveShell.clear_instance()


def test_doctests() -> None:
    text = """
    >>> import autograph as ag, numpy as np
    >>> @ag.function
    ... def f(x):
    ...     if x < 0:
    ...         return -x
    ...     return x
    >>> float(f(np.float64(-3)))
    3.0
    >>> float(ag.function(lambda x: -x if x < 0 else x)(np.float64(-4)))
    4.0
    """
    test = doctest.DocTestParser().get_doctest(text, {}, "sample", None, 0)
    results = doctest.DocTestRunner().run(test)
    assert (results.failed, results.attempted) == (0, 4)


PROMPT = """\
import autograph as ag, numpy as np
@ag.function
def f(x):
    if x < 0:
        return -x
    return x

print("got", f(np.float64(-3)))
@ag.function
def g(x):
    return np.sin(x) * 0

print("got", g(np.float64(-3)))
"""


def at_the_prompt(*arguments: str) -> str:
    """What Python prints for PROMPT typed at its prompt."""
    done = subprocess.run(
        [sys.executable, *arguments],
        input=PROMPT,
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=60,
    )
    return done.stdout + done.stderr


def test_the_plain_prompt() -> None:
    text = at_the_prompt("-i", "-q")
    assert "got -0.0" in text, "without control flow on tensors it needs no source"
    assert "got 3.0" in text
    says_why = "`f` could not be converted: the source of `f` is not available" in text
    assert says_why == (sys.version_info < (3, 13))


def test_the_consoles_of_the_code_module() -> None:
    console = code.InteractiveConsole(filename="<console>")
    for line in PROMPT.splitlines():
        if not line.startswith("print"):
            console.push(line)
    assert console.locals["g"](two) == 0.0
    with pytest.warns(RuntimeWarning, match="`f` could not be converted: "):
        assert console.locals["f"](-two) == 2.0


WITHOUT_SOURCE = """\
def straight(x):
    return np.sin(x) * 0 + 1

def looping(x):
    for _ in range(3):
        x = x + 1
    return x

def branching(x):
    if x < 0:
        return -x
    return x
"""


@pytest.fixture
def sourceless() -> dict[str, Any]:
    names: dict[str, Any] = {"np": np}
    exec(WITHOUT_SOURCE, names)
    return names


def test_without_source_what_needs_none_runs(sourceless) -> None:
    assert ag.function(sourceless["straight"])(two) == 1.0
    assert ag.function(sourceless["looping"])(two) == 5.0
    assert ag.convert(sourceless["branching"])(-2) == 2


REASON = (
    "the source of `branching` is not available (it was made by exec or typed into a "
    "Python without source memory); put it in a file"
)


def test_without_source_a_branch_on_a_tensor_is_pythons_and_says_why(sourceless):
    branching = sourceless["branching"]

    @ag.function
    def caller(x):
        return branching(x)

    why = f"`branching` could not be converted: {REASON}"
    functions = (ag.function(branching), caller)
    with pytest.warns(RuntimeWarning) as warned:
        assert [f(x) for f in functions for x in (two, -two, np.ones(1))] == [
            2,
            2,
            1,
        ] * 2
    texts = [str(one.message) for one in warned]
    assert texts == [f"calls that reach this are run as Python: {why}"]
    for function in functions:
        with pytest.raises(TypeError, match="the truth value of this tensor") as caught:
            function.get_concrete_function(two)
        assert caught.value.__notes__[-1] == f"  {why}"


def test_without_source_other_refusals_name_no_source(sourceless) -> None:
    marked = ag.do_not_convert(lambda x: x if x > 0 else -x)
    names: dict[str, Any] = {"marked": marked}
    # A method that Python calls by itself may do anything.
    exec("def __part__(x): return marked(x)", names)
    calls = ag.function(names["__part__"])
    with pytest.raises(TypeError, match="the truth value") as caught:
        calls.get_concrete_function(two)
    assert not any("source of" in note for note in caught.value.__notes__)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert calls(-two) == 2


def test_to_code_needs_the_source(sourceless) -> None:
    with pytest.raises(ag.SourceNotFoundError) as caught:
        ag.to_code(sourceless["branching"])
    assert str(caught.value) == REASON


def test_a_file_that_has_changed_is_not_taken_for_the_source(tmp_path) -> None:
    path = tmp_path / "program.py"
    f = load(path, "def f(x):\n    if x < 0:\n        return -x\n    return x\n")["f"]
    path.write_text(textwrap.dedent("# another line\n\nclass F: pass\n"))
    linecache.cache.pop(str(path), None)
    with pytest.warns(RuntimeWarning) as warned:
        assert ag.function(f)(-two) == 2
    assert str(warned[0].message) == (
        "calls that reach this are run as Python: `f` could not be converted: the "
        f"source of `f` in {path} is not what it was made of: the file has changed "
        "since; load it again"
    )


ACTING = """\
import random

count, found, box = 0, [], {"at": 0}

def draws(x):
    return np.random.uniform(x, 10.0), random.random()

def prints(x):
    print("got", x)
    return x

def counts(x):
    global count
    count += 1
    return count

def collects(x):
    found.append(x)
    found.sort()
    return len(found)

def stores(x):
    box["at"] += 1
    return box["at"]

def reads(x):
    return x + count

def calls(x):
    return prints(x) + 1

def called(x):
    return x * 2
"""


@pytest.mark.parametrize(
    "name", ["draws", "prints", "counts", "collects", "stores", "reads", "calls"]
)
def test_without_source_what_acts_is_done_by_each_run(name, capsys) -> None:
    outcomes = []
    for decorate in (ag.function, lambda function: function):
        names: dict[str, Any] = {"np": np}
        exec(ACTING, names)
        run = decorate(names[name])
        np.random.seed(3)
        names["random"].seed(3)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            made = []
            for k in range(3):
                made.append(run(2.0))
                names["count"] += k
        outcomes.append((made, capsys.readouterr().out))
    assert outcomes[0] == outcomes[1]


def test_without_source_a_function_that_is_passed_may_act() -> None:
    names: dict[str, Any] = {}
    exec("def applied(f, x): return f(x)", names)
    found: list[float] = []
    applied = ag.function(lambda x: names["applied"](found.append, x))
    with pytest.warns(RuntimeWarning, match="`applied` could not be converted"):
        applied(1.0)
    applied(1.0)
    assert found == [1.0, 1.0]


def test_without_source_the_reason_is_said() -> None:
    names: dict[str, Any] = {"np": np}
    exec(ACTING, names)
    acting = ag.function(names["prints"])
    with pytest.raises(NotImplementedError) as caught:
        acting.get_concrete_function(two)
    assert type(caught.value) is NotImplementedError
    assert str(caught.value) == (
        "`prints` may do more than compute, which its source would say"
    )
    assert caught.value.__notes__[-1].startswith("  `prints` could not be converted: ")
