"""Converted code that one process has kept is found by the next, and for no other."""

import ast
import importlib.util
import traceback
from pathlib import Path

import numpy as np
import pytest

import autograph as ag
from autograph import conversion, kept_code
from autograph.forms import NOTHING, Form, Outer
from tests.autograph.process import ROOT, run

PROGRAM = """\
def collatz(n):
    steps = 0
    while n != 1:
        n = n // 2 if n % 2 == 0 else 3 * n + 1
        steps += 1
    return steps


def failing(x):
    for one in x:
        if one > 1.0:
            raise ValueError("too large")
    return x


def pairs(x):
    for one in x:
        yield one, -one


def asked(x):
    return max(x for x, _ in pairs(x))


def either(x):
    try:
        yield x
    except ValueError:
        yield -x
"""


@pytest.fixture
def folder(tmp_path):
    with ag.config(cache_dir=tmp_path / "kept"):
        yield tmp_path / "kept"


def load(path, text=PROGRAM):
    path.write_text(text)
    spec = importlib.util.spec_from_file_location("kept_program", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def program(tmp_path):
    return load(tmp_path / "program.py")


def files(folder):
    return sorted((folder / kept_code.FOLDER).glob("*"))


def forget():
    conversion._converted.clear()


@pytest.fixture
def converted(monkeypatch):
    """The names of the functions that are converted, not found."""
    names = []

    def convert_code(function, outer, form):
        names.append(function.__name__)
        return own(function, outer, form)

    own = conversion.convert_code
    monkeypatch.setattr(conversion, "convert_code", convert_code)
    return names


def test_what_was_kept_is_not_converted_again(folder, program, converted):
    for _ in range(3):
        forget()
        assert ag.function(program.collatz)(np.int64(27)) == 111
        assert ag.function(program.asked)(np.array([1.0, 3.0])) == 3.0
    # A generator has two forms.
    assert converted == ["collatz", "asked", "pairs", "pairs"]


def test_that_there_is_no_such_form_is_kept_too(folder, program, converted):
    for _ in range(2):
        forget()
        assert conversion.converted_generator(program.either, Form.LAZY) is None
    assert converted == ["either"]
    assert len(files(folder)) == 1


def test_a_process_that_finds_all_loads_nothing_that_converts(tmp_path, folder):
    (tmp_path / "program.py").write_text(PROGRAM)
    script = (
        "import sys, numpy as np, autograph as ag, program\n"
        "from runtime.waiting import has_run\n"
        f"with ag.config(cache_dir={str(folder)!r}):\n"
        "    print(ag.function(program.collatz)(np.int64(27)))\n"
        "print('gast' in sys.modules, has_run('autograph.converting'))\n"
        "print(ag.to_code(program.collatz))\n"
    )
    first, second = (run(tmp_path, "-c", script) for _ in range(2))
    told = first.stdout.splitlines()
    assert told[:2] == ["111", "True True"], first.stderr
    assert second.stdout.splitlines() == ["111", "False False", *told[2:]]
    assert "ag__.while_stmt" in second.stdout


def test_code_that_was_kept_is_of_the_file_in_which_the_function_is(
    folder, tmp_path, program, converted
):
    forget()
    (tmp_path / "moved").mkdir()
    moved = load(tmp_path / "moved" / "elsewhere.py")
    places = []
    for one in (program, moved):
        with pytest.raises(ValueError, match="too large") as caught:
            ag.function(one.failing)(np.array([0.5, 2.0]))
        last = traceback.extract_tb(caught.value.__traceback__)[-1]
        places.append((Path(last.filename).name, last.lineno, last.line))
    line = 'raise ValueError("too large")'
    assert places == [("program.py", 12, line), ("elsewhere.py", 12, line)]
    assert converted == ["failing"]


def test_what_its_file_says_by_now_is_not_asked(folder, tmp_path, program, converted):
    forget()
    assert ag.function(program.collatz)(np.int64(6)) == 8
    forget()
    (tmp_path / "program.py").write_text("nothing = None\n")
    assert ag.function(program.collatz)(np.int64(7)) == 16
    assert converted == ["collatz"]
    with pytest.raises(ag.SourceNotFoundError, match="the file has changed since"):
        ag.to_code(program.collatz)


def test_what_another_text_says_by_now_is_not_kept(folder, tmp_path, program):
    forget()
    path = tmp_path / "program.py"
    # On the same lines, with the same parameters: nobody sees that it has changed.
    path.write_text(PROGRAM.replace("3 * n", "5 * n").replace("yield -x", "yield +x"))
    assert ag.function(program.collatz)(np.int64(4)) == 2
    assert conversion.converted_generator(program.either, Form.LAZY) is None
    assert files(folder) == []
    forget()
    assert ag.function(load(path).collatz)(np.int64(27)) == 111
    assert len(files(folder)) == 1


def test_what_python_compiles_by_what_is_imported_is_recognized(folder, tmp_path):
    # A method of what the module has imported is called in another way.
    text = "try:\n    import math\nexcept ImportError:\n    import cmath as math\n"
    text += "def f(x):\n    return [math.sqrt(one) for one in x]\n"
    assert ag.function(load(tmp_path / "one.py", text).f)([4.0]) == [2.0]
    assert len(files(folder)) == 1


def test_a_library_without_a_file_of_its_own_lets_nothing_be_kept(
    folder, program, monkeypatch
):
    for at in ("/nowhere/gast.zip/gast/__init__.py", None):
        forget()
        kept_code._surroundings.cache_clear()
        spec = importlib.util.spec_from_loader("gast", None, origin=at)
        monkeypatch.setattr(kept_code, "find_spec", lambda _, spec=spec: spec)
        assert ag.function(program.collatz)(np.int64(27)) == 111
    kept_code._surroundings.cache_clear()
    assert files(folder) == []


def test_what_is_damaged_is_converted_again(folder, program, converted):
    for damage in (b"", b"\0" * 99, None):
        forget()
        assert ag.function(program.collatz)(np.int64(27)) == 111
        (kept,) = files(folder)
        if damage is not None:
            kept.write_bytes(damage)
    assert converted == ["collatz"] * 3
    forget()
    assert ag.function(program.collatz)(np.int64(27)) == 111
    assert len(converted) == 3


def test_without_a_folder_nothing_is_kept(tmp_path, program, monkeypatch):
    monkeypatch.chdir(tmp_path)
    forget()
    assert ag.function(program.collatz)(np.int64(27)) == 111
    assert [one.name for one in tmp_path.iterdir() if one.is_dir()] == []


def test_what_is_refused_is_refused_again(folder, tmp_path):
    program = load(
        tmp_path / "refused.py", "def f(x):\n    ag__ = x\n    return ag__\n"
    )
    for _ in range(2):
        forget()
        with pytest.raises(NotImplementedError, match="the name `ag__` cannot"):
            ag.to_code(program.f)
    assert files(folder) == []


BASE = "def f(x):\n    return [x * 1, 'a', x in {1, 2}, lambda y: y + 0.0]\n"
OTHERS = (
    BASE.replace("* 1,", "* True,"),
    BASE.replace("* 1,", "* 1.0,"),
    BASE.replace("0.0", "-0.0"),
    BASE.replace("0.0", "0"),
    BASE.replace("{1, 2}", "{1, 3}"),
    BASE.replace("{1, 2}", "(1, 2)"),
    BASE.replace("'a'", "'b'"),
    BASE.replace("'a'", "b'a'"),
    BASE.replace("x", "z"),
    BASE.replace("y + 0", "y - 0"),
    BASE.replace("lambda y: y", "lambda z: z"),
    BASE.replace("f(x)", "f(*x)"),
    BASE.replace("f(x)", "f(x, /)"),
    BASE.replace("f(x)", "f(*, x)"),
    BASE.replace("f(x)", "g(x)"),
    BASE.replace("return [", "return  ["),
    "\n" + BASE,
    "from __future__ import annotations\n" + BASE,
    BASE.replace("* 1,", "* k,"),
    "class A:\n" + "".join(f" {line}\n" for line in BASE.splitlines()),
)


def function_of(text, name="<text>"):
    scope = {}
    exec(compile(text, name, "exec", dont_inherit=True), scope)
    scope.update(vars(scope["A"]) if "A" in scope else {})
    return scope.get("f") or scope["g"]


def key(function, outer=NOTHING, form=Form.FUNCTION):
    return kept_code.key_of(function.__code__, outer, form)


def test_the_key_is_that_of_the_same_code_alone(folder):
    assert key(function_of(BASE)) == key(function_of(BASE, "another file"))
    keys = [key(function_of(text)) for text in (BASE, *OTHERS)]
    assert all(keys)
    assert len(set(keys)) == 1 + len(OTHERS)


def test_the_key_is_that_of_the_same_surroundings_and_form_alone(folder):
    f, nothing, x = function_of(BASE), frozenset(), frozenset("x")
    outers = (
        NOTHING,
        Outer(x, nothing),
        Outer(nothing, x),
        Outer(nothing, nothing, True),
        Outer(nothing, nothing, False, x),
        Outer(nothing, nothing, False, frozenset("xy")),
    )
    keys = [key(f, outer) for outer in outers] + [key(f, form=form) for form in Form]
    assert len(set(keys)) == len(outers) + len(Form) - 1


def test_the_key_is_the_same_in_each_process(tmp_path, folder):
    text = "def f(x):\n    return x in {'one', 'two', 'three', (4, 'five'), -0.0}\n"
    (tmp_path / "program.py").write_text(text)
    script = (
        "import autograph as ag, program\n"
        "from autograph import kept_code\n"
        "from autograph.forms import NOTHING, Form\n"
        f"with ag.config(cache_dir={str(folder)!r}):\n"
        "    print(kept_code.key_of(program.f.__code__, NOTHING, Form.FUNCTION))\n"
    )
    # The first makes the bytecode that the second reads.
    found = {
        run(tmp_path, "-c", f"# {seed}\n{script}", hash_seed=seed).stdout
        for seed in ("1", "2", "3")
    }
    assert len(found) == 1
    assert found != {""}


def test_what_converts_goes_by_nothing_but_the_sources_that_the_key_has():
    beside = {"autograph.errors", "runtime.hushed", "runtime.structs"}
    wrong = set()
    for folder in ("analysis", "converters", "syntax"):
        assert folder in kept_code._SOURCES
        for path in (ROOT / "autograph" / folder).glob("*.py"):
            for node in ast.walk(ast.parse(path.read_text())):
                module = node.module if isinstance(node, ast.ImportFrom) else ""
                package, _, rest = (module or "").partition(".")
                if package not in ("autograph", "runtime", "tracer"):
                    continue
                own = rest.partition(".")[0] in kept_code._SOURCES
                if module not in beside and not (package == "autograph" and own):
                    wrong.add((path.name, module))
    assert not wrong
