"""Expressions, patterns and parameters to text, with no more parentheses than needed.

The half of `unparse` that knows precedences and quotes. A node of gast or of ast is
known by the name of its class, which is the same in both.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Sequence
from typing import Any

from astunparse.unparser import INFSTR

# How tightly an expression binds, loosest first. An expression is put in parentheses
# where its place asks for a tighter one.
NAMED, TUPLE, YIELD, TEST, OR, AND, NOT, COMPARE = range(8)
BIT_OR, BIT_XOR, BIT_AND, SHIFT, ADD, MULTIPLY, FACTOR, POWER, AWAIT, ATOM = range(
    8, 18
)

BINARY = {
    "Add": ("+", ADD),
    "Sub": ("-", ADD),
    "Mult": ("*", MULTIPLY),
    "MatMult": ("@", MULTIPLY),
    "Div": ("/", MULTIPLY),
    "Mod": ("%", MULTIPLY),
    "FloorDiv": ("//", MULTIPLY),
    "LShift": ("<<", SHIFT),
    "RShift": (">>", SHIFT),
    "BitOr": ("|", BIT_OR),
    "BitXor": ("^", BIT_XOR),
    "BitAnd": ("&", BIT_AND),
    "Pow": ("**", POWER),
}
_UNARY = {
    "Not": ("not ", NOT),
    "UAdd": ("+", FACTOR),
    "USub": ("-", FACTOR),
    "Invert": ("~", FACTOR),
}
_COMPARE = {
    "Eq": "==",
    "NotEq": "!=",
    "Lt": "<",
    "LtE": "<=",
    "Gt": ">",
    "GtE": ">=",
    "Is": "is",
    "IsNot": "is not",
    "In": "in",
    "NotIn": "not in",
}
_BOOLEAN = {"And": (" and ", AND), "Or": (" or ", OR)}

# Quotes of an f-string, best first, with those that may be used inside of it: before
# Python 3.12 the inner ones must differ.
_INNER_QUOTES = {
    "'": ('"', '"""'),
    '"': ("'", "'''"),
    '"""': ("'", '"', "'''"),
    "'''": ('"', "'", '"""'),
}
_NESTED_QUOTES = sys.version_info >= (3, 12)

Text = tuple[int, str]  # how tightly it binds, and the text


def is_literal(text: str, value: object) -> bool:
    """Whether Python reads `text` as a constant equal to `value`."""
    try:
        return bool(ast.literal_eval(text) == value)
    except (SyntaxError, ValueError):  # e.g. a null character, a lone surrogate
        return False


class _Unwritable(ValueError):
    """A string that these quotes cannot hold."""


class Expressions:
    """One method per kind of expression: its text and how tightly it binds."""

    def __init__(self) -> None:
        # The quotes that strings may use: all of them outside of f-strings.
        self._quotes: tuple[str, ...] | None = None

    def text(self, node: Any, level: int = TEST) -> str:
        """The text of `node`, in parentheses if it binds looser than `level`."""
        own, text = getattr(self, type(node).__name__)(node)
        return f"({text})" if own < level else text

    def bare(self, node: Any) -> str:
        """The text where a tuple needs no parentheses, but a yield does."""
        return self.text(node, TUPLE if type(node).__name__ == "Tuple" else TEST)

    def test(self, node: Any) -> str:
        """The text where `:=` needs no parentheses, but a tuple does."""
        return self.text(node, NAMED if type(node).__name__ == "NamedExpr" else TEST)

    def type_parameters(self, node: Any) -> str:
        """The `[T, *Ts]` of a function, class or alias."""
        parameters = getattr(node, "type_params", ())  # Python 3.12 and later
        return f"[{self._list(parameters)}]" if parameters else ""

    def _list(self, nodes: Sequence[Any]) -> str:
        return ", ".join(self.text(node) for node in nodes)

    def Name(self, t: Any) -> Text:
        if getattr(t, "annotation", None) is not None:  # a parameter, in gast
            return TEST, f"{t.id}: {self.text(t.annotation)}"
        return ATOM, t.id

    def arg(self, t: Any) -> Text:
        if t.annotation is None:
            return ATOM, t.arg
        return TEST, f"{t.arg}: {self.text(t.annotation)}"

    def Constant(self, t: Any) -> Text:
        value = t.value
        if value is ...:
            return ATOM, "..."
        if isinstance(value, str | bytes):
            return ATOM, (t.kind or "") + self._string(value)
        try:
            text = repr(value)
        except ValueError:  # more digits than Python converts to decimal
            text = hex(value)
        if isinstance(value, float | complex):
            text = text.replace("inf", INFSTR).replace("nan", f"({INFSTR} - {INFSTR})")
        return (FACTOR if text.startswith("-") else ATOM), text

    def _string(self, value: str | bytes) -> str:
        text = repr(value)
        if self._quotes is None:
            return text
        if text[-1] in self._quotes and (_NESTED_QUOTES or "\\" not in text):
            return text
        prefix = "b" if isinstance(value, bytes) else ""
        raw = value.decode("latin-1") if isinstance(value, bytes) else value
        for quote in self._quotes:
            text = prefix + quote + raw + quote
            if is_literal(text, value) and "\\" not in text:
                return text
        raise _Unwritable(value)

    def JoinedStr(self, t: Any) -> Text:
        outer = self._quotes
        tries: list[tuple[str, tuple[str, ...] | None]]
        tries = [(quote, _INNER_QUOTES[quote]) for quote in outer or _INNER_QUOTES]
        if _NESTED_QUOTES:
            tries.append((tries[0][0], None))
        try:
            for quote, self._quotes in tries:
                try:
                    return ATOM, f"f{quote}{self._fields(t, quote)}{quote}"
                except _Unwritable:
                    continue
        finally:
            self._quotes = outer
        raise _Unwritable("an f-string has an expression with too many quotes")

    def _fields(self, t: Any, quote: str, in_format: bool = False) -> str:
        return "".join(
            self._field(value, quote)
            if type(value).__name__ == "FormattedValue"
            else _escaped(value.value, quote, in_format)
            for value in t.values
        )

    def _field(self, t: Any, quote: str) -> str:
        # OR: a lambda or `:=` of its own would end at its colon.
        text = self.text(t.value, OR)
        if self._quotes is not None:
            if quote in text or (not _NESTED_QUOTES and "\\" in text):
                raise _Unwritable(text)
            if len(quote) == 1 and "\n" in text:
                raise _Unwritable(text)
        if text.startswith("{"):
            text = " " + text  # `{{` is a brace
        if t.conversion != -1:
            text += "!" + chr(t.conversion)
        if t.format_spec is not None:
            text += ":" + self._fields(t.format_spec, quote, in_format=True)
        return "{" + text + "}"

    def FormattedValue(self, t: Any) -> Text:
        return self.JoinedStr(ast.JoinedStr([t]))

    def BoolOp(self, t: Any) -> Text:
        word, level = _BOOLEAN[type(t.op).__name__]
        return level, word.join(self.text(value, level + 1) for value in t.values)

    def BinOp(self, t: Any) -> Text:
        sign, level = BINARY[type(t.op).__name__]
        left, right = (AWAIT, FACTOR) if level == POWER else (level, level + 1)
        return level, f"{self.text(t.left, left)} {sign} {self.text(t.right, right)}"

    def UnaryOp(self, t: Any) -> Text:
        sign, level = _UNARY[type(t.op).__name__]
        return level, sign + self.text(t.operand, level)

    def Compare(self, t: Any) -> Text:
        text = self.text(t.left, BIT_OR)
        for op, right in zip(t.ops, t.comparators, strict=True):
            text += f" {_COMPARE[type(op).__name__]} {self.text(right, BIT_OR)}"
        return COMPARE, text

    def NamedExpr(self, t: Any) -> Text:
        return NAMED, f"{self.text(t.target)} := {self.text(t.value)}"

    def IfExp(self, t: Any) -> Text:
        body, test = self.text(t.body, OR), self.text(t.test, OR)
        return TEST, f"{body} if {test} else {self.text(t.orelse)}"

    def Lambda(self, t: Any) -> Text:
        arguments = self.text(t.args)
        return (
            TEST,
            f"lambda{' ' + arguments if arguments else ''}: {self.text(t.body)}",
        )

    def Await(self, t: Any) -> Text:
        return AWAIT, "await " + self.text(t.value, ATOM)

    def Yield(self, t: Any) -> Text:
        return YIELD, "yield" if t.value is None else "yield " + self.bare(t.value)

    def YieldFrom(self, t: Any) -> Text:
        return YIELD, "yield from " + self.text(t.value)

    def Attribute(self, t: Any) -> Text:
        value = self.text(t.value, ATOM)
        # `1.real` is a number and a name.
        return ATOM, f"({value}).{t.attr}" if value.isdigit() else f"{value}.{t.attr}"

    def Subscript(self, t: Any) -> Text:
        return ATOM, f"{self.text(t.value, ATOM)}[{self.bare(t.slice)}]"

    def Slice(self, t: Any) -> Text:
        lower, upper, step = (
            "" if part is None else self.text(part, OR)
            for part in (t.lower, t.upper, t.step)
        )
        return TEST, f"{lower}:{upper}" + (f":{step}" if step else "")

    def Starred(self, t: Any) -> Text:
        return TEST, "*" + self.text(t.value, BIT_OR)

    def Tuple(self, t: Any) -> Text:
        if not t.elts:
            return ATOM, "()"
        return TUPLE, self._list(t.elts) + ("," if len(t.elts) == 1 else "")

    def List(self, t: Any) -> Text:
        return ATOM, f"[{self._list(t.elts)}]"

    def Set(self, t: Any) -> Text:
        # A set of nothing has no display; a tree may have one all the same.
        return ATOM, f"{{{self._list(t.elts) or '*()'}}}"

    def Dict(self, t: Any) -> Text:
        items = (
            f"**{self.text(value, BIT_OR)}"
            if key is None
            else f"{self.text(key)}: {self.text(value)}"
            for key, value in zip(t.keys, t.values, strict=True)
        )
        return ATOM, f"{{{', '.join(items)}}}"

    def ListComp(self, t: Any) -> Text:
        return ATOM, f"[{self.text(t.elt)}{self._loops(t)}]"

    def SetComp(self, t: Any) -> Text:
        return ATOM, f"{{{self.text(t.elt)}{self._loops(t)}}}"

    def DictComp(self, t: Any) -> Text:
        return ATOM, f"{{{self.text(t.key)}: {self.text(t.value)}{self._loops(t)}}}"

    def GeneratorExp(self, t: Any) -> Text:
        return ATOM, f"({self.text(t.elt)}{self._loops(t)})"

    def _loops(self, t: Any) -> str:
        return "".join(
            f" {'async ' if loop.is_async else ''}for {self.text(loop.target, TUPLE)}"
            f" in {self.text(loop.iter, OR)}"
            + "".join(f" if {self.text(test, OR)}" for test in loop.ifs)
            for loop in t.generators
        )

    def Call(self, t: Any) -> Text:
        function, arguments = self.text(t.func, ATOM), [*t.args, *t.keywords]
        if len(arguments) == 1 and type(arguments[0]).__name__ == "GeneratorExp":
            return ATOM, function + self.text(arguments[0])
        return ATOM, f"{function}({self._list(arguments)})"

    def keyword(self, t: Any) -> Text:
        if t.arg is None:
            return TEST, "**" + self.text(t.value, BIT_OR)
        return TEST, f"{t.arg}={self.text(t.value)}"

    def arguments(self, t: Any) -> Text:
        positional = [*t.posonlyargs, *t.args]
        defaults = [None] * (len(positional) - len(t.defaults)) + t.defaults
        texts = list(map(self._parameter, positional, defaults))
        if t.posonlyargs:
            texts.insert(len(t.posonlyargs), "/")
        if t.vararg is not None:
            texts.append("*" + self.text(t.vararg))
        elif t.kwonlyargs:
            texts.append("*")
        texts += map(self._parameter, t.kwonlyargs, t.kw_defaults)
        if t.kwarg is not None:
            texts.append("**" + self.text(t.kwarg))
        return TEST, ", ".join(texts)

    def _parameter(self, t: Any, default: Any) -> str:
        level, text = getattr(self, type(t).__name__)(t)
        if default is None:
            return str(text)
        sign = "=" if level == ATOM else " = "  # spaced beside an annotation
        return f"{text}{sign}{self.text(default)}"

    def TypeVar(self, t: Any) -> Text:
        bound = "" if t.bound is None else ": " + self.text(t.bound)
        return self._type_parameter(t, t.name + bound)

    def ParamSpec(self, t: Any) -> Text:
        return self._type_parameter(t, "**" + t.name)

    def TypeVarTuple(self, t: Any) -> Text:
        return self._type_parameter(t, "*" + t.name)

    def _type_parameter(self, t: Any, text: str) -> Text:
        default = getattr(t, "default_value", None)  # Python 3.13 and later
        return TEST, text if default is None else f"{text} = {self.text(default)}"

    def MatchValue(self, t: Any) -> Text:
        return ATOM, self.text(t.value)

    def MatchSingleton(self, t: Any) -> Text:
        return ATOM, repr(t.value)

    def MatchSequence(self, t: Any) -> Text:
        return ATOM, f"[{self._list(t.patterns)}]"

    def MatchStar(self, t: Any) -> Text:
        return ATOM, "*" + (t.name or "_")

    def MatchMapping(self, t: Any) -> Text:
        pairs = zip(t.keys, t.patterns, strict=True)
        items = [f"{self.text(key)}: {self.text(value)}" for key, value in pairs]
        if t.rest is not None:
            items.append("**" + t.rest)
        return ATOM, f"{{{', '.join(items)}}}"

    def MatchClass(self, t: Any) -> Text:
        named = zip(t.kwd_attrs, t.kwd_patterns, strict=True)
        items = [self.text(pattern) for pattern in t.patterns]
        items += [f"{name}={self.text(pattern)}" for name, pattern in named]
        return ATOM, f"{self.text(t.cls, ATOM)}({', '.join(items)})"

    def MatchAs(self, t: Any) -> Text:
        if t.pattern is None:
            return ATOM, t.name or "_"
        return TEST, f"{self.text(t.pattern, OR)} as {t.name}"

    def MatchOr(self, t: Any) -> Text:
        return OR, " | ".join(self.text(pattern, AND) for pattern in t.patterns)


def _escaped(value: str, quote: str, in_format: bool) -> str:
    """The literal part of an f-string."""
    # The double quote makes repr choose, and escape, single ones.
    text = repr('"' + value)[2:-1]
    if quote[0] == '"':
        text = text.replace("\\'", "'").replace('"', '\\"')
    left, right = ("\\x7b", "\\x7d") if in_format else ("{{", "}}")
    return text.replace("{", left).replace("}", right)


EXPRESSION_NODES = frozenset(name for name in vars(Expressions) if name[0].isalpha())
