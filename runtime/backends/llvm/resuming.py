"""resuming: what remains of compiled steps from one of them on, as a graph of its own.

Machine code is left where it cannot go on as Python would. The rest of the innermost
body, what follows in the bodies around it, and the further turns of the loops become a
graph of what was alive there; the NumPy executor runs it.
"""

from __future__ import annotations

from collections.abc import Sequence

from runtime.backends.llvm.alive import way
from runtime.backends.llvm.span import Span, is_constant, is_inside, is_text
from runtime.backends.numpy.program import Body, Step, Variable
from runtime.graph import Graph, Node, Value
from runtime.structs import replace


def alone(span: Span, step: Step) -> tuple[Graph, dict[Node, Step]]:
    """One step as a graph of what it is given, and the steps that its nodes repeat."""
    rest = Rest(span, taken_by(span, step))
    rest.add(step)
    outputs = tuple(rest.known[variable] for variable in step.outputs)
    return Graph("step", rest.inputs, tuple(rest.nodes), outputs), rest.origins


def taken_by(span: Span, step: Step) -> list[Variable]:
    """What a step that is made alone is given, each once.

    It has constants itself, and makes texts of what they are made of.
    """
    found: dict[Variable, None] = {}
    waiting = [*reversed(step.inputs)]
    while waiting:
        variable = waiting.pop()
        if is_text(variable) and is_inside(span, variable):
            waiting += reversed(variable.home.steps[variable.index].inputs)
        elif not is_constant(variable):
            found[variable] = None
    return [*found]


class Rest:
    """The graph of the rest of a span, under construction.

    origins: for each node that was made the step that it repeats
    """

    def __init__(self, span: Span, handed: Sequence[Variable]) -> None:
        self.span = span
        self.known = {variable: Value(variable.spec) for variable in handed}
        self.inputs = tuple(self.known.values())
        self.nodes: list[Node] = []
        self.origins: dict[Node, Step] = {}

    def graph(self, body: Body, position: int) -> Graph:
        """The rest, from the step at `position` of `body` on."""
        for one in self._before(body, position):
            self.add(one)
        while body is not self.span.body:
            for one in body.steps[position:]:
                self.add(one)
            assert body.parent is not None
            self._end(body.parent.steps[body.position], body)
            body, position = body.parent, body.position + 1
        for one in body.steps[position : self.span.stop]:
            self.add(one)
        outputs = tuple(self.value(variable) for variable in self.span.outputs)
        return Graph("rest", self.inputs, tuple(self.nodes), outputs)

    def _before(self, body: Body, position: int) -> list[Step]:
        """What is made anew, in the program's order: later steps write over earlier."""
        found: dict[Variable, Step] = {}
        made: set[Variable] = {*self.known}

        def visit(used: Sequence[Variable]) -> None:
            for variable in used:
                if variable in made or variable in found:
                    continue
                step = variable.home.steps[variable.index]
                visit(step.inputs)
                found[variable] = step

        for steps, used, given in way(self.span, body, position):
            for step in steps:
                visit(step.inputs)
                made.update(step.outputs)
            visit(used)
            made.update(given)
        return sorted(found.values(), key=_place)

    def add(self, step: Step) -> None:
        """The step once more, of the values that it gets here."""
        inputs = tuple(self.value(variable) for variable in step.inputs)
        outputs = tuple(Value(variable.spec) for variable in step.outputs)
        node = replace(step.node, inputs=inputs, outputs=outputs)
        self.nodes.append(node)
        self.origins[node] = step
        self.known.update(zip(step.outputs, outputs, strict=True))

    def value(self, variable: Variable) -> Value:
        """What a variable is here: handed, made already, or made anew now."""
        if variable not in self.known:
            self.add(variable.home.steps[variable.index])
        return self.known[variable]

    def _end(self, step: Step, body: Body) -> None:
        """The body has ended: what the step that it is of goes on with."""
        ends = [self.value(variable) for variable in body.outputs]
        if step.node.op.name == "if":
            self.known.update(zip(step.outputs, ends, strict=True))
            return
        captures = [self.value(v) for v in step.inputs[len(step.carried) :]]
        if body is step.bodies[0]:
            # The loop begins with its test, which may well be asked twice.
            ends = [self.value(variable) for variable in step.carried]
        outputs = tuple(Value(variable.spec) for variable in step.outputs)
        node = replace(step.node, inputs=(*ends, *captures), outputs=outputs)
        self.nodes.append(node)
        self.known.update(zip(step.outputs, outputs, strict=True))


def _place(step: Step) -> list[int]:
    """Where a step stands, from the outermost body on."""
    (variable, *_), found = step.outputs, list[int]()
    found.append(variable.index)
    body = variable.home
    while body.parent is not None:
        found.insert(0, body.position)
        body = body.parent
    return found
