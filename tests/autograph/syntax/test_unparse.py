"""Text from trees: it parses back to the same tree, and is written plainly."""

import ast
import os
import random
import sys
import sysconfig
import textwrap
import warnings
from collections.abc import Iterator
from pathlib import Path

import gast
import pytest

from autograph.syntax.unparse import unparse

LIBRARY = Path(sysconfig.get_path("stdlib"))
PARTS = 8  # so that the library can be read by several processes at once
# One file of so many is drawn, always the same; with WHOLE_LIBRARY=1 all are read.
OF = 1 if os.environ.get("WHOLE_LIBRARY") == "1" else 3

# Each line is written as it stands here.
PLAIN = [
    "a[1:2, ..., None]",
    "a[::2], a[1:], a[:, 0]",
    "a[()]",
    "a[1, *b]",
    "f(*args, k=1, **more)",
    "f((yield))",
    "f(x for x in y)",
    "f((x for x in y), 1)",
    "(a + b) * c ** -d",
    "(-a) ** b",
    "-a ** b",
    "a - (b - c)",
    "a ** b ** c",
    "(a ** b) ** c",
    "not (a and b) or c",
    "a < b <= (c < d)",
    "a, b = c",
    "(a if b else c) if d else e",
    "lambda x, /, y=1, *args, z, k=2, **more: (x, y)",
    "lambda: (yield)",
    "(lambda: 1)()",
    "(1).real + 1.0.real + 1j",
    "{*a, *b}, {**a, 'k': 1}, {}, (), (a,)",
    "[x async for x in y if x if z]",
    "{k: v for k, v in d.items()}",
    "(x := 1)",
    "u'old' + b'bytes'",
    "'\\udcff\\x00\\n' + \"it's\"",
    "f'{x!r:>{width}} {{}} {(a if b else c)}'",
    'f\'{a["k"]} {f("it")}\'',
]

STATEMENTS = """\
@decorated
def f(a: int, /, b: str = 'x', *args: T, c, d=None, **more) -> int:
    '''One "quoted" line.

    And \\\\ another.
    '''
    global g, h
    x: int = 3
    (y): int
    z.w: int
    a, *b = c = yield
    return *a, b

async def g():
    async with a as (b, c), d:
        pass
    async for x, y in z:
        await x
    with (a, b):
        pass
    with ((a, b)):
        pass

class C(A, metaclass=M):
    x = 1

    def m(self):
        pass

class D:
    pass

try:
    pass
except (A, B) as e:
    raise X from e
except C:
    raise
else:
    pass
finally:
    del a, b[0]

try:
    pass
except* A as e:
    pass

match a, *b:
    case -1 | 1 + 2j | 'x' | None:
        pass
    case [x, *_, (1 | 2) as y] if x > y:
        pass
    case {'k': v, 1: _, **rest}:
        pass
    case C.D(1, k=[]):
        pass
    case (x as y):
        pass

while x := f():
    if (a, b):
        continue
    elif c:
        break
    else:
        pass
else:
    pass

from .. import x as y, z
from .a.b import *
import a.b as c
assert (a, b), 'message'
x += yield a, b
for x in *a, b:
    pass
"""

NEWER = {
    (3, 12): [
        "def f[T: int, *Ts, **P](x: T) -> T: pass",
        "class C[T](A): pass",
        "type X[T] = list[T]",
        "f'{f'{f'{x}'}'}'",
        "f'{'\\n'.join(x)}'",
        "f'{x:{'a' 'b'}}'",
    ],
    (3, 13): ["def f[T = int, *Ts = *tuple[int], **P = [int]](): pass"],
}
NEWER_LINES = [
    line
    for version, lines in NEWER.items()
    if sys.version_info >= version
    for line in lines
]


def differing(first: object, second: object) -> tuple[object, object] | None:
    """The first place where two trees differ; positions are not looked at."""
    waiting = [(first, second)]
    while waiting:
        a, b = waiting.pop()
        if type(a) is not type(b):
            return a, b
        if isinstance(a, ast.AST):
            waiting += [(getattr(a, f, None), getattr(b, f, None)) for f in a._fields]
        elif isinstance(a, list):
            if len(a) != len(b):
                return a, b
            waiting += zip(a, b, strict=True)
        elif a != b:
            return a, b
    return None


def parsed(text: str | bytes) -> ast.Module:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # escapes that are no escapes, and the like
        return ast.parse(text)


def library(part: int) -> Iterator[tuple[Path, ast.Module]]:
    """Files of the standard library that Python itself can parse."""
    found = (p for p in LIBRARY.rglob("*.py") if "site-packages" not in p.parts)
    files = sorted(found)
    random.Random(OF).shuffle(files)
    for path in files[: len(files) // OF][part::PARTS]:
        try:
            yield path, parsed(path.read_bytes())
        except (SyntaxError, ValueError):
            continue


@pytest.mark.parametrize("part", range(PARTS))
def test_files_of_the_standard_library_come_back_as_they_were(part: int) -> None:
    read = 0
    for path, tree in library(part):
        read += 1
        assert differing(parsed(unparse(tree)), tree) is None, path
    assert read > 50 // OF


@pytest.mark.parametrize("text", PLAIN)
def test_an_expression_has_no_more_parentheses_than_it_needs(text: str) -> None:
    tree = ast.parse(text)
    written = unparse(tree)
    assert differing(ast.parse(written), tree) is None
    assert written == text


@pytest.mark.parametrize("parse", [ast.parse, gast.parse])
def test_every_kind_of_statement_comes_back_as_it_was(parse) -> None:
    written = unparse(parse(STATEMENTS))
    assert differing(ast.parse(written), ast.parse(STATEMENTS)) is None


@pytest.mark.parametrize("parse", [ast.parse, gast.parse])
@pytest.mark.parametrize("text", NEWER_LINES)
def test_newer_syntax_comes_back_as_it_was(parse, text: str) -> None:
    assert differing(ast.parse(unparse(parse(text))), ast.parse(text)) is None


@pytest.mark.parametrize("text", PLAIN)
def test_a_gast_tree_is_written_as_the_ast_tree_is(text: str) -> None:
    assert unparse(gast.parse(text)) == unparse(ast.parse(text))


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (float("inf"), "1e309"),
        (float("nan"), "(1e309 - 1e309)"),
        (complex(0, float("inf")), "1e309j"),
        (-1, "-1"),
        ("it's", '"it\'s"'),
    ],
)
def test_a_made_constant_is_written_so_that_it_evaluates_to_itself(value, text) -> None:
    assert unparse(ast.Constant(value, kind=None)) == text


def test_a_made_negative_number_is_one_operand() -> None:
    power = ast.BinOp(
        ast.Constant(-1, kind=None), ast.Pow(), ast.Constant(2, kind=None)
    )
    assert unparse(power) == "(-1) ** 2"


def test_definitions_are_set_apart_by_blank_lines() -> None:
    text = """\
    x = 1


    def f():
        y = 2

        def g():
            pass
        return g


    def h():
        pass


    x = f()"""
    text = textwrap.dedent(text)
    assert unparse(ast.parse(text)) == text


def test_a_docstring_keeps_its_lines() -> None:
    text = 'def f():\n    """One.\n\n    Two, with \\\\ and \\"\\"\\" inside.\n    """'
    assert unparse(ast.parse(text)) == text


def test_an_integer_with_thousands_of_digits_is_written() -> None:
    tree = ast.parse("x = " + hex(10**5000))
    assert differing(ast.parse(unparse(tree)), tree) is None


@pytest.mark.skipif(sys.version_info >= (3, 12), reason="quotes nest since Python 3.12")
def test_an_f_string_that_no_quotes_can_hold_is_refused() -> None:
    inner = ast.Constant("\\", kind=None)
    field = ast.FormattedValue(inner, -1, None)
    with pytest.raises(ValueError, match="an f-string has an expression"):
        unparse(ast.JoinedStr([field]))
