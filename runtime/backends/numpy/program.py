"""The graph as one nested program: what a capture stands for, and what is used last.

Sub-graphs are closed, each with values of its own. Here a capture and the outer value
that it brings in become one Variable, so that a use inside a loop counts as a use of
the outer value. Bodies nest as the generated Python's blocks will.
"""

from __future__ import annotations

from collections import Counter

from runtime.graph import Graph, Node
from runtime.spec import TensorSpec
from runtime.structs import field, struct


class Variable:
    """A value of the flat program, and the Python name or literal that it gets.

    home:  the body that defines it; it is a variable of the whole body
    index: the position of the step that defines it; -1 for what enters the body
    name:  set when the text is written
    """

    __slots__ = ("constant", "home", "index", "name", "spec")

    def __init__(self, spec: TensorSpec, home: Body, index: int) -> None:
        self.spec = spec
        self.home = home
        self.index = index
        self.name = ""
        self.constant = False

    def __repr__(self) -> str:
        return f"<variable {self.name or '?'}: {self.spec!r}>"


@struct(eq=False, frozen=False)
class Step:
    """One node in its place: variables for its values, bodies for its sub-graphs.

    in_place: a store that may write into its input's memory, or a change of a list
              that may be made in the list itself
    carried:  the variables that change: a loop's, or a recursive function's parameters
    copied:   positions of carried values that are copied before the loop, so that the
              stores in it may run in place
    outlives: what it reads of a Variable may be met outside, so it is to be a copy
    into:     whose memory the result of a ufunc is written into, one in place as well
    in_order: it is written there only where that lies in C order, without gaps, since
              what NumPy makes of it does so then
    stored:   the store after it, where its result is written into that store's place
    there:    a store of what has been written there already
    overlaps: what is stored may lie in the memory where it is stored
    moved:    a store into all of an array that is the content itself instead
    lent:     a store of a part that a recursion was given, and may have changed there
    of_part:  it gives a part of an array, in whose memory that lies
    turns_back: it gives again the array that a view is one of: `x.T.T`
    shown:    a view that may be a copy, by which an input is written where it lies
    written:  the places of the inputs in whose memory its results are written
    """

    node: Node
    inputs: list[Variable]
    outputs: list[Variable] = field(default_factory=list)
    bodies: list[Body] = field(default_factory=list)
    carried: list[Variable] = field(default_factory=list)
    in_place: bool = False
    copied: set[int] = field(default_factory=set)
    outlives: bool = False
    into: Variable | None = None
    in_order: bool = False
    stored: Step | None = None
    there: bool = False
    moved: bool = False
    overlaps: bool = False
    lent: bool = False
    of_part: bool = False
    turns_back: bool = False
    shown: bool = False
    written: frozenset[int] = frozenset()


@struct(eq=False, frozen=False)
class Body:
    """A graph, a branch, a loop's test or a loop's body, as steps.

    last_use: for each variable the position of the last step that uses it; the number
              of steps for an output
    kept:     what the surrounding loop needs again: it stays alive to the body's end
    """

    parent: Body | None = None
    position: int = 0
    steps: list[Step] = field(default_factory=list)
    outputs: list[Variable] = field(default_factory=list)
    last_use: dict[Variable, int] = field(default_factory=dict)
    kept: frozenset[Variable] = frozenset()
    results: Counter[Variable] = field(default_factory=Counter)


def flatten(graph: Graph) -> tuple[Body, list[Variable]]:
    """The program of a whole graph, and the variables of its inputs."""
    body = Body()
    inputs = [Variable(value.spec, body, -1) for value in graph.inputs]
    _fill(body, graph, inputs)
    return body, inputs


def release(body: Body) -> None:
    """Let go of what a body holds, which refers to it: a cycle is collected late."""
    for step in body.steps:
        for inner in step.bodies:
            release(inner)
    body.steps.clear()
    body.outputs.clear()
    body.last_use.clear()
    body.results.clear()
    body.kept = frozenset()


def _fill(body: Body, graph: Graph, inputs: list[Variable]) -> None:
    """Give `body` the steps of `graph`, whose inputs are the variables `inputs`."""
    known = dict(zip(graph.inputs, inputs, strict=True))
    for position, node in enumerate(graph.nodes):
        step = Step(node, [known[value] for value in node.inputs])
        body.steps.append(step)
        for variable in step.inputs:
            body.last_use[variable] = position
        if node.graphs:
            _NESTED[node.op.name](body, position, step)
        for value in node.outputs:
            made = known[value] = Variable(value.spec, body, position)
            step.outputs.append(made)
    body.outputs = [known[value] for value in graph.outputs]
    body.results = Counter(body.outputs)
    for variable in body.outputs:
        body.last_use[variable] = len(body.steps)


def _branches(body: Body, position: int, step: Step) -> None:
    for graph in step.node.graphs:
        branch = Body(body, position)
        _fill(branch, graph, step.inputs[1:])
        step.bodies.append(branch)


def _loop(body: Body, position: int, step: Step) -> None:
    test, again = Body(body, position), Body(body, position)
    count = step.node.attributes["carried"]
    captured = step.inputs[count:]
    step.carried = [Variable(value.spec, again, -1) for value in step.inputs[:count]]
    # The body's own inputs say more than the first values do: they hold every turn's.
    for variable, value in zip(step.carried, step.node.graphs[1].inputs, strict=False):
        variable.spec = value.spec
    for nested, graph in zip((test, again), step.node.graphs, strict=True):
        _fill(nested, graph, step.carried + captured)
        step.bodies.append(nested)
    test.kept = frozenset(step.carried + captured)
    again.kept = frozenset(captured)


def _recursion(body: Body, position: int, step: Step) -> None:
    # A Python function of its own, which sees nothing of what is around it.
    own = Body()
    (graph,) = step.node.graphs
    step.carried = [Variable(value.spec, own, -1) for value in graph.inputs]
    _fill(own, graph, step.carried)
    step.bodies.append(own)


def _attempt(body: Body, position: int, step: Step) -> None:
    inner = Body(body, position)
    _fill(inner, step.node.graphs[0], step.inputs)
    step.bodies.append(inner)


# The ops that hold sub-graphs: how theirs are entered.
_NESTED = {
    "if": _branches,
    "while": _loop,
    "recursion": _recursion,
    "try": _attempt,
}


def alive_after(
    variable: Variable, body: Body, position: int, ended: bool = False
) -> bool:
    """True when `variable` may be read after step `position` of `body` has run.

    ended: `body` is that of a try, which ends if the step does not fail: what is read
           by its handlers alone is not read
    """
    level: Body | None = body
    while level is not None:
        if level.last_use.get(variable, -1) > position or variable in level.kept:
            handled = ended and level is body.parent and variable not in level.kept
            if not handled or _read_by_others(variable, level, position):
                return True
        if variable.home is level:
            return False
        position, level = level.position, level.parent
    return False


def _read_by_others(variable: Variable, body: Body, position: int) -> bool:
    """True when something but the handlers of the try at `position` reads it later."""
    chosen, ended = body.steps[position].outputs[0], None
    for step in body.steps[position + 1 :]:
        if step.node.op.name == "equal" and step.inputs[0] is chosen:
            ended = step.outputs[0] if _is_zero(step.inputs[1]) else ended
        elif step.node.op.name == "if" and step.inputs[0] is ended:
            if variable in step.bodies[0].last_use:
                return True
        elif variable in step.inputs:
            return True
    return variable in body.outputs


def _is_zero(variable: Variable) -> bool:
    if variable.index < 0:
        return False
    node = variable.home.steps[variable.index].node
    return node.op.name == "constant" and str(node.attributes["value"]) == "0"


def is_last_to_fail(body: Body, position: int) -> bool:
    """True when a try's body ends well if the step at `position` does."""
    if body.parent is None:
        return False
    owner = body.parent.steps[body.position].node
    if owner.op.name != "try":
        return False
    guard = owner.attributes["guard"]
    return not any(
        effect.what is guard
        for step in body.steps[position + 1 :]
        for effect in step.node.effects
    )


def dead_for_good(variable: Variable, body: Body, position: int) -> bool:
    """True when no branch that runs after or beside this step reads `variable`."""
    if variable.home is body:
        return body.last_use.get(variable, -1) <= position
    level: Body | None = body
    while level is not None:
        # A use in the step that holds this body may be one in the other branch.
        if level.parent is variable.home:
            return level.parent.last_use.get(variable, -1) < level.position
        level = level.parent
    return False
