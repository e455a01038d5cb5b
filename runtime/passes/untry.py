"""Untry: a `try` in a loop whose failures can be asked beforehand is a branch.

`try: y = 1 / x` asks whether x is 0, and goes on with the handler where it is. What may
fail then stands where nothing may catch it, so a loop around it can be machine code.
A try statement stays one where its handlers want the exception itself, or where what
they catch is not known beforehand.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from runtime.effects import FAILS_THERE, Effect
from runtime.graph import Graph, Node, Value
from runtime.ops.basic import constant
from runtime.ops.control import if_
from runtime.ops.elementwise import greater
from runtime.passes.failures import Maker, Test, Unknown, failures_of
from runtime.passes.raised_again import raised_again
from runtime.passes.rewrite import Names, renamed, with_graphs, with_inputs, with_nodes
from runtime.passes.tried import choice_of, ends_of, is_short, leaves
from runtime.structs import field, replace, struct

# Nodes that one statement may become.
MOST = 200

# Nodes, and what they give in the end.
Open = tuple[list[Node], tuple[Value, ...]]
# What follows the nodes of a body, by what stands for its values, and what was kept.
Rest = Callable[[Names, dict[int, Value]], Open]


def untry(graph: Graph) -> Graph:
    """`graph` with branches in place of such statements, in loops at every depth."""
    return _untry(graph, False)


def _untry(graph: Graph, in_loop: bool) -> Graph:
    nodes = []
    for node in graph.nodes:
        inside = in_loop or node.op.name == "while"
        nodes.append(with_graphs(node, [_untry(one, inside) for one in node.graphs]))
    names: Names = {}
    if in_loop:
        for place in range(-sum(one.op.name == "try" for one in nodes), 0):
            tries = [at for at, one in enumerate(nodes) if one.op.name == "try"]
            nodes = _without(nodes, tries[place], graph.outputs, names)
    return with_nodes(graph, nodes, names)


def _without(
    nodes: list[Node], at: int, outputs: Sequence[Value], names: Names
) -> list[Node]:
    """The nodes with branches in place of a `try`; themselves where it stays."""
    node = nodes[at]
    found = choice_of(nodes, at, outputs)
    if found is None:
        return nodes
    chosen, asked = found
    choice = nodes[chosen]
    attempt = _Attempt(node, choice)
    try:
        made, results = attempt.made()
    except Unknown:
        return nodes
    pairs = [*zip(choice.outputs, results, strict=True), *attempt.ends]
    if any(old.spec != new.spec for old, new in pairs):
        return nodes
    new = dict(pairs)
    names.update(new)
    between = [one for one in nodes[at + 1 : chosen] if one not in asked]
    after = [with_inputs(one, new) for one in nodes[chosen + 1 :]]
    return [*nodes[:at], *between, *made, *after]


@struct(eq=False, frozen=False)
class _Attempt:
    """A `try`, and the `if` behind it: what is done where it fails, and where not.

    raises: the handlers leave, so what follows stands behind them, and in no branch
    ends: what the end of the body gives to others then, and what stands for it
    """

    node: Node
    choice: Node
    count: int = 0
    fails: bool = False
    effect: Effect = field(init=False)
    raises: bool = field(init=False)
    ends: list[tuple[Value, Value]] = field(default_factory=list)

    def made(self) -> Open:
        """The nodes in their place, and what stands for the results of the `if`."""
        node = self.node
        (body,) = node.graphs
        catches = [kind for kinds in node.attributes["catches"] for kind in kinds]
        if not (all(issubclass(kind, Exception) for kind in catches) or is_short(body)):
            raise Unknown
        self.effect = Effect("write", node.attributes["guard"])
        self.raises = leaves(self.choice.graphs[1])
        names = dict(zip(body.inputs, node.inputs, strict=True))
        nodes, results = self._steps(body.nodes, names, {}, self._ended)
        specs = [value.spec for value in self.choice.outputs]
        if self.fails or specs == [value.spec for value in results]:
            return nodes, results
        # It never fails so, and still its results are what the handlers give, too.
        make = Maker(node.location)
        never, failed = make.known(False), self._failed(1, {})
        made, results = self._either(never, failed, (nodes, results))
        return [*make.nodes, *made], results

    def _steps(
        self,
        nodes: Sequence[Node],
        names: Names,
        cells: dict[int, Value],
        rest: Rest,
    ) -> Open:
        """These nodes, and what follows."""
        made: list[Node] = []
        for at, node in enumerate(nodes):
            here = with_inputs(node, names)
            if self._keeps(here):
                cells = cells | dict(
                    zip(here.attributes["cells"], here.inputs, strict=True)
                )
                continue
            if here.op.name == "raise" and self.effect in here.guards:
                done, results = self._failed(self._raised(here), cells, here)
                return [*made, *done], results
            if self.effect not in here.effects:
                made.append(self._copied(here, node, names))
                continue
            later = nodes[at + 1 :]
            if here.op.name == "if":
                done, results = self._branches(here, node, names, cells, later, rest)
            else:
                done, results = self._asked(here, node, names, cells, later, rest)
            return [*made, *done], results
        done, results = rest(names, cells)
        return [*made, *done], results

    def _keeps(self, node: Node) -> bool:
        """Whether it keeps what the handlers are to find."""
        guard = self.node.attributes["guard"]
        return node.op.name == "checkpoint" and node.attributes["guard"] is guard

    def _branches(
        self,
        here: Node,
        node: Node,
        names: Names,
        cells: dict[int, Value],
        later: Sequence[Node],
        rest: Rest,
    ) -> Open:
        """A branch in the body, in which something fails: each has what follows."""
        if self.effect in here.guards:
            raise Unknown
        if self.raises:
            return self._in_place(here, node, names, cells, later, rest)
        sides = []
        for graph in here.graphs:

            def follow(
                inside: Names, kept: dict[int, Value], graph: Graph = graph
            ) -> Open:
                ends = renamed(graph.outputs, inside)
                after = names | dict(zip(node.outputs, ends, strict=True))
                return self._steps(later, after, kept, rest)

            inside = dict(zip(graph.inputs, here.inputs[1:], strict=True))
            sides.append(self._steps(graph.nodes, inside, cells, follow))
        return self._either(here.inputs[0], *sides)

    def _in_place(
        self,
        here: Node,
        node: Node,
        names: Names,
        cells: dict[int, Value],
        later: Sequence[Node],
        rest: Rest,
    ) -> Open:
        """The same, of handlers that leave: what follows stands behind the branch."""
        sides = []
        for graph in here.graphs:

            def ended(own: Names, kept: object, graph: Graph = graph) -> Open:
                if kept != cells:
                    raise Unknown
                return [], renamed(graph.outputs, own)

            inside = dict(zip(graph.inputs, here.inputs[1:], strict=True))
            sides.append(self._steps(graph.nodes, inside, cells, ended))
        made, ends = self._either(here.inputs[0], *sides)
        names.update(zip(node.outputs, ends, strict=True))
        others, results = self._steps(later, names, cells, rest)
        return [*made, *others], results

    def _asked(
        self,
        here: Node,
        node: Node,
        names: Names,
        cells: dict[int, Value],
        later: Sequence[Node],
        rest: Rest,
    ) -> Open:
        """What may fail, behind a branch for each way that a handler is there for."""
        failures = failures_of(here)
        caught: list[tuple[int, list[Test]]] = []
        others: list[Test] = []  # of what is raised before, and not caught
        for failure in failures:
            number = self._clause(failure.kind, failure.test is not None)
            if failure.test is not None and number:
                caught.append((number, [failure.test, *others]))
            elif failure.test is not None:
                others.append(failure.test)
        guards = here.guards - {self.effect}
        if len(caught) < len(failures) and not self._is_used(node):
            guards |= FAILS_THERE  # what no handler takes is raised, used or not

        def go_on(at: int) -> Open:
            if at == len(caught):
                plain = replace(here, guards=guards)
                first = self._copied(plain, node, names)
                made, results = self._steps(later, names, cells, rest)
                return [first, *made], results
            number, tests = caught[at]
            asked, test = _asked_of(tests, here)
            self._count(len(asked))
            then = self._failed(number, cells, here)
            if self.raises:
                left, _ = self._either(test, (then[0], ()), ([], ()))
                others, results = go_on(at + 1)
                return [*asked, *left, *others], results
            made, results = self._either(test, then, go_on(at + 1))
            return [*asked, *made], results

        return go_on(0)

    def _is_used(self, node: Node) -> bool:
        """Whether what a node gives is taken where it is."""
        (body,) = self.node.graphs
        graphs = [body, *(one for inner in body.walk() for one in inner.graphs)]
        taken = {v for one in graphs for inner in one.nodes for v in inner.inputs}
        taken.update(value for one in graphs for value in one.outputs)
        return not taken.isdisjoint(node.outputs)

    def _clause(self, kind: type[BaseException], is_exact: bool) -> int:
        """The number of the handler for what fails so; 0 for none.

        Unknown: one may be for it, and it cannot be asked beforehand
        """
        for number, kinds in enumerate(self.node.attributes["catches"], 1):
            if any(issubclass(kind, one) for one in kinds):
                if not is_exact:
                    raise Unknown
                return number
            if not is_exact and any(issubclass(one, kind) for one in kinds):
                raise Unknown
        return 0

    def _raised(self, node: Node) -> int:
        """The number of the handler for what the program raises itself."""
        error = node.attributes["exception"]
        kind = error if isinstance(error, type) else type(error)
        # What the user's own class does when one is made is done by each run.
        is_plain = issubclass(kind, Exception) and kind.__module__ == "builtins"
        number = is_plain and self._clause(kind, True)
        if not number:
            raise Unknown
        return number

    def _ended(self, names: Names, cells: dict[int, Value]) -> Open:
        """What follows where nothing has failed."""
        (body,) = self.node.graphs
        ends = renamed(body.outputs, names)
        if self.raises:
            self.ends = [*zip(ends_of(self.node), ends, strict=True)]
        return self._side(0, 0, cells, ends, {})

    def _failed(
        self, number: int, cells: dict[int, Value], failing: Node | None = None
    ) -> Open:
        """The handlers, of which the one of this number is to be run.

        failing: what has failed; None where the handlers are never run
        """
        self.fails = True
        of_run = self.node.outputs[1]
        error = Value(of_run.spec)
        made, results = self._side(1, number, cells, (), {of_run: error})
        if failing is not None:
            guards = failing.guards - {self.effect} | FAILS_THERE
            failing = replace(failing, guards=guards)
        return raised_again(made, results, error, failing), results

    def _side(
        self,
        side: int,
        number: int,
        cells: dict[int, Value],
        ends: Sequence[Value],
        caught: dict[Value, Value],
    ) -> Open:
        """A branch of the `if` behind the statement, in its place."""
        graph, make = self.choice.graphs[side], Maker()
        clause, _, *others = self.node.outputs
        count = len(self.node.attributes["cells"])
        known: Names = {clause: make(constant, value=number), **caught}
        known |= {others[at]: value for at, value in cells.items()}
        known |= dict(zip(others[count:], ends, strict=False))
        names = {}
        used = {*graph.outputs} | {v for one in graph.nodes for v in one.inputs}
        for inside, given in zip(graph.inputs, self.choice.inputs[1:], strict=True):
            if inside in used and given in self.node.outputs and given not in known:
                raise Unknown
            names[inside] = known.get(given, given)
        made = list(make.nodes)
        made += [self._copied(with_inputs(n, names), n, names) for n in graph.nodes]
        return made, renamed(graph.outputs, names)

    def _either(self, test: Value, then: Open, orelse: Open) -> Open:
        """A branch, whose sides take what they need."""
        sides = then, orelse
        needed: dict[Value, None] = {}
        for nodes, results in sides:
            own = {value for one in nodes for value in one.outputs}
            taken = [v for one in nodes for v in one.inputs] + [*results]
            needed.update((value, None) for value in taken if value not in own)
        graphs = tuple(
            _closed(name, side, [*needed])
            for name, side in zip(("then", "orelse"), sides, strict=True)
        )
        found = if_.infer(test.spec, *(value.spec for value in needed), graphs=graphs)
        specs = found if isinstance(found, tuple) else (found,)
        outputs = tuple(map(Value, specs))
        location = self.node.location
        node = Node(if_, (test, *needed), {}, outputs, graphs, location)
        return [node], outputs

    def _copied(self, here: Node, node: Node, names: Names) -> Node:
        """A node with results of its own, by which `names` knows those of `node`."""
        self._count(1 + sum(1 for graph in here.graphs for _ in graph.walk()))
        outputs = tuple(_like(value) for value in node.outputs)
        names.update(zip(node.outputs, outputs, strict=True))
        graphs = tuple(map(_again, here.graphs))
        return replace(here, outputs=outputs, graphs=graphs)

    def _count(self, more: int) -> None:
        self.count += more
        if self.count > MOST:
            raise Unknown


def _asked_of(tests: Sequence[Test], node: Node) -> tuple[list[Node], Value]:
    """The nodes that tell whether a node fails so, and what they tell.

    tests: of that, and of what it would raise instead
    """
    make = Maker(node.location)
    found, *others = (test(make, node) for test in tests)
    for other in others:
        found = make(greater, found, other)
    return make.nodes, found


def _closed(name: str, side: Open, needed: Sequence[Value]) -> Graph:
    """A graph of its own, whose inputs are these."""
    nodes, results = side
    inputs = tuple(map(_like, needed))
    names = dict(zip(needed, inputs, strict=True))
    own = tuple(with_inputs(one, names) for one in nodes)
    return Graph(name, inputs, own, renamed(results, names))


def _again(graph: Graph) -> Graph:
    """The same graph, with values of its own."""
    inputs = tuple(map(_like, graph.inputs))
    names: Names = dict(zip(graph.inputs, inputs, strict=True))
    nodes = []
    for node in graph.nodes:
        outputs = tuple(map(_like, node.outputs))
        here = with_inputs(node, names)
        nodes.append(
            replace(here, outputs=outputs, graphs=tuple(map(_again, here.graphs)))
        )
        names.update(zip(node.outputs, outputs, strict=True))
    return replace(
        graph, inputs=inputs, nodes=tuple(nodes), outputs=renamed(graph.outputs, names)
    )


def _like(value: Value) -> Value:
    made = Value(value.spec)
    made.name = value.name
    return made
