"""From function objects to their trees, wherever the functions were written."""

import doctest
import functools
import importlib.util
import linecache
import subprocess
import sys
import textwrap
import types
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import gast
import pytest

from autograph.errors import SourceNotFoundError
from autograph.syntax import (
    functions_in,
    parse_file,
    parse_function,
)
from autograph.syntax.unparse import unparse

Load = Callable[[str], types.ModuleType]


@pytest.fixture
def load(tmp_path: Path) -> Iterator[Load]:
    """Puts text into a file and imports it."""

    def from_text(text: str) -> types.ModuleType:
        path = tmp_path / "program.py"
        path.write_text(textwrap.dedent(text), encoding="utf-8")
        spec = importlib.util.spec_from_file_location("program", path)
        assert spec is not None
        assert spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        return module

    yield from_text
    # Not all of it: what is in no file cannot be read again.
    linecache.cache.pop(str(tmp_path / "program.py"), None)


def text_of(function: Any) -> str:
    return unparse(parse_function(function).node)


def decorated(*arguments: Any) -> Callable[[Any], Any]:
    return lambda function: function


@decorated(
    lambda x: 0,
)
@decorated()
def several_decorators(x):
    return x


class Outer:
    class Inner:
        if True:

            def method(self):
                return """First.
            Odd indentation.
                """


def test_decorators_are_left_out() -> None:
    assert text_of(several_decorators) == "def several_decorators(x):\n    return x"


def test_lines_and_columns_are_those_of_the_file() -> None:
    parsed = parse_function(Outer.Inner.method)
    assert parsed.filename == __file__
    assert parsed.source_line(parsed.node.lineno) == "            def method(self):"
    assert parsed.node.col_offset == 12
    assert parsed.source_line(0) == parsed.source_line(10**6) == ""


def test_strings_in_indented_code_are_not_dedented() -> None:
    (result,) = parse_function(Outer.Inner.method).node.body
    assert result.value.value == Outer.Inner().method()


def test_a_bound_method_is_parsed_as_its_function() -> None:
    assert text_of(Outer.Inner().method) == text_of(Outer.Inner.method)


def test_the_class_around_is_known() -> None:
    assert parse_function(Outer.Inner.method).class_name == "Inner"
    assert parse_function(several_decorators).class_name is None


def test_each_call_gives_a_fresh_tree() -> None:
    parse_function(several_decorators).node.body.clear()
    assert "return x" in text_of(several_decorators)


def test_lambdas_on_one_line_are_told_apart() -> None:
    # fmt: off
    fs = (lambda x: x + 1), (lambda x: x + 2), (lambda x: (lambda: x)), lambda x: (x)
    # fmt: on
    found = [text_of(f) for f in (*fs, fs[2](0))]
    assert found == [
        "lambda x: x + 1",
        "lambda x: x + 2",
        "lambda x: lambda: x",
        "lambda x: x",
        "lambda: x",
    ]


def test_lambdas_are_told_apart_without_columns(tmp_path: Path) -> None:
    path = tmp_path / "program.py"
    path.write_text(
        "from autograph.syntax import parse_function\n"
        "from autograph.syntax.unparse import unparse\n"
        "k = 0\n"
        "fs = (lambda x: x + 1), (lambda x: x + 2), (lambda x: lambda: x), lambda: k\n"
        "print([unparse(parse_function(f).node) for f in (*fs, fs[2](0))])\n"
    )
    assert run_python("-X", "no_debug_ranges", str(path)) == (
        "['lambda x: x + 1', 'lambda x: x + 2', 'lambda x: lambda: x', 'lambda: k', "
        "'lambda: x']"
    )


def test_a_lambda_over_several_lines_is_found(load: Load) -> None:
    module = load("f = [\n    lambda x: (x +\n              1), lambda y: y]\n")
    assert [text_of(f) for f in module.f] == ["lambda x: x + 1", "lambda y: y"]


def test_functions_of_one_name_are_told_apart_by_line(load: Load) -> None:
    module = load("""\
        def make(kind):
            if kind:
                def f(): return 1
            else:
                def f(): return 2
            return f
        """)
    assert "return 1" in text_of(module.make(True))
    assert "return 2" in text_of(module.make(False))


@pytest.mark.parametrize(
    "text",
    [
        "async def f(x):\n    return [y async for y in x]",
        "def f(a, /, b=1, *args, c, d=2, **more):\n    yield a",
        "def f(x):\n    match x:\n        case [1, *_]:\n            return x",
        "def f(é, 变量):\n    return é + 变量  # ünïcode",
    ],
)
def test_every_kind_of_function_is_found(load: Load, text: str) -> None:
    assert text_of(load(text).f) == unparse(gast.parse(text))


@pytest.mark.skipif(sys.version_info < (3, 12), reason="type parameters are of 3.12")
def test_a_function_with_type_parameters_is_found(load: Load) -> None:
    text = "def f[T](x: T) -> T:\n    return x"
    assert text_of(load(text).f) == text


def test_a_wrapper_is_parsed_as_itself(load: Load) -> None:
    @functools.wraps(several_decorators)
    def wrapper(*args):
        return several_decorators(*args)

    assert "def wrapper" in text_of(wrapper)


PRIVATE = """\
class _C:
    def __init__(self, __p):
        self.__x = [__p for __p in __p]

    def __m(self):
        import os.path as __os, __future__
        def __inner(__q=1): return __q
        class __D:
            def n(self): return self.__x
        self.__m2(__k=1).__dunder__
        return __inner, __os
"""


def test_private_names_are_written_out_as_python_does(load: Load) -> None:
    module = load(PRIVATE)
    assert text_of(module._C.__init__) == (
        "def __init__(self, _C__p):\n    self._C__x = [_C__p for _C__p in _C__p]"
    )
    code = module._C._C__m.__code__
    compiled = compile(unparse(gast.Module([parse_function(module._C._C__m).node], [])),
                       "", "exec").co_consts[0]  # fmt: skip
    assert set(compiled.co_names) == set(code.co_names)
    assert set(compiled.co_varnames) == set(code.co_varnames)
    assert "self.__x" in text_of(module._C._C__m)  # of the inner class


def test_a_file_is_parsed_once(load: Load, monkeypatch: pytest.MonkeyPatch) -> None:
    functions = "".join(f"def f{i}(x):\n    return x + {i}\n" for i in range(50))
    module = load(functions)
    text_of(module.f0)
    monkeypatch.setattr("autograph.syntax.parse._parsed", None)
    assert text_of(module.f49) == "def f49(x):\n    return x + 49"


def test_a_reloaded_file_is_parsed_again(load: Load) -> None:
    assert "return 1" in text_of(load("def f():\n    return 1").f)
    assert "return 22" in text_of(load("def f():\n    return 22").f)


def test_a_file_that_has_changed_is_refused(load: Load, tmp_path: Path) -> None:
    function = load("x = 1\ndef f(a):\n    return a").f
    path = tmp_path / "program.py"
    path.write_text("def g():\n    return 'something else'\n")
    with pytest.raises(SourceNotFoundError) as caught:
        parse_function(function)
    assert str(caught.value) == (
        f"the source of `f` in {path} is not what it was made of: the file has changed "
        "since; load it again"
    )


def test_a_function_made_by_exec_has_no_source() -> None:
    names: dict[str, Any] = {}
    exec("def f(): pass", names)
    with pytest.raises(SourceNotFoundError) as caught:
        parse_function(names["f"])
    assert str(caught.value) == (
        "the source of `f` is not available (it was made by exec or typed into a "
        "Python without source memory); put it in a file"
    )


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("%time x\ndef f(x):\n    return x\n\n\ny = 1\n", "def f(x):\n    return x"),
        ("?\nif 1:\n    def f(x):\n        return x\n", "def f(x):\n    return x"),
        ("!ls\nf = (lambda x:\n    x), 1\n", "lambda x: x"),
    ],
)
def test_text_that_is_not_all_python_is_parsed_in_part(
    text: str, expected: str
) -> None:
    python = "\n".join("" if line[:1] in "%?!" else line for line in text.split("\n"))
    names: dict[str, Any] = {}
    exec(compile(python, "<cell>", "exec"), names)
    function = names["f"][0] if isinstance(names["f"], tuple) else names["f"]
    linecache.cache["<cell>"] = (len(text), None, text.splitlines(True), "<cell>")
    try:
        parsed = parse_function(function)
    finally:
        del linecache.cache["<cell>"]
    assert unparse(parsed.node) == expected
    assert "def f" in parsed.source_line(parsed.node.lineno) or "lambda" in expected


def test_an_escape_that_is_none_gives_no_second_warning(load: Load) -> None:
    with pytest.warns((SyntaxWarning, DeprecationWarning)):
        module = load(r"def f(): return '\d'")
    assert text_of(module.f) == "def f():\n    return '\\\\d'"


def test_a_function_in_a_doctest_is_found() -> None:
    text = """
    >>> from autograph.syntax import parse_function
    >>> from autograph.syntax.unparse import unparse
    >>> def f(x):
    ...     return x + 1
    >>> print(unparse(parse_function(f).node))
    def f(x):
        return x + 1
    """
    test = doctest.DocTestParser().get_doctest(text, {}, "example", None, None)
    runner = doctest.DocTestRunner()
    assert runner.run(test).failed == 0


def run_python(*arguments: str, text: str = "") -> str:
    command = [sys.executable, *arguments]
    root = Path(__file__).parents[3]
    done = subprocess.run(
        command, input=text, capture_output=True, text=True, cwd=root, timeout=60,
        env={"PYTHONPATH": str(root), "HOME": "/nonexistent", "PYTHON_BASIC_REPL": "1"},
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


SESSION = """\
def f(x):
    return x + 1

g = [lambda x: 1, lambda x: 2]
from autograph.syntax import parse_function
from autograph.syntax.unparse import unparse
print([unparse(parse_function(h).node) for h in (f, g[1])])
"""


@pytest.mark.skipif(
    sys.version_info < (3, 13), reason="no memory of source before 3.13"
)
def test_a_function_typed_at_the_prompt_is_found() -> None:
    expected = "['def f(x):\\n    return x + 1', 'lambda x: 2']"
    assert expected in run_python("-i", "-q", text=SESSION)


def test_a_function_in_a_notebook_cell_is_found(tmp_path: Path) -> None:
    program = (
        "from IPython.core.interactiveshell import InteractiveShell\n"
        f"InteractiveShell(ipython_dir={str(tmp_path)!r}).run_cell({SESSION!r})\n"
    )
    expected = "['def f(x):\\n    return x + 1', 'lambda x: 2']"
    assert expected in run_python("-c", program)


def test_functions_of_a_file_have_pythons_qualified_names(tmp_path: Path) -> None:
    path = tmp_path / "program.py"
    path.write_text(
        "def f():\n"
        "    def g(): pass\n"
        "    class D:\n"
        "        def m(self): return lambda: 1\n"
        "class C:\n"
        "    if True:\n"
        "        async def n(self):\n"
        "            def h(): pass\n"
    )
    found = [(name, owner) for name, _, owner in functions_in(parse_file(path))]
    assert found == [
        ("f", None),
        ("f.<locals>.g", None),
        ("f.<locals>.D.m", "D"),
        ("C.n", "C"),
        ("C.n.<locals>.h", "C"),
    ]


def test_a_file_that_is_no_python_is_refused_with_its_place(tmp_path: Path) -> None:
    path = tmp_path / "program.py"
    path.write_text("x = 1\nx = = 2\n")
    with pytest.raises(SyntaxError) as caught:
        parse_file(path)
    assert (caught.value.filename, caught.value.lineno) == (str(path), 2)
