"""Identifiers: which ones a tree uses, and new ones that it does not use.

This looks at spelling only; what a name means in which scope is the business of
`autograph.analysis`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import gast

from autograph.syntax.walking import walk

# Where a tree keeps identifiers as plain strings, besides `Name.id`.
IDENTIFIER_FIELDS: dict[str, tuple[str, ...]] = {
    "Name": ("id",),
    "FunctionDef": ("name",),
    "AsyncFunctionDef": ("name",),
    "ClassDef": ("name",),
    "Attribute": ("attr",),
    "keyword": ("arg",),
    "Global": ("names",),
    "Nonlocal": ("names",),
    "MatchAs": ("name",),
    "MatchStar": ("name",),
    "MatchMapping": ("rest",),
    "MatchClass": ("kwd_attrs",),
    "TypeVar": ("name",),
    "ParamSpec": ("name",),
    "TypeVarTuple": ("name",),
}


class Namer:
    """Makes names that nobody uses yet, the same ones in the same order each time.

    >>> namer = Namer({"if_body"})
    >>> namer.fresh("if_body"), namer.fresh("if_body"), namer.fresh("test")
    ('if_body_1', 'if_body_2', 'test')
    """

    def __init__(self, reserved: Iterable[str]) -> None:
        self._used = set(reserved)
        self._next: dict[str, int] = {}

    def fresh(self, base: str) -> str:
        """`base`, or `base_1`, `base_2`, ...: the first that is free; now in use."""
        name, number = base, self._next.get(base, 0)
        while name in self._used:
            number += 1
            name = f"{base}_{number}"
        self._next[base] = number
        self._used.add(name)
        return name


def names_in(node: gast.AST) -> set[str]:
    """Every identifier that occurs in `node`, whatever it stands for.

    >>> sorted(names_in(gast.parse("y = x.shape[0]")))
    ['shape', 'x', 'y']
    """
    return {name for part in walk(node) for name in _identifiers(part)}


def _identifiers(node: gast.AST) -> Iterator[str]:
    kind = type(node).__name__
    if kind == "alias":
        yield bound_by_import(node)
    for field in IDENTIFIER_FIELDS.get(kind, ()):
        value = getattr(node, field)
        if isinstance(value, list):
            yield from value
        elif value is not None:
            yield value


def bound_by_import(alias: gast.alias) -> str:
    """The name that an import clause binds: `a` for `import a.b`, `c` for `.. as c`."""
    name: str = alias.asname or alias.name.partition(".")[0]
    return name
