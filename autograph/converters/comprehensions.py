"""Comprehensions: `[f(v) for v in x if c]` says what it does with an item, as a step.

It becomes `ag__.list_comp(x, lambda comp, v: comp.if_(c, lambda: comp.yield_(f(v))))`,
which goes by the operators of for and if. A part that unpacks, that binds a name by
`:=` or that needs functions of its own is a def before the statement. Targets that a
function in the comprehension keeps are variables, as in Python, of a def around it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import gast

from autograph.converters import layout
from autograph.converters.context import Context, walrus_names
from autograph.converters.for_ import target_names
from autograph.syntax import expression, literal, statements

OPERATORS = {
    gast.ListComp: "list_comp",
    gast.SetComp: "set_comp",
    gast.DictComp: "dict_comp",
    gast.GeneratorExp: "generator_exp",
}


def convert(context: Context, node: Any) -> gast.expr:
    """A list, set or dict comprehension, or a generator expression."""
    if _is_async(node):
        return node
    iterable = context.expression(node.generators[0].iter)
    targets = _targets(node)
    kept = targets & context.analysis.kept(node)
    before = context.hidden
    context.hidden = before | targets
    try:
        if kept:
            return _in_own_scope(context, node, iterable, kept)
        return _call(context, node, iterable, frozenset())
    finally:
        context.hidden = before


def _is_async(node: Any) -> bool:
    """True for a generator expression that waits: it gives what only Python awaits."""
    if any(generator.is_async for generator in node.generators):
        return True
    return any(isinstance(part, gast.Await) for part in gast.walk(node))


def _targets(node: Any) -> frozenset[str]:
    """The names that are the comprehension's own."""
    each = (target_names(generator.target) for generator in node.generators)
    return frozenset().union(*each)


def _call(
    context: Context, node: Any, iterable: gast.expr, kept: frozenset[str]
) -> gast.expr:
    """The call that makes what the comprehension does."""
    shared = kept | walrus_names(node)
    step = _step(context, node, 0, shared)
    state: list[gast.expr] = []
    if shared:
        # The step sets them, and so knows their variables.
        parts = {"NAMES": literal(tuple(sorted(shared)), node), "STEP": step}
        state = [expression("ag__.state_of(NAMES, STEP)", node, **parts)]
    return expression(
        f"ag__.{OPERATORS[type(node)]}(ITERABLE, STEP, STATE)",
        node,
        ITERABLE=iterable,
        STEP=step,
        STATE=state,
    )


def _in_own_scope(
    context: Context, node: Any, iterable: gast.expr, kept: frozenset[str]
) -> gast.expr:
    """A def that has the kept targets as its variables, and its call."""
    name, items = context.fresh("comp_scope"), context.namer.fresh("items")
    own = [
        made
        for target in sorted(kept)
        for made in statements("name: ag__.local", node, name=target)
    ]

    def build() -> gast.expr:
        return _call(context, node, expression(items, node), kept)

    inside, value = _apart(context, build)
    context.prelude += statements(
        "def name(items):\n    OWN\n    BODY\n    return VALUE",
        node,
        name=name,
        items=items,
        OWN=own,
        BODY=inside,
        VALUE=value,
    )
    return expression("name(ITERABLE)", node, name=name, ITERABLE=iterable)


def _apart(
    context: Context, build: Callable[[], gast.expr]
) -> tuple[list[gast.stmt], gast.expr]:
    """An expression, and the functions that it needs, which belong where it is."""
    outer, context.prelude = context.prelude, []
    try:
        value = build()
        return context.prelude, value
    finally:
        context.prelude = outer


def _step(context: Context, node: Any, index: int, shared: frozenset[str]) -> gast.expr:
    """The function of the item of the `index`-th for."""
    generator = node.generators[index]
    target = generator.target
    first = [context.comp_name] if index == 0 else []
    tests = list(generator.ifs)
    plain = isinstance(target, gast.Name) and target.id not in shared
    item = target.id if plain else context.namer.fresh("item")
    taken = [] if plain else statements("X = item", target, X=target, item=item)
    return _function(
        context,
        target,
        [*first, item],
        lambda: _tests(context, node, index, tests, shared),
        shared,
        taken,
    )


def _tests(
    context: Context, node: Any, index: int, tests: list[Any], shared: frozenset[str]
) -> gast.expr:
    """What is done with an item: the tests left, the next for, or what is made."""
    comp = context.comp_name
    if tests:
        test, *others = tests
        return expression(
            "comp.if_(TEST, BODY)",
            test,
            comp=comp,
            TEST=context.expression(test),
            BODY=_function(
                context,
                test,
                [],
                lambda: _tests(context, node, index, others, shared),
                shared,
            ),
        )
    if index + 1 < len(node.generators):
        following = node.generators[index + 1].iter
        return expression(
            "comp.for_(ITERABLE, STEP)",
            following,
            comp=comp,
            ITERABLE=context.expression(following),
            STEP=_step(context, node, index + 1, shared),
        )
    made = [node.key, node.value] if isinstance(node, gast.DictComp) else [node.elt]
    values = [context.expression(part) for part in made]
    return expression("comp.yield_(VALUES)", made[0], comp=comp, VALUES=values)


def _function(
    context: Context,
    at: gast.AST,
    parameters: list[str],
    build: Callable[[], gast.expr],
    shared: frozenset[str],
    taken: Sequence[gast.stmt] = (),
) -> gast.expr:
    """A lambda, or a def before it where statements or bindings are needed."""
    inside, value = _apart(context, build)
    # A lambda reads what is shared, and binds none of it.
    if not (inside or taken or layout.bound([value]) & shared):
        text = "lambda PARAMETERS: VALUE" if parameters else "lambda: VALUE"
        given = {"PARAMETERS": parameters} if parameters else {}
        return expression(text, at, VALUE=value, **given)
    name = context.fresh("step")
    body = [*taken, *inside, *statements("return VALUE", at, VALUE=value)]
    context.prelude += context.define(name, body, at, shared, parameters)
    return expression(name, at)
