"""widening: sizes and numbers that differ from call to call become inputs of one trace.

The sizes of an array that are others in a second call are unknown in the trace that is
made for it. A Python number is a constant of the first two traces, and an input of the
third; a text is one of the fifth, and a long one at once. Where the function cannot be
traced so (a number is a size that NumPy must know), it is traced for the very values,
as before, and for good.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from typing import Any, TypeVar

from runtime.graph import Graph, Node
from runtime.shapes import Shape, join
from runtime.spec import ListSpec, TensorSpec, spec_of
from runtime.structs import replace, struct
from tracer import idle, only_python, tree
from tracer.forms import Unsettled
from tracer.only_python import IdleError
from tracer.parameters import Bound, Inputs, Parameters
from tracer.signature import Literal, Signature

Made = TypeVar("Made")
# Distinct numbers, and texts, that get a trace each.
MOST_NUMBERS, MOST_TEXTS = 2, 4
# Kinds of calls that are remembered.
MOST_KINDS = 1_000
# Characters that make a text data at once: what is shorter may be the name of a way.
LONG_TEXT = 32
# Numbers that may become inputs at once, where a trace for them takes too long.
MOST_INPUTS = 16
_NUMBERS = (int, float)
_MOST = {int: MOST_NUMBERS, float: MOST_NUMBERS, str: MOST_TEXTS, bytes: MOST_TEXTS}


class Widening:
    """What a Function has learned of the arguments that differ from call to call."""

    def __init__(self, inputs: Inputs) -> None:
        self.reduces = inputs.reduces
        self._static, self._dynamic = inputs.static, inputs.dynamic
        self._kinds: dict[Any, _Kind] = {}
        self._made: set[Signature] = set()
        self._idle: set[Any] = set()
        # Traces that were given up, and no wider one was to be had.
        self._given_up: Counter[Any] = Counter()

    def constants(self, parameters: Parameters, bound: Bound) -> list[Any]:
        """The arguments whose numbers and sizes are constants always."""
        if not self._static:
            return []
        named = parameters.named(*bound)
        return [given for name, given in named.items() if name in self._static]

    def note(self, signature: Signature) -> None:
        """A trace is needed for this signature."""
        if self.reduces:
            key = kind_of(signature)
            if len(self._kinds) >= MOST_KINDS:
                # Of objects that have gone, say.
                self._kinds.clear()
            self._kinds.setdefault(key, _Kind(signature)).note(signature)

    def widened(
        self, signature: Signature, parameters: Parameters
    ) -> Iterator[Signature]:
        """The signatures that a trace may be made for instead, the widest first."""
        kind = self._kinds.get(kind_of(signature)) if self.reduces else None
        if kind is None and not self._dynamic:
            return
        static: set[int] = set()
        dynamic: set[int] = set()
        if self._static or self._dynamic:
            for i, name in enumerate(_owners(parameters, signature)):
                static |= {i} if name in self._static else set()
                dynamic |= {i} if name in self._dynamic else set()
        tried = []
        for sizes, numbers in ((True, True), (True, False), (False, True)):
            made = _Wide(kind, sizes, numbers, static, dynamic).of(signature)
            refused = kind is not None and made in kind.refused
            if made != signature and made not in tried and not refused:
                tried.append(made)
                self._made.add(made)
                yield made

    def made(
        self,
        signature: Signature,
        is_new: bool,
        widened: Callable[[], Iterator[Signature]],
        trace: Callable[[Signature], Made],
    ) -> Made:
        """A trace for one of the wider signatures if it can be, else for this one.

        is_new: there is no trace for this signature yet
        IdleError: it computes of constants alone, and no wider one is to be had
        """

        def wider() -> Made | None:
            for wide in widened():
                try:
                    return trace(wide)
                except Unsettled:
                    raise
                except Exception:
                    # The trace for the values themselves says whether it is an error.
                    self.refuse(signature, wide)
            return None

        if is_new:
            self.note(signature)
            found = wider()
            if found is not None:
                return found
        if kind_of(signature) in self._idle:
            raise IdleError
        try:
            return trace(signature)
        except (IdleError, idle.PutOff) as error:
            # Past the `except`: what another trace raises was not raised from it.
            given_up = error.with_traceback(None)
        soon = isinstance(given_up, idle.PutOff)
        found = (self._wider_soon if soon else self._wider)(signature, wider)
        if found is None:
            raise given_up
        return found

    def _wider(
        self, signature: Signature, wider: Callable[[], Made | None]
    ) -> Made | None:
        """What a trace with the numbers as inputs gives, as one without is given up."""
        self._note_idle(signature)
        with only_python.again():
            found = wider()
        if found is None:
            self._given_up[_classes_of(signature)] += 1
        return found

    def _wider_soon(
        self, signature: Signature, wider: Callable[[], Made | None]
    ) -> Made | None:
        """The same, if that is made soon.

        One with objects is not tried: what they do, they do with the numbers as well.
        """
        kind, clock = self._kinds.get(kind_of(signature)), idle.clock()
        leaves = [leaf for leaf in signature.leaves if isinstance(leaf, Literal)]
        are_few = kind is not None and sum(map(bool, kind.numbers)) <= MOST_INPUTS
        if kind is None or clock is None or not clock.spent or not are_few:
            return None
        if any(leaf.is_weak for leaf in leaves) or kind.are_data:
            return None
        clock.try_wider()
        kind.are_data, found = True, None
        try:
            with only_python.again():
                found = wider()
        finally:
            kind.are_data = found is not None
        return found

    def given_up(self, signature: Signature) -> int:
        """How often a trace for other objects of these classes was given up."""
        return self._given_up[_classes_of(signature)] if self._given_up else 0

    def _note_idle(self, signature: Signature) -> None:
        """A trace for these very numbers computes of constants alone: they are data."""
        key = kind_of(signature)
        self._idle.add(key)
        kind = self._kinds.get(key)
        if kind is not None and sum(map(bool, kind.numbers)) <= MOST_INPUTS:
            kind.are_data = True

    def is_wide(self, signature: Signature) -> bool:
        """Whether the signature is one of these, or has a list of any length."""
        made = replace(signature, form=0) in self._made
        return made or any(type(leaf) is ListSpec for leaf in signature.leaves)

    def refuse(self, signature: Signature, wide: Signature) -> None:
        """No trace is to be had for `wide`, which was made of `signature`."""
        kind = self._kinds.get(kind_of(signature))
        if kind is not None:
            kind.refused.add(wide)


def _owners(parameters: Parameters, signature: Signature) -> Iterator[str]:
    """For each leaf of the arguments the parameter that it belongs to."""
    args, kwargs = tree.unflatten(signature.structure, signature.leaves)
    for name, given in parameters.named(args, kwargs).items():
        yield from [name] * len(tree.paths(given))


def kind_of(signature: Signature) -> Any:
    """What signatures have in common that may get one trace."""
    leaves = tuple(map(_leaf_kind, signature.leaves))
    aliases, orders, wholes = signature.aliases, signature.orders, signature.wholes
    return signature.structure, leaves, aliases, signature.scalars, orders, wholes


def _classes_of(signature: Signature) -> Any:
    """What signatures have in common that differ in their objects and numbers."""
    leaves = (
        type(leaf.content) if isinstance(leaf, Literal) else _leaf_kind(leaf)
        for leaf in signature.leaves
    )
    return signature.structure, *leaves


def _leaf_kind(leaf: TensorSpec | Literal) -> Any:
    if isinstance(leaf, Literal):
        kind = type(leaf.content)
        return kind if kind in _MOST else leaf
    return (leaf.dtype, leaf.rank, leaf.weak) if type(leaf) is TensorSpec else leaf


# What writes into an array, and what gives a view or a copy by how one lies in memory.
_WRITES = frozenset("store write_through ufunc_at with_part put_along_axis".split())
_BY_LAYOUT = frozenset({"reshape", "ravel"})


def needs_values(graph: Graph) -> bool:
    """Whether a graph, as it was traced, holds only for the very sizes and numbers.

    What a function without an op gives was found by trials; whether a reshaped array is
    a view, which a later write tells, depends on sizes.
    """
    nodes = list(graph.walk())
    tried = (node for node in nodes if node.op.name == "host_call")
    return any(map(_has_arrays, tried)) or _may_write_reshaped(graph, nodes)


def _may_write_reshaped(graph: Graph, nodes: Sequence[Node]) -> bool:
    """Whether a reshaped array, or what it is of, may be written to afterwards."""
    others = {
        value for node in nodes if node.op.name != "copy" for value in node.inputs
    }
    inner = [one for node in nodes for one in node.graphs]
    others.update(value for one in (graph, *inner) for value in one.outputs)
    at = last = -1
    for place, node in enumerate(graph.nodes):
        inside = [node, *(below for one in node.graphs for below in one.walk())]
        if any(below.op.name in _WRITES for below in inside):
            last = place
        found = [below for below in inside if below.op.name in _BY_LAYOUT]
        # What is only copied may as well be a copy.
        if at < 0 and any(others.intersection(below.outputs) for below in found):
            at = place
    return 0 <= at <= last


def _has_arrays(node: Node) -> bool:
    specs = (value.spec for value in (*node.inputs, *node.outputs))
    return any(type(spec) is TensorSpec and spec.shape != () for spec in specs)


class _Kind:
    """What has differed among the signatures of one kind."""

    def __init__(self, first: Signature) -> None:
        self.shapes: list[Shape] = [
            leaf.shape if isinstance(leaf, TensorSpec) else () for leaf in first.leaves
        ]
        self.numbers: list[set[Literal]] = [set() for _ in first.leaves]
        self.refused: set[Signature] = set()
        self.are_data = False

    def note(self, signature: Signature) -> None:
        """A further signature."""
        for i, leaf in enumerate(signature.leaves):
            if isinstance(leaf, TensorSpec):
                self.shapes[i] = join(self.shapes[i], leaf.shape)
            elif len(self.numbers[i]) <= _MOST.get(type(leaf.content), 0):
                self.numbers[i].add(leaf)


@struct
class _Wide:
    """Which leaves are wider than in a signature."""

    kind: _Kind | None
    sizes: bool
    numbers: bool
    static: set[int]
    dynamic: set[int]

    def of(self, signature: Signature) -> Signature:
        """The wider signature; the same one where nothing is to be widened."""
        leaves = tuple(self._leaf(i, leaf) for i, leaf in enumerate(signature.leaves))
        pairs = zip(leaves, signature.leaves, signature.scalars, strict=True)
        # A Python number is no array.
        scalars = tuple(
            scalar or (leaf is not old and isinstance(old, Literal))
            for leaf, old, scalar in pairs
        )
        return replace(signature, leaves=leaves, scalars=scalars)

    def _leaf(self, i: int, leaf: TensorSpec | Literal) -> TensorSpec | Literal:
        if i in self.static:
            return leaf
        if isinstance(leaf, Literal):
            return spec_of(leaf.content) if self._is_input(i, leaf.content) else leaf
        if (
            self.kind is None
            or not self.sizes
            or None in (leaf.shape, self.kind.shapes[i])
        ):
            return leaf
        return leaf.with_shape(join(self.kind.shapes[i], leaf.shape))

    def _is_input(self, i: int, number: Any) -> bool:
        kind = type(number)
        if kind is int and not -(2**63) <= number < 2**63:
            return False
        if i in self.dynamic:
            return kind in (*_MOST, complex, bool)
        if self.kind is None or not self.numbers or kind not in _MOST:
            return False
        if kind not in _NUMBERS and len(number) >= LONG_TEXT:
            return True
        return self.kind.are_data or len(self.kind.numbers[i]) > _MOST[kind]
