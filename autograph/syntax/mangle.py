"""Private names written out: in a class `C`, Python reads `__x` as `_C__x`.

A method's tree is compiled outside of its class, where Python would not do it.
"""

from __future__ import annotations

from typing import Any

import gast

from autograph.syntax.names import IDENTIFIER_FIELDS
from autograph.syntax.walking import children

# Identifiers that Python leaves as they are: the keyword in a call, and in a pattern.
_LEFT_ALONE = ("keyword", "MatchClass")


def mangle(function: Any, class_name: str) -> None:
    """Write out, in place, the private names in `function`, a function of the class.

    The function's own name stays: it is the class that stores it under another one.

    >>> tree = gast.parse("def __f(self): return self.__x").body[0]
    >>> mangle(tree, "_C")
    >>> print(gast.unparse(tree).strip())
    def __f(self):
        return self._C__x
    """
    prefix = "_" + class_name.lstrip("_")
    if prefix == "_":
        return
    waiting = children(function)
    while waiting:
        node = waiting.pop()
        _mangle_fields(node, prefix)
        if isinstance(node, gast.ClassDef):  # whose body has private names of its own
            waiting += [*node.bases, *node.keywords, *node.decorator_list]
        else:
            waiting += children(node)


def _mangle_fields(node: gast.AST, prefix: str) -> None:
    kind = type(node).__name__
    if kind == "alias":
        _mangle_alias(node, prefix)
    if kind in _LEFT_ALONE:
        return
    for name in IDENTIFIER_FIELDS.get(kind, ()):
        value = getattr(node, name)
        if isinstance(value, list):
            setattr(node, name, [_mangled(element, prefix) for element in value])
        elif value is not None:
            setattr(node, name, _mangled(value, prefix))


def _mangle_alias(node: gast.alias, prefix: str) -> None:
    if node.asname is not None:
        node.asname = _mangled(node.asname, prefix)
    elif _mangled(node.name, prefix) != node.name:
        node.asname = _mangled(node.name, prefix)


def _mangled(name: str, prefix: str) -> str:
    if not name.startswith("__") or name.endswith("__") or "." in name:
        return name
    return prefix + name
