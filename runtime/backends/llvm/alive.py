"""alive: what going on from a step needs, so what an exit hands to Python."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import accumulate
from operator import itemgetter

from runtime.backends.llvm.loops import Array, Map, Value
from runtime.backends.llvm.span import Span, is_constant, is_text
from runtime.backends.numpy.program import Body, Step, Variable

# Steps, what is used beside them, and what they give in the end.
Leg = tuple[Sequence[Step], Sequence[Variable], Sequence[Variable]]


class Needs:
    """What the rest of a span needs, from any of its steps on.

    What is taken later on is kept for each body, so that an exit asks nothing of steps
    that come much later.
    """

    def __init__(self, span: Span) -> None:
        self.span = span
        self._later: dict[Body, _Later] = {}

    def at(
        self, body: Body, position: int, values: Mapping[Variable, Value | Map]
    ) -> list[Variable]:
        """The variables that the rest from this step on needs, each once."""
        found = _Handed(values)
        first = position  # what this step and later ones give is made by the rest
        while body is not self.span.body:
            rest = body, first, position, len(body.steps)
            found.add(self._taken(*rest, body.outputs))
            parent, step = _around(body)
            found.add(_used_beside(step, body))
            body, first, position = parent, body.position, body.position + 1
        rest = body, first, position, self.span.stop
        found.add(self._taken(*rest, self.span.outputs))
        return list(found.variables)

    def _taken(
        self,
        body: Body,
        first: int,
        position: int,
        stop: int,
        outputs: Sequence[Variable],
    ) -> list[Variable]:
        """What steps of a body take, and its end, that none from `first` on gives."""
        later = self._later.get(body)
        if later is None or later.position > position:
            later = self._later[body] = _Later(body)
        later.go_to(position)
        taken = (*later.taken_before(stop), *outputs)
        return [one for one in taken if one.home is not body or one.index < first]


class _Handed:
    """What is to be handed: what is made anew needs its own sources instead."""

    def __init__(self, values: Mapping[Variable, Value | Map]) -> None:
        self.values = values
        self.variables: dict[Variable, None] = {}
        self._seen = set[Variable]()

    def add(self, used: Sequence[Variable]) -> None:
        """These are used."""
        waiting = [*reversed(used)]
        while waiting:
            variable = waiting.pop()
            if variable in self._seen:
                continue
            self._seen.add(variable)
            if _is_made_anew(variable, self.values):
                waiting += reversed(variable.home.steps[variable.index].inputs)
            else:
                self.variables[variable] = None


class _Later:
    """What steps of a body take that was there before one of them.

    position: of that step, which goes on and on
    """

    def __init__(self, body: Body) -> None:
        self.body, self.position = body, 0
        self._inputs = [one for step in body.steps for one in step.inputs]
        counts = (len(step.inputs) for step in body.steps)
        self._ends = [0, *accumulate(counts)]
        # Of each place in the inputs where the variable is taken next; -1: nowhere.
        self._next = [-1] * len(self._inputs)
        self._first: dict[Variable, int] = {}
        for at in range(len(self._inputs) - 1, -1, -1):
            variable = self._inputs[at]
            self._next[at] = self._first.get(variable, -1)
            self._first[variable] = at
        made = {out for step in body.steps for out in step.outputs}
        # Where each variable that is there is taken next.
        self._alive = {v: at for v, at in self._first.items() if v not in made}

    def go_to(self, position: int) -> None:
        """Go on to a step."""
        for past in range(self.position, position):
            for at in range(self._ends[past], self._ends[past + 1]):
                if self._next[at] < 0:
                    del self._alive[self._inputs[at]]
                else:
                    self._alive[self._inputs[at]] = self._next[at]
            for out in self.body.steps[past].outputs:
                if out in self._first:
                    self._alive[out] = self._first[out]
        self.position = position

    def taken_before(self, stop: int) -> list[Variable]:
        """What is taken before a step, by when it is taken first."""
        end = self._ends[stop]
        found = [(at, one) for one, at in self._alive.items() if at < end]
        return [one for _, one in sorted(found, key=itemgetter(0))]


def way(span: Span, body: Body, position: int) -> Iterator[Leg]:
    """What is run from this step to the span's end, inner bodies first."""
    while body is not span.body:
        yield body.steps[position:], body.outputs, ()
        parent, step = _around(body)
        yield (), _used_beside(step, body), step.outputs
        body, position = parent, body.position + 1
    yield body.steps[position : span.stop], span.outputs, ()


def _around(body: Body) -> tuple[Body, Step]:
    """The body around one, and the step of it that this one belongs to."""
    parent = body.parent
    assert parent is not None, "a body of the span has one around it"
    return parent, parent.steps[body.position]


def _used_beside(step: Step, body: Body) -> list[Variable]:
    """What the step needs to go on behind a body of it."""
    used = step.inputs[len(step.carried) :] if step.carried else []
    # A test that is left half-way is asked once more.
    return [*used, *step.carried] if body is step.bodies[0] else used


def _is_made_anew(variable: Variable, values: Mapping[Variable, Value | Map]) -> bool:
    """Whether Python makes it itself, of what is handed: a view, a Map, a text."""
    value = values.get(variable)
    if isinstance(value, Array) and value.is_view:
        # What has been written into a part is handed as the part.
        made = variable.home.steps[variable.index] if variable.index >= 0 else None
        return made is not None and made.node.op.view
    if isinstance(value, Map) or is_constant(variable):
        return True
    return value is None and is_text(variable)
