"""encoding: what leaves a trace: leaves that tell a call where to take them from."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from runtime.build import Slot, Trace, want_references
from runtime.errors import OnlyPythonError, StagingTypeError, located, with_notes
from runtime.graph import Value
from runtime.ops.placeholder import placeholder
from runtime.picked import Own, Pick, one_of
from runtime.spec import holds_objects
from runtime.tensor import Tensor, tensor_of_array
from tracer import caught, containers, plain, tree
from tracer.choice import Choice, all_options, tag_of, varying
from tracer.frozen import SPLIT
from tracer.list_objects import wholes
from tracer.marks import is_perhaps_locked
from tracer.places import AttributeSlot
from tracer.results import require_order
from tracer.rows import is_row, want_rows
from tracer.rows_made import rows_left
from tracer.traced import (
    Anew,
    Argument,
    Constant,
    Container,
    Copied,
    Leaf,
    Made,
    Output,
    Picked,
    Recipe,
    Shared,
)
from tracer.undefined import UNDEFINED, Maybe


class Encoder:
    """What leaves the trace, as leaves that tell a call where to take them from.

    positions: the argument leaf that each tensor, by id, was passed as
    passed:    the number of each of the arguments' containers, by id
    """

    def __init__(
        self,
        trace: Trace,
        positions: dict[int, int],
        passed: dict[int, int],
        slots: Sequence[Slot],
    ) -> None:
        self.outputs: list[Value] = []
        # Of places outside: one may be left without a value.
        self._places = self.once = False
        # Of objects that each call makes anew; None while one is being written.
        self.objects: list[Anew | None] = []
        self._indices: dict[int, int] = {}
        self._shared: dict[int, Any] = {}
        # The names that a loop may have given one thing, by its type, and whose name a
        # part of a choice is.
        self._split: dict[type, set[int]] = {}
        self._names: dict[int, int] = {}
        # The tensors among what is given back.
        self._returned: set[int] = set()
        self._created = trace.created
        self._stop = set(passed)
        if trace.python_effects == "run":
            # The user's own, which are what they are after the call.
            self._stop |= {*trace.holding, *(id(slot.holder()) for slot in slots)}
        self._trace = trace
        if trace.rows is not None:
            trace.rows.leaving = True
        self._positions = positions
        self._passed = passed
        # The user's arrays, by the tensors that stand for them.
        self._users = {
            id(tensor): array
            for array, tensor, _ in trace.arrays.values()
            if not self._is_made_anew(array)
        }

    def share(self, things: Sequence[Any]) -> None:
        """Look for the lists, dicts and dataclasses that several places refer to."""
        once: dict[int, Any] = {}
        opened: set[int] = set()
        waiting = list(things)
        while waiting:
            thing = waiting.pop()
            key = id(thing)
            if isinstance(thing, Tensor):
                self._returned.add(key)
            if key in self._stop or key in opened or is_row(thing):
                continue
            self._note_names(thing)
            if key in once:
                self._shared[key] = once.pop(key)
            elif plain.is_plain(type(thing)):
                # One object for all anyway; what it holds may be shared with others.
                opened.add(key)
                waiting += (tree.inside(thing) or ()) if key in self._created else ()
            elif (inside := tree.children(thing)) is not None:
                if containers.is_container(thing) and key not in self._shared:
                    once[key] = thing
                waiting += inside
        self._stop |= self._shared.keys()

    def _note_names(self, thing: Any) -> None:
        """See to what may be one object with another that leaves the call.

        OnlyPythonError: it is
        """
        if isinstance(thing, Choice):
            # What it may be is one name.
            self._names.update((id(one), id(thing)) for one in all_options(thing))
            return
        if (known := self._trace.frozen.get(id(thing))) is None:
            return
        if type(thing) is list:
            # Another name for it is only told as a row.
            want_rows()
        if known[1] is SPLIT:
            names = self._split.setdefault(type(thing), set())
            names.add(self._names.get(id(thing), id(thing)))
            if len(names) > 1:
                words = f"what leaves the call holds {SPLIT.words}"
                raise with_notes(OnlyPythonError(words), None, SPLIT.remedy)

    def output(self, value: Value) -> int:
        """The index of a new output of the graph."""
        self.outputs.append(value)
        return len(self.outputs) - 1

    def changed(
        self, tensors: Mapping[int, Tensor], initial: Mapping[int, Value]
    ) -> tuple[tuple[int, int], ...]:
        """The leaves of arrays among the arguments that hold something else now."""
        return tuple(
            (i, self.output(tensor.value))
            for i, tensor in tensors.items()
            if not tensor.scalar and tensor.value is not initial[i]
        )

    def rows_changed(self) -> tuple[int, ...]:
        """The outputs for what the caller's lists in lists are to hold."""
        return tuple(self.output(part.value) for part in rows_left(self._trace.rows))

    def encode(self, thing: Any) -> tuple[tree.Structure, tuple[Leaf, ...]]:
        """A result, or the content of a container."""
        if isinstance(thing, Maybe) and self._places:
            return tree.leaf(), (self._leaf(thing),)
        # A list whose length depends on data is one output, a list.
        thing = wholes(thing, self._stop)
        found, structure = tree.flatten_to_choices(thing, self._stop)
        return structure, tuple(self._leaf(leaf) for leaf in found)

    def places_of(
        self, slots: Sequence[Slot]
    ) -> tuple[tuple[tree.Structure, tuple[Leaf, ...]], ...]:
        """What places outside hold in the end."""
        self._places = True
        return tuple(self.encode(_left_in(slot)) for slot in slots)

    def _leaf(self, leaf: Any) -> Leaf:
        if isinstance(leaf, Tensor):
            return self._array(leaf)
        if id(leaf) in self._shared:
            return self._anew(leaf, lambda: self._of_shared(leaf))
        if (error := caught.tensor_of(leaf)) is not None:
            return Output(self.output(error.value))
        if (content := varying(leaf)) is not None and id(leaf) not in self._stop:
            leaf = content
        if isinstance(leaf, Choice):
            tag = self.output(tag_of(leaf).value)
            return Picked(tag, tuple(map(self.encode, all_options(leaf))))
        if isinstance(leaf, Maybe):
            return self._maybe(leaf, self._places)
        return self._thing(leaf)

    def _thing(self, leaf: Any) -> Leaf:
        """What is no value of the graph."""
        if id(leaf) in self._passed:
            return Container(self._passed[id(leaf)], type(leaf).__name__)
        if self._is_copied(leaf):
            require_order(leaf)
            return self._anew(leaf, lambda: Copied(leaf))
        if isinstance(leaf, np.ndarray) and self._is_made_anew(leaf):
            made = tensor_of_array(leaf)
            return self._output(made, made.looked_up())
        # An object, to which the next call is to make another one.
        made_here = id(leaf) in self._created
        self.once |= self._places and made_here
        if made_here and plain.is_plain(type(leaf)):
            return self._anew(leaf, lambda: self._of_object(leaf))
        return Constant(leaf)

    def _array(self, tensor: Tensor) -> Leaf:
        if id(tensor) in self._positions and not tensor.scalar:
            return Argument(self._positions[id(tensor)])
        if id(tensor) in self._users and not tensor.scalar:
            # What is written is in it by then.
            return Constant(self._users[id(tensor)])
        pick = tensor._pick if tensor._view is None else tensor._view.which
        passed = pick is not None and any(map(self._may_be_passed, pick.roots()))
        # All of one that the call has made is that very array, too.
        passed |= tensor._view is not None
        # So it is where that is given back, too.
        passed |= pick is not None and any(map(self._is_returned, pick.roots()))
        if pick is not None and (passed or pick.may_be_locked):
            return self._picked(pick, tensor)
        if is_perhaps_locked(tensor):
            want_references()
        pick = None if tensor.is_locked else tensor.root._pick
        if pick is not None and pick.may_be_locked:
            return self._part(tensor, pick.locked())
        return self._output(tensor, tensor.looked_up())

    def _may_be_passed(self, tensor: Tensor) -> bool:
        """True for an argument's array or one from outside, and for what may be one."""
        pick = tensor._pick
        if id(tensor) in self._positions or id(tensor) in self._users:
            return True
        return pick is not None and any(map(self._may_be_passed, pick.roots()))

    def _is_returned(self, tensor: Tensor) -> bool:
        return id(tensor) in self._returned

    def _output(self, tensor: Tensor, value: Value, locked: bool = False) -> Output:
        is_array = not tensor.scalar and tensor.spec.shape == ()
        if tensor._view is not None and not tensor.scalar:
            self._require_dims(tensor, tensor.root)
        dtype = value.spec.dtype if is_array and not value.spec.kinds else None
        locked |= tensor.is_locked
        return Output(self.output(value), is_array, locked, dtype)

    def _require_dims(self, tensor: Tensor, root: Tensor) -> None:
        """OnlyPythonError: it is a view of the caller's array, and one has no dims.

        A run has numbers for both, of which nothing is a part.
        """
        shapes = tensor.spec.shape, root.spec.shape
        if () in shapes and not root.scalar and self._may_be_passed(root):
            words = "a view without dims, or of an array without dims, leaves the call"
            raise located(
                OnlyPythonError(words),
                "Give the number (`x[()]`), or a copy (`x[...].copy()`).",
            )

    def _part(self, tensor: Tensor, locked: Tensor | bool) -> Leaf:
        """A part of one of several arrays, which is read-only where that is."""
        value = tensor.looked_up()
        if isinstance(locked, bool):
            return self._output(tensor, value, locked)
        found = (self._output(tensor, value, is_so) for is_so in (False, True))
        options = tuple((tree.leaf(), (leaf,)) for leaf in found)
        return Picked(self.output(locked.value), options)

    def _picked(self, pick: Pick, tensor: Tensor) -> Leaf:
        """One of several arrays, some of which the caller has passed."""
        found = [
            self._picked(side, tensor)
            if isinstance(side, Pick)
            else self._output(tensor, self._own(tensor), side is Own.LOCKED)
            if isinstance(side, Own)
            else self._output(side, _where_it_is(pick, side))
            if side._view is not None and side._view.by_layout
            else self._array(side)
            for side in pick.sides
        ]
        options = tuple((tree.leaf(), (leaf,)) for leaf in reversed(found))
        return Picked(self.output(pick.predicate.value), options)

    @staticmethod
    def _own(tensor: Tensor) -> Value:
        """What it is where it is none of the arrays: its own content, or a part."""
        return tensor._value if tensor._view is None else tensor.looked_up()

    def _maybe(self, maybe: Maybe, may_be_unset: bool) -> Leaf:
        if not may_be_unset:
            raise located(
                StagingTypeError("a result may be undefined, depending on data"),
                "Give the name a value before the branch that may not bind it.",
            )
        tag = self.output(maybe.defined.value)
        return Picked(tag, tuple(map(self.encode, (UNDEFINED, maybe.content))))

    def _anew(self, thing: Any, recipe: Callable[[], Anew]) -> Leaf:
        """What the trace has made, once for all who refer to it."""
        index = self._indices.get(id(thing))
        if index is None:
            index = self._indices[id(thing)] = len(self.objects)
            self.objects.append(None)
            self.objects[index] = recipe()
        return Made(index, type(thing).__name__)

    def _of_shared(self, thing: Any) -> Shared:
        # Here it is opened, or is the choice of contents that it holds.
        self._stop.discard(id(thing))
        del self._shared[id(thing)]
        made = Shared(self.encode(thing))
        self._stop.add(id(thing))
        self._shared[id(thing)] = thing
        return made

    def _of_object(self, thing: Any) -> Recipe:
        held, slots = plain.attributes(thing)
        parts = [*held.values(), *slots.values()]
        encoded = [
            (tree.leaf(), (self._maybe(part, True),))
            if isinstance(part, Maybe)
            else self.encode(part)
            for part in parts
        ]
        return Recipe(type(thing), tuple(held), tuple(slots), tuple(encoded))

    def _is_copied(self, thing: Any) -> bool:
        """True for a set, bytearray, exception, or list or dict by class, of ours."""
        if isinstance(thing, (list, dict, deque)):
            return id(thing) in self._created
        if isinstance(thing, BaseException):
            # One may have been caught that C's code has made.
            return id(thing) not in self._trace.outside
        is_set = isinstance(thing, (set, bytearray))
        return is_set and id(thing) not in self._trace.holding

    def _is_made_anew(self, array: Any) -> bool:
        """True for an array that NumPy, or a library, made while tracing: no call's."""
        users = self._trace.users
        is_numpys = isinstance(array, np.ndarray)
        known = id(array) in users or (is_numpys and id(array.base) in users)
        return not known and not (is_numpys and holds_objects(array.dtype))


def _left_in(slot: Slot) -> Any:
    """What a place holds at the end; UNDEFINED where only the class has it now."""
    is_gone = isinstance(slot, AttributeSlot) and not slot.is_own()
    return UNDEFINED if is_gone else slot.content()


def _where_it_is(pick: Pick, side: Tensor) -> Value:
    """A reshape that would be a copy where it is not what is picked; anything there."""

    def anything() -> Value:
        return placeholder(spec=side._value.spec).value

    ways = (side.looked_up, anything)
    return one_of(
        pick.predicate.value, *(ways if side is pick.sides[0] else ways[::-1])
    )
