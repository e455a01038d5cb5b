"""Programs, one for each builtin function and each function of the standard library.

A row is a family, the construct as a table of the documents names it, and its text: an
expression, or the lines of a function. The letters in it are arguments: x, y are
np.float64, i, j np.int64, b np.bool_, c np.complex128, a a 1-d float array, k a 1-d int
array; r, n, p, z are the Python float, int, bool and complex of x, i, b and c.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any

import numpy as np

Arguments = dict[str, Any]


def _arguments(
    x: float, y: float, i: int, j: int, b: bool, c: complex, a: Any, k: Any
) -> Arguments:
    return {
        "x": np.float64(x),
        "y": np.float64(y),
        "i": np.int64(i),
        "j": np.int64(j),
        "b": np.bool_(b),
        "c": np.complex128(c),
        "a": np.array(a, float),
        "k": np.array(k, int),
    }


# What every program is run on: common values, signs and zeros, what is not finite.
USUAL = (
    _arguments(2.5, -1.5, 3, 2, True, 1 + 2j, [1.5, -2.0, 3.0], [3, 1, 2]),
    _arguments(-0.75, 4.0, -5, 7, False, -2 - 0.5j, [0.0, 2.5, -1.0], [0, 2, 0]),
    _arguments(0.25, 0.5, 1, 4, True, 0.5j, [0.5, 0.5, 0.25], [1, 1, 1]),
    _arguments(0.0, -0.0, 0, 0, False, 0, [0.0, -0.0, 0.0], [0, 0, 0]),
    _arguments(
        np.nan, np.inf, 40, 3, True, complex(np.inf, 1), [np.nan, 1, 0], [5] * 3
    ),
    _arguments(
        1e300, 800.0, 12, 62, False, 1e200 + 1e200j, [7.0, 7.5, 1e30], [9, 8, 7]
    ),
)
_PYTHON = {"r": ("x", "float"), "n": ("i", "int"), "p": ("b", "bool")}
_PYTHON["z"] = ("c", "complex")


@dataclass(frozen=True)
class Row:
    """A program: its family, the construct's name, its text."""

    family: str
    name: str
    text: str
    arguments: list[str] = field(default_factory=list)

    def program(self) -> str:
        """The text of a function `program`."""
        found = set(re.findall(r"[A-Za-z_]\w*", self.text))
        made = [name for name in _PYTHON if name in found]
        taken = sorted((found & set(USUAL[0])) | {_PYTHON[name][0] for name in made})
        self.arguments[:] = taken
        lines = [f"{name} = {_PYTHON[name][1]}({_PYTHON[name][0]})" for name in made]
        whole = "\n" in self.text or self.text.startswith(("return", "raise", "assert"))
        lines += self.text.splitlines() if whole else [f"return {self.text}"]
        body = "".join(f"    {line}\n" for line in lines)
        return f"def program({', '.join(taken)}):\n{body}"


ROWS: list[Row] = []


def rows(family: str, *texts: str) -> None:
    """Enter expressions that are their own names."""
    for text in texts:
        ROWS.append(Row(family, text.splitlines()[0], text))


def programs(family: str, **texts: str) -> None:
    """Enter programs of several lines."""
    for name, text in texts.items():
        ROWS.append(Row(family, name, text.strip("\n")))


HEADER = """\
import cmath, collections, copy, decimal, fractions, functools, itertools, math
import operator, random, statistics, sys, time, datetime, uuid, os
from collections import Counter, OrderedDict, defaultdict, deque, namedtuple
import numpy as np

Point = namedtuple("Point", "u v")
LOG = []


class Thing:
    def __init__(self, value=1.0):
        self.value = value

    def scaled(self, by):
        return self.value * by


@functools.lru_cache
def squared(v):
    return v * v


@functools.singledispatch
def kind(v):
    return "other"


@kind.register
def _(v: float):
    return "float"


@kind.register
def _(v: int):
    return "int"


@kind.register
def _(v: np.ndarray):
    return "array"


def doubled(function):
    @functools.wraps(function)
    def inner(*args):
        return 2 * function(*args)

    return inner


@doubled
def positive(v):
    if v > 0:
        return v
    return -v


"""

# --- operators with values ------------------------------------------------------------
rows(
    "boolean operators",
    "x or y",
    "x and y",
    "r or y",
    "x or 3",
    "n or 2.5",
    "x and i",
    "b and x",
    "p or x",
    "not x",
    "not n",
    "x and y and i",
    "x or y or n",
    "(x > 0) and (y > 0)",
    "x > 0 or y / 0.0 > 1",
    "n and 1 // n",
    "not (x or y)",
    "a.any() and a[0]",
    "bool(x) or n",
)
rows(
    "comparison chains",
    "-1 < x < 3",
    "-1 < x <= y",
    "x < y < i < j",
    "0 < n < 4",
    "x == y == 0",
    "x != y != i",
    "-1 < r < x",
    "0 <= n < len(a)",
    "x < y and y < x or i == j",
    "x is x",
    "x is None",
    "x is not None",
    "x is not y",
    "n is None",
    "n == 3",
    "x == 'a'",
    "x != None",
)
rows(
    "membership",
    "x in a",
    "x not in a",
    "i in k",
    "i in [1, 3, 5]",
    "n in [1, 3, 5]",
    "i in (1, 3)",
    "i in {1, 3, 40}",
    "n in {1, 3, 40}",
    "i in {1: 'a', 3: 'b'}",
    "i in range(5)",
    "n in range(0, 50, 4)",
    "x in [x, y]",
    "x in (y, i)",
    "x in [0.25, y]",
    "2.5 in a",
    "3 in k",
    "3 in [i, j]",
    "'a' in ['a', 'b']",
    "x in range(3)",
    "x in [float('nan')]",
    "i not in {1, 3}",
    "x in []",
    "n in ()",
    "i in {1: 2}.values()",
    "i in {1: 2}.keys()",
    "i in range(n)",
    "5 in range(n)",
)
rows(
    "conditional expressions",
    "x if x > 0 else y",
    "1 if x > 0 else 0",
    "n if p else -n",
    "(x, 1) if b else (y, 2)",
    "[x] if b else [y]",
    "a[0] if i > 2 else a[1] if i > 0 else a[2]",
    "abs(x) if x else 1.0",
)
rows(
    "text",
    "f'{x}'",
    "f'{x:.3f} {i:05d} {n}'",
    "f'{x!r} {n!s} {b}'",
    "f'{x=} {n=}'",
    "f'{a} {k}'",
    "f'{a.sum():8.2f}|'",
    "'{} {}'.format(x, n)",
    "'{:>8.2f}|{1}'.replace('{1}', '').format(x)",
    "'{0:.2f} {name}'.format(x, name=i)",
    "'{0[0]} {0[1]}'.format([x, i])",
    "'%s %r %d' % (x, n, i)",
    "'%.2f' % x",
    "'%5d|' % n",
    "str(x)",
    "str(n)",
    "repr(x)",
    "repr(a)",
    "repr(n)",
    "ascii(x)",
    "format(x, '.2e')",
    "format(n, 'x')",
    "format(x)",
    "str(x) + 'm'",
    "'m' + str(i)",
    "', '.join([str(x), str(i)])",
    "', '.join(str(v) for v in [x, y])",
    "', '.join(map(str, [x, y]))",
    "', '.join(f'{v:.1f}' for v in (x, y, 1.0))",
    "x.__format__('.2f')",
    "str([x, n, 'a'])",
    "str((x, {'a': i}))",
    "f'{[x, n]}'",
    "f'{(x, y)!r:>40}'",
    "f'{x:{8}.{2}f}'",
    "f'{x:{j}}'",
    "hex(n)",
    "bin(i)",
    "oct(n)",
    "chr(n + 60)",
    "str(x).upper()",
    "len(str(n))",
    "str(n) == '3'",
    "str(x)[0]",
    "int(str(n))",
    "float(f'{x:.1f}')",
    "'ab' * n",
    "str(n) * 2",
    "str(b)",
    "f'{b} {p}'",
    "f'{c} {z}'",
    "f'{i:,} {x:+.1e} {n:>6} {n:b}'",
    "x.tolist()",
    "'text'[n]",
    "'abc'.index('b') + n",
    "'%(v).2f' % {'v': x}",
    "'a' if x > 0 else 'b'",
)
programs(
    "text",
    text_before_a_change="t = f'{a}'\na[0] = 9\nreturn t, f'{a}'",
    text_of_a_list_before_a_change="t = str([a, x])\na += 1\nprint(t)\nreturn t",
    branch_on_text="if str(n) == '3':\n    return x\nreturn y",
    text_in_text="return '2' in str(x), str(n) in 'abc3', str(n) in ['3', 'x']",
    order_of_text="return str(x) < str(y), str(x) >= '2'",
    characters_asked="return str(x)[0] == '2', str(n).isdigit(), str(x).find('0')",
    text_methods="return str(x).replace('.', ','), str(n).zfill(4), f'{n}|'.center(9)",
    slices_of_text="return f'{x:.3f}'[1:], str(x)[-1], str(n)[0]",
    length_decides="while len(str(n)) < 4:\n    n = n * 10 + 1\nreturn n",
)
rows(
    "print",
    "print(x, n)",
    "print(x, i, sep='|', end=';')",
    "print(f'{x:.2f}', n, flush=True)",
    "print(a, k, [x, n])",
    "print(*[x, y], sep=', ')",
    "print(str(x), repr(n), 'a' + str(i))",
    "print(min(x, y), max(n, 2))",
    "print()",
    "print(', '.join(str(v) for v in [x, n]))",
    "print({'a': x}, (n,), {1, 2})",
    "print(x, file=sys.stdout)",
)
programs(
    "raise and assert",
    raise_with_value="if x > 0:\n    raise ValueError(f'bad {x:.2f} {n}')\nreturn x",
    raise_two_arguments="if x > 0:\n    raise ValueError('bad', x, n)\nreturn x",
    raise_key_error="if i > 2:\n    raise KeyError(i)\nreturn i",
    assert_with_message="assert x < 1, f'{x} is not below {n}'\nreturn x",
    assert_with_value="assert x < 1, x\nreturn x",
    assert_with_tuple="assert x < 1, (x, n)\nreturn x",
    assert_percent="assert i < 2, 'i is %d' % i\nreturn i",
    raise_format="if n > 2:\n    raise RuntimeError('{:.3e}'.format(x))\nreturn n",
    raise_from_sum="if sum(a) > 1:\n    raise ValueError(str(sum(a)))\nreturn a",
)
# --- builtin functions ----------------------------------------------------------------
rows(
    "min and max",
    "min(x, y)",
    "max(x, y)",
    "min(x, y, i)",
    "max(x, 0.0)",
    "max(0.0, x)",
    "max(x, 0)",
    "min(n, 2)",
    "max(n, 2.5)",
    "max(n, j)",
    "min(a)",
    "max(a)",
    "max(k)",
    "min([x, y])",
    "max((x, y, 1.0))",
    "max(a, key=abs)",
    "min(a, key=lambda v: -v)",
    "max(x, y, key=abs)",
    "min([x, y, i], key=lambda v: v * v)",
    "max(a, default=5.0)",
    "max(a[:0], default=x)",
    "min([], default=x)",
    "min(a[:0])",
    "max([])",
    "max(x)",
    "max([(x, 1), (y, 2)])",
    "min((x, 1), (y, 0))",
    "max([(x, i), (x, j)])",
    "max(range(n))",
    "max(range(n), default=-1)",
    "max(v * v for v in a)",
    "max(map(abs, a))",
    "min(len(a), n)",
    "max(x, float('nan'))",
    "min(float('nan'), x)",
    "max(a, a)",
    "max([1, 2, 3], key=lambda v: v * x)",
    "min({'u': 1, 'v': 2}, key=lambda v: {'u': x, 'v': y}[v])",
    "max([a[0], a[1], a[2]])",
    "max(p, n)",
    "max(a, key=None)",
    "max(x, y, default=1)",
)
rows(
    "sum, any, all",
    "sum(a)",
    "sum(k)",
    "sum(a, 1)",
    "sum(a, start=x)",
    "sum([x, y])",
    "sum((x, i, n))",
    "sum([x, y], 0.0)",
    "sum(v * v for v in a)",
    "sum([v for v in a])",
    "sum(map(abs, a))",
    "sum(range(n))",
    "sum([[x], [y]], [])",
    "sum([(x,), (y, i)], ())",
    "sum([r, r, 0.1])",
    "sum(a[:0])",
    "sum([])",
    "sum(x)",
    "sum(v > 0 for v in a)",
    "sum(a > 0)",
    "sum([x > 0, y > 0])",
    "sum(np.array([[1.0, 2.0], [3.0, 4.0]]) * x)",
    "any(a)",
    "all(a)",
    "any([x, y])",
    "all([x, y])",
    "any(v > 1 for v in a)",
    "all(v > -3 for v in a)",
    "any(a > 2)",
    "all(a[:0])",
    "any(a[:0])",
    "any([])",
    "all(())",
    "any((x > 0, 1 / j > 0))",
    "all(i > v for v in range(3))",
    "any(map(math.isnan, a))",
    "any(x)",
)
rows(
    "abs, round, pow, divmod",
    "abs(x)",
    "abs(n)",
    "abs(i)",
    "abs(c)",
    "abs(z)",
    "abs(a)",
    "abs(p)",
    "abs(b)",
    "round(x)",
    "round(r)",
    "round(n)",
    "round(i)",
    "round(x, 1)",
    "round(r, 1)",
    "round(x, 0)",
    "round(n, -1)",
    "round(i, -1)",
    "round(x, j)",
    "round(r, n)",
    "round(x, None)",
    "round(r, ndigits=1)",
    "round(a, 1)",
    "round(a)",
    "round(c)",
    "round(number=x)",
    "round(b)",
    "pow(x, y)",
    "pow(x, 2)",
    "pow(2, x)",
    "pow(n, 2)",
    "pow(n, -1)",
    "pow(n, n)",
    "pow(2, n)",
    "pow(r, 2)",
    "pow(r, 0.5)",
    "pow(r, n)",
    "pow(n, 3, 7)",
    "pow(3, n, 11)",
    "pow(n, -1, 7)",
    "pow(i, 2)",
    "pow(i, -1)",
    "pow(i, 3, 7)",
    "pow(x, 2, 3)",
    "pow(base=n, exp=2)",
    "pow(a, 2)",
    "pow(z, 2)",
    "n ** -1",
    "n ** 2",
    "n ** n",
    "n ** 0.5",
    "r ** -1",
    "r ** n",
    "2 ** n",
    "2.0 ** n",
    "(-8) ** r",
    "divmod(x, y)",
    "divmod(n, 3)",
    "divmod(-7, n)",
    "divmod(i, j)",
    "divmod(r, 0.5)",
    "divmod(n, n)",
    "divmod(a, 2)",
    "divmod(x, n)",
    "divmod(z, n)",
    "n // 2",
    "n % 3",
    "n / 2",
    "n // 0",
    "n % 0",
    "r // 0",
    "r % 1",
    "1 / n",
    "x / 0",
    "r / 0.0",
    "n << 2",
    "1 << n",
    "n >> 1",
    "n & 6",
    "n | 1",
    "n ^ 3",
    "~n",
    "-n",
    "+p",
    "-p",
    "~p",
    "n @ 2",
)
rows(
    "numbers",
    "len(a)",
    "len([x, y])",
    "len(x)",
    "len(n)",
    "len({'a': x})",
    "len(range(n))",
    "int(x)",
    "int(r)",
    "int(i)",
    "int(b)",
    "int(n)",
    "int('12') + n",
    "int('12', 8) + n",
    "int(c)",
    "int(a)",
    "int(a[:1])",
    "int()",
    "int(-x)",
    "int(x, 10)",
    "int([x])",
    "float(x)",
    "float(i)",
    "float(n)",
    "float('2.5') + x",
    "float('nan') + x",
    "float(a[0])",
    "float(z)",
    "bool(x)",
    "bool(n)",
    "bool(a)",
    "bool(a[:1])",
    "bool([x])",
    "bool([])",
    "bool(b)",
    "complex(x)",
    "complex(x, y)",
    "complex(n, r)",
    "complex(z)",
    "complex('1+2j') * x",
    "complex(real=x, imag=1)",
    "float(x).is_integer()",
    "n.bit_length()",
    "n.bit_count()",
    "n.conjugate()",
    "n.real",
    "r.imag",
    "n.numerator",
    "n.denominator",
    "r.as_integer_ratio()",
    "n.as_integer_ratio()",
    "r.hex()",
    "n.to_bytes(2, 'big')",
    "r.is_integer()",
    "z.real",
    "z.imag",
    "z.conjugate()",
    "x.item()",
    "i.item()",
    "b.item()",
    "c.item()",
    "a[0].item()",
    "a.item(1)",
    "x.tolist()",
    "a.tolist()",
    "x.is_integer()",
    "i.bit_count()",
    "x.conjugate()",
    "x.real",
    "c.imag",
    "x.as_integer_ratio()",
    "i.bit_length()",
    "x.hex()",
    "x.dtype",
    "x.shape",
    "x.ndim",
    "x.size",
    "n.dtype",
    "x.foo",
    "n.foo",
    "hash(n)",
    "hash(x)",
    "id(x) == id(x)",
    "callable(x)",
    "callable(abs)",
    "ord('a') + n",
    "np.float64(n)",
    "np.int64(x)",
    "np.float32(x)",
    "np.bool_(x)",
    "np.array(x)",
    "np.asarray(n)",
    "float.fromhex('0x1p3') + x",
    "int.from_bytes(b'ab', 'big') + n",
    "float.is_integer(x)",
    "(1).__add__(n)",
    "n.__add__(1)",
)
rows(
    "types",
    "type(x) is np.float64",
    "type(x) is float",
    "type(n) is int",
    "type(p) is bool",
    "type(a) is np.ndarray",
    "type(x) == type(y)",
    "type(x) is type(n)",
    "type(x)(3)",
    "type(n)(x)",
    "type(r)(i)",
    "type(x).__name__",
    "type(n).__name__",
    "isinstance(x, float)",
    "isinstance(x, np.floating)",
    "isinstance(x, np.ndarray)",
    "isinstance(i, int)",
    "isinstance(i, np.integer)",
    "isinstance(n, int)",
    "isinstance(n, (float, str))",
    "isinstance(n, int | str)",
    "isinstance(p, int)",
    "isinstance(b, bool)",
    "isinstance(a, np.ndarray)",
    "isinstance(a, (list, tuple))",
    "isinstance(r, float)",
    "isinstance([x], list)",
    "isinstance((x,), tuple)",
    "isinstance(x, collections.abc.Iterable)",
    "isinstance(a, collections.abc.Iterable)",
    "isinstance(n, collections.abc.Hashable)",
    "isinstance(range(n), range)",
    "issubclass(type(x), float)",
    "issubclass(type(n), (int, float))",
    "issubclass(type(a), np.ndarray)",
    "x.__class__ is np.float64",
    "a.__class__ is np.ndarray",
    "n.__class__ is int",
    "kind(x)",
    "kind(n)",
    "kind(a)",
    "kind('s')",
    "isinstance(x, 3)",
    "type([x]) is list",
    "str is type(str(x))",
    "isinstance(f'{x}', str)",
    "isinstance(n, operator.attrgetter('Integral')(__import__('numbers')))",
)
