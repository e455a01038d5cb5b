"""What programs keep values in: lists, dicts, tuples, objects, texts, None, closures.

Names: l a list of ints, d a dict of ints with the keys "a", "b" and at times "c", o an
object of tests.conformance.things, s a text, u an int or None, z a tuple of an int and
a float.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from tests.conformance import grammar

if TYPE_CHECKING:
    from tests.conformance.writer import Writer

KINDS = "llldoosuz"


def _name_of(kind: str, w: Writer) -> str:
    return w.name(kind)


# What stands for the name of one in a template: `{Ll}`, `{Dd}`, ...
NAMES: dict[str, Callable[[Writer], str]] = {
    kind.upper() + kind: partial(_name_of, kind) for kind in "ldosuz"
}

# What changes a thing in place. `{L}`, ... are names of things, the same thing twice.
CHANGES = {
    "l": (
        "{X}.append({i} % 97)",
        "{X}.append({i} % 97)",
        "{X}.extend([{i} % 97, {D}])",
        "{X}.insert({i} % 3, {i} % 97)",
        "{X} += [{i} % 97]",
        "{X}.reverse()",
        "{X}.sort()",
        "{X}[:1] = [{i} % 97, {i} % 97]",
        "{X}[1:] = []",
        "del {X}[2:]",
        "{X}.extend({N})",
        "{X}.clear()",
    ),
    "d": (
        '{X}["a"] = {i} % 97',
        '{X}["b"] += {i} % 5',
        '{X}["c"] = {i} % 97',
        "{X}.update(a={i} % 97, b={i} % 97)",
        '{X}.pop("c", None)',
        '{X}.setdefault("c", {i} % 97)',
    ),
    "o": (
        "{X}.n = {i} % 97",
        "{X}.v = ({X}.v + {f}) % 16.0",
        "{X}.add({i} % 97)",
        "{X}.items.append({i} % 97)",
        "{X}.items = [{i} % 97]",
        "{X}.extra = {i} % 97",
    ),
}
# What is done where a list may be empty.
GUARDED = (
    ("{X}", "{X}.pop()"),
    ("len({X}) > 1", "{X}.pop(0)"),
    ("{X}", "{X}[{i} % len({X})] = {i} % 97"),
    ("{I} in {X}", "{X}.remove({I})"),
    ("{X}", "del {X}[-1]"),
)
UNPACKED = (
    ("il", "{0}, *{1} = [{i} % 97, {i} % 97, {i} % 97]"),
    ("li", "*{0}, {1} = [*{Ll}, {i} % 97]"),
    ("ifb", "({0}, {1}), {2} = ({i} % 97, {f} % 16.0), {b}"),
    ("if", "{0}, {1} = {Zz}"),
    ("ii", '{0}, {1} = {Dd}["a"], {Dd}["b"]'),
)
# Of copies, since a list may grow in the loop over it.
ITERABLES = (
    ("i", "{Ll}[:4]"),
    ("i", "list({Ll})"),
    ("i", "[*{Dd}.values()]"),
    ("ii", "enumerate({Ll}.copy())"),
    ("if", "zip({Ll}, {A})"),
    ("i", "reversed({Ll})"),
    ("i", "sorted({Ll})"),
    ("i", "{Oo}.items[-3:]"),
)


def assign(w: Writer) -> None:
    """A thing of its own for a name."""
    kind = w.pick(KINDS)
    w.assign(w.target(kind), w.expression(kind))


def alias(w: Writer) -> None:
    """Two names for one thing."""
    kind = w.pick("ldo")
    w.assign(w.target(kind), w.name(kind))


def change(w: Writer) -> None:
    """What changes a list, dict or object in place."""
    kind = w.pick("lldo")
    name = w.name(kind)
    if name == grammar.FALLBACK[kind]:
        return assign(w)
    if kind == "l" and w.chance(30):
        test, action = w.pick(GUARDED)
        number = w.name("i")
        w.emit(f"if {w.fill(test, X=name, I=number)}:")
        with w.nested("if"):
            w.emit(w.fill(action, X=name, I=number))
        return None
    return w.emit(w.fill(w.pick(CHANGES[kind]), X=name))


def unpack(w: Writer) -> None:
    """Names from one list or tuple, some of them starred."""
    kinds, template = w.pick(UNPACKED)
    targets = [w.target(kind) for kind in kinds]
    fixed = {str(index): target for index, target in enumerate(targets)}
    w.emit(w.fill(template, 2, **fixed))
    w.define(*targets)


def closure(w: Writer) -> None:
    """A function that changes a variable of the one around it, called at once."""
    names = [name for name in grammar.POOL["i"] if name in w.definite]
    if not names or w.yields:
        return assign(w)
    shared, name = w.pick(names), f"g{len(w.lines)}"
    w.emit(f"def {name}(v, by={w.expression('i', 1)}):")
    with w.nested("def"):
        w.emit(f"nonlocal {shared}")
        w.emit(f"{shared} = ({shared} + v * by) % 97")
        w.emit(f"return {shared} - v")
    calls = f"{name}({w.expression('i', 1)}) - {name}({w.expression('i', 1)}, by=2)"
    return w.assign(w.target("i"), f"({calls}) % 97")


def delete(w: Writer) -> None:
    """A name that is gone on one path."""
    names = sorted(name for name in w.definite if name[0] in "lduz")
    if w.inside or not names:
        return assign(w)
    name = w.pick(names)
    w.emit(f"if {w.expression('t')}:")
    with w.nested("if"):
        w.emit(f"del {name}")
    w.definite.discard(name)
    return None


STATEMENTS: tuple[tuple[Callable[[Writer], None], int], ...] = (
    (assign, 5),
    (alias, 1),
    (change, 7),
    (unpack, 2),
    (closure, 1),
    (delete, 1),
)
