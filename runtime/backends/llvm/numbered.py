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
from collections import defaultdict
from collections.abc import Callable, Iterable
from functools import cached_property
from itertools import chain, count
from operator import attrgetter, is_not
from typing import Any

import numpy as np

from runtime.backends.llvm.span import Span
from runtime.backends.numpy.program import Body, Step, Variable
from runtime.effects import World
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
# What is asked of steps (of what is said by a bool, all that there is), of nodes,
# variables and specs.
_asked = attrgetter(
    *("node", "into", "inputs", "outputs"),
    *("in_place", "outlives", "in_order", "there"),
    *("moved", "overlaps", "lent", "of_part", "turns_back", "shown"),
)
_of_node = attrgetter("op", "attributes", "into", "effects", "guards")
_of_spec = attrgetter("shape", "dtype", "weak", "kinds")
_name, _spec, _graphs = attrgetter("name"), attrgetter("spec"), attrgetter("graphs")
_stored, _constant = attrgetter("stored"), attrgetter("constant")


class Unnamed(Exception):
    """Something in a program has no word; says what."""


class Numbered:
    """The words of a program, and its variables, steps and bodies by their numbers.

    Steps are gone through column by column: what is asked of all of them is asked in C.

    root: the outermost body
    span: the steps that are lowered
    """

    def __init__(self, root: Body, span: Span) -> None:
        self._span = span
        self.steps: list[Step] = []
        self.bodies: list[Body] = []
        self._numbers = _Numbers()
        self._number = self._numbers.__getitem__
        # Texts have numbers, too: each is written once.
        self._texts: defaultdict[str, int] = defaultdict(count().__next__)
        # The variables that the steps at hand give or are given.
        self._inside: list[int] = []
        # Of the variables of the rest, those that have no words.
        self._unnamed = set[int]()
        self._words = self._body(root, False)
        self.variables = [*self._numbers]
        self._specs = self._spec_words()
        if not self._unnamed.isdisjoint(self._inside):
            raise Unnamed("a variable")

    def words(self) -> bytes:
        """All that tells the program from others."""
        entering = [(one.index, self.body(one.home)) for one in self._entering()]
        constant = bytes(map(_constant, self.variables))
        found = self._words, self._specs, self._stored(), entering, constant
        return marshal.dumps((*found, [*self._texts]), VERSION)

    def variable(self, one: Variable) -> int:
        """The number of a variable; of one that enters and is new it is the next."""
        found = self._numbers.get(one)
        if found is None:
            found = self._number(one)
            self.variables.append(one)
            self._specs.append(word_of(one.spec))
        if found in self._unnamed:
            raise Unnamed(f"a variable {one!r}")
        return found

    def step(self, one: Step) -> int:
        """The number of a step. Unnamed: it is of another program."""
        return _place(self._step_numbers, one, "step")

    def body(self, one: Body) -> int:
        """The number of a body. Unnamed: it is of another program."""
        return _place(self._body_numbers, one, "body")

    @cached_property
    def _step_numbers(self) -> dict[Step, int]:
        return {one: at for at, one in enumerate(self.steps)}

    @cached_property
    def _body_numbers(self) -> dict[Body, int]:
        return {one: at for at, one in enumerate(self.bodies)}

    def _entering(self) -> list[Variable]:
        """The variables that no step gives."""
        return [one for one in self.variables if one.index < 0]

    def _stored(self) -> list[tuple[int, int]]:
        """Which steps have a store after them, where their result is written."""
        found = [*map(_stored, self.steps)]
        if not any(found):
            return []
        return [(at, self.step(one)) for at, one in enumerate(found) if one is not None]

    # Words.

    def _body(self, body: Body, is_inside: bool) -> Any:
        self.bodies.append(body)
        steps, span = body.steps, self._span
        if body is not span.body:
            words = [self._run(steps, is_inside)]
        else:
            words = [self._run(steps[: span.first], False)]
            words.append(self._run(steps[span.first : span.stop], True))
            words.append(self._run(steps[span.stop :], False))
        outputs = [*map(self._number, body.outputs)]
        if is_inside:
            self._inside += outputs
        return words, outputs

    def _run(self, steps: list[Step], is_inside: bool) -> Any:
        """The words of steps one after the other."""
        if not steps:
            return ()
        self.steps += steps
        if len(self.steps) > MOST_STEPS:
            raise Unnamed("a long program")
        nodes, into, given, outputs, *said = zip(*map(_asked, steps), strict=True)
        made = self._number_made(outputs)
        number = self._number
        taken = [*map(number, chain.from_iterable(given))]
        written = [None if one is None else number(one) for one in into]
        if is_inside:
            self._inside += (
                *made,
                *taken,
                *(one for one in written if one is not None),
            )
        counts = [*map(len, given)], [*map(len, outputs)]
        flags = [*map(bytes, said)]
        words = self._nodes(nodes, outputs, is_inside)
        nested = [
            (at, self._nested(steps[at], is_inside))
            for at, graphs in enumerate(map(_graphs, nodes))
            if graphs
        ]
        return len(steps), counts, taken, written, flags, words, nested

    def _number_made(self, outputs: Any) -> Iterable[int]:
        """The numbers of what steps give, which are the next ones."""
        found, first = [*chain.from_iterable(outputs)], len(self._numbers)
        numbers = range(first, first + len(found))
        self._numbers.update(zip(found, numbers, strict=True))
        if len(self._numbers) != numbers.stop:
            raise Unnamed("a variable that is made twice")
        return numbers

    def _nested(self, step: Step, is_inside: bool) -> Any:
        """What is said of a step with bodies."""
        carried = [*map(self._number, step.carried)]
        if is_inside:
            self._inside += carried
        words = [self._body(one, is_inside) for one in step.bodies]
        return carried, sorted(step.copied), words

    def _nodes(self, nodes: Any, outputs: Any, is_inside: bool) -> Any:
        ops, attributes, into, *effects = zip(*map(_of_node, nodes), strict=True)
        names = [*map(_name, ops)]
        if any(map(is_not, map(OPS.get, names), ops)):
            raise Unnamed("an op of another kind")
        text, word = self._texts.__getitem__, word_of if is_inside else _word_or_none
        said = []
        for at, known in enumerate(attributes):
            if known:
                words = [(text(key), word(one)) for key, one in known.items()]
                said.append((at, words))
                # What is inside has a word, or there are none at all.
                if not is_inside and names[at] == "constant":
                    if any(one is NONE for _, one in words):
                        self._unnamed.add(self._numbers[outputs[at][0]])
        done = self._effects(effects, is_inside) if any(map(any, effects)) else None
        return [*map(text, names)], said, into, done

    def _effects(self, effects: Any, is_inside: bool) -> Any:
        """What nodes do, and how many guards they have."""
        found = []
        for at, (does, guards) in enumerate(zip(*effects, strict=True)):
            if does or guards:
                for one in does if is_inside else ():
                    if not isinstance(one.what, World):
                        raise Unnamed(f"an effect on {one.what!r}")
                kinds = sorted(one.kind for one in does)
                found.append((at, kinds, len(guards)))
        return found

    def _spec_words(self) -> list[Any]:
        """What the variables are."""
        specs = [*map(_spec, self.variables)]
        if {*map(type, specs)} == {TensorSpec}:
            shapes, dtypes, weak, kinds = zip(*map(_of_spec, specs), strict=True)
            chars = [*map(_CHARS.get, map(id, dtypes))]
            if None not in chars and not any(kinds):
                return [*zip(shapes, chars, weak, strict=True)]
        found = []
        for at, spec in enumerate(specs):
            found.append(_word_or_none(spec))
            if found[-1] is NONE:
                self._unnamed.add(at)
        return found


class _Numbers(dict[Variable, int]):
    """Variables by their numbers: one that is new enters the program."""

    def __missing__(self, one: Variable) -> int:
        if one.index >= 0:
            raise Unnamed("a variable of another program")
        self[one] = found = len(self)
        return found


def _place(numbers: dict[Any, int], one: Any, kind: str) -> int:
    found = numbers.get(one)
    if found is None:
        raise Unnamed(f"a {kind} of another program")
    return found


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
    return "tensor", spec.shape, word_of(spec.dtype), spec.weak, word_of(spec.kinds)


# Of numbers there is one dtype each, as a rule, which is always there.
_CHARS = {id(np.dtype(char)): char for char in "?bhilqBHILQfdFD"}
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
