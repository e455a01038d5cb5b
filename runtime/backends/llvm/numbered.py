"""numbered: a program as plain words, with its steps and variables by their numbers.

Two programs of which the words are the same are the same to whatever lowers them: the
words hold each step's op, its attributes, by content, what it is given and gives, and
all that the passes have said of it. What has no word (an object, a generator, a
function of the user's) makes that the whole program has none; but of what stands around
the steps that are lowered, where nobody looks at it, the words say that it has none.
The numbers are those of the walk, so they mean the same in each program of these words.
"""

from __future__ import annotations

import builtins
import marshal
import sys
from collections.abc import Callable
from operator import attrgetter
from typing import Any

import numpy as np

from runtime.backends.llvm.span import Span
from runtime.backends.numpy.program import Body, Step, Variable
from runtime.effects import World
from runtime.graph import Node
from runtime.op import OPS
from runtime.spec import ListSpec, ObjectSpec, TensorSpec
from runtime.structs import field_names
from runtime.table_spec import TableSpec

# Of this version of marshal's each thing has one form, whoever else holds it.
VERSION = 2
# Bytes of an array that are words: more take longer than lowering.
MOST_BYTES = 2**16
# Steps of a program that are words.
MOST_STEPS = 2000
# The word of what has none.
NONE = ("none",)
# What a step says of itself beside its variables.
_said = attrgetter(
    *("in_place", "outlives", "in_order", "there"),
    *("moved", "overlaps", "lent", "of_part", "turns_back", "shown"),
)


class Unnamed(Exception):
    """Something in a program has no word; says what."""


class Numbered:
    """The words of a program, and its variables, steps and bodies by their numbers.

    root: the outermost body
    span: the steps that are lowered
    """

    def __init__(self, root: Body, span: Span) -> None:
        self._span = span
        # Whether the steps at hand are lowered, and which variables have no words.
        self._is_inside = False
        self._unnamed = set[int]()
        self.variables: list[Variable] = []
        self.steps: list[Step] = []
        self.bodies: list[Body] = []
        self._variables: dict[Variable, int] = {}
        self._steps: dict[Step, int] = {}
        self._bodies: dict[Body, int] = {}
        self._specs: list[Any] = []
        # The variables that no step gives.
        self._entering: list[Variable] = []
        self._words = self._body(root)
        self._is_inside = True

    def words(self) -> bytes:
        """All that tells the program from others."""
        stored = [
            (at, self.step(step.stored))
            for at, step in enumerate(self.steps)
            if step.stored is not None
        ]
        entering = [(one.index, self.body(one.home)) for one in self._entering]
        constant = bytes(one.constant for one in self.variables)
        found = self._words, self._specs, stored, entering, constant
        return marshal.dumps(found, VERSION)

    def variable(self, one: Variable) -> int:
        """The number of a variable; of one that is new it is the next."""
        found = self._variables.get(one)
        if found is None:
            if one.index >= 0:
                raise Unnamed("a variable of another program")
            self._entering.append(one)
            found = self._new(one)
        if self._is_inside and found in self._unnamed:
            raise Unnamed(f"a variable {one!r}")
        return found

    def step(self, one: Step) -> int:
        """The number of a step. Unnamed: it is of another program."""
        found = self._steps.get(one)
        if found is None:
            raise Unnamed("a step of another program")
        return found

    def body(self, one: Body) -> int:
        """The number of a body. Unnamed: it is of another program."""
        found = self._bodies.get(one)
        if found is None:
            raise Unnamed("a body of another program")
        return found

    def _new(self, one: Variable) -> int:
        number = self._variables[one] = len(self.variables)
        self.variables.append(one)
        spec = one.spec
        try:
            word = _tensor(spec) if type(spec) is TensorSpec else word_of(spec)
        except Unnamed:
            if self._is_inside:
                raise
            word = NONE
            self._unnamed.add(number)
        self._specs.append(word)
        return number

    # Words.

    def _body(self, body: Body) -> Any:
        self._bodies[body] = len(self.bodies)
        self.bodies.append(body)
        if body is not self._span.body:
            steps = [*map(self._step, body.steps)]
        else:
            first, stop = self._span.first, self._span.stop
            steps = [*map(self._step, body.steps[:first])]
            self._is_inside = True
            steps += map(self._step, body.steps[first:stop])
            self._is_inside = False
            steps += map(self._step, body.steps[stop:])
        return steps, [*map(self.variable, body.outputs)]

    def _step(self, step: Step) -> Any:
        self._steps[step] = len(self.steps)
        self.steps.append(step)
        if len(self.steps) > MOST_STEPS:
            raise Unnamed("a long program")
        node, variable = step.node, self.variable
        given = [*map(variable, step.inputs)]
        if step.into is not None:
            given.append(variable(step.into))
        if step.carried or step.bodies or step.copied:
            carried = [*map(variable, step.carried)]
            inside = carried, sorted(step.copied), [*map(self._body, step.bodies)]
        else:
            inside = None
        first = len(self.variables)
        for one in step.outputs:
            self._new(one)
        made = first, len(step.outputs)
        words = self._node(node)
        # What is inside has a word, or there are none at all.
        if not self._is_inside and node.op.name == "constant":
            if any(one is NONE for _, one in words[1]):
                self._unnamed.add(first)
        said = node.into, step.into is None, _said(step)
        return words, said, given, inside, made

    def _node(self, node: Node) -> Any:
        name, known = node.op.name, node.attributes
        if OPS.get(name) is not node.op:
            raise Unnamed(f"an op {name}")
        word = word_of if self._is_inside else _word_or_none
        words = [(key, word(one)) for key, one in known.items()] if known else None
        if not (node.effects or node.graphs or node.guards):
            return name, words
        effects = []
        for effect in node.effects:
            if self._is_inside and not isinstance(effect.what, World):
                raise Unnamed(f"an effect on {effect.what!r}")
            effects.append(effect.kind)
        return name, words, sorted(effects), len(node.graphs), len(node.guards)


def _word_or_none(thing: Any) -> Any:
    try:
        return word_of(thing)
    except Unnamed:
        return NONE


# --- content --------------------------------------------------------------------------
def word_of(thing: Any) -> Any:
    """Plain values that tell it from all else. Unnamed: there are none."""
    kind = type(thing)
    if kind in _PLAIN:
        return thing
    write = _WORDS.get(kind)
    if write is not None:
        return write(thing)
    if isinstance(thing, np.ufunc):
        return _ufunc(thing)
    if isinstance(thing, np.dtype):
        return _dtype(thing)
    if isinstance(thing, np.generic):
        return "number", _dtype(thing.dtype), thing.tobytes()
    names = field_names(kind) if kind.__module__.startswith("runtime.") else None
    if names is not None:
        return _struct(thing, names)
    raise Unnamed(f"a {kind.__name__}")


def _dtype(dtype: np.dtype[Any]) -> Any:
    if dtype.kind not in "biufcSUmM" or dtype.metadata:
        raise Unnamed(f"dtype {dtype}")
    # Two dtypes of one size may differ in their loops.
    return "dtype", dtype.char, dtype.str


def _array(array: np.ndarray[Any, Any]) -> Any:
    if array.nbytes > MOST_BYTES:
        raise Unnamed("a large array")
    where = array.strides, array.flags.aligned, array.flags.writeable
    return "array", _dtype(array.dtype), array.shape, where, array.tobytes()


def _ufunc(function: np.ufunc) -> Any:
    if getattr(np, function.__name__, None) is not function:
        raise Unnamed(f"a ufunc {function.__name__}")
    return "ufunc", function.__name__


def _type(kind: type) -> Any:
    for home in (builtins, np):
        if getattr(home, kind.__name__, None) is kind:
            return "type", home.__name__, kind.__name__
    raise Unnamed(f"class {kind.__name__}")


def _struct(thing: Any, names: tuple[str, ...]) -> Any:
    """One of our own, by its fields. Unnamed: it has something else, too."""
    kind = type(thing)
    if getattr(thing, "__dict__", {}).keys() - {*names}:
        raise Unnamed(f"a {kind.__name__}")
    fields = [(name, word_of(getattr(thing, name))) for name in names]
    return "struct", kind.__module__, kind.__qualname__, fields


def _function(function: Any) -> Any:
    """A function of a library in C, or NumPy's own, which has this name there."""
    home, name = str(getattr(function, "__module__", "")), function.__name__
    is_theirs = home.split(".")[0] in ("math", "cmath", "builtins", "numpy")
    if not is_theirs or getattr(sys.modules.get(home), name, None) is not function:
        raise Unnamed(f"a function {name}")
    return "function", home, name


def _tensor(spec: TensorSpec) -> Any:
    dtype = _NUMBERS.get(id(spec.dtype)) or word_of(spec.dtype)
    kinds = word_of(spec.kinds) if spec.kinds else ()
    return "tensor", spec.shape, dtype, spec.weak, kinds


# Of numbers there is one dtype each, as a rule, which is always there.
_NUMBERS = {id(np.dtype(char)): _dtype(np.dtype(char)) for char in "?bhilqBHILQfdFD"}
_PLAIN = frozenset({int, float, bool, complex, str, bytes, type(None), type(...)})
_WORDS: dict[type, Callable[[Any], Any]] = {
    tuple: lambda some: ("tuple", *map(word_of, some)),
    list: lambda some: ("list", *map(word_of, some)),
    dict: lambda some: ("dict", *((word_of(a), word_of(b)) for a, b in some.items())),
    slice: lambda part: ("slice", *map(word_of, (part.start, part.stop, part.step))),
    np.ndarray: _array,
    **dict.fromkeys((type(len), type(np.mean), type(_function)), _function),
    type: _type,
    TensorSpec: _tensor,
    ListSpec: lambda spec: ("list of", word_of(spec.item)),
    TableSpec: lambda spec: ("table",),
    ObjectSpec: lambda spec: ("object", _type(spec.kind)),
}
