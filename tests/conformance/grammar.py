"""The expressions that generated programs are made of, as tables of templates.

A name's first letter tells what it holds, here and in the programs: i an int, f a
float, b a bool, a an array float64[3], n an array int64[4], and m an int on one path
and a float on another; l, d, o, s, u and z are told of in holders.py. Of the parameters
x is an int, y a float, c a bool, p like a, q an array float64[2, 3], and k a Python
int, a constant of the trace.

In a template `{i}` stands for any int expression and `{I}` for the name of one, and so
on; `{t}` is a test, `{D}` and `{G}` are int and float literals, and `{Hi}`, `{Hf}` are
calls of helper functions. Rules that keep the comparison strict:

- Python raises where NumPy warns (1 / 0), and a graph has one type for both paths: so
  what is divided has `x0` or `y0` in it, which always are NumPy's.
- Python's ints are unbounded: so all ints are reduced when they are assigned.
- A bool is not added: True + True is 2 in Python and True in NumPy.
"""

from dataclasses import dataclass

from tests.conformance.held import HELD_FLOATS, HELD_INTS, HELD_TESTS, RULES

KIND_OF = {"x": "i", "k": "i", "y": "f", "c": "b", "p": "a", "r": "a"}

# What a program may assign to, by kind.
POOL = {
    "i": ("i0", "i1", "i2", "i3"),
    "f": ("f0", "f1", "f2"),
    "b": ("b0", "b1"),
    "a": ("a0", "a1"),
    "n": ("n1",),
    "l": ("l0", "l1"),
    "d": ("d0",),
    "o": ("o0", "o1"),
    "s": ("s0",),
    "u": ("u0",),
    "z": ("z0",),
}

# What stands for a name of a kind where none is defined.
FALLBACK = {
    "i": "x0",
    "f": "y0",
    "b": "(x0 > 2)",
    "a": "np.ones(3)",
    "n": "np.arange(4)",
    "l": "[x0 % 97, 3]",
    "d": '{"a": x0 % 97, "b": 1}',
    "o": "Thing(x0 % 97)",
    "s": '"one"',
    "u": "(None if x0 > 2 else 3)",
    "z": "(x0 % 97, 0.5)",
}

INTS = tuple(str(n) for n in (0, 1, 2, 3, 4, 7, -1, -3))
FLOATS = ("0.0", "1.0", "0.5", "2.25", "-1.5", "10.0", "-0.0")


@dataclass(frozen=True, slots=True)
class Rules:
    """The templates of one kind: those that end an expression, and those that go on."""

    simple: tuple[str, ...]
    compound: tuple[str, ...]


COMPARISONS = (
    "{i} < {i}",
    "{i} >= {i}",
    "{i} % 2 == 0",
    "{i} != {i}",
    "{f} > {f}",
    "{f} <= {f}",
    "{i} < {f}",
    "{i} < {i} <= {i}",
    "{f} >= {i} != {i} < {f}",
    "({a} > {f}).any()",
    "np.all({n} < {i})",
)

# Comprehensions and generator expressions; j, e, v and w are names of their own. Sums
# start with NumPy's, since that of nothing is what it starts with.
COUNTS = (
    "sum((j * {I} + {i} for j in range({i} % 4)), x0)",
    "sum((j % 7 for j in {n} if {t}), x0)",
    "sum([j * k for j in range(3) for k in range(j)]) * {I}",
    "max((j for j in {N} if j % 3 != {D}), default=x0)",
    "min(j % 5 * {I} for j in {n})",
    "next((j % 9 for j in {N} if j > {i}), x0)",
    "sum((j for j, e in enumerate({A}) if e > {f}), x0)",
    "sum(map(lambda j: j % 5 - {I}, {N}), x0)",
    "sum((j % 11 for j in {Gi}), x0)",
    "len([j for j in {N} if j > {i}])",
    "sum([j % 5 for j in range({i} % 5) if {t}], x0)",
)
SUMS = (
    "sum((e * {F} for e in {A} if e > {f}), y0)",
    "max([e - {f} for e in {a}])",
    "min((e for e in {A} if e < {f}), default=y0)",
    "sum((v * w for v, w in zip({A}, (e for e in {a}))), y0)",
    "sum([sum([v * w for v in {A}]) for w in {A}])",
    "sum(filter(lambda e: e > {f}, {A}), y0)",
    "next((e for e in {A} if e > {f}), y0)",
    "sum((e for e in {Gf}), y0)",
    "sum([e for e in {A} if e > {f}], y0)",
    "max([e for e in {A} if e < {f}] + [{f}])",
)
QUESTIONS = (
    "any(e > {f} for e in {A})",
    "all(j < {i} for j in {N} if j != {D})",
    "any(v > w for v in {A} for w in {a} if w > {f})",
    "any(e < {f} for e in {Gf})",
)

# What a name holds that is one of several kinds of numbers.
MIXED = (
    *("{i}", "{f}", "{i} if {t} else {f}", "{b}", "{A}[{i} % 3]", "{N}[-1]"),
    *("m0 + {i}", "m0 * {f}", "m0 - m0", "m0 / {i}", "m0 // {f}", "{i} % m0", "-m0"),
    *("abs(m0)", "min(m0, {f})", "max({i}, m0, {f})", "m0 or {f}", "{t} and m0"),
    *("round(m0)", "int(m0) ** 2", "float(m0) or {i}", "np.float32({f})", "m0 ** 2"),
    *("isinstance(m0, int) or {f}", "len(str(m0))", "np.sum([m0, {i}])", "bool(m0)"),
    *("m0 if type(m0) is float else {i}", "sum([m0, {f}])", "[m0, {i}][{i} % 2]"),
    *("np.abs(m0)", "np.add(m0, {i})", "np.maximum(m0, {f})", "({a} * m0).sum()"),
)

GRAMMAR = {
    "i": Rules(
        ("{I}", "{I}", "{D}", "x0"),
        (
            "({i} + {i})",
            "({i} - {i})",
            "({i} * {i})",
            "(-{i})",
            "({i} if {t} else {i})",
            "({i} and {i})",
            "({i} or {i})",
            "((x0 + {i}) // {i})",
            "((x0 - {i}) % {i})",
            "abs({i})",
            "min({i}, {i})",
            "max({i}, {i}, {i})",
            "int({t})",
            "{N}[{i} % 4]",
            "{N}[-1]",
            "{n}.sum()",
            "np.argmax({a})",
            "np.sum({N}[{i} % 5:])",
            "{Hi}",
            "{Hi}",
            *COUNTS,
            *HELD_INTS,
        ),
    ),
    "f": Rules(
        ("{F}", "{F}", "{G}", "y0"),
        (
            "({f} + {f})",
            "({f} - {i})",
            "({f} * {f})",
            "(-{f})",
            "({f} if {t} else {f})",
            "({f} and {f})",
            "({f} or {f})",
            "((y0 + {f}) / {f})",
            "((x0 + {i}) / {i})",
            "((y0 - {f}) // {f})",
            "((y0 * {f}) % {f})",
            "abs({f})",
            "min({f}, {f})",
            "max({f}, {f})",
            "float({i})",
            "{A}[{i} % 3]",
            "{A}[0]",
            "{a}.sum()",
            "np.max({a})",
            "np.sqrt(np.abs({f}))",
            "{A}[{A} > {f}].sum()",
            "np.sum({A}[:{i} % 4])",
            "{Hf}",
            "{Hf}",
            *SUMS,
            *HELD_FLOATS,
        ),
    ),
    "b": Rules(
        ("{B}", "({i} > {i})", "(y0 < {f})", "(x0 != {i})"),
        (
            *(f"({text})" for text in COMPARISONS),
            "(not {t})",
            "({b} and {b})",
            "({b} or {b})",
            "({b} if {t} else {b})",
            *QUESTIONS,
        ),
    ),
    "t": Rules(
        ("{B}", "{I} > {D}", "{F} < {G}", "{I}", "x0 > {D}", "{f} <= y0"),
        (
            *COMPARISONS,
            "not {b}",
            "({t} and {t})",
            "({t} or {t})",
            "({b} and {t} or {b})",
            "{i}",
            "{f}",
            *HELD_TESTS,
        ),
    ),
    "a": Rules(
        ("({A} + {G})", "{A}.copy()", "np.zeros(3)"),
        (
            "({A} + {a})",
            "({a} * {f})",
            "({a} - {i})",
            "({a} / {f})",
            "(-{a})",
            "np.where({a} > {f}, {a}, {a})",
            "np.maximum({a}, {f})",
            "np.roll({a}, {i} % 3)",
            "np.array([{f}, {f}, {f}])",
            "({A}[::-1] * {f})",
            "np.full(3, {f})",
            "np.cumsum({a})",
            "np.array([e * {f} for e in {A}])",
            "np.array([e if e > {f} else {f} for e in {a}])",
            "np.array([v - w for v, w in zip({A}, {a})])",
        ),
    ),
    "n": Rules(
        ("({N} + {D})", "{N}.copy()", "np.arange(4)"),
        (
            "({N} + {n})",
            "({N} * {i})",
            "({n} - {i})",
            "({N} // {i})",
            "({N} % {i})",
            "np.where({n} > {i}, {n}, {i})",
            "np.minimum({n}, {i})",
            "np.array([j + {i} for j in {N}])",
            "np.sort({n})",
        ),
    ),
    **{kind: Rules(*templates) for kind, templates in RULES.items()},
}

# How a value is brought to a size that does not grow: at every assignment.
REDUCED = {
    "i": "{} % 97",
    "f": "{} % 16.0",
    "b": "{}",
    "a": "{} % 16.0",
    "n": "{} % 97",
    **dict.fromkeys("ldosuz", "{}"),
}

# May fail when run: only ever used where the value is observed, since a graph does
# not run what nobody needs, and so does not fail there.
RISKY = {
    "i": ("{N}[{i} % 6 - 1]", "{N}[{D}]"),
    "f": ("{A}[{i} % 5 - 1]",),
}

# Iterables: the kinds of the targets, and the text.
ITERABLES = (
    ("i", "range(3)"),
    ("i", "range({D} % 4)"),
    ("i", "range(x0 % 4)"),
    ("i", "range({i} % 4)"),
    ("i", "range({D}, {i} % 5)"),
    ("i", "range({i} % 5, 0, -1)"),
    ("i", "range(x0 % 2, 6, {i} % 3 + 1)"),
    ("f", "{A}"),
    ("i", "{N}"),
    ("f", "({a})"),
    ("if", "enumerate({A})"),
    ("if", "enumerate({A}, start={D})"),
    ("ff", "zip({A}, {a})"),
    ("if", "zip({N}, {A})"),
    ("if", "zip(range(2), {A})"),
    ("i", "[{i}, {i}]"),
    ("f", "[{f}, {f}, {f}]"),
    ("r", "q0"),
    ("i", "(j * 2 for j in {N} if j > {i})"),
    ("f", "(e * 0.5 for e in {A} if e > {f})"),
    ("if", "enumerate(e for e in {A} if e != {f})"),
    ("f", "filter(lambda e: e > {f}, {A})"),
    ("f", "map(lambda e: e * {f}, {a})"),
    ("f", "reversed({A})"),
    ("ff", "zip({A}, (e for e in {a} if e > {G}))"),
    ("i", "{Gi}"),
    ("i", "{Gi}"),
    ("i", "[j for j in {N} if j > {i}]"),
    ("f", "list({Gf})"),
    ("f", "{Gf}"),
    ("if", "enumerate({Gf})"),
    ("ff", "zip({Gf}, {A})"),
)

# `{Sa}` is an array that may be changed in place.
STORES = (
    "{Sa}[{i} % 3] = {f}",
    "{Sa}[{i} % 3] += {f}",
    "{Sa}[1:] = {f}",
    "{Sa}[{a} > {f}] = {f}",
    "{Sa}[:] = {a}",
    "{Sa}[{i} % 3:] *= {f}",
    "{Sn}[{i} % 4] = {i} % 97",
    "{Sn}[{i} % 4] -= {i} % 97",
    "{Sn}[:2] = {i} % 97",
    "{Sa} += {a}",
    "{Sa} *= {f}",
    "{Sn} += {i} % 97",
)

# `{Vi}` is a name that may be assigned to, the same wherever it stands.
AUGMENTED = (
    "{Vi} += {i} % 50",
    "{Vi} -= {i} % 50",
    "{Vi} = {Vi} * {i} % 97",
    "{Vi} %= 31",
    "{Vf} += {f}",
    "{Vf} -= {f}",
    "{Vf} *= {f}",
)

# The test of a while, where `{W}` bounds its rounds, and whether a break does instead.
WHILES = (
    ("{W} and {t}", False),
    ("{t} and {W}", False),
    ("{W}", False),
    ("{t}", True),
    ("True", True),
)


@dataclass(frozen=True, slots=True)
class Helper:
    """A helper function: what it takes besides `x0` and `y0`, and what it returns.

    yields: it is a generator, whose items are what `results` says
    """

    name: str
    takes_array: bool
    results: str
    yields: bool = False
