"""Characters: a loop that only asks what characters are asks numbers.

`s[i] == t[j]`, `c in "aeiou"`, `ord(c)`, `c.isdigit()`: each makes a text of one
character, of which machine code knows nothing. Where a text is there before a loop, an
array of its code points is read in its place, and compared as numbers. What the loop
keeps of characters, one or a list of them, is kept as numbers, and made texts behind
it. A loop that does more with its characters stays as it is.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from runtime.graph import Graph, Node, Value
from runtime.ops.basic import WEAK_INT
from runtime.ops.characters import char_text, char_texts
from runtime.ops.template import Input
from runtime.passes.character_steps import NUMBERS, TEXTS, Steps, is_text
from runtime.passes.prune import prune
from runtime.passes.rewrite import renamed, with_inputs
from runtime.spec import ListSpec, object_type
from runtime.structs import replace

# What may have a text in it, since it is made where Python is told something.
TELLS = frozenset({"print", "raise", "assert"})
# How often a loop is begun anew since what it keeps is not what was supposed.
MOST_TRIES = 8


def characters(graph: Graph) -> Graph:
    """`graph` with numbers in place of characters, in the loops that allow it."""
    scope = _Scope(graph)
    scope.run(False)
    return scope.made(())


class _Scope(Steps):
    """A graph that is written anew."""

    def __init__(self, graph: Graph, parent: _Scope | None = None) -> None:
        super().__init__(parent)
        self.graph = graph

    def run(self, rewrites: bool) -> None:
        """Its nodes; rewrites: with numbers in place of characters."""
        for node in self.graph.nodes:
            here = with_inputs(node, self.names)
            if node.graphs:
                self._around(here, rewrites)
                continue
            if rewrites and not node.in_try and self.replaced(here):
                continue
            if rewrites and node.op.name in TELLS:
                here = self._telling(here)
            self.nodes.append(here)
            if _is_maker(node):
                self.makers[node.outputs[0]] = here
            if _calls(node, list) and object_type(node.inputs[0].spec) in TEXTS:
                self.listed[node.outputs[0]] = node.inputs[0]

    def made(self, taken: tuple[Value, ...], more: tuple[Value, ...] = ()) -> Graph:
        """The graph.

        taken: values of the parent's that it is given beside
        more:  what it gives beside
        """
        given = [self.taken.get(value) or Value(value.spec) for value in taken]
        inputs = (*self.graph.inputs, *given)
        outputs = (*renamed(self.graph.outputs, self.names), *more)
        return replace(
            self.graph, inputs=inputs, nodes=tuple(self.nodes), outputs=outputs
        )

    def _telling(self, node: Node) -> Node:
        """What tells of a character makes a text of its number."""
        self.place = node.location
        inputs = list(node.inputs)
        for place, value in enumerate(inputs):
            is_one = object_type(value.spec) is str
            number = self.number_of(value) if is_one else None
            if number is not None:
                inputs[place] = self.emit(char_text, number)
        return replace(node, inputs=tuple(inputs))

    # Nodes with graphs.

    def _around(self, node: Node, rewrites: bool) -> None:
        """A node with graphs, which take what their nodes need of this scope."""
        if node.op.name not in ("while", "if"):
            scopes = [_Scope(graph) for graph in node.graphs]
            for scope in scopes:
                scope.run(False)
            graphs = tuple(scope.made(()) for scope in scopes)
            self.nodes.append(replace(node, graphs=graphs))
            return
        is_loop = node.op.name == "while"
        if rewrites:
            made, numbers, count = (_Loop if is_loop else _Branches)(self, node).tried()
            self.nodes.append(made)
            self.numbers |= numbers
            self.count += count
            return
        if is_loop:
            made, numbers, count = _Loop(self, node).tried()
            outputs = [v for v in made.outputs if v not in numbers]
            if count and _is_clean(made, tuple(outputs)):
                self.nodes.append(made)
                self._give_texts(node, numbers)
                return
        scopes = _scopes(self, node)
        for scope in scopes:
            scope.run(False)
        self.nodes.append(_with_taken(node, scopes))

    def _give_texts(self, node: Node, numbers: dict[Value, Value]) -> None:
        """Behind a loop: what it has kept as numbers, as texts."""
        self.place = node.location
        for value, number in numbers.items():
            op = char_texts if isinstance(value.spec, ListSpec) else char_text
            made = self.names[value] = self.emit(op, number)
            # Loops that follow have it as numbers still.
            self.numbers[made] = number
            if value in self.wide:
                self.wide.add(made)


# A node written anew, the numbers of its results, and how much is a number in it.
Tried = tuple[Node, dict[Value, Value], int]


class _Branches:
    """An `if`, whose results that are characters on both sides are numbers, too."""

    def __init__(self, scope: _Scope, node: Node) -> None:
        self.scope, self.node = scope, node

    def tried(self) -> Tried:
        """The `if`, written anew."""
        node, scopes = self.node, _scopes(self.scope, self.node)
        for scope in scopes:
            scope.run(True)
        numbers: dict[Value, Value] = {}
        more: list[tuple[Value, ...]] = []
        for place, value in enumerate(node.outputs):
            if not is_text(value.spec):
                continue
            ends = [scope.graph.outputs[place] for scope in scopes]
            pairs = zip(scopes, ends, strict=True)
            found = tuple(scope.number_of(end) for scope, end in pairs)
            if None in found:
                continue
            more.append(found)  # type: ignore[arg-type] # none is None
            numbers[value] = Value(_numbers_like(value))
            pairs = zip(scopes, ends, strict=True)
            if any(scope.is_wide(end) for scope, end in pairs):
                self.scope.wide.add(value)
        made = _with_taken(node, scopes, [*zip(*more, strict=True)])
        made = replace(made, outputs=(*node.outputs, *numbers.values()))
        return made, numbers, sum(scope.count for scope in scopes)


class _Loop:
    """A `while`, which carries numbers for the characters that it carries."""

    def __init__(self, scope: _Scope, node: Node) -> None:
        self.scope, self.node = scope, node

    def tried(self) -> Tried:
        """The loop, written anew: what it carries is what was supposed."""
        carried = self.node.attributes["carried"]
        # By the position, whether numbers may stand for none, or several characters.
        supposed: dict[int, bool] = {}
        for place, value in enumerate(self.node.inputs[:carried]):
            if is_text(value.spec) and self.scope.number_of(value) is not None:
                supposed[place] = self.scope.is_wide(value)
        for _ in range(MOST_TRIES):
            scopes, given = self._run(supposed)
            body = scopes[1]
            ends = body.graph.outputs
            found = {place: body.number_of(ends[place]) for place in supposed}
            kept = {
                place: is_wide or body.is_wide(ends[place])
                for place, is_wide in supposed.items()
                if found[place] is not None
            }
            if kept == supposed:
                return self._made(scopes, given, supposed)
            supposed = kept
        return self._made(*self._run({}), {})

    def _run(self, supposed: dict[int, bool]) -> tuple[list[_Scope], list[list[Value]]]:
        """The graphs, with inputs for the numbers of what is carried."""
        scopes, given = _scopes(self.scope, self.node), []
        for scope in scopes:
            own = []
            for place, is_wide in supposed.items():
                value = scope.graph.inputs[place]
                number = scope.numbers[value] = Value(_numbers_like(value))
                own.append(number)
                if is_wide:
                    scope.wide.add(value)
            given.append(own)
            scope.run(True)
        return scopes, given

    def _made(
        self,
        scopes: list[_Scope],
        given: list[list[Value]],
        supposed: dict[int, bool],
    ) -> Tried:
        node, carried = self.node, self.node.attributes["carried"]
        body = scopes[1]
        ends = [body.number_of(body.graph.outputs[place]) for place in supposed]
        found = tuple(end for end in ends if end is not None)
        made = _with_taken(node, scopes, [(), found])
        graphs = [
            replace(graph, inputs=_after(graph.inputs, carried, own))
            for graph, own in zip(made.graphs, given, strict=True)
        ]
        first = [self.scope.number_of(node.inputs[place]) for place in supposed]
        begin = [one for one in first if one is not None]
        numbers = {
            node.outputs[place]: Value(one.spec)
            for place, one in zip(supposed, found, strict=True)
        }
        for place, is_wide in supposed.items():
            if is_wide:
                self.scope.wide.add(node.outputs[place])
        made = replace(
            made,
            inputs=_after(made.inputs, carried, begin),
            attributes={**node.attributes, "carried": carried + len(begin)},
            outputs=(*node.outputs, *numbers.values()),
            graphs=tuple(graphs),
        )
        return made, numbers, sum(scope.count for scope in scopes)


def _numbers_like(value: Value) -> Any:
    return NUMBERS if isinstance(value.spec, ListSpec) else WEAK_INT


def _after(
    values: tuple[Value, ...], place: int, more: list[Value]
) -> tuple[Value, ...]:
    return (*values[:place], *more, *values[place:])


def _scopes(around: _Scope, node: Node) -> list[_Scope]:
    """The graphs of a node, to be written anew."""
    scopes = [_Scope(graph, around) for graph in node.graphs]
    captures = node.captures
    for scope in scopes:
        own = scope.graph.inputs[len(scope.graph.inputs) - len(captures) :]
        scope.outer = dict(zip(own, captures, strict=True))
    return scopes


def _with_taken(node: Node, scopes: list[_Scope], more: Any = ()) -> Node:
    """The node with its graphs: what one of them takes is passed to all.

    more: what each of them gives beside
    """
    taken = tuple(dict.fromkeys(value for one in scopes for value in one.taken))
    given = more or [()] * len(scopes)
    graphs = [
        scope.made(taken, tuple(own)) for scope, own in zip(scopes, given, strict=True)
    ]
    return replace(node, inputs=(*node.inputs, *taken), graphs=tuple(graphs))


def _is_maker(node: Node) -> bool:
    if node.op.name == "constant":
        return type(node.attributes["value"]) is str
    return node.op.name == "list_of" and is_text(node.outputs[0].spec)


def _calls(node: Node, function: Callable[..., Any]) -> bool:
    """Whether it calls this with its one input."""
    known = node.attributes
    return (
        node.op.name == "host_call"
        and known["function"] is function
        and known["args"] == (Input(0),)
        and not known["kwargs"]
    )


def _is_clean(node: Node, outputs: tuple[Value, ...]) -> bool:
    """Whether a loop makes nothing of texts, and asks them nothing."""
    inputs = tuple(dict.fromkeys(node.inputs))
    alone = prune(Graph("loop", inputs, (node,), outputs))
    return all(
        inner.graphs
        or inner.op.name in TELLS
        or not any(is_text(value.spec) for value in inner.inputs)
        for inner in alone.walk()
    )
